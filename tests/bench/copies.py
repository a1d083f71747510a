"""Seconds for a million answers: the check at each start, a backup, a restore.

`python -m tests.bench.copies`
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bank.store.backups import back_up, restore
from bank.store.health import examine
from tests.databases import fill
from tests.samples import NOW

ROUNDS = 3


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="quizdrop-bench-") as folder:
        database, backup = Path(folder) / "quizdrop.db", Path(folder) / "copy.db"
        fill(database, days=401, extra=2500)
        contents = back_up(database, backup)
        print(f"{contents.answers:,} answers, {contents.size / 1e6:.0f} MB")
        measure("the check at a start", lambda: examine(database))
        measure("a backup", lambda: back_up(database, backup))
        measure("a restore", lambda: restore(backup, database, NOW))


def measure(what: str, work: Callable[[], object]) -> None:
    """Print the best of some rounds: on a shared machine the others measure its other users."""
    seconds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    print(f"{what}: {min(seconds):.1f} s")


if __name__ == "__main__":
    main()
