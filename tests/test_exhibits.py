"""An exhibit stands with the stem: in the drop, through every edit of it, and wherever the question
is looked up. Before an answer its file's name tells nothing.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import discord
import pytest

from bank.models import Deck, Image
from bot.pictures import Pictures
from bot.settings import shipped_decks
from tests.samples import GROUP, make_deck, make_question
from tests.wire import Wire
from tests.world import World, buttons_of, components_of, pictures_of, text_of, walk

PNG = b"\x89PNG\r\n\x1a\n"
EXHIBIT = Image(path="images/the-key-is-beta.PNG", alt="A graph with two lines that cross.")
INFOGRAPHIC = Image(path="images/why.png", alt="Why it is so.")


@pytest.fixture
def decks(tmp_path: Path) -> dict[Path, Deck]:
    folder = tmp_path / "deck"
    (folder / "images").mkdir(parents=True)
    (folder / EXHIBIT.path).write_bytes(PNG + b"exhibit")
    (folder / INFOGRAPHIC.path).write_bytes(PNG + b"infographic")
    deck = make_deck("first")
    pictures = {"exhibit": EXHIBIT, "image": INFOGRAPHIC}
    (question,) = (question.model_copy(update=pictures) for question in deck.questions)
    return {folder: deck.model_copy(update={"questions": (question,)})}


def shapes(shown: Any) -> list[str]:
    """A card's parts in reading order: the first words of its texts, the alt texts of pictures."""
    found = []
    for component in walk(components_of(shown)):
        if component["type"] == 10:
            found.append(component["content"].split("\n")[-1][:16])
        if component["type"] == 12:
            found.append(component["items"][0]["description"])
    return found


def files(message: discord.Message) -> list[tuple[str, int]]:
    return [(each.filename, each.size) for each in message.attachments]


EXHIBIT_FILE = ("exhibit.png", len(PNG + b"exhibit"))
INFOGRAPHIC_FILE = ("infographic.png", len(PNG + b"infographic"))


async def test_an_exhibit_stands_between_the_stem_and_the_options(world: World) -> None:
    message = world.message(await world.drop_now())
    stem, picture, options = shapes(message)
    assert stem == "What is right ab"
    assert picture == EXHIBIT.alt
    assert options.startswith("-# Basics")
    assert files(message) == [EXHIBIT_FILE]
    assert [item["media"]["url"].rsplit("/")[-1] for item in pictures_of(message)] == [
        "exhibit.png"
    ]
    assert "the-key-is-beta" not in json.dumps([c.to_dict() for c in message.components])


async def test_a_question_without_an_exhibit_stays_one_text(world: World) -> None:
    (folder, deck), *_ = world.decks.items()
    plain = deck.questions[0].model_copy(update={"exhibit": None})
    world.decks = {folder: deck.model_copy(update={"questions": (plain,)})}
    await world.restart()
    message = world.message(await world.drop_now())
    assert len(shapes(message)) == 1
    assert files(message) == []


async def test_the_exhibit_stays_when_the_count_is_edited(world: World) -> None:
    tally = await world.drop_now()
    before = shapes(world.message(tally))
    await world.press_right(world.ben, tally)
    await world.env.advance_time(30)
    message = world.message(tally)
    assert "1 answer so far" in text_of(message)
    assert shapes(message)[:2] == before[:2]
    assert files(message) == [EXHIBIT_FILE]


async def test_the_answer_shows_the_infographic_alone(world: World) -> None:
    tally = await world.drop_now()
    answer = await world.press_right(world.ben, tally)
    assert [item["description"] for item in pictures_of(answer)] == [INFOGRAPHIC.alt]
    assert [each.filename for each in answer.response.attachments] == ["infographic.png"]


async def test_the_reveal_shows_both_each_where_it_belongs(world: World) -> None:
    tally = await world.drop_now()
    await world.wait(minutes=61)
    message = world.message(tally)
    assert "The key is" in text_of(message)
    order = shapes(message)
    assert order[0] == "What is right ab"
    assert order[1] == EXHIBIT.alt
    assert order[-2] == INFOGRAPHIC.alt
    assert files(message) == [EXHIBIT_FILE, INFOGRAPHIC_FILE]


