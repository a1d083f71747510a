"""Letters turned into references, pure. All but the letters that name options stays as it is."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from bank.prose.literals import code_spans
from bank.prose.naming import Naming, namings

_BRACES = re.compile(r"\\.|\{[a-h]\}", re.DOTALL)
_STRONG = re.compile(r"\n|\*{2,}|_{2,}")

Change = tuple[int, int, str]


def with_references(text: str, options: int) -> str:
    """`text` with each letter that names one of the `options` options written as {a}, {b} …

    “Option B”, “options A and C”, “(B)”, “answer D”, “A is wrong because”, “**B**”; but not
    “vitamin B”, “Plan B”, “a B tree”, “A cluster is …”. Literal braces are escaped, code is left
    alone. Bold type around a letter is taken off, since a reference is shown bold itself.
    """
    named = namings(text, options)
    if not named and "{" not in text:
        return text
    return rendered(text, changes_of(text, named), 0, len(text))


def changes_of(text: str, named: Sequence[Naming]) -> list[Change]:
    """What turns letters into references, in order: (start, end, the text instead)."""
    changes: list[Change] = []
    for (start, end), same in groupby(named, key=lambda each: (each.start, each.end)):
        names = ["{" + "abcdefgh"[each.option] + "}" for each in same]
        between = not text[start:end].isalpha()  # the words of a range
        changes.append((start, end, f", {', '.join(names)} and " if between else names[0]))
    changes += ((start, end, "") for start, end in _bold_marks(text, named))
    changes += _escapes(text)
    return sorted(changes)


def rendered(text: str, changes: Sequence[Change], start: int, end: int) -> str:
    """`text[start:end]` with the changes that fall into it."""
    pieces: list[str] = []
    at = start
    for index in range(bisect_left(changes, (start, start, "")), len(changes)):
        change = changes[index]
        if change[1] > end or change[0] >= end:
            break
        pieces += text[at : change[0]], change[2]
        at = change[1]
    return "".join([*pieces, text[at:end]])


def _escapes(text: str) -> Iterator[Change]:
    """A backslash before each literal brace that would read as a reference."""
    at = 0
    for start, end in [*code_spans(text), (len(text), len(text))]:
        for found in _BRACES.finditer(text, at, start):
            if found[0][0] == "{":
                yield found.start(), found.start(), "\\"
        at = end


def _bold_marks(text: str, named: Iterable[Naming]) -> Iterator[tuple[int, int]]:
    """The marks of bold type, on one line, around letters: `****B****` would be shown as stars."""
    letters = iter([each.start for each in named])
    letter = next(letters, None)
    opened: re.Match[str] | None = None
    for mark in _STRONG.finditer(text):
        if letter is None:
            return
        if mark[0] == "\n":
            opened = None
        elif opened is None or opened[0] != mark[0]:
            opened = mark
        else:
            while letter is not None and letter < opened.start():
                letter = next(letters, None)
            if letter is not None and letter < mark.start():
                yield opened.span()
                yield mark.span()
            opened = None
