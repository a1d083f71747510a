"""Where a drop stands on Discord: its room, its message, and the role that it pings."""

from __future__ import annotations

import discord

from bank.models import Drop


def room_of(client: discord.Client, drop: Drop) -> discord.PartialMessageable:
    return client.get_partial_messageable(int(drop.room), guild_id=int(drop.group))


def message_of(client: discord.Client, drop: Drop) -> discord.PartialMessage:
    if drop.message is None:
        raise LookupError(f"drop {drop.id} has no message")
    return room_of(client, drop).get_partial_message(int(drop.message))


def is_away(client: discord.Client, drop: Drop) -> bool:
    """True while the bot is in other servers but not in this drop's: asking would be in vain."""
    return client.is_ready() and client.get_guild(int(drop.group)) is None


def with_living_role(client: discord.Client, drop: Drop) -> Drop:
    """The drop without its role when that has been deleted: its mention would name nobody."""
    guild = client.get_guild(int(drop.group))
    if drop.role is None or guild is None or guild.get_role(int(drop.role)) is not None:
        return drop
    return drop.model_copy(update={"role": None})


def pings_of(drop: Drop) -> discord.AllowedMentions:
    """The drop's role and nobody else, whoever the question's text names.

    Each edit says so too: discord.py sends none of the client's own with an edit without content,
    and Discord then takes every mention for meant.
    """
    roles = [discord.Object(int(drop.role))] if drop.role else []
    return discord.AllowedMentions(everyone=False, users=False, roles=roles, replied_user=False)
