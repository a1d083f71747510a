"""A loopback Discord: a server on 127.0.0.1 for a `quizdrop run` that knows nothing of tests.

    async with Wire() as wire:
        group = wire.group("Study group", members=["ben", "cleo"])
        async with wire.bot(database) as bot:
            reply = await group.member("ben").press(group.room.messages()[-1], "A")
            await bot.kill()

The bot process is the real one, over real HTTP and a real websocket; what Discord would refuse is
refused, and what the tests inject happens. Nothing here knows what a quiz is.
"""

from tests.wire.faults import (
    After,
    Answered,
    Before,
    Closed,
    Fault,
    Held,
    Late,
    Refuse,
    Truncated,
    kill_after,
    kill_answered,
    kill_before,
)
from tests.wire.groups import Group, Member, Message, Role, Room
from tests.wire.ledger import Ledger
from tests.wire.process import Bot
from tests.wire.record import Request
from tests.wire.replies import Reply
from tests.wire.wire import Wire

__all__ = [
    "After",
    "Answered",
    "Before",
    "Bot",
    "Closed",
    "Fault",
    "Group",
    "Held",
    "Late",
    "Ledger",
    "Member",
    "Message",
    "Refuse",
    "Reply",
    "Request",
    "Role",
    "Room",
    "Truncated",
    "Wire",
    "kill_after",
    "kill_answered",
    "kill_before",
]
