"""Spreadsheets: what the cells show is read, each mistake is told by its row, no bomb goes off."""

from __future__ import annotations

import time
import zipfile
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from bank.errors import BadFile
from bank.formats import spreadsheet
from bank.formats.cell_looks import shown
from bank.formats.reading import MOST_BYTES, Draft, Kind, Reading, Source
from tests.shared import FIXTURES, needs_fixtures

HEADER = ["Question", "A", "B", "C", "Key"]
ROW = ["What whistles?", "kettle", "spoon", "plate", "A"]
# Without a zone, as a spreadsheet has them.
MIDNIGHT = datetime(2026, 3, 1)  # noqa: DTZ001
AFTERNOON = datetime(2026, 3, 1, 14, 5)  # noqa: DTZ001
SHEET = "xl/worksheets/sheet1.xml"
OPEN = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
)  # fmt: skip
CLOSE = "</sheetData></worksheet>"


def saved(book: Workbook) -> bytes:
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def book_of(*rows: Sequence[Any]) -> Workbook:
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(list(row))
    return book


def read(book: Workbook | bytes) -> Reading:
    source = Source("t.xlsx", book if isinstance(book, bytes) else saved(book))
    assert spreadsheet.looks_like(source)
    return spreadsheet.read([source], [])


def only(book: Workbook | bytes) -> Draft:
    found = read(book)
    assert [str(problem) for problem in found.problems] == []
    (draft,) = found.drafts
    return draft


@cache
def plain() -> bytes:
    return saved(book_of(HEADER, ROW))


def with_part(name: str, content: bytes, whole: bytes | None = None) -> bytes:
    """A workbook with one of its parts replaced or added."""
    out = BytesIO()
    packed = zipfile.ZipFile(BytesIO(whole or plain()))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for each in packed.namelist():
            if each != name:
                new.writestr(each, packed.read(each))
        new.writestr(name, content)
    return out.getvalue()


def cells(*texts: str) -> str:
    """The cells of a row, as text in place."""
    return "".join(f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in texts)


def sheet(rows: str) -> bytes:
    return with_part(SHEET, f"{OPEN}<row>{cells(*HEADER)}</row>{rows}{CLOSE}".encode())


def test_rows_of_a_sheet_are_questions_with_their_numbers() -> None:
    draft = only(book_of(["My quiz"], [], HEADER, [], ROW))
    assert [option.text for option in draft.options] == ["kettle", "spoon", "plate"]
    assert str(draft.where) == "t.xlsx:5"


def test_every_visible_sheet_is_read_and_a_hidden_one_is_told() -> None:
    book = book_of(HEADER, ROW)
    for title, state in (("Second", "visible"), ("Old", "hidden"), ("Older", "veryHidden")):
        more = book.create_sheet(title)
        more.sheet_state = state
        more.append(HEADER)
        more.append(ROW)
    book.create_sheet("Advice").append(["Have fun"])
    found = read(book)
    assert [str(draft.where) for draft in found.drafts] == [
        "t.xlsx, sheet “Sheet”:2",
        "t.xlsx, sheet “Second”:2",
    ]
    assert [note.text for note in found.notes] == [
        "the hidden sheet “Old” is not read",
        "the hidden sheet “Older” is not read",
        "the sheet “Advice” names no columns of questions",
    ]


def test_numbers_dates_and_truths_are_read_as_they_look() -> None:
    book = book_of(HEADER, ["When?", 0.25, MIDNIGHT, 1234.5, 2], ["True?", True, False])
    first = book.worksheets[0]
    for cell, look in (("B2", "0%"), ("C2", "dd/mm/yyyy"), ("D2", "#,##0.00"), ("E2", "General")):
        first[cell].number_format = look
    draft, truth = read(book).drafts
    assert [option.text for option in draft.options] == ["25%", "01/03/2026", "1,234.50"]
    assert [option.correct for option in draft.options] == [False, True, False]
    assert [option.text for option in truth.options] == ["TRUE", "FALSE"]


