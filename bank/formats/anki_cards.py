"""How people put a multiple-choice question on a card: which texts are options, which is the key.

Pure, and over Markdown: no HTML, no database. Where the card contradicts itself, it says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bank.letters import LETTERS

_LETTERED = re.compile(r"[ \t]*+(?:\\?[-*•]\s+)?\*{0,2}\(?([A-Ha-h])\\?[).:]\*{0,2}\s+(\S.*)")
_NUMBERED = re.compile(r"[ \t]*+([1-8])\\?[).]\s+(\S.*)")
_BULLETED = re.compile(r"[ \t]*+\\?([-*•])\s+(\S.*)")
_INLINE = re.compile(r"(?:(?<=\s)|^)\(?([A-H])\)\s+(?=\S)")

_ANSWER = re.compile(
    r"[ \t]*+(?:the\s+)?(?:correct\s+|right\s+)?(?:answers?|options?|choices?|key|solution)\b"
    r"(?:\s*(?:is|are)\b)?\s*[:=–-]?\s*",
    re.IGNORECASE,
)
_EXPLANATION = re.compile(r"\s*(?:explanation|rationale|reason|why)\s*:\s*", re.IGNORECASE)
_LETTER_WORD = re.compile(r"\(?([A-Ha-h])\)?[.)]?")
_NUMBER_WORD = re.compile(r"\(?([1-8])\)?[.)]?")
_BETWEEN = re.compile(r"\s*(?:,|;|/|&|\+|\s|\band\b)\s*")
_LETTER_AND_TEXT = re.compile(r"\(?([A-Ha-h])(?:\)|\\?[.):]|\s+[–—-])\s+(\S.*)")
_MARKS = re.compile(r"[*_`\\]+")
_LONGEST_KEY = 40  # characters of a list of letters: “A, B, C, D, E, F, G and H” fits


@dataclass(frozen=True, slots=True)
class Front:
    """What the front of a card asks, and the options that stand below it."""

    stem: str
    options: tuple[str, ...]
    lettered: bool  # by letters, which nothing but options has


@dataclass(frozen=True, slots=True)
class Back:
    """The options that the back names as keys, what else it says, and a contradiction."""

    keys: frozenset[int] = frozenset()
    rest: str = ""
    contradiction: str | None = None


def front_of(text: str) -> Front | None:
    """A stem with two to eight options below it or, after “A)”, in its line; None without."""
    lines = text.split("\n")
    for mark in (_LETTERED, _NUMBERED, _BULLETED):
        found = _listed(lines, mark)
        if found is not None:
            return found
    return _inline(text)


def _listed(lines: Sequence[str], mark: re.Pattern[str]) -> Front | None:
    """Options on lines of their own; what follows one belongs to it up to the next."""
    start = next((at for at, line in enumerate(lines) if _opens(mark, line, 0)), len(lines))
    options: list[list[str]] = []
    for line in lines[start:]:
        found = _opens(mark, line, len(options))
        if found is not None:
            options.append([found])
        else:
            options[-1].append(line)
    stem = "\n".join(lines[:start]).strip()
    if not stem or not 2 <= len(options) <= len(LETTERS):
        return None
    texts = tuple("\n".join(option).strip() for option in options)
    return Front(stem, texts, mark is _LETTERED)


def _opens(mark: re.Pattern[str], line: str, place: int) -> str | None:
    """The text of the option that a line opens, if it is the one whose turn it is."""
    found = mark.match(line)
    if found is None or place >= len(LETTERS):
        return None
    due = {_LETTERED: LETTERS[place], _NUMBERED: str(place + 1)}.get(mark, found[1])
    return found[2].strip() if found[1].upper() == due else None


def _inline(text: str) -> Front | None:
    """“Which is it? A) this B) that”, all in one line."""
    starts: list[re.Match[str]] = []
    for found in _INLINE.finditer(text):
        if len(starts) < len(LETTERS) and found[1] == LETTERS[len(starts)]:
            starts.append(found)
    if len(starts) < 2 or not text[: starts[0].start()].strip():
        return None
    ends = [*(found.start() for found in starts[1:]), len(text)]
    options = tuple(
        text[found.end() : end].strip() for found, end in zip(starts, ends, strict=True)
    )
    return (
        Front(text[: starts[0].start()].strip(), options, lettered=True) if all(options) else None
    )


def back_of(text: str, options: Sequence[str], numbers: bool = False) -> Back:
    """Read a text that opens by naming the key: by letter, by letter and text, or by text.

    `numbers` says that a number names an option too. Without a key all of the text is the rest.
    """
    keys: set[int] = set()
    by_text = [_bare(option) for option in options]
    lines = text.strip().split("\n")
    used = 0
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        named, after, contradiction = _named(line, by_text, numbers)
        if contradiction is not None:
            return Back(frozenset(), text.strip(), contradiction)
        if named <= keys:
            break
        keys |= named
        used = at + 1
        if after:
            lines[at], used = after, at
            break
    rest = "\n".join(lines[used:]).strip()
    return Back(frozenset(keys), _EXPLANATION.sub("", rest, count=1) if keys else rest)


def _named(line: str, options: Sequence[str], numbers: bool) -> tuple[set[int], str, str | None]:
    """The options that a line names, what it says after them, and a contradiction in it."""
    plain = _MARKS.sub("", line).strip()
    by_text = _by_text(plain, options)
    stripped = _ANSWER.sub("", plain, count=1) or plain
    by_letter = _by_letters(stripped, len(options), numbers)
    if by_letter and by_text and by_letter != by_text:
        return set(), "", f"“{plain}” is a letter and the text of another option"
    if by_letter or by_text:
        return by_letter or by_text, "", None
    if found := _LETTER_AND_TEXT.fullmatch(stripped):
        return _letter_and_text(found, options)
    return _by_text(stripped, options), "", None


def _letter_and_text(
    found: re.Match[str], options: Sequence[str]
) -> tuple[set[int], str, str | None]:
    place = LETTERS.index(found[1].upper())
    if place >= len(options):
        return set(), "", None
    meant = _by_text(found[2], options)
    if meant and place not in meant:
        return set(), "", f"the back names {found[1].upper()} and gives the text of another option"
    return {place}, "" if meant else found[2], None


def _by_letters(text: str, options: int, numbers: bool) -> set[int]:
    """The options that a text consists of the letters of; none when one is no option."""
    if not text or len(text) > _LONGEST_KEY:
        return set()
    words = [word for word in _BETWEEN.split(text.rstrip(".")) if word]
    # “ABD” stands for three letters.
    if len(words) == 1 and words[0].isupper() and 1 < len(words[0]) <= options:
        words = list(words[0])
    places: set[int] = set()
    for word in words:
        if found := _LETTER_WORD.fullmatch(word):
            places.add(LETTERS.index(found[1].upper()))
        elif numbers and (found := _NUMBER_WORD.fullmatch(word)):
            places.add(int(found[1]) - 1)
        else:
            return set()
    return places if max(places, default=options) < options else set()


def _by_text(text: str, options: Sequence[str]) -> set[int]:
    """The options, given bare, that a text is the text of."""
    wanted = _bare(text)
    return {at for at, option in enumerate(options) if wanted and option == wanted}


def _bare(text: str) -> str:
    """A text without marks, case and the full stop that ends it."""
    return " ".join(_MARKS.sub("", text).split()).rstrip(".").casefold()
