"""Counting: a member's standing and how it came about, a group's board, a deck's use."""

from __future__ import annotations

from datetime import datetime

from sqlite_utils import Database

from bank.library import Library
from bank.models import Deck, DeckUse, Mark, MarkedDay, Schedule, Standing, Streak, Why
from bank.slots import zone_of
from bank.stock import days_left
from bank.store import Store, answers, drops, retired, schedules
from bank.streaks import history, standing
from bank.tutor.stock import left_of


class Boards:
    def __init__(self, store: Store, library: Library) -> None:
        self._store = store
        self._library = library

    def standing(self, group: str, member: str, now: datetime) -> Standing:
        """A member's streak as it stands now, and their answers in this group."""
        return self._standings(group, now, member).get(
            member, Standing(member=member, streak=Streak(), answered=0)
        )

    def why(self, group: str, member: str, now: datetime, most: int = 14) -> Why | None:
        """A member's last question days and what became of each; None before their first one."""
        with self._store.reading() as db:
            kept = answers.kept_days(db, group, member)
            zone, dates = schedules.zone_of_group(db, group), drops.dates(db, group)
            newest = max(dates, default=0)
            is_open = drops.day_is_open(db, group, newest, now)
            stored = answers.streak(db, group, member)
        if not kept or zone is None:
            return None
        marked = history(kept, newest, is_open)[-most:]
        shown = [MarkedDay(date=dates[day], mark=mark) for day, mark in marked]
        streak = standing(stored, newest, is_open)
        return Why(
            days=tuple(reversed(shown)),
            streak=streak,
            earlier=max(0, streak.length - sum(day.mark is Mark.KEPT for day in shown)),
            today=now.astimezone(zone_of(zone)).date(),
        )

    def board(self, group: str, now: datetime, limit: int = 10) -> list[Standing]:
        """The group's members by streak, then days kept, then right answers."""
        ranked = sorted(
            self._standings(group, now).values(),
            key=lambda s: (-s.streak.length, -s.streak.kept, -s.right, s.member),
        )
        return ranked[:limit]

    def decks(self, group: str) -> list[DeckUse]:
        """The group's decks: how many of their questions it has had, has left and has retired."""
        with self._store.reading() as db:
            running = [each for each in schedules.of_group(db, group) if not each.paused]
            return [_use(db, deck, group, running) for deck in self._library.decks_of(group)]

    def _standings(
        self, group: str, now: datetime, member: str | None = None
    ) -> dict[str, Standing]:
        with self._store.reading() as db:
            newest = drops.newest_day(db, group)
            day = newest[0] if newest else 0
            is_open = drops.day_is_open(db, group, day, now)
            stored = (
                {member: answers.streak(db, group, member)}
                if member
                else answers.streaks(db, group)
            )
            scores = answers.scores(db, group, now, member)
        return {
            each: Standing(
                member=each,
                streak=standing(stored[each], day, is_open),
                **score._asdict(),
            )
            for each, score in scores.items()
            if each in stored
        }


def _use(db: Database, deck: Deck, group: str, running: list[Schedule]) -> DeckUse:
    asked = set(drops.asked(db, group, deck.name))
    out = set(retired.of_group(db, group))
    left = left_of(db, deck, group)
    return DeckUse(
        deck=deck,
        asked=sum(question.id in asked for question in deck.questions),
        left=left,
        days=days_left(left, [each for each in running if each.deck == deck.name]),
        retired=sum(question.id in out for question in deck.questions),
    )
