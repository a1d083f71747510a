"""Rule 6: a streak is fair. Its sentences one by one, then any life against a day-by-day model."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.errors import DropClosed
from bank.models import Mark, Streak
from bank.store import Store, answers
from bank.streaks import days_to_freeze, history, keep, rebuild, standing
from bank.tutor import Tutor
from tests.conftest import OpenTutor
from tests.samples import GROUP, MANY, add_schedule, key_position, make_deck, post_due, slot_on

MEMBER = "5001"


def lived(calendar: str) -> Streak:
    """The streak after a calendar such as "kk.k": a letter for each question day from day 1,
    k for a kept one, any other for a missed one.
    """
    return lived_through(
        {day for day, mark in enumerate(calendar, 1) if mark == "k"}, len(calendar)
    )


def lived_through(kept: Iterable[int], end: int) -> Streak:
    """The streak at the end of day `end`. Takes rebuild and standing."""
    return standing(rebuild(kept), end, False)


# --- sentence by sentence -----------------------------------------------------------------------


def test_a_kept_day_adds_one() -> None:
    assert [lived("k" * days).length for days in range(1, 30)] == list(range(1, 30))


def test_a_second_answer_on_the_same_day_adds_nothing() -> None:
    once = lived("kk")
    assert keep(once, 2) == once


def test_the_seventh_day_in_a_row_earns_a_freeze() -> None:
    assert [lived("k" * days).freezes for days in range(1, 9)] == [0, 0, 0, 0, 0, 0, 1, 1]


def test_two_freezes_at_most_are_held() -> None:
    assert [lived("k" * days).freezes for days in (13, 14, 21, 28, 100)] == [1, 2, 2, 2, 2]


def test_a_missed_day_spends_a_freeze_and_adds_nothing() -> None:
    # meditohq/medito-app#715
    before, after = lived("kkkkkkk"), lived("kkkkkkk.")
    assert (before.length, before.freezes) == (7, 1)
    assert (after.length, after.freezes, after.kept, after.best) == (7, 0, 7, 7)
    assert lived("kkkkkkk.k").length == 8


def test_a_missed_day_without_a_freeze_ends_the_streak() -> None:
    assert lived("kkkkkk.").length == 0
    assert lived("kkkkkk.k").length == 1
    assert lived("kkkkkk.k").best == 6


def test_each_missed_day_spends_its_own_freeze() -> None:
    # bug-ops/helix-trainer#325
    two_held = "k" * 14
    assert [lived(two_held + "." * missed).length for missed in (1, 2, 3)] == [14, 14, 0]
    assert [lived(two_held + "." * missed).freezes for missed in (1, 2, 3)] == [1, 0, 0]


def test_a_freeze_does_not_cover_sixty_days() -> None:
    # bug-ops/helix-trainer#325
    assert lived("k" * 14 + "." * 60).length == 0
    back = lived("k" * 14 + "." * 60 + "k")
    assert (back.length, back.freezes, back.best, back.kept) == (1, 0, 14, 15)


def test_a_frozen_day_interrupts_the_run_towards_the_next_freeze() -> None:
    saved = "kkkkkkk" + "kkkkkk" + "."  # six days of the second seven, then a frozen one
    assert lived(saved).freezes == 0
    assert [lived(saved + "k" * days).freezes for days in (1, 6, 7)] == [0, 0, 1]
    assert lived(saved + "k" * 7).length == 20


def test_a_run_completed_while_two_are_held_is_not_saved_up() -> None:
    full = "k" * 21
    assert lived(full + ".").freezes == 1
    assert [lived(full + "." + "k" * days).freezes for days in (6, 7)] == [1, 2]


def test_a_streak_that_ended_leaves_no_run_behind() -> None:
    assert lived("kkkkk." + "kk").freezes == 0
    assert [lived("kkkkk." + "k" * days).freezes for days in (6, 7)] == [0, 1]


def test_days_before_the_first_kept_day_do_not_exist() -> None:
    late = rebuild([500])
    assert (late.length, late.best, late.kept) == (1, 1, 1)
    assert rebuild(range(500, 507)).freezes == 1
    assert standing(Streak(), 500, False) == Streak()


def test_the_newest_day_breaks_nothing_while_it_is_open() -> None:
    streak = rebuild([1, 2, 3])
    assert standing(streak, 4, True) == streak
    assert standing(streak, 4, False).length == 0


def test_the_newest_day_spends_no_freeze_while_it_is_open() -> None:
    streak = rebuild(range(1, 8))
    assert standing(streak, 8, True).freezes == 1
    assert standing(streak, 8, False).freezes == 0


def test_an_open_day_hides_no_day_missed_before_it() -> None:
    assert standing(rebuild([1, 2, 3]), 5, True).length == 0


def test_an_open_day_that_is_kept_already_counts() -> None:
    streak = rebuild([1, 2, 3])
    assert standing(streak, 3, True) == streak
    assert standing(streak, 3, False) == streak


def test_a_day_that_lies_before_the_last_is_refused_and_named() -> None:
    with pytest.raises(ValueError, match=r"day 3 lies before day 5: rebuild"):
        keep(rebuild([5]), 3)


@pytest.mark.parametrize("calendar", ["k", "kkkkkk", "kkkkkkk", "kkkkkkkkk", "kkkkkkk.k", "kkk.k"])
def test_the_promised_number_of_days_earns_the_next_freeze(calendar: str) -> None:
    streak = lived(calendar)
    days = days_to_freeze(streak)
    assert days is not None
    assert lived(calendar + "k" * (days - 1)).freezes == streak.freezes
    assert lived(calendar + "k" * days).freezes == streak.freezes + 1


def test_no_next_freeze_is_promised_while_two_are_held() -> None:
    assert days_to_freeze(lived("k" * 14)) is None
    assert days_to_freeze(lived("k" * 20)) is None


# --- any life -----------------------------------------------------------------------------------


def day_by_day(kept: set[int], end: int) -> Streak:
    """The rule read out day by day, as a member with a paper calendar would."""
    length = best = freezes = 0
    in_a_row = 0
    for day in range(min(kept, default=end + 1), end + 1):
        if day in kept:
            length += 1
            in_a_row += 1
            best = max(best, length)
            if in_a_row % 7 == 0 and freezes < 2:
                freezes += 1
            continue
        in_a_row = 0
        if freezes:
            freezes -= 1
        else:
            length = 0
    return Streak(
        length=length,
        best=best,
        freezes=freezes,
        run=in_a_row % 7,
        last_day=max(kept, default=0),
        kept=len(kept),
    )


@st.composite
def kept_days(draw: st.DrawFn) -> set[int]:
    """Kept days of one life: stretches of kept days with pauses between, long enough to matter."""
    first = draw(st.integers(1, 50))
    stretches = draw(st.lists(st.tuples(st.integers(1, 16), st.integers(1, 4)), max_size=8))
    kept: set[int] = set()
    for stretch, pause in stretches:
        kept |= set(range(first, first + stretch))
        first += stretch + pause
    return kept


SOME_LIFE = st.one_of(kept_days(), st.sets(st.integers(1, 90), max_size=60))


@settings(max_examples=300, deadline=None)
@given(SOME_LIFE)
def test_a_rebuild_is_what_the_days_one_by_one_make(kept: set[int]) -> None:
    assert rebuild(kept) == day_by_day(kept, max(kept, default=0))


@settings(max_examples=300, deadline=None)
@given(SOME_LIFE, st.integers(0, 70), st.booleans())
def test_a_standing_is_what_the_days_one_by_one_make(
    kept: set[int], later: int, is_open: bool
) -> None:
    last = max(kept, default=0)
    newest = last + later
    through = max(last, newest - 1 if is_open else newest)
    assert standing(rebuild(kept), newest, is_open) == day_by_day(kept, through)


@settings(max_examples=300, deadline=None)
@given(SOME_LIFE, st.integers(0, 70), st.booleans())
def test_a_history_marks_every_day_once_and_adds_up_to_the_standing(
    kept: set[int], later: int, is_open: bool
) -> None:
    newest = max(kept, default=0) + later
    marked = history(kept, newest, is_open)
    assert [day for day, _ in marked] == list(range(min(kept, default=newest + 1), newest + 1))
    assert {day for day, mark in marked if mark is Mark.KEPT} == kept
    still_open = {newest} if is_open and kept and newest not in kept else set()
    assert {day for day, mark in marked if mark is Mark.OPEN} == still_open
    marks = [mark for _, mark in marked]
    last_miss = len(marks) - marks[::-1].index(Mark.MISSED) if Mark.MISSED in marks else 0
    now = standing(rebuild(kept), newest, is_open)
    assert marks[last_miss:].count(Mark.KEPT) == now.length


@settings(max_examples=300, deadline=None)
@given(SOME_LIFE, st.integers(0, 70))
def test_a_day_is_marked_frozen_when_the_days_one_by_one_spend_a_freeze_on_it(
    kept: set[int], later: int
) -> None:
    newest = max(kept, default=0) + later
    frozen = {day for day, mark in history(kept, newest, False) if mark is Mark.FROZEN}
    first = min(kept, default=newest)
    spent = {
        day
        for day in range(first + 1, newest + 1)
        if day_by_day({k for k in kept if k < day}, day).freezes
        < day_by_day({k for k in kept if k < day}, day - 1).freezes
        and day not in kept
    }
    assert frozen == spent


def arrive(streak: Streak, so_far: set[int], day: int) -> Streak:
    """What taking an answer does: one step, or a rebuild when it came to an older open drop."""
    return keep(streak, day) if day >= streak.last_day else rebuild(so_far | {day})


@st.composite
def arrivals(draw: st.DrawFn) -> list[int]:
    """Question days in the order in which a member's answers to them come in, some twice."""
    days = sorted(draw(SOME_LIFE))
    return draw(st.one_of(st.just(days), st.permutations(days))) + days[:3]


