"""Taking a drop back: all stands as if it had never been posted, and its message says so."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.errors import CannotVoid, DropVoided, UnknownDrop, Withheld
from bank.models import Drop, DropState, Follow, Step
from bank.store import Store, answers
from bank.tutor import Tutor
from bank.tutor.posting import CLAIM_LEASE
from bot.poster import Sent
from tests.conftest import OpenTutor
from tests.samples import (
    GROUP,
    MANY,
    NOW,
    add_schedule,
    drop_by_hand,
    drop_of,
    key_position,
    make_deck,
    post_due,
    slot_on,
)
from tests.world import World, buttons_of, text_of

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
MEMBERS = ("ada", "ben", "cleo")


def press(tutor: Tutor, drop: int, member: str, *, right: bool = True, **by: float) -> None:
    """Answer a drop some time after its slot, a second unless told."""
    tally = tutor.posting.tally(drop)
    position = (key_position(tutor, drop) + (not right)) % len(tally.drop.order)
    now = tally.drop.slot + timedelta(**(by or {"seconds": 1}))
    tutor.answering.press(drop, position, member, f"message-{drop}", now)


def rows(database: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(sql).fetchall()


def streaks_of(tutor: Tutor, now: Any, *members: str) -> list[int]:
    return [tutor.boards.standing(GROUP, member, now).streak.length for member in members]


# What counts


def test_the_day_of_a_voided_drop_costs_nobody_and_gives_nobody_anything(tutor: Tutor) -> None:
    # instructure/canvas-lms#1157
    add_schedule(tutor)
    for day, who in enumerate([("ada", "ben"), ("ada",), ("ada", "ben")]):
        [drop] = post_due(tutor, slot_on(day), seed=day)
        for member in who:
            press(tutor, drop, member)
    now = slot_on(3)
    assert streaks_of(tutor, now, "ada", "ben") == [3, 1]
    tutor.voiding.void(GROUP, 2, now)
    assert streaks_of(tutor, now, "ada", "ben") == [2, 2]
    ada = tutor.boards.standing(GROUP, "ada", now)
    assert (ada.answered, ada.judged, ada.right, ada.streak.kept) == (2, 2, 2, 2)


def test_days_keep_running_numbers_and_later_ones_move_down(tutor: Tutor, database: Path) -> None:
    add_schedule(tutor)
    posted = [post_due(tutor, slot_on(day), seed=day)[0] for day in range(6)]
    tutor.voiding.void(GROUP, 2, slot_on(6))
    assert [drop_of(tutor, drop).day for drop in posted] == [1, None, 2, 3, 4, 5]
    assert rows(database, "SELECT number, date FROM days ORDER BY number") == [
        (number, f"2026-03-{day:02}") for number, day in enumerate([2, 4, 5, 6, 7], start=1)
    ]
    [after] = post_due(tutor, slot_on(6), seed=6)
    assert drop_of(tutor, after).day == 6


def test_a_day_stays_while_another_drop_stands_in_it(tutor: Tutor) -> None:
    add_schedule(tutor, times="10:00, 12:00")
    [morning] = post_due(tutor, slot_on(0, 10))
    press(tutor, morning, "ada")
    [noon] = post_due(tutor, slot_on(0, 12))
    press(tutor, noon, "ben")
    tutor.voiding.void(GROUP, 1, slot_on(0, 12, 30))
    assert drop_of(tutor, noon).day == 1
    assert streaks_of(tutor, slot_on(0, 12, 30), "ada", "ben") == [0, 1]
    tutor.voiding.void(GROUP, 2, slot_on(0, 12, 30))
    assert streaks_of(tutor, slot_on(0, 12, 30), "ada", "ben") == [0, 0]
    assert tutor.boards.board(GROUP, slot_on(0, 12, 30)) == []


def test_a_freeze_that_was_spent_on_a_voided_day_is_given_back(tutor: Tutor) -> None:
    add_schedule(tutor)
    for day in range(8):
        [drop] = post_due(tutor, slot_on(day), seed=day)
        if day < 7:
            press(tutor, drop, "ada")
    now = slot_on(8)
    assert tutor.boards.standing(GROUP, "ada", now).streak.freezes == 0
    tutor.voiding.void(GROUP, 8, now)
    standing = tutor.boards.standing(GROUP, "ada", now)
    assert (standing.streak.length, standing.streak.freezes) == (7, 1)


def test_another_drop_of_the_day_is_then_the_one_that_extended_the_streak(tutor: Tutor) -> None:
    add_schedule(tutor, times="10:00, 10:30")
    [first] = post_due(tutor, slot_on(0, 10))
    press(tutor, first, "ada")
    [second] = post_due(tutor, slot_on(0, 10, 30))
    press(tutor, second, "ada")
    assert tutor.posting.reveal(second).extended == ()
    tutor.voiding.void(GROUP, 1, slot_on(0, 11))
    assert tutor.posting.reveal(second).extended == ("ada",)


def test_the_answers_stay_as_rows(tutor: Tutor, database: Path) -> None:
    add_schedule(tutor)
    [drop] = post_due(tutor, slot_on(0))
    press(tutor, drop, "ada")
    tutor.voiding.void(GROUP, 1, slot_on(0) + MINUTE)
    assert rows(database, "SELECT drop_id, member FROM answers") == [(drop, "ada")]


def test_a_group_takes_back_its_own_drops_alone(tutor: Tutor) -> None:
    other = "5001"
    for group in (GROUP, other):
        drop = drop_by_hand(tutor, group)
        tutor.posting.posted(drop.id, f"message-{drop.id}", NOW)
        press(tutor, drop.id, "ada")
    tutor.voiding.void(other, 1, NOW + MINUTE)
    assert streaks_of(tutor, NOW + MINUTE, "ada") == [1]
    with pytest.raises(CannotVoid, match="There is no question 2 here"):
        tutor.voiding.void(other, 2, NOW + MINUTE)


def test_taking_back_again_changes_nothing(tutor: Tutor, database: Path) -> None:
    add_schedule(tutor)
    for day in range(3):
        press(tutor, post_due(tutor, slot_on(day), seed=day)[0], "ada")
    first = tutor.voiding.void(GROUP, 2, slot_on(3))
    before = rows(database, "SELECT * FROM days"), rows(database, "SELECT * FROM streaks")
    again = tutor.voiding.void(GROUP, 2, slot_on(4))
    assert (first.new, again.new, again.tally) == (True, False, first.tally)
    assert before == (rows(database, "SELECT * FROM days"), rows(database, "SELECT * FROM streaks"))


def test_what_was_never_posted_cannot_be_taken_back(tutor: Tutor) -> None:
    add_schedule(tutor)
    [claimed] = tutor.posting.due(slot_on(0), 1).post
    tutor.posting.missed(claimed.id, "no room")
    with pytest.raises(CannotVoid, match="Question 1 was never posted"):
        tutor.voiding.void(GROUP, 1, slot_on(0))


def test_a_failure_in_the_middle_of_taking_back_leaves_all_as_it_was(
    tutor: Tutor, database: Path
) -> None:
    add_schedule(tutor)
    for day in range(3):
        press(tutor, post_due(tutor, slot_on(day), seed=day)[0], "ada")
    tutor._store.db.execute(
        "CREATE TEMP TRIGGER full BEFORE INSERT ON streaks BEGIN SELECT RAISE(ABORT, 'full'); END"
    )
    tables = ("days", "drops", "streaks")
    before = [rows(database, f"SELECT * FROM {table}") for table in tables]
    with pytest.raises(sqlite3.IntegrityError):
        tutor.voiding.void(GROUP, 2, slot_on(3))
    assert [rows(database, f"SELECT * FROM {table}") for table in tables] == before


# Presses, explanations, draws


@pytest.mark.parametrize("answered", [False, True])
def test_a_press_on_a_voided_drop_is_told_so_and_records_nothing(
    tutor: Tutor, database: Path, answered: bool
) -> None:
    add_schedule(tutor)
    [drop] = post_due(tutor, slot_on(0))
    if answered:
        press(tutor, drop, "ada")
    tutor.voiding.void(GROUP, 1, slot_on(0) + MINUTE)
    with pytest.raises(DropVoided, match="This question was taken back"):
        press(tutor, drop, "ada", minutes=2)
    assert len(rows(database, "SELECT * FROM answers")) == answered


def test_a_voided_drop_keeps_its_question_shut_no_longer(tutor: Tutor) -> None:
    add_schedule(tutor)
    [drop] = post_due(tutor, slot_on(0))
    question, now = drop_of(tutor, drop).question, slot_on(0) + MINUTE
    with pytest.raises(Withheld):
        tutor.explaining.explain(question, GROUP, "ada", now)
    tutor.voiding.void(GROUP, 1, now)
    assert tutor.explaining.explain(question, GROUP, "ada", now).question.id == question
    assert tutor.explaining.of_drop(drop, "ada", now).question.id == question
    assert tutor.explaining.to_all(question, GROUP, "ada", now).question.id == question


def test_a_member_of_a_voided_drop_alone_still_finds_the_groups_open_question_shut_elsewhere(
    tutor: Tutor,
) -> None:
    add_schedule(tutor)
    press(tutor, post_due(tutor, slot_on(0))[0], "ada")
    tutor.voiding.void(GROUP, 1, slot_on(0) + MINUTE)
    [drop] = post_due(tutor, slot_on(1), seed=2)
    with pytest.raises(Withheld):
        tutor.explaining.explain(drop_of(tutor, drop).question, "5001", "ada", slot_on(1) + MINUTE)


@pytest.mark.parametrize("seen", [True, False], ids=["seen", "never sent"])
def test_a_voided_question_counts_as_asked_once_it_was_seen(tutor: Tutor, seen: bool) -> None:
    drop = drop_by_hand(tutor)
    if seen:
        tutor.posting.posted(drop.id, "m", NOW)
    tutor.voiding.void(GROUP, 1, NOW)
    assert [use.asked for use in tutor.boards.decks(GROUP)] == [int(seen)]


# The way to Discord


def test_a_voided_claim_is_never_posted_and_its_slot_not_claimed_again(tutor: Tutor) -> None:
    add_schedule(tutor)
    [claimed] = tutor.posting.due(slot_on(0), 1).post
    tutor.voiding.void(GROUP, 1, slot_on(0))
    for minutes in (0, 2, 60, 61):
        work = tutor.posting.due(slot_on(0) + MINUTE * minutes, 1)
        assert (work.post, work.settle, work.reveal, work.follow) == ([], [], [], [])
    assert drop_of(tutor, claimed.id).state is DropState.VOIDED


@pytest.mark.parametrize("found_by", ["the shell", "a press"])
def test_a_message_that_was_on_its_way_when_its_drop_was_voided_is_taken_back_too(
    tutor: Tutor, found_by: str
) -> None:
    add_schedule(tutor, pin=True, thread=True)
    [claimed] = tutor.posting.due(slot_on(0), 1).post
    tutor.voiding.void(GROUP, 1, slot_on(0))
    assert tutor.posting.due(slot_on(0) + SECOND, 1).take_back == []  # it may be on its way
    if found_by == "the shell":
        tutor.posting.posted(claimed.id, "m", slot_on(0) + SECOND)
    else:
        with pytest.raises(DropVoided):
            tutor.answering.press(claimed.id, 0, "ada", "m", slot_on(0) + SECOND)
    work = tutor.posting.due(slot_on(0) + SECOND, 1)
    assert [(drop.id, drop.message, drop.day) for drop in work.take_back] == [
        (claimed.id, "m", None)
    ]
    assert work.follow == []
    tutor.voiding.shown(claimed.id)
    assert tutor.posting.due(slot_on(0) + HOUR, 1).take_back == []


def test_a_voided_claim_without_a_message_is_looked_for_once_its_lease_is_over(
    tutor: Tutor,
) -> None:
    add_schedule(tutor)
    [claimed] = tutor.posting.due(slot_on(0), 1).post
    tutor.voiding.void(GROUP, 1, slot_on(0))
    later = slot_on(0) + CLAIM_LEASE + SECOND
    assert [drop.id for drop in tutor.posting.due(later, 1).take_back] == [claimed.id]
    tutor.voiding.shown(claimed.id, shown=False)
    assert tutor.posting.due(later, 1).take_back == []
    with pytest.raises(DropVoided):  # it stands after all
        tutor.answering.press(claimed.id, 0, "ada", "m", later)
    assert [drop.message for drop in tutor.posting.due(later, 1).take_back] == ["m"]


def test_it_is_tried_for_a_day_to_say_that_a_drop_was_taken_back(tutor: Tutor) -> None:
    add_schedule(tutor)
    [drop] = post_due(tutor, slot_on(0))
    assert not tutor.voiding.may_still_show(drop, slot_on(0))
    tutor.voiding.void(GROUP, 1, slot_on(5))
    assert tutor.voiding.may_still_show(drop, slot_on(6) - SECOND)
    assert not tutor.voiding.may_still_show(drop, slot_on(6))
    with pytest.raises(UnknownDrop):
        tutor.voiding.shown(99)


def test_a_drop_that_is_pinned_is_unpinned_and_one_that_is_not_is_not_pinned_any_more(
    tutor: Tutor,
) -> None:
    pinned, unpinned = (drop_by_hand(tutor, pin=True, thread=True, seed=seed) for seed in (1, 2))
    for drop in (pinned, unpinned):
        tutor.posting.posted(drop.id, f"m{drop.id}", NOW)
    tutor.follow_ups.done(pinned.id, Follow.PIN)
    for number in (1, 2):
        tutor.voiding.void(GROUP, number, NOW)
    follow = {drop.id: drop.to_follow for drop in tutor.posting.due(NOW, 1).follow}
    assert follow == {pinned.id: [Follow.UNPIN]}
    # A pin that was under way came through only now.
    tutor.follow_ups.done(unpinned.id, Follow.PIN)
    tutor.follow_ups.done(pinned.id, Follow.UNPIN)
    follow = {drop.id: drop.to_follow for drop in tutor.posting.due(NOW, 1).follow}
    assert follow == {unpinned.id: [Follow.UNPIN]}
    assert drop_of(tutor, pinned.id).thread is Step.GIVEN_UP


def test_the_latest_drops_are_offered_by_number_and_stem(open_tutor: OpenTutor) -> None:
    slugs = [f"{what}-{chr(97 + n)}" for what in ("kettle", "teapot") for n in range(20)]
    tutor = open_tutor(make_deck(*slugs))
    for seed in range(30):
        drop = drop_by_hand(tutor, seed=seed)
        tutor.posting.posted(drop.id, f"m{drop.id}", NOW)
    tutor.voiding.void(GROUP, 30, NOW)
    tutor.posting.missed(drop_by_hand(tutor, seed=31).id, "no room")

    def numbers(typed: str) -> list[int]:
        return [offer.number for offer in tutor.voiding.offered(GROUP, typed)]

    assert numbers("") == list(range(29, 4, -1))
    assert numbers("2") == [*range(29, 19, -1), 2]
    kettles = numbers(" KETTLE")
    assert kettles
    assert all(drop_of(tutor, n).question.startswith("sample/kettle") for n in kettles)


# As if it had never been posted


@st.composite
def stories(draw: st.DrawFn) -> list[tuple[Any, ...]]:
    """Steps over a few weeks: drops, presses, waits, and drops taken back at any time."""
    step = st.one_of(
        st.tuples(st.just("drop"), st.sampled_from([60, 1440, 4320])),
        st.tuples(st.just("press"), st.integers(0, 3), st.sampled_from(MEMBERS), st.booleans()),
        st.tuples(st.just("wait"), st.sampled_from([0.1, 5, 24, 24, 48])),
        st.tuples(st.just("void"), st.integers(0, 4)),
    )
    return draw(st.lists(step, min_size=4, max_size=40))


def live(tutor: Tutor, story: Sequence[tuple[Any, ...]], never: set[int] | None) -> set[int]:
    """Play a story; the numbers that were taken back. Those in `never` are never posted at all."""
    now, numbers, voided = NOW, 0, set[int]()
    for step in story:
        match step:
            case ("drop", minutes):
                drop, numbers = drop_by_hand(tutor, open_minutes=minutes, now=now), numbers + 1
                if numbers in (never or ()):
                    tutor.posting.missed(drop.id, "never")
                else:
                    tutor.posting.posted(drop.id, f"m{drop.id}", now)
            case ("press", back, member, right):
                drop_id = numbers - back
                if drop_id > 0 and drop_id not in (voided | (never or set())):
                    tally = tutor.posting.tally(drop_id)
                    position = (key_position(tutor, drop_id) + (not right)) % 4
                    if tally.drop.takes_answers(now):
                        tutor.answering.press(drop_id, position, member, f"m{drop_id}", now)
            case ("wait", hours):
                now += timedelta(hours=hours)
            case ("void", back) if never is None and numbers - back > 0:
                tutor.voiding.void(GROUP, numbers - back, now)
                voided.add(numbers - back)
        tutor.posting.due(now, 1)
    return voided


def state(tutor: Tutor, store: Store, story: Sequence[tuple[Any, ...]]) -> Any:
    """All that a group can see of its days, streaks and scores, now and later."""
    end = NOW + timedelta(hours=sum(step[1] for step in story if step[0] == "wait"))
    moments = [end, end + HOUR, end + timedelta(days=5)]
    boards = [tutor.boards.board(GROUP, now) for now in moments]
    with store.reading() as db:
        stored = {
            member: streak
            for member, streak in answers.streaks(db, GROUP).items()
            if streak.kept  # who has no day left is known, but has nothing
        }
        days = db.conn.execute("SELECT * FROM days ORDER BY number").fetchall()
        drops = db.conn.execute(
            "SELECT number, day, state FROM drops WHERE day IS NOT NULL"
        ).fetchall()
    return boards, stored, days, drops


@settings(max_examples=60, deadline=None)
@given(story=stories())
def test_a_voided_drop_leaves_everything_as_if_it_had_never_been_posted(
    tmp_path_factory: pytest.TempPathFactory, story: list[tuple[Any, ...]]
) -> None:
    folder, voided, seen = tmp_path_factory.mktemp("void"), None, []
    for name in ("voided", "never"):
        with closing(Store(folder / f"{name}.db")) as store:
            store.db.execute("PRAGMA synchronous = OFF")
            tutor = Tutor(store, [make_deck(*MANY)])
            voided = live(tutor, story, voided)
            seen.append(state(tutor, store, story))
            tutor.library.close()
    assert seen[0] == seen[1]


# In Discord


@pytest.fixture
def decks() -> dict[Path, Any]:
    return {Path("sample"): make_deck("kettle")}


async def void(world: World, number: int, member: Any = None) -> Any:
    return await (member or world.ada).slash(world.channel, "drop void", number=number)


async def test_a_manager_takes_a_question_back_and_its_message_says_so(world: World) -> None:
    tally = await world.drop_now(pin=True)
    await world.press_right(world.ben, tally)
    result = await void(world, 1)
    assert result.ephemeral
    assert "Question 1 is taken back. Its 1 answer no longer counts" in text_of(result)
    message = world.message(tally)
    assert "This question was taken back." in text_of(message)
    assert "kettle" in text_of(message)
    assert buttons_of(message) == {}
    assert not message.pinned
    assert "had been taken back already" in text_of(await void(world, 1))
    assert "No answers here yet" in text_of(await world.ben.slash(world.channel, "streak show"))


async def test_a_revealed_question_is_taken_back_with_its_key_and_its_picture(world: World) -> None:
    tally = await world.drop_now()
    await world.wait(hours=2)
    assert "The key is" in text_of(world.message(tally))
    assert "Nobody had answered it" in text_of(await void(world, 1))
    assert "The key is" not in text_of(world.message(tally))
    await world.wait(hours=2)
    assert "This question was taken back." in text_of(world.message(tally))


async def test_a_reveal_that_comes_after_the_taking_back_shows_no_key(world: World) -> None:
    tally = await world.drop_now()
    world.sleep_until(tally.drop.closes_at)
    [closed] = (await world.ask(lambda tutor: tutor.posting.due(world.now, 1))).reveal
    await void(world, 1)
    with world.env._bot_scope():
        await world.client.reveals.reveal(closed)
    assert "This question was taken back." in text_of(world.message(tally))
    assert (await world.tally(1)).drop.state is DropState.VOIDED


async def test_only_managers_take_back_and_only_they_are_offered_numbers(world: World) -> None:
    await world.drop_now()
    offered = await world.ada.autocomplete(world.channel, "drop void", "number", "")
    assert [(each["value"], each["name"]) for each in offered] == [
        (1, "1: What is right about kettle?")
    ]
    for command in await world.client.tree.fetch_commands():
        if command.name == "drop":
            world.guild.set_command_permissions(command, {world.ben: True})
    assert await world.ben.autocomplete(world.channel, "drop void", "number", "") == []
    assert "Only members who may manage" in text_of(await void(world, 1, world.ben))
    assert (await world.tally(1)).drop.state is DropState.POSTED


async def test_what_cannot_be_taken_back_is_a_sentence(world: World) -> None:
    assert "There is no question 7 here." in text_of(await void(world, 7))


async def test_saying_that_it_was_taken_back_is_tried_again_while_discord_fails(
    world: World,
) -> None:
    tally = await world.drop_now()
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=503)
    await void(world, 1)
    assert "taken back" not in text_of(world.message(tally))
    late = await world.press(world.cleo, tally, 0)
    assert late.ephemeral
    assert "This question was taken back: no answer to it counts" in text_of(late)
    await world.wait(minutes=1)
    assert "This question was taken back." in text_of(world.message(tally))


async def test_a_voided_claim_is_not_sent_and_one_that_was_sent_is_found(world: World) -> None:
    claimed = await _claim(world)
    await void(world, 1)
    with world.env._bot_scope():
        assert await world.client.poster.post(claimed) is Sent.TAKEN_BACK
    before = len(list(world.channel.history()))
    await world.wait(minutes=3)
    assert len(list(world.channel.history())) == before
    second = await _claim(world)
    with world.env._bot_scope():
        tally = await world.tally(second.id)
        await world.client.poster._send(tally, ("Sample deck", "Basics"))  # killed after that
    await world.ask(lambda tutor: tutor.voiding.void(world.group, 2, world.now))
    await world.wait(minutes=2)  # found
    await world.wait(minutes=1)
    assert "This question was taken back." in text_of(world.message(await world.tally(2)))


async def _claim(world: World) -> Drop:
    from bank.models import Terms

    terms = Terms(deck="sample", room=str(world.channel.id), open_minutes=60)
    claimed: Drop = await world.ask(
        lambda tutor: tutor.posting.by_hand(world.group, terms, zone="UTC", now=world.now, seed=5)
    )
    return claimed


async def test_admins_hear_once_that_a_message_cannot_say_it(world: World) -> None:
    tally = await world.drop_now()
    for _ in range(2):
        world.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50013)
    await void(world, 1)
    await world.wait(minutes=2)
    await world.wait(minutes=3)
    assert "This question was taken back." in text_of(world.message(tally))
    told = [request for request in world.env.http_requests if "taken back does not" in str(request)]
    assert len(told) == 1
