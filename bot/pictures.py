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
    """A picture on disk. It is uploaded under a name that tells nothing about the question.

    Of two that differ in their `edition` alone, the file has changed in between.
    """

    path: Path
    alt: str
    edition: int = 0

    @property
    def name(self) -> str:
        return f"infographic{self.path.suffix.lower()}"

    def file(self) -> discord.File:
        """A fresh upload; each send consumes one."""
        content = BytesIO(_content(self.path, self.edition))
        return discord.File(content, filename=self.name, description=self.alt)


class Pictures:
    """Finds the pictures of the loaded decks.

    `folders` maps a shared deck's name to its folder; groups' own decks are put in one by one.
    """

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._shared = folders
        self._own: dict[tuple[str, str], tuple[Path, int]] = {}
        self._editions = 0

    def put(self, group: str, deck: str, folder: Path) -> None:
        """A group's own deck lies in this folder. Said again, its files may have changed."""
        self._editions += 1
        self._own[group, deck] = (folder, self._editions)

    def remove(self, group: str, deck: str) -> None:
        """Forget a group's own deck; one that is not known is forgotten already."""
        self._own.pop((group, deck), None)

    def of(self, question: Question, group: str) -> Picture | None:
        """The question's picture in a group, or None when it has none or the file has gone."""
        folder, edition = self._folder(question.deck, group)
        if question.image is None or folder is None:
            return None
        path = folder / question.image.path
        # Decks are checked when they are read; this guards what stands in an older database.
        alt = visible(question.image.alt)[:_LONGEST_ALT]
        return Picture(path, alt, edition) if _exists(path, edition) else None

    def _folder(self, deck: str, group: str) -> tuple[Path | None, int]:
        if (shared := self._shared.get(deck)) is not None:
            return shared, 0
        return self._own.get((group, deck), (None, 0))


# By path and edition: a deck that is replaced lies in the same folder.
@lru_cache(maxsize=256)
def _content(path: Path, edition: int) -> bytes:
    return path.read_bytes()


@lru_cache(maxsize=1024)
def _exists(path: Path, edition: int) -> bool:
    return path.is_file()
