"""Pressing: what a member gets, what stands afterwards, and that old messages keep working."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import buttons, ids
from tests.world import World, buttons_of, right_position, text_of

TEMPLATES = {
    ids.ANSWER: ids.answer(12, 3),
    ids.OPEN_MENU: ids.open_menu(12),
    ids.CHOOSE: ids.choose(12, "1357924680135792468"),
    ids.OPEN_FULL: ids.open_full(12),
    ids.TURN_FULL: ids.turn_full(12, 4),
    ids.OPEN_QUESTION: ids.open_question("nca-aiio/mig-slices"),
    ids.TURN_QUESTION: ids.turn_question("nca-aiio/mig-slices", 2),
    ids.SHOW_TO_ALL: ids.show_to_all("nca-aiio/mig-slices"),
    ids.REPORT_DROP: ids.report_drop(12),
    ids.REPORT_QUESTION: ids.report_question("nca-aiio/mig-slices"),
}


@pytest.mark.parametrize(("template", "custom_id"), TEMPLATES.items())
def test_each_custom_id_fires_its_own_button_and_no_other(template: str, custom_id: str) -> None:
    firing = [each for each in (*TEMPLATES, ids.UNKNOWN) if re.compile(each).fullmatch(custom_id)]
    assert firing == [template]


@pytest.mark.parametrize(
    "custom_id",
    [
        "qd:a:1",
        "qd:a:1:8",
        "qd:a:1:0\n",
        "qd:a:١:0",
        "qd:z:1",
        "QD:A:1:0",
        "qd:m:1:0",
        "qd:c:1",
        "qd:c:1:",
        "qd:c:1:x",
        "qd:r:",
        "qd:r:sample/kettle",
        "qd:w:1",
        "other",
    ],
)
def test_any_other_custom_id_fires_the_button_that_says_so(custom_id: str) -> None:
    firing = [each for each in (*TEMPLATES, ids.UNKNOWN) if re.compile(each).fullmatch(custom_id)]
    assert firing == [ids.UNKNOWN]


def test_every_button_of_ours_is_registered() -> None:
    registered = {each.__discord_ui_compiled_template__.pattern for each in buttons.ALL}
    assert registered == {*TEMPLATES, ids.UNKNOWN}


@given(st.integers(0, 10**18 - 1), st.integers(0, 7))
def test_an_answer_id_carries_drop_and_position_and_nothing_else(drop: int, position: int) -> None:
    match = re.fullmatch(ids.ANSWER, ids.answer(drop, position))
    assert match
    assert {name: int(value) for name, value in match.groupdict().items()} == {
        "drop": drop,
        "position": position,
    }


def test_the_longest_custom_id_keeps_discords_limit() -> None:
    name = f"{'d' * 40}/{'q' * 40}"
    longest = [ids.turn_question(name, 99), ids.show_to_all(name), ids.answer(10**18 - 1, 7)]
    longest.append(ids.choose(10**18 - 1, "9" * 20))
    assert max(map(len, longest)) <= 100
    assert all(any(re.fullmatch(t, each) for t in TEMPLATES) for each in longest)


async def test_right_is_said_in_words_and_sign_to_the_member_alone(world: World) -> None:
    tally = await world.drop_now()
    result = await world.press_right(world.ben, tally)
    assert result.ephemeral
    letter = "ABCD"[right_position(tally)]
    assert f"✓ Right: you chose {letter}" in text_of(result)


async def test_wrong_shows_the_reason_of_the_choice_and_of_the_key(world: World) -> None:
    tally = await world.drop_now()
    result = await world.press_wrong(world.ben, tally)
    question = tally.question
    chosen = question.options[tally.drop.order[(right_position(tally) + 1) % 4]]
    shown = text_of(result)
    assert "✗ Wrong: you chose" in shown
    assert chosen.misconception
    (key,) = question.keys
    for part in (
        chosen.misconception,
        chosen.rationale,
        question.options[key].rationale,
    ):
        assert part in shown
    assert question.short in shown
    assert "Streak: 1 question day" in shown


async def test_a_second_press_shows_what_was_recorded(world: World) -> None:
    tally = await world.drop_now()
    await world.press_wrong(world.ben, tally)
    again = await world.press_right(world.ben, tally)
    assert "Your first answer stands. Wrong" in text_of(again)
    assert (await world.tally(1)).answered == 1


async def test_buttons_answer_after_a_restart_and_days_later(world: World) -> None:
    # vertyco/vrt-cogs#116
    tally = await world.drop_now(**{"open-for": 10080})
    await world.restart()
    await world.wait(days=5)
    await world.restart()
    result = await world.press_right(world.ben, tally)
    assert "✓ Right" in text_of(result)
    assert (await world.tally(1)).answered == 1


async def test_an_answer_given_before_a_restart_stands_after_it(world: World) -> None:
    tally = await world.drop_now()
    await world.press_wrong(world.ben, tally)
    await world.restart()
    again = await world.press_right(world.ben, tally)
    assert "Your first answer stands. Wrong" in text_of(again)


async def test_a_late_press_on_a_closed_drop_is_refused_with_a_sentence(world: World) -> None:
    tally = await world.drop_now()
    message = world.message(tally)
    world.env.backend.clock.advance(3601)  # the time is up, but nothing has been revealed yet
    result = await world.ben.click(message, custom_id="qd:a:1:0")
    assert "has closed and takes no more answers" in text_of(result)
    assert (await world.tally(1)).answered == 0


async def test_explain_at_close_confirms_the_choice_and_says_when(world: World) -> None:
    tally = await world.drop_now(explain="at close")
    result = await world.press_wrong(world.ben, tally)
    shown = text_of(result)
    assert "Recorded: you chose" in shown
    assert "The explanation comes when the question closes" in shown
    assert "key" not in shown.lower()
    assert tally.question.short not in shown
    assert buttons_of(result) == {"Report": "qd:r:1"}


async def test_the_full_explanation_opens_in_private_with_the_drops_letters_and_the_sources(
    world: World,
) -> None:
    tally = await world.drop_now()
    answer = await world.press_right(world.ben, tally)
    full = await world.ben.click(answer.response, custom_id=buttons_of(answer)["Full explanation"])
    assert full.ephemeral
    shown = text_of(full)
    for option, name in enumerate(("a", "b", "c", "d")):
        letter = "ABCD"[tally.drop.order.index(option)]
        assert f"{{{name}}}" not in shown
        assert f"**{letter}.** {tally.question.options[option].text}" in shown
    assert tally.question.sources[0] in shown


async def test_somebody_who_has_not_answered_cannot_open_the_full_explanation(
    world: World,
) -> None:
    tally = await world.drop_now()
    answer = await world.press_right(world.ben, tally)
    # The button stands on Ben's private message; a forged click still gets nothing.
    result = await world.ben.click(answer.response, custom_id="qd:f:1")
    assert "Full explanation" in text_of(result)
    withheld = await world.ask(_refusal_to(str(world.cleo.id)))
    assert "Answer it first" in withheld


def _refusal_to(member: str):  # type: ignore[no-untyped-def]
    from bank.errors import Withheld

    def ask(tutor):  # type: ignore[no-untyped-def]
        with pytest.raises(Withheld) as refusal:
            tutor.explaining.of_drop(1, member, tutor.posting.tally(1).drop.slot)
        return refusal.value.sentence

    return ask
