"""A Markdown page -> its questions and the answers that stand apart from them, both unjoined.

A line reader, not a walk over tokens: exams in the wild are broken Markdown (options that a token
parser takes for code or for one paragraph, folds that never close), and what the author meant
shows in the lines. Only code is cut out first, as CommonMark does, so that it may hold anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bank.formats.markdown_exam import marks
from bank.formats.markdown_exam.answers import Given, answers_in
from bank.formats.markdown_exam.keys import begins_with_letters
from bank.formats.markdown_exam.marks import Says, Sign
from bank.formats.markdown_exam.outline import Outline, gives_answer, is_section, outline
from bank.formats.markdown_exam.page import Line, Mark, read_page
from bank.formats.markdown_exam.regions import answers_end, answers_level
from bank.formats.markdown_exam.told import Part, Told, tell


@dataclass(slots=True)
class RawOption:
    """An option's lines as they stand; `label` is "" for one that has none."""

    line: int
    label: str
    ticked: bool | None
    lines: list[Line] = field(default_factory=list)
    why: list[Line] = field(default_factory=list)
    indent: int = 0


@dataclass(slots=True)
class RawQuestion:
    """A question's lines, sorted by what they are."""

    line: int
    number: int | None
    path: tuple[str, ...]
    top: int = 0  # the level of the first heading of the path
    level: int = 7  # of the heading that it begins with
    stem: list[Line] = field(default_factory=list)
    options: list[RawOption] = field(default_factory=list)
    told: Told = field(default_factory=Told)
    notes: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class Page:
    """What a page holds."""

    questions: list[RawQuestion] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)


_SCENARIO = re.compile(r"\b(?:case stud(?:y|ies)|scenario)\b", re.IGNORECASE)
_INLINE_A = re.compile(r"(?:^|\s)(?:[-*+]\s{1,3})?\(?A[.)]\s{1,3}(?=\S)")
_TOLD = (Says.ANSWER, Says.FULL, Says.SHORT, Says.REFERENCE, Says.HINT)
_NEAR = 40  # lines in which a second question without a number shows its answer


def read_questions(text: str) -> Page:
    """All questions of a page, and all answers that stand in lists and tables of their own."""
    walk = _Walk(outline(read_page(text)))
    walk.run()
    return _with_answers_apart(walk.page)


def _with_answers_apart(page: Page) -> Page:
    """Where no question has options, “Question 1 / Answer: B” is an answer to one elsewhere."""
    if any(question.options or _ends_in_list(question) for question in page.questions):
        return page
    asked = []
    for question in page.questions:
        rows = [answer.rows[0] for answer in question.told.answers]
        if question.number is not None and any(begins_with_letters(row) for row in rows):
            page.given.append(Given(question.number, question.line, told=question.told))
        else:
            asked.append(question)
    page.questions = asked
    return page


def _ends_in_list(item: RawQuestion) -> bool:
    last = next((line for line in reversed(item.stem) if line.mark is not Mark.BLANK), None)
    sign = marks.sign_of(last.text) if last is not None and last.mark is Mark.TEXT else None
    return sign is not None and sign.says in (Says.NUMBER, Says.BULLET)


