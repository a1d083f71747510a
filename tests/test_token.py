"""Rule 2's other half: the token, and what Discord gives us to answer with, stand in no log."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.settings import Settings, in_words
from tests.recorded import logged
from tests.samples import GROUP
from tests.test_run import output, start
from tests.wire import Wire
from tests.wired import frame_of, wired_with_a_drop
from tests.world import ErrorLog

GOOD = "good-token"
TALKATIVE = {"QUIZDROP_LOG_LEVEL": "DEBUG", "PYTHONASYNCIODEBUG": "1"}


@pytest.mark.parametrize(
    "token",
    ["refused-token", "refused-\ntoken", "refused-tökén"],
    ids=["wrong", "with a line break in it", "not even ASCII"],
)
async def test_a_token_that_is_refused_stands_nowhere_however_much_is_logged(
    tmp_path: Path, token: str
) -> None:
    async with Wire() as wire:
        bot = wire.bot(tmp_path / "q.db", DISCORD_TOKEN=token, **TALKATIVE)
        await bot.start()
        assert await bot.wait() == 1
    assert bot.log.splitlines()[-1].startswith("Discord refused the token.")
    assert "refused-" not in bot.out + bot.log


async def test_a_token_that_is_taken_stands_nowhere_however_much_is_logged(tmp_path: Path) -> None:
    async with Wire() as wire:
        group = wire.group("Study group", members=["ben"])
        async with wire.bot(tmp_path / "q.db", **TALKATIVE) as bot:
            await group.member("ben").slash("help")
        (identity,) = wire.gateway.identities
    assert "DEBUG" in bot.log
    assert identity["token"].startswith("token-of-")
    assert identity["token"] not in bot.out + bot.log


async def test_a_token_stands_nowhere_when_discord_cannot_be_reached(tmp_path: Path) -> None:
    nowhere = "http://127.0.0.1:9/api/v10"
    process = await start(
        tmp_path,
        "-m",
        "bot",
        "run",
        DISCORD_TOKEN=GOOD,
        QUIZDROP_DISCORD_API=nowhere,
        **TALKATIVE,
    )
    out, err = await output(process)
    assert "Discord cannot be reached" in err.splitlines()[-1]
    assert "Traceback" in err  # at DEBUG the reason stands there
    assert GOOD not in out + err


def test_settings_never_show_the_token(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", GOOD)
    settings = Settings()
    assert settings.token is not None
    assert settings.token.get_secret_value() == GOOD
    for shown in (repr(settings), str(settings), settings.model_dump_json(), f"{settings.token}"):
        assert GOOD not in shown
    monkeypatch.setenv("QUIZDROP_LOG_LEVEL", "LOUD")
    with pytest.raises(ValidationError) as caught:
        Settings()
    assert GOOD not in f"{caught.value} {caught.value!r} {caught.value.errors()}"
    assert GOOD not in in_words(caught.value)


@pytest.mark.parametrize("refusal", [None, (404, 10062), (400, 50035), (403, 50013)])
async def test_an_interactions_token_stands_in_no_log_above_debug(
    database: Path, error_log: ErrorLog, refusal: tuple[int, int] | None
) -> None:
    async with wired_with_a_drop(database) as (wired, _, _):
        wired.http.refusal = refusal
        row = {"type": 1, "components": [{"type": 2, "style": 2, "custom_id": "qd:a:1:0"}]}
        frame = frame_of([row], "qd:a:1:0", 10**17)
        assert "t" * 180 in frame
        with logged(logging.INFO) as lines:
            await wired.press(frame)
            await asyncio.sleep(0.05)
    assert bool(lines) == (refusal is not None)
    assert [line for line in lines if "t" * 180 in line] == []
    if refusal is not None and refusal[1] != 10062:
        assert error_log.take() == [f"group {GROUP}: a reply was refused"]
