"""Spacing the bot's requests to Discord, so that many groups due at once stay under its limit.

Discord takes fifty requests a second from a bot and refuses the rest; discord.py gives up on a
request that was refused five times, and a question would come minutes late. Replies to members are
not counted by Discord, and are never held up here.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import aiohttp

REQUESTS_A_SECOND = 40
# Where replies to members go: https://discord.com/developers/docs/topics/rate-limits
_NOT_COUNTED = ("/interactions/", "/webhooks/")


class Pace:
    """Gives out turns, the next one a fixed time after the last; nobody waits when few ask."""

    def __init__(self, turns_a_second: float) -> None:
        self._between = 1 / turns_a_second
        self._next = float("-inf")

    async def turn(self) -> None:
        """Wait for a turn. Turns are given in the order in which they were asked for."""
        now = asyncio.get_running_loop().time()
        mine = max(self._next, now)
        self._next = mine + self._between
        if mine > now:
            await asyncio.sleep(mine - now)


def paced_requests() -> aiohttp.TraceConfig:
    """For discord.py's `http_trace`: each request waits for its turn before it is sent."""
    pace = Pace(REQUESTS_A_SECOND)

    async def before_request(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        request: aiohttp.TraceRequestStartParams,
    ) -> None:
        if not any(part in request.url.path for part in _NOT_COUNTED):
            await pace.turn()

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(before_request)
    return trace
