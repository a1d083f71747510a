"""The discord.py client: what it connects, in which order it starts and stops."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import discord
from discord import app_commands

from bot import buttons
from bot.clock import Clock
from bot.commands import COMMANDS
from bot.core import Core
from bot.pictures import Pictures
from bot.poster import Poster
from bot.replies import reply
from bot.tallies import Tallies

log = logging.getLogger(__name__)

# What the bot needs in a channel of its own, and nothing else.
PERMISSIONS = discord.Permissions(
    view_channel=True, send_messages=True, attach_files=True, read_message_history=True
)


def real_now() -> datetime:
    return datetime.now(UTC)


def real_seed() -> int:
    return secrets.randbits(62)


class Tree(app_commands.CommandTree["QuizdropClient"]):
    """The command tree: a failure in one command is a sentence to one member."""

    async def on_error(
        self, interaction: discord.Interaction[QuizdropClient], error: app_commands.AppCommandError
    ) -> None:
        cause = getattr(error, "original", error)

        async def fail() -> Any:
            raise cause

        if not interaction.response.is_done():
            await reply(interaction, fail())


class QuizdropClient(discord.Client):
    """quizdrop on Discord. `now` and `seed` are the only places where time and chance come in."""

    def __init__(
        self,
        core: Core,
        pictures: Pictures,
        *,
        now: Callable[[], datetime] = real_now,
        seed: Callable[[], int] = real_seed,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
        )
        self.core = core
        self.pictures = pictures
        self.now = now
        self.seed = seed
        self.poster = Poster(self)
        self.clock = Clock(self, self.poster)
        self.tallies = Tallies(self.poster.edit_count)
        self.tree = Tree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )

    async def setup_hook(self) -> None:
        self.add_dynamic_items(*buttons.ALL)
        for command in COMMANDS:
            self.tree.add_command(command)
        await self.tree.sync()

    async def on_ready(self) -> None:
        # Discord says ready again after a reconnect; the clock starts once.
        await self.clock.start()

    def invite_link(self) -> str:
        """Where an admin adds the bot to a server."""
        return discord.utils.oauth_url(
            self.application_id or 0,
            permissions=PERMISSIONS,
            scopes=("bot", "applications.commands"),
        )

    async def close(self) -> None:
        await self.clock.close()
        await self.tallies.close()
        await super().close()
        await self.core.close()
