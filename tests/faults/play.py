"""Playing the table: one process, a server for each row, all at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.due import DECK, schedule_due
from tests.faults.rows import Place, Row, State
from tests.faults.scene import Scene
from tests.wire import Bot, Ledger, Reply, Wire
from tests.wire.faults import Fault

_MENDED_AFTER = 20.0  # seconds after it went wrong
_PATIENCE = 180.0
_AT_START = (Place.POST, Place.PING, Place.PIN, Place.THREAD)
_STANDS: State = ("posted", "done", "done", None)


@dataclass(frozen=True)
class Outcome:
    """What came of a row."""

    end: State
    posts: int  # drops that stand in the room
    told: list[str]
    first: Reply | None  # to a press under the fault
    again: Reply | None  # to the same press after it
    kept: bool  # the answer that Ben gave is in the database, once
    seconds: float  # from the process's start until the end
    log: list[str]  # the warnings and errors about it


async def play(wire: Wire, database: Path, rows: list[Row]) -> dict[str, Outcome | BaseException]:
    """What came of each row, by its name; an error is what it ended in."""
    scenes = [_scene(wire, number) for number in range(len(rows))]
    for scene, row in zip(scenes, rows, strict=True):
        if row.place is not Place.REVEAL:  # which begins with a drop by hand
            terms = {"open_minutes": 600, "role": scene.role.id, "pin": True, "thread": True}
            schedule_due(database, [scene.group], **terms)
    for scene, row in zip(scenes, rows, strict=True):
        if row.place in _AT_START:
            row.happens(scene)
    async with wire.bot(database) as bot:
        plays = [
            Play(bot, Ledger(database), scene, row).run()
            for scene, row in zip(scenes, rows, strict=True)
        ]
        found = await asyncio.gather(*plays, return_exceptions=True)
    return dict(zip([row.name for row in rows], found, strict=True))


class Play:
    """One row in its scene."""

    def __init__(self, bot: Bot, ledger: Ledger, scene: Scene, row: Row) -> None:
        self.bot = bot
        self.ledger = ledger
        self.scene = scene
        self.row = row
        self.first: Reply | None = None
        self.again: Reply | None = None

    async def run(self) -> Outcome:
        started = time.monotonic()
        acts: dict[Place, Callable[[], Awaitable[None]]] = {
            Place.COUNT: self._count,
            Place.REVEAL: self._reveal,
            Place.REPLY: self._reply,
            Place.PAGE: self._page,
        }
        await acts.get(self.row.place, self._post)()
        await self._until_told()
        return self._outcome(time.monotonic() - started)

    async def _post(self) -> None:
        """Posting and what follows it: the fault was there before the process started."""
        await self._mend()
        await self._until(self.row.end)
        if self.row.posts:
            self.first = await self._press("ben")

    async def _count(self) -> None:
        """Ben answers; when his count is lost, Cleo's answer brings both."""
        await self._until(_STANDS)
        await self._go_wrong()
        self.first = await self._press("ben")
        await asyncio.sleep(3)
        await self._press("cleo")
        await self._until(self.row.end)
        await self.scene.wire.until(
            lambda: "2 answers" in self.scene.message().text, "the count", 60
        )

    async def _reveal(self) -> None:
        """A drop by hand that is open for a minute; Ben answers, it closes."""
        reply = await self.scene.group.manager.slash(
            "drop now", deck=DECK, zone="UTC", open_for=1, pin=True, thread=True
        )
        assert "stands in" in reply.text, reply.text
        self.first = await self._press("ben")
        # The count's edit is not the one that is to fail.
        await self.scene.wire.until(lambda: "1 answer" in self.scene.message().text, "the count")
        await self._go_wrong(and_then_wait=60.0)
        await self._until(self.row.end)

    async def _reply(self) -> None:
        await self._until(_STANDS)
        fault = await self._go_wrong()
        self.first = await self._press("ben")
        await self._until_over(fault)
        if self.row.retried != "no":
            self.again = await self._press("ben")

    async def _page(self) -> None:
        await self._until(_STANDS)
        answered = await self._press("ben")
        fault = await self._go_wrong()
        ben = self.scene.group.member("ben")
        self.first = await ben.press_reply(answered, "Full explanation", patience=40.0)
        await self._until_over(fault)
        if self.row.retried != "no":
            self.again = await ben.press_reply(answered, "Full explanation", patience=40.0)

    async def _go_wrong(self, and_then_wait: float = 0.0) -> Fault | None:
        """Let the row's fault happen; what can be mended is, a while later."""
        fault = self.row.happens(self.scene)
        await self._mend(and_then_wait)
        return fault if isinstance(fault, Fault) else None

    async def _mend(self, later: float = 0.0) -> None:
        if self.row.later is not None:
            await asyncio.sleep(_MENDED_AFTER + later)
            self.row.later(self.scene)

    async def _until_over(self, fault: Fault | None) -> None:
        """discord.py's own tries have met all of the fault, and the bot has made its peace."""
        assert fault is not None
        await self.scene.wire.until(lambda: len(fault.met) == fault.times, "the fault", 60)
        await asyncio.sleep(1)

    async def _until_told(self) -> None:
        """What is said about the row comes a moment after it has ended."""
        wire, row = self.scene.wire, self.row
        if row.told:
            await wire.until(self.scene.told, "telling the admins")
        if row.logged:
            await wire.until(lambda: row.logged in "".join(self._lines()), "the log's line", 30)

    async def _press(self, member: str) -> Reply:
        who = self.scene.group.member(member)
        return await who.press(self.scene.message(), "A", patience=40.0)

    async def _until(self, end: State) -> None:
        try:
            await self.scene.wire.until(lambda: self._state() == end, f"{end}", _PATIENCE)
        except AssertionError:
            raise AssertionError(f"it ended as {self._state()}, not as {end}") from None

    def _state(self) -> Any:
        found = self.ledger.rows(
            "SELECT state, pin, thread, unpin FROM drops WHERE group_id = ?", self.scene.group.id
        )
        return tuple(found[0].values()) if len(found) == 1 else found

    def _outcome(self, seconds: float) -> Outcome:
        (drop,) = self.ledger.rows("SELECT * FROM drops WHERE group_id = ?", self.scene.group.id)
        answers = self.ledger.answers(drop["id"])
        ben = self.scene.group.member("ben").id
        return Outcome(
            end=self._state(),
            posts=self.scene.posts(),
            told=self.scene.told(),
            first=self.first,
            again=self.again,
            kept=[answer["member"] for answer in answers].count(ben) == (self.first is not None),
            seconds=seconds,
            log=self._lines(),
        )

    def _lines(self) -> list[str]:
        """What the log warns of about this scene's drop or its group."""
        (drop,) = self.ledger.rows("SELECT id FROM drops WHERE group_id = ?", self.scene.group.id)[
            0
        ].values()
        names = (f"drop {drop} ", f"drop {drop}:", f"group {self.scene.group.id}")
        return [
            line
            for line in self.bot.log.splitlines()
            if (" WARNING " in line or " ERROR " in line) and any(name in line for name in names)
        ]


def _scene(wire: Wire, number: int) -> Scene:
    group = wire.group(f"Group {number}", ["ben", "cleo"], rooms=["daily", "staff"])
    staff = group.rooms["staff"]
    if number % 2:  # the others have no system channel, so their owner is told
        group.set_system_room(staff)
    return Scene(wire, group, group.add_role("Learners"), staff)
