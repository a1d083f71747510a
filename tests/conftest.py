"""Fixtures that several test files share: a tutor over a real database, the bot in a server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from bank.models import Deck
from bank.store import Store
from bank.tutor import Tutor
from tests.faults.play import Outcome, play
from tests.faults.rows import ROWS
from tests.kills.rounds import Found
from tests.kills.table import play_all
from tests.samples import make_deck
from tests.wire import Wire
from tests.world import ErrorLog, World

OpenTutor = Callable[..., Tutor]


class Tables(NamedTuple):
    """What came of the kills, by point, and of the faults, by row."""

    kills: dict[str, list[Found | BaseException]]
    faults: dict[str, Outcome | BaseException]


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """Both tables, played once and side by side: they mostly wait."""

    async def faults() -> dict[str, Outcome | BaseException]:
        async with Wire() as wire:
            return await play(wire, tmp_path_factory.mktemp("faults") / "quizdrop.db", ROWS)

    async def both() -> Tables:
        kills = play_all(tmp_path_factory.mktemp("kills"))
        return Tables(*await asyncio.gather(kills, faults()))

    return asyncio.run(both())


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
