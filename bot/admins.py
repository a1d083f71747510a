"""Telling a server's admins one sentence: in its system channel, else to its owner."""

from __future__ import annotations

import logging

import discord

from bot.cards.layout import notice
from bot.cards.text import literal

log = logging.getLogger(__name__)


async def tell_admins(client: discord.Client, group: str, sentence: str) -> None:
    """Say it once, where somebody who can act will read it. Being unable to say it is logged."""
    log.warning("group %s: %s", group, sentence)
    guild = client.get_guild(int(group))
    if guild is None:
        return
    channel = guild.system_channel
    try:
        if channel is not None and channel.permissions_for(guild.me).send_messages:
            await channel.send(view=notice(f"⚠ {sentence}").view)
        elif guild.owner_id is not None:
            owner = await client.fetch_user(guild.owner_id)
            await owner.send(view=notice(f"⚠ {literal(guild.name)}: {sentence}").view)
    except discord.HTTPException as error:
        log.warning("the admins of group %s could not be told: %s", group, error)
