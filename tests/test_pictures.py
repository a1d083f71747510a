"""Pictures beside an explanation: uploaded anew each time, under a name that tells nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from bank.decks import load_deck
from bank.models import Deck
from bot.pictures import Pictures
from bot.settings import shipped_decks
from tests.samples import GROUP
from tests.world import World, pictures_of

FOLDER = shipped_decks() / "nca-aiio"


@pytest.fixture
def decks() -> dict[Path, Deck]:
    deck = load_deck(FOLDER)
    (question,) = (q for q in deck.questions if q.slug == "mig-slices")
    return {FOLDER: deck.model_copy(update={"questions": (question,)})}


async def test_the_infographic_comes_with_the_answer_and_the_reveal(world: World) -> None:
    tally = await world.drop_now()
    assert world.message(tally).attachments == []
    answer = await world.press_right(world.ben, tally)
    (shown,) = pictures_of(answer)
    assert tally.question.image
    assert shown["description"] == tally.question.image.alt
    (attachment,) = answer.response.attachments
    assert attachment.filename == "infographic.png"
    assert attachment.size == (FOLDER / tally.question.image.path).stat().st_size
    await world.wait(minutes=61)
    (attachment,) = world.message(tally).attachments
    assert attachment.filename == "infographic.png"


async def test_each_send_uploads_the_picture_anew(world: World) -> None:
    # cheran-senthil/TLE#513
    tally = await world.drop_now()
    first = (await world.press_right(world.ben, tally)).response.attachments
    second = (await world.press_right(world.cleo, tally)).response.attachments
    assert first[0].url != second[0].url


def test_a_picture_that_has_gone_is_left_out(tmp_path: Path) -> None:
    question = next(q for q in load_deck(FOLDER).questions if q.image)
    assert Pictures({"nca-aiio": tmp_path}).of(question, GROUP) is None
    assert Pictures({}).of(question, GROUP) is None
    assert Pictures({"nca-aiio": FOLDER}).of(question, GROUP)
