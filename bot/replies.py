"""Replying to an interaction: always in time, always with a sentence, whatever goes wrong."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from enum import Enum
from typing import ClassVar, TypeAlias

import discord
from discord import ui

from bank.errors import DatabaseBusy, QuizError, StoreError, Withheld
from bot.cards import Card
from bot.cards.layout import notice
from bot.cards.text import literal, when
from bot.faults import FAILURES, is_final, is_gone
from bot.shell import Shell

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Shell]

# Discord waits three seconds for an acknowledgement; the rest is room for the network.
ACKNOWLEDGE_AFTER = 1.0
# An acknowledgement costs about so much processor time, and those of a crowd come due at once: the
# more replies are waiting, the sooner the next one's begins, or the last would come too late.
ACKNOWLEDGE_COST = 0.002
ACKNOWLEDGE_SOONEST = 0.3

_ALREADY_ACKNOWLEDGED = 40060

SORRY = (
    "Something went wrong on my side, and I have written it down for whoever runs this bot. "
    "Please try again."
)


class Refusal(QuizError):
    """A refusal by the shell itself: its sentence is Discord Markdown already."""


class Way(Enum):
    """Where a reply goes: to the member alone, to the room, or in place of the message pressed."""

    PRIVATE = "private"
    PUBLIC = "public"
    IN_PLACE = "in place"


async def reply(interaction: Interaction, work: Awaitable[Card], way: Way = Way.PRIVATE) -> None:
    """Do the work and send its card. Work that takes long is acknowledged first.

    A QuizError becomes its sentence; anything else an apology, with the details in the log.
    """
    deferral = _Deferral(interaction, way)
    try:
        card, way = await _settled(work, way)
    finally:
        deferral.cancel()
    try:
        await deferral.arrived()
        await _send(interaction, card, way)
    except FAILURES as error:
        # What was recorded stays recorded: the next press shows it.
        _log_lost(interaction, error)


async def ask(interaction: Interaction, form: ui.Modal) -> None:
    """Open a form. Discord takes one only as the first answer, so no work may come before it."""
    try:
        await interaction.response.send_modal(form)
    except FAILURES as error:
        _log_lost(interaction, error)


def _log_lost(interaction: Interaction, error: BaseException) -> None:
    group = interaction.guild_id
    if is_gone(error):
        log.warning("group %s: a reply came too late for Discord: %s", group, error)
    elif not is_final(error):
        log.warning("group %s: a reply could not be sent: %s", group, error)
    else:
        log.error("group %s: a reply was refused", group, exc_info=error)


async def _settled(work: Awaitable[Card], way: Way) -> tuple[Card, Way]:
    """The card to send, and where: a refusal always goes to the member alone."""
    refused = Way.IN_PLACE if way is Way.IN_PLACE else Way.PRIVATE
    try:
        return await work, way
    except Withheld as refusal:
        closes = when(refusal.closes_at)
        return notice(f"{refusal.sentence}\n-# It closes {closes}."), refused
    except Refusal as refusal:
        return notice(refusal.sentence), refused
    except StoreError as refusal:
        level = logging.WARNING if isinstance(refusal, DatabaseBusy) else logging.ERROR
        log.log(level, "an answer or a command was not recorded: %s", refusal)
        return notice(literal(refusal.sentence)), refused
    except QuizError as refusal:
        # The core's sentences may quote what a member typed.
        return notice(literal(refusal.sentence)), refused
    except Exception:
        log.exception("a command or a button failed")
        return notice(SORRY), refused


class _Deferral:
    """Acknowledges an interaction whose work takes long, and costs nothing when it does not."""

    _waiting: ClassVar[int] = 0  # replies whose work is not done

    def __init__(self, interaction: Interaction, way: Way) -> None:
        self._interaction = interaction
        self._way = way
        self._task: asyncio.Task[None] | None = None
        sooner = ACKNOWLEDGE_AFTER - ACKNOWLEDGE_COST * _Deferral._waiting
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(max(sooner, ACKNOWLEDGE_SOONEST), self._start)
        _Deferral._waiting += 1

    def cancel(self) -> None:
        """The work is done: no deferral begins any more."""
        _Deferral._waiting -= 1
        self._timer.cancel()

    async def arrived(self) -> None:
        """Wait for a deferral that is under way. One that got lost is no reason not to reply."""
        try:
            if self._task is not None:
                await self._task
        except FAILURES as error:
            if is_final(error):
                raise
            group = self._interaction.guild_id
            log.warning("group %s: a deferral got no answer: %s", group, error)

    def _start(self) -> None:
        self._task = asyncio.ensure_future(self._defer())

    async def _defer(self) -> None:
        if self._way is Way.IN_PLACE:
            await self._interaction.response.defer()
        else:
            private = self._way is Way.PRIVATE
            await self._interaction.response.defer(ephemeral=private, thinking=True)


async def _send(interaction: Interaction, card: Card, way: Way) -> None:
    if not interaction.response.is_done():
        try:
            await _respond(interaction, card, way)
        except discord.HTTPException as error:
            # An acknowledgement did reach Discord, though its answer did not reach us.
            if error.code != _ALREADY_ACKNOWLEDGED:
                raise
        else:
            return
    await interaction.edit_original_response(view=card.view, attachments=card.files())


async def _respond(interaction: Interaction, card: Card, way: Way) -> None:
    if way is Way.IN_PLACE:
        await interaction.response.edit_message(view=card.view, attachments=card.files())
    else:
        await interaction.response.send_message(
            view=card.view, files=card.files(), ephemeral=way is Way.PRIVATE
        )
