"""A deck -> a file to take elsewhere, without the questions that are open right now."""

from __future__ import annotations

from collections.abc import Collection
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from bank.errors import QuizError
from bank.formats import anki_writer, csv_writer, deck_writer, gift_writer, moodle_xml_writer
from bank.formats.writing import Export, Writer
from bank.models import Deck

_WRITERS: dict[str, Writer] = {
    "deck": deck_writer.write,
    "gift": gift_writer.write,
    "moodle-xml": moodle_xml_writer.write,
    "csv": csv_writer.write,
    "anki": anki_writer.write,
}


class NothingToExport(QuizError):
    """Every question of the deck is withheld, or it has none."""

    def __init__(self, deck: Deck) -> None:
        super().__init__(
            f"The deck “{deck.name}” has no question that I may hand out right now. "
            "Questions that are open stay shut until they close."
        )


def export(deck: Deck, folder: Path, as_format: str, withheld: Collection[str] = ()) -> Export:
    """The deck as a file; several files are packed as a zip.

    `folder` is the deck's, for its pictures; `withheld` are ids of questions to leave out. Raises
    NothingToExport.
    """
    questions = tuple(each for each in deck.questions if each.id not in withheld)
    if not questions:
        raise NothingToExport(deck)
    written = _WRITERS[as_format](
        deck.model_copy(update={"questions": questions}),
        lambda path: (folder / path).read_bytes(),
    )
    notes = list(written.notes)
    if left := len(deck.questions) - len(questions):
        many = "question is" if left == 1 else "questions are"
        notes.insert(0, f"{left} {many} open right now and left out.")
    if len(written.files) == 1 and as_format != "deck":
        (name, data), *_ = written.files.items()
    else:
        name, data = f"{deck.name}.zip", zipped(written.files)
    return Export(name, data, len(questions), tuple(notes))


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip of files by name; the same files make the same bytes."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name in sorted(files):
            about = ZipInfo(name)  # with no time of its own, so that no clock is asked
            about.compress_type = ZIP_DEFLATED
            archive.writestr(about, files[name])
    return buffer.getvalue()
