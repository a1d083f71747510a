"""Answers that stand apart from their questions: a table, a list, “1-B 2-C” -> each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bank.formats.markdown_exam.keys import read_letters
from bank.formats.markdown_exam.marks import Says, Sign, sign_of
from bank.formats.markdown_exam.outline import gives_answer
from bank.formats.markdown_exam.page import Line, Mark, is_table_rule
from bank.formats.markdown_exam.told import Answer, Part, Told, tell, tell_loosely


@dataclass(slots=True)
class Given:
    """The answer to the question `number`. `rest` is what stands behind the number.

    That is the answer itself, or the question again: then the answer is in `told`.
    """

    number: int
    line: int
    rest: str = ""
    told: Told = field(default_factory=Told)
    used: bool = False


_PAIR = re.compile(
    r"[\s,;|]*(?:q(?:uestion)?\s?)?(?P<number>\d{1,4})\s{0,2}(?:[.):=–—→-]|->)?\s{0,3}"
    r"(?P<labels>[A-Z]{1,6}(?:\s?[,/&+]\s?[A-Z](?![A-Za-z]))*|[a-z])(?!\w)[\s,;|.]*",
    re.IGNORECASE,
)
_NUMBER_CELL = re.compile(r"(?:q(?:uestion)?\s?)?#?(\d{1,5})[.)]?", re.IGNORECASE)
_NUMBER_HEAD = re.compile(
    r"(?:q|qs?\.?\s?(?:no|#)\.?|#|no\.?|nr\.?|num(?:ber)?|questions?|item)(?:\s?(?:#|no\.?|number))?",
    re.I,
)
_ANSWER_HEAD = re.compile(
    r"a|ans\.?|(?:correct\s)?(?:answers?|options?|choices?|keys?)(?:\s?\(s\))?|correct", re.I
)
_STEM_HEAD = re.compile(r"(?:question\s)?(?:text|stem)|questions?|topic|domain|category", re.I)

MOST_ANSWERS = 10_000  # of one list or table; what is beyond makes the file too long
_LONGEST_PAIRS = 20_000  # characters


def pairs_of(text: str) -> list[tuple[int, str]]:
    """The pairs of a line such as “1-B 2-C 3. AD”; none where it holds anything else."""
    if not text or len(text) > _LONGEST_PAIRS or not (text[0].isdigit() or text[0] in "*_qQ|"):
        return []
    text = text.replace("*", "").replace("_", "")
    found: list[tuple[int, str]] = []
    at = 0
    while at < len(text):
        pair = _PAIR.match(text, at)
        if pair is None:
            return []
        found.append((int(pair["number"]), pair["labels"]))
        at = pair.end()
    return found if all(read_letters(labels) for _, labels in found) else []


def answers_in(lines: Sequence[Line], signs: Sequence[Sign | None]) -> list[Given]:
    """Every answer of a part of a page that holds nothing but answers."""
    found = _Answers()
    for at, (line, sign) in enumerate(zip(lines, signs, strict=True)):
        ruled = at + 1 < len(lines) and is_table_rule(lines[at + 1].text)
        found.take(line, sign, heads=ruled)
        if len(found.given) > MOST_ANSWERS:
            break
    return found.given


class _Answers:
    """One pass over the lines of an answer key."""

    def __init__(self) -> None:
        self.given: list[Given] = []
        self.manner: tuple[Says, bool, Mark] | None = None  # how the first one is numbered
        self.by_letters = False
        self.part = Part.CLOSED
        self.loose = False
        self.heads: list[str] = []
        self.fresh = True  # a heading stands above: numbers may begin again

    def take(self, line: Line, sign: Sign | None, heads: bool) -> None:
        if line.mark is Mark.TEXT and line.text[0] == "|":
            self._row(line, heads)
            return
        if line.mark is Mark.TEXT and len(pairs := pairs_of(line.text)) > 1:
            self.given += [Given(number, line.number, labels) for number, labels in pairs]
            self.part = Part.CLOSED
            return
        if sign is not None and sign.says is Says.BULLET:
            inner = sign_of(sign.rest)
            sign = inner if inner is not None and inner.says is Says.NUMBER else sign
        if (
            sign is not None
            and sign.says in (Says.QUESTION, Says.NUMBER)
            and self._is_next(line, sign)
        ):
            self._begin(line, sign)
        elif line.mark in (Mark.HEADING, Mark.RULE) and (sign is None or line.mark is Mark.RULE):
            self.part, self.fresh = Part.CLOSED, True
        elif self.given and self.part is not Part.CLOSED and line.mark is not Mark.CLOSE:
            self._tell(line, sign)

    def _is_next(self, line: Line, sign: Sign) -> bool:
        """True for the next answer; a list inside an explanation is numbered in another way."""
        if self.manner is None:
            return True
        if (sign.says, sign.bold, line.mark) != self.manner:
            return False
        last = self.given[-1].number if self.given else 0
        if self.by_letters:
            return gives_answer(sign) or sign.number == last + 1
        return sign.number > last or (self.fresh and sign.number == 1)

    def _begin(self, line: Line, sign: Sign) -> None:
        inner = sign_of(sign.rest) if sign.rest else None
        answered = inner is not None and inner.says is Says.ANSWER
        rest = inner.rest if inner is not None and answered else sign.rest
        if self.manner is None:
            self.manner = sign.says, sign.bold, line.mark
            self.by_letters = gives_answer(sign)
        self.fresh = False
        self.given.append(Given(sign.number, line.number, rest))
        self.loose = bool(rest) and not answered and read_letters(rest) is None
        self.part = Part.FULL if rest else Part.ANSWER

    def _tell(self, line: Line, sign: Sign | None) -> None:
        told = self.given[-1].told
        if self.loose and (sign is None or sign.says in (Says.BULLET, Says.LETTER, Says.NUMBER)):
            self.part = tell_loosely(told, line)
            self.loose = self.part is Part.ANSWER
            return
        self.loose = False
        self.part = tell(told, self.part, line, sign)

    # Tables.

    def _row(self, line: Line, heads: bool) -> None:
        if is_table_rule(line.text):
            return
        cells = [cell.strip(" *_`") for cell in line.text.strip().strip("|").split("|")]
        if heads:
            self.heads = cells
            return
        self.part = Part.CLOSED
        given: Given | None = None
        for at, cell in enumerate(cells):
            head = self.heads[at] if at < len(self.heads) else ""
            number = _NUMBER_CELL.fullmatch(cell)
            if number is not None and (not head or _NUMBER_HEAD.fullmatch(head)):
                given = Given(int(number[1]), line.number)
                self.given.append(given)
            elif given is not None and cell:
                self._cell(given, head, cell, line)

    def _cell(self, given: Given, head: str, cell: str, line: Line) -> None:
        if _ANSWER_HEAD.fullmatch(head) or (not given.rest and not _STEM_HEAD.fullmatch(head)):
            given.rest = cell
        elif not _STEM_HEAD.fullmatch(head):
            given.told.full.append(Line(line.number, Mark.TEXT, cell, hard=True))


def answers_of(given: Given, repeated: bool) -> list[Answer]:
    """The places of a given answer that are one; `repeated` where `rest` is the question again."""
    if not given.rest or repeated:
        return [Answer(each.line, each.rows) for each in given.told.answers]
    marked = [each for each in given.told.answers if each.marked]
    return [Answer(given.line, [given.rest]), *marked]
