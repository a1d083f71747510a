"""Rows of drops that were taken back: their answers stay, and their question day may go.

It never touches streaks: whoever takes a drop back rebuilds them in the same transaction.
"""

from __future__ import annotations

from datetime import datetime

from sqlite_utils import Database

from bank.models import Drop, Step
from bank.store.connection import one, stamp


def void(db: Database, drop: Drop, at: datetime) -> None:
    """Take a drop back, with its question day if no other drop stands in it."""
    db.execute(
        """
        UPDATE drops SET
            state = 'voided', voided_at = ?, taken_back = 'due', day = NULL,
            pin = iif(pin = 'due', 'given up', pin),
            thread = iif(thread = 'due', 'given up', thread),
            unpin = iif(pin = 'done' AND unpin IS NULL, 'due', unpin)
        WHERE id = ?
        """,
        [stamp(at), drop.id],
    )
    if drop.day is not None:
        _leave(db, drop.group, drop.day)


def _leave(db: Database, group: str, day: int) -> None:
    """Take a question day away if no drop stands in it; later days move down, without a gap."""
    if one(db, "SELECT 1 FROM drops WHERE group_id = ? AND day = ? LIMIT 1", [group, day]):
        return
    # Days and the drops in them move one after the other; the keys are checked at the commit.
    db.execute("PRAGMA defer_foreign_keys = ON")
    db.execute("DELETE FROM days WHERE group_id = ? AND number = ?", [group, day])
    # By way of negative numbers: no order of the rows meets a number that is still taken.
    db.execute(
        "UPDATE days SET number = 1 - number WHERE group_id = ? AND number > ?", [group, day]
    )
    db.execute("UPDATE days SET number = -number WHERE group_id = ? AND number < 0", [group])
    db.execute("UPDATE drops SET day = day - 1 WHERE group_id = ? AND day > ?", [group, day])


def stands(db: Database, drop: int, message: str) -> None:
    """A drop was taken back while it was being sent, and its message stands after all."""
    db.execute(
        "UPDATE drops SET message = ?, taken_back = 'due'"
        " WHERE id = ? AND state = 'voided' AND message IS NULL",
        [message, drop],
    )


def voided_at(db: Database, drop: int) -> datetime | None:
    """When a drop was taken back, or None."""
    row = one(db, "SELECT voided_at FROM drops WHERE id = ?", [drop])
    return datetime.fromisoformat(row["voided_at"]) if row and row["voided_at"] else None


def set_shown(db: Database, drop: int, step: Step) -> None:
    """Note whether the message of a drop that was taken back says so."""
    db.execute(
        "UPDATE drops SET taken_back = ? WHERE id = ? AND state = 'voided'", [step.value, drop]
    )
