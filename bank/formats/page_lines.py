"""The lines of a page copied from an exam-practice site, pure: what each one is, by its looks.

It only labels lines. What they make together, `bank.formats.page_text` decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple


class Mark(Enum):
    """What a line is on a page."""

    TEXT = "text"
    BLANK = "nothing"
    QUESTION = "“Question 3 of 60”"
    NUMBER = "“3. …”, which may begin a question, an option or an item of a list"
    REVEAL = "“Select an answer to reveal the explanation”"
    ANSWER = "“Correct answer: B”"
    SHORT = "“Short Explanation”"
    FULL = "“Full Explanation”"
    EXPLANATION = "“Explanation:”"
    BREAK = "the foot of a page"
    CHROME = "what a site shows around its questions"


class Line(NamedTuple):
    """A line with its number from 1, what it is, and the text that stands behind its mark."""

    number: int
    text: str
    mark: Mark
    rest: str = ""


_QUESTION = re.compile(
    r"[#*_\s]{0,8}(?:question\s?(?:no\.?|number|#)?\s?[:#]?\s?\d{1,5}(?:\s?(?:of|/)\s?\d{1,5})?"
    r"|q\s?\d{1,5}(?=[.):\s]))\s{0,3}(?:[.):–—-]{1,2}|$|(?=\s))[*_]{0,3}\s{0,9}",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s{0,8}[*_]{0,2}(\d{1,4})[.)][*_]{0,2}\s{1,9}(?=\S)")
_REVEAL = re.compile(
    r"(?:(?:select|choose|pick|click|tap)\b.{0,40}\b(?:reveal|see|show|view)\b.{0,30}"
    r"\b(?:explanations?|answers?)|(?:reveal|show|view|hide|see)\s(?:the\s)?"
    r"(?:correct\s)?(?:answers?|explanations?|solutions?)(?:\s(?:and|&)\sexplanations?)?)[.!…]?",
    re.IGNORECASE,
)
_MARKS = r"[#>*_\s]{0,8}"
_ENDS = r"\s{0,3}[*_]{0,3}(?:\s{0,3}[:.–—-][*_]{0,3}\s{0,9}|$)"
_SHORT = re.compile(
    rf"{_MARKS}(?:short|brief|quick|simple)\s(?:explanation|answer)(?:\s(?:and|&)\sinfographic)?{_ENDS}",
    re.IGNORECASE,
)
_FULL = re.compile(
    rf"{_MARKS}(?:full|detailed|long|complete|in-depth)\s(?:explanation|answer){_ENDS}",
    re.IGNORECASE,
)
_EXPLANATION = re.compile(
    rf"{_MARKS}(?:(?:answer\s)?explanations?|rationale|overall\sexplanation){_ENDS}", re.IGNORECASE
)
_ANSWER = re.compile(
    rf"{_MARKS}(?:the\s)?(?:(?:correct|right|suggested|official|best)\s)?(?:answers?|ans\.?|key"
    r"|correct(?:\s(?:option|choice)s?)?)(?:\(s\))?[*_]{0,3}"
    r"(?:\s{0,3}[:=][*_]{0,3}\s{0,9}|\s(?:is|are):?\s{1,3}(?=[*_(]{0,3}[A-H]\b)"
    r"|\s[–—-]\s(?=[*_(]{0,3}[A-H]\b)|\s(?=[A-H](?:\s?,\s?[A-H]){0,7}$))(?=\S)",
    re.IGNORECASE,
)
_ANSWER_HEAD = re.compile(
    rf"{_MARKS}(?:(?:correct|right)\s)?answers?(?:\(s\))?\s?:?[*_]{{0,3}}\s{{0,3}}$", re.IGNORECASE
)
_ANSWER_ALONE = re.compile(
    r"\s{0,9}[*_(]{0,3}[A-H](?:\s?(?:,|and|&|/)\s?[A-H]){0,7}[*_).]{0,3}\s{0,9}$"
)
_BREAK = re.compile(
    r"(?:[«<←‹]{1,2}\s?)?(?:next|previous|prev|back)(?:\s(?:question|page|q))?(?:\s?[»>→›]{1,2})?"
    r"|prefer\sto\sstudy\soffline\b.{0,300}",
    re.IGNORECASE,
)
_CHROME = re.compile(
    r"full\sexplanation\sbelow(?:\s(?:the\s)?(?:image|infographic))?[.:]?"
    r"|page\s\d{1,5}(?:\s(?:of|/)\s\d{1,5})?"
    r"|report(?:\s(?:this|a|an))?(?:\s(?:question|error|issue|problem))?"
    r"|(?:flag|bookmark|share|save|rate|copy|print)(?:\sthis)?(?:\s(?:question|link|page))?"
    r"|(?:mark\sfor|add\sto)\sreview|was\sthis\s(?:question\s|explanation\s)?helpful\?.{0,20}"
    r"|(?:submit|check|hide)(?:\s(?:my|your|the))?(?:\sanswer)?|try\sagain|skip(?:\squestion)?"
    r"|(?:your|you)\s(?:answer(?:ed)?|selected|chose)\b.{0,40}"
    r"|(?:discussions?|comments?|votes?|upvote|downvote)\s?(?:\(?\d{0,6}\)?)?"
    r"|.{0,200}\b(?:we|this\s(?:web)?site)\s(?:and\sour\spartners\s)?uses?\scookies\b.{0,400}"
    r"|(?:accept|reject|allow)(?:\sall)?(?:\scookies)?|(?:manage|cookie)\s(?:cookie\s)?"
    r"(?:preferences|settings|policy|options)|privacy(?:\spolicy)?|terms(?:\sof\s(?:service|use))?"
    r"|advertisements?|sponsored|ads?|(?:©|copyright\b|\(c\)(?=.{0,20}\b\d{4}\b)).{0,120}|all\srights\sreserved\.?"
    r"|log\s?in|sign\s(?:in|up)(?:\sfor\sfree)?|loading(?:…|\.\.\.)?|infographic|"
    r"(?:time\s(?:remaining|left)|score)\s?:.{0,30}|\d{1,4}\s?/\s?\d{1,4}",
    re.IGNORECASE,
)
# The foot that a site sets right behind its last sentence, with the next page glued to it.
_FOOT = re.compile(
    r"Prefer to study offline\?(?:[^\n]{0,300}?\bstay free here\.|[^\n]{0,300}$)",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE = re.compile(r"\s{0,3}(?:`{3}|~{3})")
_FENCE_END = re.compile(r"\s{0,3}(?:`{3,}|~{3,})$")
_LONGEST_MARK = 600  # characters of a line that can be a foot or a heading as a whole
# Most lines begin with none of these words, and need no closer look.
_MAY_BE_MARKED = re.compile(
    r"[^\w\n]{0,10}(?:q\s?\d|question|select|choose|pick|click|tap|reveal|show|view|hide|see|short|"
    r"brief|quick|simple|full|detailed|long|complete|in-depth|answers?\b|explanation|rationale|"
    r"overall|the\s|correct|right|suggested|official|best\s|ans\b|key\b|next|prev|back|prefer|page|"
    r"report|flag|bookmark|share|save|rate|copy|print|mark\s|add\s|was\s|submit|check|try\s|skip|"
    r"your?\s|discussion|comment|vote|upvote|downvote|accept|reject|allow|manage|cookie|privacy|"
    r"terms|advert|sponsored|ads?$|©|\(c\)|all\s|log\s?in|sign\s|loading|infographic|time\s|score|"
    r"\d|©)",
    re.IGNORECASE,
)


def lines_of(text: str) -> list[Line]:
    """Every line of a page with what it is. In a code block all lines are text."""
    raws = [raw.rstrip() for raw in text.split("\n")]
    last_fence = max((at for at, raw in enumerate(raws) if _FENCE_END.match(raw)), default=-1)
    lines: list[Line] = []
    in_code = False
    for at, raw in enumerate(raws):
        if in_code:
            in_code = _FENCE_END.match(raw) is None
            lines.append(Line(at + 1, raw, Mark.TEXT))
        elif at < last_fence and _FENCE.match(raw):
            in_code = True
            lines.append(Line(at + 1, raw, Mark.TEXT))
        else:
            lines += (_line(at + 1, part) for part in _without_feet(raw))
    return list(_with_answers_below(lines))


def _without_feet(raw: str) -> Iterator[str]:
    """A line, cut before and behind the foot of a page, to which the next page may be glued."""
    if "refer to study offline" not in raw:
        yield raw
        return
    at = 0
    for foot in _FOOT.finditer(raw):
        if raw[at : foot.start()].strip():
            yield raw[at : foot.start()].rstrip()
        yield foot[0]
        at = foot.end()
    if raw[at:].strip():
        yield raw[at:].lstrip()


def _line(number: int, text: str) -> Line:
    stripped = text.strip()
    if not stripped:
        return Line(number, "", Mark.BLANK)
    if len(stripped) <= _LONGEST_MARK and "cookies" in stripped and _CHROME.fullmatch(stripped):
        return Line(number, text, Mark.CHROME)
    if not _MAY_BE_MARKED.match(text):
        return Line(number, text, Mark.TEXT)
    if len(stripped) <= _LONGEST_MARK:
        for pattern, mark in ((_REVEAL, Mark.REVEAL), (_BREAK, Mark.BREAK), (_CHROME, Mark.CHROME)):
            if pattern.fullmatch(stripped):
                return Line(number, text, mark)
    for pattern, mark in _OPENINGS:
        if found := pattern.match(text):
            return Line(number, text, mark, text[found.end() :].strip())
    return Line(number, text, Mark.TEXT)


_OPENINGS = (
    (_SHORT, Mark.SHORT),
    (_FULL, Mark.FULL),
    (_EXPLANATION, Mark.EXPLANATION),
    (_ANSWER, Mark.ANSWER),
    (_QUESTION, Mark.QUESTION),
    (_NUMBER, Mark.NUMBER),
)


def _with_answers_below(lines: list[Line]) -> Iterator[Line]:
    """A line “Correct answer” with a letter alone below it, as one line."""
    used = -1
    for at, line in enumerate(lines):
        if at == used:
            continue
        if line.mark is not Mark.BLANK and _ANSWER_HEAD.match(line.text):
            below = next((b for b in range(at + 1, min(at + 3, len(lines))) if lines[b].text), at)
            if below != at and _ANSWER_ALONE.match(lines[below].text):
                yield Line(line.number, line.text, Mark.ANSWER, lines[below].text.strip())
                used = below
                continue
        yield line
