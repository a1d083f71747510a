"""Low stock: the admins hear once, a week ahead, that the questions of a deck will repeat."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bank.draw import unasked
from bank.models import Deck, Place, Terms, Trouble
from bank.stock import days_left, due_in_a_week, first_repeat
from bank.tutor import Tutor
from tests.conftest import OpenTutor
from tests.recorded import Sent, recording
from tests.samples import (
    GROUP,
    NOW,
    add_schedule,
    drop_by_hand,
    make_deck,
    slot_on,
)
from tests.test_uploads import upload
from tests.world import World, text_of


def deck_with(questions: int, name: str = "sample") -> Deck:
    return make_deck(*[f"q{number}" for number in range(questions)], name=name)


def look(tutor: Tutor, now: datetime) -> list[Trouble]:
    """Post what is due, close what is over, and tell the admins what they are to hear."""
    work = tutor.posting.due(now, seed=1)
    for drop in work.post:
        tutor.posting.posted(drop.id, f"message-{drop.id}", now)
    for trouble in work.low:
        tutor.troubles.told(trouble)
    assert work.troubles == []
    return work.low


def live(tutor: Tutor, days: range, *hours: int) -> list[tuple[int, str]]:
    """Each day's slots, one after the other: the day of each trouble that was told, and where."""
    return [
        (day, trouble.group)
        for day in days
        for hour in hours or (10,)
        for trouble in look(tutor, slot_on(day, hour))
    ]


def told_on(tutor: Tutor, days: range, *hours: int) -> list[int]:
    return [day for day, _ in live(tutor, days, *hours)]


# What is left


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("", "abc"),
        ("a", "bc"),
        ("ab", "c"),
        ("abc", ""),  # the round is over: the next one repeats
        ("abcb", "ac"),
        ("abcbc", "a"),
        ("aab", "c"),  # a repeat began a round of its own
        ("xay", "bc"),  # questions that are gone
    ],
)
def test_what_is_left_is_what_may_come_before_one_repeats(asked: str, left: str) -> None:
    deck = make_deck("a", "b", "c")
    found = unasked(deck, [f"sample/{slug}" for slug in asked])
    assert found == {f"sample/{slug}" for slug in left}


def test_the_first_repeat_is_counted_over_all_schedules(tutor: Tutor) -> None:
    daily = add_schedule(tutor, times="10:00")
    weekly = add_schedule(tutor, times="09:00, 12:00", days="Wed", zone="UTC")
    assert (due_in_a_week([daily]), due_in_a_week([weekly]), due_in_a_week([])) == (7, 2, 0)
    both = [daily, weekly]
    order = [slot_on(0, 10), slot_on(1, 10), slot_on(2, 9), slot_on(2, 10), slot_on(2, 12)]
    assert [first_repeat(left, both, NOW) for left in range(5)] == order


@pytest.mark.parametrize(("left", "days"), [(27, 27), (1, 1), (0, None)])
def test_how_long_it_lasts_is_told_in_days(tutor: Tutor, left: int, days: int | None) -> None:
    assert days_left(left, [add_schedule(tutor)]) == days
    assert days_left(left, []) is None


def test_many_questions_a_day_last_less_long(tutor: Tutor) -> None:
    twice = add_schedule(tutor, times="10:00, 18:00", days="weekdays")
    assert [days_left(left, [twice]) for left in (27, 3, 1)] == [19, 2, 1]


# Told once


def test_the_admins_hear_it_a_week_ahead_and_once_in_a_round(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(10))
    add_schedule(tutor)
    # After the fourth question six are left for seven slots; the eleventh begins a new round.
    assert told_on(tutor, range(30)) == [3, 13, 23]


