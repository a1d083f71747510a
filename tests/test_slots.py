"""Slots are wall-clock, in every IANA zone and at every clock change from 2025 to 2032.

What is right is found by watching a clock on a wall, a quarter of an hour at a time, never by the
arithmetic under test.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.errors import UnknownZone
from bank.models import Explain, Schedule
from bank.slots import next_slot, next_slots, slots_between, zone_names, zone_of

FIRST, LAST = datetime(2025, 1, 1, tzinfo=UTC), datetime(2033, 1, 1, tzinfo=UTC)
MILLISECOND, MINUTE = timedelta(milliseconds=1), timedelta(minutes=1)
QUARTER, DAY = timedelta(minutes=15), timedelta(days=1)
MON, TUE, WED, THU, FRI, SAT, SUN = EVERY_DAY = tuple(range(7))
USUAL_TIMES = (time(0), time(0, 30), time(1, 30), time(2, 30), time(3), time(12))
ZONES = tuple(sorted(available_timezones() - {"localtime"}))


class Moment(NamedTuple):
    """An instant worth looking at in a zone: the first of a new offset, or any other."""

    zone: ZoneInfo
    at: datetime


def wall(instant: datetime, zone: ZoneInfo) -> datetime:
    """The face of a clock on a wall of the zone, without an offset."""
    return instant.astimezone(zone).replace(tzinfo=None)


@cache
def clock_changes() -> tuple[Moment, ...]:
    """Every clock change of every zone, to the quarter of an hour on which all of them happen."""
    steps = [FIRST + n * 2 * DAY for n in range((LAST - FIRST) // (2 * DAY))]
    return tuple(
        Moment(zone, _first_after_change(zone, early))
        for zone in map(ZoneInfo, ZONES)
        for (early, before), (_, after) in pairwise((step, _offset(step, zone)) for step in steps)
        if before != after
    )


def _offset(instant: datetime, zone: ZoneInfo) -> timedelta | None:
    return instant.astimezone(zone).utcoffset()


def _first_after_change(zone: ZoneInfo, early: datetime) -> datetime:
    before = _offset(early, zone)
    quarters = range(2 * DAY // QUARTER)
    changed = bisect_right(
        quarters, False, key=lambda n: _offset(early + n * QUARTER, zone) != before
    )
    change = early + changed * QUARTER
    assert _offset(change - MINUTE, zone) == before, f"{zone} changes off the quarter, {change}"
    return change


class WatchedClock:
    """A clock on a wall, watched quarter by quarter through some local days."""

    def __init__(self, zone: ZoneInfo, days: Sequence[date]) -> None:
        # Local midnight lies within a day of midnight in UTC.
        first = datetime.combine(days[0], time(), tzinfo=UTC) - DAY
        self._first_shown: dict[datetime, datetime] = {}
        for quarter in range((len(days) + 2) * DAY // QUARTER):
            instant = first + quarter * QUARTER
            self._first_shown.setdefault(wall(instant, zone), instant)
        self._faces = list(self._first_shown)  # ascending: a face seen again is not put in again

    def first_shows(self, face: datetime) -> datetime:
        """When the clock first shows a face. For a face that it skips, when a clock that nobody
        puts forward would show it: counted on from the last quarter before the gap.
        """
        before = self._faces[bisect_right(self._faces, face) - 1]
        return self._first_shown[before] + (face - before)


def make_schedule(
    zone: str, times: Iterable[time | str], weekdays: Iterable[int] = EVERY_DAY
) -> Schedule:
    return Schedule(
        id=1,
        group="4001",
        zone=zone,
        deck="sample",
        room="4002",
        times=tuple(time.fromisoformat(at) if isinstance(at, str) else at for at in times),
        weekdays=tuple(weekdays),
        open_minutes=60,
        explain=Explain.NOW,
        settled_until=FIRST,
    )


def right_slots(
    zone: ZoneInfo, days: Sequence[date], times: Iterable[time], weekdays: Iterable[int] = EVERY_DAY
) -> list[datetime]:
    """The instants of the listed times on the listed ones of these days in a row; two times that
    coincide are one slot.
    """
    clock = WatchedClock(zone, days)
    listed = [day for day in days if day.weekday() in weekdays]
    return sorted({clock.first_shows(datetime.combine(day, at)) for day in listed for at in times})


def local(slots: Iterable[datetime], zone: str) -> list[str]:
    """Slots as a member would write them down, with the offset."""
    return [slot.astimezone(ZoneInfo(zone)).isoformat(timespec="minutes") for slot in slots]


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


# --- every zone, every clock change -------------------------------------------------------------


def test_every_kind_of_clock_change_is_under_test() -> None:
    """Guards the tests below: they prove nothing if the changes were not found."""
    found = {
        (change.zone.key, str(change.at.astimezone(change.zone))) for change in clock_changes()
    }
    assert {
        ("America/New_York", "2027-03-14 03:00:00-04:00"),
        ("America/New_York", "2027-11-07 01:00:00-05:00"),
        ("Australia/Lord_Howe", "2026-04-05 01:30:00+10:30"),
        ("Antarctica/Troll", "2028-03-26 03:00:00+02:00"),
        ("America/Nuuk", "2026-03-29 00:00:00-01:00"),
    } <= found
    assert len(clock_changes()) > 3000


def test_each_listed_time_around_every_clock_change_becomes_its_one_right_instant() -> None:
    """In every zone; one that never changes its clock is tried in January and in July."""
    changing = {change.zone.key for change in clock_changes()}
    calm = [
        Moment(ZoneInfo(name), datetime(2026, month, 15, 12, tzinfo=UTC))
        for name in ZONES
        if name not in changing
        for month in (1, 7)
    ]
    wrong = []
    for zone, moment in (*clock_changes(), *calm):
        old, new = wall(moment - MINUTE, zone), wall(moment, zone)
        edges = (old - QUARTER, old, old + MINUTE, old + QUARTER, new - MINUTE, new, new + QUARTER)
        times = (*USUAL_TIMES, *(edge.time() for edge in edges))
        days = [new.date() + n * DAY for n in (-1, 0, 1)]
        # These three weekdays come once within three days of the middle one, so no other day does.
        schedule = make_schedule(zone.key, times, [day.weekday() for day in days])
        found = slots_between(schedule, moment - 3 * DAY, moment + 3 * DAY)
        if found != right_slots(zone, days, times):
            wrong.append((zone.key, str(new)))
    assert wrong == []


@st.composite
def moments(draw: st.DrawFn) -> Moment:
    """An instant near a clock change, or any instant in any zone."""
    minutes = timedelta(minutes=draw(st.integers(-2 * 24 * 60, 2 * 24 * 60)))
    if draw(st.booleans()):
        change = draw(st.sampled_from(clock_changes()))
        return Moment(change.zone, change.at + minutes)
    day = draw(st.integers(0, (LAST - FIRST).days))
    return Moment(ZoneInfo(draw(st.sampled_from(ZONES))), FIRST + day * DAY + minutes)


WALL_TIMES = st.one_of(
    st.builds(time, st.integers(0, 3), st.sampled_from((0, 15, 30, 45, 59))),
    st.builds(time, st.integers(0, 23), st.integers(0, 59)),
)
SOME_TIMES = st.lists(WALL_TIMES, min_size=1, max_size=6)
SOME_DAYS = st.sets(st.sampled_from(EVERY_DAY), min_size=1)


@settings(max_examples=250, deadline=None)
@given(moments(), SOME_TIMES, SOME_DAYS)
def test_one_slot_for_each_listed_local_date_and_time_of_any_schedule(
    moment: Moment, times: list[time], weekdays: set[int]
) -> None:
    zone, middle = moment
    days = [wall(middle, zone).date() + n * DAY for n in range(-3, 4)]
    right = right_slots(zone, days, times, weekdays)
    after, until = middle - 2 * DAY, middle + 2 * DAY
    found = slots_between(make_schedule(zone.key, times, weekdays), after, until)
    assert found == [slot for slot in right if after < slot <= until]


@settings(max_examples=100, deadline=None)
@given(moments(), SOME_TIMES, SOME_DAYS)
def test_slots_are_in_utc_and_strictly_increasing(
    moment: Moment, times: list[time], weekdays: set[int]
) -> None:
    schedule = make_schedule(moment.zone.key, times, weekdays)
    found = slots_between(schedule, moment.at - 10 * DAY, moment.at + 10 * DAY)
    assert {slot.tzinfo for slot in found} <= {UTC}
    assert all(earlier < later for earlier, later in pairwise(found))
    assert found, "twenty days hold every weekday"


@settings(max_examples=100, deadline=None)
@given(moments(), SOME_TIMES, SOME_DAYS, st.data())
def test_no_slot_is_lost_or_doubled_where_two_windows_meet(
    moment: Moment, times: list[time], weekdays: set[int], data: st.DataObject
) -> None:
    # PieInTheSky-Inc/YaDc#69
    schedule = make_schedule(moment.zone.key, times, weekdays)
    start, end = moment.at - 9 * DAY, moment.at + 9 * DAY
    whole = slots_between(schedule, start, end)
    anywhere = st.integers(0, 18 * 24 * 60).map(lambda minutes: start + minutes * MINUTE)
    on_a_slot = st.sampled_from(whole)
    cuts = data.draw(st.sets(st.one_of(anywhere, on_a_slot), max_size=8))
    edges = sorted({start, *cuts, end})
    pieces = [slots_between(schedule, after, until) for after, until in pairwise(edges)]
    assert [slot for piece in pieces for slot in piece] == whole


@settings(max_examples=100, deadline=None)
@given(moments(), SOME_TIMES, SOME_DAYS, st.integers(1, 30))
def test_the_next_slots_are_those_of_the_window_that_ends_with_the_last_of_them(
    moment: Moment, times: list[time], weekdays: set[int], count: int
) -> None:
    schedule = make_schedule(moment.zone.key, times, weekdays)
    found = next_slots(schedule, moment.at, count)
    assert len(found) == count
    assert found == slots_between(schedule, moment.at, found[-1])
    assert next_slot(schedule, moment.at) == found[0]


@settings(max_examples=100, deadline=None)
@given(moments(), SOME_TIMES, SOME_DAYS, st.integers(1, 999))
def test_waking_some_milliseconds_early_finds_the_same_slot_and_then_a_later_one(
    moment: Moment, times: list[time], weekdays: set[int], early: int
) -> None:
    # DisnakeDev/disnake#585
    schedule = make_schedule(moment.zone.key, times, weekdays)
    slot = next_slot(schedule, moment.at)
    woken = slot - early * MILLISECOND
    assert next_slot(schedule, woken) == slot
    assert slots_between(schedule, woken, slot) == [slot]
    assert next_slot(schedule, slot) > slot


@pytest.mark.parametrize("zone", ["Etc/GMT+12", "Etc/GMT-14", "Europe/Berlin"])
@pytest.mark.parametrize("written_in", ["Etc/GMT+12", "Etc/GMT-14"])
def test_the_zone_in_which_a_window_is_written_loses_no_slot(zone: str, written_in: str) -> None:
    """Between the westernmost and the easternmost zone the date differs by up to two days."""
    schedule = make_schedule(zone, [time(hour, 30) for hour in range(24)])
    hours = [FIRST.astimezone(ZoneInfo(written_in)) + n * timedelta(hours=1) for n in range(48)]
    assert [slots_between(schedule, *edges) for edges in pairwise(hours)] == [
        [hour + 30 * MINUTE] for hour in hours[:-1]
    ]


def test_a_schedule_of_every_minute_has_a_slot_every_minute_for_weeks() -> None:
    schedule = make_schedule("UTC", [time(hour, n) for hour in range(24) for n in range(60)])
    found = next_slots(schedule, FIRST, 20 * 24 * 60)
    assert found == [FIRST + n * MINUTE for n in range(1, 20 * 24 * 60 + 1)]


# --- the known traps, as they were reported -----------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "after", "right"),
    [
        # agronholm/apscheduler#606: a midnight job skips a day
        ("00:00", "2027-03-13T12:00-05:00", ["2027-03-14T00:00-05:00", "2027-03-15T00:00-04:00"]),
        # jiwidi/DailyQwertee#2: the repeated hour fires twice
        ("01:30", "2027-11-06T12:00-04:00", ["2027-11-07T01:30-04:00", "2027-11-08T01:30-05:00"]),
        ("02:30", "2027-03-13T12:00-05:00", ["2027-03-14T03:30-04:00", "2027-03-15T02:30-04:00"]),
    ],
)
def test_new_york_keeps_its_wall_clock_through_both_changes(
    listed: str, after: str, right: list[str]
) -> None:
    schedule = make_schedule("America/New_York", [listed])
    assert local(next_slots(schedule, at(after), 2), "America/New_York") == right


def test_between_the_two_half_past_ones_the_next_one_is_tomorrows() -> None:
    # jiwidi/DailyQwertee#2: woken again in the repeated hour, the bot must not find it due again
    schedule = make_schedule("America/New_York", ["01:30"])
    second_time = at("2027-11-07T01:30-05:00")
    assert slots_between(schedule, second_time - MINUTE, second_time + MINUTE) == []
    assert local([next_slot(schedule, second_time)], "America/New_York") == [
        "2027-11-08T01:30-05:00"
    ]


def test_two_listed_times_that_fall_on_one_instant_make_one_slot() -> None:
    schedule = make_schedule("America/New_York", ["02:30", "03:30"])
    assert local(next_slots(schedule, at("2027-03-14T00:00-05:00"), 3), "America/New_York") == [
        "2027-03-14T03:30-04:00",
        "2027-03-15T02:30-04:00",
        "2027-03-15T03:30-04:00",
    ]


def test_a_skipped_time_may_come_after_a_time_that_is_listed_later() -> None:
    schedule = make_schedule("America/New_York", ["02:45", "03:15"])
    assert local(next_slots(schedule, at("2027-03-14T00:00-05:00"), 2), "America/New_York") == [
        "2027-03-14T03:15-04:00",
        "2027-03-14T03:45-04:00",
    ]


def test_a_time_that_is_listed_twice_makes_one_slot() -> None:
    # codinglab-io/discord-bot#91
    schedule = make_schedule("Europe/Berlin", ["08:00", "08:00"])
    assert len(slots_between(schedule, FIRST, FIRST + 10 * DAY)) == 10


def test_a_lesson_at_nine_stays_at_nine_all_year() -> None:
    # CubicrootXYZ/RemindMe#359
    year = slots_between(
        make_schedule("Europe/Berlin", ["09:00"]), at("2026-01-01T00:00"), at("2027-01-01T00:00")
    )
    berlin = ZoneInfo("Europe/Berlin")
    assert {wall(slot, berlin).time() for slot in year} == {time(9)}
    assert [wall(slot, berlin).date() for slot in year] == [
        date(2026, 1, 1) + n * DAY for n in range(365)
    ]
    assert {slot.hour for slot in year} == {7, 8}


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York", "Pacific/Kiritimati", "UTC"])
def test_a_date_that_changes_in_utc_makes_no_slot(zone: str) -> None:
    # PieInTheSky-Inc/YaDc#145
    schedule = make_schedule(zone, ["12:30"])
    midnights = [at("2026-01-01T00:00+00:00") + n * DAY for n in range(366)]
    assert [
        slots_between(schedule, midnight - MINUTE, midnight + MINUTE) for midnight in midnights
    ] == [[]] * 366
    assert [len(slots_between(schedule, *dates)) for dates in pairwise(midnights)] == [1] * 365


def test_tokyos_midnight_comes_once_a_day() -> None:
    # Rapptz/discord.py#7659
    schedule = make_schedule("Asia/Tokyo", ["00:00"])
    assert local(next_slots(schedule, at("2026-03-02T14:59:59+00:00"), 3), "UTC") == [
        "2026-03-02T15:00+00:00",
        "2026-03-03T15:00+00:00",
        "2026-03-04T15:00+00:00",
    ]


def test_a_quarter_zone_has_its_slots_on_the_quarter() -> None:
    schedule = make_schedule("Asia/Kathmandu", ["08:00"])
    assert next_slot(schedule, at("2026-03-02T00:00+00:00")) == at("2026-03-02T02:15+00:00")


@pytest.mark.parametrize(
    ("listed", "after", "right"),
    [
        ("02:15", "2026-10-03T12:00+10:30", ["2026-10-04T02:45+11:00", "2026-10-05T02:15+11:00"]),
        ("01:45", "2026-04-04T12:00+11:00", ["2026-04-05T01:45+11:00", "2026-04-06T01:45+10:30"]),
    ],
)
def test_lord_howe_shifts_its_clock_by_half_an_hour(
    listed: str, after: str, right: list[str]
) -> None:
    schedule = make_schedule("Australia/Lord_Howe", [listed])
    assert local(next_slots(schedule, at(after), 2), "Australia/Lord_Howe") == right


@pytest.mark.parametrize(
    ("zone", "weekday", "listed", "right"),
    [
        # UTC+13: Monday morning, while it is Sunday in UTC
        ("Pacific/Tongatapu", MON, "09:00", "2026-03-01T20:00+00:00"),
        # UTC-10: Monday evening, while it is Tuesday in UTC
        ("Pacific/Honolulu", MON, "20:00", "2026-03-03T06:00+00:00"),
    ],
)
def test_weekdays_are_local_days(zone: str, weekday: int, listed: str, right: str) -> None:
    schedule = make_schedule(zone, [listed], [weekday])
    first, second = next_slots(schedule, at("2026-02-28T12:00+00:00"), 2)
    assert first == at(right)
    assert second - first == 7 * DAY


def test_saturdays_skipped_last_hour_is_held_on_sunday_but_belongs_to_saturday() -> None:
    """In Nuuk the clock jumps from Saturday 23:00 to Sunday 00:00."""
    before = at("2026-03-28T12:00-02:00")
    saturdays = make_schedule("America/Nuuk", ["23:30"], [SAT])
    assert local(next_slots(saturdays, before, 2), "America/Nuuk") == [
        "2026-03-29T00:30-01:00",
        "2026-04-04T23:30-01:00",
    ]
    sundays = make_schedule("America/Nuuk", ["23:30"], [SUN])
    assert local([next_slot(sundays, before)], "America/Nuuk") == ["2026-03-29T23:30-01:00"]


def test_samoas_skipped_day_is_one_slot_and_not_two() -> None:
    """There 30 December 2011 was left out: its noon and the next day's are one instant."""
    schedule = make_schedule("Pacific/Apia", ["12:00"])
    assert local(next_slots(schedule, at("2011-12-29T00:00-10:00"), 3), "Pacific/Apia") == [
        "2011-12-29T12:00-10:00",
        "2011-12-31T12:00+14:00",
        "2012-01-01T12:00+14:00",
    ]


