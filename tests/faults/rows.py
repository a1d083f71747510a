"""The rows: a fault, the place where it happens, and what everybody gets to see of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from tests.faults.scene import Scene
from tests.wire.faults import Closed, Effect, Late, Refuse, Truncated

State = tuple[str, str | None, str | None, str | None]  # the drop's, its pin's, thread's, unpin's


class Place(Enum):
    POST = "posting"
    PING = "ping"
    PIN = "pinning"
    THREAD = "thread"
    COUNT = "count of answers"
    REVEAL = "reveal"
    REPLY = "private reply"
    PAGE = "full explanation"


@dataclass(frozen=True)
class Row:
    """`sees` and `retried` are for people; the rest is what the test holds the bot to."""

    place: Place
    fault: str
    happens: Callable[[Scene], object]
    sees: str
    retried: str
    told: str = ""  # words of the one sentence that the admins read; none without
    logged: str = ""  # words of the log
    end: State = ("posted", "done", "done", None)
    later: Callable[[Scene], object] | None = None  # what is mended, twenty seconds later
    posts: int = 1

    @property
    def name(self) -> str:
        return f"{self.place.value}: {self.fault}"


def at(method: str, pattern: str, effect: Effect, times: int = 1) -> Callable[[Scene], object]:
    """The effect on requests that concern the scene's room or one of its messages."""
    return lambda scene: scene.fault(method, pattern, effect, times)


# discord.py itself tries five times, for 25 seconds; then it is the bot's turn.
_TRIES = 5
_SEND = ("POST", "/channels/*/messages")
_PIN = ("PUT", "/channels/*/messages/pins/*")
_THREAD = ("POST", "/channels/*/messages/*/threads")
_EDIT = ("PATCH", "/channels/*/messages/*")
_CALLBACK = ("POST", "/interactions/*/*/callback")
_AT_ONCE = "by discord.py, within seconds"
_CLOCK = "by the clock, each minute inside the grace"
_REVEALED: State = ("revealed", "done", "done", "done")
_BUSY = Refuse(429, 0, "You are being rate limited.", retry_after=1.0)
_OUTAGE = Refuse(502)
_NO_ACCESS = Refuse(403, 50001, "Missing Access")
_NO_PERMISSION = Refuse(403, 50013, "Missing Permissions")
_NO_INTERACTION = Refuse(404, 10062, "Unknown interaction")

POSTING = [
    Row(Place.POST, "none", lambda _: None, "the question at its time", "-"),
    Row(Place.POST, "500 once", at(*_SEND, Refuse(500)), "the question at its time", _AT_ONCE),
    Row(
        Place.POST, "429 with retry_after", at(*_SEND, _BUSY), "the question at its time", _AT_ONCE
    ),
    Row(Place.POST, "answered after 4 s", at(*_SEND, Late(4.0)), "the question at its time", "-"),
    Row(
        Place.POST,
        "502 for half a minute",
        at(*_SEND, _OUTAGE, _TRIES),
        "the question, a minute late",
        _CLOCK,
        logged="could not be posted yet",
    ),
    Row(
        Place.POST,
        "an answer that breaks off",
        at(*_SEND, Truncated()),
        "the question at its time",
        "looked for after a minute, and found",
        logged="could not be posted yet",
    ),
    Row(
        Place.POST,
        "connection lost after it was done",
        at(*_SEND, Closed(applied=True)),
        "the question at its time",
        "looked for after a minute, and found",
        logged="could not be posted yet",
    ),
    Row(
        Place.POST,
        "connection lost before it was done",
        at(*_SEND, Closed()),
        "the question, a minute late",
        _CLOCK,
        logged="could not be posted yet",
    ),
    Row(
        Place.POST,
        "may not send (50013), then may",
        lambda scene: scene.room.forbid("send_messages"),
        "the question as soon as it may be posted",
        _CLOCK,
        told="I may not post in",
        logged="was refused",
        later=lambda scene: scene.room.forbid(),
    ),
    Row(
        Place.POST,
        "may not see the channel (50001), then may",
        lambda scene: scene.room.forbid("view_channel"),
        "the question as soon as it may be posted",
        _CLOCK,
        told="I may not post in",
        logged="was refused",
        later=lambda scene: scene.room.forbid(),
    ),
    Row(
        Place.POST,
        "channel deleted (10003)",
        lambda scene: scene.room.delete(),
        "nothing; no streak suffers",
        "no",
        told="The channel for the questions is gone",
        logged="was refused",
        end=("missed", "due", "due", None),
        posts=0,
    ),
    Row(
        Place.POST,
        "bot removed from the server, then added again",
        lambda scene: scene.group.remove_bot(),
        "the question once the bot is back",
        _CLOCK,
        later=lambda scene: scene.group.add_bot(),
    ),
    Row(
        Place.PING,
        "role deleted",
        lambda scene: scene.group.delete_role(scene.role),
        "the question, without the ping",
        "no",
        told="should ping is gone",
    ),
]

