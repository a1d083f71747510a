"""Letters, pure: an option has one only inside an order, so text holds references, never letters.

In a question file `{a}` points at the first option of that file. In a drop it is shown as the
letter of the position where that option stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

LETTERS = "ABCDEFGH"

# Code is literal: an f-string's {a} inside backticks is no reference.
_CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
_REFERENCE = re.compile(r"\{([a-h])\}")


def letter_of(option: int, order: Sequence[int]) -> str:
    """The letter shown for `option` (an index into the question's options) in `order`."""
    return LETTERS[order.index(option)]


def references(text: str) -> set[int]:
    """The option indices that `text` points at, code left aside."""
    prose = "".join(_CODE.split(text)[::2])
    return {ord(name) - ord("a") for name in _REFERENCE.findall(prose)}


def lettered(text: str, order: Sequence[int]) -> str:
    """`text` with each reference replaced by the bold letter that its option has in `order`."""
    parts = _CODE.split(text)  # prose at even places, code at odd ones
    parts[::2] = [
        _REFERENCE.sub(lambda ref: f"**{letter_of(ord(ref[1]) - ord('a'), order)}**", prose)
        for prose in parts[::2]
    ]
    return "".join(parts)
