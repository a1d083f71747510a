"""The named points of a drop's way at which the process is killed, in the order of that way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Part(Enum):
    """Which part of a drop's way a point lies in."""

    POST = "from the claim to the last step that follows the post"
    COUNT = "an answer and its count"
    CLOSE = "from the close to the last step that follows the reveal"


@dataclass(frozen=True)
class InCode:
    """Before or after the `nth` call of one of the bot's own functions."""

    function: str  # module:name
    after: bool = True
    nth: int = 1


@dataclass(frozen=True)
class OnWire:
    """At the first such request: when it has arrived, when it is done, or half answered."""

    method: str
    pattern: str
    moment: str  # "arrived", "done" or "half answered"


@dataclass(frozen=True)
class Point:
    name: str
    part: Part
    at: InCode | OnWire

    @property
    def leaves_a_claim(self) -> bool:
        """True where the next process must look for the message: a minute after the claim."""
        return self.part is Part.POST and POINTS.index(self) in range(1, 7)


_SEND = ("POST", "/channels/*/messages")
_PIN = ("PUT", "/channels/*/messages/pins/*")
_THREAD = ("POST", "/channels/*/messages/*/threads")
_EDIT = ("PATCH", "/channels/*/messages/*")
_UNPIN = ("DELETE", "/channels/*/messages/pins/*")
_DONE = "bank.tutor.follow_ups:FollowUps.done"
_STEP = "bank.store.drops:set_step"

POINTS = [
    Point("claim written, not committed", Part.POST, InCode("bank.store.drops:claim")),
    Point("claim committed", Part.POST, InCode("bank.tutor.posting:Posting.due")),
    Point("post on its way", Part.POST, OnWire(*_SEND, "arrived")),
    Point("post done, unanswered", Part.POST, OnWire(*_SEND, "done")),
    Point("post half answered", Part.POST, OnWire(*_SEND, "half answered")),
    Point("post answered", Part.POST, InCode("bank.tutor.posting:Posting.posted", after=False)),
    Point("message written, not committed", Part.POST, InCode("bank.store.drops:post")),
    Point("message committed", Part.POST, InCode("bank.tutor.posting:Posting.posted")),
    Point("pin on its way", Part.POST, OnWire(*_PIN, "arrived")),
    Point("pin done, unanswered", Part.POST, OnWire(*_PIN, "done")),
    Point("pin answered", Part.POST, InCode(_DONE, after=False)),
    Point("pin written, not committed", Part.POST, InCode(_STEP)),
    Point("pin committed", Part.POST, InCode(_DONE)),
    Point("thread on its way", Part.POST, OnWire(*_THREAD, "arrived")),
    Point("thread done, unanswered", Part.POST, OnWire(*_THREAD, "done")),
    Point("thread answered", Part.POST, InCode(_DONE, after=False, nth=2)),
    Point("thread written, not committed", Part.POST, InCode(_STEP, nth=2)),
    Point("thread committed", Part.POST, InCode(_DONE, nth=2)),
    Point("count on its way", Part.COUNT, OnWire(*_EDIT, "arrived")),
    Point("count done, unanswered", Part.COUNT, OnWire(*_EDIT, "done")),
    Point("close committed", Part.CLOSE, InCode("bank.tutor.posting:Posting.reveal", after=False)),
    Point("reveal on its way", Part.CLOSE, OnWire(*_EDIT, "arrived")),
    Point("reveal done, unanswered", Part.CLOSE, OnWire(*_EDIT, "done")),
    Point("reveal written, not committed", Part.CLOSE, InCode("bank.store.drops:move")),
    Point("reveal committed", Part.CLOSE, InCode("bank.tutor.posting:Posting.revealed")),
    Point("unpin on its way", Part.CLOSE, OnWire(*_UNPIN, "arrived")),
    Point("unpin done, unanswered", Part.CLOSE, OnWire(*_UNPIN, "done")),
    Point("unpin answered", Part.CLOSE, InCode(_DONE, after=False)),
    Point("unpin committed", Part.CLOSE, InCode(_DONE)),
]
