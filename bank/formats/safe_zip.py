"""What a zip holds, unpacked in memory and within bounds; nothing is ever written to disk.

Nothing that a zip says about itself is believed: sizes are those of the bytes that come out. A zip
inside is a file like any other and stays packed.
"""

from __future__ import annotations

import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO

from bank.errors import BadFile, quoted
from bank.formats.reading import Source

# A file of 10 MB may come in. Its pictures are as large unpacked; its text and its databases grow
# tenfold at most, and are the smaller part. What is beyond is made to be large.
MOST_UNPACKED = 50 * 2**20
MOST_MEMBERS = 5_000

_BEGINS = (b"PK\x03\x04", b"PK\x05\x06")  # a member, or the end of a zip without one
_DIRECTORY_ENTRY = b"PK\x01\x02"
_LOCAL_HEADER = 30  # bytes before a member's name
_CHUNK = 2**16
_ENCRYPTED = 0x1 | 0x40
# Others, such as LZMA, take as much memory as the zip asks for.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DRIVE = re.compile(r"[A-Za-z]:")
_LEFT_BY_SYSTEMS = {".DS_Store", "Thumbs.db", "desktop.ini"}


def is_zip(source: Source) -> bool:
    """True when the content begins as a zip does; whether it can be read, `files_of` tells."""
    return source.data.startswith(_BEGINS)


def files_of(source: Source, most_bytes: int = MOST_UNPACKED) -> list[Source]:
    """Every file in a zip, in its order, with a relative name whose parts “/” separates.

    What systems leave behind is left out: __MACOSX, .DS_Store, Thumbs.db. Raises BadFile when the
    zip cannot be read, has a password, a link, a name that leads outside or stands twice, more
    than MOST_MEMBERS files, or holds more than `most_bytes`.
    """
    with _opened(source) as (packed, members):
        files: list[Source] = []
        left = most_bytes
        for name, member in members.items():
            data = _unpacked(source, packed, member, left)
            left -= len(data)
            files.append(Source(name, data))
        return files


def names_in(source: Source) -> list[str]:
    """The names that `files_of` would give, with nothing unpacked. Raises BadFile as it does."""
    with _opened(source) as (_, members):
        return list(members)


def some_of(
    source: Source, wanted: Collection[str], most_bytes: int = MOST_UNPACKED
) -> list[Source]:
    """As `files_of`, but only the files whose names are `wanted`: a look before all is unpacked."""
    with _opened(source) as (packed, members):
        files: list[Source] = []
        for name in (name for name in members if name in wanted):
            left = most_bytes - sum(len(file.data) for file in files)
            files.append(Source(name, _unpacked(source, packed, members[name], left)))
        return files


@contextmanager
def _opened(source: Source) -> Iterator[tuple[zipfile.ZipFile, dict[str, zipfile.ZipInfo]]]:
    """The zip and its files by name, checked; whatever its reader raises becomes a sentence."""
    # Counted first, since the reader of the directory builds an object for each entry.
    if source.data.count(_DIRECTORY_ENTRY) > MOST_MEMBERS:
        raise _too_many(source)
    try:
        with zipfile.ZipFile(BytesIO(source.data)) as packed:
            yield packed, _checked(source, packed.infolist())
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        zlib.error,
        struct.error,
        EOFError,
        NotImplementedError,
        OSError,
        OverflowError,
        RuntimeError,
        ValueError,
    ) as error:
        raise BadFile(
            f"{quoted(source.name)} is a damaged zip, so I cannot unpack it. Please pack it anew."
        ) from error


def _checked(source: Source, infos: Sequence[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """The files by their names, each of which is safe to unpack."""
    if len(infos) > MOST_MEMBERS:
        raise _too_many(source)
    _refuse_overlaps(source, infos)
    members: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        name = _name_of(source, info)
        if info.is_dir() or not name or _is_left_by_systems(name):
            continue
        _refuse_odd(source, name, info)
        if name in members:
            raise BadFile(
                f"{quoted(source.name)} holds {quoted(name)} twice, and I cannot tell which one is "
                "meant. Please pack it anew."
            )
        members[name] = info
    return members


def _name_of(source: Source, info: zipfile.ZipInfo) -> str:
    """The name, relative and in one spelling; "" for the zip's own root."""
    # The original one: what is usual in a name is turned into “/” on some systems, or cut off.
    name = unicodedata.normalize("NFC", info.orig_filename)
    parts = name.split("/")
    outside = name.startswith("/") or ".." in parts or _DRIVE.match(name)
    if outside or "\\" in name or any(ord(sign) < 32 for sign in name):
        raise BadFile(
            f"{quoted(source.name)} holds a file whose name {quoted(printable(name))} is not a "
            "plain path inside the zip. Please pack it anew."
        )
    return "/".join(part for part in parts if part not in ("", "."))


def printable(name: str) -> str:
    """A name in which every sign that cannot be shown is a “?”."""
    return "".join(sign if sign.isprintable() else "?" for sign in name)


def _is_left_by_systems(name: str) -> bool:
    *folders, last = name.split("/")
    return "__MACOSX" in folders or last in _LEFT_BY_SYSTEMS or last.startswith("._")


def _refuse_odd(source: Source, name: str, info: zipfile.ZipInfo) -> None:
    """Refuse what is no plain file, or is packed in a way that is not unpacked here."""
    if info.flag_bits & _ENCRYPTED:
        raise BadFile(
            f"{quoted(source.name)} is locked with a password. Please pack it without one."
        )
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        raise BadFile(
            f"{quoted(name)} in {quoted(source.name)} is a link or a device and no file. "
            "Please pack the file itself."
        )
    if info.compress_type not in _METHODS:
        raise BadFile(
            f"{quoted(name)} in {quoted(source.name)} is packed in a way that I cannot unpack. "
            "Please make it a plain zip."
        )


def _refuse_overlaps(source: Source, infos: Sequence[zipfile.ZipInfo]) -> None:
    """Refuse a zip in which two members share bytes: the trick of bombs that need no nesting."""
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise BadFile(
                f"{quoted(source.name)} holds files that overlap, which no usual zip does. "
                "Please pack it anew."
            )
        end = info.header_offset + _LOCAL_HEADER + info.compress_size


def _unpacked(
    source: Source, packed: zipfile.ZipFile, member: zipfile.ZipInfo, most_bytes: int
) -> bytes:
    """The bytes of a member, read up to one beyond `most_bytes`."""
    chunks: list[bytes] = []
    size = 0
    with packed.open(member) as file:
        while chunk := file.read(_CHUNK):
            size += len(chunk)
            if size > most_bytes:
                raise BadFile(
                    f"{quoted(source.name)} holds more than {MOST_UNPACKED // 2**20} MB unpacked, "
                    "which is too much for me. Please split it."
                )
            chunks.append(chunk)
    return b"".join(chunks)


def _too_many(source: Source) -> BadFile:
    return BadFile(
        f"{quoted(source.name)} holds more than {MOST_MEMBERS:,} files, which is too many for me. "
        "Please split it."
    )