class _Walk:
    """One pass over the lines of a page."""

    def __init__(self, found: Outline) -> None:
        self.found = found
        self.lines = found.lines
        self.page = Page()
        self.item: RawQuestion | None = None
        self.part = Part.CLOSED
        self.path: list[tuple[int, str]] = []
        self.scenario: list[Line] = []
        self.scenario_level = 0
        self.trailing: list[Line] = []  # text that belongs to no question yet
        self.blank = False  # the line before was blank

    def run(self) -> None:
        at = 0
        while at < len(self.lines):
            at = self._take(at)
        self._flush()

    def _take(self, at: int) -> int:
        """Take the line `at` and what belongs to it; gives the next line to take."""
        line = self.lines[at]
        region = self._answers_level(at)
        if region is not None:
            return self._answers(at, region)
        if at in self.found.starts:
            self._start(line, self.found.signs[at])
        elif line.mark is Mark.HEADING:
            self._heading(at)
        elif line.mark is Mark.SUMMARY:
            self._summary(line, self.found.signs[at])
        elif line.mark in (Mark.CLOSE, Mark.RULE):
            self._close(line)
        else:
            self._body(at)
        self.blank = line.mark is Mark.BLANK
        return at + 1

    def _flush(self) -> None:
        if self.item is not None:
            self.page.questions.append(self.item)
        self.item = None
        self.trailing = []

    def _begin(self, line: int, number: int | None, level: int = 7) -> RawQuestion:
        self._flush()
        path = tuple(text for _, text in self.path)
        top = self.path[0][0] if self.path else 0
        self.item = RawQuestion(line, number, path, top, level, stem=list(self.scenario))
        self.part = Part.STEM
        return self.item

    def _start(self, line: Line, sign: Sign | None) -> None:
        level = line.level if line.mark is Mark.HEADING else 7
        if self.scenario_level and line.mark is Mark.HEADING and level < self.scenario_level:
            self.scenario, self.scenario_level = [], 0
        elif self.scenario_level and not self.scenario:
            self.scenario = [*self.trailing, Line(line.number, Mark.BLANK)]
        item = self._begin(line.number, sign.number if sign else None, level)
        if sign is not None and sign.rest:
            hard = line.hard or line.mark is not Mark.TEXT
            item.stem.append(Line(line.number, Mark.TEXT, sign.rest, hard=hard))

    # Headings and folds.

    def _heading(self, at: int) -> None:
        line, sign, item = self.lines[at], self.found.signs[at], self.item
        if not is_section(self.found, at) and item is not None:
            self._body(at)
        elif marks.heads_answers(line.text) and item is not None:
            self.part = Part.ANSWER
        elif self._is_stem(at):
            begun = self._begin(line.number, None, line.level)
            begun.stem.append(Line(line.number, Mark.TEXT, line.text, hard=True))
        elif item is not None and line.level > item.level:
            self.part = Part.FULL if item.options else Part.STEM
        elif sign is None or sign.says is not Says.OPTIONS:
            self._section(line)

    def _section(self, line: Line) -> None:
        self._flush()
        self.part = Part.CLOSED
        while self.path and self.path[-1][0] >= line.level:
            self.path.pop()
        self.path.append((line.level, line.text))
        if _SCENARIO.search(line.text):
            self.scenario, self.scenario_level = [], line.level
        elif self.scenario_level and line.level <= self.scenario_level:
            self.scenario, self.scenario_level = [], 0

    def _is_stem(self, at: int) -> bool:
        """True for a heading that is a question itself: options follow, and no other question."""
        first = min(self.found.lists[at + 1], self.found.soft[at + 1])
        if first >= len(self.lines) or first - at > 200:
            return False
        between = []
        for inner in range(at + 1, first):
            line = self.lines[inner]
            if inner in self.found.starts or line.mark in (Mark.HEADING, Mark.SUMMARY):
                return False
            between += [line] if line.mark is Mark.TEXT else []
        asks = self.lines[at].text.rstrip("*_ ").endswith("?")
        if first != self.found.lists[at + 1]:
            return asks and not between
        return asks or not between

    def _summary(self, line: Line, sign: Sign | None) -> None:
        """The words on a fold: an answer, a reason, a question, or a section's name."""
        item = self.item
        if item is not None and sign is not None and sign.says is Says.ANSWER and sign.rest:
            self.part = tell(item.told, self.part, line, sign)
        elif item is not None and marks.opens_answer(line.text):
            self.part = Part.ANSWER
        elif item is not None and sign is not None and sign.says is not Says.NUMBER:
            self.part = tell(item.told, Part.FULL, line, sign)
        elif item is not None and item.options:
            self.part = Part.FULL
        else:
            self.trailing.append(Line(line.number, Mark.TEXT, line.text, hard=True))

    def _close(self, line: Line) -> None:
        """A rule, or the end of a fold: what follows is no part of a question that is complete."""
        item = self.item
        if item is not None and (item.options or not item.told.is_empty() or _ends_in_list(item)):
            self.part = Part.CLOSED
        elif item is None and line.mark is Mark.RULE and not self.scenario_level:
            self.trailing = []

    # The lines of a question.

    def _body(self, at: int) -> None:
        line, sign = self.lines[at], self.found.signs[at]
        if (
            sign is not None
            and sign.says in (Says.LETTER, Says.BOX)
            and self._option(at, line, sign)
        ):
            return
        item = self.item
        if item is None:
            self.trailing.append(line)
        elif self.part is Part.OPTION:
            self._after_option(item, line, sign)
        elif self.part is Part.STEM:
            self._stem(item, line, sign)
        elif self.part is Part.CLOSED:
            self._closed(item, line, sign)
        else:
            self.part = tell(item.told, self.part, line, sign)

    def _stem(self, item: RawQuestion, line: Line, sign: Sign | None) -> None:
        if sign is not None and sign.says is Says.OPTIONS:
            return
        if sign is not None and sign.says in (Says.ANSWER, Says.FULL, Says.SHORT, Says.HINT):
            # “Solution: You add a disk.” is a part of many stems.
            proposal = sign.says is Says.ANSWER and "olution" in line.text[:20]
            if not proposal or not sign.rest or gives_answer(sign) or _ends_in_list(item):
                self.part = tell(item.told, self.part, line, sign)
                return
        item.stem.append(line)

    def _closed(self, item: RawQuestion, line: Line, sign: Sign | None) -> None:
        """After a rule: a mark still belongs to the question above, plain text does not."""
        if sign is not None and sign.says in _TOLD and (sign.firm or not item.told.answers):
            self.part = tell(item.told, self.part, line, sign)
        else:
            self.trailing.append(line)

    def _option(self, at: int, line: Line, sign: Sign) -> bool:
        """Take a line as an option, where it is the next one of a question."""
        item = self.item
        if item is not None and self._goes_on(at, item, line, sign):
            self._add_option(item, line, sign)
            return True
        if not self._begins_unnumbered(at, sign):
            return False
        self._add_option(self._unnumbered(line), line, sign)
        return True

    def _goes_on(self, at: int, item: RawQuestion, line: Line, sign: Sign) -> bool:
        """True for the next option of the question; “A. …” out of its order is text."""
        if self.part not in (Part.STEM, Part.OPTION, Part.CLOSED):
            return False
        if not item.options:
            if self.part is not Part.STEM and not item.told.is_empty():
                return False
            if sign.says is Says.BOX or (sign.label == "A" and self.found.begins(at)):
                return True
            return sign.label == "B" and self._split_off_a(item)
        if self.part is not Part.OPTION:
            return False
        last = item.options[-1]
        if sign.says is Says.BOX or last.ticked is not None:
            return (
                sign.says is Says.BOX and last.ticked is not None and line.indent < last.indent + 4
            )
        return bool(last.label) and 1 <= ord(sign.label) - ord(last.label) <= 2

    def _split_off_a(self, item: RawQuestion) -> bool:
        """“Which one? - A. text” on one line, as B shows that follows: A is taken off the stem."""
        stem = next((line for line in reversed(item.stem) if line.mark is not Mark.BLANK), None)
        if stem is None or stem.mark is not Mark.TEXT:
            return False
        marked = list(_INLINE_A.finditer(stem.text))
        if not marked:
            return False
        found = marked[-1]
        text = Line(stem.number, Mark.TEXT, stem.text[found.end() :])
        item.options.append(RawOption(stem.number, "A", None, [text]))
        item.notes.append((stem.number, "option A stands on the line of the question"))
        stem.text = stem.text[: found.start()].rstrip()
        if not stem.text:
            item.stem.remove(stem)
        return True

    def _begins_unnumbered(self, at: int, sign: Sign) -> bool:
        """True where a list of options begins that no number announced."""
        if not self.found.begins(at) or (sign.says is Says.LETTER and sign.label != "A"):
            return False
        item = self.item
        if item is None or (self.part is Part.CLOSED and item.options):
            return True
        if not item.options or self.part in (Part.STEM, Part.OPTION):
            return False
        return sign.says is Says.BOX or self.found.style is None or self._is_answered(at)

    def _is_answered(self, at: int) -> bool:
        """True where an answer follows, before the next question begins."""
        for inner in range(at, min(at + _NEAR, len(self.lines))):
            sign = self.found.signs[inner]
            if inner in self.found.starts:
                return False
            if sign is not None and sign.says is Says.ANSWER and sign.firm:
                return True
        return False

    def _unnumbered(self, line: Line) -> RawQuestion:
        """Begin a question without a number: its stem is the paragraph above its options."""
        above = self.trailing
        if self.item is not None and self.part is not Part.CLOSED:
            above = self.item.told.full
        stem: list[Line] = []
        while above and (
            above[-1].mark is not Mark.BLANK or not any(_is_text(each) for each in stem)
        ):
            stem.append(above.pop())
        stem.reverse()
        first = next((each.number for each in stem if each.mark is not Mark.BLANK), line.number)
        item = self._begin(first, None)
        item.stem += stem
        return item

    def _add_option(self, item: RawQuestion, line: Line, sign: Sign) -> None:
        option = RawOption(line.number, sign.label, sign.ticked, indent=line.indent)
        if sign.rest:
            rest = Line(line.number, Mark.TEXT, sign.rest, line.indent, hard=line.hard)
            option.lines.append(rest)
        item.options.append(option)
        self.part = Part.OPTION

    def _after_option(self, item: RawQuestion, line: Line, sign: Sign | None) -> None:
        """A line under an option: more of it, its reason, or the first line after the options."""
        option = item.options[-1]
        if line.mark is Mark.BLANK:
            option.lines.append(line)
            return
        if line.quoted and (sign is None or sign.says is not Says.ANSWER):
            option.why.append(line)
            return
        inside = line.mark is Mark.CODE or line.indent > option.indent or not self.blank
        if inside and (sign is None or sign.says not in _TOLD):
            option.lines.append(line)
            return
        self.part = tell(item.told, Part.FULL, line, sign)

    # Answers that stand apart.

    def _answers_level(self, at: int) -> int | None:
        item = self.item
        waits = item is not None and not item.options and self.part is Part.STEM
        if waits and self.lines[at].mark is Mark.TEXT:
            return None  # what looks like answers is a part of the stem, or are its options
        inside = item is not None and bool(item.options) and not item.told.answers
        return answers_level(self.found, at, inside)

    def _answers(self, at: int, level: int) -> int:
        """Take a whole list or table of answers; gives the line after it."""
        self._flush()
        self.part = Part.CLOSED
        end = answers_end(self.found, at, level)
        self.page.given += answers_in(self.lines[at:end], self.found.signs[at:end])
        return end


def _is_text(line: Line) -> bool:
    return line.mark is Mark.TEXT
