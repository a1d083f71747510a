"""Links that stand under an explanation: they become the sources of a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bank.errors import quoted
from bank.formats.markdown_exam.page import Line, Mark
from bank.formats.markdown_exam.told import URL, Told

_LINK = re.compile(
    r"(?<!!)\[(?P<title>[^\[\]]{0,500})\]\((?P<url>https?://[^()\s]{1,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?)(?:\s\"[^\"]{0,200}\")?\)|<(?P<auto>https?://[^<>\s]{1,2000})>"
)
_WORD = re.compile(r"\w")
_AT_END = ".,;:!?)'\"*_"

Note = Callable[[str, int], None]


def take(told: Told, note: Note) -> tuple[str, ...]:
    """The links of a question's references, and lines of its explanation that are nothing else.

    They are taken out of `told`; words beside a reference's link stay with the explanation.
    """
    found: list[str] = []
    for line in told.references:
        if line.mark is not Mark.TEXT:
            continue
        urls, rest = _links(line.text)
        found += urls
        if not urls:
            told.full += [Line(line.number, Mark.BLANK), line]
        elif _WORD.search(rest):
            note(f"the reference holds more than its link: {quoted(rest.strip())}", line.number)
    kept: list[Line] = []
    for line in told.full:
        urls, rest = (
            _links(line.text) if line.mark is Mark.TEXT and "://" in line.text else ([], "-")
        )
        if urls and not _WORD.search(rest):
            found += urls
        else:
            kept.append(line)
    told.full[:] = kept
    return tuple(dict.fromkeys(found))


def _links(text: str) -> tuple[list[str], str]:
    """The addresses in a text, and the text without them."""
    pieces: list[str] = []
    urls: list[str] = []
    at = 0
    for url, start, end in _found(text):
        pieces.append(text[at:start])
        urls.append(url)
        at = end
    return urls, "".join([*pieces, text[at:]])


def _found(text: str) -> Iterator[tuple[str, int, int]]:
    """Each address, with where it begins and ends in the text, its brackets included."""
    at = 0
    for linked in _LINK.finditer(text):
        yield from _bare(text, at, linked.start())
        yield linked["url"] or linked["auto"], *linked.span()
        at = linked.end()
    yield from _bare(text, at, len(text))


def _bare(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    for found in URL.finditer(text, start, end):
        url = found[0].rstrip(_AT_END)
        yield url, found.start(), found.start() + len(url)
