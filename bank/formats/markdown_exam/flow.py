"""Lines of a page -> Markdown as Discord shows it: a paragraph on one line, lists and code kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bank.formats.markdown_exam.page import Line, Mark, is_table_rule

_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s")
_DEEPEST = 8  # columns of indent that are kept before a list's item


def flow(lines: Sequence[Line]) -> str:
    """The text of some lines. Discord shows every line break, so those inside paragraphs go."""
    if len(lines) == 1 and lines[0].mark is Mark.TEXT and lines[0].text[0] != "|":
        return lines[0].text
    text = [line for line in lines if line.mark is not Mark.BLANK]
    base = min((line.indent for line in text), default=0)
    out: list[list[str]] = []
    joins = False  # the next plain line goes on with the line before
    listed = False
    gap = False
    for line in lines:
        if line.mark is Mark.BLANK:
            joins, gap = False, bool(out)
            continue
        item = line.mark is Mark.TEXT and _ITEM.match(line.text) is not None
        fresh = line.mark is not Mark.TEXT or item or line.text[0] == "|"
        # After a list's item a capital at the margin begins a sentence of its own.
        lazy = listed and line.indent <= base and line.text[0].isupper()
        if joins and not fresh and not lazy:
            out[-1].append(line.text)
        else:
            if gap and not (item and listed):
                out.append([""])
            out.append([_placed(line, base) if item else line.text])
            listed = item
        gap = False
        joins = line.mark is Mark.TEXT and not line.hard and line.text[0] != "|"
    rows = [" ".join(pieces) for pieces in out]
    return "\n".join(row for row in rows if not is_table_rule(row)).strip("\n")


def _placed(line: Line, base: int) -> str:
    return " " * min(max(0, line.indent - base) // 2 * 2, _DEEPEST) + line.text
