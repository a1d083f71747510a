"""Looking questions up, and rule 2: what is live stays shut until the member has answered."""

from __future__ import annotations

import re
from datetime import datetime

from sqlite_utils import Database

from bank.errors import UnknownDrop, UnknownQuestion, Withheld
from bank.library import Library
from bank.models import Drop, Explain, Explanation, Match, Question
from bank.store import Store, answers, drops

_LIVE = "drop:"
_HANDLE = re.compile(rf"{_LIVE}([0-9]{{1,18}})")


class Explaining:
    def __init__(self, store: Store, library: Library) -> None:
        self._store = store
        self._library = library

    def matches(
        self, query: str, group: str, member: str, now: datetime, limit: int = 25
    ) -> list[Match]:
        """Questions for a query, best first, or the deck's first ones for an empty query.

        A match that is shut for this member is named by its drop, not by its id, which may tell
        more than its message does.
        """
        with self._store.reading() as db:
            shut = self._shut(db, group, member, now)
        if query.strip():
            found = self._library.find(query, limit, set(shut))
        else:
            found = [q for deck in self._library.decks for q in deck.questions][:limit]
        return [_match(question, shut.get(question.id)) for question in found]

    def explain(self, asked: str, group: str, member: str, now: datetime) -> Explanation:
        """The question that a handle, an id or a search names. Raises UnknownQuestion, Withheld."""
        with self._store.reading() as db:
            shut = self._shut(db, group, member, now)
            question = self._asked_for(db, asked, group, member, shut)
        if question is None:
            raise UnknownQuestion(asked)
        if question.id in shut:
            raise _withheld(shut[question.id])
        return self._explanation(question, tuple(range(len(question.options))))

    def to_all(self, question: str, group: str, member: str, now: datetime) -> Explanation:
        """A question for a member to show to everybody, which includes the member.

        Not while any drop of it is open in the group. Raises UnknownQuestion, Withheld.
        """
        found = self._library.question(question)
        if found is None:
            raise UnknownQuestion(question)
        with self._store.reading() as db:
            for drop in drops.live_in_group(db, group, now):
                if drop.question == question:
                    raise Withheld(
                        drop.closes_at,
                        "This question is open here right now. "
                        "I can show it to all once it has closed.",
                    )
            if question in (shut := self._shut(db, group, member, now)):
                raise _withheld(shut[question])
        return self._explanation(found, tuple(range(len(found.options))))

    def of_drop(
        self, drop: int, member: str, now: datetime, *, group: str | None = None
    ) -> Explanation:
        """A drop's question with that drop's letters. Raises UnknownDrop, Withheld.

        `group` is where it was asked for, in a shell that knows more than one: a drop of another
        group is unknown there, since its question may be open.
        """
        with self._store.reading() as db:
            found = drops.get(db, drop)
            if found is not None and group not in (None, found.group):
                raise UnknownDrop
            return self._of_drop(db, found, member, now)

    def of_message(self, message: str, member: str, now: datetime) -> Explanation:
        """The question of the drop that stands as `message`. Raises UnknownDrop, Withheld."""
        with self._store.reading() as db:
            return self._of_drop(db, drops.by_message(db, message), member, now)

    def _of_drop(self, db: Database, drop: Drop | None, member: str, now: datetime) -> Explanation:
        if drop is None:
            raise UnknownDrop
        question = drops.question_of_version(db, drop.version)
        for live in [drop, *drops.live_in_group(db, drop.group, now)]:
            # Another open drop of the same question keeps this one shut as well.
            if live.question == drop.question and not self._is_open_to(db, live, member, now):
                raise _withheld(live)
        return self._explanation(question, drop.order)

    def _asked_for(
        self, db: Database, asked: str, group: str, member: str, shut: dict[str, Drop]
    ) -> Question | None:
        asked = asked.strip()
        if handle := _HANDLE.fullmatch(asked):
            drop = drops.get(db, int(handle[1]))
            if drop is None:
                return None
            # A drop of another group is named here only to a member whom it shuts out.
            named_here = drop.group in {group, *drops.groups_of_member(db, member)}
            return self._library.question(drop.question) if named_here else None
        found = self._library.question(asked)
        if found is None and not self._library.owns(asked):
            found = next(iter(self._library.find(asked, 1, set(shut))), None)
        return found

    def _shut(self, db: Database, group: str, member: str, now: datetime) -> dict[str, Drop]:
        """The questions that must stay shut for a member, with the drop that shuts them.

        Open drops of this group count, and of every other group where the member has answered:
        a question may be open in two places at once.
        """
        groups = {group, *drops.groups_of_member(db, member)}
        live = [drop for each in sorted(groups) for drop in drops.live_in_group(db, each, now)]
        return {drop.question: drop for drop in live if not self._is_open_to(db, drop, member, now)}

    @staticmethod
    def _is_open_to(db: Database, drop: Drop, member: str, now: datetime) -> bool:
        """True when a drop's key may be shown to a member."""
        if drop.is_over(now):
            return True
        return drop.explain is Explain.NOW and answers.get(db, drop.id, member) is not None

    def _explanation(self, question: Question, order: tuple[int, ...]) -> Explanation:
        return Explanation(
            question=question, order=order, domain=self._library.domain_title(question)
        )


def _match(question: Question, shut_by: Drop | None) -> Match:
    if shut_by is None:
        return Match(handle=question.id, stem=question.stem)
    return Match(handle=f"{_LIVE}{shut_by.id}", stem=question.stem, open_until=shut_by.closes_at)


def _withheld(drop: Drop) -> Withheld:
    if drop.explain is Explain.AT_CLOSE:
        return Withheld(
            drop.closes_at, "This question is open right now. Its explanation comes when it closes."
        )
    return Withheld(drop.closes_at)
