r"""Letters, pure: an option has one only inside an order, so text holds references, never letters.

In a question file `{a}` points at the first option of that file. In a drop it is shown as the
letter of the position where that option stands. A backslash, `\{a}`, keeps braces what they are,
as in Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

LETTERS = "ABCDEFGH"

# Code is literal: an f-string's {a} inside backticks is no reference. As in CommonMark, code ends
# at a run of as many backticks as began it; only a fence, of three or more, spans lines. Few
# lengths of a fence are known, so that fences which nobody closes cost no time to speak of.
_TOKEN = re.compile(
    r"(?<!`)(`{3,12})(?!`).*?(?<!`)\1`*"
    r"|(?<!`)(`{1,2})(?!`)[^\n]*?(?<!`)\2(?!`)"
    r"|\\.|\{(?P<name>[a-h])\}",
    re.DOTALL,
)


def letter_of(option: int, order: Sequence[int]) -> str:
    """The letter shown for `option` (an index into the question's options) in `order`."""
    return LETTERS[order.index(option)]


def in_order(options: Iterable[int], order: Sequence[int]) -> list[int]:
    """Several options as they stand in `order`."""
    return sorted(options, key=order.index)


def letters_of(options: Iterable[int], order: Sequence[int]) -> list[str]:
    """The letters of several options in `order`, as they stand there: A before C."""
    return [letter_of(option, order) for option in in_order(options, order)]


def references(text: str) -> set[int]:
    """The option indices that `text` points at, code left aside."""
    return {_option(found["name"]) for found in _TOKEN.finditer(text) if found["name"]}


def lettered(text: str, order: Sequence[int]) -> str:
    """`text` with each reference replaced by the bold letter that its option has in `order`."""
    return replaced(text, lambda option: f"**{letter_of(option, order)}**")


def replaced(text: str, by: Callable[[int], str]) -> str:
    """`text` with each reference replaced by what `by` gives for its option's index."""

    def instead(found: re.Match[str]) -> str:
        return by(_option(found["name"])) if found["name"] else found[0]

    return _TOKEN.sub(instead, text)


def literal(text: str) -> str:
    """`text` with a backslash before what would be a reference, so that it points at nothing."""
    return _TOKEN.sub(lambda found: f"\\{found[0]}" if found["name"] else found[0], text)


def _option(name: str) -> int:
    return ord(name) - ord("a")
