"""A simulated Discord server with the real bot in it, and time that tests move by hand."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import discord
import simcord
from simcord import Env

from bank.models import Deck, Drop, Tally
from bank.tutor import Tutor
from bot.client import QuizdropClient
from bot.core import Core
from bot.pictures import Pictures

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    attach_files=True,
    read_message_history=True,
    pin_messages=True,
    create_public_threads=True,
)


class World:
    """One server: Ada manages it, Ben and Cleo are members. The bot's clock is the server's."""

    def __init__(self, database: Path, decks: dict[Path, Deck]) -> None:
        self.database = database
        self.decks = decks
        self.client = self.new_client()
        self.env: Any = Env(self.client)

    async def __aenter__(self) -> World:
        await self.client.core.open()
        await self.env.start()
        self.guild = self.env.create_guild("Study group")
        self.channel = self.guild.create_text_channel("daily")
        manages = discord.Permissions(manage_guild=True)
        manager = self.guild.create_role("Admin", permissions=manages)
        self.ada = self._member("ada", [manager])
        self.ben = self._member("ben")
        self.cleo = self._member("cleo")
        await self.env.settle()
        return self

    async def __aexit__(self, *failure: Any) -> None:
        await self.client.close()
        await self.env.shutdown()
        if failure[0] is None:
            self.env.raise_errors()

    def new_client(self) -> QuizdropClient:
        core = Core(lambda: Tutor.open(self.database, self.decks.values()))
        pictures = Pictures({deck.name: folder for folder, deck in self.decks.items()})
        seeds = iter(range(1, 10_000))
        uploads = self.database.parent / "uploads"
        return QuizdropClient(
            core, pictures, uploads, now=lambda: self.now, seed=lambda: next(seeds)
        )

    def _member(self, name: str, roles: Any = ()) -> Any:
        user = self.env.create_user(name, global_name=name.title())
        return self.guild.add_member(user, roles=list(roles))

    @property
    def now(self) -> datetime:
        return self.env.now()

    @property
    def group(self) -> str:
        return str(self.guild.id)

    async def wait(self, **by: float) -> None:
        """Let time pass with the bot awake: it looks at least once an hour, and at the end."""
        end = self.now + timedelta(**by)
        while self.now < end:
            step = min(end - self.now, timedelta(hours=1))
            self.env.backend.clock.advance(step.total_seconds())
            await self.tick()

    def sleep_until(self, moment: datetime) -> None:
        """Let time pass while the bot is down, or has not looked yet."""
        self.env.backend.clock.advance((moment - self.now).total_seconds())

    async def wait_until(self, moment: datetime) -> None:
        await self.wait(seconds=(moment - self.now).total_seconds())

    async def tick(self) -> None:
        with self.env._bot_scope():
            await self.client.clock.tick()
        await self.env.settle()

    async def restart(self) -> None:
        """End the bot and start it anew on the same database; the server goes on."""
        await self.client.close()
        self.client = self.new_client()
        await self.client.core.open()
        await self.env.restart_bot(self.client)
        await self.env.settle()

    async def ask(self, use_case: Callable[[Tutor], Any]) -> Any:
        """What the bot's own tutor says."""
        return await self.client.core(use_case)

    async def drop_now(self, **options: Any) -> Tally:
        """Ada drops a question by hand; the drop as it stands."""
        chosen = {"deck": self.deck_name, "zone": "UTC", "open-for": 60, **options}
        result = await self.ada.slash(self.channel, "drop now", **chosen)
        assert "stands in" in text_of(result), text_of(result)
        return await self.tally(len(await self.all_drops()))

    @property
    def deck_name(self) -> str:
        return next(iter(self.decks.values())).name

    async def all_drops(self) -> list[Drop]:
        found = []
        for number in range(1, 1000):
            try:
                found.append((await self.tally(number)).drop)
            except LookupError:
                break
        return found

    async def tally(self, drop: int) -> Tally:
        from bank.errors import UnknownDrop

        try:
            tally: Tally = await self.ask(lambda tutor: tutor.posting.tally(drop))
        except UnknownDrop as error:
            raise LookupError(drop) from error
        return tally

    def message(self, tally: Tally) -> discord.Message:
        """The drop's message as it stands in the channel now."""
        wanted = tally.drop.message
        return next(m for m in self.channel.history() if str(m.id) == wanted)

    async def press(self, member: Any, tally: Tally, position: int) -> Any:
        """A member presses an option's button on the drop's message."""
        return await member.click(self.message(tally), custom_id=f"qd:a:{tally.drop.id}:{position}")

    async def open_menu(self, member: Any, tally: Tally) -> Any:
        """A member presses “Answer” on a drop that asks for several options."""
        return await member.click(self.message(tally), custom_id=f"qd:m:{tally.drop.id}")

    async def choose(self, member: Any, tally: Tally, *positions: int) -> Any:
        """A member opens the menu of such a drop, and chooses."""
        opened = await self.open_menu(member, tally)
        return await member.select(opened.response, [str(position) for position in positions])

    async def press_right(self, member: Any, tally: Tally) -> Any:
        return await self.press(member, tally, right_position(tally))

    async def press_wrong(self, member: Any, tally: Tally) -> Any:
        return await self.press(member, tally, (right_position(tally) + 1) % len(tally.drop.order))


def right_position(tally: Tally) -> int:
    (position,) = right_positions(tally)
    return position


def right_positions(tally: Tally) -> list[int]:
    return [tally.drop.order.index(key) for key in tally.question.keys]


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every component of a message, outer ones first."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))


def components_of(shown: Any) -> list[dict[str, Any]]:
    """The components of an interaction's answer, a response or a message."""
    if isinstance(shown, simcord.InteractionResult):
        assert shown.response is not None, "the interaction got no answer"
        shown = shown.response
    if isinstance(shown, discord.Message):
        return [component.to_dict() for component in shown.components]  # type: ignore[misc]
    found: list[dict[str, Any]] = shown.components
    return found


def text_of(shown: Any) -> str:
    """All text of a card, in reading order."""
    return "\n".join(c["content"] for c in walk(components_of(shown)) if c["type"] == 10)


def buttons_of(shown: Any) -> dict[str, str]:
    """The labels of a card's buttons, with their custom ids."""
    return {c["label"]: c["custom_id"] for c in walk(components_of(shown)) if c["type"] == 2}


def menu_of(shown: Any) -> dict[str, Any]:
    """The one menu of a card."""
    (menu,) = (c for c in walk(components_of(shown)) if c["type"] == 3)
    return menu


def pictures_of(shown: Any) -> list[dict[str, Any]]:
    """The items of a card's galleries."""
    return [item for c in walk(components_of(shown)) if c["type"] == 12 for item in c["items"]]


def files_of(world: World, shown: Any) -> list[tuple[str, bytes]]:
    """The files that came with an interaction's answer, by name."""
    return [
        (each.filename, world.env.backend.cdn.get(each.url) or b"")
        for each in shown.response.attachments
    ]


class ErrorLog(logging.Handler):
    """Keeps every error that anything logs: a swallowed error is a failure."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def take(self) -> list[str]:
        """The messages so far, which the test expected; they fail it no more."""
        taken, self.records = self.records, []
        return [record.getMessage() for record in taken]
