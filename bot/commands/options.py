"""Options that several commands share: who may use them, and what Discord offers while typing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import discord
from discord import app_commands

from bank.models import Deck, Explain, Match, Terms
from bank.tutor import visible, zone_names
from bot.cards.text import clip
from bot.replies import Interaction, Refusal

MOST_CHOICES = 25
LONGEST_CHOICE = 100

EXPLAIN_CHOICES = [
    app_commands.Choice(name="right after answering", value=Explain.NOW.value),
    app_commands.Choice(name="when the question closes", value=Explain.AT_CLOSE.value),
]
OPEN_CHOICES = [
    app_commands.Choice(name=name, value=minutes)
    for name, minutes in (
        ("1 minute", 1),
        ("5 minutes", 5),
        ("15 minutes", 15),
        ("1 hour", 60),
        ("4 hours", 240),
        ("8 hours", 480),
        ("12 hours", 720),
        ("23 hours", 1380),
        ("1 day", 1440),
        ("2 days", 2880),
        ("1 week", 10080),
    )
]
DAYS = ("every day", "weekdays", "weekends", "Mon, Wed, Fri", "Tue, Thu", "Sat", "Sun")

Value = TypeVar("Value", str, int)

_PERMISSION_NAMES = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}
_PIN = {"pin_messages": "Pin Messages"}
_THREAD = {"create_public_threads": "Create Public Threads"}


class NotAllowed(Refusal):
    """The member lacks Manage Server."""

    def __init__(self) -> None:
        super().__init__("Only members who may manage this server can do that.")


class CannotPost(Refusal):
    """The bot lacks permissions in the channel that was asked for."""


class NoChoice(Refusal):
    """What Discord's app lets pick from a list, another program may send as it likes."""

    def __init__(self) -> None:
        super().__init__("Please pick when to explain from the list that Discord offers.")


def require_manager(interaction: Interaction) -> None:
    """Discord hides these commands by default; an admin may have shown them to others."""
    if not interaction.permissions.manage_guild:
        raise NotAllowed


def require_room(
    interaction: Interaction, channel: discord.TextChannel, *, pin: bool, thread: bool
) -> None:
    """Refuse a channel in which the bot lacks a permission for this, and name it."""
    guild = interaction.guild
    if guild is None:
        return
    has = channel.permissions_for(guild.me)
    needed = _PERMISSION_NAMES | (_PIN if pin else {}) | (_THREAD if thread else {})
    missing = [name for key, name in needed.items() if not getattr(has, key)]
    if missing:
        raise CannotPost(
            f"I cannot post in {channel.mention}: I lack {' and '.join(missing)} there. "
            "Please grant it, then try again."
        )


def terms(
    deck: str,
    channel: discord.TextChannel,
    open_minutes: int,
    explain: str,
    role: discord.Role | None,
    *,
    pin: bool,
    thread: bool,
) -> Terms:
    """What the core calls the options that /schedule add and /drop now share."""
    if explain not in {choice.value for choice in EXPLAIN_CHOICES}:
        raise NoChoice
    return Terms(
        deck=deck,
        room=str(channel.id),
        open_minutes=open_minutes,
        explain=Explain(explain),
        role=str(role.id) if role else None,
        pin=pin,
        thread=thread,
    )


def choice(name: str, value: Value) -> app_commands.Choice[Value]:
    """A choice whose name keeps Discord's limit."""
    line = " ".join(visible(name).split())
    return app_commands.Choice(name=clip(line, LONGEST_CHOICE), value=value)


async def zones(_: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """IANA zones whose name holds what is typed, those that begin with it first."""
    wanted = typed.strip().casefold().replace(" ", "_")
    names = [name for name in zone_names() if wanted in name.casefold()]
    names.sort(key=lambda name: (not _starts(name, wanted), "/" not in name, name))
    return [choice(name, name) for name in names[:MOST_CHOICES]]


def _starts(zone: str, wanted: str) -> bool:
    return any(part.casefold().startswith(wanted) for part in (zone, zone.rsplit("/", 1)[-1]))


async def decks(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The group's decks whose name or title holds what is typed."""
    group = str(interaction.guild_id)
    loaded = await interaction.client.core(lambda tutor: tutor.library.decks_of(group))
    return _choices(loaded, typed)


def _choices(loaded: Iterable[Deck], typed: str) -> list[app_commands.Choice[str]]:
    wanted = typed.strip().casefold()
    return [
        choice(f"{deck.title} ({deck.name})", deck.name)
        for deck in loaded
        if wanted in f"{deck.title} {deck.name}".casefold()
    ][:MOST_CHOICES]


async def own_decks(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The server's own decks whose name or title holds what is typed; another name is a new one."""
    group = str(interaction.guild_id)
    loaded = await interaction.client.core(lambda tutor: tutor.library.own_decks(group))
    return _choices(loaded, typed)


async def days(_: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Usual sets of days; anything like “Mon, Thu” may be typed as well."""
    wanted = typed.strip().casefold()
    return [choice(each, each) for each in DAYS if wanted in each.casefold()]


async def questions(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Questions that fit what is typed; one that is shut is named by its drop."""
    group, member = str(interaction.guild_id), str(interaction.user.id)
    now = interaction.client.now()
    return matches(
        await interaction.client.core(
            lambda tutor: tutor.explaining.matches(typed, group, member, now, MOST_CHOICES)
        )
    )


def matches(found: Iterable[Match]) -> list[app_commands.Choice[str]]:
    return [
        choice(("open now: " if match.open_until else "") + match.stem, match.handle)
        for match in found
    ]
