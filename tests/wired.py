"""A discord.py client without a network: frames go in as text, requests come out as a list.

simcord lets no timer fire while a worker thread is busy, so what happens when work takes long is
seen here, on a plain event loop.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
from discord.gateway import DiscordWebSocket
from discord.user import ClientUser

from bank.models import Tally
from bank.tutor import Tutor
from bot import buttons
from bot.client import QuizdropClient
from bot.core import Core
from bot.pictures import Pictures
from tests.samples import GROUP, NOW, ROOM, add_schedule, make_deck, make_question

MESSAGE = 4003
ROLE = "4006"
_BOT = {"id": "4004", "username": "quizdrop", "discriminator": "0", "avatar": None, "bot": True}


class Handed:
    """Stands where the HTTP session is. `requests` holds (method, URL, body) of each request."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, Any]] = []
        self.processor_time = 0.0  # when the last POST was handed over
        self.posted = asyncio.Event()
        self.refusal: tuple[int, int] | None = None  # status and code that replies end in
        self._sent = 0  # messages; each gets an id of its own
        self.open = asyncio.Event()  # while it is cleared, Discord does not answer
        self.open.set()

    def request(self, method: str, url: str, **options: Any) -> _Response:
        if method == "POST":  # an edit of the count, now and then, is no answer
            self.processor_time = time.process_time()
            self.posted.set()
        self.requests.append((method, url, options.get("data")))
        if "/interactions/" in url:
            if self.refusal is not None:
                status, code = self.refusal
                return _Response({"code": code, "message": "Refused"}, self.open, status)
            return _Response({"interaction": {"id": "1", "type": 3}}, self.open)
        if method == "POST":
            self._sent += 1
        return _Response({**_MESSAGE, "id": str(MESSAGE + self._sent)}, self.open)

    def get(self, url: str) -> _Response:
        """A file from Discord's store, which has none."""
        self.requests.append(("GET", url, None))
        return _Response({}, self.open, 404)


class _Response:
    """What Discord says; all is well unless another status is given."""

    reason = "as asked for"

    def __init__(self, data: dict[str, Any], answered: asyncio.Event, status: int = 200) -> None:
        self.data = data
        self.status = status
        self.answered = answered
        self.headers = {"content-type": "application/json"}

    async def __aenter__(self) -> _Response:
        await self.answered.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def text(self, encoding: str) -> str:
        return json.dumps(self.data)


class Wired:
    """A client fed by frames, whose requests end in Handed."""

    def __init__(self, client: discord.Client) -> None:
        self.client = client

    async def open(self) -> None:
        self.http = Handed()
        await self.client._async_setup_hook()
        state: Any = self.client._connection
        state.application_id = 4004
        state.user = ClientUser(state=state, data=_BOT)  # type: ignore[arg-type]
        http: Any = self.client.http
        http._HTTPClient__session = self.http
        http._global_over = asyncio.Event()
        http._global_over.set()
        loop = asyncio.get_running_loop()
        self.socket: Any = DiscordWebSocket(socket=None, loop=loop)  # type: ignore[arg-type]
        self.socket._discord_parsers = state.parsers
        self.socket._dispatch = self.client.dispatch
        self.socket.log_receive = lambda _: None
        self.socket.shard_id = None
        await self.receive(json.dumps({"op": 0, "t": "GUILD_CREATE", "d": _guild()}))

    async def receive(self, frame: str) -> None:
        await self.socket.received_message(frame)

    async def until_requests(self, count: int) -> None:
        while len(self.http.requests) < count:
            await asyncio.sleep(0.01)

    async def press(self, frame: str) -> float:
        """Processor seconds of this whole process, all threads, until the answer is handed over."""
        self.http.posted.clear()
        started = time.process_time()
        await self.receive(frame)
        await self.http.posted.wait()
        spent = self.http.processor_time - started
        await asyncio.sleep(0)
        return spent


@asynccontextmanager
async def wired_with_a_drop(
    database: Path, *keys: int
) -> AsyncIterator[tuple[Wired, QuizdropClient, Tally]]:
    """The bot on a wire, an hour after NOW, with one open drop that stands as MESSAGE."""
    opened = NOW + timedelta(hours=1)
    question = make_question("kettle", keys=keys or (1,))
    deck = make_deck().model_copy(update={"questions": (question,)})
    core = Core(lambda: Tutor.open(database, [deck]))
    await core.open()
    client = QuizdropClient(core, Pictures({}), Path("uploads"), now=lambda: opened, seed=lambda: 1)
    client.add_dynamic_items(*buttons.ALL)
    wired = Wired(client)
    await wired.open()
    await core(add_schedule)
    (drop,) = (await core(lambda tutor: tutor.posting.due(opened, 1))).post
    tally = await core(lambda tutor: tutor.posting.posted(drop.id, str(MESSAGE), opened))
    yield wired, client, tally
    await client.tallies.close()
    await core.close()


def _guild() -> dict[str, Any]:
    channel = {"id": ROOM, "type": 0, "name": "daily", "position": 0, "permission_overwrites": []}
    return {
        "id": GROUP,
        "name": "Study group",
        "owner_id": "4005",
        "roles": [
            {"id": GROUP, "name": "@everyone", "permissions": "104324673", "position": 0},
            {"id": ROLE, "name": "Learners", "permissions": "0", "position": 1},
        ],
        "channels": [channel],
        "members": [{"user": _BOT, "roles": [], "joined_at": NOW.isoformat(), "flags": 0}],
        "threads": [],
        "emojis": [],
        "member_count": 3,
    }


def message_with(components: list[Any]) -> dict[str, Any]:
    """A message of components as Discord sends it."""
    return {
        "id": str(MESSAGE),
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


_MESSAGE = message_with([])


def frame_of(components: list[Any], custom_id: str, member: int) -> str:
    """An INTERACTION_CREATE as Discord sends it for a button on a message of components."""
    data = {"custom_id": custom_id, "component_type": 2}
    return interaction(3, data, member, message=message_with(components))


def choice_of(components: list[Any], custom_id: str, member: int, *values: str) -> str:
    """The same for a choice from a menu."""
    data = {"custom_id": custom_id, "component_type": 3, "values": list(values)}
    return interaction(3, data, member, message=message_with(components))


def interaction(
    kind: int, data: dict[str, Any], member: int, *, permissions: int = 104324673, **more: Any
) -> str:
    """An INTERACTION_CREATE: 2 is a command, 3 a button, 4 what stands in an option so far."""
    user = {"id": str(member), "username": "ben", "discriminator": "0", "avatar": None}
    whole = {
        "id": str(10**17 + member),
        "application_id": "4004",
        "type": kind,
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
            "permissions": str(permissions),
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
        "data": data,
        **more,
    }
    return json.dumps({"op": 0, "t": "INTERACTION_CREATE", "s": member, "d": whole})
