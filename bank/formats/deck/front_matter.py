"""Front matter: `key: value` lines between two `---` lines, where text stays text.

No YAML reader is used on purpose: YAML turns `yes`, `1.0` and `2026-01-01` into other types, keeps
the last of two equal keys without a word, and refuses a colon in an alt text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_FENCE = "---"
_KEY = re.compile(r"^([a-z][a-z-]*):(?:\s+(.*))?$")
_QUOTED = r"""(?:"((?:[^"\\]|\\.)*)"|'([^']*)')"""
_WHOLE = re.compile(_QUOTED)
_ITEM = re.compile(rf"""\s*(?:{_QUOTED}|([^,"'\[\]]+?))\s*(,|$)""")
_ESCAPED = re.compile(r"""\\(["\\])""")


@dataclass
class FrontMatter:
    """Keys with their text or list, the line of each, and the first line (from 0) of the body."""

    values: dict[str, str | tuple[str, ...]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)  # what stands after a “#”, in order
    body_starts: int = 0
    closed: bool = True
    faults: list[tuple[int, str]] = field(default_factory=list)


def read_front_matter(lines: list[str]) -> FrontMatter:
    """Read the front matter that opens `lines`; faults are (line from 1, what to change)."""
    front = FrontMatter()
    if not lines or lines[0].rstrip() != _FENCE:
        front.faults.append((1, "the file must begin with front matter between two “---” lines"))
        return front
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None)
    if end is None:
        # Where it ends is unknown, so no line after it can be judged.
        front.faults.append((1, "the front matter is never closed: add a second “---” line"))
        front.body_starts = len(lines)
        front.closed = False
        return front
    front.body_starts = end + 1
    for number, line in enumerate(lines[1:end], start=2):
        if line.lstrip().startswith("#"):
            front.comments.append(line.strip().lstrip("#").strip())
        elif line.strip():
            _read_entry(front, number, line.rstrip())
    return front


def _read_entry(front: FrontMatter, number: int, line: str) -> None:
    entry = _KEY.match(line)
    if entry is None:
        front.faults.append((number, f"expected “key: value”, found “{line.strip()}”"))
        return
    key, text = entry[1], (entry[2] or "").strip()
    if key in front.values:
        front.faults.append((number, f"“{key}” stands twice, first on line {front.lines[key]}"))
        return
    value = _read_value(text)
    if value is None:
        front.faults.append(
            (
                number,
                f"the list of “{key}” cannot be read: write [one, two], "
                "or put quotes around a text that begins with “[”",
            )
        )
        return
    front.values[key] = value
    front.lines[key] = number


def _read_value(text: str) -> str | tuple[str, ...] | None:
    """Plain or quoted text, a tuple for `[a, "b"]`, None for a list that cannot be read."""
    if text.startswith("["):
        return _read_list(text[1:-1]) if text.endswith("]") else None
    whole = _WHOLE.fullmatch(text)
    return _unquoted(whole) if whole else text


def _read_list(inner: str) -> tuple[str, ...] | None:
    items: list[str] = []
    at = 0
    while at < len(inner.rstrip()):
        item = _ITEM.match(inner, at)
        if item is None:
            return None
        items.append(item[3] if item[3] is not None else _unquoted(item))
        at = item.end()
    return tuple(items)


def _unquoted(quoted: re.Match[str]) -> str:
    """What stands between the quotes; only double ones know the escapes for a quote and itself."""
    return quoted[2] if quoted[1] is None else _ESCAPED.sub(r"\1", quoted[1])
