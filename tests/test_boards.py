"""Counting: standings agree with the answers, boards are ranked, decks tell how much was asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bank.models import Standing, Streak
from bank.tutor import Tutor
from tests.conftest import OpenTutor
from tests.samples import (
    GROUP,
    NOW,
    add_schedule,
    drop_by_hand,
    key_position,
    make_deck,
    make_question,
    post_due,
    slot_on,
)

OTHER_GROUP = "5001"
SECOND = timedelta(seconds=1)


def press(tutor: Tutor, drop: int, member: str, *, right: bool = True) -> None:
    """Answer a drop a second after its slot, with the key or with the option after it."""
    tally = tutor.posting.tally(drop)
    position = (key_position(tutor, drop) + (not right)) % len(tally.drop.order)
    now = tally.drop.slot + SECOND
    assert tutor.answering.press(drop, position, member, f"message-{drop}", now).right is right


def live(tutor: Tutor, days: Sequence[str]) -> None:
    """Each day is a text of members: a capital answers right, a small letter wrong."""
    for day, who in enumerate(days):
        [drop] = post_due(tutor, slot_on(day), seed=day)
        for letter in who:
            press(tutor, drop, letter.lower(), right=letter.isupper())


def by_hand(
    tutor: Tutor, group: str = GROUP, *, seed: int = 1, posted: bool = True, now: datetime = NOW
) -> int:
    drop = drop_by_hand(tutor, group, seed=seed, now=now)
    if posted:
        tutor.posting.posted(drop.id, f"message-{drop.id}", NOW)
    else:
        tutor.posting.missed(drop.id, "no room")
    return drop.id


def asked(tutor: Tutor, group: str = GROUP) -> list[int]:
    return [use.asked for use in tutor.boards.decks(group)]


# Standings


def test_a_standing_agrees_with_the_answers(tutor: Tutor) -> None:
    add_schedule(tutor)
    live(tutor, ["Ab", "aB", "A", "b"])
    now = slot_on(3, 11) - SECOND
    ada, ben = (tutor.boards.standing(GROUP, member, now) for member in "ab")
    assert (ada.member, ada.answered, ada.judged, ada.right) == ("a", 3, 3, 2)
    assert (ben.member, ben.answered, ben.judged, ben.right) == ("b", 3, 2, 1)
    assert (ada.streak.length, ada.streak.kept) == (3, 3)
    assert (ben.streak.length, ben.streak.best, ben.streak.kept) == (1, 2, 3)


def test_an_answer_is_judged_once_its_drop_has_closed(tutor: Tutor) -> None:
    # micropipette/studybot#31: else the board tells who has the open question right.
    add_schedule(tutor)
    live(tutor, ["Ab"])
    for now, scores in [
        (slot_on(0, 11) - SECOND, {"a": (1, 0, 0), "b": (1, 0, 0)}),
        (slot_on(0, 11), {"a": (1, 1, 1), "b": (1, 1, 0)}),
    ]:
        board = tutor.boards.board(GROUP, now)
        assert {each.member: (each.answered, each.judged, each.right) for each in board} == scores
        assert tutor.boards.standing(GROUP, "a", now) in board


def test_a_standing_is_what_a_press_shows(tutor: Tutor) -> None:
    add_schedule(tutor)
    live(tutor, ["A", "A", ""])
    shown = []
    for now in (slot_on(1, 12), slot_on(2, 11) - SECOND, slot_on(2, 11)):
        streak = tutor.answering.press(1, 0, "a", "message-1", now).streak
        assert tutor.boards.standing(GROUP, "a", now).streak == streak
        shown.append(streak.length)
    assert shown == [2, 2, 0]


def test_who_never_answered_stands_at_nothing(tutor: Tutor) -> None:
    add_schedule(tutor)
    live(tutor, ["A"])
    nothing = Standing(member="zoe", streak=Streak(), answered=0)
    assert tutor.boards.standing(GROUP, "zoe", slot_on(0)) == nothing
    assert tutor.boards.standing(OTHER_GROUP, "a", slot_on(0)).answered == 0


def test_right_is_judged_by_the_text_that_each_drop_posted(open_tutor: OpenTutor) -> None:
    now = slot_on(1, 11)
    tutor = open_tutor(make_deck("first"))
    add_schedule(tutor)
    live(tutor, ["Ab"])
    tutor.close()
    new = make_deck().model_copy(update={"questions": (make_question("first", keys=(3,)),)})
    tutor = open_tutor(new)
    [drop] = post_due(tutor, slot_on(1))
    press(tutor, drop, "a")
    board = {each.member: (each.answered, each.right) for each in tutor.boards.board(GROUP, now)}
    assert board == {"a": (2, 2), "b": (1, 0)}


def test_groups_do_not_see_each_others_answers(tutor: Tutor) -> None:
    here, there = by_hand(tutor), by_hand(tutor, OTHER_GROUP)
    for drop in (here, there):
        press(tutor, drop, "ada")
    press(tutor, there, "ben")
    assert [each.member for each in tutor.boards.board(GROUP, NOW)] == ["ada"]
    assert tutor.boards.standing(GROUP, "ada", NOW).answered == 1
    assert tutor.boards.standing(GROUP, "ben", NOW).answered == 0


def test_a_broken_streak_shows_nothing_though_its_row_was_not_touched(
    tutor: Tutor, database: Path
) -> None:
    def row() -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(database)) as other:
            return other.execute("SELECT * FROM streaks").fetchall()

    add_schedule(tutor)
    live(tutor, ["A", "A", "A"])
    before = row()
    live_on = [post_due(tutor, slot_on(day)) for day in (3, 4)]
    assert len(live_on) == 2
    standing = tutor.boards.standing(GROUP, "a", slot_on(4, 12))
    assert (standing.streak.length, standing.streak.best) == (0, 3)
    assert tutor.boards.board(GROUP, slot_on(4, 12)) == [standing]
    assert row() == before


def test_the_newest_day_breaks_nothing_while_it_is_open(tutor: Tutor) -> None:
    add_schedule(tutor)
    live(tutor, ["A", "A", ""])
    for now, length in [(slot_on(2, 11) - SECOND, 2), (slot_on(2, 11), 0)]:
        assert tutor.boards.standing(GROUP, "a", now).streak.length == length
        assert tutor.boards.board(GROUP, now)[0].streak.length == length


def test_a_freeze_is_shown_as_spent_once_the_missed_day_is_over(tutor: Tutor) -> None:
    add_schedule(tutor)
    live(tutor, ["A"] * 7 + [""])
    open_day = tutor.boards.standing(GROUP, "a", slot_on(7, 10, 30)).streak
    assert (open_day.length, open_day.freezes) == (7, 1)
    over = tutor.boards.standing(GROUP, "a", slot_on(7, 11)).streak
    assert (over.length, over.freezes) == (7, 0)


# The board


@pytest.mark.parametrize(
    ("days", "ranking"),
    [
        (["", "c", "cb", "cba"], "cba"),  # the longer streak
        (["A", "A", "A", "", "b", "Ab"], "ba"),  # though fewer days kept and none right
        (["b", "", "Ab"], "ba"),  # equal streaks: more days kept
        (["b", "", "Ab", "Ab"], "ba"),  # though fewer right answers
        (["aB", "aB"], "ba"),  # equal days: more right answers
        (["BA", "AB"], "ab"),  # equal in all: by name
    ],
)
def test_the_board_is_ranked_by_streak_then_days_kept_then_right_answers(
    tutor: Tutor, days: list[str], ranking: str
) -> None:
    add_schedule(tutor)
    live(tutor, days)
    board = tutor.boards.board(GROUP, slot_on(len(days) - 1, 10, 30))
    assert "".join(each.member for each in board) == ranking


def test_a_dead_streak_does_not_outrank_a_living_one(tutor: Tutor) -> None:
    add_schedule(tutor)
    live(tutor, ["A", "A", "A", "", "B"])
    board = tutor.boards.board(GROUP, slot_on(4, 10, 30))
    assert [(each.member, each.streak.length) for each in board] == [("b", 1), ("a", 0)]


def test_the_board_shows_as_many_as_asked_for_and_ten_by_default(tutor: Tutor) -> None:
    add_schedule(tutor)
    live(tutor, ["ABCDEFGHIJKL"])
    assert len(tutor.boards.board(GROUP, slot_on(0))) == 10
    assert [each.member for each in tutor.boards.board(GROUP, slot_on(0), limit=3)] == list("abc")
    assert len(tutor.boards.board(GROUP, slot_on(0), limit=99)) == 12


def test_a_group_without_answers_has_an_empty_board(tutor: Tutor) -> None:
    assert tutor.boards.board(GROUP, NOW) == []


# Decks


def test_deck_use_counts_each_question_once_and_per_group(tutor: Tutor) -> None:
    assert asked(tutor) == [0]
    counts = []
    for seed in range(4):
        by_hand(tutor, seed=seed, now=NOW + timedelta(hours=seed))
        counts += asked(tutor)
    assert counts == [1, 2, 2, 2]
    assert asked(tutor, OTHER_GROUP) == [0]


def test_a_missed_drop_was_not_asked(tutor: Tutor) -> None:
    by_hand(tutor, posted=False)
    assert asked(tutor) == [0]


def test_deck_use_shows_every_loaded_deck_and_counts_no_question_that_is_gone(
    tutor: Tutor, open_tutor: OpenTutor
) -> None:
    drop = by_hand(tutor)
    gone = tutor.posting.tally(drop).question.slug
    tutor.close()
    kept = ({"first", "second"} - {gone}).pop()
    decks = (make_deck(kept, "third"), make_deck(name="other"))
    uses = open_tutor(*decks).boards.decks(GROUP)
    assert [(use.deck, use.asked) for use in uses] == [(decks[0], 0), (decks[1], 0)]
