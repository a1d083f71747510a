"""The loopback Discord keeps its promises, and on it a real bot process the basic ones."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.due import schedule_due
from tests.wire import (
    Closed,
    Group,
    Held,
    Late,
    Ledger,
    Message,
    Refuse,
    Truncated,
    Wire,
    kill_after,
    kill_before,
)
from tests.wire.limits import breaches
from tests.wire.openapi import document
from tests.wire.rates import Rates
from tests.wire.record import Request

NO_PINGS = {"parse": []}


class Client:
    """Sends requests as a bot would."""

    def __init__(self, wire: Wire, http: aiohttp.ClientSession) -> None:
        self.wire = wire
        self.http = http
        self.token = wire.token("client")

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        headers = {"Authorization": f"Bot {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body)
        async with self.http.request(
            method, self.wire.base + path, headers=headers, data=data
        ) as answer:
            return answer.status, await answer.json() if answer.status != 204 else None

    async def post(self, group: Group, text: str, **more: Any) -> tuple[int, Any]:
        body = {"content": text, "allowed_mentions": NO_PINGS, **more}
        return await self.ask("POST", f"/channels/{group.room.id}/messages", body)


@asynccontextmanager
async def wire_and_client() -> AsyncIterator[tuple[Wire, Client, Group]]:
    async with Wire() as wire, aiohttp.ClientSession() as http:
        yield wire, Client(wire, http), wire.group()


@pytest.fixture
async def here() -> AsyncIterator[tuple[Wire, Client, Group]]:
    async with wire_and_client() as all_of_it:
        yield all_of_it


Here = tuple[Wire, Client, Group]


# What it does as Discord does


async def test_an_enforced_nonce_returns_the_earlier_message(here: Here) -> None:
    _, client, group = here
    _, first = await client.post(group, "once", nonce="n-1", enforce_nonce=True)
    _, again = await client.post(group, "again", nonce="n-1", enforce_nonce=True)
    _, other = await client.post(group, "other", nonce="n-1")
    assert again["id"] == first["id"]
    assert [message.text for message in group.room.messages()] == ["once", "other"]
    assert other["id"] != first["id"]


async def test_a_message_has_one_thread_and_it_has_the_messages_id() -> None:
    async with Wire() as wire, aiohttp.ClientSession() as http:
        client, group = Client(wire, http), wire.group(permissions=(1 << 50) - 1)
        _, message = await client.post(group, "text")
        path = f"/channels/{group.room.id}/messages/{message['id']}/threads"
        _, thread = await client.ask("POST", path, {"name": "talk"})
        status, refusal = await client.ask("POST", path, {"name": "talk"})
        assert thread["id"] == message["id"]
        assert (status, refusal["code"]) == (400, 160004)
        (posted,) = group.room.messages()
        assert posted.thread is not None
        posted.thread.archive()
        body = {"content": "hello", "allowed_mentions": NO_PINGS}
        assert (await client.ask("POST", f"/channels/{thread['id']}/messages", body))[0] == 200


async def test_a_pin_is_announced_once() -> None:
    async with Wire() as wire, aiohttp.ClientSession() as http:
        client, group = Client(wire, http), wire.group(permissions=(1 << 50) - 1)
        _, message = await client.post(group, "text")
        path = f"/channels/{group.room.id}/messages/pins/{message['id']}"
        assert (await client.ask("PUT", path))[0] == 204
        assert (await client.ask("PUT", path))[0] == 204
        pinned, announcement = group.room.messages()
        assert pinned.pinned
        assert announcement.payload["type"] == 6
        assert group.room.posts() == [pinned]


async def test_history_after_a_message_begins_with_what_followed_it(here: Here) -> None:
    wire, client, group = here
    wire.rates.routes.clear()
    first, *others = [(await client.post(group, str(n)))[1]["id"] for n in range(5)]
    path = f"/channels/{group.room.id}/messages?after={first}&limit=2"
    _, found = await client.ask("GET", path)
    assert [each["id"] for each in found] == [others[1], others[0]]


async def test_a_server_without_the_bot_refuses_it_until_it_is_added_again(here: Here) -> None:
    _, client, group = here
    group.remove_bot()
    status, refusal = await client.post(group, "anybody there?")
    assert (status, refusal["code"]) == (403, 50001)
    group.add_bot()
    assert (await client.post(group, "back"))[0] == 200


async def test_what_is_gone_or_forbidden_has_discords_codes(here: Here) -> None:
    _, client, group = here
    _, message = await client.post(group, "text")
    group.room.forbid("send_messages")
    assert (await client.post(group, "text"))[1]["code"] == 50013
    group.room.forbid()
    group.room.messages()[0].delete()
    edit = {"content": "other", "allowed_mentions": NO_PINGS}
    path = f"/channels/{group.room.id}/messages/{message['id']}"
    assert (await client.ask("PATCH", path, edit))[1]["code"] == 10008
    group.room.delete()
    assert (await client.post(group, "text"))[1]["code"] == 10003


async def test_a_token_that_nobody_gave_out_is_refused(here: Here) -> None:
    _, client, group = here
    client.token = "guessed"
    assert (await client.post(group, "text"))[0] == 401


async def test_an_acknowledgement_after_three_seconds_finds_no_interaction(here: Here) -> None:
    wire, client, group = here
    _, posted = await client.post(group, "text")
    pressing = asyncio.create_task(
        group.manager.press_id(Message(group.room, posted), "anything", patience=0.1)
    )
    await asyncio.sleep(0)
    (number,) = wire.replies.waiting
    token = wire.simulated.token_of(number)
    reply = await pressing
    path = f"/interactions/{number}/{token}/callback"
    status, refusal = await client.ask("POST", path, {"type": 5})
    assert (status, refusal["code"]) == (404, 10062)
    assert reply.seconds == float("inf")
    assert reply.refused == [10062]


# Rate limits


def test_the_sixth_message_in_five_seconds_waits_for_the_window() -> None:
    rates = Rates()
    path = "/channels/1/messages"
    taken = [rates.take("bot", "POST", path, at) for at in (0.0, 1.0, 2.0, 3.0, 4.0)]
    assert [wait for wait, _ in taken] == [None] * 5
    assert [headers["X-RateLimit-Remaining"] for _, headers in taken] == ["4", "3", "2", "1", "0"]
    wait, headers = rates.take("bot", "POST", path, 4.5)
    assert wait == (0.5, False)
    assert headers["X-RateLimit-Reset-After"] == "0.500"
    assert rates.take("bot", "POST", "/channels/2/messages", 4.5)[0] is None
    assert rates.take("bot", "POST", path, 5.0)[0] is None


def test_the_fifty_first_request_in_a_second_waits_but_no_interaction_does() -> None:
    rates = Rates(routes=[])
    for request in range(50):
        assert rates.take("bot", "GET", "/users/@me", request / 100)[0] is None
    wait, headers = rates.take("bot", "GET", "/users/@me", 0.75)
    assert wait == (0.25, True)
    assert headers["X-RateLimit-Global"] == "true"
    assert rates.take("bot", "POST", "/interactions/1/t/callback", 0.75)[0] is None
    assert rates.take("bot", "PATCH", "/webhooks/1/t/messages/@original", 0.75)[0] is None
    assert rates.take("another bot", "GET", "/users/@me", 0.75)[0] is None
    assert rates.take("bot", "GET", "/users/@me", 1.0)[0] is None


# Faults


async def test_a_request_that_breaks_off_was_done_all_the_same(here: Here) -> None:
    wire, client, group = here
    wire.fault("POST", "/channels/*/messages", Truncated(), nth=2)
    await client.post(group, "first")
    with pytest.raises(aiohttp.ClientPayloadError):
        await client.post(group, "second")
    wire.fault("POST", "/channels/*/messages", Closed(applied=True))
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await client.post(group, "third")
    wire.fault("POST", "/channels/*/messages", Closed())
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await client.post(group, "never")
    assert [message.text for message in group.room.messages()] == ["first", "second", "third"]


async def test_a_fault_is_met_by_its_own_request_as_often_as_it_says(here: Here) -> None:
    wire, client, group = here
    wire.rates.routes.clear()
    fault = wire.fault("POST", "/channels/*/messages", Refuse(403, 50013), nth=2, times=2)
    status = [(await client.post(group, str(n)))[0] for n in range(4)]
    assert status == [200, 403, 403, 200]
    assert [request.body["content"] for request in fault.met] == ["1", "2"]
    assert [request.applied for request in wire.asked("POST", "/channels/*/messages")] == [
        True,
        False,
        False,
        True,
    ]


async def test_a_request_that_is_held_is_done_when_it_is_let_go(here: Here) -> None:
    wire, client, group = here
    gate = asyncio.Event()
    fault = wire.fault("POST", "/channels/*/messages", Held(gate))
    asking = asyncio.create_task(client.post(group, "text"))
    await wire.until(lambda: fault.met, "the request")
    assert group.room.messages() == []
    gate.set()
    assert (await asking)[0] == 200


# What Discord would refuse


def message_request(**body: Any) -> Request:
    whole = {"allowed_mentions": NO_PINGS, **body}
    return Request(0.0, "POST", "/channels/1/messages", {}, whole, [], "bot", "application/json")


def command_request(**command: Any) -> Request:
    whole = [{"name": "drop", "description": "One question", **command}]
    return Request(0.0, "PUT", "/applications/1/commands", {}, whole, [], "bot")


def choices_request(*names: str) -> Request:
    data = {"choices": [{"name": name, "value": name} for name in names]}
    path = "/interactions/1/token/callback"
    return Request(0.0, "POST", path, {}, {"type": 8, "data": data}, [], None)


def button(number: int, **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "A", "custom_id": f"id-{number}", **more}


def menu(count: int, label: str = "A", **more: Any) -> dict[str, Any]:
    options = [{"label": label, "value": str(place)} for place in range(count)]
    return {"type": 3, "custom_id": "menu", "max_values": 2, "options": options, **more}


def row(*buttons: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(buttons)}


@pytest.mark.parametrize(
    ("request_", "breach"),
    [
        (message_request(content="x" * 2001), "content of 2001 characters"),
        (message_request(content="🎓" * 1001), "content of 2002 characters"),
        (message_request(content="x", nonce="x" * 26), "a nonce of 26 characters"),
        (message_request(embeds=[{"description": "x" * 6001}]), "embeds of 6001 characters"),
        (
            message_request(components=[{"type": 10, "content": "x" * 2001}] * 2),
            "texts of 4002 characters in all",
        ),
        (
            message_request(
                components=[{"type": 17, "components": [{"type": 10, "content": "🎓" * 2001}]}]
            ),
            "texts of 4002 characters in all",
        ),
        (message_request(components=[row(button(1), button(1))]), "the custom id 'id-1' 2 times"),
        (
            message_request(components=[row(button(1, custom_id="x" * 101))]),
            "a custom id of 101 characters",
        ),
        (message_request(components=[row(button(1, label="x" * 81))]), "a label of 81 characters"),
        (message_request(components=[row(*map(button, range(6)))]), "6 buttons in a row"),
        (message_request(components=[{"type": 14}] * 41), "41 components"),
        (message_request(components=[row(menu(26))]), "a menu with 26 options"),
        (message_request(components=[row(menu(0))]), "a menu with 0 options"),
        (message_request(components=[row(menu(2, max_values=3))]), "2 options to choose 3 from"),
        (message_request(components=[row(menu(3, min_values=3))]), "3 options to choose 2 from"),
        (message_request(components=[row(menu(2, "x" * 101))]), "an option of 101 characters"),
        (message_request(components=[row(menu(2, ""))]), "an option of 0 characters in a menu"),
        (message_request(components=[row(menu(2), menu(2))]), "a menu with something beside it"),
        (
            message_request(components=[row(menu(2, placeholder="x" * 151))]),
            "a placeholder of 151 characters",
        ),
        (
            message_request(components=[row({**menu(2), "options": menu(1)["options"] * 2})]),
            "the value '0' 2 times",
        ),
        (message_request(content="x", allowed_mentions=None), "no allowed_mentions"),
        (
            message_request(content="x", allowed_mentions={"parse": ["everyone"]}),
            "allowed_mentions parses everyone",
        ),
        (
            message_request(content="x", allowed_mentions={"parse": [], "roles": ["7", "8"]}),
            "allowed_mentions names the roles 8",
        ),
        (
            message_request(content="x", allowed_mentions={"parse": [], "users": ["9"]}),
            "allowed_mentions names users",
        ),
        (choices_request(*map(str, range(26))), "26 choices"),
        (choices_request(""), "a choice's name of 0 characters"),
        (choices_request("x" * 101), "a choice's name of 101 characters"),
        (command_request(name="Drop"), "the name 'Drop'"),
        (command_request(name="drop now"), "the name 'drop now'"),
        (command_request(description=""), "a description of 0 characters"),
        (command_request(description="x" * 101), "a description of 101 characters"),
        (
            command_request(
                options=[
                    {"type": 3, "name": "days", "description": "Days"},
                    {"type": 3, "name": "deck", "description": "Deck", "required": True},
                ]
            ),
            "a required option after an optional one in drop",
        ),
        (
            Request(
                0.0, "GET", "/users/@me", {}, None, [], "bot", "application/json; charset=utf-8"
            ),
            "its content type is 'application/json; charset=utf-8'",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_discord_would_refuse_is_named(request_: Request, breach: str) -> None:
    found = breaches(request_, lambda _: True, frozenset({"7"}))
    assert any(breach in each for each in found), found


def gallery(*names: str) -> list[dict[str, Any]]:
    items = [{"media": {"url": f"attachment://{name}"}} for name in names]
    return [{"type": 17, "components": [{"type": 12, "items": items}]}]


def test_a_view_names_only_files_that_its_request_lists() -> None:
    both = message_request(
        components=gallery("new.png", "kept.png"),
        attachments=[{"id": 0, "filename": "new.png"}, {"id": "77", "filename": "kept.png"}],
    )
    both.files.append(("new.png", b"bytes"))
    assert breaches(both, lambda _: True, frozenset()) == []
    # Without a list, or by its id alone, Discord does not find the file.
    for listed in ({}, {"attachments": [{"id": "77"}]}):
        edit = message_request(components=gallery("kept.png"), **listed)
        assert breaches(edit, lambda _: True, frozenset()) == [
            "attachment://kept.png, which its request does not list"
        ]
    both.body["attachments"][0]["filename"] = "other.png"
    assert breaches(both, lambda _: True, frozenset()) == [
        "attachment://new.png, which its request does not list",
        "the file new.png, which its body does not list",
    ]


def test_files_and_embeds_ask_for_their_permissions() -> None:
    request = message_request(embeds=[{"title": "x"}], attachments=[{"id": 0, "filename": "a.png"}])
    request.files.append(("a.png", b"bytes"))
    assert breaches(request, lambda _: True, frozenset()) == []
    assert breaches(request, lambda name: name != "attach_files", frozenset()) == [
        "files without the permission attach_files"
    ]
    assert breaches(request, lambda name: name != "embed_links", frozenset()) == [
        "embeds without the permission embed_links"
    ]


async def test_a_test_that_breaks_a_limit_fails() -> None:
    with pytest.raises(AssertionError, match="content of 2001 characters"):
        async with wire_and_client() as (_, client, group):
            await client.post(group, "x" * 2001)
    async with wire_and_client() as (wire, client, group):
        wire.expect_violation("content of 2001 characters|POST /channels/.*: content: ")
        await client.post(group, "x" * 2001)


@pytest.mark.skipif(document() is None, reason="Discord's OpenAPI document is not here")
async def test_discords_own_document_catches_a_bad_body() -> None:
    async with wire_and_client() as (wire, client, group):
        await client.post(group, "fine")
        assert wire.violations == []
        await client.post(group, "bad", tts="yes")
        await client.ask("POST", "/channels/1/nonsense", {})
        found = wire.violations
        wire.expect_violation("")
    assert any("tts: 'yes' is not of type" in each for each in found), found
    assert any("Discord has no route POST /channels/1/nonsense" in each for each in found), found


@pytest.mark.skipif(document() is None, reason="Discord's OpenAPI document is not here")
def test_a_document_says_which_part_of_a_component_is_wrong() -> None:
    rules = document()
    assert rules is not None
    body = {"flags": 1 << 15, "components": [row(button(1, style="red"))]}
    found = rules.breaches("POST", "/channels/1/messages", body)
    assert "components/0/components/0/style: 'red' is not of type 'integer'" in found
    assert all(each.startswith("components/0/components/0/style: ") for each in found)


# A real process


async def test_an_answer_is_on_disk_before_its_reply_and_the_next_process_takes_old_buttons(
    database: Path,
) -> None:
    async with Wire() as wire:
        group = wire.group(members=["ben", "cleo"])
        ben, cleo = group.members
        schedule_due(database, [group])
        async with wire.bot(database) as bot:
            (post,) = await wire.until(group.room.posts, "the post")
            reply = await ben.press(post, "A")
            assert reply.private
            assert "you chose A" in reply.text
            # The kill comes when the reply has reached Discord, which does not take it any more.
            wire.fault("POST", "/interactions/*/*/callback", kill_before(bot))
            pressing = asyncio.create_task(cleo.press(post, "B"))
            await wire.until(lambda: not bot.alive, "the kill")
            pressing.cancel()
        assert [row["member"] for row in Ledger(database).answers()] == [ben.id, cleo.id]
        async with wire.bot(database) as bot:
            for member, letter in ((ben, "A"), (cleo, "B")):
                again = await member.press(post, "C")
                assert "Your first answer stands" in again.text
                assert f"you chose {letter}" in again.text
            await asyncio.sleep(2.5)  # its clock starts two seconds after it is ready
            assert [each.id for each in group.room.posts()] == [post.id]
            assert await bot.stop() == 0
    assert len(Ledger(database).answers()) == 2


async def test_a_dropped_websocket_resumes_with_what_it_missed_and_no_tick_is_doubled(
    database: Path,
) -> None:
    async with Wire() as wire:
        group = wire.group(members=["ben"])
        schedule_due(database, [group])
        async with wire.bot(database) as bot:
            (post,) = await wire.until(group.room.posts, "the post")
            session = wire.gateway.session_of(bot.name)
            assert session is not None
            await wire.gateway.drop(bot.name)
            reply = await group.member("ben").press(post, "A")  # there is no socket now
            assert reply.arrived
            assert session.resumed == 1
            await wire.gateway.ask_to_reconnect(bot.name)
            await wire.until(lambda: session.resumed == 2, "the second RESUME")
            await wire.gateway.invalidate(bot.name)
            await wire.until(lambda: len(wire.gateway.identities) == 2, "the second IDENTIFY")
            await asyncio.sleep(2.5)  # it says ready again, and its clock must not start again
            assert len(group.room.posts()) == 1
            assert bot.errors == []
        assert len(wire.asked("POST", "/channels/*/messages")) == 1


async def test_a_process_waits_out_429_and_500_and_posts_once(database: Path) -> None:
    async with Wire() as wire:
        group = wire.group()
        schedule_due(database, [group])
        wire.fault("POST", "/channels/*/messages", Refuse(429, retry_after=0.3))
        wire.fault("POST", "/channels/*/messages", Refuse(502), nth=2)
        wire.fault("POST", "/channels/*/messages", Late(4.0), nth=3)
        async with wire.bot(database):
            await wire.until(
                lambda: [each for each in Ledger(database).drops() if each["message"]],
                "the message in the database",
            )
        asked = wire.asked("POST", "/channels/*/messages")
        assert [each.status for each in asked] == [429, 502, 200]
        assert asked[1].at - asked[0].at >= 0.3
        (post,) = group.room.posts()
        assert [each["message"] for each in Ledger(database).drops()] == [post.id]


async def test_sigkill_comes_before_or_after_a_request_is_done(database: Path) -> None:
    async with Wire() as wire:
        group, other = wire.group(), wire.group()
        schedule_due(database, [group])
        bot = wire.bot(database)
        fault = wire.fault("POST", "/channels/*/messages", kill_before(bot))
        await bot.start()
        await wire.until(lambda: not bot.alive, "the kill")
        assert len(fault.met) == 1
        assert group.room.posts() == []
        assert [drop["state"] for drop in Ledger(database).drops()] == ["claimed"]
        schedule_due(database, [other])
        bot = wire.bot(database)
        wire.fault("POST", f"/channels/{other.room.id}/messages", kill_after(bot))
        await bot.start()
        await wire.until(lambda: not bot.alive, "the kill")
        assert len(other.room.posts()) == 1
        assert Ledger(database).drops()[1]["message"] is None


async def test_commands_and_choices_come_through_the_wire(database: Path) -> None:
    async with Wire() as wire:
        group = wire.group(members=["ben"])
        async with wire.bot(database) as bot:
            offered = await group.manager.complete("schedule add", "deck", "nca")
            assert [each["value"] for each in offered.choices or []] == ["nca-aiio"]
            with pytest.raises(LookupError, match="asks for channel, times"):
                await group.manager.slash("schedule add", deck="nca-aiio")
            added = await group.manager.slash(
                "schedule add", deck="nca-aiio", channel=group.room, times="08:00", zone="UTC"
            )
            assert "08:00" in added.text
            refused = await group.member("ben").slash("drop now", deck="nca-aiio")
            assert "may manage this server" in refused.text
            dropped = await group.manager.slash("drop now", deck="nca-aiio", open_for=60)
            assert dropped.private
            (post,) = group.room.posts()
            looked_up = await group.member("ben").use_on("Explain", post)
            assert looked_up.arrived
            assert bot.errors == []


async def test_leaving_the_wire_leaves_no_process_behind(database: Path) -> None:
    async with Wire() as wire:
        bot = wire.bot(database)
        await bot.start()
        pid = bot.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
