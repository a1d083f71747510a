"""From a schedule to a message: on time, once, and without one room's trouble reaching another."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bank.models import Deck, DropState
from bot.cards.drop import drop_card
from tests.samples import make_deck
from tests.wired import wired_with_a_drop
from tests.world import ErrorLog, World, text_of

SLOT = timedelta(hours=10)


@pytest.fixture
def decks() -> dict[Path, Deck]:
    return {Path("sample"): make_deck(*(f"q{n}" for n in range(12)))}


async def add(world: World, **options: Any) -> None:
    chosen = {
        "deck": "sample",
        "channel": world.channel,
        "times": "10:00",
        "zone": "UTC",
        "open-for": 60,
        **options,
    }
    result = await world.ada.slash(world.channel, "schedule add", **chosen)
    assert "is set" in text_of(result), text_of(result)


def midnight(world: World) -> datetime:
    return world.now.replace(hour=0, minute=0, second=0, microsecond=0)


def count_drops(channel: Any) -> int:
    return sum("qd:a:" in str(m.components) or "· closed" in text_of(m) for m in channel.history())


async def test_a_slot_is_posted_once_however_often_the_clock_ticks(world: World) -> None:
    # codinglab-io/discord-bot#91
    await add(world)
    await world.wait_until(midnight(world) + SLOT)
    for _ in range(3):
        await world.tick()
    await world.wait(seconds=90)
    assert count_drops(world.channel) == 1


async def test_the_same_slot_never_posts_twice_over_restarts(world: World) -> None:
    # PieInTheSky-Inc/YaDc#69
    await add(world)
    await world.wait_until(midnight(world) + SLOT)
    await world.restart()
    await world.wait(minutes=2)
    await world.restart()
    assert count_drops(world.channel) == 1


async def test_a_command_that_comes_before_the_bot_knows_its_servers_starts_no_clock(
    database: Path,
) -> None:
    # PKlempe/SAM#154
    async with wired_with_a_drop(database) as (wired, client, tally):
        client.clock._now = lambda: tally.drop.slot + timedelta(days=1)
        await client.clock.tick()
        assert await client.core(lambda tutor: tutor.posting.due(client.clock._now(), 1).post)
        assert wired.http.requests == []


async def test_a_reconnect_does_not_start_a_second_clock(world: World) -> None:
    # python-discord/bot#359
    await add(world)
    with world.env._bot_scope():
        await world.client.on_ready()
        await world.client.on_ready()
    await world.wait_until(midnight(world) + SLOT)
    assert count_drops(world.channel) == 1
    assert len(world.client.clock._scheduler.get_jobs()) == 1


async def test_a_date_change_alone_never_posts(world: World) -> None:
    # PieInTheSky-Inc/YaDc#145
    await add(world)
    await world.wait_until(midnight(world) + timedelta(days=1, seconds=1))
    assert count_drops(world.channel) == 1
    await world.wait(hours=3)
    assert count_drops(world.channel) == 1


async def test_apscheduler_wakes_the_clock_in_real_time(world: World) -> None:
    await add(world)
    world.sleep_until(midnight(world) + SLOT - timedelta(seconds=0.8))
    with world.env._bot_scope():
        await world.client.clock.tick()  # sets the alarm, and finds nothing due
    assert count_drops(world.channel) == 0
    for _ in range(60):
        await asyncio.sleep(0.1)
        if count_drops(world.channel):
            break
    await world.env.settle()
    assert count_drops(world.channel) == 1


async def test_the_drop_closes_and_shows_key_shares_explanation_and_who_kept_the_day(
    world: World,
) -> None:
    await add(world)
    await world.wait_until(midnight(world) + SLOT)
    tally = await world.tally(1)
    await world.press_right(world.ben, tally)
    await world.press_wrong(world.cleo, tally)
    await world.wait(minutes=60)
    closed = world.message(tally)
    shown = text_of(closed)
    letter = "ABCD"[tally.drop.order.index(tally.question.keys[0])]
    assert f"The key is {letter}." in shown
    assert f"✓ **{letter}.**" in shown
    assert shown.count("50% · 1") == 2
    assert shown.count(" 0% · 0") == 2
    assert tally.question.short in shown
    assert f"streak extended: <@{world.ben.id}>, <@{world.cleo.id}>" in shown
    everybody = await world.ada.click(closed, label="Full explanation")
    assert everybody.ephemeral
    assert "The long story" in text_of(everybody)
    assert (await world.tally(1)).drop.state is DropState.REVEALED


async def test_only_the_first_drop_of_a_day_extends_a_streak(world: World) -> None:
    first = await world.drop_now()
    second = await world.drop_now()
    await world.press_right(world.ben, first)
    await world.press_right(world.ben, second)
    await world.wait(minutes=61)
    assert f"streak extended: <@{world.ben.id}>" in text_of(world.message(first))
    assert "nobody extended a streak" in text_of(world.message(second))


async def test_after_downtime_one_slot_is_posted_late_and_once(world: World) -> None:
    # anoadragon453/matrix-reminder-bot#9
    await add(world, times="10:00, 10:30")
    world.sleep_until(midnight(world) + timedelta(hours=11))
    await world.restart()
    assert count_drops(world.channel) == 1
    (drop,) = await world.all_drops()
    assert drop.closes_at == midnight(world) + timedelta(hours=12)


async def test_a_slot_past_its_grace_is_not_posted_and_costs_no_streak(world: World) -> None:
    await add(world)
    await world.wait_until(midnight(world) + SLOT)
    await world.press_right(world.ben, await world.tally(1))
    world.sleep_until(world.now + timedelta(days=2, hours=5))
    await world.restart()
    assert count_drops(world.channel) == 1
    assert "Streak: 1 question day" in text_of(await world.ben.slash(world.channel, "streak show"))


async def claim_without_sending(world: World) -> Any:
    """What a process leaves that is killed right after its claim."""
    now = world.now
    work = await world.ask(lambda tutor: tutor.posting.due(now, 5))
    (drop,) = work.post
    return await world.tally(drop.id)


async def test_a_claim_that_was_never_sent_is_posted_once_later(world: World) -> None:
    await add(world)
    world.sleep_until(midnight(world) + SLOT)
    await claim_without_sending(world)
    await world.restart()
    assert count_drops(world.channel) == 0  # the claim may still be another process's
    await world.wait(seconds=61)
    await world.wait(seconds=61)
    assert count_drops(world.channel) == 1
    assert (await world.tally(1)).drop.state is DropState.POSTED


async def test_a_message_that_was_sent_but_not_recorded_is_found_and_not_sent_again(
    world: World,
) -> None:
    await add(world)
    world.sleep_until(midnight(world) + SLOT)
    tally = await claim_without_sending(world)
    with world.env._bot_scope():
        room = world.client.get_partial_messageable(world.channel.id)
        sent = await room.send(view=drop_card(tally, "Sample deck", "Basics").view)
    await world.restart()
    await world.wait(seconds=61)
    assert count_drops(world.channel) == 1
    drop = (await world.tally(1)).drop
    assert (drop.state, drop.message) == (DropState.POSTED, str(sent.id))


async def test_a_claim_found_after_its_grace_is_missed(world: World) -> None:
    await add(world)
    world.sleep_until(midnight(world) + SLOT)
    await claim_without_sending(world)
    world.sleep_until(world.now + timedelta(hours=3))
    await world.restart()
    await world.env.settle()
    assert count_drops(world.channel) == 0
    assert (await world.tally(1)).drop.state is DropState.MISSED


async def test_a_press_before_the_message_was_recorded_counts(world: World) -> None:
    await add(world)
    world.sleep_until(midnight(world) + SLOT)
    tally = await claim_without_sending(world)
    with world.env._bot_scope():
        room = world.client.get_partial_messageable(world.channel.id)
        await room.send(view=drop_card(tally, "Sample deck", "Basics").view)
    message = world.channel.history()[-1]
    await world.ben.click(message, custom_id="qd:a:1:0")
    drop = (await world.tally(1)).drop
    assert (drop.state, drop.message, drop.day) == (DropState.POSTED, str(message.id), 1)


async def test_a_deleted_channel_is_told_once_and_stops_nobody_else(world: World) -> None:
    # Would-You-Bot/client#336
    doomed = world.guild.create_text_channel("doomed")
    await add(world, channel=doomed)
    await add(world)
    world.env.backend.delete_channel(doomed.id)
    await world.wait_until(midnight(world) + SLOT)
    await world.wait(days=1)
    assert count_drops(world.channel) == 2
    told = [
        request
        for request in world.env.http_requests
        if "The channel for the questions is gone" in str(request.json)
    ]
    assert len(told) == 1
    listed = text_of(await world.ada.slash(world.channel, "schedule list"))
    assert "⚠ The channel for the questions is gone" in listed


async def test_a_lost_permission_is_told_once_and_works_again_when_it_is_back(
    world: World,
) -> None:
    await add(world)
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    await world.wait_until(midnight(world) + SLOT)
    assert count_drops(world.channel) == 0
    assert "⚠ I may not post in" in text_of(await world.ada.slash(world.channel, "schedule list"))
    await world.wait(days=1)
    assert count_drops(world.channel) == 1
    assert "⚠" not in text_of(await world.ada.slash(world.channel, "schedule list"))


async def test_a_question_that_may_not_be_posted_comes_as_soon_as_it_may(world: World) -> None:
    await add(world)
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    world.env.inject_error("GET", "/channels/*/messages", status=403, code=50001, times=8)
    await world.wait_until(midnight(world) + SLOT)
    for _ in range(10):
        await world.wait(minutes=1)
    assert count_drops(world.channel) == 1
    drop = (await world.tally(1)).drop
    assert (drop.state, drop.slot) == (DropState.POSTED, midnight(world) + SLOT)
    assert "⚠" not in text_of(await world.ada.slash(world.channel, "schedule list"))


async def test_a_question_that_may_never_be_posted_is_missed_after_its_grace(world: World) -> None:
    await add(world, **{"open-for": 240})
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=None)
    await world.wait_until(midnight(world) + SLOT)
    await world.wait(minutes=119)
    assert (await world.tally(1)).drop.state is DropState.CLAIMED
    await world.wait(minutes=2)
    assert (await world.tally(1)).drop.state is DropState.MISSED


async def test_a_discord_that_fails_for_a_while_loses_no_drop(world: World) -> None:
    await add(world)
    world.env.inject_error("POST", "/channels/*/messages", status=500)
    await world.wait_until(midnight(world) + SLOT)
    assert count_drops(world.channel) == 0
    await world.wait(seconds=61)
    await world.wait(seconds=61)
    assert count_drops(world.channel) == 1


async def test_a_reveal_that_fails_is_tried_again(world: World) -> None:
    tally = await world.drop_now()
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=500)
    await world.wait(minutes=60)
    assert "· closed" not in text_of(world.message(tally))
    await world.wait(minutes=1)
    assert "· closed" in text_of(world.message(tally))


async def test_a_deleted_message_ends_its_drop_quietly(world: World) -> None:
    tally = await world.drop_now()
    world.env.backend.delete_message(world.channel.id, int(tally.drop.message or 0))
    await world.wait(minutes=61)
    assert (await world.tally(1)).drop.state is DropState.REVEALED


async def test_every_post_carries_a_nonce_that_discord_enforces(world: World) -> None:
    await world.drop_now()
    sent = [r for r in world.env.http_requests if r.path.endswith("/messages") and r.json]
    (post,) = [r.json for r in sent if "qd:a:1:0" in str(r.json)]
    assert post["enforce_nonce"] is True
    assert len(str(post["nonce"])) <= 25


async def test_only_the_configured_role_is_pinged(world: World) -> None:
    role = world.guild.create_role("Learners")
    await world.drop_now(role=role)
    (post,) = [r.json for r in world.env.http_requests if r.json and "enforce_nonce" in str(r.json)]
    assert f"<@&{role.id}>" in str(post["components"])
    assert post["allowed_mentions"] == {"parse": [], "roles": [role.id]}


async def test_a_deck_that_is_gone_is_told_once_and_stops_nobody_else(
    world: World, error_log: ErrorLog
) -> None:
    other = make_deck("z1", "z2", "z3", name="other")
    world.decks[Path("other")] = other
    await world.restart()
    await add(world, deck="other")
    await add(world)
    del world.decks[Path("other")]
    await world.restart()
    await world.wait_until(midnight(world) + SLOT)
    await world.wait(days=1)
    assert count_drops(world.channel) == 2
    assert "There is no deck “other”" in text_of(
        await world.ada.slash(world.channel, "schedule list")
    )


async def test_stopping_waits_for_discord_for_a_while_only_and_keeps_the_claim(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.clock.PATIENCE_SECONDS", 0.2)
    async with wired_with_a_drop(database) as (wired, client, tally):
        tomorrow = tally.drop.slot + timedelta(days=1)
        client.clock._now = lambda: tomorrow
        wired.http.open.clear()  # Discord does not answer
        await client.clock.start()
        await wired.until_requests(1)
        await asyncio.wait_for(client.clock.close(), 2)
        second = await client.core(lambda tutor: tutor.posting.tally(2))
        assert second.drop.state is DropState.CLAIMED


async def test_the_clock_goes_on_after_what_nobody_foresaw(
    world: World, error_log: ErrorLog
) -> None:
    await add(world)
    hide = "ALTER TABLE missed_slots RENAME TO hidden"
    await world.ask(lambda tutor: tutor._store.db.execute(hide))
    world.sleep_until(midnight(world) + SLOT)
    await world.tick()
    assert error_log.take() == ["the clock could not ask what is due"]
    assert len(world.client.clock._scheduler.get_jobs()) == 1
    show = "ALTER TABLE hidden RENAME TO missed_slots"
    await world.ask(lambda tutor: tutor._store.db.execute(show))
    await world.wait(seconds=60)
    assert count_drops(world.channel) == 1
