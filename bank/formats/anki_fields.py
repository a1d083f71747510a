"""What the fields of a note type are for, told by their names; no field has two uses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from bank.letters import LETTERS

_BETWEEN_WORDS = re.compile(r"[^a-z0-9]+")
_SIGN = "[a-h1-8]"
_OPTION = re.compile(
    rf"(?:(?:answer |possible )?(?:option|choice|answer|q|opt|alternative) ?)({_SIGN})|([a-h])"
)
_WRONG = re.compile(
    rf"(?:wrong|incorrect|false|distractor)(?: answer| option| choice)?(?: ?{_SIGN})?"
)

# By what a field's name says, the likeliest first.
_NAMES: dict[str, tuple[str, ...]] = {
    "stem": ("question", "stem", "front", "prompt", "q", "text"),
    "key": (
        *("answers", "correct", "correct answer", "correct answers", "correct option"),
        *("correct choice", "right answer", "right", "key", "answer key", "solution"),
        *("answer", "back"),
    ),
    "short": ("short explanation", "short", "summary"),
    "reasons": (
        *("full explanation", "explanation", "rationale", "feedback", "why", "reason", "extra"),
        *("extra 1", "back extra", "notes", "note", "comment", "comments", "remarks", "details"),
    ),
    "pictures": ("image", "picture", "figure", "diagram"),
    "sources": ("sources", "source", "references", "reference", "link", "links", "url"),
}


@dataclass(slots=True)
class Roles:
    """The names of the fields by use, as the note type writes them, in its order."""

    stem: str | None = None
    key: str | None = None
    options: list[str] = field(default_factory=list)  # A, B, C …
    wrong: list[str] = field(default_factory=list)  # beside them the key field is an option itself
    kind: str | None = None  # which kind of question it is, as “Multiple Choice for Anki” counts
    short: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def roles_of(names: Iterable[str]) -> Roles:
    """The use of each field. Only options without a gap from A, or from 1, are options."""
    roles = Roles()
    plain = {_BETWEEN_WORDS.sub(" ", name.lower()).strip(): name for name in names}
    signs: dict[str, str] = {}
    for own, name in plain.items():
        if found := _OPTION.fullmatch(own):
            signs.setdefault(found[1] or found[2], name)
        elif _WRONG.fullmatch(own):
            roles.wrong.append(name)
        elif own.startswith("qtype"):
            roles.kind = name
    taken = {*signs.values(), *roles.wrong, roles.kind}
    for use, known in _NAMES.items():
        fitting = [plain[own] for own in known if own in plain and plain[own] not in taken]
        if use in ("stem", "key"):
            setattr(roles, use, next(iter(fitting), None))
            fitting = fitting[:1]
        else:
            setattr(roles, use, fitting)
        taken |= set(fitting)
    roles.options = _without_gap(signs)
    if len(roles.options) == 1 and roles.key is None:
        roles.key = roles.options.pop()  # of a card with fields Q and A
    if len(roles.options) < 2:
        roles.options = []
    used = {*taken, *roles.options} - (set(signs.values()) - {*roles.options, roles.key})
    roles.others = [name for name in plain.values() if name not in used]
    return roles


def _without_gap(signs: dict[str, str]) -> list[str]:
    for row in (LETTERS.lower(), "12345678"):
        fields: list[str] = []
        for sign in row:
            if sign not in signs:
                break
            fields.append(signs[sign])
        if fields:
            return fields
    return []
