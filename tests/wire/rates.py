"""Discord's rate limits: the one for everything, and those of single routes.

Headers tell the bot where it stands. A test may change both, or take them away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

# Interactions and webhooks are not counted towards the global limit.
_EXEMPT = re.compile(r"/(interactions|webhooks)/.*")

Headers = dict[str, str]


class Wait(NamedTuple):
    """A request that came too soon: how long to wait, and whether that goes for all requests."""

    seconds: float
    everywhere: bool


class Route(NamedTuple):
    """So many requests in so many seconds, for each value of `place` in the path."""

    name: str
    method: str
    pattern: re.Pattern[str]
    limit: int
    seconds: float


MESSAGE_CREATE = Route(
    "message-create", "POST", re.compile(r"/channels/(?P<place>\d+)/messages"), 5, 5.0
)
MESSAGE_EDIT = Route(
    "message-edit", "PATCH", re.compile(r"/channels/(?P<place>\d+)/messages/\d+"), 5, 5.0
)


@dataclass
class _Window:
    ends: float
    used: int = 0


@dataclass
class Rates:
    """`everywhere` is requests a second, None for no limit; `routes` may be emptied."""

    everywhere: int | None = 50
    routes: list[Route] = field(default_factory=lambda: [MESSAGE_CREATE, MESSAGE_EDIT])
    refused: list[Wait] = field(default_factory=list)
    _seconds: dict[str | None, _Window] = field(default_factory=dict)
    _windows: dict[tuple[str, str, str | None], _Window] = field(default_factory=dict)

    def take(
        self, bot: str | None, method: str, path: str, now: float
    ) -> tuple[Wait | None, Headers]:
        """Count a request: the wait when it is one too many, and the headers of its answer."""
        wait = self._take_everywhere(bot, path, now)
        if wait is not None:
            return self._refuse(wait, {"X-RateLimit-Global": "true"})
        for route in self.routes:
            match = route.pattern.fullmatch(path)
            if route.method == method and match:
                return self._take_of(route, (route.name, match["place"], bot), now)
        return None, {}

    def _take_everywhere(self, bot: str | None, path: str, now: float) -> Wait | None:
        if self.everywhere is None or _EXEMPT.fullmatch(path):
            return None
        second = self._seconds.get(bot)
        if second is None or second.ends <= now:
            second = self._seconds[bot] = _Window(now + 1.0)
        if second.used >= self.everywhere:
            return Wait(second.ends - now, True)
        second.used += 1
        return None

    def _take_of(
        self, route: Route, key: tuple[str, str, str | None], now: float
    ) -> tuple[Wait | None, Headers]:
        window = self._windows.get(key)
        if window is None or window.ends <= now:
            window = self._windows[key] = _Window(now + route.seconds)
        left = window.ends - now
        headers = {
            "X-RateLimit-Limit": str(route.limit),
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": route.name,
        }
        if window.used >= route.limit:
            return self._refuse(Wait(left, False), {**headers, "X-RateLimit-Remaining": "0"})
        window.used += 1
        return None, {**headers, "X-RateLimit-Remaining": str(route.limit - window.used)}

    def _refuse(self, wait: Wait, headers: Headers) -> tuple[Wait, Headers]:
        self.refused.append(wait)
        scope = "global" if wait.everywhere else "user"
        return wait, {**headers, "X-RateLimit-Scope": scope}
