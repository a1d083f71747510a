"""Text cut into blocks and sentences by position, pure: nothing is changed and nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

_LINE = re.compile(r"[^\n]*\n?")
_MARK = re.compile(r"[ \t]{0,12}(?:[-*+•‣▪][ \t]|\d{1,3}[.)][ \t]|#{1,6}[ \t])")
_HEADING = re.compile(
    r"[ \t]{0,3}#{1,6}[ \t]|[^\n]{1,90}:[*_ \t]{0,4}\n?$"
    r"|[ \t]{0,3}\*\*[^\n]{1,90}\*\*:?[ \t]{0,4}\n?$"
)
# A sentence ends at a full stop with what closes it, before space and what can begin the next.
SENTENCE_END = re.compile(r"(?<![.!?])[.!?]{1,9}[\"”’)\]*_]{0,4}(?=\s{1,9}[^a-z\s,;])")
_NO_STOP = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|mr|mrs|dr|st|no|fig|approx|resp|incl|al|eq)"
    r"|\b[A-Z]\.[A-Z])\.$",
    re.IGNORECASE,
)


class Block(NamedTuple):
    """A paragraph, or an item of a list with its mark: `text[start:end]`."""

    start: int
    end: int
    marked: bool  # it begins with a bullet, a number or a letter
    apart: bool  # a blank line stands before it
    heading: bool  # a line that says what the next ones are about


def blocks_of(text: str, marks: Container[int]) -> Iterator[Block]:
    """The blocks of a text. A line that starts at one of `marks` begins a block of its own."""
    start, marked, apart = 0, False, True
    for line in _LINE.finditer(text):
        at = line.start()
        empty = not line[0].strip()
        begins = at in marks or _MARK.match(text, at) is not None
        heads = at not in marks and not empty and _HEADING.match(text, at, line.end()) is not None
        if start < at and (empty or begins or heads):
            yield Block(start, at, marked, apart, heading=False)
            apart = False
        if empty or heads:
            if heads:
                yield Block(at, line.end(), False, apart, heading=True)
            apart = empty
            start, marked = line.end(), False
        elif begins:
            start, marked = at, True
    if start < len(text):
        yield Block(start, len(text), marked, apart, heading=False)


def sentences_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of the sentences between `start` and `end`, each with the space behind it."""
    at = start
    for stop in SENTENCE_END.finditer(text, start, end):
        if _NO_STOP.search(text[max(at, stop.end() - 12) : stop.start() + 1]):
            continue
        yield at, stop.end()
        at = stop.end()
    if at < end:
        yield at, end
