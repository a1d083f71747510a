"""The decks that are loaded, and the search over them. It reads no file and knows no drop.

A shared deck is there for every group, a group's own deck for that group alone: whatever is looked
up is looked up for a group, and what another group owns is as if it did not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bank.errors import DeckNameTaken, TooManyDecks, UnknownDeck
from bank.models import Deck, Question, Tally
from bank.store.search import SearchIndex, find

MOST_OWN_DECKS = 50

_ID = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")


class _Loaded:
    """A deck with its questions by id, and an index of its own.

    How rare a word is counts in the order of what is found, and which words there are in how a
    typing mistake is mended. An index over several decks would tell of one deck in another's hits.
    """

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.questions = {question.id: question for question in deck.questions}
        self.index = SearchIndex(deck.questions)


class Library:
    """Decks by name, their questions by id, and an index over both, for one thread."""

    def __init__(self, decks: Iterable[Deck]) -> None:
        self._shared = {deck.name: _Loaded(deck) for deck in decks}
        self._own: dict[str, dict[str, _Loaded]] = {}

    def close(self) -> None:
        for decks in (self._shared, *self._own.values()):
            for loaded in decks.values():
                loaded.index.close()

    def put(self, deck: Deck, group: str) -> None:
        """Add a group's own deck, or replace its earlier one. Raises DeckNameTaken.

        Another group may have one of the same name.
        """
        if deck.name in self._shared:
            raise DeckNameTaken(deck.name)
        loaded = _Loaded(deck)
        own = self._own.setdefault(group, {})
        if (earlier := own.get(deck.name)) is not None:
            earlier.index.close()
        own[deck.name] = loaded

    def check_own(self, name: str, group: str) -> None:
        """See that a group may bring a deck of that name. Raises DeckNameTaken, TooManyDecks."""
        if name in self._shared:
            raise DeckNameTaken(name)
        own = self._own.get(group, {})
        if name not in own and len(own) >= MOST_OWN_DECKS:
            raise TooManyDecks(MOST_OWN_DECKS)

    def remove(self, name: str, group: str) -> None:
        """Forget a group's own deck. Raises UnknownDeck, for a shared one too."""
        own = self._own.get(group, {})
        if name not in own:
            raise UnknownDeck(name, list(own))
        own.pop(name).index.close()

    def decks_of(self, group: str) -> tuple[Deck, ...]:
        """The decks that a group may use: its own ones, then the shared ones."""
        return tuple(loaded.deck for loaded in self._loaded(group))

    def own_decks(self, group: str) -> tuple[Deck, ...]:
        """The decks that belong to a group."""
        return tuple(loaded.deck for loaded in self._own.get(group, {}).values())

    def deck(self, name: str, group: str) -> Deck:
        """The group's deck of that name; raises UnknownDeck."""
        if (loaded := self._named(name, group)) is None:
            raise UnknownDeck(name, [deck.name for deck in self.decks_of(group)])
        return loaded.deck

    def question(self, name: str, group: str) -> Question | None:
        """The latest text of a question of the group's decks, by its id deck/slug."""
        loaded = self._named(_deck_of(name), group)
        return loaded.questions.get(name) if loaded else None

    def has_newer(self, question: Question, group: str) -> bool:
        """True when a member would read another text of a drop's question in the group's decks."""
        latest = self.question(question.id, group)
        return latest is not None and not latest.reads_as(question)

    def knows(self, name: str, group: str) -> bool:
        """True for an id of one of the group's decks, even of a question that is gone."""
        return _ID.fullmatch(name) is not None and self._named(_deck_of(name), group) is not None

    def is_shared(self, name: str) -> bool:
        """True when an id means the same question in every group."""
        return _deck_of(name) in self._shared

    def domain_title(self, question: Question, group: str) -> str:
        """The title of a question's domain, or its id when the deck is gone."""
        loaded = self._named(question.deck, group)
        domain = loaded.deck.domain(question.domain) if loaded else None
        return domain.title if domain else question.domain

    def deck_title(self, name: str, group: str) -> str:
        loaded = self._named(name, group)
        return loaded.deck.title if loaded else name

    def titles(self, tally: Tally) -> tuple[str, str]:
        """The titles of a drop's deck and of its question's domain."""
        drop = tally.drop
        return self.deck_title(drop.deck, drop.group), self.domain_title(tally.question, drop.group)

    def find(self, query: str, limit: int, shut: set[str], group: str) -> list[Question]:
        """Questions of the group's decks for a query, best first.

        Those in `shut` are matched by stem and options alone, which their drop shows to everybody:
        a hit through an explanation would point at the key.
        """
        found = find([each.index for each in self._loaded(group)], query, limit, shut=shut)
        named = (self.question(name, group) for name in found)
        return [question for question in named if question is not None]

    def _loaded(self, group: str) -> list[_Loaded]:
        return [*self._own.get(group, {}).values(), *self._shared.values()]

    def _named(self, name: str, group: str) -> _Loaded | None:
        return self._shared.get(name) or self._own.get(group, {}).get(name)


def _deck_of(question: str) -> str:
    return question.partition("/")[0]