def test_it_says_what_happens_when_and_what_to_do(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(8))
    add_schedule(tutor)
    assert look(tutor, slot_on(0)) == []
    assert look(tutor, slot_on(1)) == [
        Trouble(
            group=GROUP,
            place=Place.STOCK,
            about="sample",
            sentence="The questions of the deck “sample” will repeat here from about 10 March on: "
            "6 are left, and 7 are due in the next 7 days. /schedule add takes another deck, and "
            "/deck upload makes one of your own questions.",
        )
    ]
    # So it comes: what was asked on the first days comes again on the 10th.
    asked = [tutor.posting.tally(number).question.id for number in (1, 2)]
    told_on(tutor, range(2, 9))
    asked += [tutor.posting.tally(number).question.id for number in range(3, 10)]
    assert len(set(asked[:8])) == 8
    assert asked[8] in asked[:8]
    assert (
        tutor.posting.tally(9).drop.slot
        == slot_on(8)
        == datetime.fromisoformat("2026-03-10T10:00+00:00")
    )


def test_the_date_is_the_groups_own(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(7))
    add_schedule(tutor, zone="Pacific/Auckland", times="08:00")  # 19:00 UTC the day before
    (trouble,) = look(tutor, slot_on(0, 19))
    assert "from about 10 March on: 6 are left" in trouble.sentence


