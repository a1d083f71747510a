"""CSV: columns by any name in any order, keys in any shape, and each mistake with its line."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bank.errors import BadFile
from bank.formats import table
from bank.formats.columns import columns_of
from bank.formats.reading import MOST_BYTES, Draft, Kind, Reading, Source
from bank.formats.table_rows import MOST_ROWS
from tests.shared import FIXTURES, needs_fixtures

HEADER = "question,option a,option b,option c,key,explanation\n"
ROW = "What whistles?,A kettle,A spoon,A plate,A,Steam does.\n"


def read(text: str | bytes, beside: Sequence[Source] = ()) -> Reading:
    source = Source("t.csv", text if isinstance(text, bytes) else text.encode())
    assert table.looks_like(source)
    return table.read([source], beside)


def only(text: str | bytes, beside: Sequence[Source] = ()) -> Draft:
    found = read(text, beside)
    assert [str(problem) for problem in found.problems] == []
    (draft,) = found.drafts
    return draft


def problems(text: str) -> list[str]:
    return [str(problem) for problem in read(text).problems]


def notes(text: str) -> list[str]:
    return [note.text for note in read(text).notes]


def texts(draft: Draft) -> list[str]:
    return [option.text for option in draft.options]


def keys(draft: Draft) -> str:
    return "".join("abcdefgh"[at] for at, each in enumerate(draft.options) if each.correct)


def with_key(key: str, *more: str) -> str:
    rows = "".join(f"Which?,red,green,blue,{each},\n" for each in (key, *more))
    return HEADER + rows


# Files


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separators_encodings_and_line_ends(separator: str, encoding: str, end: str) -> None:
    text = (HEADER + ROW.replace("kettle", "kéttle")).replace(",", separator).replace("\n", end)
    draft = only(text.encode(encoding))
    assert texts(draft) == ["A kéttle", "A spoon", "A plate"]
    assert (keys(draft), draft.full, draft.where.line) == ("a", "Steam does.", 2)


def test_the_line_that_tells_excel_the_separator_is_no_row() -> None:
    assert only("sep=;\n" + (HEADER + ROW).replace(",", ";")).where.line == 3


def test_cells_in_quotation_marks_hold_separators_marks_and_lines() -> None:
    text = HEADER + '"Say ""hi"",\nthen?",x,y,z,B,\n' + ROW
    first, second = read(text).drafts
    assert first.stem == 'Say "hi",\nthen?'
    assert (first.where.line, second.where.line) == (2, 4)


def test_a_header_below_other_rows_is_found() -> None:
    assert only("My quiz\n\nRead this first,please\n" + HEADER + ROW).where.line == 5


def test_a_million_empty_lines_end_soon() -> None:
    start = time.process_time()
    assert only(HEADER + "\n" * 1_000_000 + ROW).where.line == 1_000_002
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "other",
    [
        b"",
        b"just text",
        b"What?\nA. one\nB. two\nANSWER: A\n",
        b"::t:: What? {=a ~b}",
        b"question\nWhat?\n",
        b"name,age\nAnn,4\n",
        b"\x89PNG\r\n\x1a\n\0\0",
        b'{"question": 1, "answer": 2}',
        b"PK\x03\x04question,key\n",
    ],
)
def test_what_is_no_table_of_questions_is_not_taken_for_one(other: bytes) -> None:
    assert not table.looks_like(Source("t.csv", other))


def test_a_table_without_names_is_refused_with_what_to_do() -> None:
    with pytest.raises(BadFile) as refused:
        table.read([Source("t.csv", b"What?,one,two,A\n")], [])
    assert refused.value.sentence == (
        "“t.csv” has no row that names its columns. Give the first row names such as “question”, "
        "“option a”, “option b” and “key”."
    )


def test_a_header_alone_is_told() -> None:
    assert problems(HEADER) == ["t.csv: the table has no rows under its header"]


# Columns


@pytest.mark.parametrize(
    "header",
    [
        "question,option a,option b,key",
        "Stem,A,B,Answer",
        "questiontext,Option1,Option2,Correct Answer",
        "Question - max 120 characters,Answer 1 - max 75 characters,Answer 2,Correct answer(s) - x",
        "QUESTION_TEXT,choice_1,choice_2,correct_option",
        "Frage,Antwort A,Antwort B,Richtige Antwort",
        "Énoncé,Réponse A,Réponse B,Bonne réponse",
        "Pregunta,Opción A,Opción B,Respuesta correcta",
        "题目,选项A,选项B,答案",
    ],
)
def test_names_are_known_in_many_spellings(header: str) -> None:
    draft = only(f"{header}\nWhich?,red,green,B\n")
    assert (draft.stem, texts(draft), keys(draft)) == ("Which?", ["red", "green"], "b")


def test_columns_stand_in_any_order() -> None:
    text = (
        "tags,key,Feedback B,option b,domain,option a,source,question,short explanation,difficulty,"
        'id,explanation\n"x, y",B,Why b,green,Colours,red,https://e.org/a,Which?,Short.,easy,'
        "my-slug,Full.\n"
    )
    draft = only(text)
    assert (draft.stem, texts(draft), keys(draft)) == ("Which?", ["red", "green"], "b")
    assert (draft.category, draft.tags) == ("Colours", ("x", "y", "easy"))
    assert (draft.short, draft.full, draft.slug) == ("Short.", "Full.", "my-slug")
    assert draft.sources == ("https://e.org/a",)
    assert [option.rationale for option in draft.options] == ["", "Why b"]


def test_an_unknown_column_is_told_once() -> None:
    text = "question,mark,a,b,key\n" + "Which?,2,red,green,A\n" * 3
    assert notes(text) == ["the column “mark” is not read"]


def test_answers_are_the_key_beside_options_and_the_options_beside_a_key() -> None:
    assert keys(only("question,a,b,answers\nWhich?,red,green,B\n")) == "b"
    assert texts(only("question,answers,key\nWhich?,red;green,B\n")) == ["red", "green"]


def test_wrong_answers_stand_beside_the_right_one() -> None:
    text = "question,correct answer,incorrect answer 1,incorrect answer 2\nWhich?,red,green,blue\n"
    draft = only(text)
    assert (texts(draft), keys(draft)) == (["red", "green", "blue"], "a")


@pytest.mark.parametrize("cell", ["red;green;blue", "red|green|blue", '"red\ngreen\nblue"'])
def test_choices_in_one_cell_are_parted(cell: str) -> None:
    draft = only(f"question,choices,key\nWhich?,{cell},AC\n")
    assert (texts(draft), keys(draft)) == (["red", "green", "blue"], "ac")


def test_choices_are_parted_by_the_sign_of_their_column() -> None:
    text = "question,choices,key\nOne?,a || b;c;d,C\nTwo?,e;f,A\nThree?,g;h,B\n"
    assert texts(read(text).drafts[0]) == ["a || b".replace("||", "\\|\\|"), "c", "d"]


def test_letters_ahead_of_options_are_taken_off() -> None:
    assert texts(only("question,choices,key\nWhich?,A. red;B. green,B\n")) == ["red", "green"]
    kept = only("question,choices,key\nWhich?,A. red;C. green,A\n")
    assert texts(kept) == ["A. red", "C. green"]


def test_a_picture_that_came_with_the_table_is_taken() -> None:
    text = (
        "question,a,b,key,image,image alt,exhibit\nWhich?,red,green,A,pics\\a.png,A colour,b.png\n"
    )
    draft = only(text, [Source("deck/pics/a.png", b"bytes"), Source("xb.png", b"other")])
    assert draft.image is not None
    assert (draft.image.name, draft.image.data, draft.image.alt) == (
        "pics/a.png",
        b"bytes",
        "A colour",
    )
    assert draft.exhibit is None
    assert notes(text)[1] == "the picture “b.png” did not come with the table"


# Keys


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("A", "a"),
        ("c", "c"),
        ("(B)", "b"),
        ("B.", "b"),
        ("Option B", "b"),
        ("ac", "ac"),
        ("ABC", "abc"),
        ('"A, C"', "ac"),
        ("A;C", "ac"),
        ("A and C", "ac"),
        ("A|C", "ac"),
        ("2", "b"),
        ('"1,3"', "ac"),
        ("2.0", "b"),
        ("green", "b"),
        (" Green ", "b"),
        ('"red, blue"', "ac"),
        ("red;blue", "ac"),
        ("B) green", "b"),
    ],
)
def test_a_key_is_read_in_every_shape(key: str, found: str) -> None:
    draft = only(with_key(key))
    assert (keys(draft), draft.missing) == (found, ())
    assert draft.kind is (Kind.MULTIPLE if len(found) > 1 else Kind.CHOICE)


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("E", "the key “E” is no option; the options are A to C"),
        ("9", "the key “9” is no option; the options are A to C"),
        ("purple", "the key “purple” is none of the options"),
    ],
)
def test_a_key_that_is_no_option_is_a_problem_with_its_line(key: str, told: str) -> None:
    assert problems(with_key("A", key)) == [f"t.csv:3: {told}"]


def test_a_row_without_a_key_is_kept_and_says_so() -> None:
    assert only(with_key("")).missing == ("the row has no key",)


def test_a_key_that_may_be_a_place_or_a_text_is_told_and_not_guessed() -> None:
    draft = only("question,a,b,c,key\nHow many?,3,1,2,2\n")
    assert draft.missing == ("the key “2” is the place of B, but the text of C",)
    assert only("question,a,b,key\nWhich?,red,green,A. green\n").missing == (
        "the key “A. green” is the place of A, but the text of B",
    )


def test_the_other_rows_settle_what_a_number_means() -> None:
    row = "How many?,3,1,2,2\n"
    places = read("question,a,b,c,key\n" + row + "Which?,red,green,blue,3\n").drafts
    assert [(keys(draft), draft.missing) for draft in places] == [("b", ()), ("c", ())]
    by_text = read("question,a,b,c,key\n" + row + "Which?,red,green,blue,red\n").drafts
    assert [(keys(draft), draft.missing) for draft in by_text] == [("c", ()), ("a", ())]


def test_numbers_that_seem_to_count_from_zero_are_not_guessed() -> None:
    found = read(with_key("0", "1", "B"))
    assert [str(problem) for problem in found.problems] == [
        "t.csv:2: the key “0” is no option; the options are A to C"
    ]
    assert [draft.missing for draft in found.drafts] == [
        ("a key of this table is 0, so its numbers may count from 0 or from 1",),
        (),
    ]


@pytest.mark.parametrize(
    ("said", "key"),
    [("1", "a"), ("0", "b"), ("TRUE", "a"), ("false", "b"), ("T", "a"), ("No", "b"), ("对", "a")],
)
def test_true_and_false_are_options_of_their_own(said: str, key: str) -> None:
    draft = only(f"question,answer\nWater boils?,{said}\n")
    assert (draft.kind, texts(draft), keys(draft)) == (Kind.TRUE_FALSE, ["True", "False"], key)


@pytest.mark.parametrize(
    ("a", "b", "said", "key"),
    [
        ("True", "False", "F", "b"),
        ("False", "True", "true", "b"),
        ("True", "False", "B", "b"),
        ("Yes", "No", "no", "b"),
    ],
)
def test_true_and_false_among_the_options_are_found(a: str, b: str, said: str, key: str) -> None:
    draft = only(f"question,a,b,key\nWater boils?,{a},{b},{said}\n")
    assert (draft.kind, keys(draft), draft.missing) == (Kind.TRUE_FALSE, key, ())


# Kinds and mistakes


@pytest.mark.parametrize("kind", ["essay", "Short Answer", "matching", "numerical", "填空题"])
def test_a_kind_that_is_not_supported_is_a_problem_of_that_kind(kind: str) -> None:
    (problem,) = read(f"question,type,a,b,key\nWhich?,{kind},red,green,A\n").problems
    assert problem.text == f"{kind} questions are not supported"
    assert problem.kind == kind.lower()


def test_an_answer_without_options_is_a_short_answer() -> None:
    (problem,) = read("question,answer\nWhich?,green\n").problems
    assert problem.kind == "short answer"


@pytest.mark.parametrize(
    ("row", "missing"),
    [
        ("Which?,single,red,green,blue,AB", ("its kind allows one key, and it has 2",)),
        ("Which?,truefalse,red,green,blue,A", ("its kind is true/false, and it has 3 options",)),
        ("Which?,mc,red,,blue,C", ("option B is empty",)),
        ("Which?,mc,red,green,red,B", ("options A and C say the same",)),
        ("Which?,mc,red,,,A", ("the row has one option only",)),
        ("Which?,mc,,,,A", ("the row has no options; its key is “A”",)),
        ("Which?,truefalse,,,,", ("the row has no key",)),
    ],
)
def test_what_keeps_a_row_from_being_dropped_is_named(row: str, missing: tuple[str, ...]) -> None:
    assert only(f"question,type,a,b,c,key\n{row}\n").missing == missing


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (",red,green,blue,A,why", "the row has no question"),
        (
            "Who,me?,red,green,blue,A,why",
            "the row has more cells than the 6 columns that have a name: put a text that holds the "
            "separator between quotation marks",
        ),
        (
            '"Which" one?,red,green,blue,A,',
            'after a closing quotation mark a separator must follow; write “""” for a mark in a '
            "text",
        ),
    ],
)
def test_a_mistake_is_told_by_its_line_and_the_others_are_read(row: str, told: str) -> None:
    found = read(HEADER + ROW + row + "\n" + ROW)
    assert [str(problem) for problem in found.problems] == [f"t.csv:3: {told}"]
    assert [draft.where.line for draft in found.drafts] == [2, 4]


def test_nine_options_are_too_many() -> None:
    assert problems("question,choices,key\nWhich?,a;b;c;d;e;f;g;h;i,A\n") == [
        "t.csv:2: 9 options; a question has 8 at most"
    ]


def test_a_mark_that_is_never_closed_is_told_with_what_it_costs() -> None:
    found = read(HEADER + ROW + '"Which?,red\n' + ROW)
    assert [str(problem) for problem in found.problems] == [
        "t.csv:3: a quotation mark opens in this row and is never closed, so all after it is lost"
    ]
    assert len(found.drafts) == 1


def test_a_cell_beyond_all_bounds_is_told() -> None:
    found = read(HEADER + ROW + '"' + "x" * 200_000 + "\n" * 100 + ROW)
    assert len(found.drafts) == 1
    assert "a cell has more than 131,072 characters" in found.problems[0].text
    assert problems(HEADER + "x" * 40_000 + ",a,b,c,A,\n") == [
        "t.csv:2: a cell has more than 32,767 characters"
    ]


def test_more_rows_than_are_read_are_told() -> None:
    found = read(HEADER + ROW * (MOST_ROWS + 5))
    assert len(found.drafts) == MOST_ROWS
    assert [str(problem) for problem in found.problems] == [
        f"t.csv:{MOST_ROWS + 2}: only the first 20,000 rows are read; split the table for the rest"
    ]


def test_a_header_that_stands_again_is_no_row() -> None:
    assert len(read(HEADER + ROW + HEADER + ROW).drafts) == 2


# Text


def test_plain_text_is_shown_as_it_is_and_code_stays_code() -> None:
    text = HEADER + "What is 2*3*4 in `a*b`?,{a},__init__,z,A,\n"
    draft = only(text)
    assert draft.stem == r"What is 2\*3\*4 in `a*b`?"
    assert texts(draft)[:2] == [r"\{a}", r"\_\_init\_\_"]


def test_letters_in_prose_become_references() -> None:
    draft = only(HEADER + "Which?,red,green,blue,B,Option B is right because it grows.\n")
    assert "{b}" in draft.full


def test_the_guard_against_formulas_is_taken_off() -> None:
    draft = only("question,a,b,key\nWhich?,'-1,'=2,A\n")
    assert [text.replace("\\", "") for text in texts(draft)] == ["-1", "=2"]


# Names of columns, bounds and damage


@given(st.lists(st.text(max_size=12) | st.sampled_from(["question", "key", "a"]), max_size=9))
def test_any_header_is_one_or_none(header: list[str]) -> None:
    columns = columns_of(header)
    if columns is not None:
        assert columns.read() | set(columns.unread) <= set(range(len(header)))


WORST = {
    "marks": b'"',
    "commas": b",",
    "semicolons": b";",
    "tabs": b"\t",
    "lines": b"\n",
    "spaces": b" ",
    "backticks": b"`",
    "braces": b"{",
    "brackets": b"(",
    "letters": b"a",
    "parted": b"a,",
    "quoted": b'"a",',
    "broken": b'"a"b\n',
    "ticks": b"` `` ",
}


@pytest.mark.parametrize("worst", WORST)
@pytest.mark.parametrize("begin", [b"", HEADER.encode(), (HEADER + '"').encode()])
def test_ten_megabytes_of_the_worst_end_soon(worst: str, begin: bytes) -> None:
    data = begin + WORST[worst] * ((MOST_BYTES - len(begin)) // len(WORST[worst]))
    start = time.process_time()
    table.looks_like(Source("t.csv", data))
    with suppress(BadFile):
        table.read([Source("t.csv", data)], [])
    assert time.process_time() - start < 10


MANY = {
    "signs": "|;" * 250,
    "words": "Steam rises by the spout. " * 20,
    "code": "Then `a` is run again. " * 20,
}


@pytest.mark.parametrize("cell", MANY)
def test_ten_megabytes_of_rows_end_soon(cell: str) -> None:
    row = f'"{MANY[cell]}",x;y,"{MANY[cell]}",A\n'
    text = "question,choices,explanation,key\n" + row * (MOST_BYTES // len(row))
    start = time.process_time()
    assert len(read(text).drafts) > 5_000
    assert time.process_time() - start < 10


WHOLE = HEADER + ROW + '"Say ""hi"", or?",x,y,z,"A, C",`code`\n' + ROW.replace("A,S", "B,S")


@settings(max_examples=300, deadline=None)
@example(b"question,key\n\x00,1")
@given(
    st.lists(
        st.tuples(st.integers(0, len(WHOLE)), st.integers(0, 6), st.binary(max_size=6)), max_size=6
    ).map(lambda changes: _changed(WHOLE.encode(), changes))
)
def test_a_damaged_table_ends_in_questions_or_in_a_sentence(data: bytes) -> None:
    source = Source("t.csv", data)
    table.looks_like(source)
    with suppress(BadFile):
        table.read([source], [])


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.lists(
            st.sampled_from(["A", "1", "red", "true", "=x", '"', "", "a;b", "{a}"]), max_size=7
        ),
        max_size=6,
    )
)
def test_every_row_is_a_draft_or_a_problem(rows: list[list[str]]) -> None:
    lines = [",".join(cell.replace('"', '""""') for cell in row) for row in rows]
    found = read(HEADER + "".join(f"{line}\n" for line in lines))
    told = [each.where.line for each in (*found.drafts, *found.problems) if each.where.line]
    said = [at for at, row in enumerate(rows, start=2) if any(row)]
    assert sorted(told) == said


def _changed(data: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, new in changes:
        data = data[:at] + new + data[at + length :]
    return data


@needs_fixtures
@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("sampleMultichoice.csv", {Kind.MULTIPLE: 3, Kind.CHOICE: 3}),
        ("sampleTruefalse.csv", {Kind.TRUE_FALSE: 2}),
    ],
)
def test_the_public_samples_are_read(name: str, kinds: dict[Kind, int]) -> None:
    found = table.read([Source(name, (FIXTURES / "csv" / name).read_bytes())], [])
    assert Counter(draft.kind for draft in found.drafts) == kinds
    assert not found.problems
    assert not any(draft.missing for draft in found.drafts)
    for draft in found.drafts:
        # The feedback of these samples names the key.
        letters = keys(draft).upper()
        assert draft.kind is Kind.TRUE_FALSE or draft.full.replace("\\", "").endswith(letters)
