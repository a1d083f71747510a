"""Options in the lines of a page, pure: where they begin and end, and in which shape.

A shape is believed only when a whole run of it stands there: A, B and so on, or 1, 2 and so on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from bank.formats.page_lines import Line, Mark


class Shape(Enum):
    """How a page writes an option's letter; the value is what an option looks like."""

    LETTER = "A. text, or A) text"
    BRACKETS = "(A) text"
    COLON = "A: text"
    ALONE = "A, with the text below"
    NUMBER = "1. text"
    GLUED = "Atext"
    TRUTH = "True, then False"


@dataclass(slots=True)
class FoundOption:
    """An option's lines without its letter; `ticked` when the page itself marks it as right."""

    line: int
    lines: list[str] = field(default_factory=list)
    ticked: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Options that stand together; `end` is the index of the first line behind them."""

    shape: Shape
    options: tuple[FoundOption, ...]
    end: int


ENDS = frozenset(
    {
        Mark.REVEAL,
        Mark.ANSWER,
        Mark.SHORT,
        Mark.FULL,
        Mark.EXPLANATION,
        Mark.QUESTION,
        Mark.BREAK,
    }
)
_LETTERED = re.compile(
    r"\s{0,8}(?P<tick>[✓✔✅☑]\s{0,3})?(?:[•○●◯☐□✗✘❌]\s{1,3})?[*_]{0,2}"
    r"(?P<open>[(\[])?(?P<letter>[A-Ha-h])(?P<mark>[.):\]]|\s[–—-](?=\s))?[*_]{0,2}(?P<gap>\s{1,9}|$)"
)
_NUMBERED = re.compile(r"\s{0,8}[*_]{0,2}(?P<number>[1-8])[.)][*_]{0,2}\s{1,9}(?=\S)")
_TICKED = re.compile(
    r"\s{0,3}(?:[(\[]\s?correct(?:\s(?:answer|option|choice))?\s?[)\]]|[✓✔✅])\s{0,3}$",
    re.IGNORECASE,
)
_TRUTHS = (("True", "TRUE", "Yes"), ("False", "FALSE", "No"), (), (), (), (), (), ())
_LONGEST_RUN = 400  # lines


def run_at(lines: Sequence[Line], at: int) -> Run | None:
    """The run of options that begins with the line at `at`, None when none does."""
    for shape, text in _labels(lines[at], 0):
        run = _run(lines, at, shape, text)
        if run is not None:
            return run
    return None


def _labels(line: Line, index: int) -> list[tuple[Shape, str]]:
    """The shapes in which a line may begin the option at `index`, each with the option's text."""
    if line.mark not in (Mark.TEXT, Mark.NUMBER) or not line.text:
        return []
    text = line.text
    if line.mark is Mark.NUMBER:
        numbered = _NUMBERED.match(text)
        fits = numbered is not None and int(numbered["number"]) == index + 1
        return [(Shape.NUMBER, line.rest)] if fits else []
    letter = "ABCDEFGH"[index]
    stripped = text.strip()
    if stripped in _TRUTHS[index]:
        return [(Shape.TRUTH, stripped)]
    if stripped[0].isalpha() and stripped[0].upper() != letter:
        return []
    found = _LETTERED.match(text)
    if found and found["letter"].upper() == letter:
        behind = text[found.end() :].strip()
        ticked = f"{behind} ✓" if found["tick"] and behind else behind
        if shapes := _shapes(found, text):
            return [(shape, ticked) for shape in shapes]
    if stripped[0] == letter and len(stripped) > 1 and not found:
        return [(Shape.GLUED, stripped[1:])]
    return []


def _shapes(found: re.Match[str], text: str) -> list[Shape]:
    """The shapes that a letter at the start of a line can have."""
    mark = (found["mark"] or "").strip()
    if found["open"]:
        return [Shape.BRACKETS] if mark in (")", "]") else []
    written = {".": Shape.LETTER, ")": Shape.LETTER, "": None, "]": None}.get(mark, Shape.COLON)
    shapes = [Shape.ALONE] if found.end() == len(text) else []
    return [*shapes, written] if written else shapes


def _run(lines: Sequence[Line], at: int, shape: Shape, text: str) -> Run | None:
    """Collect a run of one shape; what stands between two letters belongs to the first."""
    starts, texts, last = [at], [text], at
    for here in range(at + 1, min(len(lines), at + _LONGEST_RUN)):
        labels = dict(_labels(lines[here], len(starts))) if len(starts) < _most(shape) else {}
        if shape in labels:
            starts.append(here)
            texts.append(labels[shape])
        elif lines[here].mark in ENDS or _breaks(lines[here], shape):
            break
        last = here
    if len(starts) < (3 if shape is Shape.GLUED else 2):
        return None
    if shape is Shape.GLUED and all(text[0].islower() for text in texts):
        return None  # words of their own: Apache, BigQuery, Cloud
    starts.append(_end(lines, starts[-1], last + 1, bool(texts[-1])))
    bounds = zip(starts, starts[1:], texts, strict=False)
    options = tuple(_option(lines[start:end], text) for start, end, text in bounds)
    return Run(shape, options, starts[-1])


def _most(shape: Shape) -> int:
    return 2 if shape is Shape.TRUTH else 8


def _breaks(line: Line, shape: Shape) -> bool:
    """True when a line cannot stand inside a run: the next one begins, or it is no option's."""
    if shape in (Shape.GLUED, Shape.TRUTH):
        return line.mark is not Mark.BLANK and not line.text.strip()[:1].islower()
    others = (Shape.LETTER, Shape.BRACKETS) if shape is Shape.NUMBER else ()
    return any(other is shape or other in others for other, _ in _labels(line, 0))


def _end(lines: Sequence[Line], start: int, end: int, has_text: bool) -> int:
    """Where the last option ends: at the first blank line behind its text."""
    for here in range(start + 1, end):
        if lines[here].mark is Mark.BLANK and has_text:
            return here
        has_text = has_text or lines[here].mark is not Mark.BLANK
    return end


def _option(lines: Sequence[Line], text: str) -> FoundOption:
    kept = [text, *(line.text for line in lines[1:] if line.mark is not Mark.CHROME)]
    last = next((at for at in range(len(kept) - 1, -1, -1) if kept[at].strip()), 0)
    ticked = _TICKED.search(kept[last][-40:])
    if ticked:
        kept[last] = kept[last][: len(kept[last]) - len(ticked[0])]
    return FoundOption(lines[0].number, kept, ticked is not None)
