"""Retiring: a question is kept out of a group's draws, of no other's, and taken in again."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bank.errors import AllRetired, EmptyDeck, NotRetired, UnknownQuestion
from bank.models import Deck
from bank.tutor import Tutor
from tests.conftest import OpenTutor
from tests.samples import (
    GROUP,
    NOW,
    add_schedule,
    drop_by_hand,
    drop_of,
    key_position,
    make_deck,
    make_question,
    post_due,
    slot_on,
)
from tests.world import World, text_of

HOUR = timedelta(hours=1)
OTHER = "5001"
KETTLE, TEAPOT = "sample/kettle", "sample/teapot"


@pytest.fixture
def tutor(open_tutor: OpenTutor) -> Tutor:
    return open_tutor(make_deck("kettle", "teapot"))


def retire(tutor: Tutor, *questions: str, group: str = GROUP) -> None:
    for question in questions:
        tutor.retiring.retire(question, group, "ada", NOW)


def drawn(tutor: Tutor, group: str = GROUP, count: int = 6) -> set[str]:
    """What so many drops ask, one after the other."""
    found = set()
    for number in range(count):
        drop = drop_by_hand(tutor, group, now=NOW + HOUR * number, seed=number)
        tutor.posting.posted(drop.id, f"m{drop.id}", drop.slot)
        tutor.posting.due(drop.closes_at, 1)
        found.add(drop.question)
    return found


def uses(tutor: Tutor, group: str = GROUP) -> list[tuple[int, int]]:
    return [(use.retired, use.asked) for use in tutor.boards.decks(group)]


def test_a_retired_question_is_drawn_no_more_here_and_as_ever_elsewhere(tutor: Tutor) -> None:
    retire(tutor, KETTLE)
    assert drawn(tutor) == {TEAPOT}
    assert drawn(tutor, OTHER) == {KETTLE, TEAPOT}


def test_retiring_stands_after_a_restart_until_the_question_is_restored(
    tutor: Tutor, open_tutor: OpenTutor
) -> None:
    retire(tutor, KETTLE)
    tutor.close()
    again = open_tutor(make_deck("kettle", "teapot"))
    assert drawn(again) == {TEAPOT}
    done = again.retiring.restore(KETTLE, GROUP, "ada", NOW + 7 * HOUR)
    assert (done.left, done.new) == (2, True)
    assert drop_by_hand(again, now=NOW + 7 * HOUR).question == KETTLE


def test_a_question_of_a_groups_own_deck_is_retired_there_alone(tutor: Tutor) -> None:
    for group in (GROUP, OTHER):
        tutor.library.put(make_deck("gem", "ore", name="own"), group)
    retire(tutor, "own/gem")
    assert drop_by_hand(tutor, deck="own").question == "own/ore"
    assert uses(tutor) == [(1, 1), (0, 0)]
    assert uses(tutor, OTHER) == [(0, 0), (0, 0)]


def test_a_drop_that_stands_is_not_touched(tutor: Tutor) -> None:
    drop = drop_by_hand(tutor)
    tutor.posting.posted(drop.id, "m", NOW)
    before = drop_of(tutor, drop.id)
    retire(tutor, drop.question)
    assert drop_of(tutor, drop.id) == before
    assert tutor.answering.press(drop.id, key_position(tutor, drop.id), "ben", "m", NOW).right
    assert tutor.explaining.explain(drop.question, GROUP, "ben", NOW).question.id == drop.question
    assert tutor.boards.standing(GROUP, "ben", NOW + HOUR).right == 1


def test_retiring_again_changes_nothing_and_says_how_many_are_left(tutor: Tutor) -> None:
    first = tutor.retiring.retire(KETTLE, GROUP, "ada", NOW)
    again = tutor.retiring.retire("kettle", GROUP, "ben", NOW + HOUR)
    assert (first.question, first.deck, first.left) == (make_question("kettle"), "sample", 1)
    assert (first.new, again.new, again.left) == (True, False, 1)
    assert uses(tutor) == [(1, 0)]


def test_a_question_that_is_gone_is_not_counted_as_retired(
    tutor: Tutor, open_tutor: OpenTutor
) -> None:
    retire(tutor, KETTLE)
    tutor.close()
    again = open_tutor(make_deck("teapot", "samovar"))
    assert uses(again) == [(0, 0)]
    assert again.retiring.offered(GROUP, "ada", "", NOW) == []


def test_what_is_not_there_or_not_retired_is_refused(tutor: Tutor) -> None:
    with pytest.raises(NotRetired):
        tutor.retiring.restore(KETTLE, GROUP, "ada", NOW)
    for use_case in (tutor.retiring.retire, tutor.retiring.restore):
        with pytest.raises(UnknownQuestion):
            use_case("samovar", GROUP, "ada", NOW)
    retire(tutor, KETTLE)
    with pytest.raises(NotRetired):
        tutor.retiring.restore(KETTLE, OTHER, "ada", NOW)
    assert uses(tutor) == [(1, 0)]


def test_retired_questions_are_offered_to_be_restored_and_an_open_one_by_its_drop(
    tutor: Tutor,
) -> None:
    retire(tutor, KETTLE)
    drop = drop_by_hand(tutor)  # of the other one
    retire(tutor, TEAPOT)
    handles = [each.handle for each in tutor.retiring.offered(GROUP, "ada", "", NOW)]
    assert sorted(handles) == [f"drop:{drop.id}", KETTLE]
    [kettle] = tutor.retiring.offered(GROUP, "ada", " KETTLE", NOW)
    assert kettle.handle == KETTLE
    done = tutor.retiring.restore(f"drop:{drop.id}", GROUP, "ada", NOW)
    assert (done.question, done.left) == (None, 1)  # which one it is, its message says alone


# A deck of which nothing is left


def test_a_deck_that_is_wholly_retired_is_neither_scheduled_nor_dropped(tutor: Tutor) -> None:
    retire(tutor, KETTLE, TEAPOT)
    for attempt in (add_schedule, drop_by_hand):
        with pytest.raises(AllRetired, match="/question restore takes one in again"):
            attempt(tutor)
    assert tutor.timetable.schedules(GROUP) == []
    assert tutor.timetable.zone(GROUP) is None
    tutor.retiring.restore(KETTLE, GROUP, "ada", NOW)
    add_schedule(tutor)
    assert drop_by_hand(tutor).question == KETTLE


def test_a_schedule_whose_deck_was_wholly_retired_tells_its_admins_once_and_goes_on_later(
    tutor: Tutor,
) -> None:
    add_schedule(tutor)
    retire(tutor, KETTLE, TEAPOT)
    [trouble] = tutor.posting.due(slot_on(0), 1).troubles
    assert "Every question of the deck “sample” is retired here" in trouble.sentence
    tutor.troubles.told(trouble)
    assert tutor.posting.due(slot_on(1), 1).troubles == []
    tutor.retiring.restore(TEAPOT, GROUP, "ada", slot_on(1, 12))
    [drop] = post_due(tutor, slot_on(2))
    assert drop_of(tutor, drop).question == TEAPOT


def test_an_empty_deck_is_still_called_empty(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(make_deck().model_copy(update={"questions": ()}))
    with pytest.raises(EmptyDeck):
        add_schedule(tutor)


# In Discord


@pytest.fixture
def decks() -> dict[Path, Deck]:
    return {Path("sample"): make_deck("kettle", "teapot")}


async def command(world: World, name: str, question: str = "kettle", member: Any = None) -> str:
    who = member or world.ada
    result = await who.slash(world.channel, f"question {name}", question=question)
    assert result.ephemeral
    return text_of(result)


async def test_a_manager_retires_and_restores_and_the_list_of_decks_counts(world: World) -> None:
    assert "retired" not in text_of(await world.ben.slash(world.channel, "deck list"))
    said = await command(world, "retire")
    assert said.startswith("Retired: “What is right about kettle?” is drawn here no more.")
    assert "1 question is left of the deck “sample”." in said
    assert "2 questions, 0 asked here, 1 retired" in text_of(
        await world.ben.slash(world.channel, "deck list")
    )
    assert "had been retired already" in await command(world, "retire")
    assert "Nothing of the deck “sample” is left" in await command(world, "retire", "teapot")
    refused = await world.ada.slash(world.channel, "drop now", deck="sample", zone="UTC")
    assert "Every question of the deck “sample” is retired here" in text_of(refused)
    assert await command(world, "restore") == (
        "Restored: “What is right about kettle?” is drawn here again."
    )
    assert "This question is not retired" in await command(world, "restore")
    assert (await world.drop_now()).question.slug == "kettle"


async def test_only_managers_retire_and_only_they_are_offered_anything(world: World) -> None:
    for name in ("retire", "restore"):
        assert "Only members who may manage" in await command(world, name, member=world.ben)
    await command(world, "retire")
    for member, retired, either in ((world.ben, [], []), (world.ada, [KETTLE], [KETTLE, TEAPOT])):
        for name, values in (("restore", retired), ("retire", either)):
            found = await member.autocomplete(world.channel, f"question {name}", "question", "")
            assert sorted(each["value"] for each in found) == values
