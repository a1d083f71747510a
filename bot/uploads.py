"""The decks that groups bring, on disk as <uploads>/<group>/<deck>: taken in, found at a start."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Collection, Iterator
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bank.decks import deck_folders, load_deck
from bank.errors import DeckNameTaken, QuizError
from bank.formats.writing import Export
from bank.importing.report import Report, Wish
from bank.models import Deck
from bank.tutor import Tutor
from bot.core import Core
from bot.pictures import Pictures
from bot.taking import Job, take

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


class Uploads:
    """Takes in what groups bring, one file at a time, and hands it to the core and the pictures."""

    def __init__(self, core: Core, pictures: Pictures, folder: Path) -> None:
        self._core = core
        self._pictures = pictures
        self._folder = folder
        # Two uploads into one deck would each miss what the other brings.
        self._one = asyncio.Lock()

    async def take(self, group: str, name: str, data: bytes, wish: Wish, today: date) -> Report:
        """Import a file of that name into a deck of the group's own. Raises QuizError.

        Its questions can be dropped when this returns; nothing has changed when it raises.
        """
        await self._core(lambda tutor: tutor.library.check_own(wish.deck, group))
        folder = self._folder / group / wish.deck
        async with self._one:
            with TemporaryDirectory(prefix="quizdrop-") as around:
                file = Path(around) / "upload"
                await asyncio.to_thread(file.write_bytes, data)
                report = await take(
                    Job(file=file, name=name, wish=wish, folder=folder, today=today)
                )
            if report.done:
                deck = await asyncio.to_thread(load_deck, folder)
                await self._core(lambda tutor: tutor.library.put(deck, group))
                self._pictures.put(group, deck.name, folder)
        return report

    async def remove(self, group: str, name: str) -> None:
        """Forget a deck of the group's own, its files too. Raises UnknownDeck, DeckInUse."""

        def forget(tutor: Tutor) -> None:
            tutor.timetable.check_unused(name, group)
            tutor.library.remove(name, group)

        async with self._one:
            await self._core(forget)
            self._pictures.remove(group, name)
            await asyncio.to_thread(shutil.rmtree, self._folder / group / name, ignore_errors=True)

    async def export(
        self, group: str, deck: Deck, as_format: str, withheld: Collection[str]
    ) -> Export:
        """A deck of the group as a file, without the questions withheld. Raises QuizError."""
        folder = self._pictures.folder(group, deck.name) or self._folder / group / deck.name
        return await asyncio.to_thread(_export, deck, folder, as_format, withheld)


def _export(deck: Deck, folder: Path, as_format: str, withheld: Collection[str]) -> Export:
    # The writers bring libraries that a bot needs rarely and a start never.
    from bank.exporting import export

    return export(deck, folder, as_format, withheld)
