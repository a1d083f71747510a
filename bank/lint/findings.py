"""What lint finds, as values: rules, remarks on a part, findings. It judges nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from bank.models import Deck, Question

Part = str | int
"""Where in a question: an option's index, “stem”, “short”, “full”, or a key of the front matter."""


class Severity(StrEnum):
    """How much it matters: an error misleads members, a warning is a flaw, a note is a thought."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Remark(NamedTuple):
    """What a rule has to say of one part: a sentence without its full stop, in lower case."""

    part: Part
    text: str


class OnDeck(NamedTuple):
    """What a rule of a whole deck has to say; `slug` names the question, None means the deck."""

    slug: str | None
    remark: Remark


@dataclass(frozen=True, slots=True)
class Rule:
    """One item-writing rule. It looks at each question by itself, or at a deck on a given day."""

    id: str
    severity: Severity
    sentence: str  # what an author is to do
    source: str  # the guideline that it follows
    of_question: Callable[[Question], Iterable[Remark]] | None = None
    of_deck: Callable[[Deck, date], Iterable[OnDeck]] | None = None
    english: bool = False  # it goes by English words, so it is silent in other languages


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a deck breaks a rule; `slug` None means the deck as a whole."""

    rule: Rule
    slug: str | None
    part: Part
    text: str

    def __str__(self) -> str:
        return f"{self.rule.severity} {self.rule.id}: {self.text}"
