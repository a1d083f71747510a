"""The question file: what each part becomes, and that each mistake is a fault with its line."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bank.formats.deck.question_file import QuestionFile, read_question_file
from bank.formats.reading import DraftOption
from bank.models import Option

FILE = """\
---
domain: basics
tags: [water, kitchen]
image: images/kettle.png
alt: A kettle on a stove: steam leaves the spout.
sources: ["https://example.org/boiling"]
---
A cook takes a kettle up a mountain
and puts it on the stove.

When does the water boil?

- [ ] At the same temperature
  > *Takes a boiling point for a constant.* It is learned as one number, yet
  > it falls with the pressure of the air.
- [ ] At a higher temperature
  > *Thinks of a pressure cooker.* A closed lid raises the pressure; a
  > mountain lowers it.
- [x] At a lower temperature
  > Less air presses on the water, so its bubbles
  > form sooner.

## Short explanation

Up there the air is a thinner blanket. The water
throws it off more easily.

## Full explanation

Water boils when its vapour reaches the pressure around it.

{c} follows from that. {a} forgets the pressure, and
{b} turns it round.
"""


def changed(old: str, new: str) -> str:
    """FILE with one passage replaced."""
    assert FILE.count(old) == 1
    return FILE.replace(old, new)


def with_options(options: str) -> str:
    """FILE with other options and with explanations that point at none of them."""
    start, end = FILE.index("- [ ] At the same"), FILE.index("## Short")
    return FILE[:start] + options + "\n" + FILE[end : FILE.index("{c} follows")]


def with_first_option(option: str) -> str:
    """FILE whose first option is the given one."""
    start, end = FILE.index("- [ ] At the same"), FILE.index("- [ ] At a higher")
    return FILE[:start] + option + FILE[end:]


def read(text: str) -> QuestionFile:
    """The parts of a file that has no faults."""
    found = read_question_file(text)
    assert found.faults == []
    return found


def line_of(text: str, passage: str) -> int:
    """The line, from 1, on which a passage begins that stands once in the text."""
    assert text.count(passage) == 1
    return text[: text.index(passage)].count("\n") + 1


def faults(text: str) -> list[tuple[int, str]]:
    return sorted(read_question_file(text).faults)


# What each part becomes


def test_a_file_is_cut_into_its_parts() -> None:
    found = read(FILE)
    assert found.text("domain") == "basics"
    assert found.items("tags") == ("water", "kitchen")
    assert found.text("image") == "images/kettle.png"
    assert found.text("alt") == "A kettle on a stove: steam leaves the spout."
    assert found.items("sources") == ("https://example.org/boiling",)
    assert found.stem == (
        "A cook takes a kettle up a mountain and puts it on the stove.\n\nWhen does the water boil?"
    )
    assert found.options == (
        Option(
            text="At the same temperature",
            correct=False,
            misconception="Takes a boiling point for a constant",
            rationale="It is learned as one number, yet it falls with the pressure of the air.",
        ),
        Option(
            text="At a higher temperature",
            correct=False,
            misconception="Thinks of a pressure cooker",
            rationale="A closed lid raises the pressure; a mountain lowers it.",
        ),
        Option(
            text="At a lower temperature",
            correct=True,
            rationale="Less air presses on the water, so its bubbles form sooner.",
        ),
    )
    assert found.short == (
        "Up there the air is a thinner blanket. The water throws it off more easily."
    )
    assert found.full == (
        "Water boils when its vapour reaches the pressure around it.\n\n"
        "{c} follows from that. {a} forgets the pressure, and {b} turns it round."
    )


def test_each_part_knows_its_line() -> None:
    found = read(FILE)
    assert found.line("alt") == line_of(FILE, "alt:")
    assert found.stem_line == line_of(FILE, "A cook")
    assert found.options_line == line_of(FILE, "- [ ] At the same")


def test_one_text_where_a_list_is_meant_is_a_list_of_one() -> None:
    assert read(changed("[water, kitchen]", "water")).items("tags") == ("water",)


def test_windows_line_ends_make_no_difference() -> None:
    unix, windows = read(FILE), read(FILE.replace("\n", "\r\n"))
    assert windows == unix


def test_sections_may_stand_in_either_order() -> None:
    start, middle = FILE.index("## Short"), FILE.index("## Full")
    turned = FILE[:start] + FILE[middle:] + "\n" + FILE[start:middle]
    assert read(turned).short == read(FILE).short
    assert read(turned).full == read(FILE).full


def test_a_heading_may_be_written_in_capitals() -> None:
    assert read(changed("## Short explanation", "## SHORT EXPLANATION")) == read(FILE)


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("one\ntwo\nthree", "one two three"),
        ("one\n   two", "one two"),
        ("one\n\ntwo\nthree", "one\n\ntwo three"),
        ("hard\\\nbreak", "hard\nbreak"),
        ("hard  \nbreak\nand on", "hard\nbreak and on"),
        ("a folder C:\\\\\nand on", "a folder C:\\\\ and on"),
        ("```\none\n\n  two\n```", "```\none\n\n  two\n```"),
        ("~~~sh\n# one\ntwo\n~~~", "~~~sh\n# one\ntwo\n~~~"),
        ("as in\n\n    one\n    two", "as in\n\n    one\n    two"),
        ("* one\n* two", "* one\n* two"),
        (
            "1. one\n   goes on\n2. two\n   - three\n     too",
            "1. one goes on\n2. two\n   - three too",
        ),
        ("> one\n> two", "> one two"),
        ("> ## A note\n> one\n> two", "> ## A note\n> one two"),
        ("`code\nof two` lines", "`code of two` lines"),
        ("literal `__init__` and __init__", "literal `__init__` and __init__"),
        ("1 < 2 &deg; &amp; \\*", "1 < 2 &deg; &amp; \\*"),
    ],
)
def test_wrapped_paragraphs_become_one_line_and_all_else_stays(written: str, becomes: str) -> None:
    assert read(changed("When does the water boil?", written)).stem.endswith(f"\n\n{becomes}")
    assert read(changed("Water boils when its", f"{written}\n\nSo")).full.startswith(f"{becomes}\n")


@pytest.mark.parametrize("words", ["\n\nOne of them:\n", "\n\n<!-- options -->\n"])
def test_a_stem_may_hold_a_list_of_its_own(words: str) -> None:
    text = changed("When does the water boil?", f"It has:\n\n- a lid\n- a spout{words}")
    assert "- a lid\n- a spout" in read(text).stem
    assert read(text).options == read(FILE).options


def test_a_list_with_another_bullet_may_stand_right_before_the_options() -> None:
    text = changed("When does the water boil?", "It has:\n\n* a lid\n* a spout")
    assert read(text).stem.endswith("* a lid\n* a spout")
    assert read(text).options == read(FILE).options


CODE = "```md\n- [ ] x\n  > why\n## Full explanation\n{h}\n```"


def test_code_in_the_stem_may_look_like_options_and_sections() -> None:
    found = read(changed("When does the water boil?", f"What is this?\n\n{CODE}"))
    assert found.stem.endswith(CODE)
    assert len(found.options) == 3
    assert found.full == read(FILE).full


def test_code_in_an_option_may_look_like_options_and_sections() -> None:
    inside = CODE.replace("\n", "\n  ")
    found = read(with_first_option(f"- [ ] This:\n\n  {inside}\n\n  > Why not.\n"))
    assert found.options[0].text == f"This:\n\n{CODE}"
    assert found.options[1:] == read(FILE).options[1:]


def test_code_in_a_rationale_or_section_may_look_like_options_and_sections() -> None:
    inside = CODE.replace("\n", "\n  > ")
    text = with_first_option(f"- [ ] This\n  > Why not:\n  >\n  > {inside}\n")
    found = read(text.replace("Water boils", f"{CODE}\n\nWater boils"))
    assert found.options[0].rationale == f"Why not:\n\n{CODE}"
    assert found.full.startswith(CODE)


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("- [ ] A long text\n  that goes on\n  > Why.\n", "A long text that goes on"),
        ("- [ ] A long text\nthat goes on\n  > Why.\n", "A long text that goes on"),
        ("-   [ ] A long text\n    that goes on\n    > Why.\n", "A long text that goes on"),
        ("- [ ] Two\n\n  paragraphs\n\n  > Why.\n", "Two\n\nparagraphs"),
        ("- [ ] Both:\n  - a lid\n  - a spout\n\n  > Why.\n", "Both:\n- a lid\n- a spout"),
        ("- [ ] `- [x] code`\n  > Why.\n", "`- [x] code`"),
        ("- [ ] [a link](https://example.org)\n  > Why.\n", "[a link](https://example.org)"),
    ],
)
def test_an_option_keeps_the_shape_of_its_text(option: str, text: str) -> None:
    assert read(with_first_option(option)).options[0].text == text


def test_wide_bullets_are_read_as_well() -> None:
    options = "".join(
        f"-   [{box}] {text}\n\n        {text}()\n\n    > Why {text}.\n"
        for box, text in ((" ", "one"), ("x", "two"))
    )
    found = read(with_options(options))
    assert [option.text for option in found.options] == ["one\n\n    one()", "two\n\n    two()"]
    assert [option.rationale for option in found.options] == ["Why one.", "Why two."]


def test_a_capital_x_marks_the_key_too() -> None:
    assert read(changed("- [x]", "- [X]")).options == read(FILE).options


@pytest.mark.parametrize(
    ("rationale", "misconception", "rest"),
    [
        ("*Takes one for two.* Why.", "Takes one for two", "Why."),
        ("_Takes one for two._ Why.", "Takes one for two", "Why."),
        ("*Takes one\n  > for two.*\n  > Why.", "Takes one for two", "Why."),
        ("*Takes one for two.*\n  >\n  > Why.", "Takes one for two", "Why."),
        ("_Takes `a_b` for c_d._ Why.", "Takes `a_b` for c_d", "Why."),
        ("*Takes **one** for two.* Why.", "Takes **one** for two", "Why."),
        ("*Takes `a*b` for two.* Why.", "Takes `a*b` for two", "Why."),
        ("Why *this* is wrong.", None, "Why *this* is wrong."),
        ("**Takes one for two.** Why.", None, "**Takes one for two.** Why."),
        ("_private_name is a name.", None, "_private_name is a name."),
        ("__init__ is a name.", None, "__init__ is a name."),
        ("`*a*` is code.", None, "`*a*` is code."),
        ("*2 * 3.* is a sum.", "2 * 3", "is a sum."),
        ("*Training* needs more.", None, "*Training* needs more."),
    ],
)
def test_a_misconception_is_the_sentence_that_leads_a_distractor_in_emphasis(
    rationale: str, misconception: str | None, rest: str
) -> None:
    option = read(with_first_option(f"- [ ] One\n  > {rationale}\n")).options[0]
    assert (option.misconception, option.rationale) == (misconception, rest)


@pytest.mark.parametrize("mark", ["*", "_"])
def test_a_key_has_no_misconception_however_its_rationale_begins(mark: str) -> None:
    key = read(changed("> Less air", f"> {mark}Think of air.{mark} Less air")).options[2]
    assert key.correct
    assert key.misconception is None
    assert key.rationale.startswith(f"{mark}Think of air.{mark} Less air presses")


def test_a_rationale_may_have_several_lines_paragraphs_and_a_list() -> None:
    text = changed(
        "  > form sooner.\n", "  > form\n  > sooner.\n  >\n  > Also:\n  >\n  > * a\n  > * b\n"
    )
    assert read(text).options[2].rationale == (
        "Less air presses on the water, so its bubbles form sooner.\n\nAlso:\n\n* a\n* b"
    )


# Each mistake is a fault with its line


def without(start: str, end: str) -> str:
    """FILE without what stands from one passage up to another."""
    return FILE[: FILE.index(start)] + FILE[FILE.index(end) :]


def test_a_missing_stem_is_a_fault_where_it_should_stand() -> None:
    text = without("A cook", "- [ ] At the same")
    assert faults(text) == [
        (line_of(text, "- [ ] At the same"), "the stem is missing: write the question first")
    ]


def test_missing_options_are_one_fault_above_the_first_section() -> None:
    text = without("- [ ] At the same", "## Short")
    line = line_of(text, "## Short") - 1
    assert faults(text) == [(line, "no options found: write them as “- [ ] text”")]


def test_a_list_without_any_box_is_no_list_of_options() -> None:
    text = with_options("- One\n  > Why.\n- Two\n  > Why.\n")
    assert [text for _, text in faults(text)] == ["no options found: write them as “- [ ] text”"]


@pytest.mark.parametrize(
    "option",
    [
        "- No box\n  > Why.\n",
        "- [] No room in the box\n  > Why.\n",
        "- [v] Another mark\n  > Why.\n",
        "- [ ]No space after it\n  > Why.\n",
        "- > [ ] A quote\n",
        "- - [ ] A list\n  > Why.\n",
        "-\n  [ ] On the next line\n  > Why.\n",
    ],
)
def test_an_option_without_a_box_and_text_is_a_fault_on_its_line(option: str) -> None:
    text = with_first_option(option)
    line = line_of(text, option)
    assert faults(text) == [(line, "an option begins with “[ ]” or “[x]” and its text")]


def test_an_option_may_have_no_rationale_and_the_next_one_keeps_its_own() -> None:
    found = read(with_first_option("- [ ] At the same temperature\n\n  ```\n  {a}\n  ```\n"))
    assert found.options[0].text == "At the same temperature\n\n```\n{a}\n```"
    assert [bool(option.rationale) for option in found.options] == [False, True, True]


def test_a_misconception_may_stand_alone() -> None:
    option = read(with_first_option("- [ ] One\n  > *Only the misconception.*\n")).options[0]
    assert (option.misconception, option.rationale) == ("Only the misconception", "")


@pytest.mark.parametrize("fence", ["```", "~~~python"])
def test_code_that_begins_behind_a_box_is_a_fault_before_it_swallows_the_rationale(
    fence: str,
) -> None:
    text = with_first_option(f"- [x] {fence}\n  x = 1\n  {fence[:3]}\n  > Why so.\n")
    told = "leave the box alone on its line and begin the code below it"
    assert (line_of(text, f"- [x] {fence}"), told) in faults(text)


def test_an_empty_rationale_is_a_fault_on_its_line() -> None:
    text = with_first_option("- [ ] One\n  >\n")
    assert faults(text) == [(line_of(text, "- [ ] One") + 1, "the rationale is empty")]


@pytest.mark.parametrize("after", ["\n  > A second quote.", "\n  Some words.", "  ~~~\n  x\n  ```"])
def test_text_after_a_rationale_is_a_fault_on_its_own_line(after: str) -> None:
    text = with_first_option(f"- [ ] One\n  > Why.\n{after}\n")
    first = after.strip().splitlines()[0]
    line = line_of(text, f"  {first}\n")
    assert faults(text) == [(line, f"“{first}” stands after the option's rationale")]


def test_text_between_the_options_and_the_sections_is_a_fault_on_its_line() -> None:
    text = changed("## Short", "Some words.\nAnd more.\n\n## Short")
    assert faults(text) == [
        (
            line_of(text, "Some words."),
            "“Some words. And more.” stands between the options and the first section",
        )
    ]


@pytest.mark.parametrize("title", ["Short explanation", "Full explanation"])
def test_a_section_may_be_absent(title: str) -> None:
    text = without("## Short", "## Full") if title[0] == "S" else FILE[: FILE.index("## Full")]
    found = read(text)
    assert (bool(found.short), bool(found.full)) == (title[0] != "S", title[0] == "S")


@pytest.mark.parametrize("title", ["Short explanation", "Full explanation"])
def test_an_empty_section_is_a_fault_on_its_heading(title: str) -> None:
    start = FILE.index(f"## {title}") + len(f"## {title}")
    end = FILE.index("## Full") if title[0] == "S" else len(FILE)
    text = f"{FILE[:start]}\n\n{FILE[end:]}"
    assert faults(text) == [(line_of(text, f"## {title}"), f"the section “## {title}” is empty")]


@pytest.mark.parametrize("heading", ["## Explanation", "# Kettles", "Sources\n---"])
def test_an_unknown_heading_is_a_fault_that_names_the_known_ones(heading: str) -> None:
    text = changed("{c} follows", f"{heading}\n\n{{c}} follows")
    name = heading.lstrip("# ").splitlines()[0]
    sections = "“## Short explanation” and “## Full explanation”"
    assert faults(text) == [
        (line_of(text, heading), f"unknown heading “{name}”; the sections are {sections}")
    ]


def test_a_smaller_heading_belongs_to_its_section() -> None:
    text = changed("{c} follows", "### Why\n\n{c} follows")
    assert "### Why\n\n{c} follows" in read(text).full


def test_a_section_that_stands_twice_is_a_fault_on_the_second_heading() -> None:
    text = f"{FILE}\n## Short explanation\n\nOnce more.\n"
    line = len(FILE.splitlines()) + 2
    assert faults(text) == [(line, "“## Short explanation” stands twice")]


def test_an_unknown_key_is_a_fault_that_names_the_known_ones() -> None:
    text = changed("tags:", "tag:")
    keys = "domain, image, alt, exhibit, exhibit-alt, expires, tags, sources, lint"
    assert faults(text) == [(3, f"unknown key “tag”; the keys are {keys}")]


def test_a_key_that_stands_twice_is_a_fault_with_both_lines() -> None:
    text = changed("alt:", "domain: other\nalt:")
    assert faults(text) == [(5, "“domain” stands twice, first on line 2")]


@pytest.mark.parametrize("title", ["Short explanation", "Full explanation"])
@pytest.mark.parametrize("name", ["{d}", "{h}"])
def test_a_reference_beyond_the_options_is_a_fault_on_its_section(title: str, name: str) -> None:
    text = changed(f"## {title}\n", f"## {title}\n\nUnlike {name}, this is so.\n")
    assert faults(text) == [
        (line_of(text, f"## {title}"), f"{name} points at no option of this question")
    ]


def test_a_reference_in_code_points_at_nothing() -> None:
    text = changed("{c} follows", '`f"{e}"`\n\n```\n{f}\n```\n\n{c} follows')
    assert '`f"{e}"`' in read(text).full


def test_a_missing_rationale_makes_no_reference_wrong() -> None:
    text = with_first_option("- [ ] At the same temperature\n")
    assert not [text for _, text in faults(text) if "points at no option" in text]


def test_a_rationale_and_an_option_may_point_at_other_options() -> None:
    text = changed("> Less air presses", "> Unlike {b}, less air presses")
    assert read(text).options[2].rationale.startswith("Unlike {b}, less")


def test_a_reference_beyond_the_options_is_a_fault_on_the_line_of_its_option() -> None:
    text = changed("> Less air presses", "> Unlike {d}, less air presses")
    line = line_of(text, "> Unlike") - 1
    assert faults(text) == [(line, "{d} points at no option of this question")]


def test_missing_front_matter_is_a_fault_and_the_body_is_read_all_the_same() -> None:
    found = read_question_file(FILE[FILE.index("A cook") :])
    assert found.faults == [(1, "the file must begin with front matter between two “---” lines")]
    assert len(found.options) == 3


def test_unclosed_front_matter_is_the_only_fault_that_is_reported() -> None:
    text = FILE.replace("---\nA cook", "A cook")
    assert faults(text) == [(1, "the front matter is never closed: add a second “---” line")]


def test_lines_are_counted_as_an_editor_counts_them() -> None:
    text = changed("A cook takes", "A\u2028cook\x0ctakes\x85").replace("{a}", "{g}")
    assert faults(text) == [(line_of(text, "## Full"), "{g} points at no option of this question")]


def test_all_mistakes_of_a_file_are_reported_at_once() -> None:
    text = FILE.replace("tags:", "tag:")
    text = text.replace("- [ ] At a higher", "- At a higher")
    text = text.replace("## Short", "Some words.\n\n## Short")
    text = text.replace("{b} turns it round.", "{g} turns it round.\n\n## Sources")
    assert [(line, text[:20]) for line, text in faults(text)] == [
        (line_of(text, "tag:"), "unknown key “tag”; t"),
        (line_of(text, "- At a higher"), "an option begins wit"),
        (line_of(text, "Some words."), "“Some words.” stands"),
        (line_of(text, "## Full"), "{g} points at no opt"),
        (line_of(text, "## Sources"), "unknown heading “Sou"),
    ]


# Whatever it is given, it never raises

BLOCKS = ["---", "\n", "\n\n", "- [ ] ", "- [x] ", "- ", "* ", "-\t", "> ", "  ", "    ", "1. "]
SECTIONS = ["## Short explanation", "## Full explanation", "## ", "===", "domain: a", "tags: [a"]
SIGNS = ["```", "~~~", "`", "*", "_", "\\", "{a}", "{h}", "[", "]", ":", "<!--", "&", "[a]: b"]
RARE = ["\t", "\x00", "\u2028", "\x0c", "\x85", "\r", "é"]
PIECES = st.sampled_from([*BLOCKS, *SECTIONS, *SIGNS, *RARE])
PIECEMEAL = st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join)


def holds_together(text: str) -> None:
    """Reading neither raises nor puts a fault outside the file, and is the same every time."""
    found = read_question_file(text)
    unix = text.replace("\r\n", "\n").replace("\r", "\n")
    last = unix.removesuffix("\n").count("\n") + 1
    assert [fault for fault in found.faults if not 1 <= fault[0] <= last] == []
    assert found == read_question_file(text)
    assert found.faults or (found.stem and found.options)


@settings(deadline=None)
@given(st.text() | PIECEMEAL)
@example("")
@example("---\n---\n")
@example("---\ndomain: a\n")
def test_any_text_is_read_without_raising(text: str) -> None:
    holds_together(text)


@settings(deadline=None, max_examples=200)
@given(st.integers(0, len(FILE)), st.integers(0, 60), PIECEMEAL)
@example(FILE.index("[ ] At the same"), 0, "> ")
@example(FILE.index("[ ] At the same"), 0, "- ")
def test_a_damaged_file_is_read_without_raising(start: int, length: int, put: str) -> None:
    holds_together(FILE[:start] + put + FILE[start + length :])


@settings(deadline=None)
@given(st.lists(st.integers(0, FILE.count("\n") - 1), max_size=8))
def test_a_file_with_repeated_lines_is_read_without_raising(order: list[int]) -> None:
    lines = FILE.splitlines()
    for at in order:
        lines.insert(len(lines) - at, lines[at])
    holds_together("\n".join(lines))


def test_an_option_without_a_text_is_told_and_its_rationale_is_read() -> None:
    text = with_first_option("- [x]\n  > *Half of it.* Why.\n")
    found = read_question_file(text)
    line = line_of(text, "- [x]\n  > *Half")
    assert found.faults == found.gaps == [(line, "option 1 has no text")]
    assert found.offered[0] == DraftOption("", True, "*Half of it.* Why.")
    assert [option.text for option in found.options] == [
        option.text for option in found.offered[1:]
    ]


def test_an_option_may_be_a_block_of_code_whose_tabs_are_kept() -> None:
    code = "```go\nif x {\n\treturn\n}\n```"
    option = "- [ ]\n" + "".join(f"  {line}\n" for line in code.split("\n")) + "  > Why.\n"
    found = read(with_first_option(option))
    assert found.options[0].text == code
    assert found.options[0].rationale == "Why."
