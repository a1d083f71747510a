"""The system's clock is set back or ahead, a zone's rules change, a schedule changes while its drop
is open: no slot twice, none lost that is still to come, and nothing that has closed opens again.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, reset_tzpath

import apscheduler.schedulers.base
import pytest

from bank.errors import DropClosed
from bank.models import Deck, DropState, Explain
from bank.store import Store, schedules
from bank.tutor import Tutor
from bank.tutor.posting import CLAIM_LEASE
from bot.clock import Clock
from tests.conftest import OpenTutor
from tests.samples import (
    GROUP,
    NOW,
    add_schedule,
    drop_by_hand,
    drop_of,
    key_position,
    make_deck,
    post_due,
    slot_on,
)
from tests.world import ErrorLog, World, text_of

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def slots_posted(tutor: Tutor, start: datetime, end: datetime) -> list[datetime]:
    """Look every five minutes from `start` to `end`; the slots that were posted, in their order."""
    found = []
    now = start
    while now <= end:
        found += [drop_of(tutor, drop).slot for drop in post_due(tutor, now)]
        now += 5 * MINUTE
    return found


def missed(database: Path, schedule: int) -> list[datetime]:
    with closing(Store(database)) as store, store.reading() as db:
        return schedules.missed(db, schedule)


# Set back


@pytest.mark.parametrize("back", [MINUTE, HOUR, 5 * HOUR])
def test_a_slot_that_was_posted_is_not_posted_again_when_its_time_comes_again(
    tutor: Tutor, database: Path, back: timedelta
) -> None:
    schedule = add_schedule(tutor, times="10:00, 11:00")
    ran = slots_posted(tutor, slot_on(0, 9, 30), slot_on(0, 10, 30))
    again = slots_posted(tutor, slot_on(0, 10, 30) - back, slot_on(0, 11, 30))
    assert (ran, again) == ([slot_on(0, 10)], [slot_on(0, 11)])
    assert missed(database, schedule.id) == []


def test_slots_close_together_that_were_posted_are_not_written_down_as_missed(
    tutor: Tutor, database: Path
) -> None:
    schedule = add_schedule(tutor, times="10:00, 10:02")
    for minute in (0, 2):
        assert len(post_due(tutor, slot_on(0, 10, minute))) == 1
    for now in (slot_on(0, 9, 59), slot_on(0, 10, 3)):
        assert post_due(tutor, now) == []
    assert missed(database, schedule.id) == []


def test_what_has_closed_stays_closed_with_its_key_and_its_score(tutor: Tutor) -> None:
    add_schedule(tutor)
    [drop] = post_due(tutor, slot_on(0))
    tutor.answering.press(drop, key_position(tutor, drop), "ada", f"message-{drop}", slot_on(0))
    tutor.posting.due(slot_on(0, 11), 1)
    back = slot_on(0, 10, 10)
    tutor.posting.due(back, 1)
    assert drop_of(tutor, drop).state is DropState.CLOSED
    with pytest.raises(DropClosed):
        tutor.answering.press(drop, 0, "ben", f"message-{drop}", back)
    question = drop_of(tutor, drop).question
    assert tutor.explaining.of_drop(drop, "ben", back).question.id == question
    assert tutor.explaining.explain(question, GROUP, "ben", back).question.id == question
    assert tutor.explaining.to_all(question, GROUP, "ben", back).question.id == question
    assert tutor.answering.press(drop, 0, "ada", f"message-{drop}", back).explained
    standing = tutor.boards.standing(GROUP, "ada", back)
    assert (standing.judged, standing.right, standing.streak.length) == (1, 1, 1)


def test_an_answer_from_before_its_drop_counts_as_any_other(tutor: Tutor) -> None:
    add_schedule(tutor)
    [drop] = post_due(tutor, slot_on(0))
    early = slot_on(0) - HOUR
    assert tutor.answering.press(drop, 0, "ada", f"message-{drop}", early).streak.length == 1
    assert not tutor.answering.press(drop, 1, "ada", f"message-{drop}", early).new
    assert tutor.posting.reveal(drop).extended == ("ada",)
    assert tutor.boards.standing(GROUP, "ada", slot_on(0, 12)).streak.length == 1


def test_a_day_never_comes_twice(tutor: Tutor) -> None:
    for now in (NOW + DAY, NOW, NOW + DAY):
        drop = drop_by_hand(tutor, now=now)
        tutor.posting.posted(drop.id, f"m{drop.id}", now)
    assert [drop_of(tutor, drop).day for drop in (1, 2, 3)] == [1, 1, 1]


def test_a_claim_from_the_future_is_settled_after_its_lease(tutor: Tutor) -> None:
    drop = drop_by_hand(tutor, now=NOW + DAY)
    assert [each.id for each in tutor.posting.due(NOW, 1).settle] == [drop.id]
    assert tutor.posting.due(NOW + DAY - CLAIM_LEASE / 2, 1).settle == []  # perhaps another's
    assert tutor.posting.may_still_post(drop, NOW)


def test_a_lost_claim_of_a_slot_to_come_waits_for_its_time(tutor: Tutor) -> None:
    add_schedule(tutor)
    ahead = slot_on(1)
    [lost] = [drop for drop in tutor.posting.due(ahead, 1).post if drop.slot == ahead]
    work = tutor.posting.due(slot_on(0, 9, 30), 1)
    assert work.settle == []
    assert work.wake_at is not None
    assert work.wake_at <= ahead
    at_last = tutor.posting.due(slot_on(1) + CLAIM_LEASE + SECOND, 1)
    assert [drop.id for drop in at_last.settle] == [lost.id]
    assert tutor.posting.may_still_post(lost, slot_on(1) + CLAIM_LEASE + SECOND)


# Ahead for a day, and back


def test_slots_that_the_clock_ran_past_come_again_at_their_time(
    tutor: Tutor, database: Path
) -> None:
    schedule = add_schedule(tutor, times="10:00, 14:00, 18:00")
    assert slots_posted(tutor, slot_on(0, 9, 50), slot_on(0, 10, 10)) == [slot_on(0, 10)]
    ahead = slot_on(1, 10, 20)
    assert slots_posted(tutor, ahead, ahead + 5 * MINUTE) == [slot_on(1, 10)]
    assert missed(database, schedule.id) == [slot_on(0, 14), slot_on(0, 18)]
    rest = slots_posted(tutor, slot_on(0, 10, 16), slot_on(1, 19))
    assert rest == [slot_on(0, 14), slot_on(0, 18), slot_on(1, 14), slot_on(1, 18)]
    assert missed(database, schedule.id) == []


def test_the_last_slot_that_the_clock_ran_past_comes_again_too(
    tutor: Tutor, database: Path
) -> None:
    schedule = add_schedule(tutor)
    ahead = slot_on(1, 15)  # past the grace of the slot on day 1
    assert slots_posted(tutor, ahead, ahead) == []
    assert slots_posted(tutor, slot_on(0, 9, 30), slot_on(2, 10)) == [
        slot_on(0),
        slot_on(1),
        slot_on(2),
    ]
    assert missed(database, schedule.id) == []


def test_they_come_again_after_a_restart(open_tutor: OpenTutor) -> None:
    tutor = open_tutor()
    add_schedule(tutor, times="10:00, 14:00")
    slots_posted(tutor, slot_on(1, 20), slot_on(1, 20))
    tutor.close()
    tutor = open_tutor()
    assert slots_posted(tutor, slot_on(0, 9, 30), slot_on(0, 15)) == [
        slot_on(0, 10),
        slot_on(0, 14),
    ]


def test_two_processes_post_what_comes_again_once(open_tutor: OpenTutor) -> None:
    one, two = open_tutor(), open_tutor()
    add_schedule(one, times="10:00, 14:00")
    one.posting.due(slot_on(1, 20), 1)
    posted: list[datetime] = []
    for minutes in range(0, 360, 5):
        now = slot_on(0, 9, 30) + minutes * MINUTE
        for tutor in (one, two):
            posted += [drop_of(tutor, drop).slot for drop in post_due(tutor, now)]
    assert posted == [slot_on(0, 10), slot_on(0, 14)]


# Behind for a while, and right again: nothing comes late that was nobody's


def behind_and_right_again(tutor: Tutor, right: datetime) -> list[datetime]:
    """The clock is a day behind for ten minutes; the slots posted then and in the hour after."""
    behind = slots_posted(tutor, right - DAY, right - DAY + 10 * MINUTE)
    return behind + slots_posted(tutor, right + 10 * MINUTE, right + HOUR)


def test_no_slot_from_before_its_schedule_is_posted(tutor: Tutor) -> None:
    add_schedule(tutor, times="10:00", now=slot_on(5, 10, 30))
    tutor.posting.due(slot_on(5, 10, 31), 1)
    assert behind_and_right_again(tutor, slot_on(5, 10, 32)) == []


def test_no_slot_that_was_missed_is_posted(tutor: Tutor) -> None:
    add_schedule(tutor, times="9:00, 10:00, 11:00")
    tutor.posting.due(slot_on(4, 12), 1)
    assert slots_posted(tutor, slot_on(5, 11, 30), slot_on(5, 11, 31)) == [slot_on(5, 11)]
    assert behind_and_right_again(tutor, slot_on(5, 11, 32)) == []


def test_a_clock_that_begins_in_1970_writes_down_no_slot_of_the_past(
    tutor: Tutor, database: Path
) -> None:
    schedule = add_schedule(tutor)
    for minute in range(3):
        tutor.posting.due(datetime(1970, 1, 1, 0, minute, tzinfo=UTC), 1)
    assert slots_posted(tutor, slot_on(0, 9, 30), slot_on(0, 10, 30)) == [slot_on(0)]
    assert missed(database, schedule.id) == []


def test_a_slot_that_passed_in_a_pause_is_not_posted_after_it(tutor: Tutor) -> None:
    schedule = add_schedule(tutor)
    tutor.posting.due(slot_on(0) - MINUTE, 1)
    tutor.timetable.pause(GROUP, schedule.id)
    tutor.timetable.resume(GROUP, schedule.id, slot_on(0) + SECOND)
    assert slots_posted(tutor, slot_on(0) + 2 * SECOND, slot_on(0, 11)) == []


# A zone whose rules changed

CASABLANCA = "Africa/Casablanca"


def tzif(hours: int) -> bytes:
    """A TZif file (RFC 8536) of a zone that is `hours` ahead of UTC at all times."""
    header = b"TZif2" + bytes(15) + struct.pack(">6l", 0, 0, 0, 0, 1, 4)
    kind = struct.pack(">lBB", hours * 3600, 0, 0) + b"XXX\0"
    return header + kind + header + kind + f"\nXXX{-hours}\n".encode()


@pytest.fixture
def rules(tmp_path: Path) -> Iterator[Callable[[int], None]]:
    """Sets how many hours Casablanca is ahead, as an update of the zone data does at a restart."""

    def set_rules(hours: int) -> None:
        file = tmp_path / "zoneinfo" / CASABLANCA
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(tzif(hours))
        reset_tzpath(to=[str(tmp_path / "zoneinfo")])
        ZoneInfo.clear_cache()

    yield set_rules
    reset_tzpath()
    ZoneInfo.clear_cache()


@pytest.mark.parametrize(
    ("before", "after"), [(1, 0), (0, 1), (2, -1), (-1, 2)], ids=lambda hours: f"{hours:+}"
)
def test_new_rules_keep_the_time_on_the_wall_and_post_no_slot_twice(
    open_tutor: OpenTutor, database: Path, rules: Callable[[int], None], before: int, after: int
) -> None:
    rules(before)
    tutor = open_tutor()
    schedule = add_schedule(tutor, zone=CASABLANCA, times="10:00")
    updated = slot_on(2) - before * HOUR + 5 * MINUTE  # just after the slot on day 2
    posted = slots_posted(tutor, slot_on(0, 5), updated)
    tutor.close()
    rules(after)
    posted += slots_posted(open_tutor(), updated, slot_on(4, 13))
    assert posted == [slot_on(day) - before * HOUR for day in range(3)] + [
        slot_on(day) - after * HOUR for day in (3, 4)
    ]
    assert missed(database, schedule.id) == []


def test_a_slot_that_new_rules_put_into_the_past_is_posted_late_inside_its_grace(
    open_tutor: OpenTutor, rules: Callable[[int], None]
) -> None:
    rules(0)
    tutor = open_tutor()
    add_schedule(tutor, zone=CASABLANCA, times="10:30")
    assert slots_posted(tutor, slot_on(0, 9, 5), slot_on(0, 9, 40)) == []
    tutor.close()
    rules(1)
    assert slots_posted(open_tutor(), slot_on(0, 9, 45), slot_on(0, 12)) == [slot_on(0, 9, 30)]


def test_a_zone_that_the_group_changes_is_no_change_of_rules(tutor: Tutor) -> None:
    add_schedule(tutor, zone="Europe/Berlin", times="10:00")
    assert slots_posted(tutor, slot_on(1, 8, 50), slot_on(1, 9, 5)) == [slot_on(1, 9)]
    add_schedule(tutor, zone="Europe/London", times="23:00", now=slot_on(1, 9, 6))
    assert slots_posted(tutor, slot_on(1, 9, 7), slot_on(1, 10, 5)) == [slot_on(1, 10)]


# A schedule that changes while its drop is open


@pytest.mark.parametrize("change", ["removed and set anew", "paused", "paused and resumed", "zone"])
def test_an_open_drop_keeps_its_terms_whatever_becomes_of_its_schedule(
    tutor: Tutor, change: str
) -> None:
    schedule = add_schedule(tutor, explain=Explain.AT_CLOSE, role="7", pin=True)
    [drop] = post_due(tutor, slot_on(0))
    before, now = drop_of(tutor, drop), slot_on(0, 10, 20)
    tutor.answering.press(drop, 0, "ada", f"message-{drop}", now)
    if change == "removed and set anew":
        tutor.timetable.remove(GROUP, schedule.id)
        add_schedule(tutor, times="10:00, 15:00", open_minutes=5, now=now)
    elif change == "zone":
        add_schedule(tutor, zone="Asia/Tokyo", times="1:00", now=now)
    else:
        tutor.timetable.pause(GROUP, schedule.id)
        if change == "paused and resumed":
            tutor.timetable.resume(GROUP, schedule.id, now)
    assert post_due(tutor, now + MINUTE) == []
    unscheduled = change == "removed and set anew"
    kept = drop_of(tutor, drop)
    assert kept == before.model_copy(update={"schedule": None} if unscheduled else {})
    assert not tutor.answering.press(
        drop, 1, "ben", f"message-{drop}", slot_on(0, 10, 59)
    ).explained
    assert [each.id for each in tutor.posting.due(slot_on(0, 11), 1).reveal] == [drop]
    standing = tutor.boards.standing(GROUP, "ada", slot_on(0, 11))
    assert (standing.streak.length, standing.judged) == (1, 1)


# The running bot


class Skewed(World):
    """A world in which the bot's clock differs from Discord's by `skew`."""

    skew = timedelta(0)

    @property
    def now(self) -> datetime:
        return self.env.now() + self.skew  # type: ignore[no-any-return]

    async def minutes(self, count: int) -> None:
        """Let minutes pass with the bot awake."""
        for _ in range(count):
            await self.wait(minutes=1)

    def questions(self, named: str = "Question") -> int:
        return sum(named in text_of(message) for message in self.channel.history())


@pytest.fixture
def decks() -> dict[Path, Deck]:
    return {Path("sample"): make_deck(*(f"q{n}" for n in range(9)))}


@pytest.fixture
async def skewed(
    database: Path, decks: dict[Path, Deck], error_log: ErrorLog
) -> AsyncIterator[Skewed]:
    async with Skewed(database, decks) as world:
        yield world


async def add(world: World, times: str) -> None:
    result = await world.ada.slash(
        world.channel,
        "schedule add",
        deck="sample",
        channel=world.channel,
        times=times,
        zone="UTC",
        **{"open-for": 60},
    )
    assert "is set" in text_of(result), text_of(result)


async def test_a_clock_set_back_an_hour_while_running_posts_nothing_twice_and_goes_on(
    skewed: Skewed,
) -> None:
    world = skewed
    start = world.now.replace(minute=0, second=0) + 2 * HOUR
    await add(world, f"{start:%H:%M}, {start + HOUR:%H:%M}")
    await world.wait_until(start + 5 * MINUTE)
    tally = await world.tally(1)
    await world.press_right(world.ben, tally)
    world.skew = -HOUR
    await world.minutes(70)  # past the same slot again
    assert world.questions() == 1
    await world.press_wrong(world.cleo, tally)  # still open, by the clock
    await world.minutes(50)
    assert world.questions() == 2
    assert "· closed" in text_of(world.message(tally))
    assert "2 answers" in text_of(world.message(tally))


async def test_a_clock_ahead_for_a_day_and_right_again_loses_no_slot_to_come(
    skewed: Skewed,
) -> None:
    world = skewed
    start = world.now.replace(minute=0, second=0) + 2 * HOUR
    await add(world, f"{start:%H:%M}, {start + HOUR:%H:%M}")
    await world.wait_until(start - HOUR)
    world.skew = DAY
    await world.minutes(2)  # the slots of today are past their grace
    assert world.questions() == 0
    world.skew = timedelta(0)
    await world.minutes(125)
    assert world.questions() == 2


@pytest.mark.parametrize(
    ("skew", "later"),
    [(DAY, DAY), (DAY, timedelta(0)), (-DAY, timedelta(0))],
    ids=["ahead", "ahead, then right", "behind, then right"],
)
async def test_a_message_that_a_wrong_clock_lost_is_found_and_not_sent_again(
    skewed: Skewed, skew: timedelta, later: timedelta
) -> None:
    world = skewed
    for _ in range(110):  # a room with much talk on the day before
        await world.ben.send(world.channel, "hello")
    await add(world, f"{world.now + MINUTE:%H:%M}")
    world.skew = skew
    for _ in range(3):  # a minute each
        work = await world.ask(lambda tutor: tutor.posting.due(world.now, 1))
        for drop in work.post:
            with world.env._bot_scope():  # sent, and the process killed before it is written down
                await world.client.poster._send(await world.tally(drop.id), ("Sample", "Basics"))
        world.sleep_until(world.now + MINUTE)
    assert world.questions() == 1
    world.skew = later
    await world.minutes(3)
    waits = (await world.tally(1)).drop.state is DropState.CLAIMED
    assert waits == (later < skew)  # a slot whose time has yet to come
    assert world.questions("Question 1") == 1


async def test_a_reveal_that_failed_by_a_clock_ahead_is_tried_again_at_once(
    skewed: Skewed,
) -> None:
    world = skewed
    tally = await world.drop_now()
    world.skew = DAY
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=503)
    await world.minutes(1)
    world.skew = timedelta(0)
    await world.minutes(1)
    assert "· closed" in text_of(world.message(tally))


async def test_the_alarm_rings_in_real_time_when_the_system_clock_is_set_back(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # APScheduler would wait until the clock has caught up.
    class SetBack(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return datetime.now(tz) - HOUR

    looks: list[datetime] = []

    def look() -> datetime:
        looks.append(datetime.now(UTC))
        return world.now

    client = world.client
    clock = Clock(
        client.core,
        client.poster,
        client.clock._steps,
        client.reveals,
        client.clock._admins,
        look,
        lambda: 1,
        longest_sleep=timedelta(seconds=0.3),
    )
    await clock.start()
    monkeypatch.setattr(apscheduler.schedulers.base, "datetime", SetBack)
    for _ in range(50):
        await asyncio.sleep(0.1)
        if len(looks) > 3:
            break
    await clock.close()
    assert len(looks) > 3
    ended = len(looks)
    await asyncio.sleep(0.7)
    assert len(looks) == ended  # and a clock that was closed stays silent
