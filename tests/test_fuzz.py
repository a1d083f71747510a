"""Rule 8 for everything that can be typed or pressed: one reply, a sentence, and no error.

The commands are read from the bot itself, so that a new option is tried from its first day. Frames
hold what Discord's app would never send, too: other programs speak to Discord as well.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from discord import AppCommandOptionType, app_commands, ui
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.tutor import Tutor
from bot import ids
from bot.commands import COMMANDS
from bot.replies import SORRY
from tests.samples import GROUP, NOW, ROOM, drop_by_hand, make_deck
from tests.wired import ROLE, Wired, interaction, message_with, wired_with_a_drop
from tests.world import ErrorLog, text_of

OWN = "Tourmaline"  # stands in all texts of a deck that another group owns
MANAGE_SERVER = 0x20
ALLOWED = 104324673
# What the bot says when it has stored something; for every other sentence nothing may be stored.
CHANGES = re.compile(
    r"### Schedule \d+ is set|^Schedule \d+ is (paused|removed)\."
    r"|^Question \d+ (stands in <#|is taken back\.)"
    r"|^Thank you\. Your report|^(Retired|Restored|Settled): "
)

REPORT = re.compile(f"{ids.REPORT_DROP}|{ids.REPORT_QUESTION}")

TYPED = st.one_of(
    st.text(st.characters(), max_size=60),  # lone surrogates among them
    st.sampled_from(
        [
            "sample",
            "hidden",
            "10:00",
            "8, 9",
            "Mon, Thu",
            "every day",
            "UTC",
            "Europe/Berlin",
            "kettle",
            "now",
        ]
    ),
    st.sampled_from(
        [
            "sample/kettle",
            "sample/none",
            "hidden/gem",
            "gem",
            "half \ud83d",
            "drop:1",
            "drop:4",
            "drop:999999999999999999",
            "drop:²",
        ]
    ),
    st.sampled_from(["x" * 6000, "@everyone <@1> **b**", "\u202eyek", "\0", " ", "", "'; --", '"*'])
    | st.text(st.characters(), min_size=900, max_size=1000).map(lambda text: text * 6),
)
NUMBERS = st.integers(-5, 2000) | st.integers() | st.sampled_from([2**53, 2**63, -(2**64), 10**30])
SNOWFLAKES = st.sampled_from([ROOM, ROLE, GROUP, "1", "4999", str(2**63), str(2**70)])
VALUES = {
    AppCommandOptionType.string: TYPED,
    AppCommandOptionType.integer: NUMBERS,
    AppCommandOptionType.boolean: st.booleans(),
    AppCommandOptionType.channel: SNOWFLAKES,
    AppCommandOptionType.role: SNOWFLAKES,
    AppCommandOptionType.user: SNOWFLAKES,
    AppCommandOptionType.attachment: SNOWFLAKES,
}
DIGITS = st.sampled_from(
    ["0", "1", "2", "3", "4", "7", "8", "99", "999999999999999999", "1" * 30, "-1", "１", "²"]
)


class Call(NamedTuple):
    """A command with the options that came with it, and what Discord resolved them to."""

    names: tuple[str, ...]
    options: tuple[dict[str, Any], ...]
    resolved: bool
    manages: bool

    def frame(self, member: int, focused: str | None = None) -> str:
        options = [{**option, "focused": option["name"] == focused} for option in self.options]
        first, *rest = self.names
        for name in reversed(rest):
            options = [{"type": 1, "name": name, "options": options}]
        data = {"id": "1", "type": 1, "name": first, "options": options, "resolved": {}}
        if self.resolved:
            data["resolved"] = _resolved(self.options)
        permissions = ALLOWED | MANAGE_SERVER * self.manages
        return interaction(4 if focused else 2, data, member, permissions=permissions)


def _resolved(options: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """Channels, roles and users for every id, whether the server has them or not."""
    found: dict[str, Any] = {"channels": {}, "roles": {}, "users": {}, "attachments": {}}
    for option in options:
        name = str(option["value"])
        thing = {"id": name, "name": "@everyone <@1>", "permissions": "0", "position": 1}
        if option["type"] == AppCommandOptionType.channel.value:
            found["channels"][name] = {**thing, "type": 0}
        if option["type"] == AppCommandOptionType.role.value:
            found["roles"][name] = {**thing, "color": 0, "hoist": False, "mentionable": True}
        if option["type"] == AppCommandOptionType.attachment.value:
            # There is no such file: Discord says so when the bot asks for it.
            url = f"https://cdn.discordapp.com/attachments/1/{name}/tea.gift"
            size = 2**20 * (len(name) % 12)
            about = {"filename": "tea.gift", "size": size, "url": url, "proxy_url": url}
            found["attachments"][name] = {"id": name, **about}
        if option["type"] == AppCommandOptionType.user.value:
            found["users"][name] = {
                "id": name,
                "username": "x",
                "discriminator": "0",
                "avatar": None,
            }
    return found


def commands() -> Iterator[app_commands.Command[Any, ..., None]]:
    for command in COMMANDS:
        if isinstance(command, app_commands.Group):
            yield from (c for c in command.walk_commands() if isinstance(c, app_commands.Command))
        elif isinstance(command, app_commands.Command):
            yield command


def known_names(command: app_commands.Command[Any, ..., None]) -> st.SearchStrategy[Any]:
    """The command's own name, or now and then one that an older version had."""
    *group, name = command.qualified_name.split()
    return st.sampled_from([(*group, name)] * 9 + [(*group, "gone")])


