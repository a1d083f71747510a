"""A Markdown page as lines that are told apart: text, headings, rules, folds and whole code blocks.

What is no text for a reader goes: front matter, comments, HTML tags. Code is never looked into.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from enum import Enum, auto

from bank.formats.markdown_exam import marks
from bank.formats.markdown_exam.tags import CODE_SPAN, TAG, clean


class Mark(Enum):
    """What a line is by its form."""

    TEXT = auto()
    BLANK = auto()
    HEADING = auto()
    RULE = auto()
    CODE = auto()  # a whole block, as a fence of backticks
    SUMMARY = auto()  # what stands on a fold: <summary>
    CLOSE = auto()  # where a fold ends: </details>


@dataclass(slots=True)
class Line:
    """A line of the page: `text` is cleaned, without its indent; `indent` is in columns."""

    number: int
    mark: Mark
    text: str = ""
    indent: int = 0
    level: int = 0  # of a heading
    hard: bool = False  # the line is meant to end here
    quoted: bool = False
    fault: str = ""  # what keeps a reader from trusting it


_FOLD = re.compile(r"<(/?)(details|summary)\b[^<>]*>", re.IGNORECASE)
_COMMENT_OR_CODE = re.compile(rf"<!--|{CODE_SPAN.pattern}")
_IN_PAGE = re.compile(r"\[[^\[\]]{0,200}\]\(#[^()]{0,200}\)")
_LIST_MARK = re.compile(r"(?:[-*+•]|\d{1,9}[.)])([ \t]+)")
_QUOTE = re.compile(r"[ \t]*>(?:[ \t]{0,3}>)*[ \t]?")
_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]*>", re.IGNORECASE)
_LANGUAGE = re.compile(r"\{?\.?([\w+#.-]{1,30})")
_TABLE_RULE = re.compile(r"\|?[ \t]{0,40}:?-{2,}[-:| \t]*")

_LONGEST_SUMMARY = 20  # lines; one that never ends is no summary
_LONGEST_FRONT_MATTER = 200


def read_page(text: str) -> list[Line]:
    """The lines of a Markdown page; runs of blank lines are one."""
    return _Page(text).read()


class _Page:
    """One pass over the rows of a page."""

    def __init__(self, text: str) -> None:
        self.rows = text.split("\n")
        self.lines: list[Line] = []
        self.bases: list[int] = []  # where the text of each open list item begins
        self.summary: list[str] | None = None
        self.summary_line = 0
        self.last_comment_end = text.count("\n", 0, max(0, text.rfind("-->")))
        last_pre_end = text.lower().rfind("</pre")
        self.last_pre_end = text.count("\n", 0, last_pre_end) if last_pre_end >= 0 else -1
        self.has_comments = "<!--" in text

    def read(self) -> list[Line]:
        at = self._after_front_matter()
        while at < len(self.rows):
            at = self._row(at)
        self._end_summary()
        return self.lines

    def _after_front_matter(self) -> int:
        if self.rows[0].rstrip() != "---":
            return 0
        for at, row in enumerate(self.rows[1 : _LONGEST_FRONT_MATTER + 1], start=1):
            if row.rstrip() in ("---", "..."):
                return at + 1
        return 0

    def _row(self, at: int) -> int:
        """Take the row `at`, and what belongs to it; gives the next row to take."""
        row = self.rows[at]
        stripped = row.strip()
        if not stripped:
            self._blank(at + 1)
            return at + 1
        quoted = stripped[0] == ">"
        if quoted:
            row = _QUOTE.sub("", row, count=1)
            stripped = row.strip()
            if not stripped:
                self._blank(at + 1)
                return at + 1
        if stripped.startswith(("```", "~~~")) and (fence := _fence(stripped)):
            return self._fenced(at, fence, quoted)
        indent = _width(row)
        if indent >= 4 and not quoted and self._is_code(indent, stripped):
            return self._indented(at)
        if self.has_comments and "<!--" in stripped:
            stripped, at = self._uncommented(stripped, at)
            if not stripped:
                return at + 1
        if stripped[0] == "<" and stripped[:4].lower() == "<pre" and "```" not in stripped:
            return self._preformatted(at, indent)
        self._text_row(at + 1, stripped, indent, quoted, hard=row.endswith(("  ", "\\")))
        return at + 1

    def _blank(self, number: int) -> None:
        if self.lines and self.lines[-1].mark is not Mark.BLANK:
            self.lines.append(Line(number, Mark.BLANK))

    # Code.

    def _is_code(self, indent: int, stripped: str) -> bool:
        """True for a row that begins an indented code block, and is no option set in far."""
        if self.lines and self.lines[-1].mark not in (Mark.BLANK, Mark.CODE):
            return False
        while self.bases and self.bases[-1] > indent:
            self.bases.pop()
        return indent - self._base() >= 4 and not marks.is_marked(stripped)

    def _base(self) -> int:
        return self.bases[-1] if self.bases else 0

    def _fenced(self, at: int, fence: str, quoted: bool) -> int:
        """A fence up to the run of as many marks that closes it."""
        row = self.rows[at]
        if quoted:
            row = _QUOTE.sub("", row, count=1)
        indent = _width(row)
        info = row.strip()[len(fence) :]
        body: list[str] = []
        end = at + 1
        while end < len(self.rows):
            inner = _QUOTE.sub("", self.rows[end], count=1) if quoted else self.rows[end]
            end += 1
            mark = inner.strip()
            if mark.startswith(fence) and not mark.strip(fence[0]):
                break
            body.append(_outdented(inner, indent))
        else:
            self._code(at + 1, indent, info, body, "a block of code that begins here never ends")
            return end
        self._code(at + 1, indent, info, body)
        return end

    def _indented(self, at: int) -> int:
        base = self._base()
        body: list[str] = []
        end = at
        while end < len(self.rows):
            row = self.rows[end]
            if row.strip() and _width(row) < base + 4:
                break
            body.append(_outdented(row, base + 4))
            end += 1
        while not body[-1].strip():
            body.pop()
            end -= 1
        self._code(at + 1, base, "", body)
        return end

    def _preformatted(self, at: int, indent: int) -> int:
        """<pre> … </pre>, its tags taken out and its entities decoded."""
        end = at
        while end <= self.last_pre_end and "</pre" not in self.rows[end].lower():
            end += 1
        if end > self.last_pre_end:
            self._text_row(at + 1, self.rows[at].strip(), indent, quoted=False, hard=False)
            return at + 1
        inner = "\n".join(self.rows[at : end + 1])
        language = re.search(r"language-([\w+#.-]{1,30})", inner[:200])
        plain = html.unescape(TAG.sub("", inner)).strip("\n")
        self._code(at + 1, indent, language[1] if language else "", plain.split("\n"))
        return end + 1

    def _code(self, number: int, indent: int, info: str, body: list[str], fault: str = "") -> None:
        """A block of code as Discord shows it: backticks, more of them than any row holds."""
        runs = [0, *(_leading_run(row) for row in body)]
        fence = "`" * max(3, max(runs) + 1)
        language = _LANGUAGE.match(info.strip())
        text = "\n".join([fence + (language[1] if language else ""), *body, fence])
        self.lines.append(Line(number, Mark.CODE, text, indent, fault=fault))

    # Comments, folds, text.

    def _uncommented(self, row: str, at: int) -> tuple[str, int]:
        """The row without its comments, and the row in which the last of them ends."""
        kept: list[str] = []
        start = 0  # of what is not taken yet
        look = 0
        while (found := _COMMENT_OR_CODE.search(row, look)) is not None:
            look = found.end()
            if found[0] != "<!--":
                continue
            end = row.find("-->", look)
            if end < 0 and at >= self.last_comment_end:
                break  # it never ends, so it is text
            kept.append(row[start : found.start()])
            while end < 0:
                at += 1
                row = self.rows[at]
                end = row.find("-->")
            start = look = end + 3
        return "".join([*kept, row[start:]]).strip(), at

    def _text_row(self, number: int, row: str, indent: int, quoted: bool, hard: bool) -> None:
        if "<" in row and _FOLD.search(row) is not None:
            self._folds(number, row, indent, quoted)
            return
        if self.summary is not None:
            self.summary.append(row)
            if len(self.summary) > _LONGEST_SUMMARY:
                self._end_summary()
            return
        self._plain(number, row, indent, quoted, hard)

    def _folds(self, number: int, row: str, indent: int, quoted: bool) -> None:
        """A row with <details> or <summary>: what stands on, in and around the fold."""
        at = 0
        for tag in _FOLD.finditer(row):
            before = row[at : tag.start()].strip()
            at = tag.end()
            if before and self.summary is not None:
                self.summary.append(before)
            elif before:
                self._plain(number, before, indent, quoted, hard=False)
            closes, name = bool(tag[1]), tag[2].lower()
            if name == "summary" and not closes:
                self._end_summary()
                self.summary, self.summary_line = [], number
            else:
                self._end_summary()
            if name == "details" and closes and (not self.lines or self._last() is not Mark.CLOSE):
                self.lines.append(Line(number, Mark.CLOSE))
        if after := row[at:].strip():
            if self.summary is not None:
                self.summary.append(after)
            else:
                self._plain(number, after, indent, quoted, hard=False)

    def _last(self) -> Mark:
        return self.lines[-1].mark

    def _end_summary(self) -> None:
        if self.summary is not None:
            text = " ".join(clean(" ".join(self.summary)).split())
            if text := text.lstrip("# "):
                self.lines.append(Line(self.summary_line, Mark.SUMMARY, text))
            self.summary = None

    def _plain(self, number: int, row: str, indent: int, quoted: bool, hard: bool) -> None:
        """A row of text, heading or rule, cleaned; a <br> in it ends a line."""
        level = _heading_level(row)
        if row[0] == "<" and (heading := _HTML_HEADING.match(row)):
            level = int(heading[1])
        elif level:
            row = row[level:].strip()
            row = re.sub(r"(?:^|[ \t])#+$", "", row)
        elif row[0] in "-*_=" and len(set(row) - {" ", "\t"}) == 1 and len(row) > 2:
            self.lines.append(Line(number, Mark.RULE))
            return
        text = clean(row).strip() if "<" in row or "&" in row else row
        if "](#" in text and not re.search(r"\w", _IN_PAGE.sub("", text)):
            return  # a table of contents, or a way back to the top
        if level:
            text = " ".join(text.split())
            if text:
                self.lines.append(Line(number, Mark.HEADING, text, indent, level))
            return
        self._track_lists(row, indent)
        pieces = text.split("\n")
        for at, piece in enumerate(pieces):
            ends = hard if at == len(pieces) - 1 else True
            if piece := piece.strip():
                piece = piece[:-1] if piece.endswith("\\") and ends else piece
                self.lines.append(Line(number, Mark.TEXT, piece, indent, hard=ends, quoted=quoted))
            elif text.strip() == "":
                self._blank(number)

    def _track_lists(self, row: str, indent: int) -> None:
        """Keep where list items' texts begin: code is indented against that."""
        mark = _LIST_MARK.match(row)
        loose = mark or not self.lines or self.lines[-1].mark is Mark.BLANK
        while loose and self.bases and indent < self.bases[-1]:
            self.bases.pop()
        if mark:
            spaces = len(mark[1]) if len(mark[1]) <= 4 else 1
            self.bases.append(indent + mark.start(1) + spaces)


