"""Telling a server's admins one sentence, once for each cause: in its system channel, else to its
owner."""

from __future__ import annotations

import logging

import discord

from bank.models import Trouble
from bot.cards.layout import notice
from bot.cards.text import literal
from bot.core import Core
from bot.faults import FAILURES

log = logging.getLogger(__name__)


class Admins:
    """Hears of troubles, and passes on those that nobody has been told yet."""

    def __init__(self, client: discord.Client, core: Core) -> None:
        self._client = client
        self._core = core

    async def hear(self, trouble: Trouble) -> None:
        """Note a trouble, and tell it if it is news."""
        news = await self._core(lambda tutor: tutor.troubles.note(trouble))
        if news is not None:
            await self.tell(news)

    async def tell(self, trouble: Trouble) -> None:
        """Say it where somebody who can act will read it.

        When nobody can be told, that is logged, and the same trouble is told the next time.
        """
        log.warning("group %s: %s", trouble.group, trouble.sentence)
        try:
            said = await self._say(trouble)
        except FAILURES as error:
            log.warning("the admins of group %s could not be told: %s", trouble.group, error)
            return
        if said:
            await self._core(lambda tutor: tutor.troubles.told(trouble))

    async def _say(self, trouble: Trouble) -> bool:
        guild = self._client.get_guild(int(trouble.group))
        if guild is None:
            return False
        channel = guild.system_channel
        if channel is not None and channel.permissions_for(guild.me).send_messages:
            await channel.send(view=notice(f"⚠ {trouble.sentence}").view)
        elif guild.owner_id is not None:
            owner = await self._client.fetch_user(guild.owner_id)
            await owner.send(view=notice(f"⚠ {literal(guild.name)}: {trouble.sentence}").view)
        else:
            return False
        return True
