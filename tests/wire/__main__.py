"""`python -m tests.wire burst` prints what bursts of presses and posts come to on this machine."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.wire import bursts

SCENARIOS = (bursts.crowd, bursts.killed, bursts.doubled, bursts.twins, bursts.due)


def main() -> None:
    if sys.argv[1:] != ["burst"]:
        sys.exit("python -m tests.wire burst")
    for scenario in SCENARIOS:
        with tempfile.TemporaryDirectory(prefix="quizdrop-burst-") as folder:
            what, came_of_it = asyncio.run(scenario(Path(folder) / "quizdrop.db")).row
        print(f"| {what} | {came_of_it} |", flush=True)


if __name__ == "__main__":
    main()
