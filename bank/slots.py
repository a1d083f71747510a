"""Slots, pure: from a schedule's wall-clock rules to instants. It never asks what time it is.

The rules, after RFC 5545 section 3.3.10 as PEP 495's fold 0 gives them:

- one slot for each listed local date and time;
- a time that the clock skips takes the offset from before the gap, so 02:30 becomes 03:30;
- a time that occurs twice means the first;
- slots are strictly increasing: two listed times that fall on one instant (02:30 and 03:30 in
  the night of a gap) make one slot, for a room gets one drop at one instant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

from bank.errors import UnknownZone
from bank.models import Schedule

_DAY = timedelta(days=1)
# A local date's slots lie within two days of that date in UTC: offsets stay under 26 hours.
_MARGIN = 2 * _DAY
_WINDOW = 8 * _DAY


def zone_of(name: str) -> ZoneInfo:
    """The IANA zone of that name, in any case; UnknownZone when there is none."""
    known = _zones().get(name.strip().casefold())
    if known is None:
        raise UnknownZone(name)
    return ZoneInfo(known)


def zone_names() -> tuple[str, ...]:
    """Every IANA zone name, sorted."""
    return tuple(sorted(_zones().values()))


@lru_cache(maxsize=1)
def _zones() -> dict[str, str]:
    return {name.casefold(): name for name in available_timezones() if name != "localtime"}


def slot_at(day: date, at: time, zone: ZoneInfo) -> datetime:
    """The instant, in UTC, of a local date and time."""
    return datetime.combine(day, at, tzinfo=zone).replace(fold=0).astimezone(UTC)


def wall_of(slot: datetime, zone: str) -> str:
    """A slot as the group's wall clock shows it, with its zone: one slot has one."""
    return f"{slot.astimezone(zone_of(zone)):%Y-%m-%dT%H:%M} {zone}"


def slots_between(schedule: Schedule, after: datetime, until: datetime) -> list[datetime]:
    """The slots in (after, until], in UTC, strictly increasing. Raises UnknownZone."""
    zone = zone_of(schedule.zone)
    instants = {
        slot_at(day, at, zone)
        for day in _dates((after - _MARGIN).date(), (until + _MARGIN).date())
        if day.weekday() in schedule.weekdays
        for at in schedule.times
    }
    return sorted(instant for instant in instants if after < instant <= until)


def next_slots(schedule: Schedule, after: datetime, count: int) -> list[datetime]:
    """The first `count` slots after an instant, in UTC, strictly increasing."""
    return list(islice(_slots_from(schedule, after), count))


def next_slot(schedule: Schedule, after: datetime) -> datetime:
    """The first slot after an instant, in UTC. A schedule lists at least one weekday and time."""
    return next(_slots_from(schedule, after))


def _slots_from(schedule: Schedule, after: datetime) -> Iterator[datetime]:
    while True:
        until = after + _WINDOW
        yield from slots_between(schedule, after, until)
        after = until


def _dates(first: date, last: date) -> Iterable[date]:
    return (first + n * _DAY for n in range((last - first).days + 1))
