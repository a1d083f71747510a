"""GIFT against what Moodle itself makes of it, and its rules one by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bank.formats.gift_syntax import Fault, QType, RawQuestion, Rich, read_gift
from bank.formats.reading import Source, text_of
from tests.shared import FIXTURES, needs_fixtures

GIFT = FIXTURES / "gift"
FILES = sorted(path for path in GIFT.glob("*") if path.is_file())


def read(path: Path) -> list[RawQuestion | Fault]:
    return list(read_gift(text_of(Source(path.name, path.read_bytes()))))


def expected(path: Path) -> dict[str, Any]:
    return json.loads((GIFT / "expected" / f"{path.name}.json").read_text())


def rich(text: Rich) -> dict[str, str]:
    return {"text": text.text, "format": text.form.value}


def as_moodle_tells(question: RawQuestion) -> dict[str, Any]:
    """A question in the words of the expected files."""
    if question.qtype is QType.CATEGORY:
        told = {"qtype": "category", "category": question.category}
        return told | {"questiontextformat": question.text.form.value}
    told = {
        "qtype": question.qtype.value,
        "name": question.name,
        "questiontext": question.text.text,
        "questiontextformat": question.text.form.value,
    }
    if question.idnumber:
        told["idnumber"] = question.idnumber
    if question.tags:
        told["tags"] = list(question.tags)
    if question.general.text:
        told["generalfeedback"] = question.general.text
    if question.qtype is QType.CHOICE:
        told["single"] = int(question.single)
        told["answer"] = [rich(answer.text) for answer in question.answers]
        told["fraction"] = [answer.fraction for answer in question.answers]
        told["feedback"] = [rich(answer.feedback) for answer in question.answers]
    if question.qtype is QType.TRUE_FALSE:
        told["correctanswer"] = int(question.answers[0].fraction)
        told["feedbacktrue"] = rich(question.answers[0].feedback)
        told["feedbackfalse"] = rich(question.answers[1].feedback)
    return told


# What only the kinds have that are not taken in.
ELSE = {"answer", "fraction", "feedback", "tolerance", "subquestions", "subanswers"}


@needs_fixtures
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_question_is_what_moodle_makes_of_it(path: Path) -> None:
    found = [each for each in read(path) if isinstance(each, RawQuestion)]
    wanted = expected(path)["questions"]
    for question, want in zip(found, wanted, strict=True):
        if want["qtype"] not in ("multichoice", "truefalse"):
            want = {key: value for key, value in want.items() if key not in ELSE}
        assert as_moodle_tells(question) == want


@needs_fixtures
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_moodle_and_we_refuse_as_much(path: Path) -> None:
    faults = [each for each in read(path) if isinstance(each, Fault)]
    assert len(faults) == len(expected(path)["errors"])


def one(text: str) -> RawQuestion:
    [question] = read_gift(text)
    assert isinstance(question, RawQuestion)
    return question


def fault(text: str) -> Fault:
    [found] = read_gift(text)
    assert isinstance(found, Fault)
    return found


@pytest.mark.parametrize(
    ("text", "qtype"),
    [
        ("Only a text.", QType.DESCRIPTION),
        ("Tell all.{}", QType.ESSAY),
        ("Tell all.{ ####Well said }", QType.ESSAY),
        ("How many?{#3}", QType.NUMERICAL),
        ("How many?{#3~#no}", QType.NUMERICAL),
        ("Pick.{=a->b ~c}", QType.CHOICE),
        ("Match.{=a -> b =c -> d}", QType.MATCHING),
        ("Say.{=a =b}", QType.SHORT_ANSWER),
        ("Say.{a}", QType.SHORT_ANSWER),
        ("Is it?{T}", QType.TRUE_FALSE),
        ("Is it?{ FALSE #no#yes}", QType.TRUE_FALSE),
        ("Is it?{true}", QType.SHORT_ANSWER),
        ("Is it?{TRUE#a -> b}", QType.TRUE_FALSE),
        ("Is it?{TRUE#a = b -> c}", QType.MATCHING),
        (r"Is it \{so\}?", QType.DESCRIPTION),
        ("$CATEGORY: a/b", QType.CATEGORY),
    ],
)
def test_the_kinds_are_told_apart_as_in_moodle(text: str, qtype: QType) -> None:
    assert one(text).qtype is qtype


def test_blank_lines_end_a_question_and_lines_are_counted_from_one() -> None:
    text = (
        "// only a comment\n\n \t\n// about it\nFirst?{T}\n\n\n::x::Second\nline?{F}\n0\nThird{T}"
    )
    assert [found.line for found in read_gift(text)] == [5, 8, 11]


def test_every_escape_stands_for_its_sign() -> None:
    question = one(r"\:\: a \{b\} \\ \n c \x {=\=d\#\~ ~\\n e#f \= g}")
    assert question.text.text == ":: a {b} \\ \n c \\x"
    assert [answer.text.text for answer in question.answers] == ["=d#~", "\\n e"]
    assert question.answers[1].feedback.text == "f = g"


def test_three_backslashes_are_one_and_an_escape() -> None:
    assert one(r"a\\\{b\\{T}").text.text == "a\\{b\\"


def test_an_escaped_colon_ends_no_name() -> None:
    question = one(r"::a\:::b{T}")
    assert (question.name, question.text.text) == ("a:", "b")


def test_a_name_that_is_not_closed_is_text() -> None:
    question = one("::a b{T}")
    assert (question.name, question.named, question.text.text) == ("a b", False, "a b")


def test_weights_are_parts_of_one() -> None:
    text = "x{~%50%a ~%-12.5%b ~%33.33333%c ~%100%d ~%1000%e ~% 5%f ~%%g}"
    fractions = [answer.fraction for answer in one(text).answers]
    assert fractions == [0.5, -0.125, 33.33333 / 100, 1.0, 10.0, 0.0, 0.0]


def test_a_weight_of_two_dashes_is_doubted() -> None:
    assert one("x{~%--5%a ~b}").doubts == ("“--5” is no weight",)


def test_what_stands_before_the_first_mark_is_an_answer() -> None:
    assert [answer.text.text for answer in one("x{a ~b}").answers] == ["a", "b"]
    assert [answer.text.text for answer in one("x{0 ~b ~c}").answers] == ["b", "c"]


def test_only_the_last_four_signs_begin_the_general_feedback() -> None:
    question = one("x{=a#b####c ~d ####e}")
    assert question.general.text == "e"
    assert question.answers[0].feedback.text == "b####c"


def test_formats_go_down_from_the_question_to_its_parts() -> None:
    question = one("[markdown]x{=a#[html]b ~[plain]c ####d}")
    assert question.text.form == "markdown"
    assert [answer.text.form for answer in question.answers] == ["markdown", "plain"]
    assert [answer.feedback.form for answer in question.answers] == ["html", "markdown"]
    assert question.general.form == "markdown"


def test_a_bracket_that_names_no_format_is_text() -> None:
    assert one("[latex]x{T}").text == Rich("[latex]x")
    assert one("[html x{T}").text == Rich("[html x")


def test_the_feedback_of_true_and_false_goes_to_the_right_one() -> None:
    true, false = one("x{T#no#yes}").answers
    assert (true.fraction, true.feedback.text, false.feedback.text) == (1.0, "yes", "no")
    true, false = one("x{F#no#yes}").answers
    assert (true.fraction, true.feedback.text, false.feedback.text) == (0.0, "no", "yes")


def test_an_id_and_tags_stand_in_comments() -> None:
    question = one("// [id: a\\]b ] [tag:o\\]e] and [tag:two<three]\n// [id:c][tag:two]\nx{T}")
    assert (question.idnumber, question.tags) == ("a]b", ("o]e", "two"))


def test_a_comment_within_a_question_leaves_an_empty_line() -> None:
    assert one("a\n// x\nb{T}").text.text == "a\n \nb"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x {=a", "there is a “{” but no “}”"),
        ("x =a}", "there is a “}” but no “{”"),
        ("x } {T", "a “}” comes before the first “{”"),
        ("x {~a}", "needs at least two answers"),
        ("x {" + "~a" * 27 + "}", "more than 26 answers"),
    ],
)
def test_a_refusal_is_told_with_its_line(text: str, told: str) -> None:
    found = fault(f"// c\n{text}")
    assert found.line == 2
    assert told in found.text


def test_a_second_pair_of_braces_is_doubted() -> None:
    [doubt] = one("One?{T}\nTwo?{F}").doubts
    assert "a blank line may be missing" in doubt
    assert one(r"One?{T} \{x\}").doubts == ()


def test_a_weight_behind_the_equals_sign_is_doubted() -> None:
    question = one("x{=%100%a ~b}")
    assert question.answers[0].text.text == "%100%a"
    assert question.doubts == ("a weight stands behind “=”, where it is read as text",)


def test_names_are_short_and_without_tags() -> None:
    assert one("<p>What is <b>it</b>? 1 < 2</p>{T}").name == "What is it? 1 < 2"
    assert one("a" * 81 + "{T}").name == "a" * 77 + "..."
    assert one("::" + "a" * 256 + "::b{T}").name == "a" * 248 + "..."
    assert one("0 {T}").name == "Question"
