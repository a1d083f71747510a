"""Question text as lint weighs it, pure: as a member sees it, in words, without code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from bank.letters import LETTERS
from bank.models import Question
from bank.prose.literals import without_literals

LONGEST_QUESTION = 600  # characters; what stands further before the end asks nothing

_LINK = re.compile(r"!?\[([^\]\[]*)\]\([^()\s]*\)")
# Not at the very start: an option stands behind its letter, where “> 5 ms” is no quote.
_LINE_MARK = re.compile(r"(?<=\n)[ \t]{0,3}(?:>|#{1,6}|[-*+]|\d{1,3}[.)])[ \t]+")
_EMPHASIS = re.compile(
    r"(?<![\w*_~|])(\*{1,3}|_{1,3}|~~|\|\|)(?=\S)([^\n]{1,400}?)(?<=\S)\1(?![\w*_~|])"
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TICKS = re.compile(r"`+")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE_END = re.compile(r"(?<=[.?!])[\"”’)*_]{0,4}\s+|\n{2,}")
_ASKS_TO_CHOOSE = re.compile(r"\W{0,4}(?:choose|select|pick|mark|check|tick)\b", re.IGNORECASE)


def keys_of(question: Question) -> frozenset[int]:
    """The indices of the correct options."""
    return frozenset(question.keys)


def distractors_of(question: Question) -> list[int]:
    """The indices of the wrong options, in order."""
    return [at for at, option in enumerate(question.options) if not option.correct]


def named(options: Iterable[int]) -> str:
    """Options as an author names them: “{a}, {c} and {d}”."""
    *first, last = ["{" + LETTERS[option].lower() + "}" for option in sorted(options)]
    return f"{', '.join(first)} and {last}" if first else last


def listed(words: Iterable[str]) -> str:
    """“always”, “never” …: at most four, each in quotation marks."""
    every = [f"“{word}”" for word in dict.fromkeys(words)]
    return ", ".join(every[:4]) + (" …" if len(every) > 4 else "")


# One rule after the other reads the same few texts of a question.
@lru_cache(maxsize=4096)
def shown(text: str) -> str:
    """Markdown as it is read: without its marks, and with single spaces."""
    text = _LINK.sub(r"\1", _LINE_MARK.sub("", text))
    for _ in "once", "and what was inside":
        text = _EMPHASIS.sub(r"\2", text)
    return " ".join(_ESCAPE.sub(r"\1", _TICKS.sub("", text)).split())


@lru_cache(maxsize=4096)
def prose(text: str) -> str:
    """Text without code and addresses; emphasis is kept."""
    return without_literals(text).replace("\0", " ")


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, code left aside."""
    return tuple(_WORD.findall(shown(prose(text)).casefold()))


def lead_in(stem: str) -> str:
    """The sentence of a stem that asks: its last one, or the last with a question mark."""
    sentences = [part.strip() for part in _SENTENCE_END.split(prose(stem)) if part.strip()]
    asking = [sentence for sentence in sentences if "?" in sentence]
    # “Choose two.” says how to answer, not what is asked.
    told = [sentence for sentence in sentences if not _ASKS_TO_CHOOSE.match(sentence)]
    asked = next((each[-1] for each in (asking, told, sentences) if each), "")
    return asked[-LONGEST_QUESTION:]


def units(text: str) -> int:
    """Length in UTF-16 code units, as Discord counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
