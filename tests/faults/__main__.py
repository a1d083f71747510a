"""`python -m tests.faults` plays the fault table and prints it; words choose rows by name."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.faults.play import Outcome, play
from tests.faults.rows import ROWS, Row
from tests.wire import Wire


async def found_of(rows: list[Row]) -> dict[str, Outcome | BaseException]:
    with tempfile.TemporaryDirectory() as folder:
        async with Wire() as wire:
            return await play(wire, Path(folder) / "quizdrop.db", rows)


def main() -> None:
    wanted = " ".join(sys.argv[1:])
    rows = [row for row in ROWS if wanted in row.name]
    found = asyncio.run(found_of(rows))
    print("| place | fault | what members see | tried again | admins are told | seconds |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        outcome = found[row.name]
        told = f"“{row.told} …”, once" if row.told else "nothing"
        seconds = f"{outcome.seconds:.0f}" if isinstance(outcome, Outcome) else f"FAILED {outcome}"
        print(
            f"| {row.place.value} | {row.fault} | {row.sees} | {row.retried} | {told} | {seconds} |"
        )
    sys.exit(any(isinstance(outcome, BaseException) for outcome in found.values()))


if __name__ == "__main__":
    main()
