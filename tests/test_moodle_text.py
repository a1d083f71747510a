"""Texts as Moodle holds them, and as a question holds them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from bank.formats.moodle_text import (
    Explained,
    Form,
    category_of,
    explained,
    explanation_shown,
    is_ours,
    markdown,
    own_reason,
    reason_shown,
    shown,
)
from bank.models import Option, Question
from tests.nasty import CODE, questions


@settings(max_examples=150, deadline=None)
@given(questions())
def test_what_is_written_is_read_back_exactly(question: Question) -> None:
    options = question.options
    assert markdown(shown(question.stem, options), Form.MARKDOWN) == question.stem
    for option in options:
        assert markdown(shown(option.text, options), Form.MARKDOWN) == option.text
        read = own_reason(reason_shown(option, options), Form.MARKDOWN, option.correct)
        assert read == (option.misconception, option.rationale)
    feedback = explanation_shown(question)
    assert is_ours(feedback)
    read = explained(feedback, Form.MARKDOWN, len(options))
    assert read == Explained(question.short, question.full, question.sources)


def option(text: str, rationale: str = "", misconception: str | None = None) -> Option:
    return Option(text=text, correct=False, rationale=rationale, misconception=misconception)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Serving", "“Serving”"),
        ("**Bold** and `a_b` [x](https://example.org)", "“Bold and a_b x”"),
        (CODE, "“print(f'{a}') # &lt;b&gt; *x*”"),
        ("2 < 3 *or* 4 & 5 \\* 6", "“2 &lt; 3 or 4 &amp; 5 * 6”"),
        ("Both {a} and {b}", "“Both … and …”"),
        ("x" * 90, "“" + "x" * 79 + "…”"),
    ],
)
def test_a_reference_shows_the_options_own_text(text: str, seen: str) -> None:
    written = shown("Not {b}, says `{b}`.", [option("first"), option(text)])
    page = MarkdownIt("commonmark").render(written)
    expected = f'<p>Not <span class="quizdrop-b">{seen}</span>, says <code>{{b}}</code>.</p>\n'
    assert page == expected


def test_a_misconception_is_a_leading_emphasised_sentence() -> None:
    options = [option("x", "It is not {a}.", "Takes x for y")]
    written = reason_shown(options[0], options)
    assert written.startswith("*Takes x for y.* It is not <span")


def test_an_emphasised_sentence_that_is_no_misconception_stays_in_the_rationale() -> None:
    options = [option("x", "*Never do this.* It burns.")]
    read = own_reason(reason_shown(options[0], options), Form.MARKDOWN, correct=False)
    assert read == (None, "*Never do this.* It burns.")


def test_an_emphasised_sentence_of_a_right_answer_is_written_as_it_is() -> None:
    key = Option(text="x", correct=True, rationale="*Always do this.* It helps.")
    assert reason_shown(key, [key]) == key.rationale


def test_an_explanation_reads_like_a_page() -> None:
    question = Question(
        deck="sample",
        slug="first",
        domain="basics",
        stem="x",
        options=(option("one"), Option(text="two", correct=True)),
        short="In short.",
        full="At length: {b}.",
        sources=("https://example.org/a", "A book"),
    )
    assert explanation_shown(question) == (
        "<!-- quizdrop -->\n\n## Short explanation\n\nIn short.\n\n## Full explanation\n\n"
        'At length: <span class="quizdrop-b">“two”</span>.\n\n'
        "## Sources\n\n- <https://example.org/a>\n- A book"
    )


def test_a_feedback_of_others_is_the_full_explanation_with_references() -> None:
    read = explained("<p>Option B is right, as {b} shows.</p>", Form.HTML, 4)
    assert read == Explained(full=r"Option {b} is right, as \{b} shows.")


def test_headings_divide_a_feedback_of_others_too() -> None:
    text = "Before.\n\n## Short explanation\n\nS\n\n## Sources\n* <https://example.org>\n* [x](y)"
    read = explained(text, Form.MARKDOWN, 4)
    assert read == Explained(short="S", full="Before.", sources=("https://example.org", "[x](y)"))


def test_our_spans_stay_references_when_a_teacher_turns_the_text_into_html() -> None:
    text = '<p>Not <span class="quizdrop-c">“a &amp; b”</span>.</p>'
    assert markdown(text, Form.HTML) == "Not {c}."


@pytest.mark.parametrize(
    ("text", "form", "read"),
    [
        ("one\ntwo", Form.MOODLE, "one\ntwo"),
        ("one\n<b>two</b>", Form.MOODLE, "one\n**two**"),
        ("1 < 2 *x*\n- y", Form.MOODLE, "1 < 2 \\*x\\*\n\\- y"),
        ("<p>one</p>\n<p>two</p>", Form.MOODLE, "one\n\ntwo"),
        ("<b>x</b> & *y*", Form.PLAIN, "\\<b>x\\</b> & \\*y\\*"),
        ("**x** <b>", Form.MARKDOWN, "**x** <b>"),
        ("{a} `{a}`", Form.MARKDOWN, "\\{a} `{a}`"),
    ],
)
def test_each_text_format_shows_as_in_moodle(text: str, form: Form, read: str) -> None:
    assert markdown(text, form) == read


@pytest.mark.parametrize(
    ("path", "category"),
    [
        ("$course$/top/Default for Unit 1: Topic", "Default for Unit 1: Topic"),
        ("$course$/Networks/Fabric", "Networks/Fabric"),
        ("top/TCP//IP/ x ", "TCP∕IP/x"),
        ("Networks", "Networks"),
        ("$course$/top", None),
        ("", None),
    ],
)
def test_a_category_is_its_path_without_context(path: str, category: str | None) -> None:
    assert category_of(path) == category


@pytest.mark.parametrize("sign", ["<", "`", "*", "{a}", "\n", " ", "## Sources\n", "<span ", "*a"])
def test_much_of_one_sign_is_read_in_time(sign: str) -> None:
    text = sign * (300_000 // len(sign))
    for form in Form:
        explained(text, form, 4)
        own_reason(text, form, correct=False)


def test_the_spans_class_is_one_that_no_text_of_others_has() -> None:
    assert re.fullmatch(r'<span class="quizdrop-a">“x”</span>', shown("{a}", [option("x")]))
