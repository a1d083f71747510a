"""Open Trivia DB: each encoding of the API gives the same questions, and each mistake its item."""

from __future__ import annotations

import base64
import json
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.errors import BadFile
from bank.formats import opentdb
from bank.formats.reading import MOST_BYTES, Draft, Kind, Reading, Source
from tests.shared import FIXTURES, needs_fixtures

KETTLE = {
    "type": "multiple",
    "difficulty": "easy",
    "category": "Kitchen: Water & steam",
    "question": 'Which "whistle" has a 100% share of é*steam*?',
    "correct_answer": "The kettle's",
    "incorrect_answers": ["A referee's", "{a} train's", "A <bird>'s"],
}
BOILING = {
    "type": "boolean",
    "difficulty": "hard",
    "category": "Kitchen",
    "question": "Water boils sooner up a mountain.",
    "correct_answer": "True",
    "incorrect_answers": ["False"],
}
FALSE = {**BOILING, "correct_answer": "False", "incorrect_answers": ["True"]}


def encoded(items: list[dict[str, Any]], encode: Callable[[str], str]) -> list[dict[str, Any]]:
    return [
        {
            key: [encode(text) for text in value] if isinstance(value, list) else encode(value)
            for key, value in item.items()
        }
        for item in items
    ]


def in_entities(text: str) -> str:
    return (
        text.replace("&", "&amp;")
        .replace('"', "&quot;")
        .replace("'", "&#039;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("é", "&eacute;")
    )


ENCODINGS: dict[str, Callable[[str], str]] = {
    "entities": in_entities,
    "url3986": lambda text: quote(text, safe=""),
    "urlLegacy": quote_plus,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
}


def source(whole: object) -> Source:
    return Source("trivia.json", json.dumps(whole).encode())


def read(whole: object) -> Reading:
    came = source(whole)
    assert opentdb.looks_like(came)
    return opentdb.read([came], [])


def only(item: dict[str, Any]) -> Draft:
    (draft,) = read([item]).drafts
    return draft


def problem(item: object) -> str:
    (told,) = opentdb.read([source([item])], []).problems
    return str(told)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_each_encoding_of_the_api_gives_the_same_questions(encoding: str) -> None:
    items = encoded([KETTLE, BOILING, FALSE], ENCODINGS[encoding])
    kettle, boiling, false = read({"response_code": 0, "results": items}).drafts
    assert kettle.stem == r'Which "whistle" has a 100% share of é\*steam\*?'
    assert [option.text for option in kettle.options] == [
        "The kettle's",
        "A referee's",
        r"\{a} train's",
        r"A \<bird>'s",
    ]
    assert [option.correct for option in kettle.options] == [True, False, False, False]
    assert (kettle.kind, kettle.category, kettle.tags) == (
        Kind.CHOICE,
        "Kitchen/Water & steam",
        ("easy",),
    )
    assert [(option.text, option.correct) for option in boiling.options] == [
        ("True", True),
        ("False", False),
    ]
    assert [option.correct for option in false.options] == [False, True]
    assert false.kind is Kind.TRUE_FALSE
    assert str(false.where) == "trivia.json, item 3"


def test_a_bare_list_is_read_as_the_api_s_answer_is() -> None:
    assert read([KETTLE]).drafts == read({"response_code": 0, "results": [KETTLE]}).drafts


def test_an_entity_that_was_percent_encoded_is_the_text_itself() -> None:
    item = {**KETTLE, "question": "What does &amp; show?"}
    assert only(encoded([item], ENCODINGS["url3986"])[0]).stem == r"What does \&amp; show?"


def test_equal_answers_are_told_and_kept() -> None:
    twice = {**KETTLE, "incorrect_answers": ["The kettle's", "No"]}
    assert only(twice).missing == ("options A and B say the same",)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"question": None}, "“question” is missing or no text"),
        ({"question": " "}, "the item has no question"),
        ({"correct_answer": 4}, "“correct_answer” is missing or no text"),
        ({"incorrect_answers": "No"}, "“incorrect_answers” is missing or no list of texts"),
        ({"incorrect_answers": [["No"]]}, "“incorrect_answers” is missing or no list of texts"),
        ({"incorrect_answers": list("abcdefgh")}, "9 options; a question has 8 at most"),
        ({"type": "boolean"}, "the answers of a true/false question are not True and False"),
        ({"type": "essay"}, "essay questions are not supported"),
        ({"question": "\ud800"}, "a text cannot be decoded as the others are"),
    ],
)
def test_a_mistake_is_a_problem_with_its_item(change: dict[str, Any], told: str) -> None:
    assert problem({**KETTLE, **change}) == f"trivia.json, item 1: {told}"


