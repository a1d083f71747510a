"""Servers, channels and members as a test speaks of them, in the words of the core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.wire.replies import Reply, buttons_of, menu_of, text_of
from tests.wire.simulated import Payload

if TYPE_CHECKING:
    from tests.wire.wire import Wire

_COMMAND, _COMPONENT, _AUTOCOMPLETE = 2, 3, 4
_SLASH, _ON_MESSAGE = 1, 3
_BUTTON, _MENU = 2, 3


@dataclass(frozen=True)
class Role:
    id: str
    name: str


@dataclass(frozen=True)
class Message:
    """A message as it stood when it was looked at."""

    room: Room
    payload: Payload

    @property
    def id(self) -> str:
        return str(self.payload["id"])

    @property
    def text(self) -> str:
        return text_of(self.payload)

    @property
    def buttons(self) -> dict[str, str]:
        return buttons_of(self.payload)

    @property
    def files(self) -> list[str]:
        return [each["filename"] for each in self.payload["attachments"]]

    @property
    def pinned(self) -> bool:
        return bool(self.payload["pinned"])

    @property
    def pinged_roles(self) -> list[str]:
        return list(self.payload["mention_roles"])

    @property
    def is_system(self) -> bool:
        """Said by Discord itself, such as that a message was pinned."""
        return self.payload["type"] not in (0, 19, 20, 23)

    @property
    def now(self) -> Message:
        """The message as it stands now. Raises LookupError when it is gone."""
        found = self.room.wire.simulated.message(int(self.room.id), int(self.id))
        if found is None:
            raise LookupError(f"message {self.id} is gone")
        return Message(self.room, found)

    @property
    def thread(self) -> Room | None:
        """The thread that was opened from it: it has the message's id."""
        found = int(self.id) in self.room.wire.simulated.threads_in(int(self.room.id))
        return Room(self.room.wire, self.room.group, self.id) if found else None

    def delete(self) -> None:
        self.room.wire.simulated.delete_message(int(self.room.id), int(self.id))


@dataclass(frozen=True)
class Room:
    """A text channel or a thread."""

    wire: Wire
    group: Group
    id: str

    def messages(self) -> list[Message]:
        """All of them, oldest first; Discord's own too."""
        found = self.wire.simulated.messages(int(self.id))
        return [Message(self, payload) for payload in found]

    def posts(self) -> list[Message]:
        """What the bot itself posted, oldest first."""
        bot = self.wire.simulated.bot["id"]
        return [
            each
            for each in self.messages()
            if each.payload["author"]["id"] == bot and not each.is_system
        ]

    def threads(self) -> list[Room]:
        found = self.wire.simulated.threads_in(int(self.id))
        return [Room(self.wire, self.group, str(each)) for each in found]

    def forbid(self, *permissions: str) -> None:
        """Take permissions from the bot here; without names, give all of them back."""
        self.wire.simulated.forbid(int(self.id), *permissions)

    def archive(self, *, locked: bool = False) -> None:
        self.wire.simulated.archive(int(self.id), locked=locked)

    def delete(self) -> None:
        self.wire.simulated.delete_room(int(self.id))


