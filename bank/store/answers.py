"""Rows of answers and streaks <-> models. What an answer chose is stored as bits of a number."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlite_utils import Database

from bank.models import Answer, Streak
from bank.store.connection import every, one, stamp

_STREAK = "length, best, freezes, run, last_day, kept"


def record(db: Database, answer: Answer) -> bool:
    """Keep a member's answer; False when an earlier one stands (rule 3)."""
    cursor = db.execute(
        "INSERT INTO answers (drop_id, member, options, at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (drop_id, member) DO NOTHING",
        [answer.drop, answer.member, _bits(answer.options), stamp(answer.at)],
    )
    return cursor.rowcount > 0


def _bits(options: Iterable[int]) -> int:
    return sum(1 << option for option in options)


def _options(bits: int) -> tuple[int, ...]:
    return tuple(option for option in range(bits.bit_length()) if bits >> option & 1)


def get(db: Database, drop: int, member: str) -> Answer | None:
    row = one(db, "SELECT * FROM answers WHERE drop_id = ? AND member = ?", [drop, member])
    if row is None:
        return None
    return Answer(
        drop=drop,
        member=member,
        options=_options(row["options"]),
        at=datetime.fromisoformat(row["at"]),
    )


def counts(db: Database, drop: int, options: int) -> tuple[tuple[int, ...], int]:
    """How many members chose each of the question's options, and how many answered at all."""
    rows = every(
        db, "SELECT options, count(*) AS n FROM answers WHERE drop_id = ? GROUP BY options", [drop]
    )
    each = tuple(
        sum(row["n"] for row in rows if row["options"] >> option & 1) for option in range(options)
    )
    return each, sum(row["n"] for row in rows)


def extended(db: Database, drop: int) -> list[str]:
    """The members whose first answer of the drop's question day was the one to this drop."""
    rows = every(
        db,
        """
        SELECT a.member FROM answers a JOIN drops d ON d.id = a.drop_id
        WHERE a.drop_id = ? AND NOT EXISTS (
            SELECT 1 FROM drops o JOIN answers b ON b.drop_id = o.id
            WHERE o.group_id = d.group_id AND o.day = d.day AND o.id <> d.id
              AND b.member = a.member AND b.at < a.at)
        ORDER BY a.at, a.member
        """,
        [drop],
    )
    return [row["member"] for row in rows]


def kept_days(db: Database, group: str, member: str) -> list[int]:
    """The numbers of the question days that a member kept, ascending."""
    rows = every(
        db,
        "SELECT DISTINCT d.day FROM drops d JOIN answers a ON a.drop_id = d.id AND a.member = ?"
        " WHERE d.group_id = ? AND d.day IS NOT NULL ORDER BY d.day",
        [member, group],
    )
    return [row["day"] for row in rows]


def kept_by_member(db: Database, group: str) -> dict[str, list[int]]:
    """The numbers of the question days that each member of a group kept, ascending."""
    rows = every(
        db,
        "SELECT DISTINCT a.member, d.day FROM drops d JOIN answers a ON a.drop_id = d.id"
        " WHERE d.group_id = ? AND d.day IS NOT NULL ORDER BY a.member, d.day",
        [group],
    )
    kept: dict[str, list[int]] = {}
    for row in rows:
        kept.setdefault(row["member"], []).append(row["day"])
    return kept


def streak(db: Database, group: str, member: str) -> Streak:
    """The stored streak; an empty one for a member who never answered."""
    row = one(
        db, f"SELECT {_STREAK} FROM streaks WHERE group_id = ? AND member = ?", [group, member]
    )
    return Streak.model_validate(row) if row else Streak()


def save_streak(db: Database, group: str, member: str, streak: Streak) -> None:
    db.execute(
        f"INSERT OR REPLACE INTO streaks (group_id, member, {_STREAK})"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            group,
            member,
            streak.length,
            streak.best,
            streak.freezes,
            streak.run,
            streak.last_day,
            streak.kept,
        ],
    )


def streaks(db: Database, group: str) -> dict[str, Streak]:
    """Every stored streak of a group, by member."""
    rows = every(db, f"SELECT member, {_STREAK} FROM streaks WHERE group_id = ?", [group])
    return {row.pop("member"): Streak.model_validate(row) for row in rows}


class Score(NamedTuple):
    """A member's answers: all, those to drops that have closed, and the right ones of these."""

    answered: int
    judged: int
    right: int


def scores(db: Database, group: str, now: datetime, member: str | None = None) -> dict[str, Score]:
    """Scores by member, for one or all. Right is judged by the question that each drop posted.

    Right is who chose all its keys and nothing else. A drop that was taken back has no day, and
    counts nowhere.
    """
    rows: list[dict[str, Any]] = every(
        db,
        """
        WITH judging AS MATERIALIZED (
            SELECT d.id, d.closes_at <= ?1 OR d.state IN ('closed', 'revealed') AS is_over,
                   (SELECT sum(json_extract(o.value, '$.correct') << o.key)
                    FROM json_each(q.body, '$.options') o) AS keys
            FROM drops d JOIN questions q ON q.version = d.version
            WHERE d.group_id = ?2 AND d.day IS NOT NULL)
        SELECT a.member, count(*) AS answered, sum(j.is_over) AS judged,
               sum(j.is_over AND a.options = j.keys) AS right
        FROM judging j JOIN answers a ON a.drop_id = j.id
        WHERE ?3 IS NULL OR a.member = ?3
        GROUP BY a.member
        """,
        [stamp(now), group, member],
    )
    return {row.pop("member"): Score(**row) for row in rows}