@pytest.mark.parametrize(
    ("value", "look", "text"),
    [
        (1.0, None, "1"),
        (3, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (2.5, "0", "2"),
        (0.125, "0.0%", "12.5%"),
        (9.5, '"$"#,##0.00', "$9.50"),
        (9.5, "[$€-407]#,##0.00", "€9.50"),
        (5, '0" GB"', "5 GB"),
        (1e20, "General", "1e+20"),
        (7, "0.00E+00", "7"),
        (AFTERNOON, "d mmm yy h:mm AM/PM", "1 Mar 26 2:05 PM"),
        (AFTERNOON, "yyyy-mm-dd hh:mm:ss", "2026-03-01 14:05:00"),
        (MIDNIGHT, "General", "2026-03-01"),
        (AFTERNOON, None, "2026-03-01 14:05"),
        (MIDNIGHT.time(), None, "00:00"),
    ],
)
def test_a_value_is_shown_by_its_format(value: object, look: str | None, text: str) -> None:
    assert shown(value, look) == text


def test_a_formula_gives_the_value_that_was_saved_with_it() -> None:
    formula = '<c t="str"><f>"ket"&amp;"tle"</f><v>kettle</v></c>'
    rows = f"<row>{cells('What whistles?')}{formula}{cells('spoon', 'plate', 'A')}</row>"
    assert only(sheet(rows)).options[0].text == "kettle"


def test_a_formula_without_a_saved_value_is_told() -> None:
    found = read(book_of(HEADER, ["=1+1", "kettle", "spoon", "plate", "A"]))
    assert [str(problem) for problem in found.problems] == ["t.xlsx:2: the row has no question"]
    assert [str(note) for note in found.notes] == [
        "t.xlsx: 1 formula has no saved value: open the file and save it again"
    ]


def test_an_error_in_a_cell_is_a_problem_of_its_row() -> None:
    rows = f'<row>{cells("Which?")}<c r="B2" t="e"><v>#REF!</v></c>{cells("b", "c", "B")}</row>'
    found = read(sheet(rows))
    assert [str(problem) for problem in found.problems] == [
        "t.xlsx:2: the cell B2 shows the error #REF!"
    ]


def test_cells_beside_the_table_are_told_once_and_cost_no_row() -> None:
    found = read(book_of(HEADER, [*ROW, None, "check this"], [*ROW, None, "and this"]))
    assert len(found.drafts) == 2
    assert [note.text for note in found.notes] == ["cells without a heading are not read"]


def test_a_sheet_that_claims_to_be_endless_ends_soon() -> None:
    last = f'<row r="1048576">{cells(*ROW)}<c r="XFD1048576"><v>1</v></c></row>'
    claimed = f'{OPEN.replace("<sheetData>", "")}<dimension ref="A1:XFD1048576"/><sheetData>'
    content = f"{claimed}<row>{cells(*HEADER)}</row>{last}{CLOSE}"
    start = time.process_time()
    draft = only(with_part(SHEET, content.encode()))
    assert draft.where.line == 1_048_576
    assert time.process_time() - start < 5


def test_a_row_beyond_the_last_one_is_not_waited_for() -> None:
    start = time.process_time()
    with suppress(BadFile):
        read(sheet(f'<row r="999999999999">{cells(*ROW)}</row>'))
    assert time.process_time() - start < 5


def test_a_million_empty_rows_end_soon() -> None:
    rows = "<row/>" * 1_000_000 + f"<row>{cells(*ROW)}</row>"
    start = time.process_time()
    assert only(sheet(rows)).where.line == 1_000_002
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    "rows",
    [
        "<row>" + "<c><v>1</v></c>" * 700_000 + "</row>",
        "<row><c><v>1</v></c></row>" * 400_000,
        '<row><c r="XFD1"><v>1</v></c></row>' * 290_000,
        f"<row>{cells(*ROW)}</row>" * 60_000,
        "<row>" * 5_000 + "</row>" * 5_000,
    ],
    ids=["wide", "long", "far", "questions", "deep"],
)
def test_ten_megabytes_of_cells_end_soon(rows: str) -> None:
    start = time.process_time()
    with suppress(BadFile):
        read(sheet(rows[:MOST_BYTES] if len(rows) > MOST_BYTES + 9**6 else rows))
    assert time.process_time() - start < 10


def test_more_than_can_be_read_in_time_is_refused_unread() -> None:
    start = time.process_time()
    with pytest.raises(BadFile, match="holds more cells than I can read"):
        read(sheet("<row/>" * 4_000_000))
    assert time.process_time() - start < 5