@dataclass(frozen=True)
class Member:
    group: Group
    id: str
    name: str

    async def press(self, message: Message, label: str, **options: Any) -> Reply:
        """Press the button with this label, on a message as it stood when it was looked at."""
        return await self.press_id(message, message.buttons[label], **options)

    async def press_id(self, message: Message, custom_id: str, **options: Any) -> Reply:
        """Send a press with any custom id, as a tampered client could."""
        data = {"custom_id": custom_id, "component_type": _BUTTON}
        return await self._ask(_COMPONENT, message.room, data, message=message.payload, **options)

    async def press_reply(self, reply: Reply, label: str, **options: Any) -> Reply:
        """Press a button on a private reply."""
        assert reply.message is not None
        return await self.press(Message(self.group.room, reply.message), label, **options)

    async def choose(self, reply: Reply, *letters: str) -> Reply:
        """Choose the options with these letters from the menu on a private reply."""
        assert reply.message is not None
        menu = menu_of(reply.message)
        values = {each["label"].partition(".")[0]: each["value"] for each in menu["options"]}
        chosen = [values[letter] for letter in letters]
        if not menu["min_values"] <= len(chosen) <= menu["max_values"]:
            raise LookupError(f"the menu takes {menu['min_values']} to {menu['max_values']}")
        return await self.choose_values(reply, *chosen)

    async def choose_values(self, reply: Reply, *values: str) -> Reply:
        """Send any values as a choice from that menu, as a tampered client could."""
        assert reply.message is not None
        custom_id = menu_of(reply.message)["custom_id"]
        data = {"custom_id": custom_id, "component_type": _MENU, "values": list(values)}
        return await self._ask(_COMPONENT, self.group.room, data, message=reply.message)

    async def slash(self, name: str, room: Room | None = None, /, **values: Any) -> Reply:
        """Use a command, such as `slash("schedule add", deck=…)`; `open_for` stands for open-for.

        A Room or a Role may be a value. Raises LookupError for what a client would not let through.
        """
        room = room or self.group.room
        command = self.group.wire.simulated.command(name.split()[0], _SLASH)
        options, resolved = self._options(_leaf(command, name), values)
        data = _command_data(command, name, options)
        if resolved:
            data["resolved"] = resolved
        return await self._ask(_COMMAND, room, data)

    async def complete(self, name: str, option: str, typed: str, /, **values: Any) -> Reply:
        """Type into an option that offers choices; they are in the reply."""
        command = self.group.wire.simulated.command(name.split()[0], _SLASH)
        leaf = _leaf(command, name)
        options, _ = self._options(leaf, values, whole=False)
        kind = _declared(leaf)[option]["type"]
        options.append({"name": option, "type": kind, "value": typed, "focused": True})
        return await self._ask(
            _AUTOCOMPLETE, self.group.room, _command_data(command, name, options)
        )

    async def use_on(self, name: str, message: Message) -> Reply:
        """Use a command of a message's menu."""
        command = self.group.wire.simulated.command(name, _ON_MESSAGE)
        data = {
            "id": command["id"],
            "name": name,
            "type": _ON_MESSAGE,
            "target_id": message.id,
            "resolved": {"messages": {message.id: message.payload}},
        }
        return await self._ask(_COMMAND, message.room, data)

    def say(self, text: str, room: Room | None = None) -> None:
        room = room or self.group.room
        self.group.wire.simulated.say(int(room.id), int(self.id), text)

    def leave(self) -> None:
        self.group.wire.simulated.remove_member(int(self.group.id), int(self.id))

    def direct_messages(self) -> list[Message]:
        """What the bot wrote to this member alone."""
        room = self.group.wire.simulated.direct_room(int(self.id))
        return [] if room is None else Room(self.group.wire, self.group, str(room)).messages()

    async def _ask(self, kind: int, room: Room, data: Payload, **more: Any) -> Reply:
        where = (int(self.group.id), int(room.id), int(self.id))
        return await self.group.wire.replies.ask(kind, where, data, **more)

    def _options(
        self, leaf: Payload, values: dict[str, Any], *, whole: bool = True
    ) -> tuple[list[Payload], Payload]:
        declared = _declared(leaf)
        named = {
            name.replace("_", "-") if name not in declared else name: value
            for name, value in values.items()
        }
        if unknown := named.keys() - declared.keys():
            raise LookupError(f"{leaf['name']} has no option {', '.join(sorted(unknown))}")
        missing = [name for name, each in declared.items() if each.get("required")]
        if whole and (absent := set(missing) - named.keys()):
            raise LookupError(f"{leaf['name']} asks for {', '.join(sorted(absent))}")
        options, resolved = [], {}
        for name, value in named.items():
            if isinstance(value, Room | Role):
                kind = "channels" if isinstance(value, Room) else "roles"
                entity = self.group.wire.simulated.resolved(
                    int(self.group.id), int(self.id), kind, int(value.id)
                )
                resolved.setdefault(kind, {})[value.id] = entity
                value = value.id
            options.append({"name": name, "type": declared[name]["type"], "value": value})
        return options, resolved


def _leaf(command: Payload, name: str) -> Payload:
    """The command itself, or the subcommand that the rest of the name leads to."""
    for part in name.split()[1:]:
        command = _declared(command)[part]
    return command


def _declared(command: Payload) -> dict[str, Payload]:
    return {option["name"]: option for option in command.get("options") or []}


def _command_data(command: Payload, name: str, options: list[Payload]) -> Payload:
    nodes = [command]
    for part in name.split()[1:]:
        nodes.append(_declared(nodes[-1])[part])
    for node in reversed(nodes[1:]):
        options = [{"name": node["name"], "type": node["type"], "options": options}]
    return {"id": command["id"], "name": command["name"], "type": _SLASH, "options": options}


class Group:
    """A server: Ada manages it, somebody else owns it, and its first channel is `room`."""

    def __init__(
        self, wire: Wire, name: str, members: list[str], rooms: list[str], permissions: int
    ) -> None:
        self.wire = wire
        self.name = name
        simulated = wire.simulated
        number, owner = simulated.add_group(name, permissions)
        self.id = str(number)
        self.rooms = {each: self.add_room(each, announce=False) for each in rooms}
        self.room = self.rooms[rooms[0]]
        self.owner = Member(self, str(owner), f"{name} owner")
        self._members: dict[str, Member] = {}
        with simulated.silence():
            manages = simulated.add_role(number, "Admin", 1 << 5)
            self.manager = self.join("ada", [manages])
            for each in members:
                self.join(each)
        simulated.announce(number)

    @property
    def members(self) -> list[Member]:
        """All but the owner and the manager."""
        return [each for each in self._members.values() if each is not self.manager]

    def member(self, name: str) -> Member:
        return self._members[name]

    def join(self, name: str, roles: list[int] | None = None) -> Member:
        """Somebody new joins."""
        user = self.wire.simulated.add_user(name)
        self.wire.simulated.add_member(int(self.id), user, roles or [])
        member = self._members[name] = Member(self, str(user), name)
        return member

    def add_room(self, name: str, *, announce: bool = True) -> Room:
        room = self.wire.simulated.add_room(int(self.id), name, announce=announce)
        return Room(self.wire, self, str(room))

    def add_role(self, name: str) -> Role:
        """A role that the tests have the bot ping: naming it breaks no limit."""
        role = Role(str(self.wire.simulated.add_role(int(self.id), name)), name)
        self.wire.server.pingable.add(role.id)
        return role

    def delete_role(self, role: Role) -> None:
        self.wire.simulated.delete_role(int(self.id), int(role.id))

    def set_system_room(self, room: Room | None) -> None:
        self.wire.simulated.set_system_room(int(self.id), int(room.id) if room else None)

    def remove_bot(self) -> None:
        self.wire.simulated.take_out_bot(int(self.id))

    def add_bot(self) -> None:
        self.wire.simulated.take_in_bot(int(self.id))
