"""What sqlite3's and the file system's errors mean, as sentences.

While a file is opened, whoever runs the bot reads them, so they name it; later a member does, so
they name no file, and the details are for the log.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bank.errors import DatabaseBusy, DatabaseFull, DatabaseUnusable, StoreError
from bank.store.health import Finding, code_of, latest_backup

BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_FULL = {sqlite3.SQLITE_FULL}
_READ_ONLY = {sqlite3.SQLITE_READONLY}
_FAILING = {sqlite3.SQLITE_IOERR}
_NO_DATABASE = {sqlite3.SQLITE_NOTADB}
_CORRUPT = {sqlite3.SQLITE_CORRUPT}
_CLOSED = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}

_ANOTHER_FILE = "or name another file with --database."


@contextmanager
def while_opening(path: Path) -> Iterator[None]:
    """Errors as sentences for whoever runs the bot, on the file at `path`."""
    with _translated(path, _on_opening):
        try:
            yield
        except OSError as error:
            raise DatabaseUnusable(
                f"The database {path} cannot be opened: {error.strerror}. "
                "Name another file with --database."
            ) from error


@contextmanager
def while_using(path: Path) -> Iterator[None]:
    """Errors as sentences for a member. An IntegrityError is a bug of ours and stays one."""
    with _translated(path, _on_using):
        yield


@contextmanager
def while_copying(source: Path, copy: Path) -> Iterator[None]:
    """Errors as sentences for whoever asked for a copy of a database."""

    def meaning(code: int, _: Path) -> StoreError | None:
        if code in _FULL | _READ_ONLY | _FAILING | _CLOSED:
            return _no_copy(copy, DatabaseFull if code in _FULL else DatabaseUnusable)
        return _on_opening(code, source)

    with _translated(copy, meaning):
        try:
            yield
        except OSError as error:
            raise _no_copy(copy, DatabaseUnusable) from error


def _no_copy(copy: Path, kind: type[DatabaseFull | DatabaseUnusable]) -> StoreError:
    return kind(
        f"A copy of the database cannot be written in the folder {copy.parent}, so nothing was "
        "changed. Check that the folder exists, that it may be written to, and that its disk has "
        "room."
    )


@contextmanager
def _translated(path: Path, meaning: Callable[[int, Path], StoreError | None]) -> Iterator[None]:
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.DatabaseError as error:
        refusal = meaning(code_of(error), path)
        if refusal is None:
            raise
        refusal.detail = f"{path}: {error}, {getattr(error, 'sqlite_errorname', 'no code')}"
        raise refusal from error


def _on_opening(code: int, path: Path) -> StoreError | None:
    if code in _FULL:
        return DatabaseFull(
            f"There is no room left on the disk for the database {path}. Make some, then try again."
        )
    if code in BUSY:
        return DatabaseBusy(
            f"The database {path} is in use by another program. Please try again in a moment."
        )
    if code in _NO_DATABASE | _CORRUPT:
        return refusal_of(Finding.UNREADABLE if code in _NO_DATABASE else Finding.DAMAGED, path)
    sentences = {
        f"The database {path} cannot be opened. Check that it is a file, and that you may use "
        f"its folder, {_ANOTHER_FILE}": _CLOSED,
        f"The database {path} cannot be written to. Make the file and its folder writable, "
        f"{_ANOTHER_FILE}": _READ_ONLY,
        f"The disk could not read or write the database {path}. It may be full or failing: "
        "check it, then try again.": _FAILING,
    }
    return _first(sentences, code)


def _on_using(code: int, _: Path) -> StoreError | None:
    if code in BUSY:
        return DatabaseBusy()
    if code in _FULL:
        return DatabaseFull()
    tell = "so this was not recorded. Please tell whoever runs this bot."
    sentences = {
        f"The database cannot be written to, {tell}": _READ_ONLY | _FAILING,
        f"The database is damaged, {tell}": _NO_DATABASE | _CORRUPT | _CLOSED,
    }
    return _first(sentences, code)


def _first(sentences: dict[str, set[int]], code: int) -> DatabaseUnusable | None:
    found = (sentence for sentence, codes in sentences.items() if code in codes)
    return next((DatabaseUnusable(sentence) for sentence in found), None)


def refusal_of(finding: Finding, path: Path) -> DatabaseUnusable | None:
    """Why a file that was examined is not used; None for one that may be."""
    if finding is Finding.FOREIGN:
        return DatabaseUnusable(
            f"The file {path} is no quizdrop database, but another program's. "
            "Name another file with --database."
        )
    if finding is Finding.NEWER:
        return DatabaseUnusable(
            f"The database {path} was written by a newer version of quizdrop. "
            f"Please update quizdrop, {_ANOTHER_FILE}"
        )
    if finding is Finding.DAMAGED:
        return DatabaseUnusable(f"The database {path} is damaged. {_way_back(path)}")
    if finding is Finding.UNREADABLE:
        return DatabaseUnusable(
            f"The file {path} is no quizdrop database, or it is damaged. {_way_back(path)}"
        )
    return None


def _way_back(path: Path) -> str:
    backup = latest_backup(path)
    if backup is None:
        return (
            "There is no backup beside it; if you have one elsewhere, "
            f"“quizdrop restore --database {_quoted(path)} FILE” puts it in place."
        )
    return (
        f"The latest backup beside it is {backup.name}: “quizdrop restore --database "
        f"{_quoted(path)} {_quoted(backup)}” puts it in place and keeps the damaged file."
    )


def _quoted(path: Path) -> str:
    return f'"{path}"' if " " in str(path) else str(path)
