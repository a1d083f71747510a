"""The decks that are loaded, and the search over them. It reads no file and knows no drop."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bank.errors import UnknownDeck
from bank.models import Deck, Question, Tally
from bank.store.search import SearchIndex

_ID = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")


class Library:
    """Decks by name, their questions by id, and an index over both, for one thread."""

    def __init__(self, decks: Iterable[Deck]) -> None:
        self._decks = {deck.name: deck for deck in decks}
        self._questions = {
            question.id: question for deck in self._decks.values() for question in deck.questions
        }
        self._index = SearchIndex(self._questions.values())

    def close(self) -> None:
        self._index.close()

    @property
    def decks(self) -> tuple[Deck, ...]:
        return tuple(self._decks.values())

    def deck(self, name: str) -> Deck:
        """The deck of that name; raises UnknownDeck."""
        deck = self._decks.get(name)
        if deck is None:
            raise UnknownDeck(name, list(self._decks))
        return deck

    def question(self, name: str) -> Question | None:
        """The latest text of a question, by its id deck/slug."""
        return self._questions.get(name)

    def owns(self, name: str) -> bool:
        """True for an id of a loaded deck, even when that deck has no such question any more."""
        return _ID.fullmatch(name) is not None and name.partition("/")[0] in self._decks

    def domain_title(self, question: Question) -> str:
        """The title of a question's domain, or its id when the deck is gone."""
        deck = self._decks.get(question.deck)
        domain = deck.domain(question.domain) if deck else None
        return domain.title if domain else question.domain

    def deck_title(self, name: str) -> str:
        deck = self._decks.get(name)
        return deck.title if deck else name

    def titles(self, tally: Tally) -> tuple[str, str]:
        """The titles of a drop's deck and of its question's domain."""
        return self.deck_title(tally.drop.deck), self.domain_title(tally.question)

    def find(self, query: str, limit: int, shut: set[str]) -> list[Question]:
        """Questions for a query, best first.

        Those in `shut` are matched by stem and options alone, which their drop shows to everybody:
        a hit through an explanation would point at the key.
        """
        return [self._questions[name] for name in self._index.find(query, limit, shut=shut)]
