"""Rows of drops, question days and question versions <-> models: the posting ledger."""

from __future__ import annotations

import json
import sqlite3
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from sqlite_utils import Database

from bank.models import Drop, DropState, Explain, Follow, Question, Step, Terms
from bank.store.connection import can_be, every, one, stamp

_COLUMNS = tuple(Drop.model_fields)
_INSTANTS = ("slot", "claimed_at", "closes_at")
# “group” is a word of SQL, so the column has a longer name than the field; “order” is quoted.
_SELECTED = ", ".join("group_id" if name == "group" else f'"{name}"' for name in _COLUMNS)
_SELECT = f"SELECT {_SELECTED} FROM drops"
_SEEN = "state <> 'missed' AND (state <> 'voided' OR message IS NOT NULL)"
_UNDER_WAY = "state IN ('claimed', 'posted', 'closed')"


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
    group: str,
    terms: Terms,
    question: Question,
    *,
    schedule: int | None,
    order: tuple[int, ...],
    seed: int,
    slot: datetime,
    claimed_at: datetime,
    closes_at: datetime,
    wall: str | None = None,
) -> int | None:
    """The id of a new drop, or None when its slot is claimed. Rule 4 rests on this row."""
    save_question(db, question)
    cursor = db.execute(
        """
        INSERT OR IGNORE INTO drops
            (number, schedule, group_id, room, deck, question, version, "order", seed, slot, wall,
             claimed_at, closes_at, explain, role, pin, thread, state)
        VALUES ((SELECT coalesce(max(number), 0) + 1 FROM drops WHERE group_id = ?),
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'claimed')
        """,
        [
            group,
            schedule,
            group,
            terms.room,
            terms.deck,
            question.id,
            question.version,
            json.dumps(order),
            seed,
            stamp(slot),
            wall,
            stamp(claimed_at),
            stamp(closes_at),
            terms.explain.value,
            terms.role,
            Step.DUE.value if terms.pin else None,
            Step.DUE.value if terms.thread else None,
        ],
    )
    return cursor.lastrowid if cursor.rowcount else None


def is_claimed(db: Database, schedule: int, slot: datetime, wall: str) -> bool:
    """True when a schedule's slot has its drop, by its instant or by its time on the wall."""
    row = one(
        db,
        "SELECT 1 FROM drops WHERE schedule = ?1 AND slot = ?2"
        " UNION ALL SELECT 1 FROM drops WHERE schedule = ?1 AND wall = ?3 LIMIT 1",
        [schedule, stamp(slot), wall],
    )
    return row is not None


def get(db: Database, drop: int) -> Drop | None:
    return _first(db.execute(f"{_SELECT} WHERE id = ?", [drop]))


def by_message(db: Database, message: str) -> Drop | None:
    return _first(db.execute(f"{_SELECT} WHERE message = ?", [message]))


def by_number(db: Database, group: str, number: int) -> Drop | None:
    if not can_be(number):
        return None
    return _first(db.execute(f"{_SELECT} WHERE group_id = ? AND number = ?", [group, number]))


def latest_of(db: Database, group: str, question: str) -> Drop | None:
    """The group's latest drop of a question that stood in its room."""
    return _first(
        db.execute(
            f"{_SELECT} WHERE group_id = ? AND question = ? AND message IS NOT NULL"
            " ORDER BY id DESC LIMIT 1",
            [group, question],
        )
    )


def to_void(db: Database, group: str, limit: int) -> list[Drop]:
    """The group's latest drops that can be taken back, newest first."""
    rows = db.execute(
        f"{_SELECT} WHERE group_id = ? AND state NOT IN ('missed', 'voided')"
        " ORDER BY number DESC LIMIT ?",
        [group, limit],
    )
    return [_drop(row) for row in rows]


def under_way(db: Database) -> list[Drop]:
    """Drops that still ask for something: to be posted, to be closed, to be revealed."""
    rows = db.execute(f"{_SELECT} WHERE {_UNDER_WAY} ORDER BY closes_at, id")
    return [_drop(row) for row in rows]


def to_follow(db: Database) -> list[Drop]:
    """Drops that stand in their rooms and have a follow-up due."""
    rows = db.execute(
        f"{_SELECT} WHERE (pin = 'due' OR thread = 'due' OR unpin = 'due')"
        " AND message IS NOT NULL ORDER BY id"
    )
    return [_drop(row) for row in rows]


def to_take_back(db: Database) -> list[Drop]:
    """Drops that were taken back, and whose message does not say so yet."""
    rows = db.execute(f"{_SELECT} WHERE taken_back = 'due' ORDER BY id")
    return [_drop(row) for row in rows]


def set_step(db: Database, drop: int, follow: Follow, step: Step) -> None:
    """Note how far a drop's follow-up is."""
    db.execute(f"UPDATE drops SET {follow.value} = ? WHERE id = ?", [step.value, drop])


def live_in_group(db: Database, group: str, now: datetime) -> list[Drop]:
    """The group's drops that are open: their keys must stay shut. One still unposted counts."""
    rows = db.execute(
        f"{_SELECT} WHERE state IN ('claimed', 'posted') AND closes_at > ? AND group_id = ?",
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
    """The ids of the deck's questions that the group has had, oldest first.

    One that was taken back was seen all the same, unless that came before its message.
    """
    rows = every(
        db,
        f"SELECT question FROM drops WHERE group_id = ? AND deck = ? AND {_SEEN} ORDER BY id",
        [group, deck],
    )
    return [row["question"] for row in rows]


def last_asked(db: Database, group: str, question: str) -> Drop | None:
    """The latest drop of a question that the group has had."""
    return _first(
        db.execute(
            f"{_SELECT} WHERE group_id = ? AND question = ? AND {_SEEN} ORDER BY id DESC LIMIT 1",
            [group, question],
        )
    )


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


def dates(db: Database, group: str) -> dict[int, date]:
    """The local date of each of the group's question days, by number."""
    rows = every(db, "SELECT number, date FROM days WHERE group_id = ?", [group])
    return {row["number"]: date.fromisoformat(row["date"]) for row in rows}


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
    """Close every posted drop whose time is up; one that is not pinned yet never will be."""
    db.execute(
        "UPDATE drops SET state = 'closed', pin = iif(pin = 'due', 'given up', pin)"
        " WHERE state = 'posted' AND closes_at <= ?",
        [stamp(now)],
    )


def move(db: Database, drop: int, state: DropState, *, only_from: DropState) -> bool:
    """Move a drop on; False when it was not in `only_from`, and nothing changed."""
    cursor = db.execute(
        "UPDATE drops SET state = ? WHERE id = ? AND state = ?",
        [state.value, drop, only_from.value],
    )
    return cursor.rowcount > 0


def _first(cursor: sqlite3.Cursor) -> Drop | None:
    row = cursor.fetchone()
    return _drop(row) if row else None


# One drop is read for each of its answers. A row that has not changed makes the same model, so
# nothing has to be forgotten when a drop moves on.
@lru_cache(maxsize=1024)
def _drop(row: tuple[Any, ...]) -> Drop:
    values = dict(zip(_COLUMNS, row, strict=True))
    return Drop(
        **{
            **values,
            "order": tuple(json.loads(values["order"])),
            **{name: datetime.fromisoformat(values[name]) for name in _INSTANTS},
            "explain": Explain(values["explain"]),
            "state": DropState(values["state"]),
            **{
                follow.value: Step(values[follow.value])
                for follow in Follow
                if values[follow.value] is not None
            },
        }
    )
