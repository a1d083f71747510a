"""Rule 2: nothing that reaches Discord before a member has answered depends on which option is key.

The same story is played in worlds whose one question differs only in its keys, of which each has as
many, and every byte that the bot sent to anybody but the member who answered must be the same in
all: messages, replies, components, custom ids, nonces, files, their names and alt texts, lists that
are offered, and the log.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

import discord
import pytest
from discord import ui

from bank.models import Deck, Image, Question
from bank.tutor import Tutor
from bot import ids
from tests.recorded import Sent, logged, recording
from tests.samples import drop_by_hand, make_deck
from tests.world import World, buttons_of

Keys: TypeAlias = tuple[int, ...]

ONE: tuple[Keys, ...] = ((0,), (2,), (3,))
TWO: tuple[Keys, ...] = tuple(combinations(range(4), 2))
EXPLAINS = ("now", "at close")
PNG = b"\x89PNG\r\n\x1a\n"
EXHIBIT = PNG + b"a kettle"
SEEN = (("exhibit.png", "A kettle.", EXHIBIT),)  # with the stem, by everybody
WORDS = ("zero", "one", "two", "three")
QUERIES = ("", "kettle", "secret", "mistake", "reason", "sample/kettle", "drop:1", "zero", "two")
GUESSES = (
    ids.open_full(1),
    ids.turn_full(1, 0),
    ids.turn_full(1, 1),
    ids.open_question("sample/kettle"),
    ids.turn_question("sample/kettle", 0),
    ids.show_to_all("sample/kettle"),
    ids.answer(1, 0),
    ids.answer(1, 7),
    ids.answer(99, 0),
    ids.open_menu(1),
    ids.open_menu(99),
    ids.open_full(99),
    ids.report_drop(1),
    ids.report_drop(99),
    ids.report_question("sample/kettle"),
    "qd:a:1:key",
)


def deck_with(keys: Keys) -> Deck:
    """One question that says which options are its keys in every part that must stay shut."""
    question = make_deck("kettle").questions[0]
    options = tuple(
        option.model_copy(
            update={
                "correct": place in keys,
                "rationale": f"Secret reason of {'key' if place in keys else 'trap'} {place}.",
                "misconception": None if place in keys else f"Secret mistake {place}",
            }
        )
        for place, option in enumerate(question.options)
    )
    name = _name(keys)
    whole: Question = question.model_copy(
        update={
            "options": options,
            "short": f"Secret: it is number {' and '.join(WORDS[key] for key in keys)}.",
            "full": "Secret: right is " + " ".join("{" + "abcd"[key] + "}" for key in keys),
            "tags": (name,),
            "sources": (f"https://example.org/{name}",),
            "image": Image(path=f"images/{name}.png", alt=f"Secret picture {keys}"),
            "exhibit": Image(path="images/secret.png", alt="A kettle."),
        }
    )
    return make_deck("kettle").model_copy(update={"questions": (whole,)})


def folder_with(root: Path, keys: Keys) -> Path:
    """The deck's folder with its picture, whose name and bytes tell the keys too."""
    (root / "images").mkdir(parents=True)
    (root / "images" / "secret.png").write_bytes(EXHIBIT)
    (root / "images" / f"{_name(keys)}.png").write_bytes(picture(keys))
    return root


def picture(keys: Keys) -> bytes:
    return PNG + f"Secret {keys}".encode()


def _name(keys: Keys) -> str:
    return "secret" + "".join(map(str, keys))


