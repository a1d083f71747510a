"""A real `quizdrop run` in a process of its own: started, stopped, killed, never left behind."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).parents[2]
START_SECONDS = 30.0
STOP_SECONDS = 15.0

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_ERROR = re.compile(r"\S+ \S+ (ERROR|CRITICAL) ")


def environment(**more: str) -> dict[str, str]:
    """This process's environment without what a developer has set for their own bot."""
    ours = {k: v for k, v in os.environ.items() if not k.startswith(("QUIZDROP", "DISCORD"))}
    return {**ours, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", **more}


class Bot:
    """One process on one database. `is_ready()` says whether its gateway session stands."""

    def __init__(
        self,
        name: str,
        folder: Path,
        env: dict[str, str],
        is_ready: Callable[[], bool],
        ended: Callable[[], None],
    ) -> None:
        self.name = name
        self._folder = folder
        self._env = env
        self._is_ready = is_ready
        self._ended = ended
        self._process: asyncio.subprocess.Process | None = None
        self._readers: list[asyncio.Task[None]] = []
        self._heard: dict[str, list[str]] = {"out": [], "err": []}

    async def __aenter__(self) -> Self:
        await self.start()
        await self.ready()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self.alive:
            await self.stop()
        if error is not None:
            error.add_note(f"The log of {self.name}:\n{self.log[-6000:]}")

    async def start(self, *command: str) -> None:
        """Start `quizdrop run`, or with another command line."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *(command or ("-m", "bot", "run")),
            cwd=self._folder,  # no .env of the developer's is read
            env=self._env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._readers = [
            asyncio.create_task(self._read(self._process.stdout, "out")),
            asyncio.create_task(self._read(self._process.stderr, "err")),
        ]

    async def _read(self, stream: asyncio.StreamReader, name: str) -> None:
        async for line in stream:
            self._heard[name].append(line.decode(errors="replace"))

    async def ready(self) -> None:
        """Wait until Discord has said READY to it."""
        for _ in range(int(START_SECONDS / 0.02)):
            if self._is_ready():
                return
            if not self.alive:
                await self.wait()
                raise AssertionError(f"{self.name} ended early:\n{self.log}")
            await asyncio.sleep(0.02)
        raise AssertionError(f"{self.name} did not get ready:\n{self.log}")

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        return self._running.pid

    @property
    def _running(self) -> asyncio.subprocess.Process:
        assert self._process is not None, "the process was not started"
        return self._process

    @property
    def out(self) -> str:
        return "".join(self._heard["out"])

    @property
    def log(self) -> str:
        return _COLOURS.sub("", "".join(self._heard["err"]))

    @property
    def errors(self) -> list[str]:
        """The lines logged as errors."""
        return [line for line in self.log.splitlines() if _ERROR.match(line)]

    async def wait(self, seconds: float = STOP_SECONDS) -> int:
        """Wait for its end; the exit code."""
        try:
            code = await asyncio.wait_for(self._running.wait(), seconds)
        except TimeoutError as error:
            error.add_note(f"{self.name} goes on:\n{self.log[-6000:]}")
            raise
        await asyncio.gather(*self._readers)
        self._ended()
        return code

    def signal(self, number: signal.Signals) -> None:
        if self.alive:
            self._running.send_signal(number)

    async def stop(self) -> int:
        """Ask it to stop, as a host does, and wait; one that does not stop is killed."""
        self.signal(signal.SIGTERM)
        try:
            return await self.wait()
        except TimeoutError:
            await self.kill()
            raise AssertionError(f"{self.name} did not stop:\n{self.log}") from None

    async def kill(self) -> None:
        """SIGKILL, at once; it returns when the process is gone."""
        self.signal(signal.SIGKILL)
        await self.wait()

    async def pause(self, seconds: float) -> None:
        """Stand still for a while, as a machine that is suspended."""
        self.signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            self.signal(signal.SIGCONT)