@settings(max_examples=200, deadline=None)
@given(arrivals())
def test_in_whatever_order_answers_come_in_the_streak_is_the_rebuild(order: list[int]) -> None:
    # dailydotdev/daily#1464: a restored streak is lost again
    streak, so_far = Streak(), set[int]()
    for day in order:
        streak = arrive(streak, so_far, day)
        so_far.add(day)
        assert streak == rebuild(so_far)


@settings(max_examples=200, deadline=None)
@given(arrivals())
def test_best_never_falls(order: list[int]) -> None:
    seen = list(accumulate(order, lambda days, day: days | {day}, initial=set[int]()))
    bests = [rebuild(days).best for days in seen]
    assert all(before <= after for before, after in pairwise(bests))


@settings(max_examples=300, deadline=None)
@given(SOME_LIFE, st.integers(1, 90))
def test_one_more_kept_day_never_costs_anything(kept: set[int], day: int) -> None:
    end = max(kept | {day})
    without, with_it = lived_through(kept, end), lived_through(kept | {day}, end)
    assert with_it.length >= without.length
    assert with_it.best >= without.best
    assert with_it.freezes >= without.freezes


@settings(max_examples=300, deadline=None)
@given(SOME_LIFE, st.integers(0, 70))
def test_a_streak_stays_within_its_bounds(kept: set[int], later: int) -> None:
    streak = lived_through(kept, max(kept, default=0) + later)
    assert 0 <= streak.length <= streak.best <= streak.kept == len(kept)
    assert 0 <= streak.freezes <= 2
    assert 0 <= streak.run < 7


