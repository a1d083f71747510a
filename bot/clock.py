"""The clock: APScheduler wakes it, the tutor says what is due, the poster does it.

Slots come from the tutor alone. APScheduler's own triggers would skip and double them around clock
changes, so it only gets single dates to wake us at.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger

from bank.errors import QuizError
from bank.models import Drop, Trouble
from bank.tutor import Work
from bot.admins import Admins
from bot.core import Core
from bot.poster import Poster
from bot.reveals import Reveals
from bot.steps import Steps

log = logging.getLogger(__name__)

# However far the next slot is, look again after this long: the system's clock may have been set,
# and what could not be sent is tried again.
LONGEST_SLEEP = timedelta(seconds=60)
SHORTEST_SLEEP = timedelta(milliseconds=20)
PATIENCE_SECONDS = 5.0


class Clock:
    """Wakes when something is due; each drop is dealt with in a task of its own."""

    def __init__(
        self,
        core: Core,
        poster: Poster,
        steps: Steps,
        reveals: Reveals,
        admins: Admins,
        now: Callable[[], datetime],
        seed: Callable[[], int],
        longest_sleep: timedelta = LONGEST_SLEEP,
    ) -> None:
        self._core = core
        self._poster = poster
        self._steps = steps
        self._reveals = reveals
        self._admins = admins
        self._now = now
        self._seed = seed
        self._longest_sleep = longest_sleep
        self._second_alarm: asyncio.TimerHandle | None = None
        # A busy loop may wake us late, never not at all: APScheduler's default drops a job that
        # is a second late.
        self._scheduler = AsyncIOScheduler(
            timezone=UTC,
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )
        self._one_at_a_time = asyncio.Lock()
        self._tasks: dict[str, asyncio.Task[object]] = {}

    async def start(self) -> None:
        """Start ticking. Called again, as on a reconnect, it changes nothing."""
        if not self._scheduler.running:
            self._scheduler.start()
            await self.tick()

    async def close(self) -> None:
        """Stop waking, and let what is under way finish, for a while.

        What does not finish is as if the process had been killed: its claim is settled later.
        """
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)
        if self._second_alarm is not None:
            self._second_alarm.cancel()
        if self._tasks:
            _, pending = await asyncio.wait(self._tasks.values(), timeout=PATIENCE_SECONDS)
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)

    async def tick(self) -> None:
        """Ask what is due, start it, and set the next alarm.

        Before the start, and after the close, it does nothing: a command may come in while the
        bot does not yet know all of its servers.
        """
        if not self._scheduler.running:
            return
        async with self._one_at_a_time:
            now, seed = self._now(), self._seed()
            wake_at = None
            try:
                work = await self._core(lambda tutor: tutor.posting.due(now, seed))
                self._start_all(work)
                wake_at = work.wake_at
            except QuizError as refusal:
                log.error("the clock could not ask what is due: %s", refusal)
            except Exception:
                log.exception("the clock could not ask what is due")
            finally:
                # Whatever happened, it wakes again: a clock that stops is a drop that is lost.
                self._set_alarm(now, wake_at)

    def _start_all(self, work: Work) -> None:
        for drop in work.post:
            self._begin(f"drop {drop.id}", self._poster.post(drop))
        for drop in work.settle:
            self._begin(f"drop {drop.id}", self._poster.settle(drop))
        for drop in work.reveal:
            self._begin(f"drop {drop.id}", self._reveals.reveal(drop))
        for drop in work.follow:
            self._begin(f"drop {drop.id} follow-ups", self._steps.follow(drop))
        for drop in work.take_back:
            back = self._reveals.take_back if drop.message else self._poster.trace
            self._begin(f"drop {drop.id} taken back", back(drop))
        for trouble in work.troubles:
            self._begin(f"{trouble.place} {trouble.about}", self._admins.tell(trouble))
        for trouble in work.low:
            what = f"{trouble.place} {trouble.about} of {trouble.group}"
            self._begin(what, self._tell_after(work.post, trouble))

    async def _tell_after(self, drops: list[Drop], trouble: Trouble) -> None:
        """Tell the admins what can wait until these drops stand in their rooms."""
        names = (f"drop {drop.id}" for drop in drops if drop.group == trouble.group)
        if posting := [self._tasks[name] for name in names if name in self._tasks]:
            await asyncio.wait(posting)
        await self._admins.tell(trouble)

    def _begin(self, what: str, work: Coroutine[Any, Any, object]) -> None:
        """Run in a task of its own, unless the same thing is still under way."""
        if what in self._tasks:
            work.close()
            return
        task = asyncio.create_task(work, name=what)
        self._tasks[what] = task
        task.add_done_callback(lambda done: self._ended(what, done))

    def _ended(self, what: str, task: asyncio.Task[object]) -> None:
        self._tasks.pop(what, None)
        if not task.cancelled() and (error := task.exception()):
            log.error("%s failed", what, exc_info=error)

    def _set_alarm(self, now: datetime, wake_at: datetime | None) -> None:
        if not self._scheduler.running:  # it was closed meanwhile
            return
        longest = self._longest_sleep
        sleep = longest if wake_at is None else min(wake_at - now, longest)
        self._scheduler.add_job(
            self._wake,
            DateTrigger(datetime.now(UTC) + max(sleep, SHORTEST_SLEEP)),
            id="wake",
            replace_existing=True,
        )
        # APScheduler reads the system's clock: set back by an hour, it would sleep an hour longer.
        # The loop's own clock only ever goes forward.
        if self._second_alarm is not None:
            self._second_alarm.cancel()
        self._second_alarm = asyncio.get_running_loop().call_later(
            longest.total_seconds(), self._ring
        )

    async def _wake(self) -> None:
        # The job itself ends at once: the tick sets the next alarm under the same id, which
        # APScheduler would refuse while this one ran.
        self._ring()

    def _ring(self) -> None:
        self._begin("tick", self.tick())
