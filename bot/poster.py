"""Puts drops into their rooms, settles claims that never got their message, and reveals.

Each method deals with one drop and lets no error of Discord's pass: one room's trouble is no
other's.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import Enum
from typing import TypeGuard
from weakref import WeakValueDictionary

import aiohttp
import discord

from bank.models import Drop, Tally
from bot import ids
from bot.admins import tell_admins
from bot.cards.drop import drop_card, reveal_card
from bot.core import Core
from bot.pictures import Pictures

log = logging.getLogger(__name__)

_UNKNOWN_CHANNEL = 10003
_SETTLE_LOOKS_AT = 100  # messages after the claim

# What a request to Discord may end in.
FAILURES = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)

# Discord's clock and ours may differ by this much.
_SKEW = timedelta(minutes=1)


class Sent(Enum):
    """How a post went."""

    POSTED = "posted"
    LATER = "later"  # Discord does not answer: the clock tries again
    REFUSED = "refused"  # it never will: the drop is missed, and the admins have been told


class Poster:
    def __init__(
        self,
        client: discord.Client,
        core: Core,
        pictures: Pictures,
        now: Callable[[], datetime],
    ) -> None:
        self._client = client
        self._core = core
        self._pictures = pictures
        self._now = now
        self._in_hand: set[int] = set()  # drops that are being posted right now
        # One edit of a drop's message at a time: a count that was on its way when the drop closed
        # must not arrive after the reveal and take its place.
        self._edits: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def post(self, drop: Drop) -> Sent:
        """Send a claimed drop and write down its message."""
        if drop.id in self._in_hand:
            return Sent.LATER
        self._in_hand.add(drop.id)
        try:
            return await self._post(drop)
        finally:
            self._in_hand.discard(drop.id)

    async def _post(self, drop: Drop) -> Sent:
        tally = await self._core(lambda tutor: tutor.posting.tally(drop.id))
        deck, domain = await self._titles(tally)
        card = drop_card(tally, deck, domain)
        try:
            message = await self._room(drop).send(
                view=card.view,
                files=card.files(),
                allowed_mentions=_pings(drop),
                # Discord returns the earlier message for a nonce that it has just seen: a send
                # that is tried again cannot post twice.
                nonce=f"{drop.id}-{drop.seed % 10**12}",
            )
        except FAILURES as error:
            if not _is_final(error):
                log.warning("drop %s could not be sent yet: %s", drop.id, error)
                return Sent.LATER
            await self._give_up(drop, error)
            return Sent.REFUSED
        await self._confirm(drop, message.id)
        return Sent.POSTED

    async def settle(self, drop: Drop) -> None:
        """Settle an earlier claim: its message is there, or it is posted now, or it was missed."""
        if drop.id in self._in_hand:
            return
        try:
            message = await self._find(drop)
        except FAILURES as error:
            if _is_final(error):
                await self._give_up(drop, error)
            else:
                log.warning("drop %s could not be looked for yet: %s", drop.id, error)
            return
        now = self._now()
        if message is not None:
            await self._confirm(drop, message)
        elif await self._core(lambda tutor: tutor.posting.may_still_post(drop, now)):
            await self.post(drop)
        else:
            await self._core(
                lambda tutor: tutor.posting.missed(drop.id, "Its time passed while I was away.")
            )

    async def reveal(self, drop: Drop) -> None:
        """Show the key, the distribution and the short explanation on the drop's message."""
        reveal = await self._core(lambda tutor: tutor.posting.reveal(drop.id))
        deck, domain = await self._titles(reveal.tally)
        card = reveal_card(reveal, deck, domain, self._pictures.of(reveal.tally.question))
        try:
            async with self._edit_of(drop.id):
                await self._message(drop).edit(
                    view=card.view,
                    attachments=card.files(),
                    allowed_mentions=discord.AllowedMentions.none(),
                )
        except FAILURES as error:
            if not _is_final(error):
                log.warning("drop %s could not be revealed yet: %s", drop.id, error)
                return
            # The message or the room is gone: there is nothing left to reveal on.
            log.warning("drop %s has no message to reveal on: %s", drop.id, error)
        await self._core(lambda tutor: tutor.posting.revealed(drop.id))

    async def edit_count(self, drop_id: int) -> None:
        """Bring the count of answers on an open drop up to date."""
        async with self._edit_of(drop_id):
            tally = await self._core(lambda tutor: tutor.posting.tally(drop_id))
            if not tally.drop.takes_answers(self._now()):
                return
            deck, domain = await self._titles(tally)
            try:
                await self._message(tally.drop).edit(
                    view=drop_card(tally, deck, domain).view, allowed_mentions=_pings(tally.drop)
                )
            except FAILURES as error:
                log.warning("the count of drop %s could not be edited: %s", drop_id, error)

    async def _give_up(self, drop: Drop, error: discord.HTTPException) -> None:
        sentence = _problem(drop, error)
        schedule = await self._core(lambda tutor: tutor.posting.missed(drop.id, sentence))
        if schedule is not None:
            await tell_admins(self._client, drop.group, sentence)

    async def _confirm(self, drop: Drop, message: int) -> None:
        now = self._now()
        await self._core(lambda tutor: tutor.posting.posted(drop.id, str(message), now))

    async def _find(self, drop: Drop) -> int | None:
        """The id of the message that carries this drop's buttons, or None."""
        first = ids.answer(drop.id, 0)
        async for message in self._room(drop).history(
            limit=_SETTLE_LOOKS_AT, after=drop.claimed_at - _SKEW, oldest_first=True
        ):
            if any(_has_button(component, first) for component in message.components):
                return message.id
        return None

    async def _titles(self, tally: Tally) -> tuple[str, str]:
        return await self._core(
            lambda tutor: (
                tutor.library.deck_title(tally.drop.deck),
                tutor.library.domain_title(tally.question),
            )
        )

    def _edit_of(self, drop: int) -> asyncio.Lock:
        return self._edits.setdefault(drop, asyncio.Lock())

    def _room(self, drop: Drop) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(int(drop.room), guild_id=int(drop.group))

    def _message(self, drop: Drop) -> discord.PartialMessage:
        if drop.message is None:
            raise LookupError(f"drop {drop.id} has no message")
        return self._room(drop).get_partial_message(int(drop.message))


