"""Counts on a drop's message: right, merged, and at most one edit in fifteen seconds."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

from bot.tallies import PACE_SECONDS, Tallies
from tests.wired import wired_with_a_drop
from tests.world import World, text_of


def edits(world: World) -> int:
    return sum(request.method == "PATCH" for request in world.env.http_requests)


async def test_the_message_shows_how_many_have_answered(world: World) -> None:
    tally = await world.drop_now()
    assert "no answers yet" in text_of(world.message(tally))
    await world.press_right(world.ben, tally)
    assert "1 answer so far" in text_of(world.message(tally))
    await world.press_wrong(world.cleo, tally)
    await world.env.advance_time(PACE_SECONDS)
    assert "2 answers so far" in text_of(world.message(tally))


async def test_many_answers_make_one_edit_in_fifteen_seconds(world: World) -> None:
    # aikaterna/aikaterna-cogs#302
    tally = await world.drop_now()
    members = [world._member(f"m{n}") for n in range(12)]
    for member in members:
        await world.press_right(member, tally)
    before = edits(world)
    assert before <= 1
    await world.env.advance_time(PACE_SECONDS)
    assert edits(world) == before + 1
    await world.env.advance_time(10 * PACE_SECONDS)
    assert edits(world) == before + 1
    assert "12 answers so far" in text_of(world.message(tally))


async def test_two_edits_of_one_message_are_never_closer_than_the_pace() -> None:
    loop = asyncio.get_running_loop()
    edited: list[float] = []

    async def edit(_: int) -> None:
        edited.append(loop.time())

    tallies = Tallies(edit, pace=0.6)
    until = loop.time() + 2.5
    while loop.time() < until:
        tallies.answered(1)
        await asyncio.sleep(0.01)
    await tallies.close()
    gaps = [later - earlier for earlier, later in pairwise(edited)]
    assert len(edited) >= 3
    assert min(gaps) >= 0.59


async def test_a_burst_on_one_drop_does_not_delay_another() -> None:
    edited: list[int] = []

    async def edit(drop: int) -> None:
        edited.append(drop)

    tallies = Tallies(edit, pace=60)
    for _ in range(100):
        tallies.answered(1)
    tallies.answered(2)
    await asyncio.sleep(0.7)
    await tallies.close()
    assert sorted(edited) == [1, 2]


async def test_the_close_needs_no_count_any_more(world: World) -> None:
    tally = await world.drop_now()
    await world.press_right(world.ben, tally)
    await world.press_right(world.cleo, tally)  # its edit would come in fifteen seconds
    await world.wait(minutes=61)
    await world.env.advance_time(PACE_SECONDS * 2)
    assert "· closed" in text_of(world.message(tally))


async def test_a_count_on_its_way_never_takes_the_place_of_the_reveal(database: Path) -> None:
    async with wired_with_a_drop(database) as (wired, client, tally):
        wired.http.open.clear()
        counting = asyncio.create_task(client.reveals.edit_count(tally.drop.id))
        await wired.until_requests(1)
        revealing = asyncio.create_task(client.reveals.reveal(tally.drop))
        await asyncio.sleep(0.2)
        assert len(wired.http.requests) == 1  # the reveal waits for its turn
        wired.http.open.set()
        await asyncio.gather(counting, revealing)
        assert "The key is" in wired.http.requests[-1][2]
