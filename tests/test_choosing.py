"""A question with several keys, from the press that opens the menu to the reveal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import ui

from bank.decks import load_deck
from bank.models import Deck, Image, Tally
from bank.tutor import Tutor
from bot import ids
from bot.demo import Demo
from tests.samples import make_deck, make_question
from tests.wire import Ledger, Wire
from tests.world import (
    ErrorLog,
    World,
    buttons_of,
    menu_of,
    pictures_of,
    right_position,
    right_positions,
    text_of,
)

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def decks(tmp_path: Path) -> dict[Path, Deck]:
    (tmp_path / "kettle.png").write_bytes(PNG)
    image = Image(path="kettle.png", alt="A kettle.")
    question = make_question("kettle", keys=(1, 3)).model_copy(update={"image": image})
    return {tmp_path: make_deck().model_copy(update={"questions": (question,)})}


def wrong_positions(tally: Tally) -> list[int]:
    return [place for place in range(4) if place not in right_positions(tally)]


def letters(positions: list[int]) -> str:
    return " and ".join("ABCD"[position] for position in sorted(positions))


async def test_one_button_opens_a_private_menu_of_lettered_options(world: World) -> None:
    tally = await world.drop_now()
    assert buttons_of(world.message(tally)) == {"Answer": "qd:m:1"}
    assert "**Choose 2** · Basics · closes" in text_of(world.message(tally))
    opened = await world.open_menu(world.ben, tally)
    assert opened.ephemeral
    assert "choose 2" in text_of(opened)
    assert "Your first answer stands" in text_of(opened)
    menu = menu_of(opened)
    assert (menu["min_values"], menu["max_values"]) == (2, 2)
    assert menu["custom_id"] == f"qd:c:1:{tally.drop.message}"
    for position, option in enumerate(tally.drop.order):
        text = tally.question.options[option].text
        assert f"**{'ABCD'[position]}.** {text}" in text_of(opened)
        shown = menu["options"][position]
        assert (shown["label"], shown["value"]) == (f"{'ABCD'[position]}. {text}", str(position))
    assert (await world.tally(1)).answered == 0


async def test_choosing_all_the_keys_is_right_and_takes_the_menus_place(world: World) -> None:
    tally = await world.drop_now()
    opened = await world.open_menu(world.ben, tally)
    chosen = right_positions(tally)
    result = await world.ben.select(opened.response, [str(position) for position in chosen])
    shown = text_of(result)
    assert f"✓ Right: you chose {letters(chosen)}" in shown
    assert "Streak: 1 question day" in shown
    for key in tally.question.keys:
        assert tally.question.options[key].rationale in shown
    assert result.response.id == opened.response.id
    assert "choose 2" not in shown
    assert [item["description"] for item in pictures_of(result)] == ["A kettle."]
    full = await world.ben.click(result.response, custom_id=buttons_of(result)["Full explanation"])
    assert text_of(full).count("✓ **") == 2
    await world.env.advance_time(30)
    assert "1 answer so far" in text_of(world.message(tally))


async def test_half_of_the_keys_is_wrong_and_says_what_was_missed(world: World) -> None:
    tally = await world.drop_now()
    right, wrong = right_positions(tally), wrong_positions(tally)
    result = await world.choose(world.ben, tally, right[0], wrong[0])
    shown = text_of(result)
    verdict = f"✗ Wrong: you chose {letters([right[0], wrong[0]])}, the keys are {letters(right)}"
    assert verdict in shown
    reason_of = [tally.question.options[option].rationale for option in tally.drop.order]
    assert f"**{'ABCD'[wrong[0]]}, your choice.**" in shown
    assert f"**{'ABCD'[right[1]]}, a key you missed.** {reason_of[right[1]]}" in shown
    assert reason_of[right[0]] not in shown
    assert reason_of[wrong[1]] not in shown


async def test_who_has_answered_gets_what_was_recorded_by_any_way(world: World) -> None:
    tally = await world.drop_now()
    menus = [await world.open_menu(world.ben, tally) for _ in range(2)]
    wrong = wrong_positions(tally)
    await world.ben.select(menus[0].response, [str(position) for position in wrong])
    again = await world.ben.select(menus[1].response, [str(p) for p in right_positions(tally)])
    pressed = await world.open_menu(world.ben, tally)
    for shown in (again, pressed):
        assert f"Your first answer stands. Wrong: you chose {letters(wrong)}" in text_of(shown)
        assert pressed.ephemeral
    tally = await world.tally(1)
    assert tally.answered == 1
    assert [tally.counts[tally.drop.order[position]] for position in wrong] == [1, 1]


async def test_a_menu_that_was_opened_before_a_restart_takes_the_choice_after_it(
    world: World,
) -> None:
    tally = await world.drop_now(**{"open-for": 10080})
    opened = await world.open_menu(world.ben, tally)
    await world.restart()
    await world.wait(days=3)
    await world.restart()
    result = await world.ben.select(opened.response, [str(p) for p in right_positions(tally)])
    assert "✓ Right" in text_of(result)
    assert (await world.tally(1)).answered == 1


async def test_a_menu_opened_in_time_is_refused_after_the_close(world: World) -> None:
    tally = await world.drop_now()
    opened = await world.open_menu(world.ben, tally)
    message = world.message(tally)
    world.env.backend.clock.advance(3601)
    pressed = await world.ben.click(message, custom_id="qd:m:1")
    assert "has closed and takes no more answers" in text_of(pressed)
    result = await world.ben.select(opened.response, ["0", "1"])
    assert "has closed and takes no more answers" in text_of(result)
    assert (await world.tally(1)).answered == 0


async def test_a_menu_of_a_drop_that_was_taken_back_is_refused(world: World) -> None:
    tally = await world.drop_now()
    opened = await world.open_menu(world.ben, tally)
    await world.ada.slash(world.channel, "drop void", number=1)
    result = await world.ben.select(opened.response, ["0", "1"])
    assert "This question was taken back" in text_of(result)


async def test_explain_at_close_names_the_choices_and_no_key(world: World) -> None:
    tally = await world.drop_now(explain="at close")
    result = await world.choose(world.ben, tally, 0, 3)
    shown = text_of(result)
    assert "Recorded: you chose A and D" in shown
    for position in (0, 3):
        assert tally.question.options[tally.drop.order[position]].text in shown
    assert "key" not in shown.lower().replace("kettle", "")
    assert buttons_of(result) == {"Report": "qd:r:1"}
    assert pictures_of(result) == []
    withheld = await world.ben.slash(world.channel, "explain", question="kettle")
    assert "open right now" in text_of(withheld)


async def test_the_reveal_has_the_keys_and_what_share_of_the_members_chose_each(
    world: World,
) -> None:
    tally = await world.drop_now()
    right, wrong = right_positions(tally), wrong_positions(tally)
    await world.choose(world.ben, tally, *right)
    await world.choose(world.cleo, tally, right[0], wrong[0])
    await world.wait_until(tally.drop.closes_at)
    shown = text_of(world.message(tally))
    assert f"✓ The keys are {letters(right)}." in shown
    shares = dict(zip("ABCD", re.findall(r"(\d+%) · \d", shown), strict=True))
    assert [shares["ABCD"[place]] for place in (*right, *wrong)] == ["100%", "50%", "50%", "0%"]
    assert "2 answers" in shown
    assert buttons_of(world.message(tally)) == {"Full explanation": "qd:f:1"}
    board = text_of(await world.ada.slash(world.channel, "leaderboard"))
    assert "1 of 1 right" in board
    assert "0 of 1 right" in board
    explained = text_of(await world.ada.slash(world.channel, "explain", question="kettle"))
    assert "✓ The keys are B and D." in explained


async def test_a_claim_whose_message_stands_is_found_by_its_one_button(world: World) -> None:
    terms = {"deck": "sample", "channel": world.channel, "times": "08:00", "zone": "UTC"}
    await world.ada.slash(world.channel, "schedule add", **terms)
    (slot,) = await world.ask(
        lambda tutor: tutor.timetable.preview(world.group, 1, world.now, 1)[1]
    )
    await world.wait_until(slot)
    tally = await world.tally(1)
    posted = tally.drop.message
    await world.ask(forget_the_message)
    await world.wait(minutes=3)
    assert (await world.tally(1)).drop.message == posted
    assert len([each for each in world.channel.history() if "Question 1" in text_of(each)]) == 1


def forget_the_message(tutor: Tutor) -> None:
    """As if the process had been killed between the post and its confirmation."""
    with tutor._store.writing() as db:
        db.execute("UPDATE drops SET state = 'claimed', message = NULL, day = NULL")


async def forged(world: World, custom_id: str, *values: str) -> Any:
    """A message of the bot's own with a menu that has any id and offers any values."""
    options = [discord.SelectOption(label=f"? {value}", value=value) for value in values]
    menu: ui.Select[Any] = ui.Select(
        custom_id=custom_id, min_values=0, max_values=len(values), options=options
    )
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.ActionRow(menu))
    view.stop()
    return await world.client.get_partial_messageable(world.channel.id).send(view=view)


