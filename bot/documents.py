"""A file that is no picture, to upload with a card: a report, an exported deck."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

import discord


@dataclass(frozen=True, slots=True)
class Document:
    """A file by its name, in plain letters, and its content."""

    name: str
    data: bytes

    def file(self) -> discord.File:
        """A fresh upload; each send consumes one."""
        return discord.File(BytesIO(self.data), filename=self.name)
