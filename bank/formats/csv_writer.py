"""A deck -> a CSV file that a spreadsheet shows well, with its pictures beside it.

Cells hold Markdown, and name options by {a}, {b} …: their columns. The header says “Markdown”, by
which `table` knows a file of ours. No cell is a formula, whatever its text begins with.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from io import StringIO

from bank.formats.deck_pictures import path_of, pictures_of
from bank.formats.table_words import guarded
from bank.formats.writing import Picture, Written
from bank.letters import LETTERS
from bank.models import Deck, Image, Option, Question

Cell = Callable[[Question], str]


def write(deck: Deck, picture: Picture) -> Written:
    """A table with a row for each question; `picture` gives the bytes of each path in the deck."""
    columns = _columns(max((len(each.options) for each in deck.questions), default=2))
    rows = [[guarded(cell(each)) for _, cell in columns] for each in deck.questions]
    # What no question has needs no column; the first ones are what a table is known by.
    used = [at for at in range(len(columns)) if at < 4 or any(row[at] for row in rows)]
    out = StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns[at][0] for at in used)
    writer.writerows([row[at] for at in used] for row in rows)
    # With the mark, Excel takes the file for what it is: UTF-8.
    table = {f"{deck.name}.csv": out.getvalue().encode("utf-8-sig")}
    return Written(table | pictures_of(deck, picture), tuple(_notes(deck)))


def _columns(options: int) -> list[tuple[str, Cell]]:
    """Each column's name and what a question has there."""
    places = range(options)
    return [
        ("stem (Markdown)", lambda each: each.stem),
        *((f"option {_name(at)}", _option(at, lambda option: option.text)) for at in places),
        ("key", _key),
        *(
            (f"rationale {_name(at)}", _option(at, lambda option: option.rationale))
            for at in places
        ),
        *(
            (f"misconception {_name(at)}", _option(at, lambda option: option.misconception or ""))
            for at in places
        ),
        ("short explanation", lambda each: each.short),
        ("full explanation", lambda each: each.full),
        ("domain", lambda each: each.domain),
        ("tags", lambda each: "\n".join(each.tags)),
        ("sources", lambda each: "\n".join(each.sources)),
        ("slug", lambda each: each.slug),
        ("image", lambda each: path_of(each.image) if each.image else ""),
        ("image alt", lambda each: _alt(each.image)),
        ("exhibit", lambda each: path_of(each.exhibit) if each.exhibit else ""),
        ("exhibit alt", lambda each: _alt(each.exhibit)),
    ]


def _name(place: int) -> str:
    return LETTERS[place].lower()


def _option(place: int, part: Callable[[Option], str]) -> Cell:
    return lambda each: part(each.options[place]) if place < len(each.options) else ""


def _key(question: Question) -> str:
    options = enumerate(question.options)
    return ", ".join(LETTERS[place] for place, option in options if option.correct)


def _alt(image: Image | None) -> str:
    return image.alt if image else ""


def _notes(deck: Deck) -> list[str]:
    """What a table does not hold."""
    notes = ["The deck's own title, licence and blueprint are not in the table."]
    if any(each.expires or each.lint for each in deck.questions):
        notes.append("Expiry dates and waived rules of questions are not in the table.")
    if deck.drafts:
        notes.append(f"Drafts are not in the table; the deck has {len(deck.drafts)}.")
    return notes
