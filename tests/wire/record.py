"""What the bot asked of Discord: one entry for each request, kept in order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any


@dataclass
class Request:
    """One request. Times are monotonic seconds; `status` is None while it is unanswered."""

    at: float
    method: str
    path: str
    query: dict[str, str]
    body: Any
    files: list[tuple[str, bytes]]
    bot: str | None  # which process it came from; interactions are answered without saying
    content_type: str = ""
    status: int | None = None
    done_at: float | None = None  # None: it was refused or lost
    answer: Any = field(default=None, repr=False)

    @property
    def applied(self) -> bool:
        return self.done_at is not None

    def matches(self, method: str, pattern: str) -> bool:
        """`*` in a pattern stands for one part of the path, `**` for any number of them."""
        return self.method == method and expression(pattern).fullmatch(self.path) is not None


@cache
def expression(pattern: str) -> re.Pattern[str]:
    """A pattern of a path as a regular expression."""
    parts = re.split(r"(\*\*|\*)", pattern)
    kinds = {"**": ".*", "*": "[^/]+"}
    return re.compile("".join(kinds.get(part) or re.escape(part) for part in parts))
