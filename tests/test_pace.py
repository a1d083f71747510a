"""Requests to Discord are spaced under its limit; replies to members never wait for a turn."""

from __future__ import annotations

import asyncio

import aiohttp

from bot.pace import REQUESTS_A_SECOND, Pace, paced_requests
from tests.wire import Wire


async def test_turns_come_in_order_and_never_two_at_once() -> None:
    loop = asyncio.get_running_loop()
    pace = Pace(50)
    given: list[tuple[int, float]] = []

    async def wait(number: int) -> None:
        await pace.turn()
        given.append((number, loop.time()))

    started = loop.time()
    await asyncio.gather(*(wait(number) for number in range(11)))
    assert [number for number, _ in given] == list(range(11))
    assert given[0][1] - started < 0.02
    assert given[-1][1] - started >= 0.2


async def test_nobody_waits_when_few_ask() -> None:
    loop = asyncio.get_running_loop()
    pace = Pace(50)
    for _ in range(3):
        started = loop.time()
        await pace.turn()
        assert loop.time() - started < 0.01
        await asyncio.sleep(0.025)


async def test_requests_are_spaced_and_replies_to_members_are_not() -> None:
    loop = asyncio.get_running_loop()
    async with Wire() as wire, aiohttp.ClientSession(trace_configs=[paced_requests()]) as http:

        async def ask(path: str, times: int) -> float:
            started = loop.time()
            for answer in await asyncio.gather(*(http.get(wire.base + path) for _ in range(times))):
                answer.release()
            return loop.time() - started

        assert await ask("/users/@me", 21) >= 20 / REQUESTS_A_SECOND
        assert await ask("/interactions/1/token/callback", 21) < 20 / REQUESTS_A_SECOND
        assert await ask("/webhooks/1/token/messages/@original", 21) < 20 / REQUESTS_A_SECOND
        wire.expect_violation("GET /interactions/1")
