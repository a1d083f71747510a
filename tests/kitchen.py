"""A question that no rule of lint has anything to say of; a test changes one thing of it."""

from __future__ import annotations

from datetime import date
from typing import Any

from bank.lint import Finding, lint
from bank.models import Deck, Domain, Option, Question

TODAY = date(2026, 7, 1)

STEM = "A kettle is switched on. What happens to its water first?"
TEXTS = (
    "Its bottom layer warms up and rises",
    "Its top layer warms up and sinks",
    "It boils at once",
)


def option(text: str, correct: bool = False, **more: Any) -> Option:
    fields = {"rationale": f"This is why it is so with {text.lower()}."}
    if not correct:
        fields["misconception"] = "Takes one for the other"
    return Option(text=text, correct=correct, **{**fields, **more})


def options(*texts: str, keys: tuple[int, ...] = (0,)) -> tuple[Option, ...]:
    return tuple(option(text, at in keys) for at, text in enumerate(texts))


def question(slug: str = "kettle", **changes: Any) -> Question:
    fields: dict[str, Any] = {
        "deck": "kitchen",
        "slug": slug,
        "domain": "water",
        "stem": STEM,
        "options": options(*TEXTS),
        "short": "Warm water floats.",
        "full": "{a} is what convection does. {b} and {c} have it the other way round.",
        "sources": ("https://example.org/convection",),
    }
    return Question(**{**fields, **changes})


def deck(*questions: Question, **changes: Any) -> Deck:
    fields: dict[str, Any] = {
        "name": "kitchen",
        "title": "Kitchen physics",
        "description": "Water, heat and air.",
        "language": "en",
        "licence": "MIT",
        "blueprint": "2",
        "domains": (Domain(id="water", title="Water", weight=100),),
        "questions": questions,
    }
    return Deck(**{**fields, **changes})


def found(*questions: Question, **changes: Any) -> list[str]:
    """The ids of the rules that are broken."""
    return [finding.rule.id for finding in lint(deck(*questions, **changes), TODAY)]


def only(rule: str, **changes: Any) -> Finding:
    """The one finding of a question with these changes."""
    findings = lint(deck(question(**changes)), TODAY)
    assert [finding.rule.id for finding in findings] == [rule]
    return findings[0]
