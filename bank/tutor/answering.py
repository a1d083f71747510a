"""Taking answers: the first one stands, keeps the day, and is on disk before anyone is told.

A question with one key is answered by a press on a letter; one with several by a press that opens a
menu, and a choice of as many options there. Either way the whole answer is one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlite_utils import Database

from bank import streaks
from bank.errors import BadChoice, DropClosed, DropVoided, UnknownDrop
from bank.models import Answer, Drop, DropState, Explain, Menu, Outcome, Question, Streak
from bank.store import Store, answers, drops
from bank.tutor.posting import confirm


class Answering:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._questions: dict[str, Question] = {}  # by version, which never changes

    def press(
        self,
        drop: int,
        position: int,
        member: str,
        message: str,
        now: datetime,
        *,
        group: str | None = None,
    ) -> Outcome:
        """A member presses the button at `position` of a drop that stands as `message`.

        The outcome's answer is the one recorded, whatever was pressed now. When this returns, it
        is on disk. `group` is where it was pressed, in a shell that knows more than one. Raises
        UnknownDrop, DropClosed, DropVoided, StoreError, and BadChoice where this one option is no
        answer; then none is recorded.
        """
        with self._store.writing() as db:
            found = _pressed(drops.get(db, drop), message, group)
            chosen = self._chosen(db, found, (position,))
            found = _standing(db, found, message, now)
            if found.state is not DropState.VOIDED:
                return self._take(db, found, chosen, member, now)
        # Only now, so that the message of a drop that was taken back is written down.
        raise DropVoided

    def open_menu(
        self, drop: int, member: str, message: str, now: datetime, *, group: str | None = None
    ) -> Menu | Outcome:
        """A member presses the one button of a drop whose question has several keys.

        What they may choose from, or the outcome of the answer that they gave before. Raises
        UnknownDrop, DropClosed, DropVoided, StoreError.
        """
        with self._store.writing() as db:
            found = _pressed(drops.get(db, drop), message, group)
            found = _standing(db, found, message, now)
            if found.state is not DropState.VOIDED:
                if found.takes_answers(now) and answers.get(db, drop, member) is None:
                    return Menu(drop=found, question=self._question(db, found.version))
                return self._recorded(db, found, member, now)
        raise DropVoided

    def choose(
        self,
        drop: int,
        positions: Sequence[int],
        member: str,
        message: str,
        now: datetime,
        *,
        group: str | None = None,
    ) -> Outcome:
        """A member chooses the options at `positions` from the menu of a drop that is `message`.

        It is a press in all else, and raises the same.
        """
        with self._store.writing() as db:
            found = _pressed(drops.get(db, drop), message, group)
            if found.message is None:
                raise UnknownDrop  # whoever opened a menu has pressed on a message that stands
            chosen = self._chosen(db, found, positions)
            if found.state is DropState.VOIDED:
                raise DropVoided
            return self._take(db, found, chosen, member, now)

    def _chosen(self, db: Database, drop: Drop, positions: Sequence[int]) -> tuple[int, ...]:
        """The options at the positions, ascending: as many as the question has keys."""
        keys = len(self._question(db, drop.version).keys)
        asked = len(positions) == len(set(positions)) == keys
        if not asked or not all(0 <= position < len(drop.order) for position in positions):
            raise BadChoice(keys)
        return tuple(sorted(drop.order[position] for position in positions))

    def _take(
        self, db: Database, drop: Drop, chosen: tuple[int, ...], member: str, now: datetime
    ) -> Outcome:
        if not drop.takes_answers(now):
            return self._recorded(db, drop, member, now)
        answer = Answer(drop=drop.id, member=member, options=chosen, at=now)
        if not answers.record(db, answer):
            return self._recorded(db, drop, member, now)
        streak = self._keep_day(db, drop, member)
        return self._outcome(db, drop, answer, streak, now, new=True)

    def _recorded(self, db: Database, drop: Drop, member: str, now: datetime) -> Outcome:
        answer = answers.get(db, drop.id, member)
        if answer is None:
            raise DropClosed
        streak = answers.streak(db, drop.group, member)
        return self._outcome(db, drop, answer, streak, now, new=False)

    def _outcome(
        self, db: Database, drop: Drop, answer: Answer, streak: Streak, now: datetime, *, new: bool
    ) -> Outcome:
        return Outcome(
            drop=drop,
            question=self._question(db, drop.version),
            answer=answer,
            new=new,
            explained=drop.explain is Explain.NOW or drop.is_over(now),
            streak=standing_in(db, drop.group, streak, now),
        )

    def _question(self, db: Database, version: str) -> Question:
        if version not in self._questions:
            self._questions[version] = drops.question_of_version(db, version)
        return self._questions[version]

    @staticmethod
    def _keep_day(db: Database, drop: Drop, member: str) -> Streak:
        """The member's streak with the drop's day kept; stored."""
        if drop.day is None:
            raise LookupError(f"drop {drop.id} stands in its room but has no question day")
        before = answers.streak(db, drop.group, member)
        if drop.day == before.last_day:
            return before
        if drop.day > before.last_day:
            after = streaks.keep(before, drop.day)
        else:
            # A drop of an earlier day, still open: what came after may have been counted as a
            # break or have spent a freeze.
            after = streaks.rebuild(answers.kept_days(db, drop.group, member))
        answers.save_streak(db, drop.group, member, after)
        return after


def _pressed(found: Drop | None, message: str, group: str | None) -> Drop:
    """The drop, if it can be the one of that message in that group. Raises UnknownDrop."""
    # An id may have been made up, or come from a message that an earlier database wrote.
    if found is None or found.message not in (None, message) or group not in (None, found.group):
        raise UnknownDrop
    return found


def _standing(db: Database, drop: Drop, message: str, now: datetime) -> Drop:
    """The drop as it is now that somebody has pressed on its message."""
    if drop.message is not None:
        return drop
    # The press came in before the shell could write down that the message stands.
    confirm(db, drop, message, now)
    return drops.get(db, drop.id) or drop


def standing_in(db: Database, group: str, streak: Streak, now: datetime) -> Streak:
    """How a stored streak stands today: the days since its last one are missed."""
    newest = drops.newest_day(db, group)
    if newest is None:
        return streak
    day = newest[0]
    if day == streak.last_day:
        return streak
    return streaks.standing(streak, day, drops.day_is_open(db, group, day, now))
