"""A drop by its id, and its answers counted: where several use cases begin."""

from __future__ import annotations

from sqlite_utils import Database

from bank.errors import UnknownDrop
from bank.models import Drop, Tally
from bank.store import answers, drops


def drop_of(db: Database, drop: int) -> Drop:
    """The drop of that id. Raises UnknownDrop."""
    found = drops.get(db, drop)
    if found is None:
        raise UnknownDrop
    return found


def tally_of(db: Database, drop: Drop) -> Tally:
    """A drop with the question that it posted, and its answers counted."""
    question = drops.question_of_version(db, drop.version)
    counts, answered = answers.counts(db, drop.id, len(question.options))
    return Tally(drop=drop, question=question, counts=counts, answered=answered)
