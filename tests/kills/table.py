"""The whole table: every point, so many rounds each, side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from tests.kills.points import POINTS, Point
from tests.kills.rounds import Found, Round

ROUNDS = 3
# So many processes start at a time. Those that wait for a lease to end only sleep.
_STARTING = 4


async def play_all(
    folder: Path, rounds: int = ROUNDS, points: list[Point] = POINTS
) -> dict[str, list[Found | BaseException]]:
    """What each round found at each point, by the point's name; an error is what it ended in."""
    turns = asyncio.Semaphore(_STARTING)
    # Rounds that have to wait for a lease go first, and wait while the others run.
    order = sorted(points, key=lambda point: not point.leaves_a_claim)
    played = [
        (point, _folder(folder, point, number)) for point in order for number in range(rounds)
    ]
    found = await asyncio.gather(
        *(Round(point, place, turns).play() for point, place in played), return_exceptions=True
    )
    table: dict[str, list[Found | BaseException]] = {point.name: [] for point in points}
    for (point, _), each in zip(played, found, strict=True):
        table[point.name].append(each)
    return table


def _folder(folder: Path, point: Point, number: int) -> Path:
    place = folder / f"{POINTS.index(point):02}-{number}"
    place.mkdir(parents=True)
    return place


def lines(table: dict[str, list[Found | BaseException]]) -> Iterator[str]:
    """The table as text: a line for each point, then the sum."""
    width = max(map(len, table))
    yield f"{'killed at':{width}}  rounds  posts  pings  pins  threads  answers  seconds to settle"
    for name, found in table.items():
        good = [each for each in found if isinstance(each, Found)]
        figures = [
            "/".join(sorted({str(getattr(each, what)) for each in good}))
            for what in ("posts", "pings", "pins", "threads")
        ]
        kept = "kept" if all(each.acknowledged_kept for each in good) else "LOST"
        slowest = max((each.seconds for each in good), default=float("nan"))
        errors = f"  {len(found) - len(good)} FAILED" if len(good) < len(found) else ""
        yield (
            f"{name:{width}}  {len(found):6}  {figures[0]:>5}  {figures[1]:>5}  {figures[2]:>4}"
            f"  {figures[3]:>7}  {kept:>7}  {slowest:17.1f}{errors}"
        )
    yield f"{len(table)} points, {sum(map(len, table.values()))} kills"
