"""Bursts: many members, many groups, two processes, a kill in the middle. Measured, not judged.

Each scenario runs real processes and returns what it saw; tests/test_bursts.py says what must hold,
and `python -m tests.wire burst` prints the figures.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.due import schedule_due
from tests.wire import Group, Ledger, Member, Message, Refuse, Reply, Request, Wire, kill_after

_CHOSE = re.compile(r"you chose ([A-H])")
_LETTERS = "ABCDEFGH"
# A ready process looks at the clock two seconds later: so long discord.py waits for servers.
_CLOCK_STARTS = 2.5

# What happens, and what came of it.
Row = tuple[str, str]


class Crowd(NamedTuple):
    """Many members press at the same moment while the database is locked."""

    presses: int
    locked_seconds: float
    acknowledged_seconds: float  # the slowest acknowledgement
    deferred: int
    arrived_seconds: float  # the slowest reply
    answers: int
    members: int
    untrue: int  # replies that name another choice than the one on disk
    errors: list[str]

    @property
    def row(self) -> Row:
        return (
            f"{self.presses} members press at once, "
            f"and the database is locked for {self.locked_seconds:.0f} s",
            f"the slowest acknowledgement after {self.acknowledged_seconds:.1f} s, "
            f"the last reply after {self.arrived_seconds:.1f} s; "
            f"{self.answers} answers of {self.members} members",
        )


class Killed(NamedTuple):
    """SIGKILL while many members press; the others press again after the restart."""

    presses: int
    replies: int  # had arrived when the process was killed
    lost: int  # of those, answers that are not on disk
    kept_unseen: int  # answers on disk that nobody had been told of
    answers: int
    members: int
    untrue: int
    errors: list[str]

    @property
    def row(self) -> Row:
        return (
            f"{self.presses} members press at once, and SIGKILL comes in the middle",
            f"{self.replies} had their reply, and {self.lost} of their answers are lost; "
            f"the others press again: {self.answers} answers of {self.members} members",
        )


class Doubled(NamedTuple):
    """Members who press two buttons in the same millisecond."""

    members: int
    answers: int
    disagreeing: int  # members whose two replies name different choices
    untrue: int
    apart_seconds: float  # between the two presses of a member, in the middle

    @property
    def row(self) -> Row:
        return (
            f"{self.members} members press two buttons within {self.apart_seconds * 1000:.1f} ms",
            f"{self.answers} answers; {self.disagreeing} members read two different choices",
        )


class Twins(NamedTuple):
    """Two processes on one database, and groups that are due."""

    groups: int
    posts: list[int]  # in each group
    drops: int
    answers: int
    reply_arrived: bool

    @property
    def row(self) -> Row:
        return (
            f"two processes on one database, and {self.groups} groups due",
            f"{sum(self.posts)} posts, {max(self.posts)} at most in a group",
        )


class Due(NamedTuple):
    """Many groups due at once, under Discord's global limit; two of them are in trouble."""

    groups: int
    posts: list[int]  # in each group that is well
    seconds: float  # from the first request to the last post
    refused: int  # requests that met the limit
    troubled_posts: int
    errors: list[str]

    @property
    def row(self) -> Row:
        return (
            f"{self.groups} groups due at once, at 50 requests a second, and 2 more in trouble",
            f"{sum(self.posts)} posts in {self.seconds:.1f} s, "
            f"{max(self.posts)} at most in a group",
        )


async def crowd(database: Path, presses: int = 500, locked: float = 2.0) -> Crowd:
    async with Wire() as wire:
        group = wire.group(members=presses)
        schedule_due(database, [group])
        async with wire.bot(database) as bot:
            post = await _posted(wire, group)
            replies, _ = await asyncio.gather(
                _all_press(group.members, post), _lock(database, locked)
            )
            errors = bot.errors
    answers = Ledger(database).answers()
    return Crowd(
        presses=presses,
        locked_seconds=locked,
        acknowledged_seconds=max(reply.seconds for reply in replies),
        deferred=sum(reply.deferred for reply in replies),
        arrived_seconds=max(reply.seconds_to_arrive for reply in replies),
        answers=len(answers),
        members=len({row["member"] for row in answers}),
        untrue=_untrue(database, zip(group.members, replies, strict=True)),
        errors=errors,
    )


async def killed(database: Path, presses: int = 500, after: int = 100) -> Killed:
    async with Wire() as wire:
        group = wire.group(members=presses)
        members = group.members
        schedule_due(database, [group])
        async with wire.bot(database) as bot:
            post = await _posted(wire, group)
            # Whether most replies come at once or after a deferral depends on the machine.
            for way in (("POST", "/interactions/*/*/callback"), ("PATCH", "/webhooks/**")):
                wire.fault(*way, kill_after(bot), nth=after, where=_is_no_deferral)
            first = await _all_press(members, post, patience=0.5)
            assert not bot.alive, "the kill did not come"
            wire.faults.clear()
        on_disk = {row["member"] for row in Ledger(database).answers()}
        told = {member.id for member, reply in zip(members, first, strict=True) if reply.arrived}
        untrue = _untrue(database, zip(members, first, strict=True))
        async with wire.bot(database) as bot:
            others = [member for member in members if member.id not in told]
            again = await _all_press(others, post)
            errors = bot.errors
    untrue += _untrue(database, zip(others, again, strict=True))
    answers = Ledger(database).answers()
    return Killed(
        presses=presses,
        replies=len(told),
        lost=len(told - on_disk),
        kept_unseen=len(on_disk - told),
        answers=len(answers),
        members=len({row["member"] for row in answers}),
        untrue=untrue,
        errors=errors,
    )