def test_a_window_leaves_out_its_start_and_holds_its_end() -> None:
    schedule = make_schedule("UTC", ["10:00"])
    monday = at("2026-03-02T10:00+00:00")
    assert slots_between(schedule, monday, monday + DAY) == [monday + DAY]
    assert slots_between(schedule, monday + DAY, monday) == []


# --- zone names ---------------------------------------------------------------------------------


@pytest.mark.parametrize("written", [str.lower, str.upper, str.swapcase, "  {}\n".format])
def test_every_iana_zone_is_known_however_it_is_written(written: Callable[[str], str]) -> None:
    assert {name: zone_of(written(name)).key for name in ZONES} == {name: name for name in ZONES}


def test_zone_names_lists_every_iana_zone_in_order() -> None:
    assert zone_names() == ZONES


@pytest.mark.parametrize(
    "name", ["Europe/Atlantis", "CEST", "UTC+2", "", "localtime", "../UTC", "/etc/localtime"]
)
def test_an_unknown_zone_is_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(UnknownZone) as refused:
        zone_of(name)
    assert refused.value.sentence == (
        f"“{name}” is not a time zone I know. Pick one from the list, such as Europe/Berlin."
    )


def test_a_schedule_in_an_unknown_zone_is_refused_not_moved_to_utc() -> None:
    schedule = make_schedule("Europe/Atlantis", ["08:00"])
    with pytest.raises(UnknownZone):
        slots_between(schedule, FIRST, FIRST + DAY)
    with pytest.raises(UnknownZone):
        next_slot(schedule, FIRST)
