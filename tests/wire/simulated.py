"""What Discord knows and decides: servers, channels, messages, permissions. No sockets here.

It stands on simcord, whose internals are private: this module alone touches them, and
pyproject.toml fixes the version. What Discord does otherwise than simcord is written down here.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from time import monotonic
from typing import Any, NamedTuple

import discord
from simcord import interactions
from simcord.backend import Backend, permissions, serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import Message
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType
from simcord.http import router, routes  # noqa: F401 (the routes register themselves)
from simcord.intents import EVENT_INTENTS

Payload = dict[str, Any]

# How long Discord remembers a nonce: “the past few minutes”, says its documentation.
NONCE_SECONDS = 180.0
# Discord waits so long for an interaction's acknowledgement, and then takes what follows.
ACKNOWLEDGE_SECONDS = 3.0
TOKEN_SECONDS = 15 * 60.0
_HAS_THREAD = 1 << 5


class Refused(Exception):
    """What Discord answers instead of doing what was asked."""

    def __init__(self, status: int, code: int, message: str, **more: Any) -> None:
        super().__init__(f"{status} ({code}): {message}")
        self.status = status
        self.body = {"code": code, "message": message, **more}


class NotSimulated(Exception):
    """A route or a field that simcord does not know."""


class Upload(NamedTuple):
    """A file of a multipart request, in the shape in which simcord reads it."""

    filename: str
    fp: io.BytesIO
    description: str | None


class _MachineClock:
    """The machine's time, for simcord, whose own clock stands until it is moved."""

    elapsed = 0.0

    def now(self) -> datetime:
        return datetime.now(UTC)

    def advance(self, seconds: float) -> None:
        raise NotImplementedError("real time cannot be moved")


class _Kept(dict[str, Any]):
    """A body that simcord keeps as it is: the two copies that it would make of each cost more than
    all else that it does, and a burst of presses has to share its processor with the bot.
    """

    def __deepcopy__(self, _: Any) -> _Kept:
        return self


def plain(data: Any) -> Any:
    """A payload as JSON carries it, apart from what it was made of: enums become numbers."""
    return json.loads(json.dumps(data, default=int))