async def doubled(database: Path, members: int = 20) -> Doubled:
    async with Wire() as wire:
        group = wire.group(members=members)
        schedule_due(database, [group])
        async with wire.bot(database):
            post = await _posted(wire, group)
            pairs = [
                await asyncio.gather(member.press(post, "A"), member.press(post, "B"))
                for member in group.members
            ]
    both = [
        (member, reply) for member, pair in zip(group.members, pairs, strict=True) for reply in pair
    ]
    return Doubled(
        members=members,
        answers=len(Ledger(database).answers()),
        disagreeing=sum(_chosen(one) != _chosen(other) for one, other in pairs),
        untrue=_untrue(database, both),
        apart_seconds=median(abs(one.asked_at - other.asked_at) for one, other in pairs),
    )


async def twins(database: Path, groups: int = 5) -> Twins:
    async with Wire() as wire:
        due = [wire.group(f"Group {number}", members=1) for number in range(groups)]
        schedule_due(database, due)
        one, other = wire.bot(database), wire.bot(database)
        await asyncio.gather(one.start(), other.start())
        await asyncio.gather(one.ready(), other.ready())
        post = await _posted(wire, due[0])
        reply = await due[0].members[0].press(post, "A")
        await asyncio.sleep(_CLOCK_STARTS)
        await asyncio.gather(one.stop(), other.stop())
        return Twins(
            groups=groups,
            posts=[len(group.room.posts()) for group in due],
            drops=len(Ledger(database).drops()),
            answers=len(Ledger(database).answers()),
            reply_arrived=reply.arrived,
        )


async def due(database: Path, groups: int = 200, seconds: float = 30.0) -> Due:
    async with Wire() as wire:
        well = [wire.group(f"Group {number}") for number in range(groups)]
        down, forbidden = wire.group("Down"), wire.group("Forbidden")
        forbidden.room.forbid("send_messages")
        wire.fault("POST", f"/channels/{down.room.id}/messages", Refuse(500), times=None)
        schedule_due(database, [down, forbidden, *well])
        async with wire.bot(database) as bot:
            paths = {f"/channels/{group.room.id}/messages" for group in well}
            posts = await wire.until(lambda: _posts(wire, paths), "the last post", seconds)
            refused = len(wire.rates.refused)
            await asyncio.sleep(1.0)  # whatever is posted twice has had its time
            errors = bot.errors
            await bot.kill()  # it would wait for the group that is down
        return Due(
            groups=groups,
            posts=[len(group.room.posts()) for group in well],
            seconds=max(post.done_at or 0.0 for post in posts) - posts[0].at,
            refused=refused,
            troubled_posts=len(down.room.posts()) + len(forbidden.room.posts()),
            errors=errors,
        )


def _posts(wire: Wire, paths: set[str]) -> list[Request]:
    """The posts that were done, once there is one for each path."""
    done = [each for each in wire.asked("POST", "/channels/*/messages") if each.applied]
    return done if paths <= {each.path for each in done} else []


async def _posted(wire: Wire, group: Group) -> Message:
    posts = await wire.until(group.room.posts, "the post")
    return posts[0]


async def _all_press(
    members: Iterable[Member], post: Message, patience: float = 20.0
) -> list[Reply]:
    """Everybody presses at once, each the next letter."""
    letters = sorted(label for label in post.buttons if label in _LETTERS)
    return await asyncio.gather(
        *(
            member.press(post, letters[number % len(letters)], patience=patience)
            for number, member in enumerate(members)
        )
    )


async def _lock(database: Path, seconds: float) -> None:
    """Hold the write lock, as another process could."""
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        await asyncio.sleep(seconds)
        other.execute("ROLLBACK")


def _is_no_deferral(request: Request) -> bool:
    return request.body.get("type") != 5


def _chosen(reply: Reply) -> str | None:
    """The letter that a reply says was recorded."""
    if not reply.arrived:
        return None
    found = _CHOSE.search(reply.text)
    return found[1] if found else f"none: {reply.text[:60]}"


def _letter(order: list[int], options: int) -> str:
    """The letter of an answer of one option, which is stored as its bit."""
    return _LETTERS[order.index(options.bit_length() - 1)]


def _untrue(database: Path, replies: Iterable[tuple[Member, Reply]]) -> int:
    """How many replies that arrived name another choice than the one on disk."""
    ledger = Ledger(database)
    (drop,) = ledger.drops()
    order = json.loads(drop["order"])
    letters = {row["member"]: _letter(order, row["options"]) for row in ledger.answers()}
    return sum(
        reply.arrived and _chosen(reply) != letters.get(member.id) for member, reply in replies
    )
