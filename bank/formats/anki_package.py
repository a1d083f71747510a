"""An Anki package (.apkg): a zip with a database of notes and the media that they show.

The database comes from strangers. It stays in memory, is only read, and of its SQL nothing runs:
no view, no trigger, no function. Every text that is taken out of it counts against one bound.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import zstandard

from bank.errors import BadFile, quoted
from bank.formats.reading import MOST_BYTES, Source
from bank.formats.safe_zip import MOST_UNPACKED, is_zip, names_in, some_of

# The newest first: beside it stands an older one that only says that Anki is to be updated.
COLLECTIONS = ("collection.anki21b", "collection.anki21", "collection.anki2")
PACKED_COLLECTION = COLLECTIONS[0]  # it and all media beside it are packed by zstd once more

MOST_NOTES = 10_000
_MOST_WINDOW = 2**24  # of zstd's memory; Anki's level asks for an eighth of it
_MOST_STEPS = 20_000  # of a thousand instructions each, for one query
_CHUNK = 2**16
_JOURNAL_MODE = slice(18, 20)  # of a database's head; a log beside it can't be had in memory
_ROLLBACK = b"\x01\x01"
_TABLES = ("notes", "cards", "col", "notetypes", "fields", "decks")
_READ_ONLY = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)


@dataclass(frozen=True, slots=True)
class Note:
    """A note: its place in the package, from 1, its type, its fields by name, as HTML."""

    number: int
    type: str
    fields: dict[str, str]
    tags: tuple[str, ...]
    deck: str  # its parts separated by “::”, as Anki writes them


@dataclass(slots=True)
class Package:
    """What a package holds. Its media stay packed until they are asked for."""

    source: Source
    notes: list[Note]
    is_new: bool
    members: dict[str, str]  # a medium's name -> its name in the zip
    left: int  # bytes that may still be unpacked
    _taken: dict[str, bytes] = field(default_factory=dict)

    def media(self, name: str) -> bytes | None:
        """The bytes of a picture or sound by its name; None when the package has none such."""
        member = self.members.get(name)
        if member is None:
            return None
        if name not in self._taken:
            data = next((file.data for file in some_of(self.source, {member}, self.left)), None)
            if data is None:
                return None
            if self.is_new:
                data = _expanded(self.source, data, self.left)
            self.left -= len(data)
            self._taken[name] = data
        return self._taken[name]


def is_package(source: Source) -> bool:
    """True when the content is a zip with a collection of Anki's."""
    if not is_zip(source):
        return False
    try:
        return not set(COLLECTIONS).isdisjoint(names_in(source))
    except BadFile:
        return False


def opened(source: Source, most_bytes: int = MOST_UNPACKED) -> Package:
    """The notes of a package in their order, and its media.

    Raises BadFile when it has no collection, cannot be read, or holds more than `most_bytes`
    unpacked or MOST_NOTES notes.
    """
    names = names_in(source)
    collection = next((name for name in COLLECTIONS if name in names), None)
    if collection is None:
        raise BadFile(f"{quoted(source.name)} is a zip without a collection of Anki's notes.")
    files = {file.name: file.data for file in some_of(source, {collection, "media"}, most_bytes)}
    is_new = collection == PACKED_COLLECTION
    left = most_bytes - sum(len(data) for data in files.values())
    if is_new:
        for name, data in files.items():
            files[name] = _expanded(source, data, left)
            left -= len(files[name])
    database = _Database(source, files[collection], left)
    media = files.get("media", b"")
    members = _media_of_new(media) if is_new else _media_of_old(media)
    return Package(source, database.notes(), is_new, members, database.left)


def _expanded(source: Source, data: bytes, most_bytes: int) -> bytes:
    """What zstd has packed; whatever sizes its head claims."""
    chunks: list[bytes] = []
    size = 0
    try:
        unpacking = zstandard.ZstdDecompressor(max_window_size=_MOST_WINDOW)
        with unpacking.stream_reader(BytesIO(data), read_across_frames=True) as reader:
            while chunk := reader.read(_CHUNK):
                size += len(chunk)
                if size > most_bytes:
                    raise _too_large(source)
                chunks.append(chunk)
    except zstandard.ZstdError as error:
        raise _damaged(source) from error
    return b"".join(chunks)


