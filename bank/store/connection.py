"""The database file: opening it, its pragmas, its transactions, and what its errors mean.

An answer that is acknowledged must survive a power cut, so every commit is synced to disk.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from bank.errors import DatabaseBusy, DatabaseFull, DatabaseUnusable, StoreError
from bank.store.schema import migrations

BUSY_TIMEOUT_SECONDS = 5.0
PRAGMAS = (
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    # A checkpoint writes each changed page once, however often it changed: fewer of them, with
    # 16 MB of log at most, make an answer cheaper.
    "PRAGMA wal_autocheckpoint = 4000",
)

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_FULL = {sqlite3.SQLITE_FULL}
_STUCK = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR}
_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CANTOPEN}


class Store:
    """One connection to one database file, for the thread that opens it.

    sqlite3 itself refuses any other thread, which keeps the event loop off the disk. Raises
    DatabaseUnusable for a file that is no database of ours or comes from a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with _translated(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS)
            self.db = Database(connection)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise

    def _prepare(self, connection: sqlite3.Connection) -> None:
        # What is refused stays as it was, so the file is looked at before anything is set.
        self._refuse_what_is_not_ours()
        self._set_journal(connection)
        if migrations.pending(self.db):
            # Before foreign keys are watched: a table that is written anew is dropped in between.
            # One write transaction around the check and the change: two processes that start
            # on a new file at once must not both create its tables.
            with self.writing() as db:
                migrations.apply(db)
        for pragma in PRAGMAS:
            connection.execute(pragma)

    def _refuse_what_is_not_ours(self) -> None:
        applied = {migration.name for migration in migrations.applied(self.db)}
        if not applied and self.db.table_names():
            raise DatabaseUnusable(
                f"The file {self.path} is no quizdrop database, but another program's. "
                "Name another file with --database."
            )
        with closing(Database(memory=True)) as empty:
            known = {migration.name for migration in migrations.pending(empty)}
        if applied - known:
            raise DatabaseUnusable(
                f"The database {self.path} was written by a newer version of quizdrop. "
                "Please update quizdrop, or name another file with --database."
            )

    @staticmethod
    def _set_journal(connection: sqlite3.Connection) -> None:
        """Switch to WAL. SQLite does not wait for a writer there, as it does everywhere else."""
        for _ in range(10):
            connection.execute("BEGIN IMMEDIATE")  # this waits
            connection.execute("ROLLBACK")
            try:
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in _BUSY:
                    raise
            else:
                return
        raise DatabaseBusy

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """A write transaction: all of it is on disk when the block ends, or none of it is.

        It takes the write lock at once, so what is read inside cannot change before it commits.
        """
        with _translated(self.path):
            self.db.conn.execute("BEGIN IMMEDIATE")
            try:
                yield self.db
                self.db.conn.execute("COMMIT")
            except BaseException:
                self.db.rollback()
                raise

    @contextmanager
    def reading(self) -> Iterator[Database]:
        """A read transaction: everything read inside is of one moment."""
        with _translated(self.path):
            self.db.conn.execute("BEGIN")
            try:
                yield self.db
            finally:
                self.db.rollback()

    def close(self) -> None:
        self.db.close()


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Turn sqlite3's and the file system's errors into sentences."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise _meaning(error, path) from error
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.IntegrityError):
            raise
        raise _meaning(error, path) from error
    except OSError as error:
        raise DatabaseUnusable(
            f"The database {path} cannot be opened: {error.strerror}. "
            "Name another file with --database."
        ) from error


def _meaning(error: sqlite3.DatabaseError, path: Path) -> Exception:
    primary = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    meanings: list[tuple[set[int], StoreError]] = [
        (_BUSY, DatabaseBusy()),
        (_FULL, DatabaseFull()),
        (
            _STUCK,
            DatabaseUnusable(
                "The database cannot be written to, so this was not recorded. "
                "Please tell whoever runs this bot."
            ),
        ),
        (_BROKEN, DatabaseUnusable(f"The file {path} is no quizdrop database, or it is damaged.")),
    ]
    return next((meaning for codes, meaning in meanings if primary in codes), error)


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


def stamp(instant: datetime) -> str:
    """An instant as text that sorts as time does: UTC, always with microseconds."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds")
