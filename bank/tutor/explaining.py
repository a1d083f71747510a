"""Looking questions up, and rule 2: what is live stays shut until the member has answered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime

from sqlite_utils import Database

from bank.errors import UnknownDrop, UnknownQuestion, Withheld
from bank.library import Library
from bank.models import Deck, Drop, Explain, Explanation, Match, Question
from bank.slots import zone_of
from bank.store import Store, answers, drops, schedules

_LIVE = "drop:"
_HANDLE = re.compile(rf"{_LIVE}([0-9]{{1,18}})")


class Explaining:
    def __init__(self, store: Store, library: Library) -> None:
        self._store = store
        self._library = library

    def matches(
        self, query: str, group: str, member: str, now: datetime, limit: int = 25
    ) -> list[Match]:
        """Questions for a query, best first, or the decks' first ones for an empty query.

        A match that is shut for this member is named by its drop, not by its id, which may tell
        more than its message does.
        """
        with self._store.reading() as db:
            shut = self._shut(db, group, member, now)
        if query.strip():
            found = self._library.find(query, limit, set(shut), group)
        else:
            decks = self._library.decks_of(group)
            found = [question for deck in decks for question in deck.questions][:limit]
        return [_match(question, shut.get(question.id)) for question in found]

    def explain(self, asked: str, group: str, member: str, now: datetime) -> Explanation:
        """The question that a handle, an id or a search names. Raises UnknownQuestion, Withheld."""
        with self._store.reading() as db:
            shut = self._shut(db, group, member, now)
            question = self._asked_for(db, asked, group, member, shut)
            return self._unless_shut(db, asked, question, shut, group)

    def by_id(self, question: str, group: str, member: str, now: datetime) -> Explanation:
        """The question of that id, and no other one. Raises UnknownQuestion, Withheld."""
        with self._store.reading() as db:
            shut = self._shut(db, group, member, now)
            found = self._library.question(question, group)
            return self._unless_shut(db, question, found, shut, group)

    def to_all(self, question: str, group: str, member: str, now: datetime) -> Explanation:
        """A question for a member to show to everybody, which includes the member.

        Not while any drop of it is open in the group. Raises UnknownQuestion, Withheld.
        """
        found = self._library.question(question, group)
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
            shut = self._shut(db, group, member, now)
            return self._unless_shut(db, question, found, shut, group)

    def to_export(
        self, name: str, group: str, member: str, now: datetime
    ) -> tuple[Deck, frozenset[str]]:
        """A deck for a member to take away, and the ids of its questions that stay here for now.

        A file goes from hand to hand, so what is open in the group stays, even for who has
        answered. Raises UnknownDeck.
        """
        deck = self._library.deck(name, group)
        with self._store.reading() as db:
            return deck, frozenset(self.kept_back(db, group, member, now))

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

    def of_message(
        self, message: str, member: str, now: datetime, *, group: str | None = None
    ) -> Explanation:
        """The question of the drop that stands as `message`; as `of_drop` in all else."""
        with self._store.reading() as db:
            found = drops.by_message(db, message)
            if found is not None and group not in (None, found.group):
                raise UnknownDrop
            return self._of_drop(db, found, member, now)

    def kept_back(
        self, db: Database, group: str, member: str, now: datetime
    ) -> dict[str, datetime]:
        """The questions of which no answer may leave the group's hands yet, and until when.

        They are those that are shut for a member, and those that are open in the group, even for
        who has answered.
        """
        shut = self._shut(db, group, member, now).values()
        live = drops.live_in_group(db, group, now)
        return {drop.question: drop.closes_at for drop in [*shut, *live]}

    def named(self, db: Database, asked: str, group: str, member: str, now: datetime) -> Question:
        """The question that a handle, an id or a search names, be it shut or not.

        Nothing of it may be told to the member, unless `to_name` gives it. Raises
        UnknownQuestion.
        """
        shut = self._shut(db, group, member, now)
        if (question := self._asked_for(db, asked, group, member, shut)) is None:
            raise UnknownQuestion(asked)
        return question

    def to_name(
        self, db: Database, question: Question, group: str, member: str, now: datetime
    ) -> Question | None:
        """The question, or None while it is shut for the member.

        Its id may say more than its message does, so nobody learns which stem belongs to an id.
        """
        return None if question.id in self._shut(db, group, member, now) else question

    def offered(
        self,
        db: Database,
        questions: Iterable[str],
        typed: str,
        group: str,
        member: str,
        now: datetime,
    ) -> list[Match]:
        """Those of the questions whose stem fits what is typed, named as `matches` names them."""
        shut, wanted = self._shut(db, group, member, now), typed.strip().casefold()
        found = (self._library.question(each, group) for each in questions)
        return [
            _match(question, shut.get(question.id))
            for question in found
            if question is not None and wanted in question.stem.casefold()
        ]

    def _of_drop(self, db: Database, drop: Drop | None, member: str, now: datetime) -> Explanation:
        if drop is None:
            raise UnknownDrop
        question = drops.question_of_version(db, drop.version)
        for live in [drop, *drops.live_in_group(db, drop.group, now)]:
            # Another open drop of the same question keeps this one shut as well.
            if live.question == drop.question and not self._is_open_to(db, live, member, now):
                raise _withheld(live)
        return Explanation(
            question=question,
            order=drop.order,
            domain=self._library.domain_title(question, drop.group),
            drop=drop.id,
            newer=self._library.has_newer(question, drop.group),
        )

    def _asked_for(
        self, db: Database, asked: str, group: str, member: str, shut: dict[str, Drop]
    ) -> Question | None:
        asked = asked.strip()
        if handle := _HANDLE.fullmatch(asked):
            drop = drops.get(db, int(handle[1]))
            if drop is None:
                return None
            named = self._is_named_in(db, drop, group, member)
            return self._library.question(drop.question, group) if named else None
        found = self._library.question(asked, group)
        if found is None and not self._library.knows(asked, group):
            found = next(iter(self._library.find(asked, 1, set(shut), group)), None)
        return found

    def _is_named_in(self, db: Database, drop: Drop, group: str, member: str) -> bool:
        """True when a drop's handle means something in a group.

        One of another group is named there only to a member whom it shuts out, which one of that
        group's own decks never does.
        """
        if drop.group == group:
            return True
        theirs = self._library.is_shared(drop.question)
        return theirs and drop.group in drops.groups_of_member(db, member)

    def _shut(self, db: Database, group: str, member: str, now: datetime) -> dict[str, Drop]:
        """The questions that must stay shut for a member, with the drop that shuts them.

        Open drops of this group count, and of every other group where the member has answered:
        a question may be open in two places at once. Of a deck that is not shared, an id means
        another question in each group, so it is shut only where it is open.
        """
        groups = {group, *drops.groups_of_member(db, member)}
        live = [drop for each in sorted(groups) for drop in drops.live_in_group(db, each, now)]
        return {
            drop.question: drop
            for drop in live
            if drop.group == group or self._library.is_shared(drop.question)
            if not self._is_open_to(db, drop, member, now)
        }

    @staticmethod
    def _is_open_to(db: Database, drop: Drop, member: str, now: datetime) -> bool:
        """True when a drop's key may be shown to a member."""
        if drop.is_over(now):
            return True
        return drop.explain is Explain.NOW and answers.get(db, drop.id, member) is not None

    def _unless_shut(
        self,
        db: Database,
        asked: str,
        question: Question | None,
        shut: dict[str, Drop],
        group: str,
    ) -> Explanation:
        if question is None:
            raise UnknownQuestion(asked)
        if question.id in shut:
            raise _withheld(shut[question.id])
        return Explanation(
            question=question,
            order=tuple(range(len(question.options))),
            domain=self._library.domain_title(question, group),
            changed=_changed_since(db, question, group),
        )


def _changed_since(db: Database, question: Question, group: str) -> date | None:
    """The group's local date on which it was last asked the question, if in another text."""
    last = drops.last_asked(db, group, question.id)
    zone = schedules.zone_of_group(db, group)
    if last is None or zone is None or last.version == question.version:
        return None
    if drops.question_of_version(db, last.version).reads_as(question):
        return None
    return last.claimed_at.astimezone(zone_of(zone)).date()


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
