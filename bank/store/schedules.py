"""Rows of groups and schedules <-> models."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, time
from typing import Any

from sqlite_utils import Database

from bank.models import Explain, Schedule, Terms
from bank.store.connection import can_be, every, one, stamp

_SELECT = """
    SELECT s.*, g.zone, t.sentence AS problem
    FROM schedules s JOIN groups g ON g.id = s.group_id
    LEFT JOIN troubles t
        ON t.group_id = s.group_id AND t.place = 'post' AND t.about = CAST(s.id AS TEXT)
"""


def zone_of_group(db: Database, group: str) -> str | None:
    row = one(db, "SELECT zone FROM groups WHERE id = ?", [group])
    return row["zone"] if row else None


def groups(db: Database) -> list[str]:
    """Every group that has ever named its zone."""
    return [row["id"] for row in every(db, "SELECT id FROM groups ORDER BY id")]


def set_zone(db: Database, group: str, zone: str) -> None:
    db.execute(
        "INSERT INTO groups (id, zone) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET zone = ?",
        [group, zone, zone],
    )


def add(
    db: Database,
    group: str,
    terms: Terms,
    *,
    times: Iterable[time],
    weekdays: Iterable[int],
    settled_until: datetime,
) -> int:
    """A new schedule's id."""
    row = {
        "group_id": group,
        "deck": terms.deck,
        "room": terms.room,
        "times": json.dumps([f"{at:%H:%M}" for at in times]),
        "weekdays": json.dumps(list(weekdays)),
        "open_minutes": terms.open_minutes,
        "explain": terms.explain.value,
        "role": terms.role,
        "pin": terms.pin,
        "thread": terms.thread,
        "settled_until": stamp(settled_until),
    }
    db.table("schedules").insert(row)
    return int(db.execute("SELECT last_insert_rowid()").fetchone()[0])


def get(db: Database, group: str, schedule: int) -> Schedule | None:
    """A schedule of this group; another group's schedule is none of it."""
    if not can_be(schedule):
        return None
    row = one(db, f"{_SELECT} WHERE s.group_id = ? AND s.id = ?", [group, schedule])
    return _schedule(row) if row else None


def of_group(db: Database, group: str) -> list[Schedule]:
    return [
        _schedule(row)
        for row in every(db, f"{_SELECT} WHERE s.group_id = ? ORDER BY s.id", [group])
    ]


def running(db: Database) -> list[Schedule]:
    """Every schedule that is not paused."""
    return [_schedule(row) for row in every(db, f"{_SELECT} WHERE NOT s.paused ORDER BY s.id")]


def settle(db: Database, schedule: int, until: datetime) -> None:
    """Slots up to `until` have been dealt with. It never moves back."""
    db.execute(
        "UPDATE schedules SET settled_until = max(settled_until, ?) WHERE id = ?",
        [stamp(until), schedule],
    )


def record_missed(db: Database, schedule: int, slots: Iterable[datetime]) -> None:
    """Write down slots that passed their grace unclaimed."""
    db.conn.executemany(
        "INSERT OR IGNORE INTO missed_slots (schedule, slot) VALUES (?, ?)",
        [(schedule, stamp(slot)) for slot in slots],
    )


def forget_missed(db: Database, schedule: int, slot: datetime) -> None:
    """A slot that had been written down as missed has got its drop."""
    db.execute("DELETE FROM missed_slots WHERE schedule = ? AND slot = ?", [schedule, stamp(slot)])


def missed(db: Database, schedule: int) -> list[datetime]:
    """The slots of a schedule that were missed, oldest first."""
    rows = every(db, "SELECT slot FROM missed_slots WHERE schedule = ? ORDER BY slot", [schedule])
    return [datetime.fromisoformat(row["slot"]) for row in rows]


def pause(db: Database, schedule: int, paused: bool) -> None:
    db.execute("UPDATE schedules SET paused = ? WHERE id = ?", [paused, schedule])


def remove(db: Database, schedule: int) -> None:
    """Take a schedule away with its trouble; its drops stay."""
    db.execute("DELETE FROM troubles WHERE place = 'post' AND about = CAST(? AS TEXT)", [schedule])
    db.execute("DELETE FROM schedules WHERE id = ?", [schedule])


def _schedule(row: dict[str, Any]) -> Schedule:
    return Schedule(
        id=row["id"],
        group=row["group_id"],
        zone=row["zone"],
        deck=row["deck"],
        room=row["room"],
        times=tuple(time.fromisoformat(at) for at in json.loads(row["times"])),
        weekdays=tuple(json.loads(row["weekdays"])),
        open_minutes=row["open_minutes"],
        explain=Explain(row["explain"]),
        role=row["role"],
        pin=bool(row["pin"]),
        thread=bool(row["thread"]),
        paused=bool(row["paused"]),
        problem=row["problem"],
        settled_until=datetime.fromisoformat(row["settled_until"]),
    )
