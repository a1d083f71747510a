"""The question file: Markdown that reads like the page it becomes. Text -> parts of a question.

The body is cut by the positions of markdown-it-py's tokens, never by patterns over raw text, so a
code block may hold anything, even what looks like an option.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bank.formats.deck.front_matter import FrontMatter, read_front_matter
from bank.formats.reading import DraftOption
from bank.letters import references
from bank.models import Option

SECTIONS = ("Short explanation", "Full explanation")
TEXT_KEYS = ("domain", "image", "alt", "exhibit", "exhibit-alt", "expires")
LIST_KEYS = ("tags", "sources", "lint")
KNOWN_KEYS = (*TEXT_KEYS, *LIST_KEYS)

_BOX = re.compile(r"^\[([ xX])\](?:\s+|$)")
_FENCED = re.compile(r"^\[[ xX]\]\s+(?:```|~~~)")
_BULLET = re.compile(r"^[ \t]*[-*+][ \t]+")
_NEW_LINE = re.compile(r"\r\n|\r|\n")
_QUOTE = re.compile(r"^\s*>\s?")

# Marks a line that has been joined to the one before; no line of a file can equal it.
_JOINED = "\n"

_markdown = MarkdownIt("commonmark")


@dataclass
class QuestionFile:
    """What a question file holds, and `faults`: (line from 1, what to change) for each mistake."""

    front: FrontMatter
    stem: str = ""
    options: tuple[Option, ...] = ()
    short: str = ""
    full: str = ""
    stem_line: int = 1
    options_line: int = 1
    option_lines: tuple[int, ...] = ()
    short_line: int = 1
    full_line: int = 1
    places: int = 0  # items of the options' list, readable or not
    offered: tuple[DraftOption, ...] = ()  # the options, those without a text too
    faults: list[tuple[int, str]] = field(default_factory=list)
    gaps: list[tuple[int, str]] = field(default_factory=list)  # faults that tell of what is missing

    def text(self, key: str) -> str | None:
        value = self.front.values.get(key)
        return value if isinstance(value, str) and value else None

    def items(self, key: str) -> tuple[str, ...]:
        value = self.front.values.get(key, ())
        return value if isinstance(value, tuple) else ((value,) if value else ())

    def line(self, key: str) -> int:
        return self.front.lines.get(key, 1)


def lines_of(text: str) -> list[str]:
    """The lines of a file as editors count them; after the last line's end there is one more."""
    # Not splitlines(): it also cuts at form feeds and U+2028, where no editor counts a line.
    return _NEW_LINE.split(text)


def read_question_file(text: str) -> QuestionFile:
    """Cut a question file into its parts. It never raises: every mistake becomes a fault."""
    lines = lines_of(text)
    if not lines[-1]:
        lines.pop()
    front = read_front_matter(lines)
    # The front matter is blanked, not cut off, so that token positions are file lines.
    body = [""] * front.body_starts + lines[front.body_starts :]
    found = QuestionFile(front, faults=list(front.faults))
    for key, number in front.lines.items():
        if key not in KNOWN_KEYS:
            known = ", ".join(KNOWN_KEYS)
            found.faults.append((number, f"unknown key “{key}”; the keys are {known}"))
        if key in TEXT_KEYS and isinstance(front.values[key], tuple):
            found.faults.append((number, f"“{key}” is one text: write it without “[” and “]”"))
    if front.closed:
        _Reader(body, found).read()
    return found


