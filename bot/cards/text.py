"""Text as Discord counts and shows it, pure: lengths, cuts, pages, literal names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

import discord

from bank.models import Option
from bank.tutor import lettered, visible

MESSAGE_UNITS = 4000  # all text of a Components V2 message together
SAFE_UNITS = MESSAGE_UNITS - 100  # what a card fills of it
PAGE_UNITS = 3000

# What Discord reads as Markdown; a backslash before it shows it as it is.
_MARK = re.compile(r"[*_`~|\\\[\]]|^[#>-]")
_FENCE = re.compile(r"^\s*```(\S*)", re.MULTILINE)


def units(text: str) -> int:
    """Length in UTF-16 code units, as Discord counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def clip(text: str, limit: int) -> str:
    """`text`, or its start and “…”, in at most `limit` units; code that was open is closed."""
    if units(text) <= limit:
        return text
    cut = _start(text, limit - units("…"))
    if len(_FENCE.findall(cut)) % 2:
        closing = "\n```"
        return f"{_start(text, limit - units('…' + closing))}…{closing}"
    return f"{cut}…"


def _start(text: str, limit: int) -> str:
    """The words that begin `text`, in at most `limit` units."""
    cut = text[:limit]
    while units(cut) > limit:
        cut = cut[:-1]
    ends_at_word = text[len(cut) : len(cut) + 1].isspace() or " " not in cut
    return (cut if ends_at_word else cut.rsplit(" ", 1)[0]).rstrip()


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


def why(option: Option, order: Sequence[int]) -> str:
    """Why an option is right or wrong, its misconception first; "" when nobody has said it."""
    lead = f"*{option.misconception}.* " if option.misconception else ""
    return f"{lead}{lettered(option.rationale, order)}".strip()


def literal(text: str) -> str:
    """A name or a query shown as it is: no Markdown, no mention, on one line, in one direction."""
    line = visible(" ".join(visible(text).split()))
    return _MARK.sub(r"\\\g<0>", line).replace("<", "<\u200b").replace("@", "@\u200b")


def when(instant: datetime, style: discord.utils.TimestampStyle = "R") -> str:
    """A timestamp that each reader sees in their own zone."""
    return discord.utils.format_dt(instant, style)


def count(number: int, one: str, many: str | None = None) -> str:
    """“1 answer”, “2 answers”."""
    return f"{number} {one if number == 1 else many or one + 's'}"
