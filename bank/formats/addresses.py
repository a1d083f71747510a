"""Addresses as files write them -> names of files that came along. Nothing is ever fetched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bank.errors import quoted
from bank.formats.html import ImageTag
from bank.formats.reading import Attachment

_ENCODED = re.compile(r"%([0-9A-Fa-f]{2})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")


def is_elsewhere(address: str) -> bool:
    """True for an address on the web, or one that carries its data itself."""
    return _SCHEME.match(address) is not None


def decoded(address: str) -> str:
    """An address without percent signs: “a%20b” is “a b”, its bytes read as UTF-8."""
    if "%" not in address:
        return address
    whole = _ENCODED.sub(lambda found: chr(int(found[1], 16)), _as_bytes(address))
    return whole.encode("latin-1").decode("utf-8", "replace")


def _as_bytes(text: str) -> str:
    """The UTF-8 bytes of a text, each as the sign of its number."""
    return text.encode("utf-8", "replace").decode("latin-1")


def path_of(address: str, folder: str = "") -> str:
    """The path that an address means, seen from `folder`: decoded, without a query, no “..”."""
    bare = decoded(re.split(r"[?#]", address, maxsplit=1)[0]).replace("\\", "/")
    parts: list[str] = []
    for part in f"{folder}/{bare}".split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


@dataclass(frozen=True, slots=True)
class Shown:
    """The one picture that a place can have, and what is to be told of it and of others."""

    picture: Attachment | None
    absent: tuple[str, ...]  # one that should be there and did not come along
    left_out: tuple[str, ...]


def first_picture(
    tags: Iterable[ImageTag], find: Callable[[ImageTag], Attachment | None], place: str
) -> Shown:
    """The first of the pictures that `find` finds; `place` says where, such as “of the stem”."""
    distinct = list(dict.fromkeys(tags))
    absent: tuple[str, ...] = ()
    for at, tag in enumerate(distinct):
        picture = find(tag)
        if picture is not None:
            more = len(distinct) - at - 1
            some = "another picture" if more == 1 else f"{more} other pictures"
            left_out = (f"{some} {place} {'was' if more == 1 else 'were'} left out",)
            return Shown(picture, absent, left_out if more else ())
        absent = absent or (f"the picture {place}, {quoted(tag.src)}, did not come along",)
    return Shown(None, absent, ())