class _Reader:
    """One pass over the tokens of a body, filling a QuestionFile."""

    def __init__(self, body: Sequence[str], found: QuestionFile) -> None:
        self.body = body
        self.found = found
        self.tokens = _markdown.parse("\n".join(body))
        self.top = [token for token in self.tokens if token.level == 0 and token.map]

    def read(self) -> None:
        headings = self._headings()
        first = min((start for start, _ in headings.values()), default=len(self.body))
        options = self._option_list(before=first)
        end_of_stem = _span(options)[0] if options else first
        self.found.stem = self._markdown(self.found.front.body_starts, end_of_stem)
        self.found.stem_line = min(self.found.front.body_starts + 1, max(1, len(self.body)))
        if not self.found.stem:
            self._gap(self.found.stem_line, "the stem is missing: write the question first")
        if options is None:
            self._gap(end_of_stem or 1, "no options found: write them as “- [ ] text”")
        else:
            self._read_options(options, first)
        self.found.short_line = headings.get(SECTIONS[0], (0, 0))[0] + 1
        self.found.full_line = headings.get(SECTIONS[1], (0, 0))[0] + 1
        self.found.short = self._section(headings, SECTIONS[0])
        self.found.full = self._section(headings, SECTIONS[1])
        self._check_references(headings)

    def _headings(self) -> dict[str, tuple[int, int]]:
        """The known sections: title -> (line of the heading, first line after it), from 0."""
        found: dict[str, tuple[int, int]] = {}
        for token, inline in zip(self.tokens, self.tokens[1:], strict=False):
            # Smaller headings belong to the text of their section.
            if token.type != "heading_open" or token.level or token.tag not in ("h1", "h2"):
                continue
            start, end = _span(token)
            title = next((s for s in SECTIONS if s.lower() == inline.content.strip().lower()), None)
            if title is None:
                wanted = " and ".join(f"“## {section}”" for section in SECTIONS)
                text = f"unknown heading “{inline.content}”; the sections are {wanted}"
                self._fault(start + 1, text)
            elif title in found:
                self._fault(start + 1, f"“## {title}” stands twice")
            else:
                found[title] = (start, end)
        return found

    def _section(self, headings: dict[str, tuple[int, int]], title: str) -> str:
        if title not in headings:
            return ""
        start, begin = headings[title]
        ends = [line for line, _ in headings.values() if line > start]
        text = self._markdown(begin, min(ends, default=len(self.body)))
        if not text:
            self._fault(start + 1, f"the section “## {title}” is empty")
        return text

    def _option_list(self, before: int) -> Token | None:
        """The first list, ahead of the sections, whose items begin with a box."""
        for token in self.top:
            if token.type == "bullet_list_open" and _span(token)[0] < before:
                items = self._items(token)
                if any(_box(item) for item in items):
                    return token
        return None

    def _items(self, list_open: Token) -> list[list[Token]]:
        """The tokens of each item of a top-level list."""
        items: list[list[Token]] = []
        at = self.tokens.index(list_open) + 1
        while self.tokens[at].type != "bullet_list_close" or self.tokens[at].level:
            if self.tokens[at].type == "list_item_open" and self.tokens[at].level == 1:
                items.append([])
            items[-1].append(self.tokens[at])
            at += 1
        return items

    def _read_options(self, list_open: Token, first_section: int) -> None:
        start, end = _span(list_open)
        self.found.options_line = start + 1
        items = self._items(list_open)
        self.found.places = len(items)
        read = [(self._read_option(item), _span(item[0])[0] + 1) for item in items]
        offered = [(option, line) for option, line in read if option is not None]
        for number, (option, at) in enumerate(read, start=1):
            if option is not None and not option.text:
                self._gap(at, f"option {number} has no text")
        self.found.offered = tuple(option for option, _ in offered)
        self.found.options = tuple(_option(option) for option, _ in offered if option.text)
        self.found.option_lines = tuple(line for option, line in offered if option.text)
        if rest := self._markdown(end, first_section):
            line = rest.splitlines()[0]
            self._fault(end + 1, f"“{line}” stands between the options and the first section")

    def _read_option(self, item: list[Token]) -> DraftOption | None:
        start, end = _span(item[0])
        box = _box(item)
        if box is None:
            self._fault(start + 1, "an option begins with “[ ]” or “[x]” and its text")
            return None
        if _FENCED.match(item[2].content):
            # Behind a box no fence opens: the one that closes it would, and swallow the rationale.
            self._fault(start + 1, "leave the box alone on its line and begin the code below it")
            return None
        quote = next((t for t in item if t.type == "blockquote_open" and t.level == 2), None)
        if quote is None:
            return DraftOption(self._option_text(start, end), correct=box[1] != " ")
        quote_start, quote_end = _span(quote)
        text = self._option_text(start, quote_start)
        self._check_after(quote_end, end)
        why = [_QUOTE.sub("", line) for line in self.body[quote_start:quote_end]]
        rationale = _unwrapped(why)
        correct = box[1] != " "
        misconception = None
        if not correct and (lead := _lead(rationale)) and lead[0].endswith("."):
            misconception, rationale = lead[0].strip().rstrip("."), lead[1]
        if not rationale and misconception is None:
            self._fault(quote_start + 1, "the rationale is empty")
            return None
        return DraftOption(text, correct, rationale, misconception)

    def _check_references(self, headings: dict[str, tuple[int, int]]) -> None:
        if not self.found.places:
            return  # The missing options are told; each reference would be a fault that is none.
        texts = [
            (line, f"{option.text}\n\n{option.rationale}")
            for line, option in zip(self.found.option_lines, self.found.options, strict=True)
        ]
        for title, text in zip(SECTIONS, (self.found.short, self.found.full), strict=True):
            texts.append((headings[title][0] + 1 if title in headings else 1, text))
        for line, text in texts:
            beyond = {place for place in references(text) if place >= self.found.places}
            for place in sorted(beyond):
                name = "{" + chr(ord("a") + place) + "}"
                self._fault(line, f"{name} points at no option of this question")

    def _markdown(self, start: int, end: int) -> str:
        return _unwrapped(self.body[start:end])

    def _option_text(self, start: int, end: int) -> str:
        """The lines of a list item without its bullet, its box and the indent they cause."""
        first, *rest = self.body[start:end]
        bullet = _BULLET.match(first)
        mark = bullet[0] if bullet else ""
        width = len(mark.expandtabs(4))
        own = [_BOX.sub("", first[len(mark) :]), *(_dedented(line, width) for line in rest)]
        return _unwrapped(own)

    def _check_after(self, start: int, end: int) -> None:
        for number, line in enumerate(self.body[start:end], start=start + 1):
            if line.strip():
                self._fault(number, f"“{line.strip()}” stands after the option's rationale")
                return

    def _fault(self, line: int, text: str) -> None:
        self.found.faults.append((line, text))

    def _gap(self, line: int, text: str) -> None:
        self._fault(line, text)
        self.found.gaps.append((line, text))


