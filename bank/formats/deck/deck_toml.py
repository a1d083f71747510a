"""deck.toml: what a deck is, its domains with their weights. Text -> parts, every mistake told."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bank.formats.deck.question_file import lines_of
from bank.invisible import name_of, unseen
from bank.models import Deck, Domain

KEYS = ("title", "description", "language", "licence", "blueprint")
NAMING = "lower case, digits and single hyphens, with at most 40 characters"

_WAIVER = re.compile(r"[a-z]+(-[a-z]+)*: *\S.*")


@dataclass
class DeckToml:
    """What a deck.toml holds, and `faults`: (line from 1, what to change) for each mistake."""

    texts: dict[str, str] = field(default_factory=dict)  # by KEYS
    domains: tuple[Domain, ...] = ()
    lint: tuple[str, ...] = ()
    faults: list[tuple[int, str]] = field(default_factory=list)

    def deck(self, name: str) -> Deck | None:
        """The deck without its questions, or None while there are faults."""
        if self.faults:
            return None
        return Deck(name=name, domains=self.domains, lint=self.lint, questions=(), **self.texts)


def read_deck_toml(text: str) -> DeckToml:
    """Cut a deck.toml into its parts. It never raises: every mistake becomes a fault."""
    return _Reader(text).read()


def seen_faults(text: str) -> list[tuple[int, str]]:
    """Lines that do not say what they seem to say, each told once."""
    return [
        (number, f"{name_of(line[places[0]])} cannot be seen here and misleads: take it out")
        for number, line in enumerate(lines_of(text), start=1)
        if (places := unseen(line))
    ]


def waiver_faults(entries: Iterable[str]) -> list[str]:
    """What is wrong with exceptions from item-writing rules."""
    return [
        f'“{entry}” gives no reason: write "rule: why it may be so here"'
        for entry in entries
        if not _WAIVER.fullmatch(entry)
    ]


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.found = DeckToml()

    def read(self) -> DeckToml:
        self.found.faults += seen_faults(self.text)
        try:
            about = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            number = int(line[1]) if line else self.text.count("\n") + 1
            self._fault(number, f"not valid TOML: {error}")
        else:
            self._read_texts(about)
            self._read_lint(about.get("lint", []))
            self._read_domains(about.get("domains"))
        return self.found

    def _fault(self, line: int, text: str) -> None:
        self.found.faults.append((line, text))

    def _read_texts(self, about: dict[str, Any]) -> None:
        for key in KEYS:
            line = _line_of(self.text, key)
            if isinstance(about.get(key), str) and about[key].strip():
                self._check_escapes(line, about[key])
                self.found.texts[key] = about[key]
            else:
                self._fault(line, f"“{key}” is missing or no text")
        for key in about.keys() - {*KEYS, "domains", "lint"}:
            self._fault(_line_of(self.text, key), f"unknown key “{key}”")

    def _read_lint(self, entries: Any) -> None:
        line = _line_of(self.text, "lint")
        if isinstance(entries, list) and all(isinstance(entry, str) for entry in entries):
            self.found.faults += [(line, fault) for fault in waiver_faults(entries)]
            self._check_escapes(line, " ".join(entries))
            self.found.lint = tuple(entries)
        else:
            self._fault(line, "“lint” is a list of texts")

    def _check_escapes(self, line: int, text: str) -> None:
        """TOML writes a character by its number as well, which no look at the lines finds."""
        joined = " ".join(lines_of(text))
        if not unseen(" ".join(lines_of(self.text))) and unseen(joined):
            self.found.faults += [(line, fault) for _, fault in seen_faults(joined)]

    def _read_domains(self, entries: Any) -> None:
        if not isinstance(entries, list) or not entries:
            self._fault(1, "no domains: add a [[domains]] table with id, title, weight")
            return
        domains: list[Domain] = []
        for place, entry in enumerate(entries):
            line = _nth_line_of(self.text, "[[domains]]", place)
            try:
                domains.append(Domain.model_validate(entry))
                self._check_escapes(line, domains[-1].title)
            except ValidationError as error:
                for problem in error.errors():
                    self._fault(line, _domain_fault(problem))
        ids = [domain.id for domain in domains]
        for twice in sorted({name for name in ids if ids.count(name) > 1}):
            second = [place for place, name in enumerate(ids) if name == twice][1]
            line = _nth_line_of(self.text, "[[domains]]", second)
            self._fault(line, f"the domain “{twice}” stands twice")
        total = sum(domain.weight for domain in domains)
        if len(domains) == len(entries) and abs(total - 100) > 0.01:
            self._fault(1, f"the weights of the domains add up to {total:g}, not 100")
        self.found.domains = tuple(domains)


def _domain_fault(problem: ErrorDetails) -> str:
    """What to change in a [[domains]] table, in words."""
    key = ".".join(str(part) for part in problem["loc"])
    return {
        "missing": f"the domain has no {key}",
        "extra_forbidden": f"unknown key “{key}” in a domain",
        "string_pattern_mismatch": f"the domain's {key} is written in {NAMING}",
        "string_too_long": f"the domain's {key} is written in {NAMING}",
        "model_type": "write each domain as a [[domains]] table",
    }.get(problem["type"], f"the domain's {key}: {problem['msg'].lower()}")


def _line_of(text: str, key: str) -> int:
    """The line of a key at the top of a TOML text, above its tables, or 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("["):
            break
        if re.match(rf"\s*{re.escape(key)}\s*=", line):
            return number
    return 1


def _nth_line_of(text: str, mark: str, place: int) -> int:
    lines = [n for n, line in enumerate(text.splitlines(), start=1) if line.strip() == mark]
    return lines[place] if place < len(lines) else 1