def _media_of_old(data: bytes) -> dict[str, str]:
    """JSON: {"0": "picture.png"}. A list that cannot be read leaves the notes what they are."""
    try:
        listed = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(listed, dict):
        return {}
    return {name: member for member, name in listed.items() if isinstance(name, str)}


def _media_of_new(data: bytes) -> dict[str, str]:
    """Protobuf: a list of entries whose first field is the name; each lies under its number."""
    names = (
        next((name for number, name in _fields_of(entry) if number == 1), b"")
        for number, entry in _fields_of(data)
        if number == 1
    )
    return {name.decode("utf-8", "replace"): str(place) for place, name in enumerate(names)}


def _fields_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The fields of a protobuf message that hold bytes, by number; it ends at what is amiss."""
    at = 0
    while at < len(data):
        tag, at = _number_at(data, at)
        size, after = _number_at(data, at)
        kind = tag & 7
        if kind == 2:
            if after + size > len(data):
                return
            yield tag >> 3, data[after : after + size]
            at = after + size
        elif kind in (0, 1, 5):
            at = {0: after, 1: at + 8, 5: at + 4}[kind]
        else:
            return


def _number_at(data: bytes, at: int) -> tuple[int, int]:
    """A protobuf number, of ten bytes at most, and where it ends."""
    number = 0
    for shift, byte in enumerate(data[at : at + 10]):
        number |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:
            return number, at + shift + 1
    return number, len(data)


class _Database:
    """Reads a collection in either of its two schemas; each text counts against the bound."""

    def __init__(self, source: Source, data: bytes, left: int) -> None:
        self.source = source
        self.data = data[:18] + _ROLLBACK + data[20:]
        self.left = left

    def notes(self) -> list[Note]:
        connection = sqlite3.connect(":memory:")
        try:
            return self._notes(connection)
        except (sqlite3.Error, OverflowError, MemoryError, ValueError, RecursionError) as error:
            raise _damaged(self.source) from error
        finally:
            connection.close()

    def _notes(self, connection: sqlite3.Connection) -> list[Note]:
        _locked_down(connection, self.data)
        tables = self._tables(connection)
        if not {"notes", "cards"} <= tables:
            raise _damaged(self.source)
        new = {"notetypes", "fields", "decks"} <= tables
        types, decks = self._new_names(connection) if new else self._old_names(connection)
        deck_of: dict[int, int] = {}
        for note, deck, home in self._rows(connection, "SELECT nid, did, odid FROM cards"):
            deck_of.setdefault(note, home or deck)
        notes: list[Note] = []
        size = 0
        query = "SELECT id, mid, tags, flds FROM notes ORDER BY id"
        for number, (note, kind, tags, texts) in enumerate(self._rows(connection, query), 1):
            if number > MOST_NOTES:
                raise BadFile(
                    f"{quoted(self.source.name)} holds more than {MOST_NOTES:,} notes, "
                    "which is too many for me. Please split it."
                )
            size += len(str(texts))
            if size > MOST_BYTES:
                raise BadFile(
                    f"{quoted(self.source.name)} holds more than {MOST_BYTES // 2**20} MB of "
                    "notes. Please split it."
                )
            name, fields = types.get(kind, ("", []))
            values = str(texts).split("\x1f")
            named = [*fields[: len(values)], *map(str, range(len(fields) + 1, len(values) + 1))]
            by_name = dict(zip(named, values, strict=True))
            deck = decks.get(deck_of.get(note, 0), "")
            notes.append(Note(number, name, by_name, tuple(str(tags).split()), deck))
        return notes

    def _tables(self, connection: sqlite3.Connection) -> set[str]:
        """The plain tables; one of the names that we read and that is a view, say, is refused."""
        found: set[str] = set()
        query = "SELECT type, name, sql, rootpage FROM sqlite_master"
        for kind, name, sql, page in list(self._rows(connection, query)):
            if str(name).lower() not in _TABLES:
                continue
            if kind != "table" or not page or not str(sql).upper().startswith("CREATE TABLE"):
                raise _damaged(self.source)
            found.add(str(name).lower())
        for table in found:
            columns = self._rows(connection, f"PRAGMA table_xinfo({table})")
            # A column that is computed would run what the file says.
            if any(hidden for *_, hidden in columns):
                raise _damaged(self.source)
        return found

    def _new_names(
        self, connection: sqlite3.Connection
    ) -> tuple[dict[int, tuple[str, list[str]]], dict[int, str]]:
        types: dict[int, tuple[str, list[str]]] = {
            number: (str(name), [])
            for number, name in self._rows(connection, "SELECT id, name FROM notetypes")
        }
        for number, name in self._rows(connection, "SELECT ntid, name FROM fields ORDER BY 1, ord"):
            if number in types:
                types[number][1].append(str(name))
        rows = self._rows(connection, "SELECT id, name FROM decks")
        return types, {number: str(name).replace("\x1f", "::") for number, name in rows}

    def _old_names(
        self, connection: sqlite3.Connection
    ) -> tuple[dict[int, tuple[str, list[str]]], dict[int, str]]:
        models, decks = next(self._rows(connection, "SELECT models, decks FROM col"), ("{}", "{}"))
        types: dict[int, tuple[str, list[str]]] = {}
        for number, model in _entries(models):
            fields = model.get("flds")
            if isinstance(fields, list):
                named = [str(each.get("name")) for each in fields if isinstance(each, dict)]
                types[number] = (str(model.get("name")), named)
        return types, {number: str(deck.get("name")) for number, deck in _entries(decks)}

    def _rows(self, connection: sqlite3.Connection, query: str) -> Iterator[tuple[Any, ...]]:
        for row in connection.execute(query):
            # A number takes memory too, and a damaged tree can hold rows without end.
            self.left -= sum(len(cell) if isinstance(cell, str | bytes) else 8 for cell in row)
            if self.left < 0:
                raise _too_large(self.source)
            yield row


def _locked_down(connection: sqlite3.Connection, data: bytes) -> None:
    """Load the database so that a query can read tables and nothing else, and ends."""
    connection.deserialize(data)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    # Anki's own order of names; its name must be known, and no query here asks for it.
    connection.create_collation("unicase", lambda one, other: (one > other) - (one < other))
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    steps = iter(range(_MOST_STEPS))
    connection.set_progress_handler(lambda: int(next(steps, None) is None), 1000)

    def allow(action: int, name: str | None, *_: object) -> int:
        is_look = action == sqlite3.SQLITE_PRAGMA and name == "table_xinfo"
        return sqlite3.SQLITE_OK if is_look or action in _READ_ONLY else sqlite3.SQLITE_DENY

    connection.set_authorizer(allow)


def _entries(text: object) -> Iterator[tuple[int, dict[str, Any]]]:
    """The entries of a JSON object whose keys are numbers."""
    listed = json.loads(str(text))
    if isinstance(listed, dict):
        for number, entry in listed.items():
            if number.lstrip("-").isdecimal() and len(number) < 20 and isinstance(entry, dict):
                yield int(number), entry


def _damaged(source: Source) -> BadFile:
    return BadFile(
        f"{quoted(source.name)} is an Anki package whose notes cannot be read. "
        "Please export it from Anki anew."
    )


def _too_large(source: Source) -> BadFile:
    return BadFile(
        f"{quoted(source.name)} holds more than {MOST_UNPACKED // 2**20} MB unpacked, "
        "which is too much for me. Please split it."
    )


def packed(fill: Callable[[sqlite3.Cursor], None], media: dict[str, bytes]) -> bytes:
    """A package, in the schema that every Anki reads, around the database that `fill` writes.

    The same database and media always give the same bytes.
    """
    connection = sqlite3.connect(":memory:")
    try:
        fill(connection.cursor())
        connection.commit()
        database = connection.serialize()
    finally:
        connection.close()
    listed = json.dumps({str(number): name for number, name in enumerate(media)})
    members = {COLLECTIONS[-1]: database, "media": listed.encode()}
    members |= {str(number): data for number, data in enumerate(media.values())}
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for name, data in members.items():
            # ZipInfo's own date is fixed: the first that a zip can hold.
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
    return out.getvalue()
