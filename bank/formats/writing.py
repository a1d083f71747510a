"""What every writer gives: files to hand on, and notes on what their format cannot hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from bank.models import Deck

Picture = Callable[[str], bytes]  # a path that a deck's image has -> the picture's bytes


@dataclass(frozen=True, slots=True)
class Written:
    """Relative file names and their contents; `notes` say in a sentence what was left out."""

    files: dict[str, bytes]
    notes: tuple[str, ...] = ()


Writer = Callable[[Deck, Picture], Written]


class Export(NamedTuple):
    """A deck as one file, and what its format could not hold, in sentences."""

    name: str
    data: bytes
    questions: int
    notes: tuple[str, ...]
