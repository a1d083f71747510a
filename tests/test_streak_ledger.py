"""The streak ledger under any life of two groups: what is stored is always what a rebuild gives,
and what a ledger on paper, kept from the rules alone, says.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bank.errors import CannotVoid, DropClosed, DropVoided, QuizError
from bank.models import Drop, DropState, Mark, Streak, Terms
from bank.store import Store, answers
from bank.tutor import Tutor
from tests.samples import MANY, make_deck

GROUPS = ("4001", "4002")
MEMBERS = ("ada", "ben", "cleo")
ZONES = ("America/New_York", "Europe/Berlin", "Pacific/Apia", "Australia/Lord_Howe")
# Evenings before a clock change, and before the Friday that Apia never had.
STARTS = (
    datetime(2027, 3, 13, 20, tzinfo=UTC),
    datetime(2026, 10, 24, 16, tzinfo=UTC),
    datetime(2011, 12, 29, 8, tzinfo=UTC),
    datetime(2026, 4, 4, 5, tzinfo=UTC),
)

T = TypeVar("T")


@dataclass
class Paper:
    """One group's ledger on paper: days in their order, each a date and the drops that stand in it.

    It knows the rules' sentences and no running numbers.
    """

    days: list[tuple[date, set[int]]] = field(default_factory=list)
    answered: dict[str, set[int]] = field(default_factory=dict)

    def post(self, drop: int, day: date) -> None:
        """A drop makes its date a question day; days never go back."""
        if self.days and day <= self.days[-1][0]:
            self.days[-1][1].add(drop)
        else:
            self.days.append((day, {drop}))

    def void(self, drop: int) -> None:
        """A day exists only while a drop stands in it."""
        self.days = [
            (day, drops - {drop}) for day, drops in self.days if drops - {drop} or not drops
        ]

    def kept(self, member: str) -> list[bool]:
        """For each day from the member's first kept one on: did they keep it?"""
        mine = [bool(drops & self.answered.get(member, set())) for _, drops in self.days]
        return mine[mine.index(True) :] if True in mine else []

    def streak(self, member: str, newest_is_open: bool) -> Streak:
        """Rule 6, read out day by day."""
        length = best = freezes = row = 0
        days = self.kept(member)
        for place, kept in enumerate(days, 1):
            if kept:
                length, row = length + 1, row + 1
                best = max(best, length)
                freezes = min(2, freezes + (row % 7 == 0))
            elif place < len(days) or not newest_is_open:
                row, length, freezes = 0, (length if freezes else 0), max(0, freezes - 1)
        last = max((n for n, (_, drops) in enumerate(self.days, 1)
                    if drops & self.answered.get(member, set())), default=0)  # fmt: skip
        return Streak(
            length=length, best=best, freezes=freezes, run=row % 7, last_day=last, kept=sum(days)
        )

    def dates(self, member: str) -> list[date]:
        """The dates that a member kept."""
        mine = self.answered.get(member, set())
        return [day for day, drops in self.days if drops & mine]


