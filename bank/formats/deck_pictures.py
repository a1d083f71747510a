"""The pictures of a deck as files beside what is written, each under a path inside it."""

from __future__ import annotations

import posixpath

from bank.formats.writing import Picture
from bank.models import Deck, Image


def pictures_of(deck: Deck, picture: Picture) -> dict[str, bytes]:
    """Every image and exhibit of the deck: path -> bytes."""
    images = (image for each in deck.questions for image in (each.image, each.exhibit) if image)
    return {path_of(image): picture(image.path) for image in images}


def path_of(image: Image) -> str:
    """Where a picture stands in what is written: its own path, or images/ if that leads outside."""
    path = posixpath.normpath(image.path.replace("\\", "/"))
    if path.startswith(("/", "../")) or ":" in path:
        return posixpath.join("images", posixpath.basename(path).replace(":", "-"))
    return path
