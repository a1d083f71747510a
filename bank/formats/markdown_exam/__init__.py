"""Markdown practice exams as found on GitHub: their pages -> drafts, problems and notes.

A page is cut into lines (`page`), the lines into questions and answers (`outline`, `questions`,
`answers`), those are joined by number, also across files (`pairing`), and become drafts
(`drafts`). Nothing here makes an answer up, and nothing is dropped without a word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bank.errors import BadFile, quoted
from bank.formats.markdown_exam.categories import categories
from bank.formats.markdown_exam.drafts import draft_of
from bank.formats.markdown_exam.pairing import join
from bank.formats.markdown_exam.pictures import Album
from bank.formats.markdown_exam.questions import read_questions
from bank.formats.reading import Draft, Problem, Reading, Source, Where, text_of

__all__ = ["looks_like", "read"]

MOST_LINES = 400_000
MOST_QUESTIONS = 10_000

_SAMPLE = 200_000  # characters in which a page shows what it is
_NATIVE = re.compile(r"\A---\n(?:[^\n]*\n){0,40}?domain:[^\n]*\n", re.IGNORECASE)
_BOX = re.compile(r"^[ \t>]{0,20}(?:[-*+]|\d{1,3}[.)])[ \t]{1,4}\[[ xX]\][ \t]", re.M)
_LETTERED_BULLET = re.compile(
    r"^[ \t>]{0,20}[-*+][ \t]{1,4}(?:\*\*)?\(?[A-Da-d](?:\*\*)?[.):]", re.M
)
_LETTER = re.compile(r"^[ \t>]{0,20}(?:\*\*)?\(?[A-Da-d](?:\*\*)?[.)]", re.M)
_HEADED = re.compile(
    r"^[ \t>]{0,8}(?:#{1,6}[ \t]{0,4}(?:\W{0,4}(?:question|q)?[ \t]{0,3}\d|\w)"
    r"|\*\*(?:question|q)?\s?\d{1,4}\b)",
    re.M | re.I,
)
_FOLDED = re.compile(r"<details\b[^<>\n]*>", re.I)
_NUMBERED = re.compile(
    r"^[ \t>]{0,8}(?:#{1,6}[ \t])?(?:\*\*)?(?:question[ \t]|q)?\d{1,4}[.):\b]", re.M | re.I
)
_SUMMARY_NUMBERED = re.compile(
    r"<summary\b[^<>\n]*>\s{0,8}(?:<b>|\*\*)?(?:question\s|q)?\d{1,4}\b", re.I
)
_ANSWERS = re.compile(
    r"^[ \t]{0,3}#{1,6}[^\n]{0,60}\b(?:answers?|solutions?|answer key)\b", re.M | re.I
)
_ROW = re.compile(
    r"^\|?[ \t]{0,4}\**\d{1,4}\**[ \t]{0,4}\|[ \t]{0,4}\**[A-H][A-H, ]{0,8}\**[ \t]{0,4}(?:\||$)",
    re.M,
)


def looks_like(source: Source) -> bool:
    """True for a page with the marks of a Markdown exam; question files of our own are none."""
    try:
        text = text_of(Source(source.name, source.data[: _SAMPLE * 2]))[:_SAMPLE]
    except BadFile:
        return False
    if (text.lstrip()[:1] in ("{", "[") and text.lstrip()[:2] != "[ ") or _NATIVE.match(text):
        return False
    if text.lstrip()[:5].lower() in ("<?xml", "<!doc", "<html", "<quiz"):
        return False
    return _has_options(text) or _has_answers(text)


def _has_options(text: str) -> bool:
    def often(pattern: re.Pattern[str]) -> bool:
        return sum(1 for _, _ in zip(pattern.finditer(text), range(2), strict=False)) > 1

    if often(_BOX) or often(_LETTERED_BULLET):
        return True
    if often(_LETTER) and (_HEADED.search(text) or _FOLDED.search(text)):
        return True
    return bool(_FOLDED.search(text)) and often(_SUMMARY_NUMBERED)


def _has_answers(text: str) -> bool:
    heading = _ANSWERS.search(text)
    if heading is None:
        return False
    return bool(_NUMBERED.search(text, heading.end()) or _ROW.search(text, heading.end()))


def read(sources: Sequence[Source], beside: Sequence[Source]) -> Reading:
    """All questions of all pages; answers in one file are joined with the questions of another.

    Raises BadFile for what is no text, holds no question, or is too long to be an exam.
    """
    pages = []
    for source in sources:
        text = text_of(source)
        if text.count("\n") > MOST_LINES:
            raise BadFile(f"{quoted(source.name)} has over {MOST_LINES:,} lines. Please split it.")
        page = read_questions(text)
        if max(len(page.questions), len(page.given)) > MOST_QUESTIONS:
            sentence = f"{quoted(source.name)} has over {MOST_QUESTIONS:,} questions."
            raise BadFile(f"{sentence} Please split it.")
        categories(page.questions)
        pages.append(page)
    names = [source.name for source in sources]
    if not any(page.questions or page.given for page in pages):
        raise BadFile(
            f"I found no question in {quoted(names[0] if names else 'nothing')}. A question has a "
            "number or a heading, and options such as “- A. text” or “- [x] text”."
        )
    works, problems, notes = join(names, pages)
    for name, page in zip(names, pages, strict=True):
        if not page.questions and not page.given:
            problems.append(Problem(Where(name), "there is no question in this file"))
    album = Album(beside)
    drafts: list[Draft] = []
    for work in works:
        made = draft_of(work, album)
        if isinstance(made, Problem):
            problems.append(made)
        else:
            drafts.append(made)
        notes += work.notes
    return Reading(tuple(drafts), tuple(problems), tuple(notes))
