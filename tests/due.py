"""Schedules that are due the moment a bot process looks: the quickest way to a real post."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from bank.decks import load_deck
from bank.models import Deck, Explain, Terms
from bank.tutor import Tutor
from bot.settings import shipped_decks
from tests.wire import Group

DECK = "nca-aiio"


@cache
def shipped_deck() -> Deck:
    """The deck that every bot process has."""
    return load_deck(shipped_decks() / DECK)


def schedule_due(database: Path, groups: Iterable[Group], **terms: object) -> datetime:
    """Give each group a schedule whose latest slot was this minute; the slot.

    It is written while no process runs, or into the database of one that does: at its next look,
    which is its start or within a minute, it posts the slot, as after a short downtime.
    """
    slot = datetime.now(UTC).replace(second=0, microsecond=0)
    chosen = {"deck": DECK, "open_minutes": 60, "explain": Explain.NOW, "role": None, **terms}
    with closing(Tutor.open(database, [shipped_deck()])) as tutor:
        for group in groups:
            tutor.timetable.add(
                group.id,
                Terms.model_validate({"room": group.room.id, **chosen}),
                times=f"{slot:%H:%M}",
                days="every day",
                zone="UTC",
                now=slot - timedelta(seconds=1),
            )
    return slot
