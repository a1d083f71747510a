"""`python -m tests.kills` plays the kill table and prints it; words choose points by name."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.kills.points import POINTS
from tests.kills.rounds import Found
from tests.kills.table import lines, play_all


def main() -> None:
    wanted = " ".join(sys.argv[1:])
    points = [point for point in POINTS if wanted in point.name]
    with tempfile.TemporaryDirectory() as folder:
        table = asyncio.run(play_all(Path(folder), points=points))
    print("\n".join(lines(table)))
    for name, found in table.items():
        for each in found:
            if not isinstance(each, Found):
                print(f"\n{name}: {type(each).__name__}: {each}")
    sys.exit(any(not isinstance(each, Found) for found in table.values() for each in found))


if __name__ == "__main__":
    main()
