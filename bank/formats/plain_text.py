r"""Plain text -> Markdown that shows it as it is: what Discord would take for a mark is escaped.

It escapes what may be a mark and nothing else, so that a deck stays easy to read and to edit:
`a*b` becomes `a\*b`, but `C:\new`, `x ~ 5` and an address stay as they are.
"""

from __future__ import annotations

import re

# An address is no text: a backslash in it would lead elsewhere.
_ADDRESS = re.compile(r"(https?://[^\s<>*`\\|\[\]\"]+)")
_MARKS = ("*", "_", "`")
_SPECIAL = re.compile(r"[\\*_`~|<&\[\]]")
# These find the place before a mark: only what is put in as it stands is quick in re.sub.
_BACKSLASH = re.compile(r"(?=\\(?:[!-/:-@\[-`{-~]|\Z))")
_PAIRED = re.compile(r"(?=~~|\|\||~\Z)|(?<=~)(?=~)|(?<=\|)(?=\|)|\A(?=~)")
_TAG = re.compile(r"(?=<(?:[A-Za-z/!?@#:]|\Z)|&#?\w{1,32};)")
_LINE_START = re.compile(
    r"(?m)^(?P<before>[ \t]*+)"
    r"(?:(?P<number>\d{1,9})(?=[.)](?:\s|\Z))|(?=[#>]|[-+](?:\s|\Z|[-#])|=++[ \t]*+$))"
)


def as_plain_text(text: str) -> str:
    """`text` as Markdown that shows exactly it, its lines kept."""
    return at_line_start(escaped(text))


def has_brackets(text: str) -> bool:
    """True when `text` has brackets that may be read as a link."""
    return "](" in text or "]:" in text or "][" in text


def escaped(text: str, brackets: bool = False) -> str:
    """`text` with the marks inside it escaped; what is one at a line's start only, is left.

    `brackets` says that they are escaped whether they look like a link or not.
    """
    if not _SPECIAL.search(text):
        return text
    brackets = brackets or has_brackets(text)
    if "://" not in text:
        return _escaped(text, brackets)
    parts = _ADDRESS.split(text)
    parts[::2] = [_escaped(part, brackets) for part in parts[::2]]
    return "".join(parts)


def at_line_start(text: str) -> str:
    """`text` with its lines' beginnings escaped where they would start a heading, list or quote."""
    if "\n" not in text and text[:1].isalpha():
        return text
    return _LINE_START.sub(_line_start, text)


def _line_start(found: re.Match[str]) -> str:
    return f"{found['before']}{found['number'] or ''}\\"


def _escaped(text: str, brackets: bool) -> str:
    if "\\" in text:
        text = _BACKSLASH.sub(r"\\", text)
    for mark in _MARKS:
        text = text.replace(mark, "\\" + mark)
    if "~" in text or "|" in text:
        text = _PAIRED.sub(r"\\", text)
    if "<" in text or "&" in text:
        text = _TAG.sub(r"\\", text)
    if brackets:
        text = text.replace("[", "\\[").replace("]", "\\]")
    return text