def test_a_deck_of_the_groups_own_can_be_added_to(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(make_deck())
    tutor.library.put(deck_with(2, "own"), GROUP)
    add_schedule(tutor, deck="own")
    (trouble,) = look(tutor, slot_on(0))
    assert "on: 1 is left, and 7 are due" in trouble.sentence
    assert trouble.sentence.endswith(
        "/deck upload adds questions to it, and /schedule add takes another deck."
    )


@pytest.mark.parametrize("questions", [1, 2, 6])
def test_a_deck_that_never_has_enough_is_told_at_its_first_drop_alone(
    open_tutor: OpenTutor, questions: int
) -> None:
    tutor = open_tutor(deck_with(questions))
    add_schedule(tutor)
    assert told_on(tutor, range(30)) == [0]


def test_a_deck_that_is_large_enough_is_never_told(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(60))
    add_schedule(tutor)
    assert told_on(tutor, range(53)) == []
    assert told_on(tutor, range(53, 60)) == [53]


def test_without_a_schedule_nobody_hears_anything(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(2))
    for hour in (9, 11, 13):
        drop = drop_by_hand(tutor, now=slot_on(0, hour))
        tutor.posting.posted(drop.id, f"message-{drop.id}", drop.slot)
        assert look(tutor, slot_on(0, hour + 1)) == []


def test_questions_by_hand_come_from_the_same_stock(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(12))
    add_schedule(tutor)
    for hour in (2, 4, 6, 8):
        drop = drop_by_hand(tutor, now=slot_on(0, hour))
        tutor.posting.posted(drop.id, f"message-{drop.id}", drop.slot)
    assert told_on(tutor, range(3)) == [1]


# Schedules


def test_all_schedules_of_a_deck_draw_from_one_stock(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(20), deck_with(60, "other"))
    add_schedule(tutor)
    add_schedule(tutor, times="18:00")
    add_schedule(tutor, times="12:00", deck="other")
    assert told_on(tutor, range(8), 10, 12, 18) == [3]  # 14 a week, and 13 left


def test_two_slots_at_one_instant_are_told_once(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(15))
    for room in ("1", "2"):
        add_schedule(tutor, room=room)
    (trouble,) = look(tutor, slot_on(0))
    assert "13 are left, and 14 are due" in trouble.sentence
    assert look(tutor, slot_on(1)) == []


def test_weekdays_count(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(8))
    add_schedule(tutor, days="Mon, Wed")
    # One a week would be late, seven early: two are due, and one is left after the seventh.
    assert told_on(tutor, range(30)) == [21]
    assert tutor.posting.tally(7).drop.slot == slot_on(21)


def test_a_deck_lasts_as_long_as_its_own_schedules_take(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(20), deck_with(20, "other"), deck_with(20, "unused"))
    add_schedule(tutor)
    add_schedule(tutor, times="12:00, 18:00", deck="other")
    look(tutor, slot_on(0))
    uses = [(use.left, use.days) for use in tutor.boards.decks(GROUP)]
    assert uses == [(19, 19), (20, 10), (20, None)]


def test_each_group_has_its_own_stock(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(8))
    add_schedule(tutor)
    other = "5001"
    schedule = tutor.timetable.schedules(GROUP)[0]
    tutor.timetable.add(other, schedule, times="10:00", days="every day", zone="UTC", now=NOW)
    assert sorted(live(tutor, range(4))) == [(1, GROUP), (1, other)]


def test_a_paused_schedule_asks_for_nothing_and_going_on_is_no_news(
    open_tutor: OpenTutor,
) -> None:
    tutor = open_tutor(deck_with(15))
    add_schedule(tutor)
    second = add_schedule(tutor, times="18:00")
    tutor.timetable.pause(GROUP, second.id)
    assert told_on(tutor, range(2), 10, 18) == []  # 13 left for 7
    tutor.timetable.resume(GROUP, second.id, slot_on(1, 19))
    assert told_on(tutor, range(2, 3), 10, 18) == [2]  # 12 left for 14
    tutor.timetable.pause(GROUP, second.id)
    assert told_on(tutor, range(3, 4), 10, 18) == []  # 10 left for 7
    tutor.timetable.resume(GROUP, second.id, slot_on(3, 19))
    assert told_on(tutor, range(4, 6), 10, 18) == []  # the same round
    assert told_on(tutor, range(6, 12), 10, 18) == [9]  # the next one


def test_what_was_low_for_two_schedules_is_told_anew_in_a_round_for_one(
    open_tutor: OpenTutor,
) -> None:
    tutor = open_tutor(deck_with(10))
    add_schedule(tutor)
    second = add_schedule(tutor, times="18:00")
    assert told_on(tutor, range(6), 10, 18) == [0]  # never enough; two asked in the second round
    tutor.timetable.remove(GROUP, second.id)
    assert told_on(tutor, range(6, 10)) == [7]


# Restarts and growing decks


def test_a_restart_tells_nothing_again(open_tutor: OpenTutor) -> None:
    told = []
    add_schedule(open_tutor(deck_with(10)))
    for day in range(12):
        told += told_on(open_tutor(deck_with(10)), range(day, day + 1))
    assert told == [3]


def test_what_could_not_be_told_is_tried_at_the_next_drop(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(8))
    add_schedule(tutor)
    look(tutor, slot_on(0))
    (untold,) = tutor.posting.due(slot_on(1), seed=1).low
    assert tutor.posting.due(slot_on(1, 12), seed=1).low == []
    (news,) = look(tutor, slot_on(2))
    assert "6 are left" in untold.sentence
    assert "5 are left" in news.sentence
    assert look(tutor, slot_on(3)) == []


def test_a_deck_that_grows_and_runs_low_again_is_told_again(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(deck_with(10))
    add_schedule(tutor)
    assert told_on(tutor, range(5)) == [3]
    tutor = open_tutor(deck_with(14))
    assert told_on(tutor, range(5, 14)) == [7]
    # Without ever having enough it is the same stock, though there is more of it.
    tutor = open_tutor(deck_with(3))
    assert told_on(tutor, range(14, 20)) == []
    tutor = open_tutor(deck_with(5))
    assert told_on(tutor, range(20, 30)) == []


def test_another_deck_under_the_same_name_is_another_stock(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(make_deck())
    tutor.library.put(deck_with(8, "own"), GROUP)
    add_schedule(tutor, deck="own")
    assert told_on(tutor, range(4)) == [1]
    new = make_deck(*[f"other{number}" for number in range(8)], name="own")
    tutor.library.put(new, GROUP)
    assert told_on(tutor, range(4, 8)) == [5]


# In Discord


@pytest.fixture
def decks() -> dict[Path, Deck]:
    return {Path("sample"): deck_with(9)}


async def set_schedule(world: World, deck: str) -> None:
    """One question a day, whose first slot is in five minutes."""
    at = f"{world.now + timedelta(minutes=5):%H:%M}"
    options = {"deck": deck, "channel": world.channel, "times": at, "zone": "UTC"}
    result = await world.ada.slash(world.channel, "schedule add", **options)
    assert "is set" in text_of(result)


def warnings(sent: list[Sent]) -> list[str]:
    """What the admins were told, in whatever room."""
    return [each.whole for each in sent if "⚠" in each.whole]


async def test_the_admins_read_it_once_through_restarts(world: World) -> None:
    await set_schedule(world, "sample")
    with recording() as sent:
        await world.wait(days=2)
        assert warnings(sent) == []
        await world.wait(days=1)
        (warning,) = warnings(sent)
        await world.restart()
        await world.wait(days=3)
        await world.restart()
        await world.wait(days=2)
    assert warnings(sent) == [warning]
    assert "The questions of the deck “sample” will repeat here from about" in warning
    assert "6 are left, and 7 are due in the next 7 days." in warning


async def test_an_upload_into_a_deck_that_runs_low_is_enough_for_a_while(world: World) -> None:
    def file(*numbers: int) -> bytes:
        return "\n\n".join(
            f"::q{n}:: Is {n} even? {{{'FT'[n % 2 == 0]}}}" for n in numbers
        ).encode()

    await upload(world, "few.gift", file(*range(7)), deck="own")
    await set_schedule(world, "own")
    with recording() as sent:
        await world.wait(days=1)
        (warning,) = warnings(sent)
        assert "/deck upload adds questions to it" in warning
        await upload(world, "more.gift", file(7, 8, 9), deck="own")
        await world.wait(days=2)
        assert len(warnings(sent)) == 1
        await world.wait(days=1)
        assert len(warnings(sent)) == 2


async def test_when_nobody_can_be_told_it_is_told_the_next_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await set_schedule(world, "sample")
    await world.wait(days=2)
    world.env.inject_error("POST", "/users/@me/channels", status=403, code=50007)
    await world.wait(hours=23)
    with recording() as sent:
        await world.wait(days=1)
    assert len(warnings(sent)) == 1


async def test_the_question_goes_first(world: World) -> None:
    await set_schedule(world, "sample")
    await world.wait(days=2)
    with recording() as sent:
        await world.wait(hours=1)
    posts = [each for each in sent if each.method == "POST" and "components" in each.whole]
    assert ["⚠" in each.whole for each in posts] == [False, True]


async def test_two_servers_are_told_at_the_same_moment(world: World) -> None:
    other = world.env.create_guild("Another group")
    room = other.create_text_channel("daily")
    await world.env.settle()
    at = f"{world.now + timedelta(minutes=5):%H:%M}"
    for group, channel in ((world.group, world.channel), (str(other.id), room)):
        terms = Terms(deck="sample", room=str(channel.id), open_minutes=60)
        await world.ask(
            lambda tutor, group=group, terms=terms: tutor.timetable.add(
                group, terms, times=at, days="every day", zone="UTC", now=world.now
            )
        )
    with recording() as sent:
        await world.wait(days=2, hours=1)  # three slots
    assert len(warnings(sent)) == 2


async def test_the_list_of_decks_says_how_long_each_lasts(world: World) -> None:
    async def listed() -> str:
        return text_of(await world.ben.slash(world.channel, "deck list"))

    assert "9 questions, 0 asked here · Basics" in await listed()
    await world.drop_now()
    assert "9 questions, 1 asked here, 8 left · Basics" in await listed()
    await set_schedule(world, "sample")
    assert "9 questions, 1 asked here, 8 left, about 8 days · Basics" in await listed()
    await world.wait(days=8)
    assert "9 questions, 9 asked here, 0 left · Basics" in await listed()
    await world.ada.slash(world.channel, "schedule pause", number=1)
    await world.drop_now()
    assert "9 questions, 9 asked here, 8 left · Basics" in await listed()
