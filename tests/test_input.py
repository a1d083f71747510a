"""Text from decks, names and queries: it never pings, and it is shown as what it is.

Deck text is Markdown on purpose and may name somebody, whom nothing notifies. A name or a query is
shown literally. Neither may carry a character that nobody sees. What counts is what is sent, so
each test reads the requests.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from bank.errors import UnknownDeck, UnknownQuestion, UnknownZone
from bank.invisible import unseen
from bank.models import Domain, Image, Question
from bot.cards.text import literal
from tests.recorded import Sent, recording
from tests.samples import make_deck
from tests.world import ErrorLog, World, buttons_of, text_of

HOSTILE = "@everyone @here <@1> <@&2> <#3> \u202egnp\u2066 z\u200bero \x07bell \u200fmark soft\xad"
LONG = f"{HOSTILE} and so on. " * 120
PNG = b"\x89PNG\r\n\x1a\n"
# No space in it: times and days are cut at spaces.
TYPED = "**@everyone**<@9>`zz`~~zz~~||zz||[zz](http://zz.zz)\u202e\u200bž"


def hostile(question: Question) -> Question:
    """A question that nothing has checked, as an older database may hold it."""
    options = [
        option.model_copy(
            update={
                "text": f"{HOSTILE} {place}",
                "rationale": f"{HOSTILE} why",
                "misconception": None if option.correct else HOSTILE,
            }
        )
        for place, option in enumerate(question.options)
    ]
    return question.model_copy(
        update={
            "stem": f"{HOSTILE} {question.slug}",
            "options": tuple(options),
            "short": HOSTILE,
            "full": LONG,
            "sources": (HOSTILE,),
            "image": Image(path="picture.png", alt=LONG),
        }
    )


@pytest.fixture
async def hostile_world(tmp_path: Path, error_log: ErrorLog) -> AsyncIterator[World]:
    (tmp_path / "picture.png").write_bytes(PNG)
    deck = make_deck("kettle", "teapot")
    update = {
        "title": HOSTILE,
        "description": HOSTILE,
        "domains": (Domain(id="basics", title=HOSTILE, weight=100),),
        "questions": tuple(hostile(question) for question in deck.questions),
    }
    async with World(tmp_path / "h.db", {tmp_path: deck.model_copy(update=update)}) as world:
        yield world


async def everything(world: World, role: Any) -> None:
    """Every place that shows a deck's text: before an answer, after it, and after the close."""
    tally = await world.drop_now(role=role)
    for typed in ("", "everyone"):
        await world.cleo.autocomplete(world.channel, "explain", "question", typed)
    await world.ada.autocomplete(world.channel, "drop now", "deck", "")
    await world.cleo.context_menu(world.channel, "Explain", world.message(tally))
    await world.press_wrong(world.ben, tally)
    answered = await world.press_right(world.ben, tally)
    await world.env.advance_time(30)  # the count is edited
    page = await world.ben.click(answered.response, label="Full explanation")
    await world.ben.click(page.response, label="Next")
    await world.wait_until(tally.drop.closes_at)
    looked_up = await world.cleo.slash(world.channel, "explain", question=tally.question.id)
    await world.cleo.click(looked_up.response, label="Show to all")
    page = await world.cleo.click(looked_up.response, label="Full explanation")
    await world.cleo.click(page.response, label="Next")
    later = await world.drop_now(explain="at close")
    await world.press_right(world.cleo, later)
    for command in ("streak show", "streak why", "leaderboard", "deck list", "help"):
        await world.cleo.slash(world.channel, command)


def texts(body: Any) -> Iterator[str]:
    """Every text in a request's body."""
    if isinstance(body, dict):
        for value in body.values():
            yield from texts(value)
    elif isinstance(body, list):
        for value in body:
            yield from texts(value)
    elif isinstance(body, str):
        yield body


def messages(sent: list[Sent]) -> Iterator[tuple[Sent, dict[str, Any]]]:
    """The requests that write or change a message, with what they say of it."""
    for each in sent:
        body = each.body if isinstance(each.body, dict) else {}
        data = body.get("data", body) or {}
        if "components" in data:
            yield each, data


