"""The streak ledger: what is stored, held against a rebuild from answers and question days."""

from __future__ import annotations

from sqlite_utils import Database

from bank import streaks
from bank.models import Difference, Streak
from bank.store import Store, answers, schedules


class Ledger:
    def __init__(self, store: Store) -> None:
        self._store = store

    def differences(self) -> list[Difference]:
        """The stored streaks of all groups that are not what a rebuild gives; nothing changes."""
        with self._store.reading() as db:
            return [each for group in schedules.groups(db) for each in differences(db, group)]

    def rebuild(self) -> list[Difference]:
        """Put every streak of every group right, all at once; what was wrong."""
        with self._store.writing() as db:
            return [each for group in schedules.groups(db) for each in rebuild_group(db, group)]


def differences(db: Database, group: str) -> list[Difference]:
    """A group's stored streaks that are not what a rebuild gives, by member."""
    stored, kept = answers.streaks(db, group), answers.kept_by_member(db, group)
    rebuilt = {
        member: streaks.rebuild(kept.get(member, ())) for member in sorted(stored.keys() | kept)
    }
    return [
        Difference(group=group, member=member, stored=stored.get(member, Streak()), rebuilt=streak)
        for member, streak in rebuilt.items()
        if streak != stored.get(member, Streak())
    ]


def rebuild_group(db: Database, group: str) -> list[Difference]:
    """Put a group's streaks right; what was wrong.

    A member without any day left keeps an empty streak: it is by their streaks that members are
    known, so that an open question stays shut to them in every group of theirs.
    """
    found = differences(db, group)
    for each in found:
        answers.save_streak(db, group, each.member, each.rebuilt)
    return found
