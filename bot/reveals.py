"""Edits of a drop's message: the count of its answers while it is open, the reveal at its close."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

import discord

from bank.models import Drop, Place, Trouble
from bot.admins import Admins
from bot.cards.drop import drop_card, reveal_card
from bot.core import Core
from bot.faults import FAILURES, cannot_reveal, is_final, is_forbidden
from bot.pictures import Pictures
from bot.rooms import message_of, pings_of, with_living_role
from bot.steps import Steps

log = logging.getLogger(__name__)

# A reveal that fails is tried again after a minute, then two, four …, and then this often.
FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(minutes=15)


class Reveals:
    def __init__(
        self,
        client: discord.Client,
        core: Core,
        admins: Admins,
        steps: Steps,
        pictures: Pictures,
        now: Callable[[], datetime],
    ) -> None:
        self._client = client
        self._core = core
        self._admins = admins
        self._steps = steps
        self._pictures = pictures
        self._now = now
        # One edit of a drop's message at a time: a count that was on its way when the drop closed
        # must not arrive after the reveal and take its place.
        self._edits: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        # Drops whose reveal failed: when to try again, and how long was waited for that.
        self._failed: dict[int, tuple[datetime, timedelta]] = {}

    async def reveal(self, drop: Drop) -> None:
        """Show the key, the distribution and the short explanation; then do what follows."""
        now = self._now()
        again_at, _ = self._failed.get(drop.id, (now, FIRST_WAIT))
        if now < again_at:
            return
        shown = True
        try:
            await self._reveal(drop)
        except FAILURES as error:
            if not await self._is_over(drop, error, now):
                self._wait(drop, now)
                return
            shown = False
        self._failed.pop(drop.id, None)
        revealed = await self._core(lambda tutor: tutor.posting.revealed(drop.id, shown=shown))
        await self._steps.follow(revealed)

    async def edit_count(self, drop_id: int) -> None:
        """Bring the count of answers on an open drop up to date."""
        async with self._edit_of(drop_id):
            tally, titles = await self._core(
                lambda tutor: (found := tutor.posting.tally(drop_id), tutor.library.titles(found))
            )
            if not tally.drop.takes_answers(self._now()):
                return
            shown = with_living_role(self._client, tally.drop)
            card = drop_card(tally.model_copy(update={"drop": shown}), *titles)
            try:
                await message_of(self._client, tally.drop).edit(
                    view=card.view, allowed_mentions=pings_of(shown)
                )
            except FAILURES as error:
                # The next answer brings the next edit, and the reveal has all of them.
                log.warning("the count of drop %s could not be edited: %s", drop_id, error)

    async def _reveal(self, drop: Drop) -> None:
        reveal, titles = await self._core(
            lambda tutor: (
                found := tutor.posting.reveal(drop.id),
                tutor.library.titles(found.tally),
            )
        )
        card = reveal_card(reveal, *titles, self._pictures.of(reveal.tally.question))
        async with self._edit_of(drop.id):
            await message_of(self._client, drop).edit(
                view=card.view,
                attachments=card.files(),
                allowed_mentions=discord.AllowedMentions.none(),
            )

    async def _is_over(self, drop: Drop, error: BaseException, now: datetime) -> bool:
        """True when another try is not worth it; the admins hear what they can mend."""
        log.warning("drop %s could not be revealed: %s", drop.id, error)
        if not await self._core(lambda tutor: tutor.posting.may_still_reveal(drop, now)):
            return True
        if is_forbidden(error):
            trouble = Trouble(
                group=drop.group, place=Place.REVEAL, about=drop.room, sentence=cannot_reveal(drop)
            )
            await self._admins.hear(trouble)
        # The message or the room is gone: there is nothing left to reveal on.
        return is_final(error) and not is_forbidden(error)

    def _wait(self, drop: Drop, now: datetime) -> None:
        _, waited = self._failed.get(drop.id, (now, FIRST_WAIT / 2))
        wait = min(waited * 2, LONGEST_WAIT)
        self._failed[drop.id] = (now + wait, wait)

    def _edit_of(self, drop: int) -> asyncio.Lock:
        return self._edits.setdefault(drop, asyncio.Lock())
