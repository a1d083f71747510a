"""`python -m tests.wire burst` prints what bursts of presses and posts come to on this machine."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.wire import bursts


async def burst(folder: Path) -> Iterator[tuple[str, str]]:
    """One row for each scenario: what happens, and what came of it."""
    crowd = await bursts.crowd(folder / "crowd.db")
    killed = await bursts.killed(folder / "killed.db")
    doubled = await bursts.doubled(folder / "doubled.db")
    twins = await bursts.twins(folder / "twins.db")
    due = await bursts.due(folder / "due.db")
    return iter(
        [
            (
                f"{crowd.presses} members press at once, "
                f"the database is locked for {crowd.locked_seconds:.0f} s",
                f"the slowest acknowledgement after {crowd.acknowledged_seconds:.1f} s, "
                f"the last reply after {crowd.arrived_seconds:.1f} s; "
                f"{crowd.answers} answers of {crowd.members} members",
            ),
            (
                f"{killed.presses} members press at once, SIGKILL in the middle",
                f"{killed.replies} had their reply, {killed.lost} of these answers are lost; "
                f"the others press again: {killed.answers} answers of {killed.members} members",
            ),
            (
                f"{doubled.members} members press two buttons within "
                f"{doubled.apart_seconds * 1000:.1f} ms",
                f"{doubled.answers} answers, {doubled.disagreeing} members read two choices",
            ),
            (
                f"two processes on one database, {twins.groups} groups due",
                f"{sum(twins.posts)} posts, {max(twins.posts)} at most in a group",
            ),
            (
                f"{due.groups} groups due at once, 50 requests a second, 2 more in trouble",
                f"{sum(due.posts)} posts in {due.seconds:.1f} s, "
                f"{max(due.posts)} at most in a group",
            ),
        ]
    )


def main() -> None:
    if sys.argv[1:] != ["burst"]:
        sys.exit("python -m tests.wire burst")
    with tempfile.TemporaryDirectory(prefix="quizdrop-burst-") as folder:
        for what, came_of_it in asyncio.run(burst(Path(folder))):
            print(f"| {what} | {came_of_it} |")


if __name__ == "__main__":
    main()
