"""Streaks, pure: one step of a streak, how it stands today, a rebuild from scratch, its history.

Question days carry a running number per group, so a gap between two numbers is exactly the
question days that were missed: outages and days off have no number and cost nobody anything.

- A kept day adds one to the streak and to the run towards a freeze.
- Seven days kept in a row earn a freeze; two at most are held.
- A missed day spends a freeze and adds nothing; without one the streak ends.
- Days before a member's first kept day do not exist.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from bank.models import Mark, Streak

DAYS_PER_FREEZE = 7
MOST_FREEZES = 2


def keep(streak: Streak, day: int) -> Streak:
    """The streak after keeping question day `day`, which must not lie before its last day."""
    if day == streak.last_day:
        return streak
    if day < streak.last_day:
        raise ValueError(f"day {day} lies before day {streak.last_day}: rebuild instead")
    settled = miss(streak, day - streak.last_day - 1)
    length, run = settled.length + 1, settled.run + 1
    earned = run == DAYS_PER_FREEZE
    return Streak(
        length=length,
        best=max(settled.best, length),
        freezes=min(MOST_FREEZES, settled.freezes + earned),
        run=0 if earned else run,
        last_day=day,
        kept=settled.kept + 1,
    )


def miss(streak: Streak, days: int) -> Streak:
    """The streak after `days` missed question days in a row."""
    if days <= 0:
        return streak
    survives = days <= streak.freezes
    return streak.model_copy(
        update={
            "length": streak.length if survives else 0,
            "freezes": max(0, streak.freezes - days),
            "run": 0,
        }
    )


def standing(streak: Streak, newest_day: int, newest_is_open: bool) -> Streak:
    """How the streak stands: every day since its last one is missed, but not a day still open."""
    return miss(streak, newest_day - newest_is_open - streak.last_day)


def days_to_freeze(streak: Streak) -> int | None:
    """How many more days in a row earn a freeze; None while as many are held as may be."""
    return None if streak.freezes == MOST_FREEZES else DAYS_PER_FREEZE - streak.run


def rebuild(kept_days: Iterable[int]) -> Streak:
    """The streak of a member who kept these question days, in any order, from nothing."""
    return reduce(keep, sorted(set(kept_days)), Streak())


def history(
    kept_days: Iterable[int], newest_day: int, newest_is_open: bool
) -> list[tuple[int, Mark]]:
    """What became of each question day from a member's first one on, oldest first.

    The days kept after the last missed one are as many as the streak that `standing` gives.
    """
    streak = Streak()
    marked: list[tuple[int, Mark]] = []
    for day in sorted(set(kept_days)):
        marked += _between(streak, day)
        streak = keep(streak, day)
        marked.append((day, Mark.KEPT))
    open_day = newest_is_open and 0 < streak.last_day < newest_day
    marked += _between(streak, newest_day + (not open_day))
    return [*marked, (newest_day, Mark.OPEN)] if open_day else marked


def _between(streak: Streak, until: int) -> list[tuple[int, Mark]]:
    """The days after a streak's last one and before `until`: freezes go to the first of them."""
    if not streak.last_day:
        return []
    return [
        (day, Mark.FROZEN if place < streak.freezes else Mark.MISSED)
        for place, day in enumerate(range(streak.last_day + 1, until))
    ]