# --- what counts as a question day --------------------------------------------------------------


def answer(tutor: Tutor, drop: int, now: datetime, *, right: bool = True) -> Streak:
    """The member presses the button of the key, or of the option beside it."""
    key = key_position(tutor, drop)
    position = key if right else (key + 1) % 4
    return tutor.answering.press(drop, position, MEMBER, f"message-{drop}", now).streak


def shown(tutor: Tutor, now: datetime) -> Streak:
    return tutor.boards.standing(GROUP, MEMBER, now).streak


def test_days_off_break_nothing(tutor: Tutor) -> None:
    # HabitRPG/habitica#933
    add_schedule(tutor, days="weekdays")
    lengths = []
    for day in range(12):  # a Monday to the Friday of the next week
        for drop in post_due(tutor, slot_on(day)):
            lengths.append(answer(tutor, drop, slot_on(day)).length)
    assert lengths == list(range(1, 11))


def test_a_day_on_which_nothing_could_be_posted_costs_nobody_anything(tutor: Tutor) -> None:
    add_schedule(tutor)
    (first,) = post_due(tutor, slot_on(0))
    answer(tutor, first, slot_on(0))
    (claimed,) = tutor.posting.due(slot_on(1), 1).post
    tutor.posting.missed(claimed.id, "I may not write in this room.")
    (third,) = post_due(tutor, slot_on(2))
    assert answer(tutor, third, slot_on(2)).length == 2


def test_days_on_which_the_bot_was_down_cost_nobody_anything(tutor: Tutor) -> None:
    add_schedule(tutor)
    (first,) = post_due(tutor, slot_on(0))
    answer(tutor, first, slot_on(0))
    assert post_due(tutor, slot_on(5, 22)) == []  # back after five days, past the last grace
    (second,) = post_due(tutor, slot_on(6))
    assert answer(tutor, second, slot_on(6)).length == 2


def test_a_day_on_which_a_question_stood_and_was_not_answered_ends_the_streak(
    tutor: Tutor,
) -> None:
    add_schedule(tutor)
    (first,) = post_due(tutor, slot_on(0))
    answer(tutor, first, slot_on(0))
    post_due(tutor, slot_on(1))
    (third,) = post_due(tutor, slot_on(2))
    assert answer(tutor, third, slot_on(2)).length == 1


