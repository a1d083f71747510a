"""The one worker thread that owns the tutor, so that a slow disk never stops the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from bank.tutor import Tutor

T = TypeVar("T")


class Core:
    """Runs use cases on the tutor's thread, one after the other.

    outcome = await core(lambda tutor: tutor.answering.press(...))
    """

    def __init__(self, open_tutor: Callable[[], Tutor]) -> None:
        self._open_tutor = open_tutor
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="quizdrop-core")
        self._tutor: Tutor | None = None

    async def open(self) -> None:
        """Open the database on the worker thread; raises what the tutor's maker raises."""
        loop = asyncio.get_running_loop()
        self._tutor = await loop.run_in_executor(self._thread, self._open_tutor)

    async def __call__(self, use_case: Callable[[Tutor], T]) -> T:
        tutor = self._tutor
        if tutor is None:
            raise RuntimeError("the core is not open")
        return await asyncio.get_running_loop().run_in_executor(self._thread, use_case, tutor)

    async def close(self) -> None:
        """Finish what is under way and close the database."""
        tutor, self._tutor = self._tutor, None
        if tutor is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, tutor.close)
        self._thread.shutdown(wait=False)
