"""A question is edited after it was asked: its drop keeps the old text, /explain says what is new.

With real deck folders, edited while the bot is down, and with an upload that replaces a deck.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from bank.decks import load_deck
from bank.models import Deck, Tally
from bot.pictures import Pictures
from tests.samples import GROUP
from tests.test_uploads import packed, upload
from tests.world import World, buttons_of, files_of, pictures_of, text_of

PNG = b"\x89PNG\r\n\x1a\n"
DECK = """\
title = "Tea"
description = "Hot drinks."
language = "en"
licence = "MIT"
blueprint = "1"

[[domains]]
id = "basics"
title = "Basics"
weight = 100
"""
QUESTION = """\
---
domain: basics
tags: [hot]
image: images/pot.png
alt: A pot.
exhibit: images/cup.png
exhibit-alt: A cup.
---
At how many degrees does black tea brew?

- [x] Near 95
  > Its tannins need the heat.
- [ ] Near 60
  > *Takes it for green tea.* Green tea brews there.

## Short explanation

Old words on {a}.

## Full explanation

The old story of {a} and {b}.
"""
NEWER = "A newer text of this question exists: /explain shows it."
CHANGED = "This question has changed since it was asked here on {}: the text below is the new one."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tea"
    for name in ("questions", "images"):
        (folder / name).mkdir(parents=True)
    (folder / "deck.toml").write_text(DECK, encoding="utf-8")
    (folder / "questions" / "black.md").write_text(QUESTION, encoding="utf-8")
    (folder / "images" / "pot.png").write_bytes(PNG + b"old pot")
    (folder / "images" / "cup.png").write_bytes(PNG + b"old cup")
    return folder


@pytest.fixture
def decks(folder: Path) -> dict[Path, Deck]:
    return {folder: load_deck(folder)}


async def edit(world: World, old: str, new: str, **files: bytes) -> None:
    """Somebody edits the question and its pictures, and starts the bot again."""
    (folder,) = world.decks
    path = folder / "questions" / "black.md"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    for name, content in files.items():
        (folder / "images" / f"{name}.png").write_bytes(content)
    world.decks = {folder: load_deck(folder)}
    await world.restart()


async def closed_drop(world: World, deck: str = "tea") -> Tally:
    tally = await world.drop_now(deck=deck)
    await world.wait(minutes=61)
    return await world.tally(tally.drop.id)


async def explain_message(world: World, tally: Tally) -> Any:
    return await world.ben.context_menu(world.channel, "Explain", world.message(tally))


async def explain(world: World, asked: str = "tea/black") -> Any:
    return await world.ben.slash(world.channel, "explain", question=asked)


def date_of(tally: Tally) -> str:
    return f"{tally.drop.slot.day} {tally.drop.slot:%B %Y}"


async def test_an_edited_question_shows_its_note_and_the_old_drop_its_old_text(
    world: World,
) -> None:
    tally = await closed_drop(world)
    for shown in (await explain(world), await explain_message(world, tally)):
        assert "Old words" in text_of(shown)
        assert "newer text" not in text_of(shown)
        assert "has changed" not in text_of(shown)
    await edit(world, "Old words on {a}.", "New words on {a}.")
    latest = await explain(world)
    assert text_of(latest).splitlines()[:2] == [
        "-# tea/black",
        f"-# {CHANGED.format(date_of(tally))}",
    ]
    assert "New words on **A**" in text_of(latest)
    assert "Old words" not in text_of(latest)
    old = await explain_message(world, tally)
    assert text_of(old).splitlines()[1] == f"-# {NEWER}"
    assert "Old words" in text_of(old)
    assert "New words" not in text_of(old)
    assert "Show to all" not in buttons_of(old)  # which would show the new text
    assert "Old words" in text_of(world.message(tally))


async def test_the_full_explanation_of_an_old_drop_is_the_old_one_with_its_letters(
    world: World,
) -> None:
    tally = await closed_drop(world)
    await edit(world, "The old story of {a} and {b}.", "The new story.")
    letters = ["AB"[tally.drop.order.index(option)] for option in (0, 1)]
    story = "The old story of **{}** and **{}**.".format(*letters)
    for message in (world.message(tally), (await explain_message(world, tally)).response):
        old = text_of(await world.ben.click(message, label="Full explanation"))
        assert story in old
        assert f"-# {NEWER}" in old
    new = text_of(await world.ben.click((await explain(world)).response, label="Full explanation"))
    assert "The new story." in new
    assert CHANGED.format(date_of(tally)) in new


async def test_show_to_all_says_as_well_that_the_text_has_changed(world: World) -> None:
    tally = await closed_drop(world)
    await edit(world, "Old words", "New words")
    shown = await world.ben.click((await explain(world)).response, label="Show to all")
    assert not shown.ephemeral
    assert CHANGED.format(date_of(tally)) in text_of(shown)


async def test_the_reveal_keeps_the_old_text_and_says_that_there_is_a_newer_one(
    world: World,
) -> None:
    tally = await world.drop_now()
    await edit(world, "Old words", "New words")
    assert NEWER not in text_of(world.message(tally))
    answer = text_of(await world.press_right(world.ben, tally))
    assert "Old words" in answer
    await world.wait(minutes=61)
    reveal = text_of(world.message(tally))
    assert "Old words" in reveal
    assert reveal.splitlines()[1] == f"-# {NEWER}"


async def test_the_note_of_an_open_drop_comes_only_to_those_who_have_answered(
    world: World,
) -> None:
    await closed_drop(world)
    tally = await world.drop_now()
    await edit(world, "Old words", "New words")
    for shut in (await explain(world), await explain_message(world, tally)):
        assert "This question is open right now" in text_of(shut)
        assert "newer" not in text_of(shut)
        assert "changed" not in text_of(shut)
    await world.press(world.ben, tally, 0)
    assert "This question has changed" in text_of(await explain(world))
    assert NEWER in text_of(await explain_message(world, tally))


async def test_a_changed_tag_is_no_news(world: World) -> None:
    tally = await closed_drop(world)
    await edit(world, "tags: [hot]", "tags: [hot, black]")
    assert "has changed" not in text_of(await explain(world))
    old = await explain_message(world, tally)
    assert NEWER not in text_of(old)
    assert "Show to all" in buttons_of(old)


async def test_a_question_that_is_gone_is_still_explained_by_its_drop(world: World) -> None:
    tally = await closed_drop(world)
    (folder,) = world.decks
    shutil.copy(folder / "questions" / "black.md", folder / "questions" / "other.md")
    (folder / "questions" / "black.md").unlink()
    world.decks = {folder: load_deck(folder)}
    await world.restart()
    old = await explain_message(world, tally)
    assert "Old words" in text_of(old)
    assert NEWER not in text_of(old)
    full = text_of(await world.ben.click(old.response, label="Full explanation"))
    assert "The old story" in full
    assert NEWER not in full


async def test_an_upload_that_replaces_a_deck_leaves_its_drops_their_text(world: World) -> None:
    await upload(world, "tea.gift", b"::tea:: Is tea hot? {T#Old words}", deck="own")
    tally = await world.drop_now(deck="own")
    await upload(world, "tea.gift", b"::tea:: Is tea hot? {T#New words}", deck="own", replace=True)
    await world.wait(minutes=61)
    assert NEWER in text_of(world.message(tally))
    assert CHANGED.format(date_of(tally)) in text_of(await explain(world, "own/tea"))
    old = text_of(await explain_message(world, tally))
    assert NEWER in old
    await upload(world, "ice.gift", b"::ice:: Is ice hot? {F}", deck="own", replace=True)
    gone = text_of(await explain_message(world, tally))
    assert gone == old.replace(f"-# {NEWER}\n", "")


# Pictures


async def test_an_old_text_never_stands_with_a_new_picture(world: World) -> None:
    tally = await closed_drop(world)
    alts = ["A cup.", "A pot."]
    for shown in (await explain(world), await explain_message(world, tally)):
        assert [each["description"] for each in pictures_of(shown)] == alts
    await edit(world, "Old words", "New words", pot=PNG + b"new pot")
    latest = await explain(world)
    assert files_of(world, latest) == [
        ("exhibit.png", PNG + b"old cup"),
        ("infographic.png", PNG + b"new pot"),
    ]
    old = await explain_message(world, tally)
    assert files_of(world, old) == [("exhibit.png", PNG + b"old cup")]
    assert [each["description"] for each in pictures_of(old)] == ["A cup."]


async def test_a_picture_that_stayed_is_shown_with_the_old_text_too(world: World) -> None:
    tally = await closed_drop(world)
    await edit(world, "Old words", "New words")
    assert len(files_of(world, await explain_message(world, tally))) == 2
    (folder,) = world.decks
    (folder / "images" / "pot.png").rename(folder / "images" / "kettle.png")
    await edit(world, "images/pot.png", "images/kettle.png")
    # What is no longer under its name is as good as gone.
    assert len(files_of(world, await explain(world))) == 2
    assert len(files_of(world, await explain_message(world, tally))) == 1


async def test_a_new_picture_alone_is_another_version(world: World) -> None:
    tally = await closed_drop(world)
    await edit(world, "Old", "Old", pot=PNG + b"new pot")
    assert CHANGED.format(date_of(tally)) in text_of(await explain(world))
    assert NEWER in text_of(await explain_message(world, tally))


async def test_an_open_drop_keeps_the_exhibit_that_it_was_posted_with(world: World) -> None:
    tally = await world.drop_now()
    before = [(each.filename, each.url) for each in world.message(tally).attachments]
    await edit(world, "Old words", "New words", cup=PNG + b"new cup")
    await world.press_right(world.ben, tally)
    await world.env.advance_time(30)
    message = world.message(tally)
    assert [(each.filename, each.url) for each in message.attachments] == before
    assert "no answers yet" in text_of(message)  # an edit would have taken its picture away
    await world.wait(minutes=61)
    assert "1 answer" in text_of(world.message(tally))
    assert [each.filename for each in world.message(tally).attachments] == ["infographic.png"]


def _png(colour: str) -> bytes:
    from io import BytesIO

    from PIL import Image

    buffer = BytesIO()
    Image.new("RGB", (40, 40), colour).save(buffer, "PNG")
    return buffer.getvalue()


async def test_an_upload_may_bring_another_picture_under_the_old_ones_name(world: World) -> None:
    exam = (
        b"1. What is it?\n\n   ![A plan](plan.png)\n\n   - A. Red\n   - B. Blue\n\n**Answer:** %s\n"
    )
    red = packed(exam_dot_md=exam % b"A", plan_dot_png=_png("red"))
    await upload(world, "exam.zip", red, deck="own")
    tally = await closed_drop(world, "own")
    before = files_of(world, await explain_message(world, tally))
    assert [name for name, _ in before] == ["exhibit.png"]
    blue = packed(exam_dot_md=exam % b"B", plan_dot_png=_png("blue"))
    await upload(world, "exam.zip", blue, deck="own", replace=True)
    assert files_of(world, await explain_message(world, tally)) == []
    latest = files_of(world, await explain(world, tally.question.id))
    assert [name for name, _ in latest] == ["exhibit.png"]
    assert latest != before


def test_a_picture_that_nobody_has_read_is_found_by_its_path(folder: Path) -> None:
    """A drop of an earlier version of the bot says nothing of its file's content."""
    (question,) = load_deck(folder).questions
    assert question.image
    before = question.model_copy(
        update={"image": question.image.model_copy(update={"digest": None})}
    )
    (folder / "images" / "pot.png").write_bytes(PNG + b"new pot")
    pictures = Pictures({"tea": folder})
    assert pictures.of(before, GROUP)
    assert pictures.of(question, GROUP) is None
