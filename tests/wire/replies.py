"""Interactions as members see them: when the bot acknowledged, and what it said in the end."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from tests.wire.limits import walk
from tests.wire.record import Request
from tests.wire.simulated import ACKNOWLEDGE_SECONDS, Payload, Simulated

EPHEMERAL = 1 << 6

_CALLBACK = re.compile(r"/interactions/(?P<id>\d+)/[^/]+/callback")
_FOLLOWED = re.compile(r"/webhooks/\d+/(?P<token>[^/]+)(/messages/@original)?")
_LATER, _LATER_IN_PLACE, _CHOICES = 5, 6, 8


@dataclass
class Reply:
    """What became of one interaction. Times are monotonic seconds; None is never."""

    asked_at: float
    acknowledged_at: float | None = None
    deferred: bool = False
    arrived_at: float | None = None
    message: Payload | None = None
    choices: list[Payload] | None = None
    refused: list[int] = field(default_factory=list)  # error codes that its callbacks got
    _acknowledged: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    _arrived: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    @property
    def seconds(self) -> float:
        """Until the first acknowledgement; infinity when there was none."""
        at = self.acknowledged_at
        return float("inf") if at is None else at - self.asked_at

    @property
    def seconds_to_arrive(self) -> float:
        at = self.arrived_at
        return float("inf") if at is None else at - self.asked_at

    @property
    def arrived(self) -> bool:
        """Whether the reply itself came, and not just a deferral."""
        return self.arrived_at is not None

    @property
    def private(self) -> bool:
        return bool(self._shown.get("flags", 0) & EPHEMERAL)

    @property
    def components(self) -> list[Payload]:
        return list(self._shown["components"])

    @property
    def files(self) -> list[str]:
        return [each["filename"] for each in self._shown["attachments"]]

    @property
    def text(self) -> str:
        return text_of(self._shown)

    @property
    def buttons(self) -> dict[str, str]:
        return buttons_of(self._shown)

    @property
    def _shown(self) -> Payload:
        assert self.message is not None, f"the interaction got no reply: {self}"
        return self.message

    def acknowledge(self, now: float, *, deferred: bool) -> None:
        self.acknowledged_at = now
        self.deferred = deferred
        self._acknowledged.set()

    def arrive(self, now: float, message: Payload | None) -> None:
        self.arrived_at = now
        self.message = message
        self._arrived.set()

    async def settled(self, patience: float) -> None:
        """Wait as a member does: three seconds for anything, then so long for the reply."""
        try:
            await asyncio.wait_for(self._acknowledged.wait(), ACKNOWLEDGE_SECONDS)
            await asyncio.wait_for(self._arrived.wait(), patience)
        except TimeoutError:
            return


def text_of(message: Payload) -> str:
    """All text of a message, in reading order."""
    texts = [each["content"] for each in walk(message["components"]) if each["type"] == 10]
    return "\n".join(filter(None, [message.get("content", ""), *texts]))


def buttons_of(message: Payload) -> dict[str, str]:
    """The labels of a message's buttons, with their custom ids."""
    buttons = [each for each in walk(message["components"]) if each["type"] == 2]
    return {each.get("label") or "": each["custom_id"] for each in buttons if "custom_id" in each}


def menu_of(message: Payload) -> Payload:
    """The one menu of a message."""
    (menu,) = (each for each in walk(message["components"]) if each["type"] == 3)
    return menu


class Replies:
    """All interactions of a wire, by the requests that answer them."""

    def __init__(self, simulated: Simulated) -> None:
        self._simulated = simulated
        self._all: dict[int, Reply] = {}
        self._sending = asyncio.Lock()

    async def ask(
        self, kind: int, where: tuple[int, int, int], data: Payload, **more: Any
    ) -> Reply:
        """Send an interaction and wait for what comes of it; `where` is group, room, user."""
        patience = more.pop("patience", 20.0)
        number, payload = self._simulated.interact(kind, *where, data, **more)
        async with self._sending:
            reply = self._all[number] = Reply(monotonic())
            self._simulated.begin(number, payload)
            # Of a thousand at once each is on its way before the next one's time begins.
            await asyncio.sleep(0)
        await reply.settled(patience)
        return reply

    @property
    def waiting(self) -> list[int]:
        """The interactions that nobody has acknowledged yet."""
        return [number for number, each in self._all.items() if each.acknowledged_at is None]

    def saw(self, request: Request, code: int | None) -> None:
        """A request has been done, or refused with a code: is it a reply?"""
        now = monotonic()
        if match := _CALLBACK.fullmatch(request.path):
            reply = self._all.get(int(match["id"]))
            if reply is None:
                return
            if code is not None:
                reply.refused.append(code)
                return
            self._called_back(reply, int(match["id"]), request.body, now)
        elif (match := _FOLLOWED.fullmatch(request.path)) and code is None:
            number = self._simulated.interaction_of(match["token"])
            reply = self._all.get(number or 0)
            if reply is not None and request.method in ("POST", "PATCH") and not reply.arrived:
                reply.arrive(now, self._simulated.shown(number or 0))

    def _called_back(self, reply: Reply, number: int, body: Any, now: float) -> None:
        deferred = body["type"] in (_LATER, _LATER_IN_PLACE)
        reply.acknowledge(now, deferred=deferred)
        if body["type"] == _CHOICES:
            reply.choices = body["data"]["choices"]
            reply.arrive(now, None)
        elif not deferred:
            reply.arrive(now, self._simulated.shown(number))
