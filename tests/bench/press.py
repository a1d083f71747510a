"""Processor time of a press: gateway text in, private answer handed to HTTP.

Both bots get the same frame (but for the custom id) through discord.py's own gateway reader, and
their answers end where discord.py would open a socket. The reference is the least that could do
it: a bare button that writes one row on a worker thread, commits, and replies with a fixed card.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
from discord import ui
from discord.gateway import DiscordWebSocket
from discord.user import ClientUser

from bank.models import Deck
from bank.store.connection import PRAGMAS
from bank.tutor import Tutor
from bot.cards.answer import answer_card
from bot.cards.drop import drop_card
from bot.client import QuizdropClient
from bot.core import Core
from bot.pictures import Pictures
from tests.samples import GROUP, NOW, ROOM, add_schedule

PRESSES = 200
_MESSAGE = 4003
_BOT = {"id": "4004", "username": "quizdrop", "discriminator": "0", "avatar": None, "bot": True}

Round = Callable[[], Awaitable[float]]


class HandedOver:
    """Stands where the HTTP session is: notes the processor time when a request is handed to it."""

    def __init__(self) -> None:
        self.at = 0.0
        self.body: Any = None
        self.event = asyncio.Event()

    def request(self, method: str, _url: str, **options: Any) -> _Response:
        if method == "POST":  # an edit of the count, now and then, is no answer
            self.at = time.process_time()
            self.body = options["data"]
            self.event.set()
        return _Response()


class _Response:
    """What Discord says to an answer, as short as may be."""

    status = 200
    headers: dict[str, str] = {"content-type": "application/json"}  # noqa: RUF012

    async def __aenter__(self) -> _Response:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def text(self, encoding: str) -> str:
        return json.dumps({"interaction": {"id": "1", "type": 3}})


class Wired:
    """A client fed by frames, whose requests end in HandedOver."""

    def __init__(self, client: discord.Client) -> None:
        self.client = client

    async def open(self) -> None:
        self.http = HandedOver()
        await self.client._async_setup_hook()
        state: Any = self.client._connection
        state.application_id = 4004
        state.user = ClientUser(state=state, data=_BOT)  # type: ignore[arg-type]
        self.client.http._HTTPClient__session = self.http  # type: ignore[attr-defined]
        self.client.http._global_over = asyncio.Event()
        self.client.http._global_over.set()
        self.socket: Any = DiscordWebSocket(socket=None, loop=asyncio.get_running_loop())  # type: ignore[arg-type]
        self.socket._discord_parsers = state.parsers
        self.socket._dispatch = self.client.dispatch
        self.socket.log_receive = lambda _: None
        self.socket.shard_id = None
        await self.socket.received_message(
            json.dumps({"op": 0, "t": "GUILD_CREATE", "d": _guild()})
        )

    async def press(self, frame: str) -> float:
        """Processor seconds of this whole process, all threads, for one press."""
        self.http.event.clear()
        started = time.process_time()
        await self.socket.received_message(frame)
        await self.http.event.wait()
        spent = self.http.at - started
        await asyncio.sleep(0)
        return spent


def _guild() -> dict[str, Any]:
    channel = {"id": ROOM, "type": 0, "name": "daily", "position": 0, "permission_overwrites": []}
    return {
        "id": GROUP,
        "name": "Study group",
        "owner_id": "4005",
        "roles": [{"id": GROUP, "name": "@everyone", "permissions": "104324673", "position": 0}],
        "channels": [channel],
        "members": [],
        "threads": [],
        "emojis": [],
        "member_count": 3,
    }


def frame_of(components: list[Any], custom_id: str, member: int) -> str:
    """An INTERACTION_CREATE as Discord sends it for a button on a message of components."""
    user = {"id": str(member), "username": "ben", "discriminator": "0", "avatar": None}
    message = {
        "id": str(_MESSAGE),
        "channel_id": ROOM,
        "type": 0,
        "flags": 1 << 15,
        "author": _BOT,
        "content": "",
        "timestamp": NOW.isoformat(),
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "components": components,
    }
    data = {
        "id": str(10**17 + member),
        "application_id": "4004",
        "type": 3,
        "token": "t" * 180,
        "version": 1,
        "guild_id": GROUP,
        "channel_id": ROOM,
        "channel": {"id": ROOM, "type": 0, "name": "daily", "permissions": "0", "guild_id": GROUP},
        "guild": {"id": GROUP, "features": [], "locale": "en-US"},
        "member": {
            "user": user,
            "roles": [],
            "joined_at": NOW.isoformat(),
            "permissions": "104324673",
            "deaf": False,
            "mute": False,
            "flags": 0,
        },
        "locale": "en-US",
        "guild_locale": "en-US",
        "app_permissions": "104324673",
        "entitlements": [],
        "attachment_size_limit": 10485760,
        "authorizing_integration_owners": {"0": GROUP},
        "context": 0,
        "message": message,
        "data": {"custom_id": custom_id, "component_type": 2},
    }
    return json.dumps({"op": 0, "t": "INTERACTION_CREATE", "s": member, "d": data})


def _members() -> Any:
    return iter(range(10**17, 2 * 10**17))


async def _round(wired: Wired, components: list[Any], custom_id: str, members: Any) -> float:
    frames = [frame_of(components, custom_id, next(members)) for _ in range(PRESSES)]
    return sum([await wired.press(frame) for frame in frames]) / PRESSES


async def quizdrop_rounds(folder: Path, deck: Deck) -> tuple[Round, list[Any], ui.LayoutView]:
    """Rounds of presses on a real drop; the drop's components; the answer's view."""
    opened = NOW + timedelta(hours=1)
    core = Core(lambda: Tutor.open(folder / "quizdrop.db", [deck]))
    client = QuizdropClient(core, Pictures({}), now=lambda: opened, seed=lambda: 1)
    await core.open()
    await core(
        lambda tutor: add_schedule(tutor, deck=deck.name, room=ROOM, open_minutes=7 * 24 * 60)
    )
    work = await core(lambda tutor: tutor.posting.due(opened, 1))
    drop = work.post[0].id
    tally = await core(lambda tutor: tutor.posting.posted(drop, str(_MESSAGE), opened))
    components: list[Any] = drop_card(tally, deck.title, "Domain").view.to_components()
    from bot import buttons

    client.add_dynamic_items(*buttons.ALL)
    wired = Wired(client)
    await wired.open()
    members = _members()
    outcome = await core(lambda tutor: tutor.answering.press(drop, 0, "1", str(_MESSAGE), opened))
    answer = answer_card(outcome, None).view
    return (
        lambda: _round(wired, components, f"qd:a:{drop}:0", members),
        components,
        answer,
    )


class BareButton(ui.Button[ui.LayoutView]):
    """The least: one row, one commit, a fixed card."""

    def __init__(self, folder: Path, card: ui.LayoutView) -> None:
        super().__init__(label="A", custom_id="bare")
        self.card = card
        self.thread = ThreadPoolExecutor(max_workers=1)
        self.thread.submit(self._connect, folder).result()

    def _connect(self, folder: Path) -> None:
        self.connection = sqlite3.connect(folder / "bare-button.db")
        for pragma in PRAGMAS:
            self.connection.execute(pragma)
        self.connection.execute(
            "CREATE TABLE answers (drop_id INTEGER, member TEXT, option INTEGER, at TEXT,"
            " PRIMARY KEY (drop_id, member)) WITHOUT ROWID"
        )
        self.connection.commit()

    def _write(self, member: int) -> None:
        row = (1, str(member), 0, NOW.isoformat())
        self.connection.execute("INSERT INTO answers VALUES (?, ?, ?, ?)", row)
        self.connection.commit()

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self.thread, self._write, interaction.user.id)
        await interaction.response.send_message(view=self.card, ephemeral=True)


async def bare_rounds(folder: Path, components: list[Any], answer: ui.LayoutView) -> Round:
    """Rounds of presses on a bare button: the same message around it, the same card in reply."""
    client = discord.Client(
        intents=discord.Intents(guilds=True),
        max_messages=None,
        member_cache_flags=discord.MemberCacheFlags.none(),
        chunk_guilds_at_startup=False,
        allowed_mentions=discord.AllowedMentions.none(),
    )
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.ActionRow(BareButton(folder, answer)))
    client.add_view(view)
    wired = Wired(client)
    await wired.open()
    members = _members()
    same = json.loads(json.dumps(components).replace("qd:a:1:0", "bare"))
    return lambda: _round(wired, same, "bare", members)
