"""The demo as a person uses it: a real `quizdrop demo` process, its page in a real Chromium."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)

# Chromium would otherwise look up its maker's hosts, again and again.
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class DemoProcess:
    """`quizdrop demo --no-browser` with a terminal, so that Enter restarts the bot."""

    def __init__(self, process: asyncio.subprocess.Process, terminal: int) -> None:
        self.process = process
        self.terminal = terminal
        self.said = ""

    async def wait_for(self, pattern: str) -> re.Match[str]:
        """Read what the demo prints until it matches."""
        assert self.process.stdout is not None
        while not (found := re.search(pattern, self.said)):
            line = await asyncio.wait_for(self.process.stdout.readline(), 60)
            assert line, self.said
            self.said += line.decode()
        return found

    async def restart_bot(self) -> None:
        os.write(self.terminal, b"\n")
        await self.wait_for("restarted on the same database")
        self.said = ""


@asynccontextmanager
async def demo_process(tmp_path: Path, *options: str, **env: str) -> AsyncIterator[DemoProcess]:
    terminal, inside = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-u", "-m", "bot", "demo", "--no-browser", *options),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        stdin=inside,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    os.close(inside)
    try:
        yield DemoProcess(process, terminal)
    finally:
        if process.returncode is None:
            process.terminate()
            await asyncio.wait_for(process.wait(), 20)
        os.close(terminal)


class DemoPage:
    """The page of the demo: whom one views as, what one presses and types, what one sees."""

    def __init__(self, page: Any) -> None:
        self.page = page

    async def view_as(self, name: str) -> None:
        await self.page.get_by_label("Viewing as").select_option(label=name)
        await self.page.wait_for_timeout(1200)

    async def press(self, label: str) -> None:
        """The last button of that label on the page."""
        await self.page.get_by_role("button", name=label, exact=True).last.click()
        await self.page.wait_for_timeout(2000)

    async def press_on_drop(self, number: int, label: str) -> None:
        message = self.drop(number)
        await message.get_by_role("button", name=label, exact=True).click()
        await self.page.wait_for_timeout(2000)

    def drop(self, number: int) -> Any:
        """The message of the drop of that number."""
        header = re.compile(rf"· Question {number}(?!\d)")
        return self.page.locator("article.channel-message").filter(has_text=header).first

    async def drop_text(self, number: int) -> str:
        shown: str = await self.drop(number).inner_text()
        return shown

    async def slash(self, command: str, *values: str) -> None:
        """Type a command, fill its required options one after the other, and send it."""
        keyboard = self.page.keyboard
        await self.page.get_by_placeholder(re.compile("Message #")).click()
        await keyboard.type(f"/{command}")
        await self.page.wait_for_timeout(700)
        await keyboard.press("Enter")
        await self.page.wait_for_timeout(700)
        for value in values:
            await keyboard.type(value)
            await self.page.wait_for_timeout(1800)
            await keyboard.press("Enter")
            await self.page.wait_for_timeout(700)
        await keyboard.press("Enter")
        await self.page.wait_for_timeout(2000)

    async def upload(self, file: Path, deck: str) -> None:
        """Bring a file into a deck by /deck upload."""
        keyboard = self.page.keyboard
        await self.page.get_by_placeholder(re.compile("Message #")).click()
        await keyboard.type("/deck upload")
        await self.page.wait_for_timeout(700)
        await keyboard.press("Enter")
        await self.page.wait_for_timeout(700)
        await self.page.locator("input.command-file-input").first.set_input_files(file)
        await self.page.locator("[data-option=deck]").first.click()
        await keyboard.type(deck)
        await self.page.wait_for_timeout(700)
        await keyboard.press("Enter")
        await self.page.wait_for_timeout(700)
        await keyboard.press("Enter")
        await self.page.get_by_text(f"The deck “{deck}” has got").last.wait_for(timeout=60_000)

    async def text(self) -> str:
        """What stands in the conversation now."""
        shown: str = await self.page.locator("#channel-timeline").inner_text()
        return shown


@asynccontextmanager
async def demo_page(url: str, *, width: int = 1100, height: int = 1000) -> AsyncIterator[DemoPage]:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(_QUIET))
        page = await browser.new_page(viewport={"width": width, "height": height})
        await page.goto(url)
        await page.get_by_label("Viewing as").wait_for()
        await page.wait_for_timeout(1500)
        try:
            yield DemoPage(page)
        finally:
            await browser.close()
