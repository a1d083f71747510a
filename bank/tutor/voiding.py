"""Taking a drop back: it counts nowhere, and everything stands as if it had never been posted.

Its answers stay as rows, its number stays its own, and its question counts as asked once it was
seen.
"""

from __future__ import annotations

from datetime import datetime
from itertools import islice
from typing import NamedTuple

from bank.errors import CannotVoid
from bank.models import DropState, Place, Step, Tally
from bank.store import Store, drops, troubles, voids
from bank.tutor.finding import drop_of, tally_of
from bank.tutor.ledger import rebuild_group
from bank.tutor.posting import REVEAL_GRACE

# So many of a group's latest drops are looked through while somebody types.
_LOOKED_THROUGH = 200


class Offer(NamedTuple):
    """A drop that can be taken back, as its room knows it."""

    number: int
    stem: str


class Voided(NamedTuple):
    """What came of taking a drop back. `new` is False when that had been done before."""

    tally: Tally
    new: bool


class Voiding:
    def __init__(self, store: Store) -> None:
        self._store = store

    def offered(self, group: str, typed: str, limit: int = 25) -> list[Offer]:
        """The group's latest drops whose number or stem fits what is typed, newest first."""
        wanted = typed.strip().casefold()
        with self._store.reading() as db:
            offers = (
                Offer(drop.number, drops.question_of_version(db, drop.version).stem)
                for drop in drops.to_void(db, group, _LOOKED_THROUGH)
            )
            fitting = (
                offer
                for offer in offers
                if str(offer.number).startswith(wanted) or wanted in offer.stem.casefold()
            )
            return list(islice(fitting, limit))

    def void(self, group: str, number: int, now: datetime) -> Voided:
        """Take the group's drop of this number back. Done again, it changes nothing.

        Its question day goes unless another drop stands in it, and the group's streaks are
        rebuilt, all in one transaction. Raises CannotVoid.
        """
        with self._store.writing() as db:
            drop = drops.by_number(db, group, number)
            if drop is None:
                raise CannotVoid(
                    f"There is no question {number} here. "
                    "/drop void offers the latest ones while you type."
                )
            if drop.state is DropState.MISSED:
                raise CannotVoid(
                    f"Question {number} was never posted, so there is nothing to take back."
                )
            if drop.state is not DropState.VOIDED:
                voids.void(db, drop, now)
                rebuild_group(db, group)
            after = drop_of(db, drop.id)
            return Voided(tally=tally_of(db, after), new=drop.state is not DropState.VOIDED)

    def shown(self, drop: int, *, shown: bool = True) -> None:
        """The drop's message says that it was taken back, or, not `shown`, can never say so."""
        with self._store.writing() as db:
            found = drop_of(db, drop)
            voids.set_shown(db, drop, Step.DONE if shown else Step.GIVEN_UP)
            if shown:
                troubles.clear(db, found.group, Place.REVEAL, found.room)

    def may_still_show(self, drop: int, now: datetime) -> bool:
        """True while it is worth trying to say on the message that the drop was taken back."""
        with self._store.reading() as db:
            at = voids.voided_at(db, drop)
        return at is not None and now - at < REVEAL_GRACE