def _pings(drop: Drop) -> discord.AllowedMentions:
    """The drop's role and nobody else, whoever the question's text names.

    Each edit says so too: discord.py sends none of the client's own with an edit without content,
    and Discord then takes every mention for meant.
    """
    roles = [discord.Object(int(drop.role))] if drop.role else []
    return discord.AllowedMentions(everyone=False, users=False, roles=roles, replied_user=False)


def _is_final(error: BaseException) -> TypeGuard[discord.HTTPException]:
    """True when trying again would end the same way; outages and rate limits pass."""
    return isinstance(error, discord.HTTPException) and error.status < 500 and error.status != 429


def _has_button(component: object, custom_id: str) -> bool:
    if isinstance(component, discord.ActionRow):
        return any(getattr(child, "custom_id", None) == custom_id for child in component.children)
    return False


def _problem(drop: Drop, error: discord.HTTPException) -> str:
    """One sentence for the admins: what happened and what to do."""
    if error.code == _UNKNOWN_CHANNEL:
        return (
            "The channel for the questions is gone, so none was posted. "
            "Please set the schedule again with /schedule add, and /schedule remove the old one."
        )
    if isinstance(error, discord.Forbidden):
        return (
            f"I may not post in <#{drop.room}>, so a question was not posted. "
            "Please allow me to view it, send messages, attach files and read its history."
        )
    return (
        f"Discord refused a question for <#{drop.room}>, so it was not posted. "
        "Whoever runs this bot finds the reason in the log."
    )