def is_table_rule(text: str) -> bool:
    """True for the row of dashes under a table's heads."""
    return "-" in text and "|" in text and _TABLE_RULE.fullmatch(text) is not None


def _fence(stripped: str) -> str | None:
    """The marks that open a code block here; with backticks in what follows it is inline code."""
    char = stripped[0]
    length = len(stripped) - len(stripped.lstrip(char))
    return None if char == "`" and "`" in stripped[length:] else stripped[:length]


def _heading_level(row: str) -> int:
    if row[0] != "#":
        return 0
    level = len(row) - len(row.lstrip("#"))
    if level > 6 or (len(row) > level and not row[level].isspace() and level < 2):
        return 0
    return level


def _leading_run(row: str) -> int:
    stripped = row.lstrip()
    return len(stripped) - len(stripped.lstrip("`")) if stripped.startswith("```") else 0


def _width(row: str) -> int:
    """The columns of a row's indent."""
    lead = row[: len(row) - len(row.lstrip())]
    return len(lead.expandtabs(4)) if "\t" in lead else len(lead)


def _outdented(row: str, width: int) -> str:
    """A row without up to `width` columns of its indent."""
    if not width:
        return row
    text = row.lstrip(" \t")
    return row[: len(row) - len(text)].expandtabs(4)[width:] + text
