"""Rows of reports: what members say is wrong with a question, one for each member and question."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlite_utils import Database

from bank.store.connection import every, stamp


class Row(NamedTuple):
    """One report. `number` is that of the drop it is about, if the question was dropped by then."""

    question: str
    reason: str
    number: int | None


def keep(
    db: Database,
    group: str,
    question: str,
    member: str,
    *,
    reason: str,
    drop: int | None,
    at: datetime,
) -> None:
    """Keep a member's report of a question; it replaces their earlier one."""
    db.execute(
        "INSERT OR REPLACE INTO reports (group_id, question, member, reason, drop_id, at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [group, question, member, reason, drop, stamp(at)],
    )


def of_group(db: Database, group: str) -> list[Row]:
    """The group's open reports, newest first."""
    rows = every(
        db,
        "SELECT r.question, r.reason, d.number"
        " FROM reports r LEFT JOIN drops d ON d.id = r.drop_id"
        " WHERE r.group_id = ? ORDER BY r.at DESC, r.member",
        [group],
    )
    return [Row(**row) for row in rows]


def settle(db: Database, group: str, question: str) -> int:
    """Take the reports of a question away; how many there were."""
    cursor = db.execute(
        "DELETE FROM reports WHERE group_id = ? AND question = ?", [group, question]
    )
    return cursor.rowcount
