"""Low stock: a group's admins hear once that a deck's questions will begin to repeat."""

from __future__ import annotations

from datetime import datetime

from sqlite_utils import Database

from bank.draw import unasked
from bank.library import Library
from bank.models import Deck, Place, Schedule, Trouble
from bank.slots import zone_of
from bank.stock import due_in_a_week, first_repeat
from bank.store import drops, retired, schedules, troubles


def left_of(db: Database, deck: Deck, group: str) -> int:
    """How many of a deck's questions may be drawn in a group before one of them repeats."""
    fresh = unasked(deck, drops.asked(db, group, deck.name))
    return len(fresh.difference(retired.of_group(db, group)))


def low_stock(
    db: Database, library: Library, group: str, deck: str, now: datetime
) -> Trouble | None:
    """What the admins have not been told of a deck that they are to hear of, now that it was asked.

    They hear of it when fewer questions are left than are due in seven days, and not again before
    a new round or a deck that has grown gave them enough. A deck that never has enough is told
    once; so is one that has enough only while a schedule is paused. Raises UnknownDeck.
    """
    running = [
        each for each in schedules.of_group(db, group) if each.deck == deck and not each.paused
    ]
    left = left_of(db, library.deck(deck, group), group)
    fewest = troubles.fewest_left(db, group, deck)
    news = None
    if left < due_in_a_week(running):
        sentence = _sentence(library, deck, left, running, now)
        trouble = Trouble(group=group, place=Place.STOCK, about=deck, sentence=sentence)
        news = troubles.note_once(db, trouble)
    elif fewest is not None and left > fewest:
        troubles.clear(db, group, Place.STOCK, deck)
    troubles.keep_fewest(db, group, deck, left)
    return news


def _sentence(
    library: Library, deck: str, left: int, running: list[Schedule], now: datetime
) -> str:
    first = running[0]  # of one group, so that all have its zone
    day = first_repeat(left, running, now).astimezone(zone_of(first.zone)).date()
    more = (
        "/schedule add takes another deck, and /deck upload makes one of your own questions."
        if library.is_shared(deck)
        else "/deck upload adds questions to it, and /schedule add takes another deck."
    )
    return (
        f"The questions of the deck “{deck}” will repeat here from about {day.day} {day:%B} on: "
        f"{left} {'is' if left == 1 else 'are'} left, and {due_in_a_week(running)} are due in the "
        f"next 7 days. {more}"
    )
