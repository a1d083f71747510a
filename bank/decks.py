"""A deck folder on disk -> Deck, reporting every fault at once, each with its file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bank.errors import DeckFaults, Fault
from bank.formats.question_file import QuestionFile, read_question_file
from bank.models import Deck, Domain, Image, Question

# What a drop shows must fit one message on any platform that we know of, so the parts are bounded.
LONGEST_DROP = 2400  # characters of stem and options together
LONGEST_OPTION = 600
LONGEST_RATIONALE = 600
LONGEST_SHORT = 800
MOST_IMAGE_BYTES = 8 * 2**20

_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"RIFF")
_NAME = re.compile(r"^[a-z0-9]+(-[a-z0-9]+)*$")
_DECK_KEYS = ("title", "description", "language", "licence", "blueprint")


def deck_folders(roots: Iterable[Path]) -> list[Path]:
    """Every deck folder under the roots: a folder that holds a deck.toml. A later root wins."""
    found = {
        folder.name: folder
        for root in roots
        if root.is_dir()
        for folder in sorted(root.iterdir())
        if (folder / "deck.toml").is_file()
    }
    return list(found.values())


def load_deck(folder: Path) -> Deck:
    """The deck in a folder. Raises DeckFaults with every fault when there is any."""
    deck, faults = check_deck(folder)
    if faults or deck is None:
        raise DeckFaults(folder.name, faults)
    return deck


def check_deck(folder: Path) -> tuple[Deck | None, list[Fault]]:
    """The deck, where it can be built at all, and every fault in its files."""
    loader = _Loader(folder)
    return loader.load(), sorted(loader.faults, key=lambda fault: (fault.file, fault.line))


class _Loader:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.toml = folder / "deck.toml"
        self.faults: list[Fault] = []

    def load(self) -> Deck | None:
        if not _NAME.match(self.folder.name):
            self._fault(
                self.toml, 1, "a deck's folder is named in lower case, digits and single hyphens"
            )
        about = self._read_toml()
        domains = self._domains(about)
        # Without a list of domains, each question's domain would be one more fault that is none.
        known = {domain.id for domain in domains} if domains else None
        paths = sorted((self.folder / "questions").glob("*.md"))
        questions = [self._question(path, known) for path in paths]
        if self.faults:
            return None
        return Deck(
            name=self.folder.name,
            domains=domains,
            questions=tuple(question for question in questions if question is not None),
            **{key: about[key] for key in _DECK_KEYS},
        )

    def _fault(self, file: Path, line: int, text: str) -> None:
        self.faults.append(Fault(file, line, text))

    def _read_text(self, path: Path) -> str | None:
        try:
            return path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            line = path.read_bytes()[: error.start].count(b"\n") + 1
            self._fault(path, line, "this line is not UTF-8 text: save the file as UTF-8")
        except OSError as error:
            self._fault(path, 1, f"the file cannot be read: {error.strerror}")
        return None

    def _read_toml(self) -> dict[str, Any]:
        text = self._read_text(self.toml)
        if text is None:
            return {}
        try:
            about = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            number = int(line[1]) if line else text.count("\n") + 1
            self._fault(self.toml, number, f"not valid TOML: {error}")
            return {}
        for key in _DECK_KEYS:
            if not isinstance(about.get(key), str) or not about[key].strip():
                self._fault(self.toml, _line_of(text, key), f"“{key}” is missing or no text")
        for key in about.keys() - {*_DECK_KEYS, "domains"}:
            self._fault(self.toml, _line_of(text, key), f"unknown key “{key}”")
        return about

    def _domains(self, about: dict[str, Any]) -> tuple[Domain, ...]:
        if not about:
            return ()
        entries = about.get("domains")
        if not isinstance(entries, list) or not entries:
            self._fault(self.toml, 1, "no domains: add a [[domains]] table with id, title, weight")
            return ()
        text = self.toml.read_text(encoding="utf-8-sig")
        domains: list[Domain] = []
        for place, entry in enumerate(entries):
            line = _nth_line_of(text, "[[domains]]", place)
            try:
                domains.append(Domain.model_validate(entry))
            except ValidationError as error:
                for problem in error.errors():
                    where = ".".join(str(part) for part in problem["loc"])
                    self._fault(self.toml, line, f"domain {where}: {problem['msg'].lower()}")
        ids = [domain.id for domain in domains]
        for twice in sorted({name for name in ids if ids.count(name) > 1}):
            self._fault(self.toml, 1, f"the domain “{twice}” stands twice")
        total = sum(domain.weight for domain in domains)
        if len(domains) == len(entries) and abs(total - 100) > 0.01:
            self._fault(self.toml, 1, f"the weights of the domains add up to {total:g}, not 100")
        return tuple(domains)

    def _question(self, path: Path, domains: set[str] | None) -> Question | None:
        text = self._read_text(path)
        if text is None:
            return None
        before = len(self.faults)
        found = read_question_file(text)
        for line, fault in found.faults:
            self._fault(path, line, fault)
        if not _NAME.match(path.stem):
            self._fault(
                path, 1, "a question's file is named in lower case, digits and single hyphens"
            )
        self._check_domain(path, found, domains)
        self._check_options(path, found)
        self._check_lengths(path, found)
        image = self._image(path, found)
        if len(self.faults) > before:
            return None
        return self._built(path, found, image)

    def _built(self, path: Path, found: QuestionFile, image: Image | None) -> Question | None:
        try:
            return Question(
                deck=self.folder.name,
                slug=path.stem,
                domain=found.text("domain") or "",
                stem=found.stem,
                options=found.options,
                short=found.short,
                full=found.full,
                image=image,
                tags=found.items("tags"),
                sources=found.items("sources"),
            )
        except ValidationError as error:
            for problem in error.errors():
                where = ".".join(str(part) for part in problem["loc"])
                self._fault(path, 1, f"{where}: {problem['msg']}")
            return None

    def _check_domain(self, path: Path, found: QuestionFile, domains: set[str] | None) -> None:
        domain = found.text("domain")
        if domain is None:
            self._fault(path, found.line("domain"), "“domain” is missing in the front matter")
        elif domains is not None and domain not in domains:
            known = ", ".join(sorted(domains))
            text = f"the deck has no domain “{domain}”; it has {known}"
            self._fault(path, found.line("domain"), text)

    def _check_options(self, path: Path, found: QuestionFile) -> None:
        options = found.options
        if any(fault for fault in found.faults if "option" in fault[1]) or not options:
            return
        keys = sum(option.correct for option in options)
        line = found.options_line
        if not 2 <= len(options) <= 8:
            self._fault(path, line, f"a question has 2 to 8 options, this one has {len(options)}")
        if keys == 0:
            self._fault(path, line, "no option is marked “[x]”")
        elif keys > 1:
            text = f"{keys} options are marked “[x]”; a question that is dropped has exactly one"
            self._fault(path, line, text)
        texts = [option.text.casefold() for option in options]
        for text in sorted({text for text in texts if texts.count(text) > 1}):
            self._fault(path, line, f"two options say the same: “{text}”")

    def _check_lengths(self, path: Path, found: QuestionFile) -> None:
        drop = len(found.stem) + sum(len(option.text) for option in found.options)
        parts = [(drop, LONGEST_DROP, "stem and options together", found.stem_line)]
        parts += [
            part
            for option in found.options
            for part in (
                (len(option.text), LONGEST_OPTION, "an option", found.options_line),
                (len(option.rationale), LONGEST_RATIONALE, "a rationale", found.options_line),
            )
        ]
        parts.append((len(found.short), LONGEST_SHORT, "the short explanation", found.options_line))
        for length, longest, what, line in parts:
            if length > longest:
                text = f"{what} may have {longest} characters; here it is {length}"
                self._fault(path, line, text)

    def _image(self, path: Path, found: QuestionFile) -> Image | None:
        name, alt = found.text("image"), found.text("alt")
        if name is None:
            if alt is not None:
                self._fault(path, found.line("alt"), "an alt text without an image")
            return None
        line = found.line("image")
        if alt is None:
            self._fault(path, line, "the image has no alt text: add “alt: what it shows”")
        file = (self.folder / name).resolve()
        if not file.is_relative_to(self.folder.resolve()):
            self._fault(path, line, f"the image “{name}” lies outside the deck's folder")
        elif not file.is_file():
            self._fault(path, line, f"the image “{name}” does not exist")
        elif not file.read_bytes().startswith(_SIGNATURES):
            self._fault(path, line, f"the image “{name}” is no PNG, JPEG, GIF or WebP picture")
        elif file.stat().st_size > MOST_IMAGE_BYTES:
            self._fault(path, line, f"the image “{name}” is larger than 8 MB")
        return Image(path=name, alt=alt) if alt else None


def _line_of(text: str, key: str) -> int:
    """The line of a key in a TOML text, or 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        if re.match(rf"\s*{re.escape(key)}\s*=", line):
            return number
    return 1


def _nth_line_of(text: str, mark: str, place: int) -> int:
    lines = [n for n, line in enumerate(text.splitlines(), start=1) if line.strip() == mark]
    return lines[place] if place < len(lines) else 1
