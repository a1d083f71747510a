"""Puts drops into their rooms, and settles claims that never got their message.

Each method deals with one drop and lets no error of Discord's pass: one room's trouble is no
other's.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from enum import Enum

import discord

from bank.models import Drop, DropState, Place, Tally, Trouble
from bot import ids
from bot.admins import Admins
from bot.cards.drop import drop_card
from bot.core import Core
from bot.faults import FAILURES, cannot_ping, cannot_post, is_final, is_forbidden
from bot.pictures import Pictures
from bot.rooms import is_away, pings_of, room_of, with_living_role
from bot.steps import Steps

log = logging.getLogger(__name__)

_SETTLE_LOOKS_AT = 100  # messages after the claim, and as many of the latest

# Discord's clock and ours may differ by this much.
_SKEW = timedelta(minutes=1)


class Sent(Enum):
    """How a post went."""

    POSTED = "posted"
    LATER = "later"  # Discord does not answer, or forbids it: the clock tries again
    REFUSED = "refused"  # it never will: the drop is missed, and the admins have been told
    TAKEN_BACK = "taken back"  # an admin did not want it any more


class Poster:
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
        self._in_hand: set[int] = set()  # drops that are being posted right now

    async def post(self, drop: Drop) -> Sent:
        """Send a claimed drop, write down its message, and do what follows."""
        if drop.id in self._in_hand:
            return Sent.LATER
        self._in_hand.add(drop.id)
        try:
            return await self._post(drop)
        finally:
            self._in_hand.discard(drop.id)

    async def settle(self, drop: Drop) -> None:
        """Settle an earlier claim: its message is there, or it is posted now, or it was missed."""
        if drop.id in self._in_hand:
            return
        message = None
        if not is_away(self._client, drop):
            try:
                message = await self._find(drop)
            except FAILURES as error:
                await self._failed(drop, error)
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

    async def trace(self, drop: Drop) -> None:
        """Look for the message of a claim that was taken back: it may have been sent before that.

        One that is found is written down, and the clock has it say so.
        """
        try:
            message = await self._find(drop)
        except FAILURES as error:
            if not is_final(error):
                log.warning("drop %s could not be looked for yet: %s", drop.id, error)
                return
            message = None
        if message is not None:
            await self._confirm(drop, message)
        else:
            await self._core(lambda tutor: tutor.voiding.shown(drop.id, shown=False))

    async def _post(self, drop: Drop) -> Sent:
        if is_away(self._client, drop):
            return Sent.LATER
        tally, titles = await self._core(
            lambda tutor: (found := tutor.posting.tally(drop.id), tutor.library.titles(found))
        )
        if tally.drop.state is DropState.VOIDED:
            return Sent.TAKEN_BACK
        try:
            message = await self._send(tally, titles)
        except FAILURES as error:
            return await self._failed(drop, error)
        await self._confirm(drop, message.id)
        return Sent.POSTED

    async def _send(self, tally: Tally, titles: tuple[str, str]) -> discord.Message:
        drop = tally.drop
        shown = with_living_role(self._client, tally.drop)
        exhibit = self._pictures.exhibit_of(tally.question, drop.group)
        card = drop_card(tally.model_copy(update={"drop": shown}), *titles, exhibit)
        return await room_of(self._client, drop).send(
            view=card.view,
            files=card.files(),
            allowed_mentions=pings_of(shown),
            # Discord returns the earlier message for a nonce that it has just seen: a send
            # that is tried again cannot post twice.
            nonce=f"{drop.id}-{drop.seed % 10**12}",
        )

    async def _failed(self, drop: Drop, error: BaseException) -> Sent:
        """A drop could not be sent or looked for: later, or never, and the admins hear of it."""
        if not is_final(error):
            log.warning("drop %s could not be posted yet: %s", drop.id, error)
            return Sent.LATER
        log.warning("drop %s was refused: %s", drop.id, error)
        sentence, may_change, now = cannot_post(drop, error), is_forbidden(error), self._now()
        refused = await self._core(
            lambda tutor: tutor.posting.refused(drop.id, sentence, now, may_change=may_change)
        )
        if refused.news is not None:
            await self._admins.tell(refused.news)
        return Sent.REFUSED if refused.missed else Sent.LATER

    async def _confirm(self, drop: Drop, message: int) -> None:
        now = self._now()
        tally = await self._core(lambda tutor: tutor.posting.posted(drop.id, str(message), now))
        await self._ping_check(drop)
        await self._steps.follow(tally.drop)

    async def _ping_check(self, drop: Drop) -> None:
        """The role's mention stands in the message itself; here its admins hear when it is gone."""
        if with_living_role(self._client, drop) is not drop:
            await self._admins.hear(
                Trouble(
                    group=drop.group,
                    place=Place.PING,
                    about=drop.role or "",
                    sentence=cannot_ping(drop),
                )
            )

    async def _find(self, drop: Drop) -> int | None:
        """The id of the message that carries this drop's buttons, or None."""
        room = room_of(self._client, drop)
        first = {ids.answer(drop.id, 0), ids.open_menu(drop.id)}
        for looks in (
            room.history(limit=_SETTLE_LOOKS_AT, after=drop.claimed_at - _SKEW, oldest_first=True),
            # Our clock may have been far ahead or behind when the claim was made.
            room.history(limit=_SETTLE_LOOKS_AT),
        ):
            async for message in looks:
                if any(_has_button(component, first) for component in message.components):
                    return message.id
        return None


def _has_button(component: object, custom_ids: Collection[str]) -> bool:
    if isinstance(component, discord.ActionRow):
        return any(getattr(child, "custom_id", None) in custom_ids for child in component.children)
    return False
