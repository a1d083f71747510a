"""Questions that a group does not want to be asked any more. Drops that stand are not touched."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlite_utils import Database

from bank.errors import NotRetired
from bank.library import Library
from bank.models import Match, Question
from bank.store import Store, retired
from bank.tutor.explaining import Explaining


class Retired(NamedTuple):
    """What came of retiring or restoring. `new` is False when nothing changed."""

    question: Question | None  # None while it is shut for who did it
    deck: str
    left: int  # questions of the deck that may still be drawn
    new: bool


class Retiring:
    def __init__(self, store: Store, library: Library, explaining: Explaining) -> None:
        self._store = store
        self._library = library
        self._explaining = explaining

    def retire(self, asked: str, group: str, member: str, now: datetime) -> Retired:
        """Keep a question of any deck out of the group's draws. Done again, it changes nothing.

        `asked` is a handle, an id or a search. Raises UnknownQuestion.
        """
        with self._store.writing() as db:
            question = self._explaining.named(db, asked, group, member, now)
            new = retired.add(db, group, question.id, now, by=member)
            return self._done(db, question, group, member, now, new=new)

    def restore(self, asked: str, group: str, member: str, now: datetime) -> Retired:
        """Draw a question in the group again. Raises UnknownQuestion, NotRetired."""
        with self._store.writing() as db:
            question = self._explaining.named(db, asked, group, member, now)
            if not retired.remove(db, group, question.id):
                raise NotRetired
            return self._done(db, question, group, member, now, new=True)

    def offered(
        self, group: str, member: str, typed: str, now: datetime, limit: int = 25
    ) -> list[Match]:
        """The group's retired questions whose stem fits what is typed, the latest first."""
        with self._store.reading() as db:
            out = retired.of_group(db, group)
            return self._explaining.offered(db, out, typed, group, member, now)[:limit]

    def _done(
        self, db: Database, question: Question, group: str, member: str, now: datetime, *, new: bool
    ) -> Retired:
        deck, out = self._library.deck(question.deck, group), set(retired.of_group(db, group))
        return Retired(
            question=self._explaining.to_name(db, question, group, member, now),
            deck=deck.name,
            left=sum(each.id not in out for each in deck.questions),
            new=new,
        )
