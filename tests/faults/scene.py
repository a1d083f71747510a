"""A scene: one server in which one row of the fault table is played."""

from __future__ import annotations

from dataclasses import dataclass

from tests.wire import Before, Group, Message, Request, Role, Room, Wire
from tests.wire.faults import Effect, Fault


@dataclass
class Scene:
    wire: Wire
    group: Group
    role: Role
    staff: Room

    @property
    def room(self) -> Room:
        return self.group.room

    def fault(self, method: str, pattern: str, effect: Effect, times: int = 1) -> Fault:
        """The effect on requests that concern this scene's room or answer its members."""
        return self.wire.fault(method, pattern, effect, times=times, where=self._is_ours)

    def message(self) -> Message:
        """The drop's message, while it stands. Raises LookupError."""
        for post in self.room.posts():
            if "qd:a:" in str(post.payload) or "· closed" in post.text:
                return post
        raise LookupError("no drop stands here")

    def posts(self) -> int:
        """How many drops stand in the room; none in one that is gone."""
        try:
            found = self.room.posts()
        except LookupError:
            return 0
        return sum("qd:a:" in str(p.payload) or "· closed" in p.text for p in found)

    def told(self) -> list[str]:
        """What the admins read: in the system channel, or the owner alone."""
        said = [*self.staff.posts(), *self.group.owner.direct_messages()]
        return [message.text for message in said if "⚠" in message.text]

    def archive_thread(self) -> None:
        (thread,) = self.room.threads()
        thread.archive(locked=True)

    def leave_at_reply(self) -> Fault:
        """Ben leaves the server when his reply is on its way."""
        return self.fault(
            "POST", "/interactions/*/*/callback", Before(self.group.member("ben").leave)
        )

    def _is_ours(self, request: Request) -> bool:
        if request.path.startswith("/interactions/"):
            number = int(request.path.split("/")[2])
            return self.wire.simulated.group_of_interaction(number) == int(self.group.id)
        return f"/{self.room.id}/" in request.path
