"""Troubles that the shell meets at Discord: who has to be told, once for each cause."""

from __future__ import annotations

from bank.models import Place, Trouble
from bank.store import Store, troubles


class Troubles:
    def __init__(self, store: Store) -> None:
        self._store = store

    def note(self, trouble: Trouble) -> Trouble | None:
        """Keep a trouble, and return it while its group's admins have not been told it."""
        with self._store.writing() as db:
            return troubles.note(db, trouble)

    def told(self, trouble: Trouble) -> None:
        """Somebody who can act has read it: it is not told again until the cause changes."""
        with self._store.writing() as db:
            troubles.told(db, trouble)

    def clear(self, group: str, place: Place, about: str) -> None:
        """All is well there again."""
        with self._store.writing() as db:
            troubles.clear(db, group, place, about)
