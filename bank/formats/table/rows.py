"""Rows under named columns -> drafts: what CSV files and spreadsheets have in common.

Cells of others are plain text in which backticks mark code; those of our own writer are Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise, zip_longest

from bank.formats.html.plain_text import as_plain_text
from bank.formats.reading import (
    Attachment,
    Draft,
    DraftOption,
    Kind,
    Problem,
    Reading,
    Source,
    Where,
)
from bank.formats.table.columns import MOST_OPTIONS, Columns, Meaning, Part, find_header
from bank.formats.table.key_cells import (
    Habit,
    Key,
    counts_from_zero,
    habit_of,
    key_of,
    says_truth,
    truth_of,
)
from bank.formats.table.words import kind_of, separator_of, split_cell, unguarded, without_labels
from bank.letters import LETTERS
from bank.models import is_name
from bank.prose import with_references
from bank.prose.literals import code_spans

MOST_ROWS = 20_000
LONGEST_CELL = 32_767  # as much as a spreadsheet takes

_CODE = "\0"  # stands for code while the text around it is escaped; no text holds one
_MAY_NAME = re.compile(r"\{|(?<![A-Za-z0-9])[A-Ha-h](?![A-Za-z0-9])")
_LISTED = re.compile(r"[,;|\n，；、]")
_IN_SOURCES = re.compile(r"[\n|]|[;,](?=\s*https?://)|;(?=\s)")


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its number, from 1, and what is wrong with it as a row."""

    line: int
    cells: Sequence[str]
    faults: tuple[str, ...] = ()


def read_rows(
    name: str, rows: Iterable[Row], beside: Sequence[Source], *, shifts: bool
) -> Reading | None:
    """What the rows of one table hold; None when none of them names the columns of questions.

    `shifts` says that a cell too many in a row means that the cells before it may be misplaced.
    """
    waiting = iter(rows)
    columns = find_header(row.cells for row in waiting)
    if columns is None:
        return None
    return _Table(name, columns, beside, shifts).read(waiting)


@dataclass
class _Item:
    """A row on its way to a draft."""

    row: Row
    options: list[str]
    key: Key | None = None


