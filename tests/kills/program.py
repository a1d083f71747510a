"""`quizdrop run` that ends itself with SIGKILL at the point of its code named in KILL_AT.

The bot's code is what it always is: one of its functions is called through another that kills.
"""

from __future__ import annotations

import functools
import importlib
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from tests.kills.points import POINTS, InCode


def arm(point: InCode) -> None:
    """Let the nth call of the point's function be the process's last."""
    module, _, name = point.function.partition(":")
    owner: Any = importlib.import_module(module)
    *outer, name = name.split(".")
    for each in outer:
        owner = getattr(owner, each)
    setattr(owner, name, _deadly(getattr(owner, name), point))


def _deadly(function: Callable[..., Any], point: InCode) -> Callable[..., Any]:
    calls = 0

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        last = calls == point.nth
        if last and not point.after:
            os.kill(os.getpid(), signal.SIGKILL)
        result = function(*arguments, **named)
        if last:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    return call


def main() -> None:
    from bot.cli import main as quizdrop

    (point,) = (each for each in POINTS if each.name == os.environ["KILL_AT"])
    if isinstance(point.at, InCode):
        arm(point.at)
    sys.argv = ["quizdrop", "run"]
    quizdrop()


if __name__ == "__main__":
    main()
