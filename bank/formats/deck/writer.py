"""A deck -> the files of its folder: deck.toml, a file for each question, and its pictures."""

from __future__ import annotations

import re

from bank.formats.deck.pictures import pictures_of
from bank.formats.deck.question_writer import Unwritable, question_text
from bank.formats.writing import Picture, Written
from bank.models import Deck

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')


def write(deck: Deck, picture: Picture) -> Written:
    """The folder of a deck; a question that no file can hold is left out and told in a note."""
    files = {"deck.toml": deck_toml(deck).encode()}
    notes: list[str] = []
    for question in deck.questions:
        try:
            files[f"questions/{question.slug}.md"] = question_text(question).encode()
        except Unwritable as refused:
            notes.append(refused.sentence)
    if deck.drafts:
        notes.append(f"Drafts are not among the files; the deck has {len(deck.drafts)}.")
    return Written(files | pictures_of(deck, picture), tuple(notes))


def deck_toml(deck: Deck) -> str:
    """The deck's own file: what it is, and its domains with their weights."""
    lines = [
        f"{key} = {_string(getattr(deck, key))}"
        for key in ("title", "description", "language", "licence", "blueprint")
    ]
    if deck.lint:
        lines.append(f"lint = [{', '.join(_string(waiver) for waiver in deck.lint)}]")
    for domain in deck.domains:
        lines += [
            "",
            "[[domains]]",
            f"id = {_string(domain.id)}",
            f"title = {_string(domain.title)}",
            f"weight = {_weight(domain.weight)}",
        ]
    return "\n".join(lines) + "\n"


def _weight(weight: float) -> str:
    return str(int(weight)) if weight.is_integer() else repr(weight)


def _string(text: str) -> str:
    """A basic string of TOML 1.0."""

    def escaped(found: re.Match[str]) -> str:
        return _ESCAPES.get(found[0], f"\\u{ord(found[0]):04x}")

    return f'"{_ESCAPED.sub(escaped, text)}"'