def test_more_items_than_are_read_are_told() -> None:
    found = read([BOILING] * (opentdb.MOST_ITEMS + 1))
    assert len(found.drafts) == opentdb.MOST_ITEMS
    assert [problem.text for problem in found.problems] == [
        "only the first 20,000 items are read; split the file for the rest"
    ]


def test_what_is_no_question_is_a_problem() -> None:
    assert problem("kettle") == "trivia.json, item 1: the item is no question"


@pytest.mark.parametrize(
    ("whole", "told"),
    [
        (
            {"response_code": 5, "results": []},
            "holds no questions: Open Trivia DB answered that too many requests came at a time.",
        ),
        ([], "holds no questions."),
        ({"response_code": 0}, "has no list of questions under “results”."),
    ],
)
def test_a_file_without_questions_says_why(whole: object, told: str) -> None:
    with pytest.raises(BadFile) as refused:
        opentdb.read([source(whole)], [])
    assert refused.value.sentence == f"“trivia.json” {told}"


def test_json_that_is_cut_off_is_told_by_its_line() -> None:
    with pytest.raises(BadFile, match="no valid JSON on line 2"):
        opentdb.read([Source("cut.json", b'{"results":\n [{"type": ')], [])


@pytest.mark.parametrize("other", [b"question,key\n", b'{"a": 1}', b"[1, 2]", b"", b"PK\x03\x04"])
def test_another_file_is_not_taken_for_it(other: bytes) -> None:
    assert not opentdb.looks_like(Source("other", other))


@pytest.mark.parametrize(
    "worst",
    [
        b"[" * MOST_BYTES,
        b'{"a":' * (MOST_BYTES // 5),
        b"[" + b"9" * (MOST_BYTES - 2) + b"]",
        b"[" + b"{}," * (MOST_BYTES // 3 - 1) + b"{}]",
        b'["' + b"%" * (MOST_BYTES - 4) + b'"]',
        json.dumps([{**KETTLE, "question": "%20" * (MOST_BYTES // 4)}]).encode(),
        json.dumps([{**KETTLE, "question": "&" * (MOST_BYTES - 400)}]).encode(),
    ],
    ids=["lists", "objects", "digits", "items", "percents", "escapes", "entities"],
)
def test_ten_megabytes_of_the_worst_end_soon(worst: bytes) -> None:
    start = time.process_time()
    with suppress(BadFile):
        opentdb.read([Source("worst.json", worst)], [])
    assert time.process_time() - start < 10


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_file_ends_in_questions_or_in_a_sentence(data: st.DataObject) -> None:
    encoding = data.draw(st.sampled_from(sorted(ENCODINGS)))
    whole = bytearray(source(encoded([KETTLE, BOILING], ENCODINGS[encoding])).data)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    with suppress(BadFile):
        opentdb.read([Source("damaged.json", bytes(whole))], [])


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.text() | st.integers() | st.sampled_from(["boolean", "multiple"]),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from([*KETTLE, "results"]), inner, max_size=6)
        ),
    )
)
def test_any_json_ends_in_questions_or_in_a_sentence(whole: object) -> None:
    with suppress(BadFile):
        opentdb.read([source(whole)], [])


@needs_fixtures
def test_the_first_two_hundred_of_the_database_are_read() -> None:
    came = Source("opentdb", (FIXTURES / "opentdb/opentdb-200.json").read_bytes())
    found = opentdb.read([came], [])
    assert Counter(draft.kind for draft in found.drafts) == {Kind.CHOICE: 167, Kind.TRUE_FALSE: 33}
    assert not found.problems
    assert not any(draft.missing for draft in found.drafts)
    assert not any("&quot;" in draft.stem for draft in found.drafts)
