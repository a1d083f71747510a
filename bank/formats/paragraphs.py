"""Lines that were wrapped to fit a page, joined again, pure: paragraphs as their author wrote them.

Code blocks, lists, indented lines and real paragraphs stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_FENCE = re.compile(r"\s{0,3}(?:`{3}|~{3})")
_ITEM = re.compile(r"\s{0,12}(?:[-*+•‣▪✓✗✔✘✅❌>][ \t]|\d{1,3}[.)][ \t]|[A-Ha-h][.):][ \t]|\||#)")
_INDENTED = re.compile(r"(?: {4}|\t)\s*\S")
_ENDS = re.compile(r"[.!?:;…][\"”’)\]*_]{0,4}$")
_WORD = re.compile(r"[^\W\d_]{2,40}")
_BROKEN = re.compile(r"([^\W\d_]{2,40})-$")
_MANY_LINES = re.compile(r"\n{3,}")
_SOFT_HYPHEN = "\u00ad"
_WIDEST = 130  # columns: nobody wraps lines wider, so longer ones are whole paragraphs
_NARROWEST = 30


def paragraphs(lines: Sequence[str], *, loose: bool = False) -> str:
    """The lines as Markdown: what was one paragraph on one line, paragraphs apart.

    `loose` is for short texts, such as an option's, where only a blank line ends a paragraph.
    """
    if len(lines) == 1:
        return lines[0].replace(_SOFT_HYPHEN, "").strip()
    margin = _margin(lines)
    words: set[str] | None = None
    out: list[str] = []
    pieces: list[str] = []  # of the paragraph at hand
    in_code = False
    before = ""
    for raw in lines:
        line = raw.replace(_SOFT_HYPHEN, "")
        if _FENCE.match(line) or in_code:
            in_code = in_code != (_FENCE.match(line) is not None)
            out += [*_closed(pieces), line]
        elif not line.strip():
            out += [*_closed(pieces), ""]
        elif pieces and _joins(before, line, margin, loose):
            if words is None and before.endswith("-"):
                words = _words(lines)
            _glue(pieces, line.strip(), words or set())
        else:
            out += _closed(pieces)
            out += _gap(out, before, line)
            pieces.append(line if _INDENTED.match(line) else line.strip())
        before = line
    out += _closed(pieces)
    return _MANY_LINES.sub("\n\n", "\n".join(out)).strip("\n")


def _margin(lines: Sequence[str]) -> int:
    """The column at which the lines were wrapped, 0 where they were not."""
    widest = max((len(line) for line in lines), default=0)
    return widest if widest <= _WIDEST else 0


def _closed(pieces: list[str]) -> list[str]:
    """The paragraph at hand as a line, and `pieces` made ready for the next."""
    line = "".join(pieces)
    pieces.clear()
    return [line] if line else []


def _gap(out: Sequence[str], before: str, line: str) -> list[str]:
    """A blank line between paragraphs that a page sets right below each other."""
    if not out or not out[-1] or not before.strip() or _FENCE.match(before):
        return []
    kept = _ITEM.match(line) or _ITEM.match(before) or _INDENTED.match(line)
    return [] if kept or _INDENTED.match(before) else [""]


def _joins(before: str, line: str, margin: int, loose: bool) -> bool:
    """True when a line only goes on with the one before it."""
    if _ITEM.match(line) or _INDENTED.match(before):
        return False
    if _INDENTED.match(line) and not _ITEM.match(before):
        return False
    if loose:
        return True
    start = line.strip()
    ended = _ENDS.search(before[-12:]) is not None
    if not ended and (start[0].islower() or len(before) * 2 > margin >= _NARROWEST):
        return True
    # A line is full when the next word would have stood beyond the margin.
    return margin >= _NARROWEST and len(before) + 1 + len(start.split(None, 1)[0]) > margin


def _words(lines: Sequence[str]) -> set[str]:
    """The whole words of the lines: without the halves that a line's end breaks."""
    found: set[str] = set()
    broken = False
    for line in lines:
        words = _WORD.findall(line.lower())
        first = 1 if broken else 0
        broken = line.endswith("-")
        found.update(words[first:-1] if broken else words[first:])
    return found


def _glue(pieces: list[str], line: str, words: set[str]) -> None:
    """Add a line to its paragraph; a word that was broken is one again, a compound stays one."""
    broken = _BROKEN.search(pieces[-1][-48:])
    begins = _WORD.match(line)
    if not broken or not begins or not line[0].islower():
        pieces.append(f" {line}")
        return
    left, right = broken[1].lower(), begins[0].lower()
    if not (left in words and right in words and left + right not in words):
        pieces[-1] = pieces[-1][:-1]
    pieces.append(line)