@st.composite
def calls(draw: st.DrawFn) -> Call:
    command = draw(st.sampled_from(sorted(commands(), key=lambda each: each.qualified_name)))
    options = [
        {"name": each.display_name, "type": each.type.value, "value": draw(VALUES[each.type])}
        for each in command.parameters
        # An app that knows an older command may leave out what is needed now.
        if draw(st.integers(0, 9)) < (9 if each.required else 5)
    ]
    names = draw(known_names(command))
    return Call(names, tuple(options), draw(st.integers(0, 9)) > 0, draw(st.integers(0, 9)) > 1)


@st.composite
def offers(draw: st.DrawFn) -> tuple[Call, str]:
    """A command and the option that is being typed."""
    offering = [
        (command, each.display_name)
        for command in commands()
        for each in command.parameters
        if each.autocomplete
    ]
    command, focused = draw(st.sampled_from(sorted(offering, key=lambda o: o[0].qualified_name)))
    # Discord sends what is being typed as text, whatever the option's type.
    typed = {"name": focused, "type": 3, "value": draw(TYPED)}
    return Call(draw(known_names(command)), (typed,), True, True), focused


def custom_ids() -> st.SearchStrategy[str]:
    question = st.sampled_from(
        ["sample/kettle", "sample/none", "hidden/gem", "none/none", "/", "a/b/c", "--", "é"]
    )
    ours = st.one_of(
        st.builds("qd:a:{}:{}".format, DIGITS, DIGITS),
        st.builds("qd:f:{}".format, DIGITS),
        st.builds("qd:p:{}:{}".format, DIGITS, DIGITS),
        st.builds("qd:q:{}".format, question),
        st.builds("qd:s:{}".format, question),
        st.builds("qd:t:{}:{}".format, DIGITS, question),
        st.builds("qd:r:{}".format, DIGITS),
        st.builds("qd:w:{}".format, question),
    )
    tail = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    return ours | st.builds("{}{}".format, ours, tail) | tail.filter(bool)


@st.composite
def forms(draw: st.DrawFn) -> tuple[str, list[dict[str, Any]]]:
    """A form that comes back, with a field in a label as we sent it, or another one, or none."""
    name, value = draw(st.sampled_from(["reason"] * 9 + ["other"])), draw(TYPED | st.integers())
    field = {"type": 4, "id": 2, "custom_id": name, "value": value}
    frames = [{"type": 18, "id": 1, "component": field}, {"type": 1, "components": [field]}]
    return draw(custom_ids()), draw(st.lists(st.sampled_from(frames), max_size=2))


class Fuzzed:
    """The bot on a wire with one open drop; what it says to each frame, and what it stores."""

    def __init__(self, wired: Wired, database: Path, errors: ErrorLog) -> None:
        self.wired = wired
        self.errors = errors
        self.reader = sqlite3.connect(database)
        self.members = 10**17

    async def reply_to(self, frame: Callable[[int], str]) -> dict[str, Any]:
        """The one reply to a frame of the next member."""
        self.members += 1
        self.wired.http.requests.clear()
        await self.wired.receive(frame(self.members))
        async with asyncio.timeout(10):
            while not self._replies():
                await asyncio.sleep(0)
        await asyncio.sleep(0.001)
        assert self.errors.take() == []
        (reply,) = self._replies()
        assert OWN not in json.dumps(reply)
        return reply

    def _replies(self) -> list[dict[str, Any]]:
        """Callbacks that say something; an acknowledgement says nothing yet."""
        sent = [
            json.loads(body)
            for _, url, body in self.wired.http.requests
            if "/interactions/" in url or "/webhooks/" in url
        ]
        return [body for body in sent if body.get("type") not in (5, 6)]

    def stored(self) -> str:
        return "\n".join(self.reader.iterdump())


