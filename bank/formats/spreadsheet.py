"""Spreadsheets (.xlsx) -> drafts: every visible sheet whose rows are questions, by openpyxl.

Values are taken as the cells show them. No formula is ever computed and no link is followed.
"""

from __future__ import annotations

import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import repeat
from operator import is_not
from typing import Any

from openpyxl import load_workbook
from openpyxl.cell.read_only import EMPTY_CELL
from openpyxl.utils.exceptions import InvalidFileException

from bank.errors import BadFile, quoted
from bank.formats.cell_looks import shown
from bank.formats.reading import Problem, Reading, Source, Where
from bank.formats.safe_zip import files_of, is_zip, names_in
from bank.formats.table_rows import Row, read_rows

MOST_XML = 20 * 2**20  # bytes of a workbook's own files; pictures do not count
MOST_ELEMENTS = 1_200_000  # of XML: a cell with a value is two
MOST_ROWS_SEEN = 1_048_576  # as many as a sheet can have
_MOST_COLUMNS = 64

_WORKBOOK = "xl/workbook.xml"
_OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # .xls, and any Office file under a password
# A sheet's error values; openpyxl gives them as text of a type of their own.
_ERROR = "e"
_UNCOMPUTED = re.compile(rb"</f>(?:<v\s*/>|<v></v>|</c>)|<f\s*/></c>")

# What openpyxl and the XML reader under it raise on a damaged workbook, found by a fuzz test.
_DAMAGED = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    InvalidFileException,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    SyntaxError,  # xml.etree's ParseError is one
    TypeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
)


def looks_like(source: Source) -> bool:
    """True for a workbook, and for its old format, of which `read` says what to do."""
    if source.data.startswith(_OLD):
        return True
    try:
        return is_zip(source) and _WORKBOOK in names_in(source)
    except BadFile:
        return False


def read(sources: Sequence[Source], beside: Sequence[Source]) -> Reading:
    """The questions of every visible sheet. Raises BadFile when a workbook has none."""
    readings = [_Workbook(source, beside).read() for source in sources]
    return _together(readings)


class _Workbook:
    """One file, checked for its size before openpyxl sees it."""

    def __init__(self, source: Source, beside: Sequence[Source]) -> None:
        self.source = source
        self.beside = beside
        self.notes: list[Problem] = []

    def read(self) -> Reading:
        if self.source.data.startswith(_OLD):
            raise BadFile(
                f"{quoted(self.source.name)} is an old Excel file or has a password. Save it as "
                ".xlsx without a password."
            )
        self._look_inside()
        try:
            with warnings.catch_warnings():
                # openpyxl warns of what it leaves aside, such as rules for input.
                warnings.simplefilter("ignore")
                readings = self._sheets()
        except _DAMAGED as error:
            raise BadFile(
                f"{quoted(self.source.name)} is damaged: I cannot read it as a spreadsheet. Open "
                "it in a spreadsheet program and save it again as .xlsx."
            ) from error
        if not readings:
            raise BadFile(
                f"{quoted(self.source.name)} has no sheet with a row that names its columns. Give "
                "one row names such as “question”, “option a”, “option b” and “key”."
            )
        return _together([*readings, Reading(notes=tuple(self.notes))])

    def _look_inside(self) -> None:
        """Refuse a workbook that is too large; note what is in it and cannot be read."""
        files = files_of(self.source)
        own = [file for file in files if not file.name.startswith("xl/media/")]
        # Openpyxl takes its time for each element; a table of 20,000 questions has half as many.
        size = sum(len(file.data) for file in own)
        if size > MOST_XML or sum(file.data.count(b"<") for file in own) > 2 * MOST_ELEMENTS:
            raise BadFile(
                f"{quoted(self.source.name)} holds more cells than I can read. Please split it, or "
                "save the sheet as CSV."
            )
        if pictures := len(files) - len(own):
            what = "picture is" if pictures == 1 else "pictures are"
            self._note(f"{pictures} {what} not read: in a workbook they belong to no question")
        sheets = [file.data for file in own if file.name.startswith("xl/worksheets/")]
        if empty := sum(len(_UNCOMPUTED.findall(sheet)) for sheet in sheets):
            what = "formula has" if empty == 1 else "formulas have"
            self._note(f"{empty} {what} no saved value: open the file and save it again")

    def _sheets(self) -> list[Reading]:
        book = load_workbook(
            BytesIO(self.source.data), read_only=True, data_only=True, keep_links=False
        )
        readings: list[Reading] = []
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        for sheet in book.worksheets:
            name = self.source.name
            if sheet not in visible:
                self._note(f"the hidden sheet {quoted(sheet.title)} is not read")
                continue
            if len(visible) > 1:
                name = f"{name}, sheet {quoted(sheet.title)}"
            found = read_rows(name, _rows(sheet), self.beside, shifts=False)
            if found is None:
                self._note(f"the sheet {quoted(sheet.title)} names no columns of questions")
            elif not (found.drafts or found.problems):
                nothing = Problem(Where(name), "the table has no rows under its header")
                readings.append(Reading(problems=(nothing,), notes=found.notes))
            else:
                readings.append(found)
        return readings

    def _note(self, text: str) -> None:
        self.notes.append(Problem(Where(self.source.name), text))


def _rows(sheet: Any) -> Iterator[Row]:
    """The rows of a sheet; empty ones too, so that their numbers hold."""
    # Given outright, since a sheet may claim a size of a million rows by sixteen thousand columns.
    cells_of = sheet.iter_rows(1, MOST_ROWS_SEEN, 1, _MOST_COLUMNS)
    for number, cells in enumerate(cells_of, start=1):
        # Told apart without a loop of our own, since there may be a million empty rows.
        if any(map(is_not, cells, repeat(EMPTY_CELL))):
            yield _row(number, cells)


def _row(number: int, cells: Sequence[Any]) -> Row:
    faults = [
        f"the cell {cell.coordinate} shows the error {cell.value}"
        for cell in cells
        if cell.value is not None and cell.data_type == _ERROR
    ]
    texts = [_text(cell) for cell in cells]
    while texts and not texts[-1]:
        texts.pop()
    return Row(number, texts, tuple(faults))


def _text(cell: Any) -> str:
    """What a cell shows, its lines ended by “\n”; "" for an empty one."""
    value = cell.value
    if value is None:
        return ""
    if not isinstance(value, str):
        return shown(value, cell.number_format)
    return value.replace("_x000D_", "").replace("\r\n", "\n").replace("\r", "\n")


def _together(readings: Sequence[Reading]) -> Reading:
    return Reading(
        tuple(draft for reading in readings for draft in reading.drafts),
        tuple(problem for reading in readings for problem in reading.problems),
        tuple(note for reading in readings for note in reading.notes),
    )
