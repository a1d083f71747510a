"""Rows of drops, question days and question versions <-> models: the posting ledger."""

from __future__ import annotations

import json
from datetime import date, datetime
from typing import Any

from sqlite_utils import Database

from bank.models import Drop, DropState, Explain, Question
from bank.store.connection import every, one, stamp


def save_question(db: Database, question: Question) -> None:
    """Keep this version of a question; saving it again changes nothing."""
    db.execute(
        "INSERT OR IGNORE INTO questions (version, id, body) VALUES (?, ?, ?)",
        [question.version, question.id, question.model_dump_json()],
    )


def question_of_version(db: Database, version: str) -> Question:
    row = one(db, "SELECT body FROM questions WHERE version = ?", [version])
    if row is None:
        raise LookupError(f"no question of version {version}")
    return Question.model_validate_json(row["body"])


def claim(
    db: Database,
    question: Question,
    *,
    schedule: int | None,
    group: str,
    room: str,
    order: tuple[int, ...],
    seed: int,
    slot: datetime,
    claimed_at: datetime,
    closes_at: datetime,
    explain: Explain,
    role: str | None,
) -> int | None:
    """The id of a new drop, or None when its slot is claimed. Rule 4 rests on this row."""
    save_question(db, question)
    cursor = db.execute(
        """
        INSERT OR IGNORE INTO drops
            (number, schedule, group_id, room, deck, question, version, "order", seed, slot,
             claimed_at, closes_at, explain, role, state)
        VALUES ((SELECT coalesce(max(number), 0) + 1 FROM drops WHERE group_id = ?),
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'claimed')
        """,
        [
            group,
            schedule,
            group,
            room,
            question.deck,
            question.id,
            question.version,
            json.dumps(order),
            seed,
            stamp(slot),
            stamp(claimed_at),
            stamp(closes_at),
            explain.value,
            role,
        ],
    )
    return cursor.lastrowid if cursor.rowcount else None


def get(db: Database, drop: int) -> Drop | None:
    row = one(db, "SELECT * FROM drops WHERE id = ?", [drop])
    return _drop(row) if row else None


def by_message(db: Database, message: str) -> Drop | None:
    row = one(db, "SELECT * FROM drops WHERE message = ?", [message])
    return _drop(row) if row else None


def under_way(db: Database) -> list[Drop]:
    """Drops that still ask for something: to be posted, to be closed, to be revealed."""
    rows = every(
        db,
        "SELECT * FROM drops WHERE state IN ('claimed', 'posted', 'closed') ORDER BY closes_at, id",
    )
    return [_drop(row) for row in rows]


def live_in_group(db: Database, group: str, now: datetime) -> list[Drop]:
    """The group's drops that are open: their keys must stay shut. One still unposted counts."""
    rows = every(
        db,
        "SELECT * FROM drops WHERE state IN ('claimed', 'posted', 'closed')"
        " AND closes_at > ? AND group_id = ?",
        [stamp(now), group],
    )
    return [_drop(row) for row in rows]


def groups_of_member(db: Database, member: str) -> list[str]:
    """The groups in which a member has answered."""
    return [
        row["group_id"]
        for row in every(db, "SELECT group_id FROM streaks WHERE member = ?", [member])
    ]


def asked(db: Database, group: str, deck: str) -> list[str]:
    """The ids of the deck's questions that the group has had, oldest first, save missed ones."""
    rows = every(
        db,
        "SELECT question FROM drops"
        " WHERE group_id = ? AND deck = ? AND state <> 'missed' ORDER BY id",
        [group, deck],
    )
    return [row["question"] for row in rows]


def post(db: Database, drop: Drop, message: str, local_date: date) -> None:
    """Write down that a claimed drop stands in its room, and which question day it belongs to."""
    db.execute(
        "UPDATE drops SET state = 'posted', message = ?, day = ?"
        " WHERE id = ? AND state = 'claimed'",
        [message, _day_of(db, drop.group, local_date), drop.id],
    )


def _day_of(db: Database, group: str, local_date: date) -> int:
    """The number of the question day of a date, a new one if need be.

    Days never go back: when a group moves its zone west, the same evening stays the same day.
    """
    newest = newest_day(db, group)
    if newest is not None and local_date <= newest[1]:
        return newest[0]
    number = newest[0] + 1 if newest else 1
    db.execute(
        "INSERT INTO days (group_id, number, date) VALUES (?, ?, ?)",
        [group, number, local_date.isoformat()],
    )
    return number


def newest_day(db: Database, group: str) -> tuple[int, date] | None:
    """The group's newest question day: its number and date."""
    row = one(
        db,
        "SELECT number, date FROM days WHERE group_id = ? ORDER BY number DESC LIMIT 1",
        [group],
    )
    return (row["number"], date.fromisoformat(row["date"])) if row else None


def day_is_open(db: Database, group: str, day: int, now: datetime) -> bool:
    """True while a drop of that question day takes answers."""
    row = one(
        db,
        "SELECT 1 FROM drops WHERE group_id = ? AND day = ? AND state = 'posted' AND closes_at > ?"
        " LIMIT 1",
        [group, day, stamp(now)],
    )
    return row is not None


def close_over(db: Database, now: datetime) -> None:
    """Close every posted drop whose time is up."""
    db.execute(
        "UPDATE drops SET state = 'closed' WHERE state = 'posted' AND closes_at <= ?", [stamp(now)]
    )


def move(db: Database, drop: int, state: DropState, *, only_from: DropState) -> bool:
    """Move a drop on; False when it was not in `only_from`, and nothing changed."""
    cursor = db.execute(
        "UPDATE drops SET state = ? WHERE id = ? AND state = ?",
        [state.value, drop, only_from.value],
    )
    return cursor.rowcount > 0


def _drop(row: dict[str, Any]) -> Drop:
    return Drop(
        id=row["id"],
        number=row["number"],
        schedule=row["schedule"],
        group=row["group_id"],
        room=row["room"],
        deck=row["deck"],
        question=row["question"],
        version=row["version"],
        order=tuple(json.loads(row["order"])),
        seed=row["seed"],
        slot=datetime.fromisoformat(row["slot"]),
        claimed_at=datetime.fromisoformat(row["claimed_at"]),
        closes_at=datetime.fromisoformat(row["closes_at"]),
        explain=Explain(row["explain"]),
        role=row["role"],
        state=DropState(row["state"]),
        message=row["message"],
        day=row["day"],
    )
