"""Text as Discord counts and shows it, pure: lengths, cuts, pages, literal names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

import discord

from bank.models import Option, Question
from bank.tutor import letter_of, lettered, letters_of, visible

MESSAGE_UNITS = 4000  # all text of a Components V2 message together
SAFE_UNITS = MESSAGE_UNITS - 100  # what a card fills of it
PAGE_UNITS = 3000

NEWER = "A newer text of this question exists: /explain shows it."

# What Discord reads as Markdown; a backslash before it shows it as it is.
_MARK = re.compile(r"[*_`~|\\\[\]]|^[#>-]")
_FENCE_LINE = re.compile(r"^\s*```\S*\s*$", re.MULTILINE)
_CODE_MARK = re.compile(r"`+")
_BOLD_LETTER = re.compile(r"\*\*([A-H])\*\*")
_FENCE = re.compile(r"^\s*```(\S*)", re.MULTILINE)


def units(text: str) -> int:
    """Length in UTF-16 code units, as Discord counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def clip(text: str, limit: int) -> str:
    """`text`, or its start and “…”, in at most `limit` units; code that was open is closed."""
    if units(text) <= limit:
        return text
    start = _start(text, limit - units("…"))
    if len(_FENCE.findall(start)) % 2:
        closing = "\n```"
        return f"{_start(text, limit - units('…' + closing))}…{closing}"
    return f"{start}…"


def cut(text: str, limit: int) -> str:
    """`text`, or its start and “…”, in at most `limit` units, within a word if need be."""
    return text if units(text) <= limit else f"{_within(text, limit - units('…'))}…"


def _within(text: str, limit: int) -> str:
    start = text[:limit]
    while units(start) > limit:
        start = start[:-1]
    return start


def _start(text: str, limit: int) -> str:
    """The words that begin `text`, in at most `limit` units."""
    start = _within(text, limit)
    ends_at_word = text[len(start) : len(start) + 1].isspace() or " " not in start
    return (start if ends_at_word else start.rsplit(" ", 1)[0]).rstrip()


def fit(parts: Sequence[str], limit: int = SAFE_UNITS) -> list[str]:
    """The parts of one message, the longest ones cut until all together keep the limit."""
    fitted = list(parts)
    while (over := sum(units(part) for part in fitted) - limit) > 0:
        longest = max(range(len(fitted)), key=lambda place: units(fitted[place]))
        fitted[longest] = clip(fitted[longest], max(40, units(fitted[longest]) - over))
    return fitted


def pages(text: str, limit: int = PAGE_UNITS) -> list[str]:
    """`text` in pages of at most `limit` units, cut between lines, then words; code is reopened."""
    found: list[str] = []
    page: list[str] = []
    fence: str | None = None  # the line that opened the code we are in
    for line in _lines(text, limit - 60):
        closing = 4 if fence else 0
        if page and units("\n".join([*page, line])) + closing > limit:
            found.append(_page(page, fence))
            page = [fence] if fence else []
        page.append(line)
        if mark := _FENCE.match(line):
            fence = None if fence else f"```{mark[1]}"
    found.append(_page(page, fence))
    return [page for page in found if page]


def _page(lines: list[str], fence: str | None) -> str:
    return "\n".join([*lines, "```"] if fence else lines).strip("\n")


def _lines(text: str, limit: int) -> list[str]:
    """Lines of at most `limit` units: a longer one is cut at words, or anywhere if it has none."""
    lines: list[str] = []
    for line in text.split("\n"):
        rest = line
        while units(rest) > limit:
            cut = rest[: limit // 2] if units(rest[:limit]) > limit else rest[:limit]
            at_word = cut.rfind(" ") + 1 or len(cut)
            lines.append(rest[:at_word].rstrip())
            rest = rest[at_word:]
        lines.append(rest)
    return lines


def shown(option: Option, order: Sequence[int]) -> str:
    """An option's text with the letters of this order for the options that it names."""
    return lettered(option.text, order)


def choice(question: Question, option: int, order: Sequence[int]) -> str:
    """An option as it stands in a question: its letter and its text."""
    text = shown(question.options[option], order)
    gap = "\n" if text.startswith("```") else " "
    return f"**{letter_of(option, order)}.**{gap}{text}"


def why(option: Option, order: Sequence[int]) -> str:
    """Why an option is right or wrong, its misconception first; "" when nobody has said it."""
    lead = f"*{option.misconception}.* " if option.misconception else ""
    return f"{lead}{lettered(option.rationale, order)}".strip()


def keys_in_words(question: Question, order: Sequence[int]) -> str:
    """“key is B”, or “keys are A and C”."""
    letters = letters_of(question.keys, order)
    return f"{'keys are' if len(letters) > 1 else 'key is'} {listed(letters)}"


def plain(text: str) -> str:
    """Markdown on one line as far as a label can show it: code and letters without their marks."""
    bare = _CODE_MARK.sub("", _FENCE_LINE.sub("", text))
    return " ".join(visible(_BOLD_LETTER.sub(r"\1", bare)).split())


def literal(text: str) -> str:
    """A name or a query shown as it is: no Markdown, no mention, on one line, in one direction."""
    line = visible(" ".join(visible(text).split()))
    return _MARK.sub(r"\\\g<0>", line).replace("<", "<\u200b").replace("@", "@\u200b")


def when(instant: datetime, style: discord.utils.TimestampStyle = "R") -> str:
    """A timestamp that each reader sees in their own zone."""
    return discord.utils.format_dt(instant, style)


def listed(words: Sequence[str]) -> str:
    """“A”, “A and C”, “A, C and D”."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def count(number: int, one: str, many: str | None = None) -> str:
    """“1 answer”, “2 answers”."""
    return f"{number} {one if number == 1 else many or one + 's'}"
