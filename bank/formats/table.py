"""CSV -> drafts: a text file whose rows are questions, parted by comma, semicolon or tab.

The columns are told by their names in the header row, see `columns`; a file without one is none.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from bank.errors import BadFile, quoted
from bank.formats.columns import Columns, find_header
from bank.formats.reading import Problem, Reading, Source, Where, text_of
from bank.formats.table_rows import Row, read_rows

_SEPARATORS = ",;\t"
_HEAD = 2**16  # characters in which the header is looked for
_NO_TEXT = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"{", b"<", b"%PDF")


def looks_like(source: Source) -> bool:
    """True when one of the first rows names the columns of a table of questions."""
    start = source.data[: 2 * _HEAD]
    if source.data.startswith(_NO_TEXT):
        return False
    try:
        return _separator(text_of(Source(source.name, _whole_signs(start)))) is not None
    except BadFile:
        return False


def read(sources: Sequence[Source], beside: Sequence[Source]) -> Reading:
    """Every row of the tables. Raises BadFile for a file that is no table of questions."""
    readings = [_read_one(source, beside) for source in sources]
    return Reading(
        tuple(draft for reading in readings for draft in reading.drafts),
        tuple(problem for reading in readings for problem in reading.problems),
        tuple(note for reading in readings for note in reading.notes),
    )


def _read_one(source: Source, beside: Sequence[Source]) -> Reading:
    text = text_of(source)
    separator = _separator(text)
    reading = None
    if separator is not None:
        rows = _rows(text, separator)
        reading = read_rows(source.name, rows, beside, shifts=True)
    if reading is None:
        raise BadFile(
            f"{quoted(source.name)} has no row that names its columns. Give the first row names "
            "such as “question”, “option a”, “option b” and “key”."
        )
    if not (reading.drafts or reading.problems):
        nothing = Problem(Where(source.name), "the table has no rows under its header")
        return Reading(problems=(nothing,), notes=reading.notes)
    return reading


def _separator(text: str) -> str | None:
    """The sign that parts the cells: the one that shows most columns; None when there is none."""
    head = text[:_HEAD]
    if head.startswith("sep=") and head[4:5] in _SEPARATORS:
        return head[4]
    found: list[tuple[int, str]] = []
    for separator in _SEPARATORS:
        columns = _header(head, separator)
        if columns is not None:
            found.append((len(columns.read()), separator))
    return max(found, key=lambda each: each[0])[1] if found else None


def _header(head: str, separator: str) -> Columns | None:
    return find_header(row.cells for row in _rows(head, separator))


def _rows(text: str, separator: str) -> Iterator[Row]:
    """The rows with the line that each begins on. One that cannot be read is a row with a fault."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    stands_alone = text.startswith(f"sep={separator}\n")
    line = 1
    while True:
        try:
            for cells in reader:
                # Most of a file may be empty lines, and a row with cells is never ().
                if cells and not (line == 1 and stands_alone):
                    yield Row(line, cells)
                line = reader.line_num + 1
            return
        except csv.Error as error:
            yield Row(line, (), (_fault(str(error)),))
            if "limit" in str(error):
                # The next line may lie inside the text that was too long.
                return
            line = reader.line_num + 1


def _fault(said: str) -> str:
    """What the csv module says, in words that help."""
    if "limit" in said:
        return (
            f"a cell has more than {csv.field_size_limit():,} characters, so nothing after this "
            "line is read: a quotation mark may be missing"
        )
    if "unexpected end" in said:
        return "a quotation mark opens in this row and is never closed, so all after it is lost"
    return 'after a closing quotation mark a separator must follow; write “""” for a mark in a text'


def _whole_signs(start: bytes) -> bytes:
    """The start of a file without half a character at its end."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return start[: len(start) // 2 * 2]
    line_end = start.rfind(b"\n")
    return start[: line_end + 1] if line_end > 0 and len(start) >= 2 * _HEAD else start
