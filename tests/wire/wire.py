"""A wire: the loopback Discord put together, and what a test does with it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from bot.client import PERMISSIONS
from tests.one_key import one_key_decks
from tests.wire.faults import Effect, Fault, Faults
from tests.wire.gateway import Gateway
from tests.wire.groups import Group
from tests.wire.openapi import document
from tests.wire.process import Bot, environment
from tests.wire.rates import Rates
from tests.wire.record import Request
from tests.wire.replies import Replies
from tests.wire.server import Server
from tests.wire.simulated import Simulated

_BASE = "/api/v10"


class Wire:
    """`async with Wire() as wire:`. Leaving it ends all its bots, and fails the test for every
    request that broke Discord's document or limits and was not expected to.
    """

    def __init__(self) -> None:
        self.faults = Faults()
        self.rates = Rates()
        self.simulated = Simulated(lambda *event: self.gateway.emit(*event))
        self.replies = Replies(self.simulated)
        self.gateway = Gateway(
            self._ready,
            lambda: [self.simulated.arrival(each) for each in self.simulated.groups_of_bot()],
            self._bot_of,
        )
        self.server = Server(
            self.simulated,
            self.replies,
            self.faults,
            self.rates,
            self._bot_of,
            lambda: self.gateway_address,
        )
        self._tokens: dict[str, str] = {}
        self._bots: list[Bot] = []
        self._expected: list[re.Pattern[str]] = []
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_get("/gateway/", self.gateway.serve)
        app.router.add_route("*", _BASE + "/{path:.*}", self.server.serve)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0, backlog=1024).start()
        self._address = f"127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        for bot in self._bots:
            if bot.alive:
                await bot.kill()
        await self.server.close()
        if self._runner is not None:
            await self._runner.cleanup()
        if error is None and (violations := self.violations):
            raise AssertionError("Discord would not have it:\n" + "\n".join(violations))

    # the address

    @property
    def base(self) -> str:
        """For QUIZDROP_DISCORD_API."""
        return f"http://{self._address}{_BASE}"

    @property
    def gateway_address(self) -> str:
        return f"ws://{self._address}/gateway/"

    def _ready(self, session: str) -> dict[str, Any]:
        return {
            "v": 10,
            "user": self.simulated.bot,
            "guilds": [
                {"id": str(group), "unavailable": True} for group in self.simulated.groups_of_bot()
            ],
            "session_id": session,
            "resume_gateway_url": self.gateway_address,
            "shard": [0, 1],
            "application": {"id": self.simulated.application, "flags": 0},
        }

    # bots

    def bot(self, database: Path, *, decks: Path | None = None, **env: str) -> Bot:
        """A `quizdrop run` that is yet to be started; `async with` starts and stops it.

        Without decks of its own its questions have one key each.
        """
        name = f"bot-{len(self._bots) + 1}"
        settings = {
            "DISCORD_TOKEN": self.token(name),
            "QUIZDROP_DATABASE": str(database),
            "QUIZDROP_DISCORD_API": self.base,
            "QUIZDROP_DECKS": str(decks or one_key_decks()),
            **env,
        }
        bot = Bot(
            name,
            database.parent,
            environment(**settings),
            is_ready=lambda: self.gateway.session_of(name) is not None,
            ended=lambda: self.gateway.end(name),
        )
        self._bots.append(bot)
        return bot

    def token(self, name: str) -> str:
        """A token that is accepted; requests made with it carry the name."""
        token = f"token-of-{name}"
        self._tokens[token] = name
        return token

    def _bot_of(self, token: str) -> str | None:
        return self._tokens.get(token)

    # servers

    def group(
        self,
        name: str = "Study group",
        members: Iterable[str] | int = (),
        *,
        rooms: Iterable[str] = ("daily",),
        permissions: int = PERMISSIONS.value,
    ) -> Group:
        """A server with the bot in it, invited as its own link asks unless `permissions` differ."""
        if isinstance(members, int):
            members = [f"member-{number}" for number in range(1, members + 1)]
        return Group(self, name, list(members), list(rooms), permissions)

    # faults

    def fault(self, method: str, pattern: str, effect: Effect, **options: Any) -> Fault:
        """Let the `nth` request that fits, and `times - 1` after it, meet an effect."""
        return self.faults.add(method, pattern, effect, **options)

    # what was asked

    @property
    def requests(self) -> list[Request]:
        return self.server.requests

    def asked(self, method: str, pattern: str) -> list[Request]:
        return [each for each in self.requests if each.matches(method, pattern)]

    @property
    def violations(self) -> list[str]:
        """What broke Discord's limits or its document, and was not expected."""
        found = list(self.server.breaches)
        rules = document()
        if rules is not None:
            for each in self.requests:
                breaches = rules.breaches(each.method, each.path, each.body)
                found += [f"{each.method} {each.path}: {breach}" for breach in breaches]
        expected = self._expected
        return [each for each in found if not any(pattern.search(each) for pattern in expected)]

    def expect_violation(self, pattern: str) -> None:
        """A violation that this test provokes."""
        self._expected.append(re.compile(pattern))

    async def until(
        self, condition: Callable[[], Any], what: str = "it", seconds: float = 15.0
    ) -> Any:
        """Wait until a condition holds and return what it gave; fail after so many seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while loop.time() < end:
            if found := condition():
                return found
            await asyncio.sleep(0.02)
        said = [f"{bot.name}:\n{bot.log[-4000:]}" for bot in self._bots]
        seen = "\n".join([*self.server.breaches, *said])
        raise AssertionError(f"{what} did not happen in {seconds} s\n{seen}")
