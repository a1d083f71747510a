"""`quizdrop run` and `quizdrop --help` as real processes: how they start, refuse and stop."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from bot.cli import main
from tests.wire import Wire
from tests.wire.process import ROOT, environment


async def start(tmp_path: Path, *command: str, **env: str) -> asyncio.subprocess.Process:
    database = str(tmp_path / "q.db")
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        cwd=tmp_path,  # no .env of the developer's is read
        env=environment(**{"QUIZDROP_DATABASE": database, **env}),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def output(process: asyncio.subprocess.Process) -> tuple[str, str]:
    out, err = await asyncio.wait_for(process.communicate(), 30)
    return out.decode(), err.decode()


async def test_help_imports_no_discord(tmp_path: Path) -> None:
    process = await start(tmp_path, "-X", "importtime", "-m", "bot", "--help")
    out, imports = await output(process)
    assert "A tutor bot for study groups in Discord." in out
    names = {line.rsplit("|", 1)[-1].strip() for line in imports.splitlines()}
    assert "bot.cli" in names
    assert not {name for name in names if name.split(".")[0] in ("discord", "sqlite_utils")}


def test_every_command_stands_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    assert [name for name in main.commands if f"quizdrop {name}" not in readme] == []


async def test_a_missing_token_is_one_clear_sentence(tmp_path: Path) -> None:
    process = await start(tmp_path, "-m", "bot", "run")
    out, err = await output(process)
    assert process.returncode == 1
    assert out == ""
    assert err.startswith("No token: put DISCORD_TOKEN=… into the environment or a .env file.")
    assert len(err.splitlines()) == 1


async def test_a_refused_token_is_one_clear_sentence_and_never_shown(tmp_path: Path) -> None:
    async with Wire() as wire:
        bot = wire.bot(
            tmp_path / "q.db", DISCORD_TOKEN="bad-secret-token", QUIZDROP_LOG_LEVEL="ERROR"
        )
        await bot.start()
        assert await bot.wait() == 1
    assert bot.log.startswith("Discord refused the token.")
    assert len(bot.log.splitlines()) == 1
    assert "secret" not in bot.log + bot.out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_prints_the_invite_link_and_closes_cleanly_on_a_signal(
    tmp_path: Path, number: signal.Signals
) -> None:
    async with Wire() as wire:
        bot = wire.bot(tmp_path / "q.db", QUIZDROP_LOG_LEVEL="WARNING")
        await bot.start()
        await bot.ready()
        await asyncio.sleep(0.3)
        bot.signal(number)
        assert await bot.wait() == 0, bot.log
        link = f"https://discord.com/oauth2/authorize?client_id={wire.simulated.application}"
        (identity,) = wire.gateway.identities
    assert link in bot.out
    assert bot.log == ""
    assert identity["intents"] == 1  # guilds, and nothing else


async def test_a_database_that_cannot_be_used_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("This is no database, but a text of some length.\n" * 40)
    process = await start(
        tmp_path, "-m", "bot", "run", "--database", "notes.txt", DISCORD_TOKEN="x"
    )
    _, err = await output(process)
    assert process.returncode == 1
    assert "is no quizdrop database" in err.splitlines()[-1]
    assert "Traceback" not in err


async def test_a_bad_setting_is_a_sentence(tmp_path: Path) -> None:
    process = await start(tmp_path, "-m", "bot", "run", QUIZDROP_GRACE_MINUTES="soon")
    _, err = await output(process)
    assert process.returncode == 1
    assert err.startswith("The setting QUIZDROP_GRACE_MINUTES cannot be used")


async def test_a_broken_deck_is_named_and_left_out(tmp_path: Path) -> None:
    broken = tmp_path / "decks" / "broken"
    (broken / "questions").mkdir(parents=True)
    (broken / "deck.toml").write_text("title = ")
    process = await start(
        tmp_path, "-m", "bot", "run", QUIZDROP_DECKS=str(broken.parent), DISCORD_TOKEN=""
    )
    _, err = await output(process)
    assert "No token" in err
    async with Wire() as wire:
        bot = wire.bot(tmp_path / "q.db", decks=broken.parent, DISCORD_TOKEN="bad")
        await bot.start()
        await bot.wait()
    assert "The deck “broken” has 1 fault; “quizdrop check” lists them. It is left out." in bot.log
    assert "Discord refused the token." in bot.log


async def test_an_api_that_does_not_answer_is_a_sentence(tmp_path: Path) -> None:
    async with Wire() as wire:
        bot = wire.bot(tmp_path / "q.db", QUIZDROP_DISCORD_API="http://127.0.0.1:9/api/v10")
        await bot.start()
        assert await bot.wait() == 1
    assert "Discord cannot be reached: " in bot.log
    assert "Traceback" not in bot.log