@pytest.mark.parametrize(
    "values",
    [(), ("0",), ("0", "1", "2"), ("0", "4"), ("0", "9"), ("0", "-1"), ("0", "x"), ("0", "٣")],
    ids=lambda values: ",".join(values) or "none",
)
async def test_a_tampered_choice_is_refused_in_a_sentence_and_not_recorded(
    world: World, values: tuple[str, ...]
) -> None:
    tally = await world.drop_now()
    custom_id = ids.choose(1, str(tally.drop.message))
    offered = ("0", "1", "2", "4", "9", "-1", "x", "٣")
    message = await forged(world, custom_id, *offered)
    result = await world.ben.select(message, values)
    assert "asks for exactly 2 different options, so nothing was recorded" in text_of(result)
    assert (await world.tally(1)).answered == 0


@pytest.mark.parametrize("custom_id", ["qd:c:1:123", "qd:c:99:{}"])
async def test_a_menu_that_no_drop_opened_is_refused(world: World, custom_id: str) -> None:
    tally = await world.drop_now()
    message = await forged(world, custom_id.format(tally.drop.message), "0", "1")
    result = await world.ben.select(message, ("0", "1"))
    assert "I have no record of this question" in text_of(result)
    assert (await world.tally(1)).answered == 0


async def test_a_letter_is_no_answer_to_a_question_that_asks_for_two(world: World) -> None:
    await world.drop_now()
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.ActionRow(ui.Button(label="?", custom_id="qd:a:1:0")))
    view.stop()
    channel = world.client.get_partial_messageable(world.channel.id)
    result = await world.ben.click(await channel.send(view=view), custom_id="qd:a:1:0")
    assert "I have no record of this question" in text_of(result)
    assert (await world.tally(1)).answered == 0