class Watched:
    """A world, and what the bot lets others know in it. Cleo never answers the question."""

    def __init__(self, world: World, sent: list[Sent], log: list[str]) -> None:
        self.world = world
        self.sent = sent
        self.log = log
        self._forged = 0

    async def forged(self, custom_id: str) -> Any:
        """A message of the bot's own with a button that somebody might guess."""
        return await self._post(ui.Button(label="?", custom_id=custom_id))

    async def _post(self, item: ui.Item[Any]) -> Any:
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.ActionRow(item))
        view.stop()
        channel = self.world.client.get_partial_messageable(self.world.channel.id)
        self._forged += 1  # a nonce by chance would differ from world to world
        return await channel.send(view=view, nonce=f"forged-{self._forged}")

    async def look(self, guesses: Sequence[str] = GUESSES) -> None:
        """Cleo tries everything that a member can try, and Ada what a manager can."""
        world, cleo = self.world, self.world.cleo
        for typed in QUERIES:
            await cleo.autocomplete(world.channel, "explain", "question", typed)
            await cleo.slash(world.channel, "explain", question=typed or "kettle")
            await cleo.autocomplete(world.channel, "question report", "question", typed)
            report = {"question": typed or "kettle", "reason": "Nobody knows."}
            await cleo.slash(world.channel, "question report", **report)
        for message in world.channel.history():
            await cleo.context_menu(world.channel, "Explain", message)
            if "Answer" in buttons_of(message):
                await cleo.click(message, label="Answer")
                await self._choose_too_many(str(message.id))
        for guess in guesses:
            opened = await cleo.click(await self.forged(guess), custom_id=guess)
            if opened.modal:
                await cleo.submit_modal(opened, {"reason": "Nobody knows."})
        for command in ("streak show", "streak why", "leaderboard", "deck list", "help"):
            await cleo.slash(world.channel, command)
        await cleo.slash(world.channel, "streak show", member=world.ben)
        await self._manage()
        await world.ada.slash(world.channel, "schedule list")
        await world.ada.slash(world.channel, "schedule preview", number=1)

    async def _manage(self) -> None:
        """Ada looks for what was reported, and takes the question out and in again."""
        world, ada = self.world, self.world.ada
        await ada.autocomplete(world.channel, "drop void", "number", "")
        await ada.slash(world.channel, "deck reports")
        for command in ("retire", "settle", "restore"):
            await ada.autocomplete(world.channel, f"question {command}", "question", "")
            await ada.slash(world.channel, f"question {command}", question="sample/kettle")
            await ada.slash(world.channel, "deck list")

    async def _choose_too_many(self, message: str) -> None:
        """Cleo chooses from a menu that offers more than it may."""
        options = [discord.SelectOption(label=value, value=value) for value in "01237"]
        custom_id = ids.choose(1, message)
        menu: ui.Select[Any] = ui.Select(custom_id=custom_id, options=options, max_values=5)
        posted = await self._post(menu)
        for chosen in (["0"], ["0", "7"], ["0", "1", "2"]):
            await self.world.cleo.select(posted, chosen)
            posted = await self._post(menu)  # the refusal has taken its place

    async def answer_as_ben(self, position: int) -> None:
        """Ben learns the keys, and nobody else: his reply is not among what is compared."""
        tally = await self.world.tally(1)
        before, lines = len(self.sent), len(self.log)
        if len(tally.question.keys) == 1:
            answered = await self.world.press(self.world.ben, tally, position)
        else:
            answered = await self.world.choose(self.world.ben, tally, position, position + 1)
        opened = await self.world.ben.click(answered.response, label="Report")
        await self.world.ben.submit_modal(opened, {"reason": tally.question.short})
        self.sent[before:] = [each for each in self.sent[before:] if not each.is_reply]
        del self.log[lines:]
        await self.world.env.advance_time(30)  # the count on the message is edited

    def seen(self) -> list[str]:
        """All that was sent, sorted: which of two things at once came first tells nothing."""
        # A nonce of digits alone is discord.py's own, by chance; a drop's has its number.
        chance = re.compile(r'<t:\d+|"nonce": "\d+"')
        return sorted(chance.sub("#", each.whole) for each in self.sent)

    def lines(self) -> list[str]:
        """Each line that was logged, once; APScheduler counts real seconds, as many as pass."""
        lines = {re.sub(r"0x[0-9a-f]+|\d+", "#", line) for line in self.log}
        return sorted(line for line in lines if not line.startswith("apscheduler"))


@asynccontextmanager
async def watched(tmp_path: Path, keys: Keys) -> AsyncIterator[Watched]:
    name = _name(keys)
    decks = {folder_with(tmp_path / f"deck-{name}", keys): deck_with(keys)}
    with recording() as sent, logged() as log:
        async with World(tmp_path / f"{name}.db", decks) as world:
            watched = Watched(world, sent, log)
            yield watched


Story = Callable[[Watched, str], Awaitable[None]]


async def story_by_hand(watched: Watched, explain: str) -> None:
    """Posted by hand, answered by another, restarted, and looked at until a second is left."""
    world = watched.world
    tally = await world.drop_now(explain=explain)
    await watched.look()
    await watched.answer_as_ben(2)
    await watched.look()
    await world.restart()
    await watched.look()
    # An alarm that is only seconds away would go off while she looks.
    await world.wait_until(tally.drop.closes_at - timedelta(minutes=5))
    await watched.look()
    world.sleep_until(tally.drop.closes_at - timedelta(seconds=5))
    await world.cleo.slash(world.channel, "explain", question="kettle")


async def story_by_schedule(watched: Watched, explain: str) -> None:
    """Claimed while Discord refuses to answer, looked at unposted, then posted from the claim."""
    world = watched.world
    at = world.now + timedelta(minutes=5)
    terms = {"deck": "sample", "channel": world.channel, "times": f"{at:%H:%M}", "zone": "UTC"}
    await world.ada.slash(world.channel, "schedule add", explain=explain, **terms)
    world.env.inject_error("POST", "/channels/*/messages", status=500)
    await world.wait_until(at)
    assert (await world.tally(1)).drop.message is None
    # Its answer button, which nobody has seen yet, would be a message that stands.
    unseen = (ids.answer(1, 0), ids.open_menu(1))
    await watched.look([guess for guess in GUESSES if guess not in unseen])
    assert (await world.tally(1)).drop.message is None
    await world.wait(minutes=3)
    assert (await world.tally(1)).drop.message
    await watched.look()
    await watched.answer_as_ben(0)
    await watched.look()