def test_a_wrong_answer_keeps_the_day_as_a_right_one_does(tutor: Tutor) -> None:
    add_schedule(tutor)
    lengths = []
    for day in range(3):
        (drop,) = post_due(tutor, slot_on(day))
        lengths.append(answer(tutor, drop, slot_on(day), right=False).length)
    assert lengths == [1, 2, 3]


def test_any_one_drop_of_a_day_keeps_it_and_a_second_adds_nothing(tutor: Tutor) -> None:
    add_schedule(tutor, times="10:00, 10:02", open_minutes=60)
    (early,) = post_due(tutor, slot_on(0, 10, 0))
    (late,) = post_due(tutor, slot_on(0, 10, 2))
    assert answer(tutor, late, slot_on(0, 10, 5)).length == 1
    assert answer(tutor, early, slot_on(0, 10, 6)).length == 1


def test_an_older_drop_that_is_still_open_repairs_the_streak(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(make_deck(*MANY))
    # DankMemer/dank-memer-suggestions-and-bugs#772: stuck at 1
    add_schedule(tutor, open_minutes=3 * 24 * 60)
    (first,) = post_due(tutor, slot_on(0))
    (second,) = post_due(tutor, slot_on(1))
    (third,) = post_due(tutor, slot_on(2))
    answer(tutor, first, slot_on(2, 10, 1))
    assert answer(tutor, third, slot_on(2, 10, 2)).length == 1
    assert answer(tutor, second, slot_on(2, 10, 3)).length == 3
    assert shown(open_tutor(), slot_on(2, 11)).length == 3


def test_an_answer_after_midnight_keeps_the_day_on_which_the_question_was_posted(
    tutor: Tutor,
) -> None:
    add_schedule(tutor, times="23:50, 00:30")
    (evening,) = post_due(tutor, slot_on(0, 23, 50))
    assert answer(tutor, evening, slot_on(1, 0, 5)).length == 1
    (night,) = post_due(tutor, slot_on(1, 0, 30))
    assert answer(tutor, night, slot_on(1, 0, 35)).length == 2


def test_a_press_after_the_close_keeps_no_day(tutor: Tutor) -> None:
    add_schedule(tutor, open_minutes=60)
    (first,) = post_due(tutor, slot_on(0))
    answer(tutor, first, slot_on(0))
    (second,) = post_due(tutor, slot_on(1))
    with pytest.raises(DropClosed):
        answer(tutor, second, slot_on(1, 11))
    assert shown(tutor, slot_on(1, 12)).length == 0


def test_the_board_shows_a_day_as_missed_only_when_its_last_drop_has_closed(tutor: Tutor) -> None:
    add_schedule(tutor, times="10:00, 10:30", open_minutes=60)
    (first,) = post_due(tutor, slot_on(0))
    answer(tutor, first, slot_on(0))
    post_due(tutor, slot_on(1, 10, 0))  # until 11:00
    post_due(tutor, slot_on(1, 10, 30))  # until 11:30
    assert [shown(tutor, slot_on(1, 11, minute)).length for minute in (0, 29, 30)] == [1, 1, 0]


def test_looking_at_a_streak_spends_nothing(tutor: Tutor) -> None:
    add_schedule(tutor)
    for day in range(7):
        (drop,) = post_due(tutor, slot_on(day))
        answer(tutor, drop, slot_on(day))
    post_due(tutor, slot_on(7))  # missed: it takes the one freeze
    for _ in range(3):
        looked = shown(tutor, slot_on(7, 20))
        assert (looked.length, looked.freezes) == (7, 0)
    (drop,) = post_due(tutor, slot_on(8))
    assert answer(tutor, drop, slot_on(8)).length == 8


@pytest.mark.parametrize("seed", range(5))
def test_the_stored_row_always_equals_a_rebuild_from_the_answers(
    open_tutor: OpenTutor, database: Path, seed: int
) -> None:
    """Drops stay open for three days, so answers come in out of order, late, or never."""
    tutor = open_tutor(make_deck(*MANY))
    add_schedule(tutor, open_minutes=3 * 24 * 60)
    rng = Random(seed)
    store = Store(database)
    posted: list[int] = []
    answered: set[int] = set()
    kept: list[int] = []
    for day in range(25):
        now = slot_on(day)
        posted += post_due(tutor, now)
        still_open = [drop for drop in posted[-3:] if drop not in answered]
        for drop in rng.sample(still_open, rng.choice((0, len(still_open)))):
            answer(tutor, drop, now, right=rng.random() < 0.5)
            answered.add(drop)
            with store.reading() as db:
                kept = answers.kept_days(db, GROUP, MEMBER)
                assert answers.streak(db, GROUP, MEMBER) == rebuild(kept)
    store.close()
    assert len(kept) > 5
