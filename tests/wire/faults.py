"""What goes wrong, said beforehand: which request, which time it comes, and what happens then."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.wire.record import Request

Call = Callable[[], Awaitable[Any] | None]


class Killable(Protocol):
    async def kill(self) -> None: ...


@dataclass(frozen=True)
class Refuse:
    """Answered with an error; nothing is done.

    A 429 needs the Via header, or discord.py takes it for a ban by Discord's front and gives up.
    """

    status: int
    code: int = 0
    message: str = "injected"
    retry_after: float | None = None
    shared: bool = False
    via: bool = True


@dataclass(frozen=True)
class Late:
    """Done at once, answered only after so many seconds."""

    seconds: float = 4.0


@dataclass(frozen=True)
class Truncated:
    """Done, but the answer breaks off in the middle, `then` is called, the connection closes."""

    then: Call | None = None


@dataclass(frozen=True)
class Closed:
    """The connection closes without an answer, whether it was done or not."""

    applied: bool = False


@dataclass(frozen=True)
class Before:
    """Called when the request has arrived and nothing has been done.

    Afterwards it goes on as if nothing had been, or with `drop` is never done nor answered.
    """

    call: Call
    drop: bool = False


@dataclass(frozen=True)
class After:
    """Called when all is done and nothing has been answered; with `drop` it never is."""

    call: Call
    drop: bool = False


@dataclass(frozen=True)
class Answered:
    """Called `seconds` after the answer went out."""

    call: Call
    seconds: float = 0.0


@dataclass(frozen=True)
class Held:
    """Nothing is done before the event is set; then all goes on as usual."""

    until: asyncio.Event


Effect = Refuse | Late | Truncated | Closed | Before | After | Answered | Held


def kill_before(bot: Killable) -> Before:
    """SIGKILL when the request has arrived: it is lost."""
    return Before(bot.kill, drop=True)


def kill_after(bot: Killable) -> After:
    """SIGKILL when the request has been done: its answer is lost."""
    return After(bot.kill, drop=True)


def kill_answered(bot: Killable, seconds: float = 0.0) -> Answered:
    """SIGKILL so many seconds after the answer went out."""
    return Answered(bot.kill, seconds)


async def call(what: Call) -> None:
    result = what()
    if inspect.isawaitable(result):
        await result


@dataclass
class Fault:
    """The `nth` matching request, and `times - 1` that follow it, meet the effect."""

    method: str
    pattern: str
    effect: Effect
    nth: int = 1
    times: int | None = 1  # None: from the nth on, always
    where: Callable[[Request], bool] = lambda _: True
    seen: int = 0
    met: list[Request] = field(default_factory=list)

    def meets(self, request: Request) -> bool:
        if not request.matches(self.method, self.pattern) or not self.where(request):
            return False
        self.seen += 1
        last = float("inf") if self.times is None else self.nth + self.times
        if not self.nth <= self.seen < last:
            return False
        self.met.append(request)
        return True


class Faults:
    """All faults of a wire; the first one that a request meets is its own."""

    def __init__(self) -> None:
        self._all: list[Fault] = []

    def add(self, method: str, pattern: str, effect: Effect, **options: Any) -> Fault:
        fault = Fault(method, pattern, effect, **options)
        self._all.append(fault)
        return fault

    def remove(self, fault: Fault) -> None:
        self._all.remove(fault)

    def clear(self) -> None:
        self._all.clear()

    def of(self, request: Request) -> Effect | None:
        met = [fault for fault in self._all if fault.meets(request)]
        return met[0].effect if met else None
