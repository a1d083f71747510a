"""Answer counts on open drops, paced and merged: at most one edit per message in 15 seconds.

Discord refuses messages that are edited too often (error 30046), and each edit is a request that
an answer could have used.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

PACE_SECONDS = 15.0
_FIRST_SECONDS = 0.5


class Tallies:
    """Calls `edit(drop)` soon after answers came in, never twice within the pace for one drop."""

    def __init__(self, edit: Callable[[int], Awaitable[None]], pace: float = PACE_SECONDS) -> None:
        self._edit = edit
        self._pace = pace
        self._last_edit: dict[int, float] = {}
        self._waiting: dict[int, asyncio.TimerHandle] = {}
        self._editing: set[asyncio.Task[None]] = set()

    def answered(self, drop: int) -> None:
        """A drop got an answer: its count is due for an edit, now or when the pace allows."""
        if drop in self._waiting:
            return
        loop = asyncio.get_running_loop()
        last = self._last_edit.get(drop, float("-inf"))
        # Even the first edit waits a moment: answers come in bursts, and one edit shows them all.
        delay = max(_FIRST_SECONDS, last + self._pace - loop.time())
        self._waiting[drop] = loop.call_later(delay, self._start, drop)

    async def close(self) -> None:
        for handle in self._waiting.values():
            handle.cancel()
        self._waiting.clear()
        for task in self._editing:
            task.cancel()
        await asyncio.gather(*self._editing, return_exceptions=True)

    def _start(self, drop: int) -> None:
        now = asyncio.get_running_loop().time()
        self._waiting.pop(drop, None)
        # Only the edits within the pace still matter.
        self._last_edit = {d: at for d, at in self._last_edit.items() if at > now - self._pace}
        self._last_edit[drop] = now
        task = asyncio.ensure_future(self._do(drop))
        self._editing.add(task)
        task.add_done_callback(self._editing.discard)

    async def _do(self, drop: int) -> None:
        try:
            await self._edit(drop)
        except Exception:
            log.exception("the count of drop %s could not be edited", drop)
