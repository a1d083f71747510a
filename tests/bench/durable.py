"""Durable answers a second: the tutor against bare sqlite3 with one INSERT and one commit each."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from bank.store.connection import PRAGMAS
from bank.tutor import Tutor
from tests.samples import GROUP, NOW, ROOM, add_schedule, make_deck, post_due

ANSWERS = 1000


def tutor_round(folder: Path) -> Callable[[], float]:
    """A round of answers to one open drop through the tutor; returns answers a second."""
    tutor = Tutor.open(folder / "tutor.db", [make_deck("only")])
    add_schedule(tutor, room=ROOM, open_minutes=7 * 24 * 60)
    opened = NOW + timedelta(hours=1)
    (drop,) = post_due(tutor, opened)
    members = iter(range(10**9))

    def run() -> float:
        started = time.perf_counter()
        for _ in range(ANSWERS):
            tutor.answering.press(drop, 1, f"{10**17 + next(members)}", f"message-{drop}", opened)
        return ANSWERS / (time.perf_counter() - started)

    assert GROUP
    return run


def bare_round(folder: Path) -> Callable[[], float]:
    """The same number of rows, each inserted and committed by sqlite3 alone."""
    connection = sqlite3.connect(folder / "bare.db")
    for pragma in ("PRAGMA journal_mode = WAL", *PRAGMAS):
        connection.execute(pragma)
    connection.execute(
        "CREATE TABLE answers (drop_id INTEGER, member TEXT, option INTEGER, at TEXT,"
        " PRIMARY KEY (drop_id, member)) WITHOUT ROWID"
    )
    connection.commit()
    members = iter(range(10**9))

    def run() -> float:
        started = time.perf_counter()
        for _ in range(ANSWERS):
            row = (1, f"{10**17 + next(members)}", 1, NOW.isoformat())
            connection.execute("INSERT INTO answers VALUES (?, ?, ?, ?)", row)
            connection.commit()
        return ANSWERS / (time.perf_counter() - started)

    return run
