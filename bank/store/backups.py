"""Copies of a database: a backup of one in use, a restore, and what is kept before a migration.

A file is never half written: each copy is made under another name, looked at, and moved into place
when it is whole and on disk. Nothing of anyone's is overwritten but an earlier backup.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bank.errors import DatabaseBusy, DatabaseUnusable
from bank.store.faults import BUSY, refusal_of, while_copying, while_opening
from bank.store.health import (
    Finding,
    beside,
    code_of,
    connect,
    connect_to_read,
    examine,
    has_content,
)

_SIDE_FILES = ("-wal", "-shm", "-journal")
# SQLite's own lock on a database in use (https://www.sqlite.org/src/file/src/os.h): the bytes
# from 2 behind the pending byte, 510 of them.
_PENDING_BYTE, _SHARED_FIRST, _SHARED_SIZE = 0x40000000, 2, 510


class Contents(NamedTuple):
    """What a copy holds; the size is in bytes."""

    drops: int
    answers: int
    size: int


class Restored(NamedTuple):
    """What is in place now, and where that is kept which was there before, if anything was."""

    contents: Contents
    kept: Path | None


def backup_name(database: Path, now: datetime) -> Path:
    """Where a backup goes that got no name: beside the database, where it is found again."""
    return _named(database, f"backup-{_second(now)}")


def back_up(database: Path, target: Path) -> Contents:
    """Copy a database to `target`, also while a bot writes to it. Raises StoreError."""
    if not database.is_file():
        raise DatabaseUnusable(
            f"There is no database {database} yet, so there is nothing to back up. "
            "Name another file with --database."
        )
    target = target.resolve()
    if target.exists() and (target.samefile(database) or not _is_backup(target)):
        raise DatabaseUnusable(
            f"The file {target} is there already and is no earlier backup, so it was left as it "
            "is. Name another file."
        )
    with _copied(database, target) as copy:
        contents = _contents(copy)
        with while_copying(database, target):
            _put(copy, target)
    return contents


def keep_before(migration: str, database: Path) -> Path:
    """Back up a database that a migration is about to change; where to."""
    target = _free(_named(database, f"backup-before-{migration}"))
    back_up(database, target)
    return target


def restore(source: Path, database: Path, now: datetime) -> Restored:
    """Put a backup in the place of a database that no bot runs on. Raises StoreError.

    Whatever interrupts it, the database is the old one or the new one, whole. An older version's
    backup is migrated when the bot next starts.
    """
    database = database.resolve()
    _refuse_as_backup(source, database)
    with while_opening(database):
        database.parent.mkdir(parents=True, exist_ok=True)
        there = examine(database) if has_content(database) else Finding.UNREADABLE
    if there is Finding.FOREIGN and (refusal := refusal_of(there, database)):
        raise refusal
    with _copied(source, database) as copy:
        contents = _contents(copy)
        if there in (Finding.DAMAGED, Finding.UNREADABLE):
            kept = _replace_damaged(database, copy, _named(database, f"damaged-{_second(now)}"))
        else:
            kept = _replace(database, copy, _named(database, f"replaced-{_second(now)}"))
    return Restored(contents, kept)


_NO_BACKUP = {
    Finding.NEW: "is no quizdrop database",
    Finding.FOREIGN: "is no quizdrop database, but another program's",
    Finding.UNREADABLE: "is no quizdrop database, or it is damaged",
    Finding.DAMAGED: "is damaged",
    Finding.NEWER: "was written by a newer version of quizdrop",
}


def _refuse_as_backup(source: Path, database: Path) -> None:
    """Raise DatabaseUnusable when there is nothing in `source` that could be restored."""
    why = "is not there"
    if source.is_file():
        if database.exists() and source.samefile(database):
            why = "is the database itself"
        else:
            with while_opening(source):
                finding = examine(source)
            if finding is Finding.OURS:
                return
            why = _NO_BACKUP[finding]
    raise DatabaseUnusable(
        f"The file {source} {why}, so nothing was restored. Name another backup"
        + (", or update quizdrop." if why == _NO_BACKUP[Finding.NEWER] else ".")
    )


@contextmanager
def _copied(source: Path, target: Path) -> Iterator[Path]:
    """A checked copy of a database beside `target`, gone at the end unless it was moved."""
    with (
        while_opening(source),
        closing(connect_to_read(source)) as live,
        _temporary(target) as copy,
    ):
        live.execute("PRAGMA schema_version")  # reads the file: one that is no database ends here
        with while_copying(source, copy):
            _copy_pages(live, copy)
            finding = examine(copy)
        refusal = refusal_of(Finding.FOREIGN if finding is Finding.NEW else finding, source)
        if refusal:
            raise refusal
        yield copy


@contextmanager
def _temporary(target: Path) -> Iterator[Path]:
    path = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        yield path
    finally:
        for tail in ("", *_SIDE_FILES):
            beside(path, tail).unlink(missing_ok=True)


def _copy_pages(live: sqlite3.Connection, copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as target:
        # All pages in one step, which reads one moment. It stops no writer: they write to the log.
        # In several steps each commit in between would make it begin anew.
        live.backup(target)
        # A copy is one file, without a log beside it; that also tells it from a database in use.
        target.execute("PRAGMA journal_mode = DELETE")


def _contents(path: Path) -> Contents:
    with closing(connect(path)) as connection:
        drops, answers = connection.execute(
            "SELECT (SELECT count(*) FROM drops), (SELECT count(*) FROM answers)"
        ).fetchone()
    return Contents(drops, answers, path.stat().st_size)


def _replace(database: Path, copy: Path, keep_as: Path) -> Path:
    """Write the copy into a whole database, in one transaction of SQLite's."""
    keep_as = _free(keep_as)
    with while_opening(database), closing(connect(database)) as live:
        _take(live, database)
        with _temporary(keep_as) as old, while_copying(database, keep_as):
            _copy_pages(live, old)
            _put(old, keep_as)
        with while_copying(copy, database), closing(connect(copy)) as new:
            new.backup(live)
        live.execute("PRAGMA locking_mode = NORMAL")
        live.execute("PRAGMA schema_version")  # lets go of the lock
        live.execute("PRAGMA journal_mode = WAL")  # removes the journal
    return keep_as


