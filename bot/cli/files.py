"""The files that an import means: those named, what stands in folders, pictures beside texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from bank.errors import BadFile
from bank.formats.reading import MOST_BYTES, Source

MOST_FILES = 5000

_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|webp)\b", re.IGNORECASE)
_NAME = re.compile(r"[^\s\"'()<>|\[\]]+$")
_LONGEST_NAME = 300


def sources_of(paths: Sequence[Path]) -> list[Source]:
    """Each file once, under the name that the others know it by. Raises BadFile."""
    found: dict[Path, Source] = {}
    for path, name in _named(paths):
        if path.resolve() not in found:
            source = _read(path, name)
            found[path.resolve()] = source
            for picture, known_as in _pictures_beside(path, source):
                if picture not in found:
                    found[picture] = _read(picture, known_as)
        if len(found) > MOST_FILES:
            raise BadFile(f"There are more than {MOST_FILES:,} files. Bring them in parts.")
    return list(found.values())


def _named(paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """The files with their names; those of a folder have their path in it, hidden ones none."""
    for path in paths:
        if not path.is_dir():
            yield path, path.name
            continue
        for inside in sorted(path.rglob("*")):
            name = inside.relative_to(path)
            if inside.is_file() and not any(part.startswith(".") for part in name.parts):
                yield inside, name.as_posix()


def _read(path: Path, name: str) -> Source:
    try:
        if path.stat().st_size > MOST_BYTES:
            most = MOST_BYTES // 2**20
            raise BadFile(f"{path} is larger than {most} MB. Bring it in parts.")
        return Source(name, path.read_bytes())
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}.") from error


def _pictures_beside(path: Path, source: Source) -> Iterator[tuple[Path, str]]:
    """The pictures that a text names, where they stand in its folder or below."""
    if b"\0" in source.data:
        return
    folder = path.parent.resolve()
    text = source.data.decode("utf-8", "ignore")
    for name in dict.fromkeys(_names_in(text)):
        try:
            picture = (folder / name).resolve()
            stands = picture.is_relative_to(folder) and picture.is_file()
        except (OSError, ValueError):  # what only looks like a name
            continue
        if stands:
            yield picture, name


def _names_in(text: str) -> Iterator[str]:
    # From the ending backwards: forwards, each character of a long word would begin a name.
    for found in _PICTURE.finditer(text):
        start = text[max(0, found.start() - _LONGEST_NAME) : found.end()]
        if name := _NAME.search(start):
            yield name[0]
