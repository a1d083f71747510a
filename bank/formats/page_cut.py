"""A file of copied pages cut into questions, pure: which lines are whose stem, options and reasons.

Pages stand in any order of marks, often without any between them: then a mark that cannot follow,
such as options behind an explanation, shows that a new question has begun with the text before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bank.formats.page_lines import Line, Mark, lines_of
from bank.formats.page_options import ENDS, FoundOption, Run, Shape, run_at


@dataclass(slots=True)
class Page:
    """The lines of one question, by what they are. `answer` is what stands behind “Answer:”."""

    stem: list[Line] = field(default_factory=list)
    options: tuple[FoundOption, ...] = ()
    shape: Shape | None = None
    answer: str | None = None
    short: list[Line] = field(default_factory=list)
    full: list[Line] = field(default_factory=list)
    marks: set[Mark] = field(default_factory=set)  # seen so far

    @property
    def is_question(self) -> bool:
        return bool(self.options or self.marks - {Mark.QUESTION, Mark.NUMBER})

    @property
    def is_explained(self) -> bool:
        return bool(self.marks & {Mark.SHORT, Mark.FULL, Mark.EXPLANATION} or self.full)

    @property
    def line(self) -> int:
        stem = (line.number for line in self.stem if line.text)
        return next(stem, self.options[0].line if self.options else 1)


def pages_of(text: str) -> list[Page]:
    """The questions of a file in order, and what stands between them as pages that are none."""
    return _Cutter(lines_of(text)).cut()


_ASKS = re.compile(r"(?:[?:…]|\.{3}|_{2,}|\))[\"”’)*_]{0,3}\s*$")
_ABOUT_OPTIONS = re.compile(
    r"\b(?:wrong|incorrect|others?|options|distractors?|analysis|breakdown|explained|eliminat\w+)\b",
    re.IGNORECASE,
)
_JUDGED = re.compile(r"\W{0,6}(?:in)?correct\b|\W{0,6}(?:wrong|right)\b", re.IGNORECASE)


_EXPLAINED_BY = (Mark.SHORT, Mark.FULL, Mark.EXPLANATION, Mark.ANSWER)
_LONGEST_STEM = 60  # lines between a question's number and its options


class _Cutter:
    """One pass over the lines."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.pages: list[Page] = []
        self.page = Page()
        self.into = self.page.stem  # where text goes
        self.number: int | None = None  # of the latest question that has one
        self.runs = {at: run for at in range(len(lines)) if (run := run_at(lines, at)) is not None}
        self.ahead = self._marks_ahead()

    def _marks_ahead(self) -> list[int]:
        """For each line the next one, itself included, that has a mark or begins options."""
        ahead = [len(self.lines)] * (len(self.lines) + 1)
        for at in range(len(self.lines) - 1, -1, -1):
            run = self.runs.get(at)
            lettered = run is not None and run.shape is not Shape.NUMBER
            ahead[at] = at if lettered or self.lines[at].mark in ENDS else ahead[at + 1]
        return ahead

    def cut(self) -> list[Page]:
        at = 0
        while at < len(self.lines):
            run = self._options_at(at)
            if run is not None:
                self._take_options(run)
                at = run.end
                continue
            self._take(at)
            at += 1
        self._begin([])
        return [page for page in self.pages if page.is_question or page.stem]

    def _begin(self, stem: list[Line]) -> None:
        self.pages.append(self.page)
        self.page = Page(stem=stem)
        self.into = self.page.stem

    def _take(self, at: int) -> None:
        line = self.lines[at]
        match line.mark:
            case Mark.CHROME:
                return
            case Mark.BREAK:
                self._foot()
            case Mark.QUESTION:
                self._question(line)
            case Mark.REVEAL:
                self._reveal(at)
            case Mark.SHORT:
                self._short(line)
            case Mark.FULL | Mark.EXPLANATION:
                self._explanation(line)
            case Mark.ANSWER:
                self._answer(line)
            case _ if line.mark is Mark.NUMBER and self._is_numbered_question(at):
                self._question(line)
            case _:
                self.into.append(line)

    def _question(self, line: Line) -> None:
        self._begin([])
        self.number = _number(line)
        self.page.marks.add(line.mark)
        self.into.append(Line(line.number, line.rest, Mark.TEXT))

    def _foot(self) -> None:
        if self.page.is_explained or self.page.answer is not None:
            self._begin([])

    def _short(self, line: Line) -> None:
        if self.page.is_explained:
            self._begin(self._pulled())
        self._mark(line, self.page.short)

    def _reveal(self, at: int) -> None:
        """“Select an answer to reveal …” stands below a stem, or again below an explanation."""
        if self.page.is_explained:
            below = self._mark_below(at + 1)
            if below not in _EXPLAINED_BY and not self._asks_at_its_end():
                return
            self._begin(self._pulled())
        self._mark(self.lines[at], self.page.full)

    def _mark(self, line: Line, into: list[Line]) -> None:
        self.page.marks.add(line.mark)
        self.into = into
        if line.rest:
            into.append(Line(line.number, line.rest, Mark.TEXT))

    def _explanation(self, line: Line) -> None:
        seen = self.page.marks & {Mark.FULL, Mark.EXPLANATION}
        if seen and line.mark in seen:
            self._begin(self._pulled())
        elif seen:
            self.into.append(line)  # a heading inside the explanation
            return
        self._mark(line, self.page.full)

    def _answer(self, line: Line) -> None:
        if self.page.answer is not None and self._asks_at_its_end():
            self._begin(self._pulled())
        if self.page.answer is not None or not line.rest:
            self.into.append(line)  # said again, for the explanation to hold
            return
        self.page.marks.add(line.mark)
        self.page.answer = line.rest
        if self.into is self.page.stem:
            self.into = self.page.full

    def _take_options(self, run: Run) -> None:
        if self.into is not self.page.stem:
            self._begin(self._pulled())
        self.page.options = run.options
        self.page.shape = run.shape
        self.into = self.page.full

    def _options_at(self, at: int) -> Run | None:
        """The options that begin at a line, where options can stand."""
        run = self.runs.get(at)
        if run is None or any(_JUDGED.match(each.lines[0]) for each in run.options):
            return None
        in_stem = self.into is self.page.stem
        if run.shape is Shape.NUMBER:
            # Statements above lettered options belong to the stem.
            lettered_below = self._mark_at(self.ahead[run.end]) not in ENDS
            empty = not any(line.text for line in self.page.stem)
            if (in_stem and (empty or lettered_below)) or not (in_stem or self._is_answered(run)):
                return None
        if in_stem or (self._asks_at_its_end() and run.shape is not Shape.NUMBER):
            return run
        return run if self._is_answered(run) and not self._is_about_options() else None

    def _mark_at(self, at: int) -> Mark:
        return self.lines[at].mark if at < len(self.lines) else Mark.BREAK

    def _mark_below(self, at: int) -> Mark:
        """The mark of the first line from `at` on that a page means."""
        while self._mark_at(at) in (Mark.BLANK, Mark.CHROME):
            at += 1
        return self._mark_at(at)

    def _is_answered(self, run: Run) -> bool:
        """True when right behind the options a page gives its answer or offers to."""
        return self._mark_below(run.end) in (Mark.ANSWER, Mark.REVEAL)

    def _last_text(self) -> str:
        return next((line.text for line in reversed(self.into) if line.text), "")

    def _is_about_options(self) -> bool:
        return _ABOUT_OPTIONS.search(self._last_text()[-200:]) is not None

    def _asks_at_its_end(self) -> bool:
        """True when the text at hand ends with a paragraph that can be the next question's stem."""
        return _ASKS.search(self._last_text()[-12:]) is not None and not self._is_about_options()

    def _is_numbered_question(self, at: int) -> bool:
        """True when “3. …” begins a question: options or a mark follow before the next number."""
        number = _number(self.lines[at])
        if self.number is not None and number != self.number + 1:
            return False
        if self.number is None and (self.page.is_question or self._asks_at_its_end()):
            return False
        if self.number is None and number > 1 and self._last_text():
            return False
        mark = self.ahead[at + 1]
        if mark - at > _LONGEST_STEM:
            return False
        between = self.lines[at + 1 : mark]
        if any(_number(line) == number + 1 for line in between if line.mark is Mark.NUMBER):
            return False
        return self._mark_at(mark) not in (Mark.FULL, Mark.QUESTION, Mark.BREAK)

    def _pulled(self) -> list[Line]:
        """Take the last paragraph out of the text at hand: it is the stem of the next question."""
        body = self.into
        end = len(body)
        while end and not body[end - 1].text:
            end -= 1
        start = max(end - 1, 0)
        while start and body[start - 1].text and _goes_on(body[start - 1], body[start]):
            start -= 1
        if not any(line.text for line in body[:start]):
            return []
        stem = body[start:end]
        del body[start:]
        if stem[0].mark is Mark.NUMBER:
            self.number = _number(stem[0])
            stem[0] = Line(stem[0].number, stem[0].rest, Mark.TEXT)
        return stem


def _goes_on(before: Line, line: Line) -> bool:
    """True when a line only goes on with the one before it: the stem began earlier."""
    text = line.text.lstrip()
    return text[:1].islower() or not re.search(r"[.!?:…][\"”’)]{0,3}$", before.text[-8:])


def _number(line: Line) -> int:
    """The number that a line begins with."""
    found = re.search(r"\d{1,5}", line.text)
    return int(found[0]) if found else 0
