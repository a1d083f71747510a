"""Presses: the first answer stands, is graded by option, keeps the day, and is on disk at once."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank import streaks
from bank.errors import (
    BadChoice,
    DatabaseBusy,
    DatabaseFull,
    DropClosed,
    DropVoided,
    QuizError,
    UnknownDrop,
)
from bank.models import DropState, Explain, Menu, Outcome, Streak
from bank.store import Store, answers
from bank.tutor import Tutor
from tests.conftest import OpenTutor
from tests.samples import (
    GROUP,
    MANY,
    NOW,
    add_schedule,
    drop_by_hand,
    key_position,
    make_deck,
    make_question,
    post_due,
    slot_on,
)

SECOND = timedelta(seconds=1)
SOON = slot_on(0) + SECOND
MEMBERS = ("ada", "ben", "cleo")
CHOOSE_TWO = make_deck().model_copy(update={"questions": (make_question(keys=(1, 3)),)})


def press(
    tutor: Tutor, drop: int, position: int, member: str = "ada", now: datetime | None = None
) -> Outcome:
    """A press on the drop's own message, a second after it was due unless a time is given."""
    moment = now or tutor.posting.tally(drop).drop.slot + SECOND
    return tutor.answering.press(drop, position, member, f"message-{drop}", moment)


def stored_streak(database: Path, member: str) -> Streak:
    with closing(Store(database)) as store, store.reading() as db:
        return answers.streak(db, GROUP, member)


@pytest.fixture
def drop(tutor: Tutor) -> int:
    """A drop that was posted at 10:00 and is open until 11:00."""
    add_schedule(tutor)
    return post_due(tutor, slot_on(0))[0]


# One answer


def test_the_first_answer_stands(tutor: Tutor, drop: int) -> None:
    # python-discord/sir-lancebot#903
    first = press(tutor, drop, 2)
    assert first.new
    for position in range(4):
        again = press(tutor, drop, position)
        assert not again.new
        assert again.answer == first.answer
    assert tutor.posting.tally(drop).answered == 1


def test_a_second_answer_is_refused_by_another_tutor_and_after_a_restart(
    tutor: Tutor, drop: int, open_tutor: OpenTutor
) -> None:
    # vertyco/vrt-cogs#116: old buttons work days later, so the rule must hold there too.
    first = press(tutor, drop, 1)
    assert press(open_tutor(), drop, 3).answer == first.answer
    tutor.close()
    outcome = press(open_tutor(), drop, 3)
    assert (outcome.new, outcome.answer) == (False, first.answer)


def test_presses_that_race_are_one_answer(tutor: Tutor, drop: int, database: Path) -> None:
    # mawoka-myblock/ClassQuiz#447
    ready = threading.Barrier(4)
    outcomes: list[Outcome] = []

    def race(position: int) -> None:
        with closing(Tutor.open(database, [make_deck()])) as racing:
            ready.wait(timeout=30)
            outcomes.append(press(racing, drop, position))

    threads = [threading.Thread(target=race, args=[position]) for position in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcome.new for outcome in outcomes) == [False, False, False, True]
    assert len({outcome.answer.options for outcome in outcomes}) == 1
    assert press(tutor, drop, 0).streak.length == 1


def test_a_burst_from_two_tutors_loses_nothing(tutor: Tutor, drop: int, database: Path) -> None:
    # sopel-irc/sopel#736
    def burst(name: str) -> None:
        with closing(Tutor.open(database, [make_deck()])) as bursting:
            for number in range(50):
                press(bursting, drop, number % 4, f"{name}-{number}")

    threads = [threading.Thread(target=burst, args=[name]) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert tutor.posting.tally(drop).answered == 100


def test_each_member_has_an_answer_of_their_own(tutor: Tutor, drop: int) -> None:
    outcomes = [press(tutor, drop, position, f"m{position}") for position in range(4)]
    assert [outcome.new for outcome in outcomes] == [True] * 4
    assert tutor.posting.tally(drop).counts == (1, 1, 1, 1)


def test_an_answer_is_on_disk_before_the_press_returns(
    tutor: Tutor, drop: int, database: Path
) -> None:
    outcome = press(tutor, drop, 2)
    with closing(sqlite3.connect(database)) as other:
        kept = other.execute("SELECT member, options FROM answers").fetchall()
        streak = other.execute("SELECT member, length, kept FROM streaks").fetchall()
    assert kept == [("ada", 1 << outcome.answer.options[0])]
    assert streak == [("ada", 1, 1)]


# Grading


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**62), key=st.integers(0, 3))
def test_an_answer_is_graded_by_option_under_every_order(
    tmp_path_factory: pytest.TempPathFactory, seed: int, key: int
) -> None:
    # fsense/cefra#117
    database = tmp_path_factory.mktemp("grading") / "quizdrop.db"
    deck = make_deck().model_copy(update={"questions": (make_question(keys=(key,)),)})
    with closing(Tutor.open(database, [deck])) as tutor:
        dropped = drop_by_hand(tutor, seed=seed)
        for position, option in enumerate(dropped.order):
            outcome = press(tutor, dropped.id, position, f"m{position}", NOW)
            assert outcome.answer.options == (option,)
            assert outcome.right == (option == key)
        assert tutor.posting.tally(dropped.id).counts == (1, 1, 1, 1)


