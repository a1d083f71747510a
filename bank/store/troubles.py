"""Rows of troubles <-> models: what admins have to know, and whether they have been told."""

from __future__ import annotations

from sqlite_utils import Database

from bank.models import Place, Trouble


def note(db: Database, trouble: Trouble) -> Trouble | None:
    """Keep a trouble, and return it while nobody has been told this sentence about it."""
    db.execute(
        """
        INSERT INTO troubles (group_id, place, about, sentence) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET sentence = ?4, told = 0 WHERE sentence <> ?4
        """,
        [*_key(trouble), trouble.sentence],
    )
    row = db.execute(f"SELECT told FROM troubles {_WHERE}", _key(trouble)).fetchone()
    return None if row[0] else trouble


def told(db: Database, trouble: Trouble) -> None:
    """The admins have been told this sentence."""
    db.execute(
        f"UPDATE troubles SET told = 1 {_WHERE} AND sentence = ?",
        [*_key(trouble), trouble.sentence],
    )


def clear(db: Database, group: str, place: Place, about: str) -> None:
    """All is well there again: the next trouble is news."""
    db.execute(f"DELETE FROM troubles {_WHERE}", [group, place.value, about])


_WHERE = "WHERE group_id = ? AND place = ? AND about = ?"


def _key(trouble: Trouble) -> list[str]:
    return [trouble.group, trouble.place.value, trouble.about]
