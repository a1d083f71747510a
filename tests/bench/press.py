"""Processor time of a press: gateway text in, private answer handed to HTTP.

Both bots get the same frame (but for the custom id) through discord.py's own gateway reader, and
their answers end where discord.py would open a socket. The reference is the least that could do
it: a bare button that writes one row on a worker thread, commits, and replies with a fixed card.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
from discord import ui

from bank.models import Deck
from bank.store.connection import PRAGMAS
from bank.tutor import Tutor
from bot.cards.answer import answer_card
from bot.cards.drop import drop_card
from bot.client import QuizdropClient
from bot.core import Core
from bot.pictures import Pictures
from tests.samples import NOW, ROOM, add_schedule
from tests.wired import MESSAGE, Wired, frame_of

PRESSES = 200

Round = Callable[[], Awaitable[float]]


def _members() -> Any:
    return iter(range(10**17, 2 * 10**17))


async def _round(wired: Wired, components: list[Any], custom_id: str, members: Any) -> float:
    frames = [frame_of(components, custom_id, next(members)) for _ in range(PRESSES)]
    return sum([await wired.press(frame) for frame in frames]) / PRESSES


async def quizdrop_rounds(folder: Path, deck: Deck) -> tuple[Round, list[Any], ui.LayoutView]:
    """Rounds of presses on a real drop; the drop's components; the answer's view."""
    opened = NOW + timedelta(hours=1)
    core = Core(lambda: Tutor.open(folder / "quizdrop.db", [deck]))
    client = QuizdropClient(core, Pictures({}), Path("uploads"), now=lambda: opened, seed=lambda: 1)
    await core.open()
    await core(
        lambda tutor: add_schedule(tutor, deck=deck.name, room=ROOM, open_minutes=7 * 24 * 60)
    )
    work = await core(lambda tutor: tutor.posting.due(opened, 1))
    drop = work.post[0].id
    tally = await core(lambda tutor: tutor.posting.posted(drop, str(MESSAGE), opened))
    components: list[Any] = drop_card(tally, deck.title, "Domain").view.to_components()
    from bot import buttons

    client.add_dynamic_items(*buttons.ALL)
    wired = Wired(client)
    await wired.open()
    members = _members()
    outcome = await core(lambda tutor: tutor.answering.press(drop, 0, "1", str(MESSAGE), opened))
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
        for pragma in ("PRAGMA journal_mode = WAL", *PRAGMAS):
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
