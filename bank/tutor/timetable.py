"""A group's schedules: added, listed, previewed, paused, removed."""

from __future__ import annotations

import re
from datetime import datetime, time

from sqlite_utils import Database

from bank.errors import (
    AllRetired,
    BadTimes,
    DeckInUse,
    EmptyDeck,
    NoZone,
    UnknownSchedule,
    quoted,
)
from bank.library import Library
from bank.models import Deck, Place, Schedule, Terms
from bank.slots import next_slots, zone_of
from bank.store import Store, retired, schedules, troubles

MOST_TIMES = 48
LONGEST_OPEN = 7 * 24 * 60  # minutes

_TIME = re.compile(r"^([01]?\d|2[0-3])[:.h]([0-5]\d)$")
_DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NAMED_DAYS = {
    "every day": tuple(range(7)),
    "daily": tuple(range(7)),
    "weekdays": tuple(range(5)),
    "weekends": (5, 6),
}


def read_times(text: str) -> tuple[time, ...]:
    """“8:00, 18:30” -> the times, sorted, each once. Raises BadTimes."""
    found: set[time] = set()
    for part in filter(None, re.split(r"[,;\s]+", text.strip())):
        match = _TIME.match(part)
        if match is None:
            raise BadTimes(
                f"{quoted(part)} is not a time I can read. Write times as 08:00, or 08:00, 18:30."
            )
        found.add(time(int(match[1]), int(match[2])))
    if not found:
        raise BadTimes("Please name at least one time, such as 08:00.")
    if len(found) > MOST_TIMES:
        raise BadTimes(f"A schedule may have {MOST_TIMES} times a day at most.")
    return tuple(sorted(found))


def read_weekdays(text: str) -> tuple[int, ...]:
    """“every day”, “weekdays”, “Mon, Wed, Fri” -> weekday numbers, Monday is 0. Raises BadTimes."""
    wanted = text.strip().casefold()
    if wanted in _NAMED_DAYS:
        return _NAMED_DAYS[wanted]
    found: set[int] = set()
    for part in filter(None, re.split(r"[,;\s]+", wanted)):
        day = next((day for day, name in enumerate(_DAY_NAMES) if _is_day(part, name)), None)
        if day is None:
            raise BadTimes(
                f"{quoted(part)} is not a day I can read. "
                "Write “every day”, “weekdays” or “Mon, Wed, Fri”."
            )
        found.add(day)
    if not found:
        raise BadTimes("Please name at least one day, or “every day”.")
    return tuple(sorted(found))


def _is_day(part: str, name: str) -> bool:
    """“mon”, “monday” and what lies between, but no other word that begins so."""
    return len(part) >= 3 and name.startswith(part)


def check_terms(group: str, terms: Terms, library: Library) -> None:
    """See that a question can be dropped so in a group. Raises UnknownDeck, EmptyDeck, BadTimes."""
    if not library.deck(terms.deck, group).questions:
        raise EmptyDeck(terms.deck)
    if not 1 <= terms.open_minutes <= LONGEST_OPEN:
        raise BadTimes("A question may stay open from one minute to seven days.")


def _check_some_are_left(db: Database, group: str, deck: Deck) -> None:
    """See that the group has not retired all of a deck. Raises AllRetired."""
    if {question.id for question in deck.questions} <= set(retired.of_group(db, group)):
        raise AllRetired(deck.name)


def use_zone(db: Database, group: str, zone: str | None, now: datetime) -> None:
    """Give the group this zone, or see that it has one. Raises UnknownZone, NoZone.

    Another zone moves every schedule of the group; times that have passed there already were
    nobody's, so they are neither posted nor missed.
    """
    before = schedules.zone_of_group(db, group)
    name = zone_of(zone).key if zone else before
    if name is None:
        raise NoZone
    if name != before:
        schedules.set_zone(db, group, name)
        for schedule in schedules.of_group(db, group):
            schedules.settle(db, schedule.id, now)


class Timetable:
    def __init__(self, store: Store, library: Library) -> None:
        self._store = store
        self._library = library

    def zone(self, group: str) -> str | None:
        """The group's IANA zone, or None until it has named one."""
        with self._store.reading() as db:
            return schedules.zone_of_group(db, group)

    def add(
        self,
        group: str,
        terms: Terms,
        *,
        times: str,
        days: str,
        zone: str | None,
        now: datetime,
    ) -> Schedule:
        """A new schedule.

        Raises UnknownDeck, EmptyDeck, AllRetired, BadTimes, UnknownZone, NoZone; then nothing is
        stored.
        """
        check_terms(group, terms, self._library)
        wall_clock, weekdays = read_times(times), read_weekdays(days)
        with self._store.writing() as db:
            _check_some_are_left(db, group, self._library.deck(terms.deck, group))
            use_zone(db, group, zone, now)
            number = schedules.add(
                db, group, terms, times=wall_clock, weekdays=weekdays, settled_until=now
            )
            return self._schedule(db, group, number)

    def schedules(self, group: str) -> list[Schedule]:
        with self._store.reading() as db:
            return schedules.of_group(db, group)

    def preview(
        self, group: str, number: int, now: datetime, count: int = 14
    ) -> tuple[Schedule, list[datetime]]:
        """A schedule and its next `count` slots, in UTC. Raises UnknownSchedule."""
        with self._store.reading() as db:
            schedule = self._schedule(db, group, number)
        return schedule, next_slots(schedule, now, count)

    def pause(self, group: str, number: int) -> Schedule:
        """Let a schedule's slots pass unclaimed until it is resumed. Raises UnknownSchedule."""
        return self._set_paused(group, number, True, None)

    def resume(self, group: str, number: int, now: datetime) -> Schedule:
        """Go on with the first slot after `now`: what passed meanwhile was not missed."""
        return self._set_paused(group, number, False, now)

    def remove(self, group: str, number: int) -> Schedule:
        """Take a schedule away. Its open drops still close, and nothing of the past changes."""
        with self._store.writing() as db:
            schedule = self._schedule(db, group, number)
            schedules.remove(db, number)
            return schedule

    def check_unused(self, deck: str, group: str) -> None:
        """See that no schedule of the group draws from a deck. Raises DeckInUse."""
        with self._store.reading() as db:
            for schedule in schedules.of_group(db, group):
                if schedule.deck == deck:
                    raise DeckInUse(deck, schedule.id)

    def _set_paused(
        self, group: str, number: int, paused: bool, settled: datetime | None
    ) -> Schedule:
        with self._store.writing() as db:
            before = self._schedule(db, group, number)
            schedules.pause(db, number, paused)
            if settled is not None and before.paused:
                schedules.settle(db, number, settled)
                troubles.clear(db, group, Place.POST, str(number))
            return self._schedule(db, group, number)

    @staticmethod
    def _schedule(db: Database, group: str, number: int) -> Schedule:
        found = schedules.get(db, group, number)
        if found is None:
            raise UnknownSchedule(number)
        return found
