"""Fixtures that several test files share: a tutor over a real database in a temporary folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bank.models import Deck
from bank.store import Store
from bank.tutor import Tutor
from tests.samples import make_deck

OpenTutor = Callable[..., Tutor]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "quizdrop.db"


@pytest.fixture
def open_tutor(database: Path) -> Iterator[OpenTutor]:
    """Opens tutors on the test's one database file, as a restart or a second process would."""
    opened: list[Tutor] = []

    def open_one(*decks: Deck, grace: timedelta = timedelta(hours=2)) -> Tutor:
        tutor = Tutor(Store(database), decks or (make_deck(),), grace)
        opened.append(tutor)
        return tutor

    yield open_one
    for tutor in opened:
        tutor.close()


@pytest.fixture
def tutor(open_tutor: OpenTutor) -> Tutor:
    return open_tutor()