async def story_edited(watched: Watched, explain: str) -> None:
    """The text changes, keys and all, after the question was asked and again while it is open."""
    world = watched.world
    before = await world.drop_now(explain=explain)
    await world.wait_until(before.drop.closes_at)
    del watched.sent[:], watched.log[:]  # its reveal has told the keys
    await edit(world, "Secret before.")
    await world.drop_now(explain=explain)
    await edit(world, "Secret while it is open.")
    guesses = [*GUESSES, ids.open_full(2), ids.turn_full(2, 0), ids.answer(2, 7)]
    await watched.look(guesses)


async def edit(world: World, short: str) -> None:
    ((folder, deck),) = world.decks.items()
    (question,) = deck.questions
    options = tuple(
        option.model_copy(update={"correct": turned.correct, "rationale": f"{short} {place}"})
        for place, (option, turned) in enumerate(
            zip(question.options, reversed(question.options), strict=True)
        )
    )
    new = question.model_copy(update={"options": options, "short": short})
    world.decks = {folder: deck.model_copy(update={"questions": (new,)})}
    await world.restart()


async def story_elsewhere(watched: Watched, explain: str) -> None:
    """The question is open in another group, in which Cleo has a streak; she asks in this one."""
    world = watched.world
    drop = await world.ask(lambda tutor: open_elsewhere(tutor, world, explain))
    assert drop == 2
    await watched.look()


def open_elsewhere(tutor: Tutor, world: World, explain: str) -> int:
    earlier = drop_by_hand(tutor, "5001", now=world.now - timedelta(days=1))
    tutor.posting.posted(earlier.id, "m1", earlier.slot)
    wanted = range(len(tutor.posting.tally(earlier.id).question.keys))
    tutor.answering.choose(earlier.id, wanted, str(world.cleo.id), "m1", earlier.slot)
    tutor.posting.due(world.now, 1)
    tutor.posting.revealed(earlier.id)
    drop = drop_by_hand(tutor, "5001", now=world.now, explain=explain)
    tutor.posting.posted(drop.id, "m2", drop.slot)
    return drop.id


@pytest.mark.parametrize("explain", EXPLAINS)
@pytest.mark.parametrize("story", [story_by_hand, story_by_schedule, story_elsewhere, story_edited])
@pytest.mark.parametrize("keys", [ONE, TWO], ids=["one", "two"])
async def test_the_same_bytes_whatever_options_are_the_keys(
    tmp_path: Path, story: Story, explain: str, keys: tuple[Keys, ...]
) -> None:
    first: list[str] | None = None
    for each_keys in keys:
        async with watched(tmp_path, each_keys) as told:
            await story(told, explain)
            seen = told.seen() + told.lines()
            assert {each.files for each in told.sent} <= {(), SEEN}
        assert [each for each in seen if "ecret" in each.replace("“secret”", "")] == []
        first = first or seen
        assert [pair for pair in zip(first, seen, strict=True) if pair[0] != pair[1]] == []
    assert len(told.seen()) > len(QUERIES) * 2 + len(GUESSES)


async def test_what_is_recorded_holds_the_key_once_it_may_be_told(tmp_path: Path) -> None:
    """The tests above look in the right place: after the close the same look finds the key."""
    async with watched(tmp_path, (3,)) as told:
        tally = await told.world.drop_now()
        await told.world.wait_until(tally.drop.closes_at)
        (reveal,) = [each for each in told.sent if each.method == "PATCH"]
        secret = ("infographic.png", "Secret picture (3,)", picture((3,)))
        assert reveal.files == (*SEEN, secret)
        before = len(told.sent)
        await told.look()
        whole = "".join(each.whole for each in told.sent[before:])
        assert "Secret: it is number three." in whole
        assert "Nobody knows." in whole
        assert "Secret reason of key 3." in whole


def without_times(shown: Any) -> str:
    return re.sub(r"<t:\d+", "<t:", json.dumps(shown, ensure_ascii=False, default=str))


async def test_ids_and_file_names_of_an_open_drop_carry_no_question(world: World) -> None:
    tally = await world.drop_now()
    message = json.dumps([component.to_dict() for component in world.message(tally).components])
    assert tally.question.slug not in re.findall(r'"custom_id": "([^"]*)"', message)
    assert set(re.findall(r'"custom_id": "([^"]*)"', message)) == {f"qd:a:1:{p}" for p in range(4)}
    assert world.message(tally).attachments == []


async def test_nobody_sees_how_others_answered_before_the_close(world: World) -> None:
    # matnad/pollmaster#61
    tally = await world.drop_now()
    before = without_times([c.to_dict() for c in world.message(tally).components])
    await world.press_right(world.ben, tally)
    await world.env.advance_time(30)
    after = without_times([c.to_dict() for c in world.message(tally).components])
    assert after == before.replace("no answers yet", "1 answer so far")
