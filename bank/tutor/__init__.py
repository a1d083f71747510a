"""The use cases, and the one door that bot/ goes through.

A question's way: `timetable` sets the schedule, `posting` claims a slot and settles its drop,
`answering` takes a press or a choice, `posting` closes and reveals, `explaining` looks it up,
`boards` counts. `reporting` hears what is wrong with it, `voiding` takes it back, `retiring` keeps
it out of later draws, and `ledger` holds the streaks against a rebuild.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Self

from bank.invisible import visible
from bank.letters import LETTERS, in_order, letter_of, lettered, letters_of
from bank.library import Library
from bank.models import Deck
from bank.slots import zone_names
from bank.store import Store
from bank.store.backups import Contents, back_up, backup_name, restore
from bank.streaks import days_to_freeze
from bank.tutor.answering import Answering
from bank.tutor.boards import Boards
from bank.tutor.explaining import Explaining
from bank.tutor.follow_ups import FollowUps
from bank.tutor.ledger import Ledger
from bank.tutor.posting import Posting, Work
from bank.tutor.reporting import LONGEST_REASON, Reported, Reporting
from bank.tutor.retiring import Retired, Retiring
from bank.tutor.timetable import Timetable
from bank.tutor.troubles import Troubles
from bank.tutor.voiding import Voiding

__all__ = [
    "LETTERS",
    "LONGEST_REASON",
    "Contents",
    "Reported",
    "Retired",
    "Tutor",
    "Work",
    "back_up",
    "backup_name",
    "days_to_freeze",
    "in_order",
    "letter_of",
    "lettered",
    "letters_of",
    "restore",
    "visible",
    "zone_names",
]

GRACE = timedelta(hours=2)


class Tutor:
    """All use cases over a database and a library. It belongs to the thread that makes it.

    Every instant is an argument, aware of its zone; so is every seed. Refusals are QuizErrors.
    """

    def __init__(self, store: Store, decks: Iterable[Deck], grace: timedelta = GRACE) -> None:
        self._store = store
        self.library = Library(decks)
        self.timetable = Timetable(store, self.library)
        self.posting = Posting(store, self.library, grace)
        self.follow_ups = FollowUps(store)
        self.troubles = Troubles(store)
        self.answering = Answering(store)
        self.explaining = Explaining(store, self.library)
        self.boards = Boards(store, self.library)
        self.reporting = Reporting(store, self.library, self.explaining)
        self.voiding = Voiding(store)
        self.retiring = Retiring(store, self.library, self.explaining)
        self.ledger = Ledger(store)

    @classmethod
    def open(
        cls,
        database: Path,
        decks: Iterable[Deck],
        grace: timedelta = GRACE,
        own: Iterable[tuple[str, Deck]] = (),
    ) -> Self:
        """A tutor over a database file, made if it is absent, with groups' own decks.

        Raises DatabaseUnusable, DeckNameTaken.
        """
        tutor = cls(Store(database), decks, grace)
        for group, deck in own:
            tutor.library.put(deck, group)
        return tutor

    def close(self) -> None:
        self.library.close()
        self._store.close()
