"""Runs of marked text -> one paragraph of Markdown, its marks nested and closed in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from bank.formats.plain_text import as_plain_text, at_line_start, escaped, has_brackets

BOLD, EMPHASIS, UNDERLINED, STRUCK, CODE = (1 << place for place in range(5))

_SIGNS = {BOLD: "**", EMPHASIS: "*", UNDERLINED: "__", STRUCK: "~~"}
_TICKS = re.compile(r"`+")


Run = tuple[str, int, str]
"""Text, the bits of the marks that it stands in, and the address that it leads to or ""."""


def rendered(runs: Sequence[Run]) -> str:
    """The runs as Markdown: text escaped, white space collapsed and moved out of the marks.

    A line end is a run of its own.
    """
    if len(runs) == 1 and runs[0][1:] == (0, ""):
        return as_plain_text(runs[0][0].strip())
    looks = 0
    for _, marks, _ in runs:
        looks |= marks
    return _Writer(_with_whole_code(runs) if looks & CODE else runs).text()


def _with_whole_code(runs: Sequence[Run]) -> list[Run]:
    """The runs, code beside code made one: it is not closed and opened in between."""
    found: list[Run] = []
    for look, group in groupby(runs, key=lambda run: run[1:]):
        if look[0] & CODE:
            found.append(("".join(text for text, _, _ in group), *look))
        else:
            found += group
    return found


class _Writer:
    """Writes runs one by one and keeps what is open: the link, and in it the marks."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = runs
        self.brackets = has_brackets("".join([run[0] for run in runs]))
        self.out: list[str] = []
        self.open: list[tuple[int, int]] = []  # marks, and where in `out` their signs stand
        self.marks = 0  # all that are open
        self.link = ""
        self.link_at = 0
        self.closed = 0  # where in `out` the last mark was closed,
        self.closed_from = 0  # and where it had been opened

    def text(self) -> str:
        gap = ""  # white space that is not written yet
        for place, (text, marks, link) in enumerate(self.runs):
            core = text.strip()
            if not core:
                gap += text
                continue
            if text[0].isspace():
                gap += " "
            self._add(core, marks, link, gap, place)
            gap = " " if text[-1].isspace() else ""
        self._leave(0, "")
        return "".join(self.out)

    def _add(self, core: str, marks: int, link: str, gap: str, place: int) -> None:
        lines = gap.count("\n")
        if lines:
            self._leave(0, "")
        elif self.marks & ~marks or self.link != link:
            self._leave(marks, link)
        if gap and self.out:
            self.out.append("\n" * min(2, lines) or " ")
        at_start = lines > 0 or not self.out
        if marks & ~self.marks & ~CODE or link != self.link:
            self._enter(marks, link, place)
            at_start = False
        if marks & CODE:
            self.out.append(_code(core))
        else:
            shown = escaped(core, self.brackets or bool(link))
            self.out.append(at_line_start(shown) if at_start else shown)

    def _leave(self, marks: int, link: str) -> None:
        """Close what does not go on with `marks` and `link`."""
        while self.open and (self.link != link or self.marks & ~marks):
            mark, at = self.open.pop()
            self.marks &= ~mark
            self.out.append(self.out[at])
            self.closed, self.closed_from = len(self.out), at
        if self.link and self.link != link:
            if "".join(self.out[self.link_at + 1 :]) == self.link:
                self.out[self.link_at] = ""  # an address that leads to itself needs no brackets
            else:
                self.out.append(f"]({self.link})")
            self.link = ""

    def _enter(self, marks: int, link: str, place: int) -> None:
        """Open what begins here, first what goes on behind this look."""
        if link and not self.link:
            self.link, self.link_at = link, len(self.out)
            self.out.append("[")
        new = [mark for mark in _SIGNS if mark & marks & ~self.marks]
        if len(new) > 1:
            later = (self.runs[at][1] for at in range(place, len(self.runs)))
            after = next((others for others in later if others != marks), 0)
            new.sort(key=lambda mark: not mark & after)
        for mark in new:
            sign = self._sign(mark)
            self.open.append((mark, len(self.out)))
            self.marks |= mark
            self.out.append(sign)

    def _sign(self, mark: int) -> str:
        """The sign that opens a mark; “*” right behind another's “*” would run into it."""
        closed_here = bool(self.out) and self.closed == len(self.out) and self.out[-1][-1:] == "*"
        if closed_here and mark == EMPHASIS:
            return "_"
        if closed_here and mark == BOLD and self.out[-1] == "*":
            self.out[self.closed_from] = self.out[-1] = "_"
        return _SIGNS[mark]


def _code(text: str) -> str:
    """Inline code, in more backticks than it has in a row."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"
