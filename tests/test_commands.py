"""Slash commands as members and admins use them, right and wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands

from bank.models import Deck
from bot.commands import COMMANDS
from tests.samples import make_deck
from tests.world import PERMISSIONS, World, buttons_of, text_of

NAME = re.compile(r"[-_\w]{1,32}")


@pytest.fixture
def decks() -> dict[Path, Deck]:
    empty = make_deck(name="empty").model_copy(update={"questions": ()})
    return {Path("sample"): make_deck("kettle", "teapot"), Path("empty"): empty}


def leaves() -> Iterator[app_commands.Command[Any, ..., Any]]:
    for command in COMMANDS:
        if isinstance(command, app_commands.Command):
            yield command
        elif isinstance(command, app_commands.Group):
            yield from command.walk_commands()  # type: ignore[misc]


def test_the_families_are_all_there() -> None:
    assert sorted(command.qualified_name for command in leaves()) == [
        "deck export",
        "deck list",
        "deck remove",
        "deck reports",
        "deck upload",
        "drop now",
        "drop void",
        "explain",
        "help",
        "leaderboard",
        "question report",
        "question restore",
        "question retire",
        "question settle",
        "schedule add",
        "schedule list",
        "schedule pause",
        "schedule preview",
        "schedule remove",
        "schedule resume",
        "streak show",
        "streak why",
    ]


def test_every_name_description_and_choice_keeps_discords_limits() -> None:
    # simcord takes what Discord refuses, so the limits are held here.
    for command in leaves():
        assert NAME.fullmatch(command.name)
        assert command.name == command.name.lower()
        assert 1 <= len(command.description) <= 100
        for option in command.parameters:
            assert NAME.fullmatch(option.display_name)
            assert 10 <= len(str(option.description)) <= 100, option.name
            assert len(option.choices) <= 25
        required = [option.required for option in command.parameters]
        assert required == sorted(required, reverse=True)


async def test_schedules_and_drops_are_for_managers_by_discords_own_default(world: World) -> None:
    synced = {command.name: command for command in await world.client.tree.fetch_commands()}
    for name in ("schedule", "drop"):
        assert synced[name].default_member_permissions == discord.Permissions(manage_guild=True)
    assert all(command.guild_only for command in COMMANDS if command.name != "Explain")


async def test_a_member_whom_discord_lets_through_is_refused_in_code(world: World) -> None:
    for command in await world.client.tree.fetch_commands():
        if command.name in ("schedule", "drop"):
            world.guild.set_command_permissions(command, {world.ben: True})
    for name, options in (
        ("schedule list", {}),
        ("schedule add", {"deck": "sample", "channel": world.channel, "times": "8:00"}),
        ("schedule pause", {"number": 1}),
        ("drop now", {"deck": "sample"}),
    ):
        result = await world.ben.slash(world.channel, name, **options)
        assert result.ephemeral
        assert text_of(result) == "Only members who may manage this server can do that."
    assert await world.all_drops() == []


async def add(world: World, **options: Any) -> Any:
    chosen = {"deck": "sample", "channel": world.channel, "times": "8:00", "zone": "UTC", **options}
    return await world.ada.slash(world.channel, "schedule add", **chosen)


async def schedules(world: World) -> list[Any]:
    found: list[Any] = await world.ask(lambda tutor: tutor.timetable.schedules(world.group))
    return found


async def test_a_schedule_is_set_with_everything_it_asks_for(world: World) -> None:
    role = world.guild.create_role("Learners")
    result = await add(
        world,
        times="8:00, 18:30",
        days="weekdays",
        zone="europe/berlin",
        explain="at close",
        role=role,
        **{"open-for": 240},
    )
    shown = text_of(result)
    assert "08:00 and 18:30, Mon to Fri (Europe/Berlin)" in shown
    assert "open for 4 hours · explains at the close" in shown
    assert f"<@&{role.id}>" in shown
    assert "The first question drops" in shown
    (schedule,) = await schedules(world)
    assert schedule.room == str(world.channel.id)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"zone": "Berlin"}, "“Berlin” is not a time zone I know."),
        ({"zone": None}, "Please name your time zone once"),
        ({"deck": "nope"}, "There is no deck “nope”. The decks here are: sample, empty."),
        ({"deck": "empty"}, "The deck “empty” has no questions yet"),
        ({"times": "noon"}, "“noon” is not a time I can read."),
        ({"times": "25:00"}, "“25:00” is not a time I can read."),
        ({"days": "someday"}, "“someday” is not a day I can read."),
    ],
)
async def test_what_cannot_work_is_refused_with_a_sentence_and_nothing_is_stored(
    world: World, options: dict[str, Any], sentence: str
) -> None:
    chosen = {"deck": "sample", "channel": world.channel, "times": "8:00", "zone": "UTC", **options}
    given = {name: value for name, value in chosen.items() if value is not None}
    result = await world.ada.slash(world.channel, "schedule add", **given)
    assert result.ephemeral
    assert sentence in text_of(result)
    assert await schedules(world) == []


@pytest.mark.parametrize("lacking", ["view_channel", "send_messages", "attach_files"])
async def test_a_channel_without_a_permission_is_refused_and_the_permission_named(
    world: World, lacking: str
) -> None:
    denied = discord.PermissionOverwrite(**{lacking: False})  # type: ignore[arg-type]
    quiet = world.guild.create_text_channel("quiet", overwrites={world.client.user: denied})
    result = await add(world, channel=quiet)
    name = lacking.replace("_", " ").title()
    assert f"I cannot post in <#{quiet.id}>" in text_of(result)
    assert name in text_of(result)
    assert await schedules(world) == []


async def test_the_zone_is_asked_once_and_kept(world: World) -> None:
    await add(world, zone="Asia/Tokyo")
    result = await world.ada.slash(
        world.channel, "schedule add", deck="sample", channel=world.channel, times="9:00"
    )
    assert "(Asia/Tokyo)" in text_of(result)


async def test_preview_lists_the_next_fourteen_slots(world: World) -> None:
    await add(world, times="8:00, 20:00")
    result = await world.ada.slash(world.channel, "schedule preview", number=1)
    assert len(re.findall(r"^- ", text_of(result), re.MULTILINE)) == 14


async def test_pause_resume_and_remove_do_as_they_say(world: World) -> None:
    await add(world)
    assert "Schedule 1 is paused" in text_of(
        await world.ada.slash(world.channel, "schedule pause", number=1)
    )
    assert "paused" in text_of(await world.ada.slash(world.channel, "schedule list"))
    await world.wait(days=3)
    assert await world.all_drops() == []
    assert "The first question drops" in text_of(
        await world.ada.slash(world.channel, "schedule resume", number=1)
    )
    await world.wait(days=1)
    assert len(await world.all_drops()) == 1
    assert "Schedule 1 is removed" in text_of(
        await world.ada.slash(world.channel, "schedule remove", number=1)
    )
    assert "no schedules here yet" in text_of(await world.ada.slash(world.channel, "schedule list"))


@pytest.mark.parametrize("name", ["preview", "pause", "resume", "remove"])
async def test_an_unknown_schedule_is_a_sentence(world: World, name: str) -> None:
    result = await world.ada.slash(world.channel, f"schedule {name}", number=7)
    assert text_of(result) == "There is no schedule 7 here. /schedule list shows them all."


@pytest.mark.parametrize(
    ("typed", "first"), [("berl", "Europe/Berlin"), ("new y", "America/New_York"), ("UTC", "UTC")]
)
async def test_zones_are_offered_while_typing(world: World, typed: str, first: str) -> None:
    offered = await world.ada.autocomplete(world.channel, "schedule add", "zone", typed)
    assert first in [choice["value"] for choice in offered]
    assert len(await world.ada.autocomplete(world.channel, "schedule add", "zone", "")) == 25


async def test_decks_days_and_schedules_are_offered_while_typing(world: World) -> None:
    offer = world.ada.autocomplete
    decks = await offer(world.channel, "schedule add", "deck", "deck sam")
    assert [choice["value"] for choice in decks] == ["sample"]
    days = await offer(world.channel, "schedule add", "days", "week")
    assert [choice["value"] for choice in days] == ["weekdays", "weekends"]
    await add(world)
    numbers = await offer(world.channel, "schedule pause", "number", "")
    assert [choice["value"] for choice in numbers] == [1]


async def test_drop_now_posts_one_question_and_says_where(world: World) -> None:
    await world.drop_now()
    posted = [
        message for message in world.channel.history() if "qd:a:1:0" in str(message.components)
    ]
    assert len(posted) == 1


async def test_drop_now_names_the_channel_it_may_not_post_in(world: World) -> None:
    denied = discord.PermissionOverwrite(send_messages=False)
    quiet = world.guild.create_text_channel("quiet", overwrites={world.client.user: denied})
    result = await world.ada.slash(world.channel, "drop now", deck="sample", channel=quiet)
    assert "Send Messages" in text_of(result)
    assert await world.all_drops() == []


async def test_streak_and_leaderboard_agree_with_the_answers(world: World) -> None:
    for day in range(3):
        tally = await world.drop_now()
        await world.press_right(world.ben, tally)
        if day != 1:
            await world.press_wrong(world.cleo, tally)
        await world.wait(days=1)
    ben = text_of(await world.ben.slash(world.channel, "streak show"))
    assert "Streak: 3 question days" in ben
    assert "3 answers, right 3 of 3 (100%)." in ben
    cleo = text_of(await world.ben.slash(world.channel, "streak show", member=world.cleo))
    assert "Streak: 1 question day" in cleo
    assert "kept 2 question days, 1 in a row at best" in cleo
    board = await world.ada.slash(world.channel, "leaderboard")
    assert not board.ephemeral
    lines = text_of(board).splitlines()[1:3]
    assert lines[0].startswith(f"1. <@{world.ben.id}> · 🔥 3 · 3 days kept · 3 of 3 right")
    assert lines[1].startswith(f"2. <@{world.cleo.id}> · 🔥 1 · 2 days kept · 0 of 2 right")


async def test_deck_list_and_help_answer(world: World) -> None:
    await world.drop_now()
    decks = text_of(await world.ben.slash(world.channel, "deck list"))
    assert "2 questions, 1 asked here" in decks
    help_ = text_of(await world.ben.slash(world.channel, "help"))
    for word in (
        "/explain",
        "/streak show",
        "/streak why",
        "/leaderboard",
        "/deck list",
        "/schedule",
        "/drop now",
        "/question report",
    ):
        assert word in help_


async def test_explain_finds_a_question_by_a_word_with_a_typing_mistake(world: World) -> None:
    result = await world.ben.slash(world.channel, "explain", question="ketle")
    assert result.ephemeral
    assert "What is right about kettle?" in text_of(result)
    assert list(buttons_of(result)) == ["Full explanation", "Show to all"]


async def test_explain_of_nothing_known_is_a_sentence(world: World) -> None:
    result = await world.ben.slash(world.channel, "explain", question="*xyzzy* @everyone")
    assert "No question matches" in text_of(result)


async def test_explain_keeps_a_live_question_shut_until_it_is_answered(world: World) -> None:
    tally = await world.drop_now()
    asked = tally.question.slug
    shut = await world.ben.slash(world.channel, "explain", question=asked)
    assert "This question is open right now. Answer it first" in text_of(shut)
    assert "closes <t:" in text_of(shut)
    await world.press_wrong(world.ben, tally)
    opened = await world.ben.slash(world.channel, "explain", question=asked)
    assert "The key is" in text_of(opened)
    still_shut = await world.cleo.slash(world.channel, "explain", question=asked)
    assert "This question is open right now" in text_of(still_shut)


async def test_explain_on_the_drops_message_does_the_same(world: World) -> None:
    tally = await world.drop_now()
    message = world.message(tally)
    shut = await world.ben.context_menu(world.channel, "Explain", message)
    assert "This question is open right now" in text_of(shut)
    await world.press_wrong(world.ben, tally)
    opened = await world.ben.context_menu(world.channel, "Explain", message)
    letter = "ABCD"[tally.drop.order.index(tally.question.keys[0])]
    assert f"The key is {letter}." in text_of(opened)


async def test_explain_on_any_other_message_is_a_sentence(world: World) -> None:
    message = await world.ben.send(world.channel, "hello")
    result = await world.ben.context_menu(world.channel, "Explain", message)
    assert "I have no record of this question" in text_of(result)


async def test_show_to_all_shows_it_in_the_room_but_not_while_it_is_live(world: World) -> None:
    found = await world.ben.slash(world.channel, "explain", question="kettle")
    public = await world.ben.click(found.response, label="Show to all")
    assert not public.ephemeral
    assert "What is right about kettle?" in text_of(public)
    first = await world.drop_now()
    second = await world.drop_now()
    kettle = first if first.question.slug == "kettle" else second
    refused = await world.ben.click(found.response, label="Show to all")
    assert refused.ephemeral
    assert "I can show it to all once it has closed" in text_of(refused)
    await world.press_right(world.ben, kettle)
    refused = await world.ben.click(found.response, label="Show to all")
    assert "I can show it to all once it has closed" in text_of(refused)


async def test_the_full_explanation_of_a_found_question_shuts_when_its_drop_opens(
    world: World,
) -> None:
    found = await world.ben.slash(world.channel, "explain", question="kettle")
    opened = await world.ben.click(found.response, label="Full explanation")
    assert "The long story of kettle" in text_of(opened)
    await world.drop_now()
    await world.drop_now()
    shut = await world.ben.click(found.response, label="Full explanation")
    assert "This question is open right now" in text_of(shut)


async def test_no_text_from_a_member_pings_or_breaks_the_layout(world: World) -> None:
    result = await add(world, times="@everyone")
    sent = world.env.http_requests[-1].json
    assert sent["data"]["allowed_mentions"] == {"parse": []}
    assert "is not a time I can read" in text_of(result)


def test_the_bot_asks_for_no_more_permissions_than_a_room_needs() -> None:
    from bot.client import PERMISSIONS as ASKED

    assert ASKED == PERMISSIONS