FOLLOWING = [
    Row(Place.PIN, "500 once", at(*_PIN, Refuse(500)), "the pinned question", _AT_ONCE),
    Row(Place.PIN, "429 with retry_after", at(*_PIN, _BUSY), "the pinned question", _AT_ONCE),
    Row(Place.PIN, "answered after 4 s", at(*_PIN, Late(4.0)), "the pinned question", "-"),
    Row(
        Place.PIN,
        "502 for half a minute",
        at(*_PIN, _OUTAGE, _TRIES),
        "the question; the pin a minute later",
        "by the clock, each minute while it is open",
        logged="pin later",
    ),
    Row(
        Place.PIN,
        "may not pin (50013)",
        lambda scene: scene.room.forbid("pin_messages"),
        "the question, not pinned",
        "no; the next question is pinned",
        told="I may not pin messages in",
        logged="no pin",
        end=("posted", "given up", "done", None),
    ),
    Row(
        Place.PIN,
        "most pins reached (30003)",
        at(*_PIN, Refuse(400, 30003, "Maximum number of pins reached")),
        "the question, not pinned",
        "no; the next question is pinned",
        told="as many pinned messages as Discord allows",
        logged="no pin",
        end=("posted", "given up", "done", None),
    ),
    Row(
        Place.PIN,
        "message deleted (10008)",
        at(*_PIN, Refuse(404, 10008, "Unknown Message")),
        "what an admin left of it",
        "no",
        logged="no pin",
        end=("posted", "given up", "done", None),
    ),
    Row(Place.THREAD, "500 once", at(*_THREAD, Refuse(500)), "question and thread", _AT_ONCE),
    Row(Place.THREAD, "429 with retry_after", at(*_THREAD, _BUSY), "question and thread", _AT_ONCE),
    Row(
        Place.THREAD,
        "502 for half a minute",
        at(*_THREAD, _OUTAGE, _TRIES),
        "the question; the thread a minute later",
        "by the clock, each minute",
        logged="thread later",
    ),
    Row(
        Place.THREAD,
        "an answer that breaks off",
        at(*_THREAD, Truncated()),
        "question and thread",
        "after a minute, and found open (160004)",
        logged="thread later",
    ),
    Row(
        Place.THREAD,
        "may not open threads (50013)",
        lambda scene: scene.room.forbid("create_public_threads"),
        "the question, without a thread",
        "no; the next question has one",
        told="I may not open threads in",
        logged="no thread",
        end=("posted", "done", "given up", None),
    ),
]

COUNTING = [
    Row(Place.COUNT, "429 with retry_after", at(*_EDIT, _BUSY), "the count in time", _AT_ONCE),
    Row(
        Place.COUNT,
        "edited too often (30046)",
        at(*_EDIT, Refuse(429, 30046, "Maximum number of edits", retry_after=1.0)),
        "the count in time",
        _AT_ONCE,
    ),
    Row(
        Place.COUNT,
        "502 for half a minute",
        at(*_EDIT, _OUTAGE, _TRIES),
        "the count with the next answer",
        "with the next answer",
        logged="could not be edited",
    ),
    Row(
        Place.COUNT,
        "an answer that breaks off",
        at(*_EDIT, Truncated()),
        "the count in time",
        "with the next answer",
        logged="could not be edited",
    ),
    Row(
        Place.COUNT,
        "may not see the channel (50001)",
        at(*_EDIT, _NO_ACCESS),
        "the count with the next answer",
        "with the next answer",
        logged="could not be edited",
    ),
    Row(
        Place.COUNT,
        "thread of the question archived and locked",
        lambda scene: scene.archive_thread(),
        "the count in time: the question stands in the channel",
        "-",
    ),
]

