"""Fixtures that several test files share: a tutor over a real database, the bot in a server."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bank.models import Deck
from bank.store import Store
from bank.tutor import Tutor
from tests.samples import make_deck
from tests.world import ErrorLog, World

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


@pytest.fixture
def error_log() -> Iterator[ErrorLog]:
    """Fails the test on any error that was logged and not taken: nothing is swallowed unseen."""
    log = ErrorLog()
    logging.getLogger().addHandler(log)
    yield log
    logging.getLogger().removeHandler(log)
    assert [record.getMessage() for record in log.records] == []


@pytest.fixture
def decks() -> dict[Path, Deck]:
    """The decks of the `world`, by folder; a test file may override it."""
    return {Path("sample"): make_deck()}


@pytest.fixture
async def world(
    database: Path, decks: dict[Path, Deck], error_log: ErrorLog
) -> AsyncIterator[World]:
    """The real bot in a simulated server. Leaving it re-raises every error the bot swallowed."""
    async with World(database, decks) as world:
        yield world
