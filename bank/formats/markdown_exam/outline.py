"""Where the questions of a page begin: by the one way of numbering them that its options follow.

“1. text” may be a question, an option or a step in an explanation. What it is, is decided by
the page as a whole, so that a list inside an explanation never becomes a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bank.formats.markdown_exam.keys import begins_with_letters
from bank.formats.markdown_exam.marks import Says, Sign, sign_of
from bank.formats.markdown_exam.page import Line, Mark

STYLES = ("question", "heading", "bold", "summary", "plain")
UNSUPPORTED = re.compile(
    r"\bdrag\b.{0,40}\bdrop\b|\bdrag\sthe\b|\bmatch\s(?:each|the|these|every)\b|"
    r"\b(?:arrange|reorder|rearrange)\b|"
    r"\b(?:in|into|to)\s(?:the\s)?(?:correct|right|proper)\s(?:order|sequence)\b|\bhotspot\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?|:\W{0,3}$|_{3,}|\btrue or false\b|\b(?:select|choose|which)\b", re.IGNORECASE
)
_FAR = 1 << 60
_LOCAL = (Says.ANSWER, Says.FULL, Says.SHORT, Says.REFERENCE, Says.OPTIONS, Says.HINT)


@dataclass(slots=True)
class Outline:
    """The lines of a page, what each says, and where questions and lists of options begin."""

    lines: Sequence[Line]
    signs: list[Sign | None]
    lists: list[int] = field(default_factory=list)  # the next list of options from a line on
    soft: list[int] = field(default_factory=list)  # the next list that may be one
    starts: dict[int, bool] = field(default_factory=dict)  # of a question; True: options follow
    style: str | None = None

    def begins(self, at: int) -> bool:
        """True where a list of lettered or boxed options begins or goes on."""
        return self.lists[at] == at


def outline(lines: Sequence[Line]) -> Outline:
    """Find where each question of a page begins."""
    signs = [
        sign_of(line.text) if line.text and line.mark is not Mark.CODE else None for line in lines
    ]
    found = Outline(lines, signs)
    _find_lists(found)
    candidates = _candidates(found)
    counts = {style: sum(has for _, has in each) for style, each in candidates.items()}
    best = max(STYLES, key=lambda style: counts[style])
    if counts[best] or candidates["question"]:
        found.style = best  # “Question 7” is one even where no page has options
    _choose_starts(found, candidates)
    return found


def is_section(found: Outline, at: int) -> bool:
    """True for a heading that is no mark inside a question, such as “#### Explanation”."""
    sign = found.signs[at]
    return found.lines[at].mark is Mark.HEADING and (sign is None or sign.says not in _LOCAL)


def _find_lists(found: Outline) -> None:
    """Fill `lists` and `soft`, from the last line to the first."""
    size = len(found.lines)
    found.lists, found.soft = [_FAR] * (size + 1), [_FAR] * (size + 1)
    letter = ""  # the label of the next lettered line
    after: tuple[int, Sign] | None = None  # the next item of a list, with its indent
    for at in range(size - 1, -1, -1):
        line, sign = found.lines[at], found.signs[at]
        found.lists[at], found.soft[at] = found.lists[at + 1], found.soft[at + 1]
        if line.mark is Mark.HEADING:
            letter, after = "", None
        if line.mark is not Mark.TEXT or sign is None:
            continue
        if sign.says is Says.BOX or (sign.says is Says.LETTER and _follows(letter, sign.label)):
            found.lists[at] = at
        elif sign.says in (Says.NUMBER, Says.BULLET) and _goes_on(after, line.indent, sign):
            found.soft[at] = at
        if sign.says is Says.LETTER:
            letter = sign.label
        elif sign.says in (Says.NUMBER, Says.BULLET):
            after = line.indent, sign


def _follows(later: str, label: str) -> bool:
    return bool(later) and ord(later) == ord(label) + 1


def _goes_on(after: tuple[int, Sign] | None, indent: int, sign: Sign) -> bool:
    """True for the first two items of a list: bullets, or the numbers 1 and 2."""
    if after is None or after[0] != indent or after[1].says is not sign.says:
        return False
    return sign.says is Says.BULLET or (sign.number, after[1].number) == (1, 2)


def _style_of(line: Line, sign: Sign | None) -> str | None:
    """The style in which a line may number a question."""
    if sign is None or sign.says not in (Says.QUESTION, Says.NUMBER):
        return None
    if line.mark not in (Mark.TEXT, Mark.HEADING, Mark.SUMMARY) or gives_answer(sign):
        return None
    if sign.says is Says.QUESTION:
        return "question"
    if line.mark is not Mark.TEXT:
        return "heading" if line.mark is Mark.HEADING else "summary"
    if sign.bold:
        return "bold"
    return "plain" if line.indent <= 3 else None


def gives_answer(sign: Sign) -> bool:
    """True for “1. B”, “Q1: B) text” and “1. Answer: B”: an answer by its number."""
    if not sign.rest:
        return False
    inner = sign_of(sign.rest)
    if inner is not None and inner.says in (Says.LETTER, Says.ANSWER):
        return True
    return begins_with_letters(sign.rest)


def _candidates(found: Outline) -> dict[str, list[tuple[int, bool]]]:
    """For each style the lines that number in it, and whether options follow each."""
    candidates: dict[str, list[tuple[int, bool]]] = {style: [] for style in STYLES}
    stops = dict.fromkeys(STYLES, _FAR)  # the next line that ends a question of the style
    for at in range(len(found.lines) - 1, -1, -1):
        style = _style_of(found.lines[at], found.signs[at])
        if style is not None:
            has = _has_options(found, at, style, stops[style])
            candidates[style].append((at, has))
            stops[style] = at
        if is_section(found, at):
            stops = dict.fromkeys(STYLES, at)
    return {style: each[::-1] for style, each in candidates.items()}


def _has_options(found: Outline, at: int, style: str, stop: int) -> bool:
    if found.lists[at + 1] < stop:
        return True
    soft = found.soft[at + 1]
    if soft >= stop:
        return False
    if style != "plain":
        return True
    sign, first = found.signs[at], found.signs[soft]
    if sign is None or first is None or not sign.rest.rstrip("*_ ").endswith(("?", ":")):
        return False
    return first.says is Says.BULLET or found.lines[soft].indent > found.lines[at].indent


def _choose_starts(found: Outline, candidates: dict[str, list[tuple[int, bool]]]) -> None:
    """All numbers of the page's own style that are questions, and others that options follow."""
    every = sorted((at, has, style) for style, each in candidates.items() for at, has in each)
    last = 0
    for index, (at, has, style) in enumerate(every):
        sign = found.signs[at]
        if sign is None:
            continue
        if style == found.style:
            if has or style == "question" or (sign.number == last + 1 and _is_asked(found, at)):
                found.starts[at] = has
                last = sign.number
        elif has and found.style != "plain" != style:
            beyond = every[index + 1][0] if index + 1 < len(every) else _FAR
            if min(found.lists[at + 1], found.soft[at + 1]) < beyond:
                found.starts[at] = True
                last = sign.number


def _is_asked(found: Outline, at: int) -> bool:
    sign = found.signs[at]
    rest = sign.rest if sign else ""
    return bool(
        _ASKS.search(rest[-200:]) or _ASKS.search(rest[:200]) or UNSUPPORTED.search(rest[:400])
    )
