"""Front matter: text stays text, lists hold what they are given, and every fault has its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bank.formats.deck.front_matter import FrontMatter, read_front_matter


def read(*entries: str) -> FrontMatter:
    """The front matter with these entries; the first one stands on line 2."""
    return read_front_matter(["---", *entries, "---", "The stem."])


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "no",
        "null",
        "~",
        "1.0",
        "007",
        "12:30",
        "2026-01-01",
        "Two arrows: a thick one for gradients, a thin one for requests.",
        "Rack #2 of a GPU cluster # seen from above",
        "It's a rack",
        "50 % of {a} & *half* of | the > rest",
        "https://example.org/a?b=c#d",
        '"Yes" and "no"',
        "'Racks' or 'rows'",
    ],
)
def test_text_stays_the_text_that_was_written(text: str) -> None:
    front = read(f"alt: {text}")
    assert front.values == {"alt": text}
    assert not front.faults


@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"])))
def test_any_plain_text_comes_back_as_it_is(text: str) -> None:
    front = read(f"alt: x{text}x")
    assert front.values == {"alt": f"x{text}x"}


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ('alt: "[one] and [two]"', "[one] and [two]"),
        ("alt: ' spaces at both ends '", " spaces at both ends "),
        ('alt: "it\'s"', "it's"),
        (r'alt: "a sign that says \"stop\""', 'a sign that says "stop"'),
        ('alt: ""', ""),
        ("alt:", ""),
        ("alt:   far to the right   ", "far to the right"),
        ('alt: "', '"'),
    ],
)
def test_quotes_around_a_whole_text_are_marks_and_no_part_of_it(entry: str, text: str) -> None:
    assert read(entry).values == {"alt": text}


@pytest.mark.parametrize(
    ("written", "items"),
    [
        ("[networking, training]", ("networking", "training")),
        ("[one]", ("one",)),
        ("[]", ()),
        ("[one, two,]", ("one", "two")),
        ("[  far ,apart  ]", ("far", "apart")),
        ("[two words, three of them]", ("two words", "three of them")),
        ("[yes, 1.0, 2026-01-01, 12:30]", ("yes", "1.0", "2026-01-01", "12:30")),
        ("""["one, two", 'three, four']""", ("one, two", "three, four")),
        ("""["it's", plain]""", ("it's", "plain")),
        ("""['the "key"', "[x]"]""", ('the "key"', "[x]")),
        (r'["the \"key\"", plain]', ('the "key"', "plain")),
        (
            '["https://example.org/a?b=c,d", https://example.org/#e]',
            ("https://example.org/a?b=c,d", "https://example.org/#e"),
        ),
    ],
)
def test_a_list_holds_its_items_as_text(written: str, items: tuple[str, ...]) -> None:
    front = read(f"tags: {written}")
    assert front.values == {"tags": items}
    assert not front.faults


@pytest.mark.parametrize(
    "written",
    ["[one, two", "[one,, two]", "[,]", '["one]', '[one "two"]', "[[one]]", "[don't, do]"],
)
def test_a_list_that_cannot_be_read_is_a_fault_with_its_key_and_line(written: str) -> None:
    front = read("domain: basics", f"tags: {written}")
    ((line, fault),) = front.faults
    assert line == 3
    assert fault.startswith("the list of “tags” cannot be read: write [one, two], or put quotes")
    assert "tags" not in front.values


def test_two_equal_keys_are_a_fault_that_names_both_lines() -> None:
    front = read("domain: basics", "alt: first", "domain: other")
    assert front.faults == [(4, "“domain” stands twice, first on line 2")]
    assert front.values["domain"] == "basics"


@pytest.mark.parametrize("line", ["just words", "Domain: basics", "domain:basics", "- item", "]"])
def test_a_line_that_is_no_entry_is_a_fault_that_quotes_it(line: str) -> None:
    assert read(line).faults == [(2, f"expected “key: value”, found “{line}”")]


def test_blank_lines_and_comments_are_skipped_and_still_counted() -> None:
    front = read("", "# for the printed book", "  # alt: not yet", "alt: a rack", "", "oops")
    assert front.values == {"alt": "a rack"}
    assert front.lines == {"alt": 5}
    assert front.faults == [(7, "expected “key: value”, found “oops”")]


def test_every_fault_is_reported_at_once() -> None:
    front = read("domain: a", "domain: b", "tags: [", "what is this")
    assert [line for line, _ in front.faults] == [3, 4, 5]


def test_the_body_starts_after_the_second_fence() -> None:
    lines = ["---", "domain: basics", "---", "The stem.", "---", "more"]
    assert read_front_matter(lines).body_starts == 3


@pytest.mark.parametrize("lines", [[], [""], ["The stem."], ["", "---", "domain: a", "---"]])
def test_missing_front_matter_is_a_fault_and_the_whole_file_is_body(lines: list[str]) -> None:
    front = read_front_matter(lines)
    assert front.faults == [(1, "the file must begin with front matter between two “---” lines")]
    assert front.body_starts == 0


def test_unclosed_front_matter_is_one_fault_and_not_one_more_for_each_line_of_the_body() -> None:
    front = read_front_matter(["---", "domain: basics", "", "What is it?", "", "- [ ] One"])
    assert front.faults == [(1, "the front matter is never closed: add a second “---” line")]
    assert front.body_starts == 6


def test_lines_with_carriage_returns_read_the_same() -> None:
    lines = ["---", "domain: basics", "tags: [one, 'two']", "alt: 'a: b'", "---", "The stem."]
    windows = read_front_matter([f"{line}\r" for line in lines])
    assert windows == read_front_matter(lines)
    assert windows.values == {"domain": "basics", "tags": ("one", "two"), "alt": "a: b"}


@given(st.lists(st.text() | st.sampled_from(["---", "a: [", "a: ['", 'a: "', "a: b", "b: [a]"])))
def test_no_lines_make_it_raise(lines: list[str]) -> None:
    front = read_front_matter(["---", *lines])
    assert front.values.keys() == front.lines.keys()
    assert 0 <= front.body_starts <= len(lines) + 1
