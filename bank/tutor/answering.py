"""Taking answers: the first one stands, keeps the day, and is on disk before anyone is told."""

from __future__ import annotations

from datetime import datetime

from sqlite_utils import Database

from bank import streaks
from bank.errors import DropClosed, DropVoided, UnknownDrop
from bank.models import Answer, Drop, DropState, Explain, Outcome, Question, Streak
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
        UnknownDrop, DropClosed, DropVoided, StoreError; then no answer is recorded.
        """
        with self._store.writing() as db:
            found = drops.get(db, drop)
            if found is None or not 0 <= position < len(found.order):
                raise UnknownDrop
            # An id may have been made up, or come from a message that an earlier database wrote.
            if found.message not in (None, message) or group not in (None, found.group):
                raise UnknownDrop
            if found.message is None:
                # The press came in before the shell could write down that the message stands.
                confirm(db, found, message, now)
                found = drops.get(db, drop) or found
            if found.state is not DropState.VOIDED:
                return self._take(db, found, position, member, now)
        # Only now, so that the message of a drop that was taken back is written down.
        raise DropVoided

    def _take(self, db: Database, drop: Drop, position: int, member: str, now: datetime) -> Outcome:
        if not drop.takes_answers(now):
            return self._recorded(db, drop, member, now)
        answer = Answer(drop=drop.id, member=member, option=drop.order[position], at=now)
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


def standing_in(db: Database, group: str, streak: Streak, now: datetime) -> Streak:
    """How a stored streak stands today: the days since its last one are missed."""
    newest = drops.newest_day(db, group)
    if newest is None:
        return streak
    day = newest[0]
    if day == streak.last_day:
        return streak
    return streaks.standing(streak, day, drops.day_is_open(db, group, day, now))
