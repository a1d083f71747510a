"""The bot's database, read from outside while it runs: what is really on disk. Never written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

Row = dict[str, Any]


class Ledger:
    def __init__(self, path: Path) -> None:
        self.path = path

    def rows(self, sql: str, *values: object) -> list[Row]:
        with closing(sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(sql, values)]

    def drops(self) -> list[Row]:
        return self.rows("SELECT * FROM drops ORDER BY id")

    def answers(self, drop: int | None = None) -> list[Row]:
        """All answers, or a drop's: drop_id, member, options, at."""
        return self.rows(
            "SELECT * FROM answers WHERE ? IS NULL OR drop_id = ? ORDER BY at, member", drop, drop
        )

    def streaks(self) -> list[Row]:
        return self.rows("SELECT * FROM streaks ORDER BY group_id, member")
