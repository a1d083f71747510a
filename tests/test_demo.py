"""The demo from end to end, as a new user clicks through it in a browser."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.browser import CHROMIUM, DemoPage, demo_page, demo_process
from tests.one_key import one_key_decks
from tests.test_uploads import EXAM_ZIP

pytest.importorskip("playwright", reason="a browser test needs playwright")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="a browser test needs chromium")

LETTERS = "ABCD"


async def answer_wrong_then_right(page: DemoPage) -> str:
    """Ben answers A; Cleo answers so that one of the two is right. Returns the key's letter."""
    await page.view_as("Ben")
    await page.press_on_drop(1, "A")
    shown = await page.text()
    if "✓ Right: you chose A" in shown:
        key, other = "A", "B"
    else:
        found = re.search(r"✗ Wrong: you chose A, the key is ([BCD])", shown)
        assert found, shown
        key = other = found[1]
    await page.view_as("Cleo")
    before = await page.text()
    assert "you chose" not in before, "a member saw another member's result"
    await page.press_on_drop(1, other)
    assert f"you chose {other}" in await page.text()
    return key


async def click_through_everything(tmp_path: Path) -> None:
    decks = {"QUIZDROP_DECKS": str(one_key_decks())}
    async with demo_process(tmp_path, **decks) as demo:
        url = (await demo.wait_for(r"http://127\.0\.0\.1:\d+/\S+"))[0]
        async with demo_page(url) as page:
            key = await answer_wrong_then_right(page)

            await page.press("Full explanation")
            assert "Option by option" in await page.text()
            assert "Sources" in await page.text()

            await page.view_as("Ada")
            stem = (await page.drop_text(1)).partition("Question 1")[2].partition("A. ")[0]
            # Its first words, for a single one may fit another question better.
            await page.slash("explain", " ".join(re.findall(r"[A-Za-z]+", stem)[:9]))
            assert "This question is open right now" in await page.text()

            await demo.restart_bot()
            await page.page.wait_for_timeout(2500)
            await page.press_on_drop(1, key)
            assert f"✓ Right: you chose {key}" in await page.text()
            assert "3 answers so far" in await page.drop_text(1)

            await page.slash("drop now", "nca")
            await page.page.wait_for_timeout(1000)
            assert "Question 2 stands in" in await page.text()
        demo.process.terminate()
        assert await demo.process.wait() == 0


async def bring_a_deck(tmp_path: Path) -> None:
    exam = tmp_path / "exam.zip"
    exam.write_bytes(EXAM_ZIP)
    decks = {"QUIZDROP_DECKS": str(one_key_decks())}
    async with demo_process(tmp_path, **decks) as demo:
        url = (await demo.wait_for(r"http://127\.0\.0\.1:\d+/\S+"))[0]
        async with demo_page(url) as page:
            await page.view_as("Ada")
            await page.upload(exam, "python-exam")
            for number in (2, 3):
                await page.slash("drop now", "python e")
                await page.drop(number).wait_for(timeout=20_000)
            code, plan = 2, 3
            if "What does the plan show" in await page.drop_text(code):
                code, plan = plan, code
            assert await page.drop(code).locator("pre code").count() == 2
            exhibit = page.drop(plan).get_by_alt_text("Two racks and a cable")
            assert await exhibit.evaluate("image => image.naturalWidth") == 640
            await page.view_as("Ben")
            await page.press_on_drop(code, "A")
            assert "each turn prints a set of its own" in (await page.text()).lower()
            await page.press("Full explanation")
            assert "Option by option" in await page.text()
            await page.page.screenshot(path=tmp_path / "uploaded.png")


async def wait_for_the_close(tmp_path: Path) -> None:
    decks = {"QUIZDROP_DECKS": str(one_key_decks())}
    async with demo_process(tmp_path, "--open-for", "1", **decks) as demo:
        url = (await demo.wait_for(r"http://127\.0\.0\.1:\d+/\S+"))[0]
        async with demo_page(url) as page:
            key = await answer_wrong_then_right(page)
            await page.drop(1).filter(has_text="· closed").wait_for(timeout=120_000)
            closed = await page.drop_text(1)
            assert f"The key is {key}." in closed
            assert closed.count("50% · 1") == 2
            assert "2 answers" in closed
            assert re.search(r"streak extended: @Ben,\s+@Cleo", closed), closed

            await page.slash("leaderboard")
            board = await page.text()
            assert "1 of 1 right" in board
            assert "0 of 1 right" in board
            await page.slash("streak show")
            assert "Streak: 1 question day" in await page.text()

            await page.view_as("Ada")
            await page.press("Full explanation")
            assert "Option by option" in await page.text()


STORIES = (click_through_everything, bring_a_deck, wait_for_the_close)


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> dict[str, BaseException | None]:
    """How each story ended, by its name. They are played side by side: they mostly wait."""

    async def play() -> list[BaseException | None]:
        folders = [tmp_path_factory.mktemp(story.__name__) for story in STORIES]
        plays = (story(folder) for story, folder in zip(STORIES, folders, strict=True))
        return await asyncio.gather(*plays, return_exceptions=True)

    played = asyncio.run(play())
    return {story.__name__: end for story, end in zip(STORIES, played, strict=True)}


def test_a_new_user_can_click_through_everything(ends: dict[str, BaseException | None]) -> None:
    _raise(ends["click_through_everything"])


def test_an_uploaded_deck_is_asked_answered_and_explained(
    ends: dict[str, BaseException | None],
) -> None:
    _raise(ends["bring_a_deck"])


def test_a_drop_of_one_minute_closes_and_the_boards_agree(
    ends: dict[str, BaseException | None],
) -> None:
    _raise(ends["wait_for_the_close"])


def _raise(end: BaseException | None) -> None:
    if end is not None:
        raise end
