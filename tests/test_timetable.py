"""A group's schedules: what is read from a member's words, what is refused, pause and remove."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bank.errors import (
    BadTimes,
    EmptyDeck,
    NoZone,
    QuizError,
    UnknownDeck,
    UnknownSchedule,
    UnknownZone,
)
from bank.models import DropState, Explain
from bank.store import Store, schedules
from bank.tutor import Tutor
from bank.tutor.timetable import read_times, read_weekdays
from tests.conftest import OpenTutor
from tests.samples import GROUP, NOW, ROOM, add_schedule, key_position, make_deck, post_due, slot_on

OTHER_GROUP = "5001"
EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)


def missed_slots(database: Path, schedule: int) -> list[datetime]:
    with closing(Store(database)) as store, store.reading() as db:
        return schedules.missed(db, schedule)


# Reading times and days


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8:00", [time(8)]),
        ("08:00", [time(8)]),
        ("8.30", [time(8, 30)]),
        ("18h30", [time(18, 30)]),
        ("00:00", [time(0)]),
        ("23:59", [time(23, 59)]),
        ("18:30, 8:00", [time(8), time(18, 30)]),
        ("8:00 18:30", [time(8), time(18, 30)]),
        ("8:00;18:30", [time(8), time(18, 30)]),
        (" 8:00 ,\t9:00, ", [time(8), time(9)]),
        ("8:00, 08:00, 8.00", [time(8)]),
    ],
)
def test_times_are_read_sorted_and_each_once(text: str, expected: list[time]) -> None:
    assert read_times(text) == tuple(expected)


@pytest.mark.parametrize(
    "text",
    ["24:00", "8:60", "8", "8:5", "noon", "-8:00", "8:00am", "8:00Z", "8:00:00", "8:00-9:00"],
)
def test_a_time_that_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(BadTimes, match=f"“{text}” is not a time I can read"):
        read_times(f"7:00, {text}")


@pytest.mark.parametrize("text", ["", "  ", ",;"])
def test_no_time_at_all_is_refused(text: str) -> None:
    with pytest.raises(BadTimes, match="at least one time"):
        read_times(text)


def test_a_schedule_has_48_times_a_day_at_most() -> None:
    half_hours = [f"{hour}:{minute:02}" for hour in range(24) for minute in (0, 30)]
    assert len(read_times(" ".join(half_hours))) == 48
    with pytest.raises(BadTimes, match="48 times a day at most"):
        read_times(" ".join([*half_hours, "12:15"]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("every day", EVERY_DAY),
        ("Daily", EVERY_DAY),
        ("Weekdays", (0, 1, 2, 3, 4)),
        (" weekends ", (5, 6)),
        ("mon, Wed fri", (0, 2, 4)),
        ("Fri;Mon", (0, 4)),
        ("sun, sun", (6,)),
        ("Monday", (0,)),
        ("Tues, Thurs", (1, 3)),
        ("WEDNESDAY", (2,)),
        ("mon tue wed thu fri sat sun", EVERY_DAY),
    ],
)
def test_days_are_read_in_the_usual_spellings(text: str, expected: tuple[int, ...]) -> None:
    assert read_weekdays(text) == expected


@pytest.mark.parametrize("text", ["someday", "mo", "1", "every", "Montag-Freitag", "Lundi"])
def test_a_day_that_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(BadTimes, match=f"“{text.casefold()}” is not a day I can read"):
        read_weekdays(f"Tue, {text}")


@pytest.mark.parametrize("text", ["Mon-Fri", "Mon–Fri", "mon/wed", "monthly", "monkey", "friends"])
def test_a_word_that_only_begins_like_a_day_is_not_taken_for_that_day(text: str) -> None:
    with pytest.raises(BadTimes, match="is not a day I can read"):
        read_weekdays(text)


@pytest.mark.parametrize("text", ["", "  ", ","])
def test_no_day_at_all_is_refused(text: str) -> None:
    with pytest.raises(BadTimes, match="at least one day"):
        read_weekdays(text)


# Adding and listing


def test_a_schedule_is_listed_as_it_was_given_and_stays_after_a_restart(
    open_tutor: OpenTutor,
) -> None:
    added = add_schedule(
        open_tutor(),
        times="18:30, 8:00",
        days="Mon, Wed",
        zone="europe/berlin",
        open_minutes=90,
        explain=Explain.AT_CLOSE,
        role="77",
        pin=True,
        thread=True,
    )
    assert added.model_dump(exclude={"id"}) == {
        "group": GROUP,
        "zone": "Europe/Berlin",
        "deck": "sample",
        "room": ROOM,
        "times": (time(8), time(18, 30)),
        "weekdays": (0, 2),
        "open_minutes": 90,
        "explain": Explain.AT_CLOSE,
        "role": "77",
        "pin": True,
        "thread": True,
        "paused": False,
        "problem": None,
        "settled_until": NOW,
    }
    assert open_tutor().timetable.schedules(GROUP) == [added]


def test_schedules_are_listed_in_the_order_they_were_added_and_by_group(tutor: Tutor) -> None:
    first, second = add_schedule(tutor, times="20:00"), add_schedule(tutor, times="8:00")
    assert tutor.timetable.schedules(GROUP) == [first, second]
    assert tutor.timetable.schedules(OTHER_GROUP) == []


@pytest.mark.parametrize(
    ("changes", "refusal", "words"),
    [
        ({"zone": "Mars/Olympus"}, UnknownZone, "“Mars/Olympus” is not a time zone"),
        ({"zone": "UTC+1"}, UnknownZone, "“UTC+1” is not a time zone"),
        ({"zone": None}, NoZone, "name your time zone"),
        ({"deck": "nope"}, UnknownDeck, "no deck “nope”. The decks here are: sample, empty."),
        ({"deck": "empty"}, EmptyDeck, "“empty” has no questions"),
        ({"times": "25:00"}, BadTimes, "“25:00” is not a time"),
        ({"times": ""}, BadTimes, "at least one time"),
        ({"days": "someday"}, BadTimes, "“someday” is not a day"),
        ({"days": ""}, BadTimes, "at least one day"),
        ({"open_minutes": 0}, BadTimes, "from one minute to seven days"),
        ({"open_minutes": -5}, BadTimes, "from one minute to seven days"),
        ({"open_minutes": 7 * 24 * 60 + 1}, BadTimes, "from one minute to seven days"),
    ],
)
def test_what_cannot_be_a_schedule_is_refused_with_a_sentence_and_nothing_is_stored(
    open_tutor: OpenTutor, changes: dict[str, object], refusal: type[QuizError], words: str
) -> None:
    tutor = open_tutor(make_deck(), make_deck(name="empty").model_copy(update={"questions": ()}))
    with pytest.raises(refusal) as caught:
        add_schedule(tutor, **changes)
    assert words in caught.value.sentence
    assert caught.value.sentence.endswith(".")
    assert tutor.timetable.schedules(GROUP) == []
    assert tutor.timetable.zone(GROUP) is None


@pytest.mark.parametrize("minutes", [1, 7 * 24 * 60])
def test_a_question_may_stay_open_from_one_minute_to_seven_days(tutor: Tutor, minutes: int) -> None:
    assert add_schedule(tutor, open_minutes=minutes).open_minutes == minutes


# The zone


def test_the_zone_is_needed_once_and_kept_when_no_schedule_is_left(tutor: Tutor) -> None:
    # UQComputingSociety/uqcsbot-discord PR#35
    first = add_schedule(tutor, zone="Europe/Berlin")
    tutor.timetable.remove(GROUP, first.id)
    assert tutor.timetable.zone(GROUP) == "Europe/Berlin"
    assert add_schedule(tutor, zone=None).zone == "Europe/Berlin"


def test_each_group_names_its_own_zone(tutor: Tutor) -> None:
    add_schedule(tutor, zone="Europe/Berlin")
    assert tutor.timetable.zone(OTHER_GROUP) is None


def test_naming_another_zone_moves_all_schedules_of_the_group(tutor: Tutor) -> None:
    first = add_schedule(tutor, zone="Europe/Berlin", times="10:00")
    add_schedule(tutor, zone="Asia/Tokyo", times="12:00")
    assert {each.zone for each in tutor.timetable.schedules(GROUP)} == {"Asia/Tokyo"}
    _, slots = tutor.timetable.preview(GROUP, first.id, NOW)
    assert slots[0] == datetime(2026, 3, 3, 1, 0, tzinfo=UTC)  # 10:00 in Tokyo


def test_a_refused_schedule_does_not_move_the_zone(tutor: Tutor) -> None:
    add_schedule(tutor, zone="Europe/Berlin")
    with pytest.raises(BadTimes):
        add_schedule(tutor, zone="Asia/Tokyo", days="someday")
    assert tutor.timetable.zone(GROUP) == "Europe/Berlin"


def test_a_zone_change_alone_neither_posts_nor_misses_anything(
    tutor: Tutor, database: Path
) -> None:
    # PieInTheSky-Inc/YaDc#145: 10:00 and 12:00 in London have passed when the group moves there.
    first = add_schedule(tutor, zone="Asia/Tokyo", times="10:00, 12:00")
    moved = slot_on(0, hour=12, minute=30)
    second = add_schedule(tutor, zone="Europe/London", times="20:00", now=moved)
    work = tutor.posting.due(moved, seed=1)
    assert work.post == []
    assert missed_slots(database, first.id) == []
    assert work.wake_at == slot_on(0, hour=20)
    assert missed_slots(database, second.id) == []


# The preview


def test_preview_shows_the_next_14_slots(tutor: Tutor) -> None:
    added = add_schedule(tutor, times="8:00, 20:00", days="Mon, Tue")
    schedule, slots = tutor.timetable.preview(GROUP, added.id, NOW)
    assert schedule == added
    assert slots[:4] == [slot_on(0, 20), slot_on(1, 8), slot_on(1, 20), slot_on(7, 8)]
    assert len(slots) == 14
    assert slots == sorted(set(slots))


def test_preview_keeps_the_wall_clock_time_across_a_clock_change(tutor: Tutor) -> None:
    # CubicrootXYZ/RemindMe#359: Berlin's clocks change on 2026-03-29.
    added = add_schedule(tutor, zone="Europe/Berlin", days="Mon")
    _, slots = tutor.timetable.preview(GROUP, added.id, NOW)
    assert {slot.astimezone(ZoneInfo("Europe/Berlin")).time() for slot in slots} == {time(10)}
    assert {slot.hour for slot in slots} == {8, 9}
    assert all(slot.tzinfo is UTC for slot in slots)


def test_preview_at_a_slot_begins_with_the_one_after(tutor: Tutor) -> None:
    added = add_schedule(tutor)
    _, slots = tutor.timetable.preview(GROUP, added.id, slot_on(0))
    assert slots[0] == slot_on(1)


# Pausing and removing


def test_while_paused_no_slot_is_claimed(tutor: Tutor) -> None:
    added = add_schedule(tutor)
    assert tutor.timetable.pause(GROUP, added.id).paused
    work = tutor.posting.due(slot_on(0), seed=1)
    assert work.post == []
    assert work.wake_at is None


def test_a_pause_holds_after_a_restart(open_tutor: OpenTutor) -> None:
    tutor = open_tutor()
    added = add_schedule(tutor)
    tutor.timetable.pause(GROUP, added.id)
    tutor.close()
    assert open_tutor().posting.due(slot_on(0), seed=1).post == []


def test_what_passed_during_a_pause_is_neither_posted_nor_missed(
    tutor: Tutor, database: Path
) -> None:
    added = add_schedule(tutor)
    tutor.timetable.pause(GROUP, added.id)
    resumed_at = slot_on(3, minute=30)  # inside the grace of that day's slot
    resumed = tutor.timetable.resume(GROUP, added.id, resumed_at)
    assert not resumed.paused
    work = tutor.posting.due(resumed_at, seed=1)
    assert work.post == []
    assert work.wake_at == slot_on(4)
    assert missed_slots(database, added.id) == []
    assert [drop.slot for drop in tutor.posting.due(slot_on(4), seed=1).post] == [slot_on(4)]


def test_resuming_a_schedule_that_runs_takes_no_slot_from_it(tutor: Tutor) -> None:
    added = add_schedule(tutor)
    late = slot_on(0) + timedelta(minutes=1)
    tutor.timetable.resume(GROUP, added.id, late)
    assert [drop.slot for drop in tutor.posting.due(late, seed=1).post] == [slot_on(0)]


def test_resuming_after_the_clock_stepped_back_brings_back_no_slot(
    tutor: Tutor, database: Path
) -> None:
    added = add_schedule(tutor)
    post_due(tutor, slot_on(0))
    tutor.timetable.pause(GROUP, added.id)
    tutor.timetable.resume(GROUP, added.id, slot_on(0, 9, 30))
    assert [drop.slot for drop in tutor.posting.due(slot_on(1), seed=1).post] == [slot_on(1)]
    assert missed_slots(database, added.id) == []


def test_resuming_clears_the_problem_that_was_noted(tutor: Tutor) -> None:
    added = add_schedule(tutor)
    [drop] = tutor.posting.due(slot_on(0), seed=1).post
    tutor.posting.missed(drop.id, "I may not post there.")
    assert tutor.timetable.schedules(GROUP)[0].problem == "I may not post there."
    tutor.timetable.pause(GROUP, added.id)
    assert tutor.timetable.resume(GROUP, added.id, slot_on(1)).problem is None


def test_a_removed_schedule_is_gone_and_posts_no_more(tutor: Tutor) -> None:
    gone, kept = add_schedule(tutor), add_schedule(tutor, times="12:00")
    assert tutor.timetable.remove(GROUP, gone.id) == gone
    assert tutor.timetable.schedules(GROUP) == [kept]
    assert tutor.posting.due(slot_on(0), seed=1).post == []


def test_removing_a_schedule_leaves_its_open_drop_answerable_and_closable(tutor: Tutor) -> None:
    added = add_schedule(tutor)
    [drop] = post_due(tutor, slot_on(0))
    tutor.timetable.remove(GROUP, added.id)
    position = key_position(tutor, drop)
    outcome = tutor.answering.press(drop, position, "ada", f"message-{drop}", slot_on(0, minute=5))
    assert outcome.right
    assert outcome.streak.length == 1
    work = tutor.posting.due(slot_on(0, hour=11), seed=1)
    assert [each.id for each in work.reveal] == [drop]
    assert tutor.posting.reveal(drop).tally.answered == 1
    tutor.posting.revealed(drop)
    assert tutor.posting.tally(drop).drop.state is DropState.REVEALED


def test_a_number_is_never_given_to_a_second_schedule(tutor: Tutor) -> None:
    first = add_schedule(tutor)
    tutor.timetable.remove(GROUP, first.id)
    assert add_schedule(tutor).id != first.id


@pytest.mark.parametrize("call", ["preview", "pause", "resume", "remove"])
def test_another_groups_schedule_is_unknown_and_unchanged(tutor: Tutor, call: str) -> None:
    added = add_schedule(tutor)
    with pytest.raises(UnknownSchedule, match=f"no schedule {added.id} here"):
        _call(tutor, call, OTHER_GROUP, added.id)
    assert tutor.timetable.schedules(GROUP) == [added]


@pytest.mark.parametrize("call", ["preview", "pause", "resume", "remove"])
def test_a_schedule_that_never_was_is_unknown(tutor: Tutor, call: str) -> None:
    with pytest.raises(UnknownSchedule, match="no schedule 12 here"):
        _call(tutor, call, GROUP, 12)


def _call(tutor: Tutor, name: str, group: str, number: int) -> object:
    timetable = tutor.timetable
    if name in ("preview", "resume"):
        return getattr(timetable, name)(group, number, NOW)
    return getattr(timetable, name)(group, number)


@pytest.mark.parametrize("number", [0, -1, 2**53, 2**63, -(2**63) - 1, 10**30])
def test_a_number_of_no_schedule_is_refused_however_large(tutor: Tutor, number: int) -> None:
    for use in (
        lambda: tutor.timetable.preview(GROUP, number, NOW),
        lambda: tutor.timetable.pause(GROUP, number),
        lambda: tutor.timetable.resume(GROUP, number, NOW),
        lambda: tutor.timetable.remove(GROUP, number),
    ):
        with pytest.raises(UnknownSchedule):
            use()
