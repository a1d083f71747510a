"""Stock, pure: how long the questions last that a group has not been asked in this round."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from bank.models import Schedule
from bank.slots import next_slots


def due_in_a_week(schedules: Iterable[Schedule]) -> int:
    """How many questions these schedules ask for in seven days, whenever those begin."""
    return sum(len(each.times) * len(each.weekdays) for each in schedules)


def days_left(left: int, schedules: Iterable[Schedule]) -> int | None:
    """About how many days `left` questions last; None where nothing is left, or nothing is due."""
    weekly = due_in_a_week(schedules)
    return max(1, round(left * 7 / weekly)) if left and weekly else None


def first_repeat(left: int, schedules: Collection[Schedule], now: datetime) -> datetime:
    """The slot after `now`, in UTC, for which `left` questions leave none that is new.

    At least one schedule is needed. Raises UnknownZone.
    """
    slots = (slot for each in schedules for slot in next_slots(each, now, left + 1))
    return sorted(slots)[left]
