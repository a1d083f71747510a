"""A deck -> what is wrong with its items, but for what its author has waived with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from bank.lint.findings import Finding
from bank.lint.rules import IDLE_WAIVER, RULES
from bank.models import Deck

_MAYBE_ENGLISH = ("en", "und")  # an imported deck is “und”: undetermined
_IDS = {rule.id for rule in RULES}


def lint(deck: Deck, today: date) -> list[Finding]:
    """Every finding, question by question in the deck's order, then those of the deck as a whole.

    `today` decides what has expired.
    """
    slugs = [question.slug for question in deck.questions]
    place = {slug: at for at, slug in enumerate(slugs)}
    order = {rule.id: at for at, rule in enumerate(RULES)}
    waived = _Waivers(deck)
    kept = [finding for finding in _findings(deck, today) if not waived.covers(finding)]
    kept += waived.idle()
    return sorted(
        kept, key=lambda each: (place.get(each.slug or "", len(place)), order[each.rule.id])
    )


def _findings(deck: Deck, today: date) -> Iterator[Finding]:
    english = deck.language.casefold().startswith(_MAYBE_ENGLISH)
    rules = [rule for rule in RULES if english or not rule.english]
    for question in deck.questions:
        for rule in rules:
            for remark in rule.of_question(question) if rule.of_question else ():
                yield Finding(rule, question.slug, remark.part, remark.text)
    for rule in rules:
        for slug, remark in rule.of_deck(deck, today) if rule.of_deck else ():
            yield Finding(rule, slug, remark.part, remark.text)


class _Waivers:
    """What a deck and its questions waive, and which of it was needed."""

    def __init__(self, deck: Deck) -> None:
        self.entries = [(None, entry) for entry in deck.lint] + [
            (question.slug, entry) for question in deck.questions for entry in question.lint
        ]
        self.used: set[tuple[str | None, str]] = set()
        self.given = {
            (slug, rule)
            for slug, entry in self.entries
            for rule, reason in [_parts(entry)]
            if reason
        }

    def covers(self, finding: Finding) -> bool:
        """True when the question or the deck waives it."""
        waivers = {(finding.slug, finding.rule.id), (None, finding.rule.id)} & self.given
        self.used |= waivers
        return bool(waivers)

    def idle(self) -> Iterator[Finding]:
        """Waivers of what is no rule, or of what would not have been told anyway."""
        for slug, entry in self.entries:
            rule, reason = _parts(entry)
            if rule not in _IDS:
                text = f"“{rule}” is no rule: “quizdrop check --rules” lists them"
            elif not reason:
                text = (
                    f"the waiver of “{rule}” gives no reason: write “{rule}: why it may be so here”"
                )
            elif (slug, rule) not in self.used:
                text = f"the waiver of “{rule}” silences nothing here: take it out"
            else:
                continue
            yield Finding(IDLE_WAIVER, slug, "lint", text)


def _parts(entry: str) -> tuple[str, str]:
    """The rule and the reason of a waiver; each may be empty."""
    rule, _, reason = " ".join(entry.split()).partition(":")
    return rule.strip(), reason.strip()
