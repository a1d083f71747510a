"""What follows a post: each step on its own, taken once, retried, and its trouble told once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import pytest

from bank.models import Deck, Step
from tests.samples import MANY, make_deck
from tests.world import World, text_of

PIN = ("PUT", "/channels/*/messages/pins/*")
UNPIN = ("DELETE", "/channels/*/messages/pins/*")
THREAD = ("POST", "/channels/*/messages/*/threads")


@pytest.fixture
def decks() -> dict[Path, Deck]:
    return {Path("sample"): make_deck(*MANY)}


async def drop_with_both(world: World, **options: Any) -> Any:
    return await world.drop_now(pin=True, thread=True, **options)


async def steps(world: World, drop: int = 1) -> tuple[Step | None, ...]:
    found = (await world.tally(drop)).drop
    return found.pin, found.thread, found.unpin


def requests(world: World, method: str, part: str) -> int:
    return sum(r.method == method and part in r.path for r in world.env.http_requests)


def told(world: World) -> list[str]:
    """What the admins of the group were told."""
    sent = [str(r.json) for r in world.env.http_requests if r.method == "POST" and r.json]
    return [text for text in sent if "⚠" in text]


def threads(world: World) -> list[str]:
    return [c.name for c in world.env.backend.channels.values() if c.is_thread]


async def test_a_drop_is_pinned_while_it_is_open_and_has_its_thread(world: World) -> None:
    tally = await drop_with_both(world)
    assert world.message(tally).pinned
    assert threads(world) == ["Question 1"]
    assert await steps(world) == (Step.DONE, Step.DONE, None)
    await world.wait(minutes=60)
    assert not world.message(tally).pinned
    assert await steps(world) == (Step.DONE, Step.DONE, Step.DONE)
    await world.wait(hours=3)
    assert [requests(world, *r) for r in (("PUT", "/pins/"), ("DELETE", "/pins/"))] == [1, 1]
    assert requests(world, "POST", "/threads") == 1


async def test_what_nobody_asked_for_is_not_done(world: World) -> None:
    tally = await world.drop_now()
    await world.wait(minutes=61)
    assert not world.message(tally).pinned
    assert threads(world) == []
    assert await steps(world) == (None, None, None)


@pytest.mark.parametrize(("failing", "stays"), [(PIN, 0), (THREAD, 1)])
async def test_a_step_that_discord_does_not_answer_stops_no_other_and_is_tried_again(
    world: World, failing: tuple[str, str], stays: int
) -> None:
    # Ascyt/open-qotd#111
    # Once after the post, once more at the tick that /drop now asks for.
    world.env.inject_error(*failing, status=502, times=2)
    tally = await drop_with_both(world)
    expected = [Step.DONE, Step.DONE, None]
    expected[stays] = Step.DUE
    assert await steps(world) == tuple(expected)
    await world.wait(seconds=61)
    assert await steps(world) == (Step.DONE, Step.DONE, None)
    assert world.message(tally).pinned
    assert threads(world) == ["Question 1"]
    assert told(world) == []


@pytest.mark.parametrize(
    ("failing", "code", "words"),
    [
        (PIN, 50013, "I may not pin messages in"),
        (PIN, 30003, "as many pinned messages as Discord allows"),  # rubbergod#1258
        (THREAD, 50013, "I may not open threads in"),
    ],
)
async def test_a_step_that_is_refused_is_told_once_and_again_when_it_comes_back(
    world: World, failing: tuple[str, str], code: int, words: str
) -> None:
    status = 403 if code == 50013 else 400
    for _ in range(2):
        world.env.inject_error(*failing, status=status, code=code)
        tally = await drop_with_both(world)
        await world.wait(minutes=5)
    assert [words in each for each in told(world)] == [True]
    assert Step.GIVEN_UP in await steps(world)
    assert await world.press_right(world.ben, tally)
    await drop_with_both(world)  # all is well again
    world.env.inject_error(*failing, status=status, code=code)
    await drop_with_both(world)
    assert len(told(world)) == 2


async def test_a_thread_that_an_earlier_try_opened_is_taken_for_done(world: World) -> None:
    world.env.inject_error(*THREAD, status=400, code=160004)
    await drop_with_both(world)
    assert await steps(world) == (Step.DONE, Step.DONE, None)
    assert told(world) == []


async def test_steps_on_a_deleted_message_end_quietly(world: World) -> None:
    world.env.inject_error(*PIN, status=502, times=2)
    tally = await world.drop_now(pin=True)
    world.env.backend.delete_message(world.channel.id, int(tally.drop.message or 0))
    await world.wait(minutes=3)
    assert await steps(world) == (Step.GIVEN_UP, None, None)
    assert told(world) == []
    assert requests(world, "PUT", "/pins/") == 3


async def test_a_pin_that_comes_too_late_is_not_made(world: World) -> None:
    world.env.inject_error(*PIN, status=502, times=None)
    await world.drop_now(pin=True)
    await world.wait(minutes=61)
    assert await steps(world) == (Step.GIVEN_UP, None, None)


async def test_steps_that_were_cut_off_are_taken_after_a_restart(world: World) -> None:
    world.env.inject_error(*PIN, status=502, times=2)
    world.env.inject_error(*THREAD, status=502, times=2)
    tally = await drop_with_both(world)
    await world.restart()
    await world.tick()
    assert world.message(tally).pinned
    assert await steps(world) == (Step.DONE, Step.DONE, None)


@pytest.mark.parametrize(
    ("asked", "lacking"), [("pin", "pin_messages"), ("thread", "create_public_threads")]
)
async def test_a_step_without_its_permission_is_refused_when_it_is_asked_for(
    world: World, asked: str, lacking: str
) -> None:
    denied = discord.PermissionOverwrite(**{lacking: False})  # type: ignore[arg-type]
    quiet = world.guild.create_text_channel("quiet", overwrites={world.client.user: denied})
    chosen = {"deck": world.deck_name, "zone": "UTC", "channel": quiet}
    result = await world.ada.slash(world.channel, "drop now", **chosen, **{asked: True})
    assert f"I lack {lacking.replace('_', ' ').title()} there" in text_of(result)
    assert await world.all_drops() == []
    await world.ada.slash(world.channel, "drop now", **chosen)
    assert len(await world.all_drops()) == 1


async def test_a_role_that_is_gone_pings_nobody_and_is_told_once(world: World) -> None:
    role = world.guild.create_role("Learners")
    await world.drop_now(role=role)
    chosen = {"deck": world.deck_name, "channel": world.channel, "times": "10:00", "role": role}
    await world.ada.slash(world.channel, "schedule add", **chosen)
    world.env.backend.delete_role(world.guild.id, role.id)
    await world.env.settle()
    await world.wait(days=2)
    posts = [r.json for r in world.env.http_requests if r.json and "enforce_nonce" in str(r.json)]
    pinged = [role.id in post["allowed_mentions"].get("roles", []) for post in posts]
    assert pinged == [True] + [False] * (len(posts) - 1)
    assert len(posts) >= 3
    assert f"<@&{role.id}>" not in str(posts[1])
    (trouble,) = told(world)
    assert "should ping is gone" in trouble