class Simulated:
    """`emit(event, payload, intent)` is called for all that a gateway would send."""

    def __init__(self, emit: Callable[[str, Payload, str | None], None]) -> None:
        self._emit = emit
        self._quiet = False
        self._nonces: dict[str, tuple[float, int, int]] = {}
        self._backend = Backend(clock=_MachineClock())  # type: ignore[arg-type]
        self._backend.edit_bot_profile("quizdrop")
        self._backend.subscribers.append(self._heard)

    def _heard(self, event: str, payload: Any) -> None:
        if not self._quiet:
            self._send(event, payload)

    def _send(self, event: str, payload: Payload) -> None:
        in_groups, in_direct = EVENT_INTENTS.get(event, (None, None))
        in_group = "guild_id" in payload or in_direct is None
        self._emit(event, payload, in_groups if in_group else in_direct)

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Nothing is sent meanwhile."""
        self._quiet = True
        try:
            yield
        finally:
            self._quiet = False

    # the bot

    @property
    def application(self) -> str:
        return str(self._backend.application_id)

    @property
    def bot(self) -> Payload:
        return plain(serializers.user_payload(self._backend.bot_user))

    def groups_of_bot(self) -> list[int]:
        bot = self._backend.bot_user.id
        return [guild.id for guild in self._backend.guilds.values() if bot in guild.members]

    def arrival(self, group: int) -> Payload:
        """GUILD_CREATE. Without the members intent it carries the bot itself, and nobody else."""
        guild = self._backend.get_guild(group)
        payload = plain(serializers.guild_create_payload(self._backend, guild))
        bot = str(self._backend.bot_user.id)
        payload["members"] = [each for each in payload["members"] if each["user"]["id"] == bot]
        return payload

    def may(self, room: int, permission: str) -> bool:
        """Whether the bot has a permission in a room; in a direct message it has them all."""
        channel = self._backend.channels.get(room)
        if channel is None or channel.guild_id is None:
            return True
        bot = self._backend.bot_user.id
        has = self._backend.compute_permissions(channel.guild_id, bot, channel.id)
        return bool(has & permissions.flag(permission))

    # requests

    def answer(
        self, method: str, path: str, body: Any, query: dict[str, str], files: list[Upload]
    ) -> Any:
        """Do what a request asks and return the answer's body. Raises Refused, NotSimulated."""
        try:
            for verb, pattern, handle in _DIFFERENT:
                if verb == method and (match := pattern.fullmatch(path)):
                    return handle(self, match, body, query, files)
            return self._plainly(method, path, body, query, files)
        except (router.RouteNotImplemented, router.UnsupportedField) as gap:
            raise NotSimulated(str(gap)) from gap
        except BackendError as error:
            raise Refused(error.status, **error.to_json()) from error
        finally:
            # simcord keeps a copy of everything; the wire has its own record.
            self._backend.http_requests.clear()
            self._backend.transcript.clear()

    def _plainly(
        self, method: str, path: str, body: Any, query: dict[str, str], files: list[Upload]
    ) -> Any:
        return router.dispatch(
            self._backend,
            method,
            path,
            json=_Kept(body) if isinstance(body, dict) else body,
            params=query,
            files=files,
            message_content_access=False,
        )

    def _create_message(
        self, match: re.Match[str], body: Any, query: dict[str, str], files: list[Upload]
    ) -> Any:
        """A nonce that is enforced returns the earlier message; an archived thread opens."""
        room, nonce = int(match["room"]), str(body.get("nonce") or "")
        if body.get("enforce_nonce") and nonce in self._nonces:
            at, *place = self._nonces[nonce]
            earlier = self._message(*place)
            if monotonic() - at < NONCE_SECONDS and earlier is not None:
                return serializers.message_payload(self._backend, earlier)
        self._open_archived(room)
        answer = self._plainly("POST", match[0], body, query, files)
        if nonce:
            self._nonces[nonce] = (monotonic(), room, int(answer["id"]))
        return answer

    def _open_archived(self, room: int) -> None:
        channel = self._backend.channels.get(room)
        if channel is None or channel.thread_metadata is None:
            return
        if channel.thread_metadata.locked and not self.may(room, "manage_threads"):
            raise Refused(400, 50083, "Tried to perform an operation on an archived thread")
        channel.thread_metadata.archived = False

    def _create_thread(
        self, match: re.Match[str], body: Any, query: dict[str, str], files: list[Upload]
    ) -> Any:
        """A thread from a message has the message's id, so there is one at most, not announced."""
        room, message = int(match["room"]), int(match["message"])
        if message in self._backend.channels:
            raise Refused(400, 160004, "A thread has already been created for this message")
        with self.silence():
            before = set(self._backend.messages.get(room, ()))
            answer = self._plainly("POST", match[0], body, query, files)
        for announcement in set(self._backend.messages[room]) - before:
            del self._backend.messages[room][announcement]
        self._backend.get_message(room, message).flags |= _HAS_THREAD
        self._backend.announce_thread_create(self._backend.channels[message])
        return answer

    def _pin(self, match: re.Match[str], *_: Any) -> None:
        self._set_pinned(int(match["room"]), int(match["message"]), True)

    def _unpin(self, match: re.Match[str], *_: Any) -> None:
        self._set_pinned(int(match["room"]), int(match["message"]), False)

    def _set_pinned(self, room: int, message: int, pinned: bool) -> None:
        """Pinning has a permission of its own; Manage Messages does not cover it any more."""
        if not self.may(room, "pin_messages"):
            raise Refused(403, 50013, "Missing Permissions")
        self._backend.set_pinned(room, message, pinned)

    def _history(
        self, match: re.Match[str], body: Any, query: dict[str, str], files: list[Upload]
    ) -> Any:
        """After an id come the oldest of what follows it, not the newest; newest first still."""
        if "after" not in query:
            return self._plainly("GET", match[0], body, query, files)
        whole = self._plainly("GET", match[0], body, {**query, "limit": "1000000"}, files)
        return whole[-int(query.get("limit", "50")) :]

    # servers, channels, members

    def add_group(self, name: str, bot_permissions: int) -> tuple[int, int]:
        """A server with the bot in it, not announced yet; its id and its owner's."""
        with self.silence():
            owner = self.add_user(f"{name} owner")
            guild = self._backend.create_guild(name, owner_id=owner)
            bot = guild.members[self._backend.bot_user.id]
            for role in bot.role_ids:
                guild.roles[role].permissions = bot_permissions
        return guild.id, owner

    def announce(self, group: int) -> None:
        self._send("GUILD_CREATE", self.arrival(group))

    def add_room(self, group: int, name: str, *, announce: bool) -> int:
        return self._backend.create_channel(group, name, announce=announce).id

    def add_role(self, group: int, name: str, granted: int = 0) -> int:
        return self._backend.create_role(group, name, permissions=granted).id

    def add_user(self, name: str) -> int:
        return self._backend.make_user(name, global_name=name.title()).id

    def add_member(self, group: int, user: int, roles: list[int]) -> None:
        self._backend.add_member(group, user, roles=roles)

    def take_out_bot(self, group: int) -> None:
        """The bot is removed from a server, which goes on without it."""
        del self._backend.get_guild(group).members[self._backend.bot_user.id]
        self._send("GUILD_DELETE", {"id": str(group)})

    def take_in_bot(self, group: int) -> None:
        """The bot is added again, with the role that it had."""
        guild = self._backend.get_guild(group)
        roles = [role.id for role in guild.roles.values() if role.managed]
        self._backend.add_member(group, self._backend.bot_user.id, roles=roles)
        self.announce(group)

    def set_system_room(self, group: int, room: int | None) -> None:
        self._backend.edit_guild(group, {"system_channel_id": room})

    def delete_room(self, room: int) -> None:
        self._backend.delete_channel(room)

    def delete_role(self, group: int, role: int) -> None:
        self._backend.delete_role(group, role)

    def remove_member(self, group: int, user: int) -> None:
        self._backend.remove_member(group, user)

    def forbid(self, room: int, *names: str) -> None:
        """Take permissions from the bot in one room; without names, give all of them back."""
        bot = self._backend.bot_user.id
        if not names:
            self._backend.delete_overwrite(room, bot)
            return
        denied = discord.Permissions(**dict.fromkeys(names, True)).value
        self._backend.set_overwrite(room, Overwrite(bot, OverwriteType.MEMBER, deny=denied))

    def archive(self, thread: int, *, locked: bool) -> None:
        changes = {"archived": True, "locked": locked}
        self._backend.edit_channel(thread, {}, thread_metadata=changes)

    # messages

    def messages(self, room: int) -> list[Payload]:
        """A room's messages as everybody sees them, oldest first."""
        found = self._backend.messages.get(room, {}).values()
        return [self._payload(each) for each in found if not each.is_ephemeral]

    def message(self, room: int, message: int) -> Payload | None:
        found = self._message(room, message)
        return None if found is None else self._payload(found)

    def _message(self, room: int, message: int) -> Message | None:
        return self._backend.messages.get(room, {}).get(message)

    def _payload(self, message: Message) -> Payload:
        return plain(serializers.message_payload(self._backend, message))

    def delete_message(self, room: int, message: int) -> None:
        self._backend.delete_message(room, message)

    def say(self, room: int, user: int, text: str) -> int:
        return self._backend.create_message(room, user, text).id

    def threads_in(self, room: int) -> list[int]:
        channels = self._backend.channels.values()
        return [each.id for each in channels if each.parent_id == room and each.is_thread]

    def direct_room(self, user: int) -> int | None:
        return self._backend.dm_channels.get(user)

    # interactions

    def interact(
        self, kind: int, group: int, room: int, user: int, data: Payload, **more: Any
    ) -> tuple[int, Payload]:
        """An interaction's id, and the INTERACTION_CREATE for `begin`."""
        record, payload = interactions.base_payload(
            self._backend, type=kind, channel_id=room, guild_id=group, user_id=user, data=data
        )
        payload["authorizing_integration_owners"] = {"0": str(group)}
        payload["guild"] = {"id": str(group), "features": [], "locale": "en-US"}
        if "message" in more:
            record.source_message_id = int(more["message"]["id"])
        return record.id, {**payload, **more}

    def shown(self, interaction: int) -> Payload | None:
        """The message that an interaction's reply has come to, as its member sees it."""
        record = self._backend.interactions[interaction]
        if record.message_id is None:
            return None
        return self.message(record.channel_id, record.message_id)

    def interaction_of(self, token: str) -> int | None:
        return self._backend.interaction_tokens.get(token)

    def group_of_interaction(self, interaction: int) -> int | None:
        room = self._backend.interactions[interaction].channel_id
        return self._backend.get_channel(room).guild_id

    def token_of(self, interaction: int) -> str:
        return self._backend.interactions[interaction].token

    def begin(self, interaction: int, payload: Payload) -> None:
        """Send an interaction: from now on its token lives."""
        record = self._backend.interactions[interaction]
        record.initial_response_deadline = self._backend.iso_after(ACKNOWLEDGE_SECONDS)
        record.expires_at = self._backend.iso_after(TOKEN_SECONDS)
        self._send("INTERACTION_CREATE", payload)

    def command(self, name: str, kind: int) -> Payload:
        """A command as the bot registered it. Raises LookupError."""
        found = self._backend.find_command(name, None, kind)
        if found is None:
            raise LookupError(f"the bot has no command {name!r}")
        return dict(found)

    def resolved(self, group: int, user: int, kind: str, entity: int) -> Payload:
        """What Discord sends along with an option that names a channel or a role."""
        if kind == "roles":
            return plain(serializers.role_payload(self._backend.get_role(group, entity)))
        channel = self._backend.get_channel(entity)
        payload = plain(serializers.channel_payload(self._backend, channel))
        has = self._backend.compute_permissions(group, user, channel.id)
        return {**payload, "permissions": str(has)}


_Handle = Callable[
    [Simulated, re.Match[str], Any, dict[str, str], list[Upload]],
    Any,
]

_PINS = r"/channels/(?P<room>\d+)/messages/pins/(?P<message>\d+)"

# What Discord does otherwise than simcord.
_DIFFERENT: list[tuple[str, re.Pattern[str], _Handle]] = [
    ("POST", re.compile(r"/channels/(?P<room>\d+)/messages"), Simulated._create_message),
    ("GET", re.compile(r"/channels/(?P<room>\d+)/messages"), Simulated._history),
    (
        "POST",
        re.compile(r"/channels/(?P<room>\d+)/messages/(?P<message>\d+)/threads"),
        Simulated._create_thread,
    ),
    ("PUT", re.compile(_PINS), Simulated._pin),
    ("DELETE", re.compile(_PINS), Simulated._unpin),
]
