"""The decks that groups brought, on disk as <uploads>/<group>/<deck>: found when the bot starts."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from bank.decks import deck_folders, load_deck
from bank.errors import DeckNameTaken, QuizError
from bank.models import Deck

log = logging.getLogger(__name__)


class OwnDeck(NamedTuple):
    """A deck of one group, and the folder it lies in."""

    group: str
    folder: Path
    deck: Deck


def own_folders(uploads: Path) -> Iterator[tuple[str, Path]]:
    """The folder of every deck that a group brought, with its group."""
    try:
        groups = sorted(uploads.iterdir()) if uploads.is_dir() else []
    except OSError as error:
        log.error("%s cannot be read: %s", uploads, error.strerror)
        return
    for group in groups:
        try:
            folders = deck_folders([group])
        except OSError as error:
            log.error("%s cannot be read: %s", group, error.strerror)
        else:
            yield from ((group.name, folder) for folder in folders)


def own_decks(uploads: Path, shared: Collection[str]) -> list[OwnDeck]:
    """The decks that groups brought; one that cannot be used is named in the log and left out.

    `shared` are the names of the decks that every group has.
    """
    found = []
    for group, folder in own_folders(uploads):
        try:
            deck = load_deck(folder)
            if deck.name in shared:
                raise DeckNameTaken(deck.name)
        except QuizError as refusal:
            log.warning("group %s: %s It is left out.", group, refusal.sentence)
        else:
            found.append(OwnDeck(group, folder, deck))
    return found
