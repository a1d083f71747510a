"""Aiken against what Moodle itself makes of it, and its drafts."""

from __future__ import annotations

import html
import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.errors import BadFile
from bank.formats import aiken
from bank.formats.aiken import Fault, RawQuestion, read_aiken
from bank.formats.gift_syntax import default_name
from bank.formats.reading import DraftOption, Kind, Reading, Source, text_of
from tests.shared import FIXTURES, needs_fixtures

AIKEN = FIXTURES / "aiken"
FILES = sorted(path for path in AIKEN.glob("*") if path.is_file())

TEXT = """Which one is it?
A) this
B. that

ANSWER: B

Is 1 < 2 *true*?
A) Yes
B)No
C) Both A and B
ANSWER: A
"""


def source(text: str | bytes) -> Source:
    return Source("q.txt", text.encode() if isinstance(text, str) else text)


def read(text: str | bytes) -> Reading:
    return aiken.read([source(text)], [])


def found(path: Path) -> list[RawQuestion | Fault]:
    return list(read_aiken(text_of(Source(path.name, path.read_bytes()))))


def expected(path: Path) -> dict[str, Any]:
    return json.loads((AIKEN / "expected" / f"{path.name}.json").read_text())


def rich(text: str) -> dict[str, str]:
    return {"text": html.escape(text, quote=False), "format": "html"}


def as_moodle_tells(question: RawQuestion) -> dict[str, Any]:
    return {
        "qtype": "multichoice",
        "name": default_name(question.text),
        "questiontext": html.escape(question.text, quote=False),
        "questiontextformat": "html",
        "single": 1,
        "answer": [rich(answer) for answer in question.answers],
        "fraction": [int(place == question.key) for place in range(len(question.answers))],
        "feedback": [rich("")] * len(question.answers),
    }


@needs_fixtures
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_question_is_what_moodle_makes_of_it(path: Path) -> None:
    questions = [each for each in found(path) if isinstance(each, RawQuestion)]
    assert [as_moodle_tells(question) for question in questions] == expected(path)["questions"]


@needs_fixtures
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_moodle_and_we_refuse_the_same_lines(path: Path) -> None:
    # Moodle counts the two signs that end a line of these files as two lines.
    assert b"\r\n" in path.read_bytes()
    faults = [each for each in found(path) if isinstance(each, Fault)]
    told = [f"{fault.name}:{2 * fault.line - 1}" for fault in faults]
    assert told == [error["message"] for error in expected(path)["errors"]]


@needs_fixtures
def test_the_real_files_are_recognised_and_no_other() -> None:
    every = [path for path in FIXTURES.rglob("*") if path.is_file()]
    assert [path for path in every if aiken.looks_like(source(path.read_bytes()))] == [
        path for path in every if path in FILES
    ]


def test_a_draft_has_the_plain_texts_and_the_key() -> None:
    first, second = read(TEXT).drafts
    assert first.kind is Kind.CHOICE
    assert first.stem == "Which one is it?"
    assert first.options == (DraftOption("this", False), DraftOption("that", True))
    assert second.stem == r"Is 1 < 2 \*true\*?"
    assert [option.text for option in second.options] == ["Yes", "No", "Both {a} and {b}"]
    assert [str(draft.where) for draft in (first, second)] == ["q.txt:1, item 1", "q.txt:7, item 2"]
    assert first.missing == second.missing == ()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_change_nothing(encoding: str, end: str) -> None:
    data = TEXT.replace("that", "thät").replace("\n", end).encode(encoding)
    drafts = read(data).drafts
    assert [draft.where.line for draft in drafts] == [1, 7]
    assert drafts[0].options[1].text == "thät"
    assert aiken.looks_like(source(data))