async def test_nobody_is_pinged_but_the_role_in_the_drops_own_message(
    hostile_world: World,
) -> None:
    world = hostile_world
    role = world.guild.create_role("Learners")
    with recording() as sent:
        await everything(world, role)
    found = list(messages(sent))
    assert {each.method for each, _ in found} == {"POST", "PATCH"}
    allowed = [
        (each, {key: names for key, names in data["allowed_mentions"].items() if names})
        for each, data in found
    ]
    pinging = [(each, mentions) for each, mentions in allowed if mentions]
    # The drop, and the edit of its count: a mention that an edit does not allow is one no more.
    first, *edits = [each.method for each, _ in pinging]
    assert (first, set(edits)) == ("POST", {"PATCH"})
    for each, mentions in pinging:
        assert mentions == {"roles": [role.id]}
        assert each.path.startswith(f"/channels/{world.channel.id}/messages")
        assert f"<@&{role.id}>" in each.whole
    assert not any(each.is_reply for each, _ in pinging)


async def test_no_text_that_is_sent_carries_a_character_that_nobody_sees(
    hostile_world: World,
) -> None:
    world = hostile_world
    with recording() as sent:
        await everything(world, world.guild.create_role("Learners"))
    assert any("everyone" in each.whole for each in sent)
    said = [text for each in sent for text in texts(each.body)]
    assert [text for text in said if unseen(text)] == []
    alts = [alt for each in sent for _, alt, _ in each.files]
    assert alts
    assert [alt for alt in alts if alt is None or unseen(alt) or len(alt) > 1024] == []


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("explain", {"question": TYPED}),
        ("drop now", {"deck": TYPED}),
        ("drop now", {"deck": "sample", "zone": TYPED}),
        ("schedule add", {"deck": TYPED, "times": "8:00"}),
        ("schedule add", {"deck": "sample", "times": TYPED}),
        ("schedule add", {"deck": "sample", "times": "8:00", "days": TYPED}),
        ("schedule add", {"deck": "sample", "times": "8:00", "zone": TYPED}),
    ],
)
async def test_what_is_typed_is_shown_literally_and_pings_nobody(
    world: World, command: str, options: dict[str, str]
) -> None:
    if command == "schedule add":
        options = {**options, "channel": world.channel}
    with recording() as sent:
        shown = text_of(await world.ada.slash(world.channel, command, **options))
    lower = literal(TYPED).casefold()
    assert lower in shown.casefold()
    for raw in ("**@", "<@9>", "@everyone", "`zz`", "~~zz", "||zz", "[zz]("):
        assert raw not in shown.replace("\\", "\\\0")
    assert unseen(shown) == []
    assert [data["allowed_mentions"] for _, data in messages(sent)] == [{"parse": []}]


async def test_a_servers_name_is_literal_in_the_note_to_its_owner(world: World) -> None:
    name = "**@everyone** <@1> \u202eserver"
    world.client.get_guild(world.guild.id).name = name  # type: ignore[union-attr]
    world.env.inject_error("POST", f"/channels/{world.channel.id}/messages", status=403, code=50013)
    at = f"{world.now:%H:%M}"
    terms = {"deck": "sample", "channel": world.channel, "zone": "UTC"}
    await world.ada.slash(world.channel, "schedule add", times=at, **terms)
    with recording() as sent:
        await world.wait(days=1)
    (note,) = [data for _, data in messages(sent) if "I may not post in" in str(data)]
    assert literal(name) in "".join(texts(note))
    assert note["allowed_mentions"] == {"parse": []}


@pytest.mark.parametrize(
    "refusal",
    [UnknownDeck("x" * 6000, ["sample"]), UnknownQuestion("ß" * 6000), UnknownZone("🔥" * 6000)],
)
def test_a_long_text_is_quoted_by_its_start(
    refusal: UnknownDeck | UnknownQuestion | UnknownZone,
) -> None:
    assert len(refusal.sentence) < 200
    assert "…”" in refusal.sentence


@pytest.mark.parametrize("command", ["times", "days"])
async def test_long_times_and_days_are_quoted_by_their_start(world: World, command: str) -> None:
    options = {"deck": "sample", "channel": world.channel, "times": "8:00", command: "x" * 6000}
    shown = text_of(await world.ada.slash(world.channel, "schedule add", **options))
    assert len(shown) < 200
    assert "…” is not a" in shown


async def test_buttons_carry_letters_only_whatever_a_deck_holds(hostile_world: World) -> None:
    # Brainicism/KMQ_Discord#1101
    tally = await hostile_world.drop_now()
    assert list(buttons_of(hostile_world.message(tally))) == list("ABCD")
