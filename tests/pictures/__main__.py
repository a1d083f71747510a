"""Takes the README's pictures from the demo, beside this file. `python -m tests.pictures`."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from bot.settings import shipped_decks
from tests.browser import DemoPage, demo_page, demo_process

HERE = Path(__file__).parent
QUESTION = "burst-and-stream-bill"
KEY = "First many rounds of forward and backward passes"


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        deck = only_question(Path(folder))
        async with demo_process(
            Path(folder), "--open-for", "1", QUIZDROP_DECKS=str(deck.parent)
        ) as demo:
            url = (await demo.wait_for(r"http://127\.0\.0\.1:\d+/\S+"))[0]
            async with demo_page(url, width=960, height=1700) as page:
                await take(page)


def only_question(folder: Path) -> Path:
    """The shipped deck with one question, so that the pictures always show the same one."""
    deck = folder / "decks" / "nca-aiio"
    shutil.copytree(shipped_decks() / "nca-aiio", deck)
    for path in (deck / "questions").glob("*.md"):
        if path.stem != QUESTION:
            path.unlink()
    return deck


async def take(page: DemoPage) -> None:
    await page.view_as("Ben")
    await page.drop(1).screenshot(path=HERE / "drop.png")
    # A wrong answer shows more: the misconception by its name, and two reasons.
    wrong = [letter for letter in "ABCD" if f"{letter}. {KEY}" not in await page.drop_text(1)]
    await page.press_on_drop(1, wrong[0])
    answer = page.page.locator("article.channel-message").last
    await answer.locator("img").last.scroll_into_view_if_needed()
    await page.page.wait_for_timeout(1500)
    await answer.screenshot(path=HERE / "answer.png")
    await page.view_as("Cleo")
    await page.press_on_drop(1, wrong[1])
    await page.view_as("Ada")
    await page.press_on_drop(1, next(letter for letter in "ABCD" if letter not in wrong))
    await page.view_as("Ben")
    closed = page.drop(1).filter(has_text="· closed")
    await closed.wait_for(timeout=120_000)
    await closed.scroll_into_view_if_needed()
    await page.page.wait_for_timeout(1500)
    await closed.screenshot(path=HERE / "reveal.png")


if __name__ == "__main__":
    asyncio.run(main())
