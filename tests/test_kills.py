"""Killed anywhere between the claim and the last step, a drop stands once, and so does the rest."""

from __future__ import annotations

import pytest

from tests.conftest import Tables
from tests.kills.points import POINTS, Part, Point
from tests.kills.rounds import LEASE_SECONDS
from tests.kills.table import ROUNDS


def test_there_are_points_all_along_the_way() -> None:
    assert sum(point.part is Part.POST for point in POINTS) >= 12
    assert len({point.name for point in POINTS}) == len(POINTS)


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
def test_after_a_kill_all_stands_exactly_once(tables: Tables, point: Point) -> None:
    found = tables.kills[point.name]
    for each in found:
        if isinstance(each, BaseException):
            raise each
        assert (each.posts, each.pings, each.pins, each.threads) == (1, 1, 1, 1)
        assert each.acknowledged_kept
        # One that leaves a claim behind is settled when its lease ends, the others at once.
        limit = LEASE_SECONDS + 15 if point.leaves_a_claim else 15.0
        assert each.seconds < limit
    assert len(found) == ROUNDS