def test_the_order_stays_as_it_was_stored(tutor: Tutor, drop: int, open_tutor: OpenTutor) -> None:
    # numbas/Numbas#313
    order = tutor.posting.tally(drop).drop.order
    tutor.close()
    reopened = open_tutor()
    assert reopened.posting.tally(drop).drop.order == order
    assert press(reopened, drop, order.index(1)).right


def test_a_drop_is_graded_by_the_text_it_posted(
    tutor: Tutor, drop: int, open_tutor: OpenTutor
) -> None:
    position = key_position(tutor, drop)
    tutor.close()
    new = tuple(make_question(slug, keys=(3,)) for slug in ("first", "second"))
    edited = make_deck().model_copy(update={"questions": new})
    assert press(open_tutor(edited), drop, position).right


# Several keys


@pytest.fixture
def several(open_tutor: OpenTutor) -> Tutor:
    """A tutor whose one drop, posted at 10:00 and open until 11:00, asks for two options."""
    tutor = open_tutor(CHOOSE_TWO)
    add_schedule(tutor)
    post_due(tutor, slot_on(0))
    return tutor


def choose(
    tutor: Tutor,
    *positions: int,
    member: str = "ada",
    now: datetime = SOON,
    message: str = "message-1",
    group: str | None = None,
) -> Outcome:
    return tutor.answering.choose(1, positions, member, message, now, group=group)


def positions_of(tutor: Tutor, *options: int) -> list[int]:
    return [tutor.posting.tally(1).drop.order.index(option) for option in options]


@pytest.mark.parametrize("chosen", list(permutations(range(4), 2)))
def test_a_choice_is_right_when_it_is_all_the_keys_and_nothing_else(
    several: Tutor, chosen: tuple[int, int]
) -> None:
    outcome = choose(several, *positions_of(several, *chosen))
    assert outcome.new
    assert outcome.answer.options == tuple(sorted(chosen))
    assert outcome.right == (set(chosen) == {1, 3})
    assert outcome.streak.length == 1
    later = several.boards.standing(GROUP, "ada", slot_on(0, 11))
    assert (later.answered, later.judged, later.right) == (1, 1, int(outcome.right))
    before = several.boards.standing(GROUP, "ada", slot_on(0, 10, 59))
    assert (before.answered, before.judged, before.right) == (1, 0, 0)


def test_each_option_is_counted_by_who_chose_it_and_each_member_once(several: Tutor) -> None:
    for member, chosen in (("ada", (1, 3)), ("ben", (1, 0)), ("cleo", (0, 1))):
        choose(several, *positions_of(several, *chosen), member=member)
    tally = several.posting.reveal(1).tally
    assert tally.counts == (2, 3, 0, 1)
    assert tally.answered == 3
    assert several.posting.reveal(1).extended == ("ada", "ben", "cleo")


def test_the_first_choice_stands_as_a_whole(several: Tutor, open_tutor: OpenTutor) -> None:
    first = choose(several, 0, 1)
    for positions in ((0, 1), (1, 2), (2, 3)):
        again = choose(several, *positions)
        assert (again.new, again.answer) == (False, first.answer)
    several.close()
    reopened = open_tutor(CHOOSE_TWO)
    assert choose(reopened, 2, 3).answer == first.answer
    assert choose(reopened, 2, 3, now=slot_on(5)).answer == first.answer
    assert reopened.posting.tally(1).answered == 1


