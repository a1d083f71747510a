"""Whatever goes wrong at Discord: members, admins, retries and the log are as the table says."""

from __future__ import annotations

import pytest

from tests.conftest import Tables
from tests.faults.play import Outcome
from tests.faults.rows import ROWS, Place, Row


def test_each_place_has_its_rows() -> None:
    assert {row.place for row in ROWS} == set(Place)
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_fault_ends_as_the_table_says(tables: Tables, row: Row) -> None:
    outcome = tables.faults[row.name]
    if isinstance(outcome, BaseException):
        raise outcome
    assert (outcome.end, outcome.posts) == (row.end, row.posts)
    assert outcome.kept
    assert [row.told in sentence for sentence in outcome.told] == [True] * bool(row.told)
    logged = "\n".join(outcome.log)
    assert row.logged in logged
    assert bool(logged) == bool(row.logged or row.told)
    assert "Traceback" not in logged


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.place in (Place.REPLY, Place.PAGE)], ids=lambda row: row.name
)
def test_a_press_whose_reply_was_lost_shows_it_the_next_time(tables: Tables, row: Row) -> None:
    outcome = tables.faults[row.name]
    assert isinstance(outcome, Outcome)
    assert outcome.first is not None
    assert outcome.first.arrived == ("failed" not in row.sees)
    if outcome.again is not None:
        shown = "Your first answer stands" if row.place is Place.REPLY else "Full explanation"
        assert shown in outcome.again.text


def test_nobody_elses_drops_are_delayed(tables: Tables) -> None:
    outcome = tables.faults[next(row.name for row in ROWS if row.fault == "none")]
    assert isinstance(outcome, Outcome)
    assert outcome.seconds < 15
