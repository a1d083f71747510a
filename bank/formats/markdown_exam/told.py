"""What a page tells about a question beside its stem and options: answers, reasons, sources."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, auto

from bank.formats.markdown_exam.marks import Says, Sign
from bank.formats.markdown_exam.page import Line, Mark

URL = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]{1,2000}")


class Part(Enum):
    """The part of a question that the next plain line belongs to."""

    STEM = auto()
    OPTION = auto()
    ANSWER = auto()  # the answer itself is still to come
    FULL = auto()
    SHORT = auto()
    REFERENCE = auto()
    HINT = auto()
    CLOSED = auto()  # after a rule or the end of a fold: to no question


@dataclass(slots=True)
class Answer:
    """One place that gives an answer; `marked` where it says that it is one."""

    line: int
    rows: list[str]
    marked: bool = True


@dataclass(slots=True)
class Told:
    """What is said about one question, in one place of a page."""

    answers: list[Answer] = field(default_factory=list)
    full: list[Line] = field(default_factory=list)
    short: list[Line] = field(default_factory=list)
    references: list[Line] = field(default_factory=list)
    hints: list[Line] = field(default_factory=list)

    def is_empty(self) -> bool:
        return not (self.answers or self.full or self.short or self.references)


_PLACES = {
    Says.FULL: Part.FULL,
    Says.SHORT: Part.SHORT,
    Says.REFERENCE: Part.REFERENCE,
    Says.HINT: Part.HINT,
}


def tell(told: Told, part: Part, line: Line, sign: Sign | None) -> Part:
    """Add a line that stands after the options; gives the part that the next line belongs to."""
    if sign is not None and sign.says is Says.ANSWER and (sign.firm or not told.answers):
        if not sign.rest:
            return Part.ANSWER
        told.answers.append(Answer(line.number, [sign.rest]))
        return Part.FULL
    if sign is not None and sign.says in _PLACES:
        part = _PLACES[sign.says]
        if sign.rest:
            rest = Line(line.number, Mark.TEXT, sign.rest, line.indent, hard=line.hard)
            _add(told, part, rest)
        return part
    if part is Part.ANSWER:
        return _answer_row(told, line, marked=True)
    if part is Part.REFERENCE and line.mark is not Mark.BLANK and not URL.search(line.text):
        part = Part.FULL
    _add(told, part, line)
    return part


def _answer_row(told: Told, line: Line, marked: bool) -> Part:
    """The lines under a lone “Answer”, up to a blank one."""
    if line.mark is Mark.BLANK:
        return Part.FULL if told.answers and told.answers[-1].rows else Part.ANSWER
    if line.mark is Mark.CODE:
        told.full.append(line)
        return Part.FULL
    last = told.answers[-1] if told.answers else None
    if last is not None and last.line + len(last.rows) == line.number:
        last.rows.append(line.text)
    else:
        told.answers.append(Answer(line.number, [line.text], marked))
    return Part.ANSWER


def tell_loosely(told: Told, line: Line) -> Part:
    """Add the line under a number and its text, which may be an answer and may be a reason."""
    return _answer_row(told, line, marked=False)


def _add(told: Told, part: Part, line: Line) -> None:
    if part is Part.SHORT:
        told.short.append(line)
    elif part is Part.REFERENCE:
        told.references.append(line)
    elif part is Part.HINT:
        told.hints.append(line)
    else:
        told.full.append(line)
