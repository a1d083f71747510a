"""What follows a post, each step on its own: pinning, a thread, unpinning after the close."""

from __future__ import annotations

from bank.models import DropState, Follow, Place, Step, Trouble
from bank.store import Store, drops, troubles
from bank.tutor.finding import drop_of

_PLACES = {Follow.PIN: Place.PIN, Follow.UNPIN: Place.PIN, Follow.THREAD: Place.THREAD}
_NOT_PINNED = (DropState.REVEALED, DropState.VOIDED)


class FollowUps:
    def __init__(self, store: Store) -> None:
        self._store = store

    def done(self, drop: int, follow: Follow) -> None:
        """The step is done, so its room has no trouble with it. Raises UnknownDrop."""
        with self._store.writing() as db:
            found = drop_of(db, drop)
            drops.set_step(db, drop, follow, Step.DONE)
            if follow is Follow.PIN and found.state in _NOT_PINNED:
                # The pin was under way when the drop ended, so nobody has unpinned it.
                drops.set_step(db, drop, Follow.UNPIN, Step.DUE)
            troubles.clear(db, found.group, _PLACES[follow], found.room)

    def give_up(self, drop: int, follow: Follow, problem: str | None) -> Trouble | None:
        """The step can never be done; the drop stands all the same.

        Returns what its group's admins have not been told yet; None for a `problem` that they need
        not know. Raises UnknownDrop.
        """
        with self._store.writing() as db:
            found = drop_of(db, drop)
            drops.set_step(db, drop, follow, Step.GIVEN_UP)
            if problem is None:
                return None
            trouble = Trouble(
                group=found.group, place=_PLACES[follow], about=found.room, sentence=problem
            )
            return troubles.note(db, trouble)