@pytest.mark.parametrize(
    "positions", [(), (0,), (0, 1, 2), (0, 0), (0, 4), (0, 7), (-1, 0), (0, 1, 1), (10**30, 0)]
)
def test_a_choice_that_is_none_is_refused_and_nothing_is_recorded(
    several: Tutor, positions: tuple[int, ...]
) -> None:
    with pytest.raises(BadChoice, match="asks for exactly 2 different options"):
        choose(several, *positions)
    assert several.posting.tally(1).answered == 0
    assert several.boards.board(GROUP, slot_on(0)) == []


def test_one_letter_is_no_answer_where_two_are_asked_for(several: Tutor) -> None:
    with pytest.raises(BadChoice):
        press(several, 1, 0)
    assert several.posting.tally(1).answered == 0


def test_one_letter_confirms_no_drop_that_asks_for_two(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(CHOOSE_TWO)
    claimed = drop_by_hand(tutor)
    with pytest.raises(BadChoice):
        press(tutor, claimed.id, 0)
    assert tutor.posting.tally(claimed.id).drop == claimed


def test_a_choice_for_another_message_drop_or_group_is_refused(several: Tutor) -> None:
    # A menu may have been opened on the message of a database that was lost.
    with pytest.raises(UnknownDrop):
        choose(several, 0, 1, message="an-older-message")
    with pytest.raises(UnknownDrop):
        choose(several, 0, 1, group="another-group")
    with pytest.raises(UnknownDrop):
        several.answering.choose(2, (0, 1), "ada", "message-1", slot_on(0))
    assert several.posting.tally(1).answered == 0
    assert choose(several, 0, 1, group=GROUP).new


def test_a_choice_never_confirms_a_drop(open_tutor: OpenTutor) -> None:
    """Its message is the one that its menu names, on which nobody may have pressed."""
    tutor = open_tutor(CHOOSE_TWO)
    claimed = drop_by_hand(tutor)
    with pytest.raises(UnknownDrop):
        choose(tutor, 0, 1, now=NOW)
    assert tutor.posting.tally(claimed.id).drop == claimed


def test_a_choice_after_the_close_or_of_a_drop_taken_back_is_refused(several: Tutor) -> None:
    first = choose(several, 0, 1)
    with pytest.raises(DropClosed):
        choose(several, 0, 1, member="ben", now=slot_on(0, 11))
    assert choose(several, 2, 3, now=slot_on(0, 11)).answer == first.answer
    several.voiding.void(GROUP, 1, slot_on(0, 10, 30))
    for member in ("ada", "ben"):
        with pytest.raises(DropVoided):
            choose(several, 0, 1, member=member)
    assert several.boards.standing(GROUP, "ada", slot_on(1)).streak.length == 0


def open_menu(
    tutor: Tutor,
    member: str = "ada",
    message: str = "message-1",
    now: datetime = SOON,
    group: str | None = None,
) -> Menu | Outcome:
    return tutor.answering.open_menu(1, member, message, now, group=group)


def test_a_menu_is_opened_as_often_as_one_likes_and_records_nothing(several: Tutor) -> None:
    for _ in range(3):
        menu = open_menu(several)
        assert isinstance(menu, Menu)
        assert menu.question == CHOOSE_TWO.questions[0]
        assert menu.drop == several.posting.tally(1).drop
    assert several.posting.tally(1).answered == 0


def test_who_has_answered_reads_that_and_gets_no_menu(several: Tutor) -> None:
    first = choose(several, 0, 1)
    for now in (slot_on(0, 10, 59), slot_on(0, 11), slot_on(3)):
        outcome = open_menu(several, now=now)
        assert isinstance(outcome, Outcome)
        assert (outcome.new, outcome.answer) == (False, first.answer)
    assert isinstance(open_menu(several, "ben"), Menu)


def test_no_menu_opens_where_no_answer_is_taken(several: Tutor) -> None:
    for wrong in ({"message": "an-older-message"}, {"group": "another-group"}):
        with pytest.raises(UnknownDrop):
            open_menu(several, **wrong)
    with pytest.raises(UnknownDrop):
        several.answering.open_menu(2, "ada", "message-1", slot_on(0))
    with pytest.raises(DropClosed):
        open_menu(several, now=slot_on(0, 11))
    several.voiding.void(GROUP, 1, slot_on(0, 10, 30))
    with pytest.raises(DropVoided):
        open_menu(several)


def test_opening_a_menu_before_the_confirmation_confirms_the_drop(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(CHOOSE_TWO)
    drop_by_hand(tutor)
    menu = open_menu(tutor, message="stands-as", now=NOW)
    assert isinstance(menu, Menu)
    confirmed = tutor.posting.tally(1).drop
    assert (confirmed.state, confirmed.message, confirmed.day) == (DropState.POSTED, "stands-as", 1)
    assert menu.drop == confirmed
    assert choose(tutor, 0, 1, message="stands-as", now=NOW).new


def test_a_menu_of_a_drop_taken_back_while_it_was_sent_writes_its_message_down(
    open_tutor: OpenTutor,
) -> None:
    tutor = open_tutor(CHOOSE_TWO)
    drop_by_hand(tutor)
    tutor.voiding.void(GROUP, 1, NOW)
    with pytest.raises(DropVoided):
        open_menu(tutor, message="stands-as", now=NOW)
    assert tutor.posting.tally(1).drop.message == "stands-as"


def test_choices_that_race_are_one_answer(several: Tutor, database: Path) -> None:
    ready = threading.Barrier(4)
    outcomes: list[Outcome] = []

    def race(first: int) -> None:
        with closing(Tutor.open(database, [CHOOSE_TWO])) as racing:
            ready.wait(timeout=30)
            outcomes.append(choose(racing, first, (first + 1) % 4))

    threads = [threading.Thread(target=race, args=[first]) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcome.new for outcome in outcomes) == [False, False, False, True]
    assert len({outcome.answer.options for outcome in outcomes}) == 1
    assert several.posting.tally(1).answered == 1


# What is refused


def test_a_closed_drop_is_refused_but_shows_an_earlier_answer(tutor: Tutor, drop: int) -> None:
    first = press(tutor, drop, 2)
    # At the close itself, whether or not anybody has asked what is due.
    for now in (slot_on(0, 11), slot_on(5)):
        with pytest.raises(DropClosed):
            press(tutor, drop, 2, "ben", now)
        late = press(tutor, drop, 0, "ada", now)
        assert (late.new, late.answer) == (False, first.answer)
        tutor.posting.due(now, seed=1)
    tutor.posting.revealed(drop)
    assert press(tutor, drop, 0, "ada", slot_on(5)).answer == first.answer
    assert tutor.posting.tally(drop).answered == 1


def test_an_answer_just_before_the_close_counts(tutor: Tutor, drop: int) -> None:
    assert press(tutor, drop, 0, now=slot_on(0, 11) - timedelta(microseconds=1)).new


@pytest.mark.parametrize(
    ("wrong_drop", "position", "refusal"),
    [(1, 0, UnknownDrop), (0, 4, BadChoice), (0, 7, BadChoice), (0, -1, BadChoice)],
)
def test_an_unknown_drop_or_position_is_refused_and_nothing_is_recorded(
    tutor: Tutor, drop: int, wrong_drop: int, position: int, refusal: type[QuizError]
) -> None:
    with pytest.raises(refusal):
        press(tutor, drop + wrong_drop, position, now=slot_on(0))
    assert tutor.posting.tally(drop).answered == 0
    assert tutor.boards.board(GROUP, slot_on(0)) == []


def test_a_press_on_another_message_or_in_another_group_is_refused_and_nothing_is_recorded(
    tutor: Tutor, drop: int
) -> None:
    # An older message may carry the id of a newer drop: where a database was lost, ids begin anew.
    message, now = f"message-{drop}", slot_on(0)
    with pytest.raises(UnknownDrop):
        tutor.answering.press(drop, 0, "ada", "an-older-message", now, group=GROUP)
    with pytest.raises(UnknownDrop):
        tutor.answering.press(drop, 0, "ada", message, now, group="another-group")
    assert tutor.posting.tally(drop).answered == 0
    assert tutor.answering.press(drop, 0, "ada", message, now, group=GROUP).new


def test_a_press_in_another_group_confirms_no_drop(tutor: Tutor) -> None:
    add_schedule(tutor)
    [claimed] = tutor.posting.due(slot_on(0), seed=1).post
    with pytest.raises(UnknownDrop):
        tutor.answering.press(claimed.id, 0, "ada", "m", slot_on(0), group="another-group")
    assert tutor.posting.tally(claimed.id).drop == claimed


def test_a_missed_drop_takes_no_answer(tutor: Tutor) -> None:
    add_schedule(tutor)
    [claimed] = tutor.posting.due(slot_on(0), seed=1).post
    tutor.posting.missed(claimed.id, "no room")
    with pytest.raises(DropClosed):
        press(tutor, claimed.id, 0)


# A press that comes in before the shell could confirm the drop


def test_a_press_before_the_confirmation_confirms_the_drop_and_counts(tutor: Tutor) -> None:
    add_schedule(tutor)
    [claimed] = tutor.posting.due(slot_on(0), seed=1).post
    outcome = tutor.answering.press(claimed.id, 0, "ada", "stands-as", slot_on(0) + SECOND)
    assert outcome.new
    assert outcome.streak.length == 1
    confirmed = tutor.posting.tally(claimed.id).drop
    assert (confirmed.state, confirmed.message, confirmed.day) == (DropState.POSTED, "stands-as", 1)
    assert outcome.drop == confirmed
    assert tutor.posting.posted(claimed.id, "stands-as", slot_on(0) + 2 * SECOND).drop == confirmed
    assert tutor.posting.due(slot_on(0, 10, 30), seed=1).settle == []


def test_a_press_that_confirms_a_drop_clears_the_problem_of_its_schedule(tutor: Tutor) -> None:
    add_schedule(tutor)
    [missed] = tutor.posting.due(slot_on(0), seed=1).post
    tutor.posting.missed(missed.id, "no room")
    [claimed] = tutor.posting.due(slot_on(1), seed=1).post
    press(tutor, claimed.id, 0)
    tutor.posting.posted(claimed.id, f"message-{claimed.id}", slot_on(1))
    assert tutor.timetable.schedules(GROUP)[0].problem is None


# The explanation


def test_the_outcome_is_explained_at_once_by_default(tutor: Tutor, drop: int) -> None:
    assert press(tutor, drop, 0).explained


def test_explain_at_close_keeps_the_explanation_until_the_close(tutor: Tutor) -> None:
    add_schedule(tutor, explain=Explain.AT_CLOSE)
    [drop] = post_due(tutor, slot_on(0))
    assert not press(tutor, drop, 0).explained
    assert not press(tutor, drop, 0, now=slot_on(0, 11) - SECOND).explained
    assert press(tutor, drop, 0, now=slot_on(0, 11)).explained


# Streaks, as members see them


def live_through(tutor: Tutor, days: str, member: str = "ada") -> Outcome:
    """One letter per day: k keeps it, m misses it, n has no drop. The outcome of the last k."""
    add_schedule(tutor)
    outcome = None
    for day, kind in enumerate(days):
        if kind == "n":
            [claimed] = tutor.posting.due(slot_on(day), seed=day).post
            tutor.posting.missed(claimed.id, "no room")
            continue
        [drop] = post_due(tutor, slot_on(day), seed=day)
        if kind == "k":  # right or wrong does not matter, so take each in turn
            outcome = press(tutor, drop, day % 4, member)
    assert outcome is not None
    return outcome


@pytest.mark.parametrize(
    ("days", "length", "best", "freezes", "kept"),
    [
        ("k", 1, 1, 0, 1),
        ("kkk", 3, 3, 0, 3),
        ("kkmk", 1, 2, 0, 3),
        ("mmmk", 1, 1, 0, 1),  # before the first answer there is nothing to miss
        ("knnnk", 2, 2, 0, 2),  # HabitRPG/habitica#933
        ("kkkkkk", 6, 6, 0, 6),
        ("kkkkkkk", 7, 7, 1, 7),
        ("kkkkkkkmk", 8, 8, 0, 8),  # meditohq/medito-app#715
        ("kkkkkkkmmk", 1, 7, 0, 8),  # bug-ops/helix-trainer#325
        ("kkkkkkkmkkkkkk", 13, 13, 0, 13),
        ("kkkmkkkk", 4, 4, 0, 7),  # the run towards a freeze begins anew
        ("kkkkkkkkkkmkkkk", 14, 14, 0, 14),  # after a day that was saved, too
        ("kkkkkkkmkkkkkkk", 14, 14, 1, 14),
        ("kkkkkkknnk", 8, 8, 1, 8),
        ("k" * 14, 14, 14, 2, 14),
        ("k" * 28, 28, 28, 2, 28),
        ("k" * 14 + "mmk", 15, 15, 0, 15),
        ("k" * 14 + "mmmk", 1, 14, 0, 15),
    ],
)
def test_a_streak_follows_the_rules(
    tutor: Tutor, database: Path, days: str, length: int, best: int, freezes: int, kept: int
) -> None:
    seen = live_through(tutor, days).streak
    assert (seen.length, seen.best, seen.freezes, seen.kept) == (length, best, freezes, kept)
    assert seen == stored_streak(database, "ada")


def test_answers_of_others_do_not_touch_a_streak(tutor: Tutor, database: Path) -> None:
    live_through(tutor, "kkk")
    [drop] = post_due(tutor, slot_on(3))
    before = stored_streak(database, "ada")
    press(tutor, drop, 0, "ben")
    assert stored_streak(database, "ada") == before
    assert stored_streak(database, "ben").length == 1


def test_a_second_drop_of_the_day_adds_nothing(tutor: Tutor) -> None:
    add_schedule(tutor, times="10:00, 12:00")
    lengths = [
        press(tutor, post_due(tutor, slot_on(day, hour))[0], 0).streak.length
        for day in range(2)
        for hour in (10, 12)
    ]
    assert lengths == [1, 1, 2, 2]


def test_either_drop_of_a_day_keeps_it(tutor: Tutor) -> None:
    add_schedule(tutor, times="10:00, 12:00")
    lengths = []
    for day, answered in enumerate([10, 12, 10]):
        for hour in (10, 12):
            [drop] = post_due(tutor, slot_on(day, hour))
            if hour == answered:
                lengths.append(press(tutor, drop, 0).streak.length)
    assert lengths == [1, 2, 3]


def test_the_newest_day_breaks_nothing_while_it_is_open(tutor: Tutor) -> None:
    add_schedule(tutor, times="10:00, 12:00")
    [first] = post_due(tutor, slot_on(0))
    press(tutor, first, 0)
    post_due(tutor, slot_on(1))
    post_due(tutor, slot_on(1, 12))

    def length(now: datetime) -> int:
        return press(tutor, first, 0, now=now).streak.length

    assert length(slot_on(1, 10, 30)) == 1
    assert length(slot_on(1, 11, 30)) == 1  # the second drop keeps the day open
    assert length(slot_on(1, 12, 59)) == 1
    assert length(slot_on(1, 13)) == 0


def test_an_answer_to_an_older_drop_that_is_still_open_repairs_the_streak(
    open_tutor: OpenTutor, database: Path
) -> None:
    tutor = open_tutor(make_deck(*MANY))
    # DankMemer/dank-memer-suggestions-and-bugs#772
    add_schedule(tutor, open_minutes=3 * 24 * 60)
    [first] = post_due(tutor, slot_on(0))
    assert press(tutor, first, 0).streak.length == 1
    [second], [third] = post_due(tutor, slot_on(1)), post_due(tutor, slot_on(2))
    assert press(tutor, third, 0).streak.length == 1
    repaired = press(tutor, second, 0, now=slot_on(2, 12))
    assert repaired.streak == Streak(length=3, best=3, run=3, last_day=3, kept=3)
    assert stored_streak(database, "ada") == repaired.streak


def test_a_freeze_that_was_spent_comes_back_with_a_repair(tutor: Tutor) -> None:
    add_schedule(tutor, open_minutes=2 * 24 * 60)
    for day in range(9):
        [drop] = post_due(tutor, slot_on(day))
        if day == 7:
            left_out = drop
        else:
            spent = press(tutor, drop, 0).streak
    assert (spent.length, spent.freezes) == (8, 0)
    repaired = press(tutor, left_out, 0, now=slot_on(8, 11)).streak
    assert (repaired.length, repaired.freezes, repaired.run) == (9, 1, 2)


event = st.one_of(
    st.tuples(st.just("post"), st.integers(1, 30)),
    st.tuples(st.just("miss"), st.integers(1, 30)),
    st.tuples(st.just("wait"), st.integers(1, 60)),
    st.tuples(st.just("restart"), st.just(0)),
    st.tuples(st.sampled_from(MEMBERS), st.integers(0, 5)),
    st.tuples(st.sampled_from(MEMBERS), st.integers(0, 5)),
    st.tuples(st.sampled_from(MEMBERS), st.integers(0, 5)),
)


class History:
    """Lets events happen to a tutor, and keeps its own note of the days each member kept."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.tutor = Tutor.open(database, [make_deck(*MANY)])
        self.now = NOW
        self.open_drops: list[int] = []  # newest first
        self.kept: dict[str, set[int]] = {member: set() for member in MEMBERS}

    def happens(self, kind: str, number: int) -> None:
        if kind in ("post", "miss"):
            self._drop(hours=number, posted=kind == "post")
        elif kind == "wait":
            self.now += timedelta(hours=number)
            self._close()
        elif kind == "restart":
            self.tutor.close()
            self.tutor = Tutor.open(self.database, [make_deck(*MANY)])
        elif self.open_drops:
            self._press(kind, self.open_drops[number % len(self.open_drops)])

    def _drop(self, hours: int, posted: bool) -> None:
        self.now += timedelta(hours=hours)
        drop = drop_by_hand(
            self.tutor, open_minutes=60 * (10 + hours * 2), now=self.now, seed=hours
        )
        if posted:
            self.tutor.posting.posted(drop.id, f"m{drop.id}", self.now)
            self.open_drops.insert(0, drop.id)
        else:
            self.tutor.posting.missed(drop.id, "no room")
        self._close()

    def _close(self) -> None:
        over = {drop.id for drop in self.tutor.posting.due(self.now, seed=1).reveal}
        self.open_drops = [drop for drop in self.open_drops if drop not in over]

    def _press(self, member: str, drop: int) -> None:
        outcome = self.tutor.answering.press(drop, 0, member, f"m{drop}", self.now)
        assert outcome.drop.day is not None
        self.kept[member].add(outcome.drop.day)

    def check(self) -> None:
        for member, days in self.kept.items():
            assert stored_streak(self.database, member) == streaks.rebuild(days)


@settings(max_examples=60, deadline=None)
@given(events=st.lists(event, min_size=5, max_size=40))
def test_a_stored_streak_equals_a_rebuild_after_any_history(
    tmp_path_factory: pytest.TempPathFactory, events: list[tuple[str, int]]
) -> None:
    # dailydotdev/daily#1464
    history = History(tmp_path_factory.mktemp("history") / "quizdrop.db")
    with closing(history.tutor):
        for kind, number in events:
            history.happens(kind, number)
        history.check()
        history.tutor.close()


# A database that cannot be written to


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    """A store that waits for a lock only for a moment."""
    with closing(Store(database)) as store:
        store.db.conn.execute("PRAGMA busy_timeout = 50")
        yield store


@pytest.fixture
def impatient(store: Store) -> Iterator[Tutor]:
    tutor = Tutor(store, [make_deck()])
    yield tutor
    tutor.library.close()


def test_a_busy_database_is_told_in_a_sentence_and_nothing_is_recorded(
    drop: int, impatient: Tutor, database: Path
) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusy, match="busy, so this was not recorded"):
            press(impatient, drop, 0)
        other.execute("ROLLBACK")
    assert impatient.posting.tally(drop).answered == 0
    assert press(impatient, drop, 0).new


def test_a_lock_that_is_let_go_in_time_is_waited_for(
    tutor: Tutor, drop: int, database: Path
) -> None:
    # Stefouch/sebedius-yearzero-discord-bot#176
    locked = threading.Event()

    def hold() -> None:
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            locked.set()
            time.sleep(0.3)
            other.execute("COMMIT")

    holder = threading.Thread(target=hold)
    holder.start()
    locked.wait()
    assert press(tutor, drop, 0).new
    holder.join()


def test_a_full_disk_is_told_in_a_sentence_and_nothing_is_half_written(
    drop: int, store: Store, impatient: Tutor
) -> None:
    [pages] = store.db.conn.execute("PRAGMA page_count").fetchone()
    store.db.conn.execute(f"PRAGMA max_page_count = {pages}")
    told: list[str] = []

    def fill() -> None:
        for number in range(2000):
            press(impatient, drop, number % 4, f"a-member-with-a-rather-long-name-{number}")
            told.append(f"a-member-with-a-rather-long-name-{number}")

    with pytest.raises(DatabaseFull, match="no room left on the disk"):
        fill()
    assert impatient.posting.tally(drop).answered == len(told)
    streaks_of = {each.member for each in impatient.boards.board(GROUP, NOW, limit=9999)}
    assert streaks_of == set(told)

    store.db.conn.execute(f"PRAGMA max_page_count = {pages + 100}")
    assert press(impatient, drop, 0, "one more").new
    assert press(impatient, drop, 0, told[0]).streak.length == 1
