"""How many questions a file may have: one that has more would take minutes, or all the memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from bank.errors import BadFile, quoted
from bank.formats.reading import Source

MOST_QUESTIONS = 10_000

T = TypeVar("T")


def numbered(source: Source, found: Iterable[T]) -> Iterator[tuple[int, T]]:
    """What was found in a file, counted from 1. Raises BadFile past MOST_QUESTIONS."""
    for number, each in enumerate(found, start=1):
        if number > MOST_QUESTIONS:
            raise BadFile(
                f"{quoted(source.name)} has more than {MOST_QUESTIONS:,} questions. "
                "Split it into smaller files."
            )
        yield number, each
