"""Letters: text points at options, and is shown with the letters that they have in an order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bank.letters import LETTERS, letter_of, lettered, literal, references, replaced

FOUR = (0, 1, 2, 3)
ORDERS = st.integers(2, 8).flatmap(lambda count: st.permutations(range(count)))


def name_of(option: int) -> str:
    """The reference to an option, as an author writes it."""
    return "{" + "abcdefgh"[option] + "}"


# --- letters ------------------------------------------------------------------------------------


@given(ORDERS)
def test_a_letter_leads_back_to_its_option(order: Sequence[int]) -> None:
    for option in range(len(order)):
        assert order[LETTERS.index(letter_of(option, order))] == option


def test_the_letter_is_the_position_at_which_an_option_is_shown() -> None:
    assert [letter_of(option, (2, 0, 3, 1)) for option in FOUR] == ["B", "D", "A", "C"]


def test_eight_options_have_eight_letters() -> None:
    assert "".join(letter_of(option, range(8)) for option in range(8)) == "ABCDEFGH"


# --- references ---------------------------------------------------------------------------------


def test_in_the_files_own_order_each_reference_becomes_its_own_letter() -> None:
    text = "{a} beats {b}, {c} and {d}."
    assert lettered(text, FOUR) == "**A** beats **B**, **C** and **D**."


@pytest.mark.parametrize("order", list(permutations(FOUR)))
def test_each_reference_becomes_the_letter_of_its_option_in_that_order(
    order: tuple[int, ...],
) -> None:
    # harvard-edge/cs249r_book PR#1035, fsense/cefra#117: an explanation that blames the key
    shown = {option: "ABCD"[position] for position, option in enumerate(order)}
    assert lettered("{a}, {b}, {c}; {d}", order) == (
        f"**{shown[0]}**, **{shown[1]}**, **{shown[2]}**; **{shown[3]}**"
    )


@given(ORDERS, st.data())
def test_any_prose_keeps_all_but_its_references(order: Sequence[int], data: st.DataObject) -> None:
    words = st.text(alphabet="abc XYZ.{}\n*_é😀", max_size=8).filter(
        lambda word: not references(word)
    )
    pieces = data.draw(st.lists(st.tuples(words, st.sampled_from(order)), max_size=6))
    text = "".join(f"{word}|{name_of(option)}|" for word, option in pieces)
    assert lettered(text, order) == "".join(
        f"{word}|**{letter_of(option, order)}**|" for word, option in pieces
    )
    assert references(text) == {option for _, option in pieces}


def test_a_reference_that_is_written_twice_is_replaced_twice() -> None:
    assert lettered("{b}{b} and {b}", (1, 0)) == "**A****A** and **A**"


@pytest.mark.parametrize(
    "text",
    [
        "{i}",
        "{x}",
        "{A}",
        "{ab}",
        "{}",
        "{ a }",
        "{0}",
        "{a",
        "a}",
        "$\\frac{n}{k}$",
        "Option B",
        "",
    ],
)
def test_what_is_no_reference_stays_as_it_is(text: str) -> None:
    # python-discord/bot#434
    assert lettered(text, (3, 2, 1, 0)) == text
    assert references(text) == set()


# --- code is literal ----------------------------------------------------------------------------

CODE = {
    "a span": "`{a}`",
    "a span with more in it": '`print(f"{a} {b}")`',
    "a span of two backticks": "``{a}``",
    "a span of two backticks around one": "`` ` {a} ``",
    "a fence": "```\n{a}\n```",
    "a fence with a language": '```python\nprint(f"{a}")\n\nprint("{b}")\n```',
    "a fence on one line": "```{a}```",
    "a fence with a backtick in it": "```\necho `date` {a}\n```",
    "a fence of four around one of three": "````\n```\n{a}\n```\n````",
    "a fence with braces of its own": "```json\n{\n  {b}\n}\n```",
}


@pytest.mark.parametrize("code", CODE.values(), ids=CODE.keys())
def test_code_is_literal_and_the_prose_around_it_is_not(code: str) -> None:
    order = (1, 0, 2, 3)
    assert lettered(code, order) == code
    assert references(code) == set()
    assert lettered(f"{{a}}:\n{code}\n{{c}}", order) == f"**B**:\n{code}\n**C**"
    assert references(f"{{a}}:\n{code}\n{{c}}") == {0, 2}


def test_prose_between_two_spans_is_prose() -> None:
    assert lettered("`{a}` {a} `{a}` {b} `x`", FOUR) == "`{a}` **A** `{a}` **B** `x`"


def test_prose_between_two_fences_is_prose() -> None:
    text = "```\n{a}\n```\n{a}\n```\n{b}\n```\n{b}"
    assert lettered(text, FOUR) == "```\n{a}\n```\n**A**\n```\n{b}\n```\n**B**"


def test_a_lone_backtick_opens_no_code() -> None:
    assert lettered("The ` sign.\n{a} and ` again", FOUR) == "The ` sign.\n**A** and ` again"


def test_code_alone_points_at_no_option() -> None:
    """A deck's check must not take an f-string's {h} for an option that is missing."""
    assert references('Use `f"{h}"` as {b} says, or\n```\n{g}\n```\nas {a} does.') == {0, 1}


def test_a_backslash_keeps_braces_what_they_are() -> None:
    assert lettered(r"the set \{a} and {a}", (1, 0)) == r"the set \{a} and **B**"
    assert references(r"\{a} \\{b}") == {1}


# --- text of others -----------------------------------------------------------------------------


@given(st.text(st.sampled_from("{}abch\\`\n x")))
def test_literal_text_points_at_nothing_and_shows_the_same_braces(text: str) -> None:
    plain = literal(text)
    assert references(plain) == set()
    assert literal(plain) == plain
    assert len(plain) == len(text) + len(list_of_references(text))


def list_of_references(text: str) -> list[int]:
    found: list[int] = []
    replaced(text, lambda option: str(found.append(option)))
    return found


def test_a_reference_may_be_replaced_by_anything() -> None:
    assert replaced("{b}, `{b}`, \\{b}", lambda option: f"<{option}>") == "<1>, `{b}`, \\{b}"


def test_fences_that_nobody_closes_cost_no_time() -> None:
    # Each is shorter than the one before, so that none closes it.
    text = " ".join("`" * length for length in range(1_000, 0, -1))
    assert references(f"{text} {{a}}") == {0}