def _option(read: DraftOption) -> Option:
    return Option(
        text=read.text,
        correct=read.correct,
        rationale=read.rationale,
        misconception=read.misconception,
    )


def _span(token: Token) -> tuple[int, int]:
    """First line and the line after the last, from 0."""
    if token.map is None:
        raise ValueError(f"{token.type} has no position")
    return token.map[0], token.map[1]


def _box(item: list[Token]) -> re.Match[str] | None:
    """The box of a list item, where the item's own line begins with one."""
    opening = item[1]
    if opening.type != "paragraph_open" or _span(opening)[0] != _span(item[0])[0]:
        return None
    return _BOX.match(item[2].content)


def _dedented(line: str, width: int) -> str:
    """A line without up to `width` columns of its indent; tabs beyond it, as in code, are kept."""
    if line.startswith(" " * width):
        return line[width:]
    text = line.lstrip(" \t")
    return line[: len(line) - len(text)].expandtabs(4)[width:] + text


def _lead(text: str) -> tuple[str, str] | None:
    """The emphasised words that open a text, and what follows them."""
    tokens = _markdown.parseInline(text.split("\n\n")[0])[0].children or []
    tokens = [token for token in tokens if token.type != "text" or token.content]
    if not tokens or tokens[0].type != "em_open":
        return None
    inner = tokens[
        : next(at for at, t in enumerate(tokens) if t.type == "em_close" and not t.level)
    ]
    for end in (mark.start() for mark in re.finditer(re.escape(text[0]), text)):
        # Inline tokens have no positions: the emphasis ends where it holds the same tokens.
        found = _markdown.parseInline(text[: end + 1])[0].children or []
        found = [token for token in found if token.type != "text" or token.content]
        if found and found[-1].type == "em_close" and found[:-1] == inner:
            return text[1:end], text[end + 1 :].lstrip()
    return None


def _unwrapped(lines: Sequence[str]) -> str:
    """Markdown with each paragraph on one line: Discord shows every line break it is given.

    Code, hard breaks and the marks of lists and quotes stay as they are.
    """
    out: list[str] = list(lines)
    for token in _markdown.parse("\n".join(lines)):
        if token.type != "inline" or token.map is None or token.map[1] - token.map[0] < 2:
            continue
        start, end = token.map
        first, *rest = token.content.split("\n")
        joined = out[start][: out[start].rfind(first)] + first if first in out[start] else first
        for line in rest:
            # A pair of backslashes is one that is meant, a single one breaks the line.
            slash = (len(joined) - len(joined.rstrip("\\"))) % 2
            hard = slash or joined.endswith("  ")
            joined = joined[:-1] if slash else joined.rstrip(" ")
            joined += ("\n" if hard else " ") + line.lstrip(" \t")
        out[start] = joined
        out[start + 1 : end] = [_JOINED] * (end - start - 1)
    return "\n".join(line for line in out if line != _JOINED).strip()
