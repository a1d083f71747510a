"""Killed anywhere between the claim and the last step, a drop stands once, and so does the rest."""

from __future__ import annotations

import asyncio

import pytest

from tests.kills.points import POINTS, Part
from tests.kills.rounds import LEASE_SECONDS, Found
from tests.kills.table import ROUNDS, play_all

Table = dict[str, list[Found | BaseException]]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """All rounds at all points, played once for the tests below."""
    return asyncio.run(play_all(tmp_path_factory.mktemp("kills")))


def test_there_are_points_all_along_the_way() -> None:
    assert sum(point.part is Part.POST for point in POINTS) >= 12
    assert len({point.name for point in POINTS}) == len(POINTS)


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
def test_after_a_kill_all_stands_exactly_once(table: Table, point: object) -> None:
    found = table[point.name]  # type: ignore[attr-defined]
    for each in found:
        if isinstance(each, BaseException):
            raise each
        assert (each.posts, each.pings, each.pins, each.threads) == (1, 1, 1, 1)
        assert each.acknowledged_kept
        # One that leaves a claim behind is settled when its lease ends, the others at once.
        limit = LEASE_SECONDS + 15 if point.leaves_a_claim else 15.0  # type: ignore[attr-defined]
        assert each.seconds < limit
    assert len(found) == ROUNDS
