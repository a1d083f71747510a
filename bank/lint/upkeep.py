"""Rules for what keeps a question true and open to all: domain, sources, alt texts, expiry."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from bank.lint.findings import OnDeck, Remark
from bank.models import UNSORTED, Deck, Question


def no_domain(question: Question) -> Iterator[Remark]:
    """A question that has not found its domain yet."""
    if question.domain == UNSORTED:
        yield Remark("domain", "the question has no domain yet: name one of the deck's")


def no_source(question: Question) -> Iterator[Remark]:
    """A question that says nowhere on what its facts rest."""
    if not any(source.strip() for source in question.sources):
        yield Remark("sources", "no source is named: say where its facts can be read")


def no_alt(question: Question) -> Iterator[Remark]:
    """A picture that nobody describes to those who cannot see it."""
    pictures = (("image", "alt", question.image), ("exhibit", "exhibit-alt", question.exhibit))
    for key, alt_key, picture in pictures:
        if picture and not picture.alt:
            yield Remark(key, f"the {key} has no alt text: say in “{alt_key}: …” what it shows")


def expired(deck: Deck, today: date) -> Iterator[OnDeck]:
    """A question whose facts were to be looked at again before `today`."""
    for question in deck.questions:
        if question.expires and question.expires < today:
            text = f"it expired on {question.expires}: check its facts and move the date on"
            yield OnDeck(question.slug, Remark("expires", text))
