"""The database file: opening it, its pragmas, its transactions.

An answer that is acknowledged must survive a power cut, so every commit is synced to disk.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from bank.errors import DatabaseBusy, DatabaseUnusable
from bank.store.backups import keep_before
from bank.store.faults import BUSY, refusal_of, while_opening, while_using
from bank.store.health import BUSY_TIMEOUT_SECONDS, code_of, examine
from bank.store.schema import migrations

PRAGMAS = (
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    # A checkpoint writes each changed page once, however often it changed: fewer of them, with
    # 16 MB of log at most, make an answer cheaper.
    "PRAGMA wal_autocheckpoint = 4000",
)
# What SQLite says of a statement that does not fit the tables; 0 is what we say ourselves.
_BUGS = {0, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT}


class Store:
    """One connection to one database file, for the thread that opens it.

    sqlite3 itself refuses any other thread, which keeps the event loop off the disk. Raises
    DatabaseUnusable for a file that is no database of ours, is damaged, or comes from a newer
    version. A backup is made beside an older one before it is brought up to date.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with while_opening(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            # What is refused stays as it was, so the file is looked at before anything is set.
            if path.exists() and (refusal := refusal_of(examine(path), path)):
                raise refusal
            connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS)
            self.db = Database(connection)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise

    def _prepare(self, connection: sqlite3.Connection) -> None:
        self._set_journal(connection)
        _try_to_write(connection)
        for pragma in PRAGMAS:
            connection.execute(pragma)
        if migrations.pending(self.db):
            # Foreign keys are not watched: a table that is written anew is dropped in between.
            connection.execute("PRAGMA foreign_keys = OFF")
            # One write transaction around the check and the change: two processes that start
            # on a new file at once must not both create its tables.
            with self._transaction() as db:
                self._migrate(db)
            connection.execute("PRAGMA foreign_keys = ON")

    def _migrate(self, db: Database) -> None:
        """Bring the tables up to date; whatever goes wrong, they stay as they were."""
        pending = migrations.pending(db)
        if not pending:
            return
        before = keep_before(pending[0].name, self.path) if migrations.applied(db) else None
        try:
            migrations.apply(db)
            if db.conn.execute("PRAGMA foreign_key_check").fetchone():
                raise sqlite3.IntegrityError("a key leads nowhere")
        except sqlite3.DatabaseError as error:
            if code_of(error) not in _BUGS:
                raise
            raise DatabaseUnusable(
                f"The database {self.path} could not be brought up to this version of quizdrop, so "
                f"it was left as it was: {error}. Please report this, and use the version that you "
                "had until then." + (f" A copy from before is {before.name}." if before else "")
            ) from error

    def _set_journal(self, connection: sqlite3.Connection) -> None:
        """Switch to WAL. SQLite does not wait for a writer there, as it does everywhere else."""
        for _ in range(10):
            connection.execute("BEGIN IMMEDIATE")  # this waits
            connection.execute("ROLLBACK")
            try:
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if code_of(error) not in BUSY:
                    raise
            else:
                return
        raise DatabaseBusy(
            f"The database {self.path} is in use by another program. Please try again in a moment."
        )

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """A write transaction: all of it is on disk when the block ends, or none of it is.

        It takes the write lock at once, so what is read inside cannot change before it commits.
        """
        with while_using(self.path), self._transaction() as db:
            yield db

    @contextmanager
    def _transaction(self) -> Iterator[Database]:
        try:
            self.db.conn.execute("BEGIN IMMEDIATE")
            yield self.db
            self.db.conn.execute("COMMIT")
        except BaseException:
            self.db.rollback()
            raise

    @contextmanager
    def reading(self) -> Iterator[Database]:
        """A read transaction: everything read inside is of one moment."""
        with while_using(self.path):
            self.db.conn.execute("BEGIN")
            try:
                yield self.db
            finally:
                self.db.rollback()

    def close(self) -> None:
        self.db.close()


def _try_to_write(connection: sqlite3.Connection) -> None:
    """Raise sqlite3.OperationalError for a file that may only be read; nothing is written.

    Without this SQLite opens one as if all were well, and refuses the first answer.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("PRAGMA user_version = 0")
    finally:
        connection.rollback()


def one(db: Database, sql: str, parameters: Sequence[Any] = ()) -> dict[str, Any] | None:
    """The first row of a query as a dict, or None."""
    cursor = db.execute(sql, parameters)
    row = cursor.fetchone()
    return None if row is None else dict(zip(_columns(cursor), row, strict=True))


def every(db: Database, sql: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """All rows of a query as dicts."""
    cursor = db.execute(sql, parameters)
    columns = _columns(cursor)
    return [dict(zip(columns, row, strict=True)) for row in cursor]


def _columns(cursor: sqlite3.Cursor) -> list[str]:
    return [column[0] for column in cursor.description]


def can_be(number: int) -> bool:
    """Whether a row may have this number: SQLite's integers end at 64 bits, a member's do not."""
    return abs(number) < 2**63


def stamp(instant: datetime) -> str:
    """An instant as text that sorts as time does: UTC, always with microseconds."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds")
