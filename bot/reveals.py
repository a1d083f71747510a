"""Edits of a drop's message: the count of its answers while it is open, the reveal at its close,
and that it was taken back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TypeAlias
from weakref import WeakValueDictionary

import discord

from bank.models import Drop, DropState, Place, Trouble
from bot.admins import Admins
from bot.cards import Card
from bot.cards.drop import drop_card, reveal_card, taken_back_card
from bot.core import Core
from bot.faults import FAILURES, cannot_reveal, cannot_take_back, is_final, is_forbidden
from bot.pictures import Pictures
from bot.rooms import message_of, pings_of, with_living_role
from bot.steps import Steps

log = logging.getLogger(__name__)

# A reveal that fails is tried again after a minute, then two, four …, and then this often.
FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(minutes=15)

# A drop, and what its message is to show.
_What: TypeAlias = tuple[int, DropState]


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
        # Edits that failed: when to try again, and how long was waited for that.
        self._failed: dict[_What, tuple[datetime, timedelta]] = {}

    async def reveal(self, drop: Drop) -> None:
        """Show the key, the distribution and the short explanation; then do what follows."""
        now = self._now()
        shown = await self._try(
            drop,
            self._reveal,
            lambda: self._core(lambda tutor: tutor.posting.may_still_reveal(drop, now)),
            cannot_reveal(drop),
        )
        if shown is not None:
            revealed = await self._core(lambda tutor: tutor.posting.revealed(drop.id, shown=shown))
            await self._steps.follow(revealed)

    async def take_back(self, drop: Drop) -> None:
        """Say on the drop's message that it was taken back."""
        now = self._now()
        shown = await self._try(
            drop,
            self._take_back,
            lambda: self._core(lambda tutor: tutor.voiding.may_still_show(drop.id, now)),
            cannot_take_back(drop),
        )
        if shown is not None:
            await self._core(lambda tutor: tutor.voiding.shown(drop.id, shown=shown))

    async def edit_count(self, drop_id: int) -> None:
        """Bring the count of answers on an open drop up to date."""
        async with self._edit_of(drop_id):
            tally, titles = await self._core(
                lambda tutor: (found := tutor.posting.tally(drop_id), tutor.library.titles(found))
            )
            if not tally.drop.takes_answers(self._now()):
                return
            shown = with_living_role(self._client, tally.drop)
            exhibit = self._pictures.exhibit_of(tally.question, tally.drop.group)
            if tally.question.exhibit is not None and exhibit is None:
                return  # its file was changed since, and an edit would take away what stands there
            card = drop_card(tally.model_copy(update={"drop": shown}), *titles, exhibit)
            try:
                await self._edit(tally.drop, card, pings_of(shown))
            except FAILURES as error:
                # The next answer brings the next edit, and the reveal has all of them.
                log.warning("the count of drop %s could not be edited: %s", drop_id, error)

    async def _reveal(self, drop: Drop) -> None:
        # What is shown is read once the message is ours: the drop may be taken back until then.
        async with self._edit_of(drop.id):
            reveal, titles = await self._core(
                lambda tutor: (
                    found := tutor.posting.reveal(drop.id),
                    tutor.library.titles(found.tally),
                )
            )
            if reveal.tally.drop.state is DropState.VOIDED:
                return
            pictures = self._pictures.both(reveal.tally.question, drop.group)
            card = reveal_card(reveal, *titles, *pictures)
            await self._show(drop, card)

    async def _take_back(self, drop: Drop) -> None:
        async with self._edit_of(drop.id):
            tally, (deck, _) = await self._core(
                lambda tutor: (found := tutor.posting.tally(drop.id), tutor.library.titles(found))
            )
            exhibit = self._pictures.exhibit_of(tally.question, drop.group)
            card = taken_back_card(tally, deck, exhibit)
            await self._show(drop, card)

    async def _show(self, drop: Drop, card: Card) -> None:
        """The message becomes the card, whatever it showed before; nobody is pinged."""
        await self._edit(drop, card, discord.AllowedMentions.none())

    async def _edit(self, drop: Drop, card: Card, pings: discord.AllowedMentions) -> None:
        # The pictures are uploaded anew: a view may only name files that its own request lists,
        # by id and name for one that is kept, and a message with components does not tell the ids
        # of its files (discord/discord-api-docs#7529, #8277).
        await message_of(self._client, drop).edit(
            view=card.view, attachments=card.files(), allowed_mentions=pings
        )

    async def _try(
        self,
        drop: Drop,
        edit: Callable[[Drop], Awaitable[None]],
        is_worth_it: Callable[[], Awaitable[bool]],
        problem: str,
    ) -> bool | None:
        """True when the edit stands, False when it never will, None when it is to be tried again.

        `problem` is what the admins hear when Discord forbids it.
        """
        what, now = (drop.id, drop.state), self._now()
        again_at, _ = self._failed.get(what, (now, FIRST_WAIT))
        # A longer wait than the longest was set by a clock that has been set back since.
        if timedelta(0) < again_at - now <= LONGEST_WAIT:
            return None
        shown = True
        try:
            await edit(drop)
        except FAILURES as error:
            log.warning("drop %s could not be shown as %s: %s", drop.id, drop.state, error)
            if await is_worth_it() and not await self._is_over(drop, error, problem):
                self._wait(what, now)
                return None
            shown = False
        self._failed.pop(what, None)
        return shown

    async def _is_over(self, drop: Drop, error: BaseException, problem: str) -> bool:
        """True when another try is in vain; the admins hear what they can mend."""
        if is_forbidden(error):
            trouble = Trouble(
                group=drop.group, place=Place.REVEAL, about=drop.room, sentence=problem
            )
            await self._admins.hear(trouble)
        # The message or the room is gone: there is nothing left to show it on.
        return is_final(error) and not is_forbidden(error)

    def _wait(self, what: _What, now: datetime) -> None:
        _, waited = self._failed.get(what, (now, FIRST_WAIT / 2))
        wait = min(waited * 2, LONGEST_WAIT)
        self._failed[what] = (now + wait, wait)

    def _edit_of(self, drop: int) -> asyncio.Lock:
        return self._edits.setdefault(drop, asyncio.Lock())
