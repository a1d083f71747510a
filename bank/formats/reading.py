"""What every reader is given and what it gives: files in; drafts, problems and notes out.

A reader is a module of this folder with two functions of one shape:

    looks_like(source: Source) -> bool
        True when the content is this format's. It looks at the content, never at the file's name.
    read(sources: Sequence[Source], beside: Sequence[Source]) -> Reading
        All the files of this format that came together, in the order given, and what else came
        with them, such as pictures. It raises BadFile when a file as a whole cannot be read.

It reports and never repairs: what the file contradicts, the draft says under `missing`.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from bank.errors import BadFile, quoted
from bank.models import Deck

MOST_BYTES = 10 * 2**20  # of one file as it comes; safe_zip bounds what a packed one holds


class Kind(StrEnum):
    """The kinds of question that can be dropped, as counts and problems name them."""

    CHOICE = "multiple choice"
    MULTIPLE = "multiple answers"
    TRUE_FALSE = "true/false"


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it came: its name, with the path inside a packed file, and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a source, by line or by item, both counted from 1."""

    source: str
    line: int | None = None
    item: int | None = None

    def __str__(self) -> str:
        line = f":{self.line}" if self.line else ""
        item = f", item {self.item}" if self.item else ""
        return f"{self.source}{line}{item}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that a file holds and that cannot be taken as it is; or a note on what was."""

    where: Where
    text: str  # a clause in lower case without a full stop, such as “the key E is no option”
    kind: str | None = None  # of a question whose kind is not supported, such as “matching”

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A picture that came with a question, as its bytes; it is checked when it is taken in."""

    name: str
    data: bytes
    alt: str = ""


@dataclass(frozen=True, slots=True)
class DraftOption:
    """An option as far as the file gives it: `text` is "" where only its reason is known."""

    text: str = ""
    correct: bool = False
    rationale: str = ""
    misconception: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A question as far as a file gives it. All text is Markdown, and names options by {a}, {b} …

    It can be dropped when it has a stem, two to eight options that all have a text, a key, and
    nothing under `missing`.
    """

    where: Where
    kind: Kind
    stem: str
    options: tuple[DraftOption, ...] = ()
    short: str = ""
    full: str = ""
    slug: str | None = None  # a name of the file's own that can stay its name; made up otherwise
    category: str | None = None  # from the widest to the narrowest, such as “Networks/Fabric”
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # where its facts can be read
    expires: date | None = None
    lint: tuple[str, ...] = ()  # rules that it may break, each as “rule: reason”
    exhibit: Attachment | None = None  # stands with the stem and is seen before answering
    image: Attachment | None = None  # stands with the explanation
    missing: tuple[str, ...] = ()  # what else keeps it from being dropped, such as a contradiction


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found. A problem is an item that cannot be taken; a note says what became of one."""

    drafts: tuple[Draft, ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()
    about: Deck | None = None  # what a file says of the deck as a whole, without its questions


def by_base_name(beside: Iterable[Source]) -> dict[str, bytes]:
    """The content of what came beside the sources, by name without its path."""
    return {each.name.rpartition("/")[2]: each.data for each in beside}


def joined(readings: Iterable[Reading]) -> Reading:
    """What several files hold, as one."""
    found = list(readings)
    abouts = [reading.about for reading in found if reading.about]
    return Reading(
        drafts=tuple(draft for reading in found for draft in reading.drafts),
        problems=tuple(each for reading in found for each in reading.problems),
        notes=tuple(each for reading in found for each in reading.notes),
        about=abouts[0] if len(abouts) == 1 else None,
    )


Reader = Callable[[Sequence[Source], Sequence[Source]], Reading]


def text_of(source: Source) -> str:
    """The text of a file, its lines ended by “\\n”, without a byte order mark.

    UTF-8, or UTF-16 where a mark says so, otherwise Windows-1252, the encoding that old exports
    have. Raises BadFile for bytes that are no text.
    """
    data = source.data
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text.replace("\r\n", "\n").replace("\r", "\n")
    raise BadFile(f"{quoted(source.name)} is no text that I can read. Save it as UTF-8.")
