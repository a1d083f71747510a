"""What follows a post: pins, threads, unpins. One that fails neither stops nor undoes another."""

from __future__ import annotations

import logging

import discord

from bank.models import Drop, Follow
from bot.admins import Admins
from bot.core import Core
from bot.faults import (
    FAILURES,
    THREAD_EXISTS,
    cannot_open_thread,
    cannot_pin,
    is_final,
    is_gone,
)
from bot.rooms import is_away, message_of

log = logging.getLogger(__name__)


class Steps:
    def __init__(self, client: discord.Client, core: Core, admins: Admins) -> None:
        self._client = client
        self._core = core
        self._admins = admins
        self._in_hand: set[int] = set()  # drops whose steps are being taken right now

    async def follow(self, drop: Drop) -> None:
        """Take each step that is due; one that Discord does not answer is tried again later."""
        if drop.id in self._in_hand or is_away(self._client, drop):
            return
        self._in_hand.add(drop.id)
        try:
            for follow in drop.to_follow:
                await self._take(drop, follow)
        finally:
            self._in_hand.discard(drop.id)

    async def _take(self, drop: Drop, follow: Follow) -> None:
        try:
            await self._do(drop, follow)
        except FAILURES as error:
            if not is_final(error):
                log.warning("drop %s: %s later: %s", drop.id, follow.value, error)
                return
            # An earlier try may have opened it, and been cut off before that was written down.
            if error.code != THREAD_EXISTS:
                await self._give_up(drop, follow, error)
                return
        await self._core(lambda tutor: tutor.follow_ups.done(drop.id, follow))

    async def _do(self, drop: Drop, follow: Follow) -> None:
        message = message_of(self._client, drop)
        match follow:
            case Follow.PIN:
                await message.pin()
            case Follow.UNPIN:
                await message.unpin()
            case Follow.THREAD:
                # It goes to sleep after a day of silence; anyone may wake it.
                await message.create_thread(
                    name=f"Question {drop.number}", auto_archive_duration=1440
                )

    async def _give_up(self, drop: Drop, follow: Follow, error: discord.HTTPException) -> None:
        log.warning("drop %s: no %s: %s", drop.id, follow.value, error)
        if is_gone(error):
            problem = None  # somebody has deleted the message: nothing is left to do or to say
        elif follow is Follow.THREAD:
            problem = cannot_open_thread(drop, error)
        else:
            problem = cannot_pin(drop, error)
        trouble = await self._core(lambda tutor: tutor.follow_ups.give_up(drop.id, follow, problem))
        if trouble is not None:
            await self._admins.tell(trouble)
