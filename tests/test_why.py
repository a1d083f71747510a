"""/streak why: the last question days, newest first, and how they add up to the streak."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

import pytest

from bank.models import Mark, MarkedDay, Streak, Why
from bank.tutor import Tutor
from bot.cards.why import why_card
from tests.samples import GROUP, NOW, add_schedule, post_due, slot_on
from tests.world import World, text_of

MONDAY = date(2026, 3, 2)
MARKS = {"k": Mark.KEPT, "m": Mark.MISSED, "f": Mark.FROZEN, "o": Mark.OPEN}


def shown(card: Any) -> list[str]:
    """The card's texts: its title, its lines, its sum, its small print."""
    return [text.content for text in card.view.walk_children() if hasattr(text, "content")]


def why(marks: str, *, today: int, length: int, earlier: int = 0) -> Why:
    """Days from MONDAY on, a letter each; a dot is a calendar day without a drop."""
    days = [
        MarkedDay(date=MONDAY + timedelta(days=place), mark=MARKS[mark])
        for place, mark in enumerate(marks)
        if mark != "."
    ]
    return Why(
        days=tuple(reversed(days)),
        streak=Streak(length=length),
        earlier=earlier,
        today=MONDAY + timedelta(days=today),
    )


def test_each_day_has_a_line_newest_first_and_days_without_a_drop_share_one() -> None:
    _, lines, total, _ = shown(why_card(why("kfk.mk...k.o", today=11, length=2)))
    assert lines.splitlines() == [
        "· Fri 13 Mar · still open",
        "– Thu 12 Mar · no drop",
        "✓ Wed 11 Mar · kept",
        "– Sun 8 Mar to Tue 10 Mar · no drop",
        "✓ Sat 7 Mar · kept",
        "✗ Fri 6 Mar · missed",
        "– Thu 5 Mar · no drop",
        "✓ Wed 4 Mar · kept",
        "❄ Tue 3 Mar · frozen: missed, and a freeze was spent",
        "✓ Mon 2 Mar · kept",
    ]
    assert total == "Your streak is 2 question days: the days kept since Sat 7 Mar."


def test_the_days_since_the_newest_one_had_no_drop_but_today_may_still_have_one() -> None:
    assert shown(why_card(why("k", today=0, length=1)))[1] == "✓ Mon 2 Mar · kept"
    assert shown(why_card(why("k", today=1, length=1)))[1] == "✓ Mon 2 Mar · kept"
    assert shown(why_card(why("k", today=3, length=1)))[1].splitlines() == [
        "– Tue 3 Mar to Wed 4 Mar · no drop",
        "✓ Mon 2 Mar · kept",
    ]


@pytest.mark.parametrize(
    ("marks", "length", "earlier", "sentence"),
    [
        ("k", 1, 0, "Your streak is 1 question day: Mon 2 Mar."),
        ("mk", 1, 0, "Your streak is 1 question day: Tue 3 Mar."),
        ("kkk", 3, 0, "Your streak is 3 question days: the days kept since Mon 2 Mar."),
        ("kkk", 9, 6, "Your streak is 9 question days: 3 kept days here and 6 before."),
        ("f", 9, 9, "Your streak is 9 question days: 0 kept days here and 9 before."
         " A frozen day saves it and adds nothing."),
        ("kfk", 2, 0, "Your streak is 2 question days: the days kept since Mon 2 Mar."
         " A frozen day saves it and adds nothing."),
        ("kfmk", 1, 0, "Your streak is 1 question day: Thu 5 Mar."),
        ("km", 0, 0, "A missed day without a freeze ended your streak: your next answer starts a"
         " new one."),
        ("kmo", 0, 0, "A missed day without a freeze ended your streak: your next answer starts a"
         " new one."),
    ],
)  # fmt: skip
def test_one_sentence_adds_the_days_up(
    marks: str, length: int, earlier: int, sentence: str
) -> None:
    card = why_card(why(marks, today=len(marks), length=length, earlier=earlier))
    assert shown(card)[2] == sentence