def drops_of_other_groups(tutor: Tutor) -> None:
    """Drop 2 stands in one and takes answers, drop 3 is about to be sent in the next.

    Drop 4 is of a deck that the first of them owns.
    """
    posted = drop_by_hand(tutor, group="5001", now=NOW + timedelta(hours=1))
    tutor.posting.posted(posted.id, "5003", posted.slot)
    drop_by_hand(tutor, group="6001", now=posted.slot)
    (gem,) = make_deck("gem", name="hidden").questions
    gem = gem.model_copy(update={"stem": f"{OWN}?", "short": OWN, "full": OWN})
    deck = make_deck(name="hidden").model_copy(update={"title": OWN, "questions": (gem,)})
    tutor.library.put(deck, "5001")
    own = drop_by_hand(tutor, group="5001", deck="hidden", now=posted.slot)
    tutor.posting.posted(own.id, "5004", own.slot)


Check = Callable[[Fuzzed, Any], Coroutine[Any, Any, None]]


def fuzz(database: Path, errors: ErrorLog, strategy: st.SearchStrategy[Any], check: Check) -> None:
    """Try the examples one after the other on one bot: what one leaves behind meets the next."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()

        async def start() -> Fuzzed:
            wired, client, _ = await stack.enter_async_context(wired_with_a_drop(database))
            await client.core(drops_of_other_groups)
            for command in COMMANDS:
                client.tree.add_command(command)
            return Fuzzed(wired, database, errors)

        fuzzed = runner.run(start())

        @settings(max_examples=800, deadline=None, print_blob=True)
        @given(strategy)
        def each(example: Any) -> None:
            runner.run(check(fuzzed, example))

        try:
            each()
        finally:
            fuzzed.reader.close()
            runner.run(stack.aclose())


def says_something(reply: dict[str, Any]) -> str:
    """The reply's text; a message that Discord would take, and no apology."""
    data = reply.get("data", reply)
    text = text_of(_Shown(data["components"]))
    assert text.strip()
    assert text != SORRY
    assert len(text.encode("utf-16-le", "surrogatepass")) // 2 <= 4000
    assert not any(0xD800 <= ord(char) <= 0xDFFF for char in text)
    assert data["allowed_mentions"]["parse"] == []
    return text


class _Shown(NamedTuple):
    components: list[dict[str, Any]]


async def check_command(fuzzed: Fuzzed, call: Call) -> None:
    before = fuzzed.stored()
    reply = await fuzzed.reply_to(call.frame)
    text = says_something(reply)
    if not CHANGES.match(text):
        assert fuzzed.stored() == before


async def check_offer(fuzzed: Fuzzed, offer: tuple[Call, str]) -> None:
    call, focused = offer
    before = fuzzed.stored()
    reply = await fuzzed.reply_to(lambda member: call.frame(member, focused))
    assert reply["type"] == 8
    choices = reply["data"]["choices"]
    assert len(choices) <= 25
    for choice in choices:
        assert 1 <= len(choice["name"].encode("utf-16-le")) // 2 <= 100
        assert len(str(choice["value"])) <= 100
    assert fuzzed.stored() == before


async def check_button(fuzzed: Fuzzed, custom_id: str) -> None:
    custom_id = custom_id[:100]
    row = ui.ActionRow[ui.LayoutView](ui.Button(label="A", custom_id=custom_id)).to_component_dict()
    before = fuzzed.stored()
    reply = await fuzzed.reply_to(
        lambda member: interaction(
            3,
            {"custom_id": custom_id, "component_type": 2},
            member,
            message=message_with([row]),
        )
    )
    if REPORT.fullmatch(custom_id):
        assert reply["type"] == 9  # a form
        assert reply["data"]["custom_id"] == custom_id
    else:
        says_something(reply)
    if custom_id not in {ids.answer(1, position) for position in range(4)}:
        assert fuzzed.stored() == before


async def check_form(fuzzed: Fuzzed, form: tuple[str, list[dict[str, Any]]]) -> None:
    custom_id, components = form
    before = fuzzed.stored()
    data = {"custom_id": custom_id[:100], "components": components}
    text = says_something(await fuzzed.reply_to(lambda member: interaction(5, data, member)))
    if not CHANGES.match(text):
        assert fuzzed.stored() == before


@pytest.mark.parametrize(
    ("strategy", "check"),
    [
        (calls(), check_command),
        (offers(), check_offer),
        (custom_ids(), check_button),
        (forms(), check_form),
    ],
    ids=["every command", "every list that is offered", "every custom id", "every form"],
)
def test_whatever_is_typed_or_pressed_gets_one_sentence_and_no_error(
    database: Path, error_log: ErrorLog, strategy: st.SearchStrategy[Any], check: Check
) -> None:
    fuzz(database, error_log, strategy, check)