REVEALING = [
    Row(
        Place.REVEAL,
        "500 once",
        at(*_EDIT, Refuse(500)),
        "the reveal in time",
        _AT_ONCE,
        end=_REVEALED,
    ),
    Row(
        Place.REVEAL,
        "429 with retry_after",
        at(*_EDIT, _BUSY),
        "the reveal in time",
        _AT_ONCE,
        end=_REVEALED,
    ),
    Row(
        Place.REVEAL,
        "answered after 4 s",
        at(*_EDIT, Late(4.0)),
        "the reveal in time",
        "-",
        end=_REVEALED,
    ),
    Row(
        Place.REVEAL,
        "502 for half a minute",
        at(*_EDIT, _OUTAGE, _TRIES),
        "the reveal, a minute late",
        "after 1, 2, 4, 8, then each 15 minutes",
        logged="could not be shown as closed",
        end=_REVEALED,
    ),
    Row(
        Place.REVEAL,
        "an answer that breaks off",
        at(*_EDIT, Truncated()),
        "the reveal in time",
        "after 1, 2, 4, 8, then each 15 minutes",
        logged="could not be shown as closed",
        end=_REVEALED,
    ),
    Row(
        Place.REVEAL,
        "may not see the channel (50001), then may",
        lambda scene: scene.room.forbid("view_channel"),
        "the reveal once it may be shown",
        "after 1, 2, 4, 8, then each 15 minutes, for a day",
        told="a question has closed without showing its key",
        logged="could not be shown as closed",
        later=lambda scene: scene.room.forbid(),
        end=_REVEALED,
    ),
    Row(
        Place.REVEAL,
        "message deleted (10008)",
        lambda scene: scene.message().delete(),
        "nothing; the answers count",
        "no",
        logged="could not be shown as closed",
        end=("revealed", "done", "done", "given up"),
        posts=0,
    ),
    Row(
        Place.REVEAL,
        "channel deleted (10003)",
        lambda scene: scene.room.delete(),
        "nothing; the answers count",
        "no",
        logged="could not be shown as closed",
        end=("revealed", "done", "done", "given up"),
        posts=0,
    ),
]


def _replies(place: Place) -> list[Row]:
    again = "the next press shows it"
    return [
        Row(place, "500 once", at(*_CALLBACK, Refuse(500)), "the reply", _AT_ONCE),
        Row(place, "429 with retry_after", at(*_CALLBACK, _BUSY), "the reply", _AT_ONCE),
        Row(place, "answered after 4 s", at(*_CALLBACK, Late(4.0)), "the reply", "-"),
        Row(
            place,
            "an answer that breaks off",
            at(*_CALLBACK, Truncated()),
            "the reply",
            again,
            logged="a reply could not be sent",
        ),
        Row(
            place,
            "403 (50013)",
            at(*_CALLBACK, _NO_PERMISSION),
            "“interaction failed”, from Discord",
            again,
            logged="a reply was refused",
        ),
        Row(
            place,
            "too late for Discord (10062)",
            at(*_CALLBACK, _NO_INTERACTION),
            "“interaction failed”, from Discord",
            again,
            logged="a reply came too late",
        ),
        Row(
            place,
            "502 for half a minute",
            at(*_CALLBACK, _OUTAGE, _TRIES),
            "“interaction failed”, from Discord",
            again,
            logged="a reply",
        ),
        Row(
            place,
            "member gone before the reply",
            lambda scene: scene.leave_at_reply(),
            "-",
            "no",
        ),
    ]


REPLYING = _replies(Place.REPLY)
PAGING = _replies(Place.PAGE)
ROWS = [*POSTING, *FOLLOWING, *COUNTING, *REVEALING, *REPLYING, *PAGING]
