"""One round: a drop falls due, the process is killed at a point, and the next one goes on."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.due import schedule_due
from tests.kills.points import InCode, OnWire, Part, Point
from tests.wire import (
    After,
    Before,
    Bot,
    Group,
    Ledger,
    Message,
    Reply,
    Role,
    Truncated,
    Wire,
)

# A claim is the next process's to settle a minute after it was made.
LEASE_SECONDS = 60.0
_PATIENCE = 90.0
_PINNED = 6  # the type of Discord's own message about a pin


@dataclass(frozen=True)
class Found:
    """What stands there when all is over; each figure has to be one."""

    posts: int
    pings: int
    pins: int
    threads: int
    acknowledged_kept: bool  # every answer that was acknowledged before the kill
    seconds: float  # from the next process's start until all steps were done


class Round:
    """`await Round(point, folder, turns).play()`; `turns` bounds how many start at once."""

    def __init__(self, point: Point, folder: Path, turns: asyncio.Semaphore) -> None:
        self.point = point
        self.database = folder / "quizdrop.db"
        self.ledger = Ledger(self.database)
        self._turns = turns
        self._acknowledged: list[Reply] = []

    async def play(self) -> Found:
        async with Wire() as wire:
            group = wire.group("Study group", members=["ben", "cleo"])
            role = group.add_role("Learners")
            terms = {"open_minutes": 600, "role": role.id, "pin": True, "thread": True}
            schedule_due(self.database, [group], **terms)
            if self.point.part is not Part.POST:
                await self._until_posted(wire, group)
            await self._until_killed(wire, group)
            seconds = await self._until_done(wire, group)
            return self._look(wire, group, role, seconds)

    async def _until_posted(self, wire: Wire, group: Group) -> None:
        """An ordinary process posts; Ben answers; it stops before the part begins."""
        async with self._turns, wire.bot(self.database):
            await wire.until(self._followed, "the steps after the post", 30)
            if self.point.part is Part.CLOSE:
                await self._press(group)
        if self.point.part is Part.CLOSE:
            self._close_soon()

    async def _until_killed(self, wire: Wire, group: Group) -> None:
        async with self._turns:
            bot = wire.bot(self.database, KILL_AT=self.point.name)
            self._arm(wire, group, bot)
            if isinstance(self.point.at, InCode):
                await bot.start("-m", "tests.kills.program")
            else:
                await bot.start()
            if self.point.part is Part.COUNT:
                await bot.ready()
                await self._press(group)
            code = await bot.wait(30)
        assert code == -9, f"it ended with {code}, not by the kill:\n{bot.log}"

    def _arm(self, wire: Wire, group: Group, bot: Bot) -> None:
        """Ben presses while the pin is on its way, so that an acknowledged answer is at stake."""
        at = self.point.at
        on_pin = ("PUT", "/channels/*/messages/pins/*")

        async def press_then_kill() -> None:
            await self._press(group)
            await bot.kill()

        at_pin = isinstance(at, OnWire) and at.method == "PUT"
        if self.point.part is Part.POST and not at_pin:
            wire.fault(*on_pin, Before(lambda: self._press(group)))
        if isinstance(at, OnWire):
            kill = press_then_kill if at_pin else bot.kill
            effects = {
                "arrived": Before(kill, drop=True),
                "done": After(kill, drop=True),
                "half answered": Truncated(kill),
            }
            wire.fault(at.method, at.pattern, effects[at.moment])

    async def _until_done(self, wire: Wire, group: Group) -> float:
        bot = wire.bot(self.database)
        async with self._turns:
            started = time.monotonic()
            await bot.start()
            await bot.ready()
        closing_ = self.point.part is Part.CLOSE
        await wire.until(
            self._revealed if closing_ else self._followed, "the steps after the kill", _PATIENCE
        )
        seconds = time.monotonic() - started
        if not closing_:
            late = await group.member("cleo").press(self._message(group), "B")
            assert "B" in late.text
        await bot.stop()
        assert bot.errors == []
        return seconds

    async def _press(self, group: Group) -> None:
        reply = await group.member("ben").press(self._message(group), "A")
        self._acknowledged.append(reply)

    @staticmethod
    def _message(group: Group) -> Message:
        return next(each for each in group.room.posts() if "qd:a:" in str(each.payload))

    def _followed(self) -> bool:
        return self._steps() == [("posted", "done", "done", None)]

    def _revealed(self) -> bool:
        return self._steps() == [("revealed", "done", "done", "done")]

    def _steps(self) -> list[tuple[Any, ...]]:
        return [(d["state"], d["pin"], d["thread"], d["unpin"]) for d in self.ledger.drops()]

    def _close_soon(self) -> None:
        """Move the close to a moment that the next process lives to see."""
        soon = datetime.now(UTC) + timedelta(seconds=1)
        with closing(sqlite3.connect(self.database)) as connection, connection:
            connection.execute(
                "UPDATE drops SET closes_at = ?", [soon.isoformat(timespec="microseconds")]
            )

    def _look(self, wire: Wire, group: Group, role: Role, seconds: float) -> Found:
        (drop,) = self.ledger.drops()
        posts = group.room.posts()
        recorded = [post for post in posts if post.id == drop["message"]]
        stored = {row["member"]: row for row in self.ledger.answers()}
        ben = group.member("ben").id
        kept = not self._acknowledged or (
            ben in stored and all(reply.message for reply in self._acknowledged)
        )
        if self.point.part is Part.CLOSE:
            assert "closed" in recorded[0].text
            assert not recorded[0].pinned
            assert [row["length"] for row in self.ledger.streaks()] == [1]
        return Found(
            posts=len(posts) if recorded else 0,
            pings=len(_pings(wire, role)),
            pins=sum(message.payload["type"] == _PINNED for message in group.room.messages()),
            threads=len(group.room.threads()),
            acknowledged_kept=kept,
            seconds=seconds,
        )


def _pings(wire: Wire, role: Role) -> set[str]:
    """The messages that pinged a role when they were created."""
    return {
        request.answer["id"]
        for request in wire.asked("POST", "/channels/*/messages")
        if request.applied and role.id in request.answer["mention_roles"]
    }