async def test_a_drop_that_is_taken_back_keeps_its_exhibit(world: World) -> None:
    tally = await world.drop_now()
    await world.ada.slash(world.channel, "drop void", number=1)
    message = world.message(tally)
    assert "taken back" in text_of(message)
    assert shapes(message)[1] == EXHIBIT.alt
    assert files(message) == [EXHIBIT_FILE]


async def test_a_question_that_is_looked_up_or_shown_to_all_has_both(world: World) -> None:
    looked_up = await world.ben.slash(world.channel, "explain", question="sample/first")
    shown = await world.ben.click(
        looked_up.response, custom_id=buttons_of(looked_up)["Show to all"]
    )
    tally = await world.drop_now()
    await world.wait(minutes=61)
    by_message = await world.ben.context_menu(world.channel, "Explain", world.message(tally))
    for each in (looked_up, shown, by_message):
        alts = [item["description"] for item in pictures_of(each)]
        assert alts == [EXHIBIT.alt, INFOGRAPHIC.alt]
        assert shapes(each)[1] == EXHIBIT.alt


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.png", "exhibit.png"),
        ("b/c.JPEG", "exhibit.jpeg"),
        ("a.option-b-is-right", "exhibit.png"),
        ("a", "exhibit.png"),
    ],
)
def test_the_name_of_an_upload_tells_nothing(tmp_path: Path, path: str, name: str) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_bytes(PNG)
    question = make_question().model_copy(update={"exhibit": Image(path=path)})
    picture = Pictures({"sample": tmp_path}).exhibit_of(question, GROUP)
    assert picture
    assert picture.name == picture.file().filename == name
    assert picture.file().description is None


async def test_a_picture_without_an_alt_text_is_shown_without_one(world: World) -> None:
    (folder, deck), *_ = world.decks.items()
    bare = deck.questions[0].model_copy(update={"exhibit": EXHIBIT.model_copy(update={"alt": ""})})
    world.decks = {folder: deck.model_copy(update={"questions": (bare,)})}
    await world.restart()
    message = world.message(await world.drop_now())
    assert [item.get("description") for item in pictures_of(message)] == [None]


# Over the wire

QUESTION = """\
---
domain: ai-infrastructure
exhibit: images/graph.png
exhibit-alt: A graph.
image: images/graph.png
alt: The same graph, explained.
---
Where do the lines cross?

- [x] At two
  > So it is drawn.
- [ ] At three
"""


def deck_with_an_exhibit(root: Path) -> Path:
    """In the place of the shipped deck, one question with an exhibit."""
    deck = root / "nca-aiio"
    shutil.copytree(shipped_decks() / "nca-aiio", deck)
    for path in (deck / "questions").glob("*.md"):
        path.unlink()
    picture = next((deck / "images").glob("*.png")).read_bytes()
    (deck / "images" / "graph.png").write_bytes(picture)
    (deck / "questions" / "graph.md").write_text(QUESTION, encoding="utf-8")
    return root


async def test_every_request_lists_the_files_that_its_view_names(
    database: Path, tmp_path: Path
) -> None:
    decks = deck_with_an_exhibit(tmp_path / "decks")
    async with Wire() as wire:
        group = wire.group(members=["ben"])
        async with wire.bot(database, decks=decks) as bot:
            await group.manager.slash("drop now", deck="nca-aiio", zone="UTC", open_for=60)
            await group.manager.slash("drop void", number=1)
            await group.manager.slash("drop now", deck="nca-aiio", open_for=60)
            taken_back, post = group.room.posts()
            await wire.until(lambda: "taken back" in taken_back.now.text, "the taking back")
            assert (taken_back.now.files, post.files) == (["exhibit.png"], ["exhibit.png"])
            reply = await group.member("ben").press(post, "A")
            assert reply.files == ["infographic.png"]
            await wire.until(lambda: "1 answer so far" in post.now.text, "the count")
            assert post.now.files == ["exhibit.png"]
            assert bot.errors == []
        with closing(sqlite3.connect(database)) as db, db:
            db.execute("UPDATE drops SET closes_at = claimed_at")
        async with wire.bot(database, decks=decks) as bot:
            await wire.until(lambda: "· closed" in post.now.text, "the reveal")
            assert post.now.files == ["exhibit.png", "infographic.png"]
            looked_up = await group.member("ben").slash("explain", question="nca-aiio/graph")
            assert looked_up.files == ["exhibit.png", "infographic.png"]
            assert bot.errors == []