def test_a_day_of_another_year_names_it() -> None:
    day = MarkedDay(date=date(2025, 12, 31), mark=Mark.KEPT)
    card = why_card(Why(days=(day,), streak=Streak(length=1), earlier=0, today=date(2026, 1, 3)))
    assert shown(card)[1].splitlines() == [
        "– Thu 1 Jan to Fri 2 Jan · no drop",
        "✓ Wed 31 Dec 2025 · kept",
    ]


# From answers


def live(tutor: Tutor, calendar: str, days: Iterable[int] | None = None) -> None:
    """The member ada keeps the days of a calendar such as "k.k"."""
    for day, letter in zip(days or range(len(calendar)), calendar, strict=True):
        [drop] = post_due(tutor, slot_on(day), seed=day)
        if letter == "k":
            tutor.answering.press(drop, 0, "ada", f"message-{drop}", slot_on(day))


def marks(found: Why | None) -> str:
    assert found is not None
    letters = {mark: letter for letter, mark in MARKS.items()}
    return "".join(letters[day.mark] for day in reversed(found.days))


def test_the_last_fourteen_question_days_are_shown(tutor: Tutor) -> None:
    add_schedule(tutor)
    live(tutor, "k" * 20)
    found = tutor.boards.why(GROUP, "ada", slot_on(20, 9))
    assert marks(found) == "k" * 14
    assert found is not None
    assert (found.streak.length, found.earlier) == (20, 6)
    assert found.days[0].date == slot_on(19).date()


def test_missed_frozen_and_open_days_are_told_apart(tutor: Tutor) -> None:
    add_schedule(tutor)
    live(tutor, "..kkkkkkk...k.")
    assert marks(tutor.boards.why(GROUP, "ada", slot_on(13, 10, 30))) == "kkkkkkkfmmko"
    assert marks(tutor.boards.why(GROUP, "ada", slot_on(13, 11, 1))) == "kkkkkkkfmmkm"


def test_days_before_a_members_first_answer_are_not_theirs(tutor: Tutor) -> None:
    add_schedule(tutor)
    live(tutor, "..k")
    assert marks(tutor.boards.why(GROUP, "ada", slot_on(2))) == "k"
    assert tutor.boards.why(GROUP, "ben", slot_on(2)) is None
    assert tutor.boards.why("5001", "ada", slot_on(2)) is None


def test_a_day_that_was_taken_back_is_no_question_day(tutor: Tutor) -> None:
    add_schedule(tutor)
    live(tutor, "k.k")
    tutor.voiding.void(GROUP, 2, slot_on(2, 12))
    found = tutor.boards.why(GROUP, "ada", slot_on(2, 12))
    assert found is not None
    assert [day.date.day for day in found.days] == [4, 2]
    assert (marks(found), found.streak.length) == ("kk", 2)


def test_dates_are_those_of_the_groups_zone(tutor: Tutor) -> None:
    add_schedule(tutor, times="00:30", zone="Asia/Tokyo")
    slot = NOW.replace(hour=15, minute=30)
    [drop] = post_due(tutor, slot)
    tutor.answering.press(drop, 0, "ada", f"message-{drop}", slot)
    found = tutor.boards.why(GROUP, "ada", slot)
    assert found is not None
    assert (found.days[0].date, found.today) == (date(2026, 3, 3), date(2026, 3, 3))


# In Discord


async def test_a_member_reads_in_private_why_their_streak_is_what_it_is(world: World) -> None:
    nothing = await world.ben.slash(world.channel, "streak why")
    assert nothing.ephemeral
    assert text_of(nothing).startswith("No question day kept here yet.")
    for day in range(4):
        tally = await world.drop_now()
        if day != 1:
            await world.press_right(world.ben, tally)
        await world.wait(days=1 + (day == 2))
    result = await world.ben.slash(world.channel, "streak why")
    assert result.ephemeral
    signs = [line[0] for line in text_of(result).splitlines()[1:7]]
    assert signs == ["✓", "–", "✓", "✗", "✓", "Y"]
    assert "Your streak is 2 question days: the days kept since" in text_of(result)
    standing = text_of(await world.ben.slash(world.channel, "streak show"))
    assert "Streak: 2 question days" in standing