async def test_a_menu_of_another_version_says_so(world: World) -> None:
    message = await forged(world, "qd:later:1", "0", "1")
    result = await world.ben.select(message, ("0",))
    assert "This menu is of another version of me" in text_of(result)


async def test_questions_of_one_and_of_several_keys_live_side_by_side(
    database: Path, error_log: ErrorLog
) -> None:
    deck = make_deck().model_copy(
        update={"questions": (make_question("one"), make_question("two", keys=(0, 1, 2)))}
    )
    async with World(database, {Path("sample"): deck}) as world:
        for number in (1, 2):
            tally = await world.drop_now()
            assert tally.drop.number == number
            if len(tally.question.keys) == 1:
                result = await world.press(world.ben, tally, right_position(tally))
            else:
                result = await world.choose(world.ben, tally, *right_positions(tally))
                assert ", " in text_of(result).partition("you chose ")[2][:9]
            assert "✓ Right" in text_of(result)
        await world.wait(minutes=61)
        shown = text_of(await world.ben.slash(world.channel, "streak show"))
        assert "right 2 of 2" in shown


# The demo and a real process


FLOATING = ("Ice", "Cork")


def kitchen(root: Path) -> Path:
    """A folder of decks with one deck and its one question, which asks for two of four options."""
    folder = root / "decks" / "kitchen"
    (folder / "questions").mkdir(parents=True)
    (folder / "deck.toml").write_text(
        "\n".join(
            [
                *(f'{key} = "Kitchen"' for key in ("title", "description", "licence")),
                'language = "en"\nblueprint = "1"',
                '[[domains]]\nid = "water"\ntitle = "Water"\nweight = 100',
            ]
        )
    )
    texts = ("Stone", "Ice", "Iron", "Cork")
    options = [("x" if text in FLOATING else " ", text) for text in texts]
    (folder / "questions" / "floats.md").write_text(
        "---\ndomain: water\n---\nWhich two float on water?\n\n"
        + "".join(f"- [{box}] {text}\n  > Why {text}.\n" for box, text in options)
        + "\n## Short explanation\n\n{b} and {d} are lighter.\n"
        + "\n## Full explanation\n\n{a} and {c} sink.\n"
    )
    return folder.parent


