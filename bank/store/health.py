"""What a database file is: ours and whole, or something else. Looking at a file never changes it.

SQLite keeps no checksum of a row, so what is found is damage to the structure: a page, an index, a
header, a key that leads nowhere. A wrong letter inside a text is not found.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from enum import Enum
from glob import escape
from pathlib import Path

from sqlite_utils import Database

from bank.store.schema import migrations

BUSY_TIMEOUT_SECONDS = 5.0
# What SQLite says of a damaged file. It says ERROR where the damage lies in the text of a table's
# definition; 0 is Python's own, for a text that is no UTF-8 any more.
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, 0}


class Finding(Enum):
    """What a file turned out to be."""

    NEW = "no tables yet"
    OURS = "a quizdrop database, whole, of this version or an earlier one"
    NEWER = "a quizdrop database, whole, of a later version"
    FOREIGN = "another program's database"
    DAMAGED = "a database that is damaged"
    UNREADABLE = "no database at all, or one whose first bytes are damaged"


def connect(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """A connection to a file that must exist already; SQLite would otherwise make it."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=BUSY_TIMEOUT_SECONDS
    )


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that leaves the file as it is.

    Whoever closes a database last moves the -wal file into it. If that one is another database's,
    looking must not make it permanent: a reader moves nothing.
    """
    log = beside(path.resolve(), "-wal")
    return connect(path, "ro" if has_content(log) else "rw")


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary result code, 0 for an error that is Python's own."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def beside(path: Path, tail: str) -> Path:
    """One of the files that SQLite keeps beside a database: -wal, -shm or -journal."""
    return path.with_name(path.name + tail)


def has_content(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


def examine(path: Path) -> Finding:
    """Look at a file that exists. Raises sqlite3.OperationalError when it cannot be read."""
    path = path.resolve()  # SQLite keeps its other files beside the file that a link leads to
    if not has_content(path):
        # SQLite takes an empty file for a new database. One that had content has lost it.
        lost = has_content(beside(path, "-wal")) or latest_backup(path) is not None
        return Finding.DAMAGED if lost else Finding.NEW
    try:
        with closing(connect_to_read(path)) as connection:
            return _examine(Database(connection))
    except sqlite3.DatabaseError as error:
        code = code_of(error)
        if code not in _DAMAGE:
            raise
        return Finding.UNREADABLE if code == sqlite3.SQLITE_NOTADB else Finding.DAMAGED
    except UnicodeDecodeError:
        return Finding.DAMAGED


def _examine(db: Database) -> Finding:
    tables = db.table_names()
    if not tables:
        return Finding.NEW
    if migrations.migrations_table not in tables:
        return Finding.FOREIGN
    if not _is_whole(db):
        return Finding.DAMAGED
    applied = {migration.name for migration in migrations.applied(db)}
    if not applied:
        return Finding.FOREIGN
    with closing(Database(memory=True)) as empty:
        known = {migration.name for migration in migrations.pending(empty)}
    return Finding.NEWER if applied - known else Finding.OURS


def _is_whole(db: Database) -> bool:
    # Measured with a million answers, 68 MB: 0.3 s and 0.1 s.
    [verdict] = db.conn.execute("PRAGMA integrity_check(1)").fetchone()
    return verdict == "ok" and not db.conn.execute("PRAGMA foreign_key_check").fetchone()


def latest_backup(database: Path) -> Path | None:
    """The latest whole backup in the database's folder, by the names that we give them."""
    found = database.parent.glob(f"{escape(database.stem)}-backup-*.db")
    newest_first = sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True)
    return next((path for path in newest_first if _is_good(path)), None)


def _is_good(backup: Path) -> bool:
    try:
        return has_content(backup) and examine(backup) is Finding.OURS
    except sqlite3.Error:
        return False
