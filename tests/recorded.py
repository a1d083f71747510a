"""Every byte that the bot hands to the simulated Discord, and all that it logs meanwhile.

simcord keeps what it makes of a request; this keeps the request itself, before simcord looks at it.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from simcord.http import router


class Sent(NamedTuple):
    """One request: where it went, its body, and its files as (name, alt text, bytes)."""

    method: str
    path: str
    body: Any
    files: tuple[tuple[str, str | None, bytes], ...]

    @property
    def whole(self) -> str:
        files = [(name, alt, data.hex()) for name, alt, data in self.files]
        body = json.dumps(self.body, ensure_ascii=False, sort_keys=True)
        return f"{self.method} {re.sub(r'[0-9]{15,}', '#', self.path)} {body} {files}"

    @property
    def is_reply(self) -> bool:
        return self.path.startswith(("/interactions/", "/webhooks/"))


@contextmanager
def recording() -> Iterator[list[Sent]]:
    """The requests of every bot in this process while the block runs, as they are made."""
    sent: list[Sent] = []
    dispatch = router.dispatch

    def record(backend: Any, method: str, path: str, **options: Any) -> Any:
        files = [
            (file.filename, file.description, file.fp.getvalue()) for file in options["files"] or []
        ]
        # Through JSON and back: what follows may not change it any more.
        body = json.loads(json.dumps(options.get("json")))
        sent.append(Sent(method, path, body, tuple(files)))
        return dispatch(backend, method, path, **options)

    router.dispatch = record
    try:
        yield sent
    finally:
        router.dispatch = dispatch


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name != "tzlocal":  # it speaks once in a process
            self.lines.append(f"{record.name} {self.format(record)}")


@contextmanager
def logged(level: int = logging.DEBUG) -> Iterator[list[str]]:
    """What anybody logs while the block runs, from a level on, with tracebacks."""
    root, handler = logging.getLogger(), _Lines()
    before = root.level
    root.addHandler(handler)
    root.setLevel(level)
    try:
        yield handler.lines
    finally:
        root.setLevel(before)
        root.removeHandler(handler)