@dataclass
class _Table:
    name: str
    columns: Columns
    beside: Sequence[Source]
    shifts: bool
    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    habit: Habit = Habit.OPEN
    from_zero: bool = False

    def read(self, rows: Iterator[Row]) -> Reading:
        self.notes += [
            Problem(Where(self.name), f"the column “{title.strip()[:60]}” is not read")
            for title in self.columns.unread.values()
        ]
        said = list(self._with_questions(rows))
        cells = [self._cell(row, Meaning.CHOICES) for row in said]
        separator = separator_of([cell for cell in cells if cell])
        items = [self._item(row, separator) for row in said]
        pointing = [(item.key, len(item.options)) for item in items if item.key and item.options]
        # Our own writer names places, so that an option “B” is never taken for the second one.
        self.habit = Habit.PLACES if self.columns.markdown else habit_of(pointing)
        self.from_zero = self.habit is not Habit.TEXTS and counts_from_zero(pointing)
        drafts: list[Draft] = []
        for item in items:
            found = _Reader(self, item).read()
            if isinstance(found, Draft):
                drafts.append(found)
            else:
                self.problems.append(found)
        return Reading(tuple(drafts), tuple(self.problems), tuple(self.notes))

    def _with_questions(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The rows that say something under a named column; what is wrong with a row is told."""
        read = sorted(self.columns.read())
        taken = 0
        unnamed = False
        for row in rows:
            beyond = any(cell.strip() for cell in row.cells[self.columns.width :])
            faults = row.faults
            if beyond and self.shifts:
                faults = (*faults, _too_many(row, self.columns.width))
            unnamed = unnamed or (beyond and not self.shifts)
            if not faults and not any(at < len(row.cells) and row.cells[at].strip() for at in read):
                continue
            taken += 1
            if taken > MOST_ROWS:
                text = f"only the first {MOST_ROWS:,} rows are read; split the table for the rest"
                self.problems.append(Problem(Where(self.name, row.line), text))
                return
            if faults:
                self.problems.append(Problem(Where(self.name, row.line), "; ".join(faults)))
            elif tuple(row.cells) != self.columns.header:
                yield row
        if unnamed:
            self.notes.append(Problem(Where(self.name), "cells without a heading are not read"))

    def _cell(self, row: Row, meaning: Meaning) -> str:
        return unguarded(self.columns.cell(row.cells, meaning)).strip()

    def _item(self, row: Row, separator: str | None) -> _Item:
        options = self._options(row, separator)
        key = self._cell(row, Meaning.KEY)
        return _Item(row, options, key_of(key, options) if key else None)

    def _options(self, row: Row, separator: str | None) -> list[str]:
        """The texts of the options; "" for one that is empty before one that is not."""
        places = range(MOST_OPTIONS)
        parts = [self.columns.part(row.cells, Part.TEXT, place) for place in places]
        texts = [unguarded(part).strip() for part in parts]
        if cell := self._cell(row, Meaning.CHOICES):
            texts = split_cell(cell, separator)
        elif not any(texts):
            wrong = [self.columns.part(row.cells, Part.WRONG, place) for place in places]
            wrong = [unguarded(part).strip() for part in wrong if part.strip()]
            wrong += split_cell(self._cell(row, Meaning.WRONG), separator)
            texts = [self._cell(row, Meaning.KEY), *wrong] if wrong else []
        while texts and not texts[-1]:
            texts.pop()
        return texts if self.columns.markdown else without_labels(texts)


@dataclass
class _Reader:
    """One row -> a draft, or the problem that keeps it from being one."""

    table: _Table
    item: _Item
    missing: list[str] = field(default_factory=list)

    def read(self) -> Draft | Problem:
        where = Where(self.table.name, self.item.row.line)
        said = self._cell(Meaning.KIND)
        kind, known = kind_of(said)
        if known and kind is None:
            return Problem(
                where, f"{said[:40]} questions are not supported", kind=said[:40].lower()
            )
        if any(len(cell) > LONGEST_CELL for cell in self.item.row.cells):
            return Problem(where, f"a cell has more than {LONGEST_CELL:,} characters")
        if not self._cell(Meaning.STEM):
            return Problem(where, "the row has no question")
        options = self.item.options
        if len(options) > MOST_OPTIONS:
            return Problem(where, f"{len(options)} options; a question has {MOST_OPTIONS} at most")
        if not options:
            return self._without_options(where, kind)
        if said and not known:
            self._note(f"the kind “{said[:40]}” is unknown, and the row is read by its options")
        keys = self._keys()
        if isinstance(keys, str):
            return Problem(where, keys)
        self._check(options, keys, kind)
        return self._draft(where, self._kind(options, keys, kind), options, keys)

    def _without_options(self, where: Where, kind: Kind | None) -> Draft | Problem:
        """True or false, where the key says so; otherwise its options are missing."""
        said = self._cell(Meaning.KEY)
        truth = truth_of(said)
        # 1 and 0 are no options' numbers where the table has no columns for options.
        certain = kind or says_truth(said) or not self.table.columns.has_options
        if kind in (None, Kind.TRUE_FALSE) and truth is not None and certain:
            return self._draft(where, Kind.TRUE_FALSE, ["True", "False"], {0 if truth else 1})
        if kind is Kind.TRUE_FALSE:
            if said:
                return Problem(where, f"the key {_quoted(said)} is neither true nor false")
            self.missing.append("the row has no key")
            return self._draft(where, Kind.TRUE_FALSE, ["True", "False"], set())
        if said and not self.table.columns.has_options:
            text = "an answer without options makes a short answer, which is not supported"
            return Problem(where, text, kind="short answer")
        self.missing.append(
            "the row has no options" + (f"; its key is {_quoted(said)}" if said else "")
        )
        return self._draft(where, kind or Kind.CHOICE, [], set())

    def _keys(self) -> set[int] | str:
        """The options that the key names, or what is wrong with it."""
        key, options = self.item.key, self.item.options
        if key is None:
            self.missing.append("the row has no key")
            return set()
        count = len(options)
        if key.places is None and key.texts is None:
            return f"the key {_quoted(key.said)} is none of the options"
        if key.texts is None or (self.table.habit is Habit.PLACES and key.places is not None):
            if not key.agrees(count):
                last = LETTERS[count - 1]
                return f"the key {_quoted(key.said)} is no option; the options are A to {last}"
            if key.numbers and self.table.from_zero:
                text = "a key of this table is 0, so its numbers may count from 0 or from 1"
                self.missing.append(text)
            return set(key.places or ())
        if key.agrees(count) and key.places != key.texts and self.table.habit is Habit.OPEN:
            self._contradiction(key)
        return set(key.texts)

    def _contradiction(self, key: Key) -> None:
        by_place, by_text = (_letters(places or ()) for places in (key.places, key.texts))
        said = _quoted(key.said)
        self.missing.append(f"the key {said} is the place of {by_place}, but the text of {by_text}")

    def _check(self, options: Sequence[str], keys: set[int], kind: Kind | None) -> None:
        for place, text in enumerate(options):
            if not text:
                self.missing.append(f"option {LETTERS[place]} is empty")
            elif text in options[:place]:
                first = LETTERS[options.index(text)]
                self.missing.append(f"options {first} and {LETTERS[place]} say the same")
        if len(options) == 1:
            self.missing.append("the row has one option only")
        if kind is Kind.TRUE_FALSE and len(options) > 2:
            self.missing.append(f"its kind is true/false, and it has {len(options)} options")
        if kind is Kind.CHOICE and len(keys) > 1 and _says_one(self._cell(Meaning.KIND)):
            self.missing.append(f"its kind allows one key, and it has {len(keys)}")

    def _kind(self, options: Sequence[str], keys: set[int], kind: Kind | None) -> Kind:
        if len(keys) > 1:
            return Kind.MULTIPLE
        truths = {truth_of(text) for text in options if says_truth(text)}
        if len(options) == 2 and truths == {True, False}:
            return Kind.TRUE_FALSE
        return kind or Kind.CHOICE

    def _draft(self, where: Where, kind: Kind, texts: Sequence[str], keys: set[int]) -> Draft:
        count = len(texts)
        tags = self._list(Meaning.TAGS)
        if difficulty := self._cell(Meaning.DIFFICULTY):
            tags = tuple(dict.fromkeys((*tags, difficulty)))
        return Draft(
            where=where,
            kind=kind,
            stem=self._text(Meaning.STEM, count),
            options=tuple(
                self._option(place, text, place in keys, count) for place, text in enumerate(texts)
            ),
            short=self._text(Meaning.SHORT, count),
            full=self._text(Meaning.FULL, count),
            slug=self._slug(),
            category=self._cell(Meaning.DOMAIN) or None,
            tags=tags,
            sources=self._list(Meaning.SOURCES),
            image=self._picture(Meaning.IMAGE, Meaning.ALT),
            exhibit=self._picture(Meaning.EXHIBIT, Meaning.EXHIBIT_ALT),
            missing=tuple(self.missing),
        )

    def _option(self, place: int, text: str, correct: bool, count: int) -> DraftOption:
        rationale = self._part(Part.RATIONALE, place)
        misconception = self._part(Part.MISCONCEPTION, place)
        return DraftOption(
            text=self._prose(text, count),
            correct=correct,
            rationale=self._prose(rationale, count),
            misconception=self._prose(misconception, count) or None,
        )

    def _slug(self) -> str | None:
        said = self._cell(Meaning.SLUG)
        return said if is_name(said) and not said.isdecimal() else None

    def _picture(self, meaning: Meaning, about: Meaning) -> Attachment | None:
        """The picture that a cell names, among the files that came with the table."""
        name = self._cell(meaning)
        if not name:
            return None
        wanted = name.replace("\\", "/")
        files = [file for file in self.table.beside if file.name.endswith(wanted)]
        for file in files:
            if file.name == wanted or file.name.endswith(f"/{wanted}"):
                return Attachment(wanted, file.data, self._cell(about))
        self._note(f"the picture {_quoted(name)} did not come with the table")
        return None

    def _list(self, meaning: Meaning) -> tuple[str, ...]:
        cell = self._cell(meaning)
        if self.table.columns.markdown:
            pieces = cell.split("\n")
        else:
            pieces = (_IN_SOURCES if meaning is Meaning.SOURCES else _LISTED).split(cell)
        return tuple(dict.fromkeys(piece.strip() for piece in pieces if piece.strip()))

    def _cell(self, meaning: Meaning) -> str:
        return unguarded(self.table.columns.cell(self.item.row.cells, meaning)).strip()

    def _part(self, part: Part, place: int) -> str:
        return unguarded(self.table.columns.part(self.item.row.cells, part, place)).strip()

    def _text(self, meaning: Meaning, options: int) -> str:
        return self._prose(self._cell(meaning), options)

    def _prose(self, text: str, options: int) -> str:
        """The text of a cell as Markdown in which letters of options have become references."""
        if self.table.columns.markdown or not text:
            return text
        plain = _plain_but_code(text)
        # Most cells name nothing, and a table has many.
        return with_references(plain, options) if _MAY_NAME.search(plain) else plain

    def _note(self, text: str) -> None:
        where = Where(self.table.name, self.item.row.line)
        self.table.notes.append(Problem(where, text))


def _plain_but_code(text: str) -> str:
    """Plain text as Markdown; what stands between backticks stays code."""
    spans = code_spans(text) if "`" in text else []
    if not spans:
        return as_plain_text(text)
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    pieces = [text[start:end] for start, end in pairwise(edges)]
    # Escaped in one go, since some signs are marks at the beginning of a line only.
    plain = as_plain_text(_CODE.join(pieces[::2])).split(_CODE)
    return "".join(chain.from_iterable(zip_longest(plain, pieces[1::2], fillvalue="")))


def _too_many(row: Row, width: int) -> str:
    return (
        f"the row has more cells than the {width} columns that have a name: put a text that holds "
        "the separator between quotation marks"
    )


def _says_one(kind: str) -> bool:
    return "single" in kind.casefold() or "one" in kind.casefold().split()


def _letters(places: Iterable[int]) -> str:
    return ", ".join(LETTERS[place] for place in sorted(places))


def _quoted(text: str) -> str:
    return f"“{text}”" if len(text) <= 60 else f"“{text[:59]}…”"
