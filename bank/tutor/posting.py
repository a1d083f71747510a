"""The posting ledger: what is due, and each drop's way claimed -> posted -> closed -> revealed.

A slot is claimed in the database before anything is sent, so two processes, or one that was killed
in between, cannot post it twice. A claim without a message is settled by looking for it first.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from sqlite_utils import Database

from bank.draw import draw
from bank.errors import QuizError, UnknownDrop
from bank.library import Library
from bank.models import (
    Drop,
    DropState,
    Follow,
    Place,
    Reveal,
    Schedule,
    Step,
    Tally,
    Terms,
    Trouble,
)
from bank.slots import next_slot, slots_between, wall_of, zone_of
from bank.store import Store, answers, drops, retired, schedules, troubles, voids
from bank.tutor.finding import drop_of, tally_of
from bank.tutor.stock import low_stock
from bank.tutor.timetable import check_terms, use_zone

# Within it a post is on time and closes as announced; later, its whole open time is still given.
_MINUTE = timedelta(minutes=1)
_TICK = timedelta(microseconds=1)
# For so long a claim belongs to the process that made it, which may be sending it right now;
# after that, whoever looks first settles it.
CLAIM_LEASE = timedelta(minutes=1)
# Two looks this close together saw time pass; further apart, the clock may have been set between.
_JUST_NOW = timedelta(minutes=5)
# For so long a reveal that is forbidden is tried again.
REVEAL_GRACE = timedelta(days=1)


class Work(NamedTuple):
    """What the shell has to do now. `wake_at` is the next instant at which something falls due."""

    post: list[Drop]  # claimed by this call
    settle: list[Drop]  # claimed a while ago and never confirmed: look for it, then post
    reveal: list[Drop]
    follow: list[Drop]  # to be pinned, unpinned or given a thread
    take_back: list[Drop]  # voided; its message is to say so, or to be looked for if it has none
    troubles: list[Trouble]  # schedules that could not be drawn from, and nobody was told yet
    low: list[Trouble]  # decks that run low, and nobody was told yet
    wake_at: datetime | None


class Refused(NamedTuple):
    """What came of a drop that Discord refused."""

    missed: bool  # else it stays claimed, and is tried again
    news: Trouble | None  # what its group's admins have not been told yet


class Posting:
    def __init__(self, store: Store, library: Library, grace: timedelta) -> None:
        self._store = store
        self._library = library
        self._grace = grace
        # When each schedule was last looked at whose settled slots lay ahead of the clock, which
        # had been set back. It need not outlive the process: only those slots come again whose
        # time comes while somebody looks.
        self._behind: dict[int, datetime] = {}

    def due(self, now: datetime, seed: int) -> Work:
        """Claim the slots that are due, close the drops whose time is up, and say what follows.

        After downtime one slot of a schedule, the latest, is claimed if it is inside the grace;
        the others are recorded as missed and cost nobody anything. When the clock has been set
        back, a slot that has its drop stays as it is; one that the clock had only run past is
        claimed when its time comes.
        """
        with self._store.writing() as db:
            running = schedules.running(db)
            fresh, instants, news = self._claim_all(db, running, now, Random(seed))
            drops.close_over(db, now)
            under_way = drops.under_way(db)
            follow = drops.to_follow(db)
            voided = drops.to_take_back(db)
            drawn = {(drop.group, drop.deck) for drop in under_way if drop.id in fresh}
            low = [low_stock(db, self._library, *each, now) for each in sorted(drawn)]
        self._behind = {each.id: now for each in running if now < each.settled_until}
        instants += [drop.closes_at for drop in under_way if drop.closes_at > now]
        claimed = [drop for drop in under_way if drop.state is DropState.CLAIMED]
        return Work(
            post=[drop for drop in claimed if drop.id in fresh],
            settle=[drop for drop in claimed if _is_unleased(drop, now)],
            reveal=[drop for drop in under_way if drop.state is DropState.CLOSED],
            follow=follow,
            # One that is being sent right now gets its message written down first.
            take_back=[drop for drop in voided if drop.message or _is_unleased(drop, now)],
            troubles=news,
            low=[trouble for trouble in low if trouble is not None],
            wake_at=min(instants, default=None),
        )

    def _claim_all(
        self, db: Database, running: list[Schedule], now: datetime, rng: Random
    ) -> tuple[set[int], list[datetime], list[Trouble]]:
        """The drops claimed, each schedule's next slot, and what admins have not been told yet."""
        fresh: set[int] = set()
        instants: list[datetime] = []
        news: list[Trouble] = []
        for schedule in running:
            # One group's trouble, such as a deck that is gone, is no other group's.
            try:
                instants.append(next_slot(schedule, now))
                fresh |= self._claim_due(db, schedule, now, rng)
            except QuizError as refusal:
                trouble = _about(schedule.group, schedule.id, refusal.sentence)
                if (untold := troubles.note(db, trouble)) is not None:
                    news.append(untold)
        return fresh, instants, news

    def _claim_due(self, db: Database, schedule: Schedule, now: datetime, rng: Random) -> set[int]:
        """Settle the schedule's slots up to now; the id of the drop claimed, if any."""
        slots = slots_between(schedule, self._settled(schedule, now), now)
        if slots:
            schedules.settle(db, schedule.id, slots[-1])
        free = [
            slot
            for slot in slots
            if not drops.is_claimed(db, schedule.id, slot, wall_of(slot, schedule.zone))
        ]
        if not free:
            return set()
        *passed, slot = free
        schedules.record_missed(db, schedule.id, passed)
        if now - slot > self._grace:
            schedules.record_missed(db, schedule.id, [slot])
            return set()
        # A late drop counts from the next whole minute, so that it closes on one.
        late = (now + _MINUTE - _TICK).replace(second=0, microsecond=0)
        opened = slot if now - slot < _MINUTE else late
        try:
            claimed = self._claim(
                db,
                schedule.group,
                schedule,
                schedule=schedule.id,
                slot=slot,
                opened=opened,
                now=now,
                seed=rng.getrandbits(62),
            )
        except QuizError:
            schedules.record_missed(db, schedule.id, [slot])
            raise
        if claimed is None:
            return set()
        schedules.forget_missed(db, schedule.id, slot)
        return {claimed}

    def _settled(self, schedule: Schedule, now: datetime) -> datetime:
        """The instant up to which the schedule's slots have been dealt with."""
        looked = self._behind.get(schedule.id)
        if looked is not None and timedelta(0) <= now - looked <= _JUST_NOW:
            return looked
        return schedule.settled_until

    def _claim(
        self,
        db: Database,
        group: str,
        terms: Terms,
        *,
        schedule: int | None,
        slot: datetime,
        opened: datetime,
        now: datetime,
        seed: int,
    ) -> int | None:
        asked = drops.asked(db, group, terms.deck)
        shut = {drop.question for drop in drops.live_in_group(db, group, now)}
        deck, out = self._library.deck(terms.deck, group), retired.of_group(db, group)
        question, order = draw(deck, asked, seed, shut, out)
        return drops.claim(
            db,
            group,
            terms,
            question,
            schedule=schedule,
            order=order,
            seed=seed,
            slot=slot,
            claimed_at=now,
            closes_at=opened + timedelta(minutes=terms.open_minutes),
            wall=None if schedule is None else wall_of(slot, _zone(db, group)),
        )

    def by_hand(
        self, group: str, terms: Terms, *, zone: str | None, now: datetime, seed: int
    ) -> Drop:
        """Claim a drop for right now.

        Raises UnknownDeck, EmptyDeck, AllRetired, AllOpen, BadTimes, UnknownZone, NoZone; then
        nothing is stored.
        """
        check_terms(group, terms, self._library)
        with self._store.writing() as db:
            use_zone(db, group, zone, now)
            claimed = self._claim(
                db, group, terms, schedule=None, slot=now, opened=now, now=now, seed=seed
            )
            if claimed is None:
                raise UnknownDrop
            return drop_of(db, claimed)

    def tally(self, drop: int) -> Tally:
        """A drop with its question and its answers counted. Raises UnknownDrop."""
        with self._store.reading() as db:
            return tally_of(db, drop_of(db, drop))

    def posted(self, drop: int, message: str, now: datetime) -> Tally:
        """The drop stands in its room as `message`. Saying it again changes nothing."""
        with self._store.writing() as db:
            confirm(db, drop_of(db, drop), message, now)
            return tally_of(db, drop_of(db, drop))

    def missed(self, drop: int, problem: str) -> Trouble | None:
        """The drop could not be posted. Returns its schedule's trouble while nobody was told it."""
        with self._store.writing() as db:
            return self._missed(db, drop_of(db, drop), problem)

    @staticmethod
    def _missed(db: Database, drop: Drop, problem: str) -> Trouble | None:
        moved = drops.move(db, drop.id, DropState.MISSED, only_from=DropState.CLAIMED)
        if not moved or drop.schedule is None:
            return None
        return troubles.note(db, _about(drop.group, drop.schedule, problem))

    def refused(self, drop: int, problem: str, now: datetime, *, may_change: bool) -> Refused:
        """Discord will not take the drop. When an admin may change that, it waits for its grace.

        A drop by hand never waits: who asked for it reads at once that it failed.
        """
        with self._store.writing() as db:
            found = drop_of(db, drop)
            if found.schedule is None or not (may_change and self.may_still_post(found, now)):
                return Refused(missed=True, news=self._missed(db, found, problem))
            news = troubles.note(db, _about(found.group, found.schedule, problem))
            return Refused(missed=False, news=news)

    def may_still_post(self, drop: Drop, now: datetime) -> bool:
        """True while a claimed drop that never got its message may still be posted."""
        return now - drop.slot <= self._grace and now < drop.closes_at

    def reveal(self, drop: int) -> Reveal:
        """What the close of a drop shows. Raises UnknownDrop."""
        with self._store.reading() as db:
            tally = tally_of(db, drop_of(db, drop))
            return Reveal(
                tally=tally,
                extended=tuple(answers.extended(db, drop)),
                newer=self._library.has_newer(tally.question, tally.drop.group),
            )

    def revealed(self, drop: int, *, shown: bool = True) -> Drop:
        """The reveal stands on the drop's message, or, not `shown`, can never stand there.

        A drop is pinned while it is open, so one that was pinned is now to be unpinned.
        """
        with self._store.writing() as db:
            found = drop_of(db, drop)
            moved = drops.move(db, drop, DropState.REVEALED, only_from=DropState.CLOSED)
            if moved and found.pin is Step.DONE:
                drops.set_step(db, drop, Follow.UNPIN, Step.DUE)
            if moved and shown:
                troubles.clear(db, found.group, Place.REVEAL, found.room)
            return drop_of(db, drop)

    def may_still_reveal(self, drop: Drop, now: datetime) -> bool:
        """True while it is worth trying to show the key of a drop that has closed."""
        return now - drop.closes_at < REVEAL_GRACE


def confirm(db: Database, drop: Drop, message: str, now: datetime) -> None:
    """Write down a claimed drop's message; its question day is the group's local date at `now`."""
    if drop.state is DropState.VOIDED:
        voids.stands(db, drop.id, message)
    if drop.state is not DropState.CLAIMED:
        return
    local = now.astimezone(zone_of(_zone(db, drop.group)))
    drops.post(db, drop, message, local.date())
    if drop.schedule is not None:
        troubles.clear(db, drop.group, Place.POST, str(drop.schedule))


def _zone(db: Database, group: str) -> str:
    zone = schedules.zone_of_group(db, group)
    if zone is None:
        raise LookupError(f"group {group} has drops but no zone")
    return zone


def _is_unleased(drop: Drop, now: datetime) -> bool:
    """True when whoever made the claim has had its time to send it.

    A claim from the future was made by a clock that was set back since. One for a slot whose time
    has yet to come waits for that.
    """
    if drop.schedule is not None and now < drop.slot:
        return False
    return abs(now - drop.claimed_at) > CLAIM_LEASE


def _about(group: str, schedule: int, sentence: str) -> Trouble:
    return Trouble(group=group, place=Place.POST, about=str(schedule), sentence=sentence)
