"""Databases to copy, damage and migrate: filled through the tutor, and read without it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from bank import streaks
from bank.errors import QuizError
from bank.models import Streak
from bank.store.connection import stamp
from bank.tutor import Tutor
from tests.samples import GROUP, NOW, add_schedule, make_deck, post_due, slot_on

MEMBERS = ("6001", "6002", "6003")


def fill(database: Path, days: int = 12, extra: int = 0) -> Path:
    """A database of so many question days; the last drop is open. Each member misses some.

    A question is reported, and another one retired.

    `extra` further members, who answered each drop that has closed, make the file large.
    """
    with closing(Tutor.open(database, [make_deck("first", "second", "third")])) as tutor:
        tutor.reporting.report("sample/first", "Two keys.", GROUP, MEMBERS[0], NOW)
        tutor.retiring.retire("sample/third", GROUP, MEMBERS[0], NOW)
        add_schedule(tutor)
        drops = [drop for day in range(days) for drop in _one_day(tutor, day)]
        with tutor._store.writing() as db:
            members = [f"{10**17 + number}" for number in range(extra)]
            at = stamp(slot_on(days))
            rows = [(drop, member, 1, at) for drop in drops[:-1] for member in members]
            db.conn.executemany("INSERT INTO answers VALUES (?, ?, ?, ?)", rows)
            kept = streaks.rebuild(range(1, len(drops)))
            values = (kept.length, kept.best, kept.freezes, kept.run, kept.last_day, kept.kept)
            db.conn.executemany(
                "INSERT INTO streaks VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(GROUP, member, *values) for member in members],
            )
    return database


def _one_day(tutor: Tutor, day: int) -> list[int]:
    opened = slot_on(day)
    posted = post_due(tutor, opened, seed=day)
    for drop in posted:
        for number, member in enumerate(MEMBERS):
            if day % (number + 2) or number == 0:
                tutor.answering.press(drop, number, member, f"message-{drop}", opened)
    return posted


def press(tutor: Tutor, drop: int, day: int, member: str) -> str:
    """An answer to an open drop of a filled database: “recorded”, or the refusal's sentence."""
    at = slot_on(day) + timedelta(minutes=1)
    try:
        outcome = tutor.answering.press(drop, 0, member, f"message-{drop}", at)
    except QuizError as refusal:
        return refusal.sentence
    return "recorded" if outcome.new else "already recorded"


def rows(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table, by table; in an order that does not depend on where they lie."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        tables = [
            name
            for [name] in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        return {
            table: sorted(
                (dict(row) for row in connection.execute(f'SELECT * FROM "{table}"')),
                key=lambda row: [str(value) for value in row.values()],
            )
            for table in tables
        }


def faults(path: Path) -> list[Any]:
    """What is wrong with a database: its structure, its keys, its stored streaks."""
    with closing(sqlite3.connect(path)) as connection:
        integrity = connection.execute("PRAGMA integrity_check").fetchall()
        keys = connection.execute("PRAGMA foreign_key_check").fetchall()
        stored = connection.execute(
            "SELECT group_id, member, length, best, freezes, run, last_day, kept FROM streaks"
        ).fetchall()
        kept: dict[tuple[str, str], list[int]] = {}
        for group, member, day in connection.execute(
            "SELECT d.group_id, a.member, d.day FROM answers a JOIN drops d ON d.id = a.drop_id"
            " WHERE d.day IS NOT NULL"  # one that was taken back has none
        ):
            kept.setdefault((group, member), []).append(day)
    rebuilt = {who: streaks.rebuild(days) for who, days in kept.items()}
    names = ("length", "best", "freezes", "run", "last_day", "kept")
    found = {(row[0], row[1]): Streak(**dict(zip(names, row[2:], strict=True))) for row in stored}
    return [
        *(row for row in integrity if row != ("ok",)),
        *keys,
        *(who for who in rebuilt.keys() | found.keys() if rebuilt.get(who) != found.get(who)),
    ]
