"""Characters that nobody sees and that change what is read, pure: found, and taken out.

Controls, turns of the writing direction and zero-width characters. What languages and emoji need
stays: joiners between letters, and the tags of a flag.
"""

from __future__ import annotations

import re
import unicodedata

_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,7}\U000e007f"  # such as Wales's
_BREAK = "[\u2028\u2029]"  # ends a line where no editor counts one
_LONE = "[\ud800-\udfff]"  # half of a character, which no UTF-8 can carry
_HIDDEN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
    # After these two it keeps a mention from being one, which is how we write names ourselves.
    "|(?<![<@])\u200b"
)
# A joiner has work to do behind a letter of a script that joins, or before one. Between ASCII
# letters, in a row or at the start of a word it only hides.
_JOINER = (
    r"(?<![^\s\u200c\u200d])[\u200c\u200d]"
    r"|(?<=[!-~])[\u200c\u200d](?![^\x00-\x7f\u200c\u200d])"
)

_UNSEEN = re.compile(f"(?P<flag>{_FLAG})|(?P<line>{_BREAK})|(?P<lone>{_LONE})|{_HIDDEN}")
_IDLE = re.compile(_JOINER)


def unseen(text: str) -> list[int]:
    """Where in `text`, which has no line but its own, the characters stand that nobody sees."""
    found = [match.start() for match in _UNSEEN.finditer(text) if match["flag"] is None]
    return sorted(found + [match.start() for match in _IDLE.finditer(text)])


def visible(text: str) -> str:
    """`text` as its reader sees it: without those characters."""
    if text.isascii() and text.isprintable():
        return text
    return _IDLE.sub("", _UNSEEN.sub(_instead, text))


def _instead(match: re.Match[str]) -> str:
    if match["line"]:
        return "\n"
    return match["flag"] or ("\ufffd" if match["lone"] else "")


def name_of(char: str) -> str:
    """“U+202E RIGHT-TO-LEFT OVERRIDE”, for whoever has to find the character in a file."""
    return f"U+{ord(char):04X} {unicodedata.name(char, 'CONTROL CHARACTER')}"