async def test_it_works_in_the_demo_from_the_press_to_the_reveal(tmp_path: Path) -> None:
    folder = kitchen(tmp_path) / "kitchen"
    async with Demo({folder: load_deck(folder)}, tmp_path, open_minutes=60) as demo:
        _, ben, cleo = demo.members
        (post,) = (m for m in demo.channel.history() if "Answer" in buttons_of(m))
        menu = await ben.click(post, label="Answer")
        wanted = {f"{letter}. {text}" for letter, text in starts_of(menu) if text in FLOATING}
        values = {each["label"]: each["value"] for each in menu_of(menu)["options"]}
        right = sorted(values[label] for label in wanted)
        wrong = sorted({"0", "1", "2", "3"} - set(right))
        await demo.restart()
        assert "✓ Right: you chose" in text_of(await ben.select(menu.response, right))
        menu = await cleo.click(post, label="Answer")
        chosen = await cleo.select(menu.response, [right[0], wrong[0]])
        assert "✗ Wrong: you chose" in text_of(chosen)
        assert "the keys are" in text_of(chosen)
        await demo.client.core(close_now)
        with demo.env._bot_scope():
            await demo.client.clock.tick()
        await demo.env.settle()
        shown = text_of(next(m for m in demo.channel.history() if m.id == post.id))
        letters = sorted(label[0] for label in wanted)
        assert f"✓ The keys are {' and '.join(letters)}." in shown
        shares = dict(zip("ABCD", re.findall(r"(\d+)% · \d", shown), strict=True))
        assert sorted(shares.values(), key=int) == ["0", "50", "50", "100"]
        assert shares["ABCD"[int(right[0])]] == "100"


def close_now(tutor: Tutor) -> None:
    """The drop's time is up."""
    with tutor._store.writing() as db:
        db.execute("UPDATE drops SET closes_at = claimed_at")


def starts_of(shown: Any) -> list[tuple[str, str]]:
    """The letters of a menu's options, each with its text."""
    found = [each["label"].split(". ", 1) for each in menu_of(shown)["options"]]
    return [(letter, text) for letter, text in found]


async def test_a_menu_of_a_process_that_was_killed_is_answered_by_the_next_one(
    database: Path, tmp_path: Path
) -> None:
    decks = kitchen(tmp_path)
    async with Wire() as wire:
        group = wire.group(members=["ben", "cleo"])
        ben, cleo = group.members
        async with wire.bot(database, decks=decks) as bot:
            await group.manager.slash("drop now", deck="kitchen", zone="UTC", open_for=60)
            (post,) = group.room.posts()
            assert "Choose 2" in post.text
            menus = [await member.press(post, "Answer") for member in (ben, cleo)]
            assert all(menu.private for menu in menus)
            await bot.kill()
        starts = dict(re.findall(r"\*\*([A-D])\.\*\* (\w+)", menus[0].text))
        right = [letter for letter, text in starts.items() if text in FLOATING]
        async with wire.bot(database, decks=decks) as bot:
            answered = await ben.choose(menus[0], *reversed(right))
            assert f"✓ Right: you chose {' and '.join(right)}" in answered.text
            assert answered.message is not None
            assert menus[0].message is not None
            assert answered.message["id"] == menus[0].message["id"]
            again = await ben.press(post, "Answer")
            assert "Your first answer stands. Right" in again.text
            menu = menus[1]
            for values in (["0", "0"], ["0"], ["0", "1", "2"], ["0", "9"], []):
                menu = await cleo.press(post, "Answer")
                refused = await cleo.choose_values(menu, *values)
                assert "asks for exactly 2 different options" in refused.text
            assert [row["member"] for row in Ledger(database).answers()] == [ben.id]
            await wire.until(lambda: "1 answer so far" in post.now.text, "the count")
            assert bot.errors == []
        assert [row["options"] for row in Ledger(database).answers()] == [0b1010]