def test_a_bomb_of_entities_is_refused() -> None:
    lol = '<!DOCTYPE x [<!ENTITY a "ha">' + "".join(
        f'<!ENTITY {new} "{f"&{old};" * 10}">'
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    start = time.process_time()
    with pytest.raises(BadFile, match="is damaged"):
        read(with_part(SHEET, f"{lol}]>{OPEN}<row><c><v>&i;</v></c></row>{CLOSE}".encode()))
    assert time.process_time() - start < 5


def test_an_entity_from_outside_is_refused() -> None:
    outside = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    row = f"<row>{cells(*HEADER)}</row><row>{cells('&a;', 'b', 'c', 'd', 'A')}</row>"
    with pytest.raises(BadFile, match="is damaged"):
        read(with_part(SHEET, f"{outside}{OPEN}{row}{CLOSE}".encode()))


def test_an_old_or_locked_workbook_is_told_what_to_do() -> None:
    source = Source("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512))
    assert spreadsheet.looks_like(source)
    with pytest.raises(BadFile) as refused:
        spreadsheet.read([source], [])
    assert refused.value.sentence == (
        "“old.xls” is an old Excel file or has a password. Save it as .xlsx without a password."
    )


def test_a_workbook_without_questions_is_refused_with_what_to_do() -> None:
    with pytest.raises(BadFile, match="has no sheet with a row that names its columns"):
        read(book_of(["name", "age"], ["Ann", 4]))


@pytest.mark.parametrize("other", [b"", b"PK\x03\x04", b"question,key\n"])
def test_what_is_no_workbook_is_not_taken_for_one(other: bytes) -> None:
    assert not spreadsheet.looks_like(Source("t.xlsx", other))


def test_another_zip_is_not_taken_for_a_workbook() -> None:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as new:
        new.writestr("question.csv", "question,key\n")
    assert not spreadsheet.looks_like(Source("t.xlsx", out.getvalue()))


PARTS = [
    SHEET,
    "xl/workbook.xml",
    "xl/styles.xml",
    "[Content_Types].xml",
    "xl/_rels/workbook.xml.rels",
]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PARTS), st.data())
def test_a_damaged_part_ends_in_questions_or_in_a_sentence(name: str, data: st.DataObject) -> None:
    part = bytearray(zipfile.ZipFile(BytesIO(plain())).read(name))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(part) - 1))
        new = data.draw(st.binary(max_size=4) | st.sampled_from([b"-1", b"9" * 30, b'""', b"<c/>"]))
        part[at : at + data.draw(st.integers(0, 12))] = new
    _end_well(with_part(name, bytes(part)))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.binary(min_size=1, max_size=8))
def test_a_damaged_file_ends_in_questions_or_in_a_sentence(at: int, new: bytes) -> None:
    whole = bytearray(plain())
    at %= len(whole)
    whole[at : at + len(new)] = new
    _end_well(bytes(whole))


def _end_well(data: bytes) -> None:
    source = Source("t.xlsx", data)
    spreadsheet.looks_like(source)
    with suppress(BadFile):
        spreadsheet.read([source], [])


@needs_fixtures
@pytest.mark.parametrize(
    ("name", "kinds", "keys"),
    [
        ("Kahoot-Quiz-Spreadsheet-Template.xlsx", {Kind.MULTIPLE: 1}, "abcd"),
        ("kahoot-quiz-from-csv.xlsx", {Kind.CHOICE: 16}, "a"),
    ],
)
def test_kahoot_s_template_is_read(name: str, kinds: dict[Kind, int], keys: str) -> None:
    found = spreadsheet.read([Source(name, (FIXTURES / "kahoot" / name).read_bytes())], [])
    assert Counter(draft.kind for draft in found.drafts) == kinds
    assert not found.problems
    first = found.drafts[0]
    assert first.where.line == 9
    assert "".join("abcd"[at] for at, each in enumerate(first.options) if each.correct) == keys
    assert [note.text[:40] for note in found.notes] == [
        "the column “Time limit (sec) – 5, 10, 20",
        "1 picture is not read: in a workbook the",
    ]
