"""Runs of marked text -> one paragraph of Markdown, its marks nested and closed in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bank.formats.plain_text import at_line_start, escaped, has_brackets

BOLD, EMPHASIS, UNDERLINED, STRUCK, CODE = (1 << place for place in range(5))

_SIGNS = {BOLD: "**", EMPHASIS: "*", UNDERLINED: "__", STRUCK: "~~"}
_SPACES = re.compile(r" {2,}")
_TICKS = re.compile(r"`+")


class Run(NamedTuple):
    """Text, the bits of the marks that it stands in, and the address that it leads to or ""."""

    text: str
    marks: int = 0
    link: str = ""


def rendered(runs: Sequence[Run]) -> str:
    """The runs as Markdown: text escaped, white space collapsed and moved out of the marks.

    A line end is a run of its own.
    """
    merged = list(_merged(runs))
    writer = _Writer(has_brackets("".join(run.text for run in merged)))
    for run, after in zip(merged, [*merged[1:], Run("")], strict=True):
        writer.add(run, after)
    writer.leave(0, "")
    return "".join(writer.out)


def _merged(runs: Sequence[Run]) -> Iterator[Run]:
    """The runs, neighbours of one look made one."""
    texts: list[str] = []
    last = Run("")
    for run in runs:
        if texts and (run[1:] != last[1:] or "\n" in (run.text, last.text)):
            yield Run(_SPACES.sub(" ", "".join(texts)), last.marks, last.link)
            texts = []
        last = run
        texts.append(run.text)
    if texts:
        yield Run(_SPACES.sub(" ", "".join(texts)), last.marks, last.link)


class _Writer:
    """Writes runs one by one and keeps what is open: the link, and in it the marks."""

    def __init__(self, brackets: bool) -> None:
        self.out: list[str] = []
        self.brackets = brackets
        self.open: list[tuple[int, int]] = []  # marks, and where in `out` their signs stand
        self.link = ""
        self.link_at = 0
        self.gap = ""  # white space that is not written yet
        self.closed = 0  # where in `out` the last mark was closed,
        self.closed_from = 0  # and where it had been opened

    def add(self, run: Run, after: Run) -> None:
        core = run.text.strip()
        if not core:
            self.gap += run.text
            return
        self.gap += run.text[: len(run.text) - len(run.text.lstrip())]
        if "\n" in self.gap:
            self.leave(0, "")
        self.leave(run.marks, run.link)
        if self.out and self.gap:
            self.out.append("\n" * min(2, self.gap.count("\n")) or " ")
        at_start = not self.out or self.out[-1].endswith("\n")
        opened = self._enter(run, after)
        if run.marks & CODE:
            self.out.append(_code(core))
        else:
            text = escaped(core, self.brackets or bool(run.link))
            self.out.append(at_line_start(text) if at_start and not opened else text)
        self.gap = run.text[len(run.text.rstrip()) :]

    def leave(self, marks: int, link: str) -> None:
        """Close what does not go on with `marks` and `link`."""
        while self.open and (self.link != link or any(not mark & marks for mark, _ in self.open)):
            _, at = self.open.pop()
            self.out.append(self.out[at])
            self.closed, self.closed_from = len(self.out), at
        if self.link and self.link != link:
            if "".join(self.out[self.link_at + 1 :]) == self.link:
                self.out[self.link_at] = ""  # an address that leads to itself needs no brackets
            else:
                self.out.append(f"]({self.link})")
            self.link = ""

    def _enter(self, run: Run, after: Run) -> bool:
        """Open what begins with `run`, first what goes on behind it. True when something does."""
        before = len(self.out)
        if run.link and not self.link:
            self.link, self.link_at = run.link, len(self.out)
            self.out.append("[")
        there = sum(mark for mark, _ in self.open)
        new = [mark for mark in _SIGNS if mark & run.marks & ~there]
        for mark in sorted(new, key=lambda mark: not mark & after.marks):
            sign = self._sign(mark)
            self.open.append((mark, len(self.out)))
            self.out.append(sign)
        return len(self.out) > before

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
