"""A question's pictures as files to upload. Each post does so anew: links to old ones expire.

A question that was posted before its deck changed keeps its text; a file that is no longer the
picture of that text is not shown with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import count
from pathlib import Path

import discord

from bank.models import Image, Question, digest_of
from bank.tutor import visible

# Discord refuses a message whose picture has more than 1024 units of it.
_LONGEST_ALT = 512
# A bot that is started anew in this process may find other files under the same paths.
_editions = count(1)
_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture on disk. It is uploaded under a name that tells nothing about the question.

    Of two that differ in their `edition` alone, the file has changed in between.
    """

    path: Path
    alt: str
    edition: int = 0
    role: str = "infographic"

    @property
    def name(self) -> str:
        ending = self.path.suffix.lower()
        return self.role + (ending if ending in _ENDINGS else _ENDINGS[0])

    def file(self) -> discord.File:
        """A fresh upload; each send consumes one."""
        content = BytesIO(_content(self.path, self.edition))
        return discord.File(content, filename=self.name, description=self.alt or None)


class Pictures:
    """Finds the pictures of the loaded decks.

    `folders` maps a shared deck's name to its folder; groups' own decks are put in one by one.
    """

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._shared = folders
        self._edition = next(_editions)
        self._own: dict[tuple[str, str], tuple[Path, int]] = {}

    def put(self, group: str, deck: str, folder: Path) -> None:
        """A group's own deck lies in this folder. Said again, its files may have changed."""
        self._own[group, deck] = (folder, next(_editions))

    def remove(self, group: str, deck: str) -> None:
        """Forget a group's own deck; one that is not known is forgotten already."""
        self._own.pop((group, deck), None)

    def folder(self, group: str, deck: str) -> Path | None:
        """Where a group's deck, or one that all share, lies on disk."""
        return self._folder(deck, group)[0]

    def of(self, question: Question, group: str) -> Picture | None:
        """The infographic, which stands with the explanation; None for one gone or changed."""
        return self._find(question.image, question.deck, group, "infographic")

    def exhibit_of(self, question: Question, group: str) -> Picture | None:
        """The picture that stands with the stem, and is seen before answering."""
        return self._find(question.exhibit, question.deck, group, "exhibit")

    def both(self, question: Question, group: str) -> tuple[Picture | None, Picture | None]:
        """The infographic and the exhibit, for a card that shows the whole question."""
        return self.of(question, group), self.exhibit_of(question, group)

    def _find(self, image: Image | None, deck: str, group: str, role: str) -> Picture | None:
        folder, edition = self._folder(deck, group)
        if image is None or folder is None:
            return None
        path = folder / image.path
        there = _digest(path, edition)
        if there is None or image.digest not in (None, there):
            return None
        # Decks are checked when they are read; this guards what stands in an older database.
        alt = visible(image.alt)[:_LONGEST_ALT]
        return Picture(path, alt, edition, role)

    def _folder(self, deck: str, group: str) -> tuple[Path | None, int]:
        if (shared := self._shared.get(deck)) is not None:
            return shared, self._edition
        return self._own.get((group, deck), (None, 0))


# By path and edition: a deck that is replaced lies in the same folder.
@lru_cache(maxsize=64)
def _content(path: Path, edition: int) -> bytes:
    return path.read_bytes()


@lru_cache(maxsize=1024)
def _digest(path: Path, edition: int) -> str | None:
    return digest_of(_content(path, edition)) if path.is_file() else None
