"""Which format a file is in, by its content: each reader is asked, the strictest one first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bank.formats import (
    aiken,
    anki,
    deck_folder,
    gift,
    markdown_exam,
    moodle_xml,
    opentdb,
    page_text,
    qti12,
    spreadsheet,
    table,
)
from bank.formats.reading import Reader, Source
from bank.formats.titles import READ


@dataclass(frozen=True, slots=True)
class Format:
    """A format with its reader; a `packed` one is a zip of a kind of its own."""

    name: str
    looks_like: Callable[[Source], bool]
    read: Reader
    packed: bool = False

    @property
    def title(self) -> str:
        return READ[self.name]


# The order is of what is beyond doubt to what is a guess: Aiken before any text with letters,
# and text that was copied from a page last, since anything may stand on a page.
FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        Format("anki", anki.looks_like, anki.read, packed=True),
        Format("spreadsheet", spreadsheet.looks_like, spreadsheet.read, packed=True),
        Format("qti", qti12.looks_like, qti12.read, packed=True),
        Format("deck", deck_folder.looks_like, deck_folder.read, packed=True),
        Format("moodle-xml", moodle_xml.looks_like, moodle_xml.read),
        Format("opentdb", opentdb.looks_like, opentdb.read),
        Format("aiken", aiken.looks_like, aiken.read),
        Format("gift", gift.looks_like, gift.read),
        Format("csv", table.looks_like, table.read),
        Format("markdown", markdown_exam.looks_like, markdown_exam.read),
        Format("text", page_text.looks_like, page_text.read),
    )
}


def recognised(source: Source) -> Format | None:
    """The format of a file, or None when no reader knows it."""
    return next((each for each in FORMATS.values() if each.looks_like(source)), None)