def test_a_line_of_one_sign_says_nothing() -> None:
    [draft] = read("Which?\n-\nA) a\n}\nB) b\nANSWER: A").drafts
    assert draft.stem == "Which?"
    assert len(draft.options) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("One?\nA) a\nANSWER: A", "q.txt:3: the question of line 1 needs at least two answers"),
        ("A) a\nOne?\nA) a\nB) b\nANSWER: A", "q.txt:1: no question stands before this line"),
        ("ANSWER: A\nOne?\nA) a\nB) b\nANSWER: A", "q.txt:1: no question stands before this line"),
        (
            "One?\nA) a\nTwo?\nA) a\nB) b\nANSWER: A",
            "q.txt:3: a question begins here, but the one of line 1 has no “ANSWER:” yet",
        ),
        ("One?\nA) a\nB) b\n", "q.txt:1: the question has no “ANSWER:”"),
        ("One?\n" + "A) a\n" * 27 + "ANSWER: A", "q.txt:1, item 1: it has more than 26 answers"),
    ],
)
def test_what_is_refused_is_told_with_its_line(text: str, told: str) -> None:
    assert [str(problem) for problem in read(text).problems] == [told]


@pytest.mark.parametrize(
    ("answers", "missing"),
    [
        ("A) a\nB) b\nANSWER: C", "its key C is none of its 2 answers"),
        ("A) a\nB) b\nANSWER: b", "its key is to be one capital letter; here it is “b”"),
        ("A) a\nB) b\nANSWER:", "its key is to be one capital letter; here it is “”"),
        ("A) a\nB) b\nANSWER: A, B", "its key is to be one capital letter; here it is “A, B”"),
        ("A) a\nC) b\nANSWER: B", "its answers are lettered A, C, so its key may mean another"),
    ],
)
def test_a_doubtful_key_is_told_and_not_resolved(answers: str, missing: str) -> None:
    [draft] = read(f"One?\n{answers}").drafts
    assert draft.missing == (missing,)


def test_a_key_may_repeat_its_answer() -> None:
    [draft] = read("One?\nA) a\nB) b\nANSWER: B) b").drafts
    assert [option.correct for option in draft.options] == [False, True]
    assert draft.missing == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What?\nA) a\nB) b\nAnswer: A\n",
        "What?\nA) a\nB) b\n",
        "What is it?{=a ~b}",
        "<p>What?\nA) a\nB) b\nANSWER: A\n",
        '{"a": "\nA) a\nB) b\nANSWER: A\n"}',
        "---\ntitle: x\n---\nWhat?\nA) a\nB) b\nANSWER: A\n",
        "A long text.\n" * 20 + "What?\nA) a\nB) b\nANSWER: A\n",
        b"\0\x81",
    ],
)
def test_other_content_is_not_taken_for_aiken(text: str | bytes) -> None:
    assert not aiken.looks_like(source(text))


def test_mutated_files_end_in_drafts_and_problems() -> None:
    chance = random.Random(4)
    marks = [b"\n", b"A)", b"ANSWER:", b"ANSWER: ", b"\xff", b"B. ", b"", b"\r", b" "]
    for _ in range(500):
        data = bytearray(TEXT.encode())
        for _ in range(chance.randint(1, 20)):
            at = chance.randrange(len(data))
            data[at : at + chance.randint(0, 4)] = chance.choice(marks)
        aiken.looks_like(source(bytes(data)))
        with suppress(BadFile):
            read(bytes(data))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["x", "One?", "A) a", "B.b", "ANSWER: A", "ANSWER:", "", " "])))
def test_nothing_is_dropped_without_a_word(lines: list[str]) -> None:
    reading = read("\n".join(lines))
    items = len(reading.drafts) + len(reading.problems)
    assert items >= sum(line.startswith("ANSWER") for line in lines)
    assert items >= lines.count("One?")


@pytest.mark.parametrize(
    "sign", ["A", "A)", "A) \n", "ANSWER:\n", "x\n", "xx\n", "\n", " ", "<", "*"]
)
def test_a_megabyte_of_one_sign_ends_in_time(sign: str) -> None:
    for text in (sign, f"One?\nA) {sign}\nB) b\n", "One?\nA) a\n" + sign):
        data = source(text.replace(sign, sign * (2**20 // len(sign))))
        aiken.looks_like(data)
        with suppress(BadFile):
            aiken.read([data], [])
