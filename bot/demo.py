"""The real bot in a simulated Discord, shown as a page on loopback: no token, no network.

The bot is the one that `quizdrop run` starts, unmodified; only the server it speaks to is
simulated, and the database is a temporary file.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
import webbrowser
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click
import discord
import simcord
from simcord._clock import Clock

from bank.models import Deck
from bot.client import QuizdropClient
from bot.run import make_client, quiet_libraries, stop_on_signals
from bot.settings import Settings

_EVERY_MINUTES = 5
_SLOTS = 24
_LOOK_EVERY_SECONDS = 0.5

_INTRO = """
quizdrop demo: the real bot in a simulated Discord.

  {url}

A question is open now. “View as” at the top switches between Ada, who manages the
server, Ben and Cleo. Press a letter, then type / for the commands; as Ada try
  /drop now       with open-for “1 minute”, and watch it close
  /schedule list  for the next questions, one every five minutes
{keys}"""
_KEYS = "Here, Enter restarts the bot on the same database, and Ctrl-C stops the demo.\n"
_NO_KEYS = "Ctrl-C stops the demo.\n"


class _RealClock(Clock):
    """The simulated server's clock: the real time, so that slots and timestamps agree."""

    def __init__(self) -> None:
        self._started = datetime.now(UTC)

    @property
    def elapsed(self) -> float:  # type: ignore[override]  # simcord counts it up, we read it
        return (self.now() - self._started).total_seconds()

    def now(self) -> datetime:
        return datetime.now(UTC)

    def advance(self, seconds: float) -> None:
        """Real time moves by itself."""


class _DemoEnv(simcord.Env):
    """A server that does not mind a bot at work: a timer may fall due just as a member acts."""

    async def _settle_internal(self, **how: Any) -> None:
        # What the bot still has to do when the time is up, the page shows at its next refresh.
        with suppress(TimeoutError):
            await super()._settle_internal(**how)


class Demo:
    """One simulated server with three members, and the bot on one database."""

    def __init__(self, decks: dict[Path, Deck], folder: Path, open_minutes: int) -> None:
        self._open_minutes = open_minutes
        self._decks = decks
        self._settings = Settings(database=folder / "demo.db")
        self.client: QuizdropClient = self._new_client()
        # An action on the page waits for timers that end within the settle timeout, such as the
        # next edit of the answer count: a short one keeps the page quick.
        self.env: Any = _DemoEnv(self.client, settle_timeout=1.5)
        self.members: list[Any] = []
        self.channel: Any = None

    async def __aenter__(self) -> Demo:
        await self.client.core.open()
        # simcord starts its world in the past and moves it by timers; here it lives in real time.
        self.env.backend.clock = _RealClock()
        self.env.backend.bot_user.name = "quizdrop"
        await self.env.start()
        guild = self.env.create_guild("Study group")
        self.channel = guild.create_text_channel("daily-question")
        manager = guild.create_role("Admin", permissions=discord.Permissions(manage_guild=True))
        self.members = [
            guild.add_member(self.env.create_user(name.lower(), global_name=name), roles=roles)
            for name, roles in (("Ada", [manager]), ("Ben", []), ("Cleo", []))
        ]
        await self.env.settle()
        await self._set_going()
        return self

    async def __aexit__(self, *failure: Any) -> None:
        await self.env.shutdown()
        await self.client.close()

    async def restart(self) -> None:
        """End the bot and start a new one on the same database, as after a crash or an update."""
        await self.client.close()
        self.client = self._new_client()
        await self.client.core.open()
        await self.env.restart_bot(self.client)

    def preview(self, port: int | None) -> Any:
        """The page that shows the server; an async context manager with a `url`."""
        return self.env.preview(self.channel, viewers=self.members, layout="channel", port=port)

    def _new_client(self) -> QuizdropClient:
        return make_client(self._settings, self._decks)

    async def _set_going(self) -> None:
        """What an admin would do: a schedule that ticks while one watches, and a drop now."""
        ada, deck = self.members[0], next(iter(self._decks.values())).name
        start = datetime.now(UTC) + timedelta(minutes=_EVERY_MINUTES)
        times = [start + timedelta(minutes=n * _EVERY_MINUTES) for n in range(_SLOTS)]
        await ada.slash(
            self.channel,
            "schedule add",
            deck=deck,
            channel=self.channel,
            times=", ".join(f"{at:%H:%M}" for at in times),
            days=f"{times[0]:%a}, {times[-1]:%a}",  # not a week of them: no deck has so many
            zone="UTC",
            **{"open-for": _EVERY_MINUTES},
        )
        await ada.slash(self.channel, "drop now", deck=deck, **{"open-for": self._open_minutes})


def run_demo(
    decks: dict[Path, Deck], *, open_browser: bool, port: int | None, open_minutes: int
) -> str | None:
    """Serve the demo until Ctrl-C. Returns one sentence when the page cannot be served."""
    logging.basicConfig(level=logging.WARNING)
    quiet_libraries()
    try:
        asyncio.run(_serve(decks, open_browser, port, open_minutes))
    except KeyboardInterrupt:
        return None
    except OSError as error:
        return f"The page cannot be served: {error.strerror}. Try another port with --port."
    return None


async def _serve(
    decks: dict[Path, Deck], open_browser: bool, port: int | None, open_minutes: int
) -> None:
    stopping = asyncio.Event()
    stop_on_signals(stopping)
    loop = asyncio.get_running_loop()
    with tempfile.TemporaryDirectory(prefix="quizdrop-demo-") as folder:
        async with Demo(decks, Path(folder), open_minutes) as demo, demo.preview(port) as page:
            keys = _KEYS if sys.stdin.isatty() else _NO_KEYS
            click.echo(_INTRO.format(url=page.url, keys=keys))
            if open_browser:
                webbrowser.open(page.url)
            await _keep_fresh(demo, page, stopping, _enter_presses(loop))


def _enter_presses(loop: asyncio.AbstractEventLoop) -> asyncio.Queue[str]:
    """Lines typed in the terminal, if there is one."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    if sys.stdin.isatty():
        try:
            loop.add_reader(sys.stdin, lambda: lines.put_nowait(sys.stdin.readline()))
        except NotImplementedError:  # Windows' event loop cannot watch a terminal
            return lines
    return lines


async def _keep_fresh(
    demo: Demo, page: Any, stopping: asyncio.Event, enters: asyncio.Queue[str]
) -> None:
    """Show on the page what the bot does by itself, and restart the bot when asked to."""
    shown = -1
    while not stopping.is_set():
        if not enters.empty():
            enters.get_nowait()
            await demo.restart()
            click.echo("The bot was restarted on the same database.")
        # Each refresh outdates the page that a viewer is about to act on, so there is one only
        # when the bot has sent something.
        if (sent := len(demo.env.http_requests)) != shown:
            try:
                await page.refresh()
                shown = sent
            except (simcord.SetupError, TimeoutError):  # a viewer's action is under way
                pass
        try:
            await asyncio.wait_for(stopping.wait(), _LOOK_EVERY_SECONDS)
        except TimeoutError:
            continue