class Ledger(RuleBasedStateMachine):
    """Two groups, three members, schedules and drops, restarts, kills and a clock that is set."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.paper = {group: Paper() for group in GROUPS}
        self.zones: dict[str, str] = {}
        self.drops: list[int] = []  # all that were ever claimed
        self.closed: set[int] = set()
        self.seed = 0
        self.stop: Callable[[], bool] | None = None
        self.open()

    def open(self) -> None:
        self.store = Store(Path(self.folder.name) / "quizdrop.db")
        self.store.db.execute("PRAGMA synchronous = OFF")  # no power cut here, and much faster
        self.tutor = Tutor(self.store, [make_deck(*MANY)])

    def teardown(self) -> None:
        self.tutor.close()
        self.folder.cleanup()

    # What the rules below have in common

    def do(self, use_case: Callable[[], T]) -> T:
        """Let the tutor write, and stop SQLite in the middle of it when a kill is due."""
        connection = self.store.db.conn
        connection.set_progress_handler(self.stop, 4)
        try:
            return use_case()
        finally:
            connection.set_progress_handler(None, 0)

    def drop(self, number: int) -> Drop:
        """One of the latest drops."""
        return self.read(self.drops[-1 - number % min(6, len(self.drops))])

    def read(self, drop: int) -> Drop:
        return self.tutor.posting.tally(drop).drop

    def local_date(self, group: str) -> date:
        return self.now.astimezone(ZoneInfo(self.zones[group])).date()

    def post(self, drop: Drop) -> None:
        state = self.read(drop.id).state
        self.do(lambda: self.tutor.posting.posted(drop.id, f"m{drop.id}", self.now))
        if state is DropState.CLAIMED:
            self.paper[drop.group].post(drop.id, self.local_date(drop.group))

    def close(self) -> None:
        """Every posted drop whose time is up has closed for good."""
        self.closed |= {
            drop
            for drop in self.drops
            for found in [self.read(drop)]
            if found.state is not DropState.CLAIMED and self.now >= found.closes_at
        }

    def due(self, confirmed: bool = True) -> None:
        self.seed += 1
        work = self.do(lambda: self.tutor.posting.due(self.now, self.seed))
        self.close()
        self.drops += [drop.id for drop in work.post]
        for drop in [*work.post, *work.settle] if confirmed else []:
            self.post(drop)

    def by_hand(self, group: str, minutes: int, zone: str | None = None) -> Drop:
        self.seed += 1
        self.zones[group] = zone or self.zones.get(group) or ZONES[0]
        terms = Terms(deck="sample", room="1", open_minutes=minutes)
        drop = self.tutor.posting.by_hand(
            group, terms, zone=self.zones[group], now=self.now, seed=self.seed
        )
        self.drops.append(drop.id)
        return drop

    def press(self, drop: Drop, member: str, position: int) -> None:
        """A press, and what the rules say of it: the first one counts while the drop is open."""
        paper = self.paper[drop.group]
        before = drop.id in paper.answered.get(member, set())
        if drop.state is DropState.VOIDED:
            expected: type[QuizError] | None = DropVoided
        elif drop.state is DropState.MISSED or (not self.is_open(drop) and not before):
            expected = DropClosed
        else:
            expected = None
        outcome = None
        with pytest.raises(expected) if expected else nullcontext():
            outcome = self.do(
                lambda: self.tutor.answering.press(
                    drop.id, position, member, f"m{drop.id}", self.now
                )
            )
        if outcome is None:
            return
        assert outcome.new is not before
        if drop.state is DropState.CLAIMED:
            paper.post(drop.id, self.local_date(drop.group))
        paper.answered.setdefault(member, set()).add(drop.id)
        assert outcome.streak == self.stands(drop.group, member)

    def is_open(self, drop: Drop) -> bool:
        return drop.id not in self.closed and self.now < drop.closes_at

    def stands(self, group: str, member: str) -> Streak:
        """A member's streak as the paper has it now."""
        days = self.paper[group].days
        newest = [self.read(drop) for drop in days[-1][1]] if days else []
        return self.paper[group].streak(member, any(map(self.is_open, newest)))

    def void(self, drop: Drop) -> None:
        self.do(lambda: self.tutor.voiding.void(drop.group, drop.number, self.now))
        self.paper[drop.group].void(drop.id)

    # What happens

    @initialize(start=st.sampled_from(STARTS), zone=st.sampled_from(ZONES))
    def begin(self, start: datetime, zone: str) -> None:
        self.now = start
        self.by_hand(GROUPS[0], 60, zone)

    @rule(
        group=st.sampled_from(GROUPS),
        times=st.sampled_from(["0:00", "1:30, 2:30", "2:00, 3:30, 23:59", "8:00, 20:00"]),
        days=st.sampled_from(["every day", "weekdays", "Fri, Sun"]),
        minutes=st.sampled_from([1, 60, 1440, 4320]),
        zone=st.sampled_from(ZONES),
    )
    def add_schedule(self, group: str, times: str, days: str, minutes: int, zone: str) -> None:
        terms = Terms(deck="sample", room="1", open_minutes=minutes)
        self.tutor.timetable.add(group, terms, times=times, days=days, zone=zone, now=self.now)
        self.zones[group] = zone

    @rule(group=st.sampled_from(GROUPS), number=st.integers(1, 4),
          what=st.sampled_from(["pause", "resume", "remove"]))  # fmt: skip
    def change_schedule(self, group: str, number: int, what: str) -> None:
        if number not in [schedule.id for schedule in self.tutor.timetable.schedules(group)]:
            return
        if what == "resume":
            self.tutor.timetable.resume(group, number, self.now)
        elif what == "pause":
            self.tutor.timetable.pause(group, number)
        else:
            self.tutor.timetable.remove(group, number)

    @rule(hours=st.sampled_from([0.1, 1, 5, 23, 24, 25]), confirmed=st.booleans())
    def time_passes(self, hours: float, confirmed: bool) -> None:
        self.now += timedelta(hours=hours)
        self.due(confirmed)

    @rule(days=st.integers(1, 4))
    def the_bot_is_down(self, days: int) -> None:
        self.now += timedelta(days=days, hours=1)
        self.due()

    @rule(days=st.integers(1, 9), who=st.sets(st.sampled_from(MEMBERS), min_size=1),
          group=st.sampled_from(GROUPS))  # fmt: skip
    def days_go_by(self, days: int, who: set[str], group: str) -> None:
        for _ in range(days):
            drop = self.by_hand(group, 60)
            self.post(drop)
            for member in sorted(who):
                self.press(self.read(drop.id), member, 0)
            self.now += timedelta(days=1)
            self.due()

    @rule(days=st.integers(1, 2), member=st.sampled_from(MEMBERS), group=st.sampled_from(GROUPS))
    def somebody_answers_an_older_drop_last(self, days: int, member: str, group: str) -> None:
        long_open = self.by_hand(group, 4320)
        self.post(long_open)
        self.now += timedelta(days=1)
        self.days_go_by(days, {member}, group)
        self.press(self.read(long_open.id), member, 1)

    @rule(by=st.sampled_from([-49, -25, -1, 1, 24]))
    def the_clock_is_set(self, by: int) -> None:
        self.now += timedelta(hours=by)

    @rule(group=st.sampled_from(GROUPS), minutes=st.sampled_from([60, 4320]),
          zone=st.sampled_from([None, *ZONES]), posted=st.booleans())  # fmt: skip
    def drop_by_hand(self, group: str, minutes: int, zone: str | None, posted: bool) -> None:
        drop = self.by_hand(group, minutes, zone)
        if posted:
            self.post(drop)

    @rule(number=st.integers(0, 5), member=st.sampled_from(MEMBERS), position=st.integers(0, 3),
          twice=st.booleans())  # fmt: skip
    def somebody_presses(self, number: int, member: str, position: int, twice: bool) -> None:
        drop = self.drop(number)
        self.press(drop, member, position)
        if twice:
            self.press(self.read(drop.id), member, (position + 1) % 4)

    @rule(number=st.integers(0, 5), posted=st.booleans())
    def a_claim_is_settled(self, number: int, posted: bool) -> None:
        drop = self.drop(number)
        if posted and drop.state is not DropState.MISSED:
            self.post(drop)
        elif not posted:
            self.tutor.posting.missed(drop.id, "no room")

    @rule(number=st.integers(0, 5))
    def a_drop_is_revealed(self, number: int) -> None:
        self.tutor.posting.revealed(self.drop(number).id)

    @rule(number=st.integers(0, 5))
    def a_drop_is_taken_back(self, number: int) -> None:
        drop = self.drop(number)
        try:
            self.void(drop)
        except CannotVoid:
            assert drop.state is DropState.MISSED

    @rule()
    def restart(self) -> None:
        self.tutor.close()
        self.open()

    @rule(after=st.integers(1, 120), what=st.sampled_from(["press", "void", "due", "post"]),
          number=st.integers(0, 5), member=st.sampled_from(MEMBERS))  # fmt: skip
    def killed_in_the_middle(self, after: int, what: str, number: int, member: str) -> None:
        drop = self.drop(number)
        if drop.state is DropState.MISSED:
            return
        steps: dict[str, Callable[[], Any]] = {
            "press": lambda: self.press(drop, member, 0),
            "void": lambda: self.void(drop),
            "due": lambda: self.due(confirmed=False),
            "post": lambda: self.post(drop),
        }
        left = [after]

        def stop() -> bool:
            left[0] -= 1
            return left[0] == 0

        self.stop = stop
        with suppress(sqlite3.OperationalError):  # interrupted: its transaction never was
            steps[what]()
        self.stop = None
        # No ceremony: another connection finds the file as the dead one left it.
        dead, library = self.store, self.tutor.library
        if not dead.db.conn.in_transaction:  # else it was stopped right after it began one
            dead.db.conn.execute("BEGIN IMMEDIATE")
        dead.db.conn.execute("DELETE FROM answers")
        dead.db.conn.execute("UPDATE streaks SET length = 0")
        dead.close()
        library.close()
        self.open()

    # What holds after each step

    @invariant()
    @precondition(lambda self: self.drops)
    def what_is_stored_is_what_a_rebuild_gives(self) -> None:
        assert self.tutor.ledger.differences() == []

    @invariant()
    @precondition(lambda self: self.drops)
    def days_have_no_gaps_and_are_those_on_paper(self) -> None:
        for group, paper in self.paper.items():
            rows = self.store.db.conn.execute(
                "SELECT number, date FROM days WHERE group_id = ? ORDER BY number", [group]
            ).fetchall()
            assert [number for number, _ in rows] == list(range(1, len(rows) + 1))
            assert all(earlier < later for (_, earlier), (_, later) in pairwise(rows))
            assert [day for _, day in rows] == [day.isoformat() for day, _ in paper.days]
            stand = self.store.db.conn.execute(
                "SELECT id, day FROM drops WHERE group_id = ? AND day IS NOT NULL", [group]
            ).fetchall()
            assert dict(stand) == {
                drop: number for number, (_, drops) in enumerate(paper.days, 1) for drop in drops
            }

    @invariant()
    @precondition(lambda self: self.drops)
    def every_streak_is_the_one_on_paper(self) -> None:
        for group, paper in self.paper.items():
            stored = answers.streaks(self.store.db, group)
            board = {each.member: each for each in self.tutor.boards.board(group, self.now)}
            for member in MEMBERS:
                stands = self.stands(group, member)
                standing = self.tutor.boards.standing(group, member, self.now)
                assert standing.streak == stands
                counted = paper.answered.get(member, set()) & {
                    drop for _, drops in paper.days for drop in drops
                }
                assert standing.answered == len(counted)
                assert (member in board) == bool(counted)
                assert board.get(member, standing) == standing
                row = stored.get(member, Streak())
                assert (row.kept, row.last_day, row.best) == (
                    stands.kept,
                    stands.last_day,
                    stands.best,
                )

    @invariant()
    @precondition(lambda self: self.drops)
    def every_history_adds_up(self) -> None:
        for group, paper in self.paper.items():
            for member in MEMBERS:
                why = self.tutor.boards.why(group, member, self.now, most=10_000)
                kept = paper.dates(member)
                if why is None:
                    assert kept == []
                    continue
                marks = [day.mark for day in why.days]
                assert [day.date for day in why.days if day.mark is Mark.KEPT] == kept[::-1]
                assert len(marks) == len(paper.kept(member))
                alive = marks[: marks.index(Mark.MISSED)] if Mark.MISSED in marks else marks
                assert alive.count(Mark.KEPT) == why.streak.length
                assert why.streak == self.stands(group, member)
                assert why.earlier == 0


Ledger.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestLedger = Ledger.TestCase