def _take(live: sqlite3.Connection, database: Path) -> None:
    """Lock everyone else out until the connection closes. A bot holds its database even idle."""
    try:
        live.execute("PRAGMA busy_timeout = 500")  # a command ends soon, a bot does not
        live.execute("PRAGMA locking_mode = EXCLUSIVE")
        live.execute("PRAGMA journal_mode = DELETE")
        live.execute("BEGIN EXCLUSIVE")
        live.execute("COMMIT")
    except sqlite3.OperationalError as error:
        if code_of(error) not in BUSY:
            raise
        raise _in_use(database) from error


def _replace_damaged(database: Path, copy: Path, keep_as: Path) -> Path | None:
    """Put the copy in the place of what SQLite cannot read, which is kept as it is."""
    with while_opening(database):
        if _is_in_use(database):
            raise _in_use(database)
    keep_as, kept = _free(keep_as), None
    with while_copying(copy, database):
        for tail in ("", "-wal", "-journal"):
            if has_content(beside(database, tail)):
                shutil.copyfile(beside(database, tail), beside(keep_as, tail))
                _sync(beside(keep_as, tail))
                kept = keep_as
        # A log of the damaged file would be taken for one of the new file.
        for tail in _SIDE_FILES:
            beside(database, tail).unlink(missing_ok=True)
        with closing(connect(copy)) as new:
            new.execute("PRAGMA journal_mode = WAL")
        _put(copy, database)
    return kept


def _is_in_use(database: Path) -> bool:
    """True while another process has the file open through SQLite, even if it is damaged.

    On Windows the file cannot be replaced then, and SQLite's lock is another.
    """
    try:
        import fcntl
    except ModuleNotFoundError:
        return False
    if not database.exists():
        return False
    with database.open("r+b") as file:
        try:
            start = _PENDING_BYTE + _SHARED_FIRST
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_SIZE, start)
        except BlockingIOError:
            return True
    return False


def _in_use(database: Path) -> DatabaseBusy:
    return DatabaseBusy(
        f"The database {database} is in use, perhaps by a running bot. "
        "Stop it, then restore again; nothing was changed."
    )


def _is_backup(path: Path) -> bool:
    """True for a whole copy of ours; a database that a bot has used has another journal mode."""
    if not path.is_file() or any(has_content(beside(path, tail)) for tail in _SIDE_FILES):
        return False
    with while_opening(path):
        with path.open("rb") as file:
            versions = file.read(20)[18:]
        return versions == b"\x01\x01" and examine(path) is Finding.OURS


def _put(copy: Path, target: Path) -> None:
    """Move a finished copy into place; it is on disk before it has the name."""
    _sync(copy)
    copy.replace(target)
    if os.name == "posix":  # elsewhere a folder cannot be opened
        _sync(target.parent, os.O_RDONLY)


def _sync(path: Path, flags: int = os.O_RDWR) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _named(database: Path, what: str) -> Path:
    return database.with_name(f"{database.stem}-{what}.db")


def _free(path: Path) -> Path:
    """The path, or one with a number where it is taken."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _second(now: datetime) -> str:
    return f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
