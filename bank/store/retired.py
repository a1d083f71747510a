"""Rows of retired questions: what a group does not want to be asked any more."""

from __future__ import annotations

from datetime import datetime

from sqlite_utils import Database

from bank.store.connection import every, stamp


def add(db: Database, group: str, question: str, at: datetime, by: str) -> bool:
    """Retire a question; False when it had been retired before, and nothing changed."""
    cursor = db.execute(
        'INSERT OR IGNORE INTO retired (group_id, question, at, "by") VALUES (?, ?, ?, ?)',
        [group, question, stamp(at), by],
    )
    return cursor.rowcount > 0


def remove(db: Database, group: str, question: str) -> bool:
    """Take a question in again; False when it was not retired."""
    cursor = db.execute(
        "DELETE FROM retired WHERE group_id = ? AND question = ?", [group, question]
    )
    return cursor.rowcount > 0


def of_group(db: Database, group: str) -> list[str]:
    """The ids of the group's retired questions, the latest first."""
    rows = every(
        db,
        "SELECT question FROM retired WHERE group_id = ? ORDER BY at DESC, question",
        [group],
    )
    return [row["question"] for row in rows]
