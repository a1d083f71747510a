"""The shell's parts, put together: what commands and buttons find on the client they belong to."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import discord

from bot.admins import Admins
from bot.clock import Clock
from bot.core import Core
from bot.pace import paced_requests
from bot.pictures import Pictures
from bot.poster import Poster
from bot.reveals import Reveals
from bot.steps import Steps
from bot.tallies import Tallies
from bot.uploads import Uploads


def real_now() -> datetime:
    return datetime.now(UTC)


def real_seed() -> int:
    return secrets.randbits(62)


class Shell(discord.Client):
    """A Discord connection with the core behind it.

    `uploads` is the folder with the groups' own decks. `now` and `seed` are the only places where
    time and chance come in.
    """

    def __init__(
        self,
        core: Core,
        pictures: Pictures,
        uploads: Path,
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
            http_trace=paced_requests(),
        )
        self.core = core
        self.pictures = pictures
        self.uploads = Uploads(core, pictures, uploads)
        self.now = now
        self.seed = seed
        admins = Admins(self, core)
        steps = Steps(self, core, admins)
        self.reveals = Reveals(self, core, admins, steps, pictures, now)
        self.poster = Poster(self, core, admins, steps, pictures, now)
        self.tallies = Tallies(self.reveals.edit_count)
        self.clock = Clock(core, self.poster, steps, self.reveals, admins, now, seed)

    async def close(self) -> None:
        await self.clock.close()
        await self.tallies.close()
        await super().close()
        await self.core.close()
