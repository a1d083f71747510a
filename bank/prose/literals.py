"""Code and addresses in Markdown, pure: where they stand, since nothing in them is prose."""

from __future__ import annotations

import re

_TICKS = re.compile("`+")
_LINK = re.compile(r"\b(?:https?|ftp)://\S+|\bwww\.\S+|\]\([^()\[\]\s]*\)|\b[A-Z]:\\\S*")


def without_literals(text: str) -> str:
    """`text` with code and addresses blanked, at the same length."""
    pieces: list[str] = []
    at = 0
    for start, end in code_spans(text):
        pieces += text[at:start], "\0" * (end - start)
        at = end
    masked = "".join([*pieces, text[at:]])
    return _LINK.sub(lambda link: "\0" * len(link[0]), masked)


def code_spans(text: str) -> list[tuple[int, int]]:
    """Where code stands, as `bank.letters` reads it, found in one pass however it is nested."""
    runs = [(run.start(), run.end()) for run in _TICKS.finditer(text)]
    closers = _closers(text, runs)
    spans: list[tuple[int, int]] = []
    beyond = 0
    for index, (start, _) in enumerate(runs):
        if start < beyond or _is_escaped(text, start, beyond):
            continue
        closer = closers[index]
        if closer is not None:
            beyond = runs[closer][1]
            spans.append((start, beyond))
    return spans


def _closers(text: str, runs: list[tuple[int, int]]) -> list[int | None]:
    """For each run of backticks the run that would close it: on its line, or for a fence later."""
    closers: list[int | None] = [None] * len(runs)
    longer: list[int] = []  # runs to the right, each longer than all between it and here
    latest: dict[int, int] = {}  # by length
    for index in range(len(runs) - 1, -1, -1):
        start, end = runs[index]
        length = end - start
        while longer and _length(runs[longer[-1]]) < length:
            longer.pop()
        if length > 2:
            closers[index] = longer[-1] if longer else None
        elif length in latest and "\n" not in text[end : runs[latest[length]][0]]:
            closers[index] = latest[length]
        longer.append(index)
        latest[length] = index
    return closers


def _length(run: tuple[int, int]) -> int:
    return run[1] - run[0]


def _is_escaped(text: str, at: int, beyond: int) -> bool:
    """True when an odd number of backslashes stands right before `at`, behind the last code."""
    before = at
    while before > beyond and text[before - 1] == "\\":
        before -= 1
    return (at - before) % 2 == 1
