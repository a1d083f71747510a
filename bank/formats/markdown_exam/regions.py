"""Where a page turns from questions to answers that stand apart, and where those end."""

from __future__ import annotations

import re

from bank.formats.markdown_exam import marks
from bank.formats.markdown_exam.answers import pairs_of
from bank.formats.markdown_exam.marks import Says, Sign
from bank.formats.markdown_exam.outline import Outline, gives_answer
from bank.formats.markdown_exam.page import Line, Mark, is_table_rule

_NEAR = 40  # lines below a heading in which its first answer stands
_LOWEST = 7  # below every heading, so that any of them ends the answers
_PLURAL = re.compile(r"\b(?:answers|keys?|solutions)\b", re.IGNORECASE)


def answers_level(found: Outline, at: int, inside: bool) -> int | None:
    """The level of heading that ends the answers that begin at a line; None where none begin.

    `inside` is true below a question that has no answer yet: “Answer” may then be its own.
    """
    line = found.lines[at]
    if line.mark is Mark.TEXT:
        if at not in found.starts and _is_key(found, at):
            return _LOWEST
        if line.text[0] not in "*_" and line.text[-1] != ":":
            return None
    elif line.mark not in (Mark.HEADING, Mark.SUMMARY):
        return None
    if not marks.heads_answers(line.text):
        return None
    own = inside and _PLURAL.search(line.text) is None
    if not _answers_follow(found, at + 1, by_letter=own):
        return None
    return line.level if line.mark is Mark.HEADING else _LOWEST


def answers_end(found: Outline, at: int, level: int) -> int:
    """The line after the answers that begin at `at`: a heading or a question with options."""
    end = at + 1
    while end < len(found.lines):
        line = found.lines[end]
        if found.starts.get(end, False):
            break
        if line.mark is Mark.HEADING and line.level <= level and not _goes_on(found, end):
            break
        end += 1
    return end


def _is_key(found: Outline, at: int) -> bool:
    """True for the first line of a list of answers that no heading announced."""
    text, sign = found.lines[at].text, found.signs[at]
    if not text[0].isdigit() and text[0] not in "*_qQ|":
        return False
    if len(pairs_of(text)) > 1:
        return True
    if text[0] == "|":
        ruled = at + 1 < len(found.lines) and is_table_rule(found.lines[at + 1].text)
        return ruled and "answer" in text.casefold() and _is_numbered_row(found, at + 2)
    if sign is None or sign.says not in (Says.NUMBER, Says.QUESTION) or not gives_answer(sign):
        return False
    return _next_answer_follows(found, at, sign)


def _next_answer_follows(found: Outline, at: int, sign: Sign) -> bool:
    for inner in range(at + 1, min(at + _NEAR, len(found.lines))):
        later = found.signs[inner]
        if found.begins(inner) or inner in found.starts:
            return False
        if later is not None and later.says is sign.says and gives_answer(later):
            return later.number == sign.number + 1
    return False


def _is_numbered_row(found: Outline, at: int) -> bool:
    text = found.lines[at].text if at < len(found.lines) else ""
    return text[:1] == "|" and text.strip("| *").split("|", 1)[0].strip(" *.Qq#").isdigit()


def _answers_follow(found: Outline, at: int, by_letter: bool) -> bool:
    """True where what comes next is numbered, and is no question with options."""
    for inner in range(at, min(at + _NEAR, len(found.lines))):
        line, sign = found.lines[inner], found.signs[inner]
        if line.mark in (Mark.BLANK, Mark.RULE, Mark.SUMMARY, Mark.CLOSE):
            continue
        if sign is not None and sign.says is Says.BULLET:
            sign = marks.sign_of(sign.rest)
        if sign is not None and sign.says in (Says.NUMBER, Says.QUESTION):
            lettered = gives_answer(sign) or not by_letter
            return lettered and not found.starts.get(inner, False)
        if line.mark is Mark.TEXT and not marks.heads_answers(line.text):
            return _is_row_or_pairs(line)
    return False


def _is_row_or_pairs(line: Line) -> bool:
    return line.text[0] == "|" or len(pairs_of(line.text)) > 1


def _goes_on(found: Outline, at: int) -> bool:
    """True for a heading that goes on with the answers, such as “## Question 2” among them."""
    sign = found.signs[at]
    numbered = at in found.starts or (sign is not None and gives_answer(sign))
    return numbered or marks.heads_answers(found.lines[at].text)
