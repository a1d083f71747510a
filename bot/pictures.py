"""A question's picture as a file to upload. Each post uploads it anew: links to old ones expire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import discord

from bank.models import Question
from bank.tutor import visible

# Discord refuses a message whose picture has more than 1024 units of it.
_LONGEST_ALT = 512


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture on disk. It is uploaded under a name that tells nothing about the question."""

    path: Path
    alt: str

    @property
    def name(self) -> str:
        return f"infographic{self.path.suffix.lower()}"

    def file(self) -> discord.File:
        """A fresh upload; each send consumes one."""
        return discord.File(BytesIO(_content(self.path)), filename=self.name, description=self.alt)


class Pictures:
    """Finds the pictures of the loaded decks; `folders` maps a deck's name to its folder."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders

    def of(self, question: Question) -> Picture | None:
        """The question's picture, or None when it has none or the file has gone."""
        folder = self._folders.get(question.deck)
        if question.image is None or folder is None:
            return None
        path = folder / question.image.path
        # Decks are checked when they are read; this guards what stands in an older database.
        alt = visible(question.image.alt)[:_LONGEST_ALT]
        return Picture(path, alt) if _exists(path) else None


@lru_cache(maxsize=256)
def _content(path: Path) -> bytes:
    return path.read_bytes()


@lru_cache(maxsize=1024)
def _exists(path: Path) -> bool:
    return path.is_file()
