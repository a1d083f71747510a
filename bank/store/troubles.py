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


def note_once(db: Database, trouble: Trouble) -> Trouble | None:
    """Keep a trouble and return it, unless another sentence about the same has been told."""
    row = db.execute(f"SELECT told FROM troubles {_WHERE}", _key(trouble)).fetchone()
    return None if row is not None and row[0] else note(db, trouble)


def fewest_left(db: Database, group: str, deck: str) -> int | None:
    """The fewest questions that a deck has had left since its low stock was noted, if it is."""
    key = [group, Place.STOCK.value, deck]
    row = db.execute(f"SELECT fewest FROM troubles {_WHERE}", key).fetchone()
    return row[0] if row is not None else None


def keep_fewest(db: Database, group: str, deck: str, left: int) -> None:
    """So many questions are left now of a deck whose low stock is noted."""
    db.execute(
        f"UPDATE troubles SET fewest = min(coalesce(fewest, ?1), ?1) {_WHERE}",
        [left, group, Place.STOCK.value, deck],
    )


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
