"""Rule 2's other half: the token, and what Discord gives us to answer with, stand in no log."""

from __future__ import annotations

import asyncio
import logging
import signal
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.settings import Settings, in_words
from tests.loopback import loopback
from tests.recorded import logged
from tests.test_run import output, start_on
from tests.wired import frame_of, wired_with_a_drop
from tests.world import ErrorLog

GOOD = "good-token"  # the one that the loopback Discord takes
TALKATIVE = {"QUIZDROP_LOG_LEVEL": "DEBUG", "PYTHONASYNCIODEBUG": "1"}


@pytest.mark.parametrize(
    "token",
    ["refused-token", "refused-\ntoken", "refused-tökén"],
    ids=["wrong", "with a line break in it", "not even ASCII"],
)
async def test_a_token_that_is_refused_stands_nowhere_however_much_is_logged(
    tmp_path: Path, token: str
) -> None:
    async with loopback() as (address, _):
        process = await start_on(address, tmp_path, DISCORD_TOKEN=token, **TALKATIVE)
        out, err = await output(process)
    assert process.returncode == 1
    assert err.splitlines()[-1].startswith("Discord refused the token.")
    assert "refused-" not in out + err


async def test_a_token_that_is_taken_stands_nowhere_however_much_is_logged(tmp_path: Path) -> None:
    async with loopback() as (address, identified):
        process = await start_on(address, tmp_path, DISCORD_TOKEN=GOOD, **TALKATIVE)
        for _ in range(150):
            await asyncio.sleep(0.1)
            if identified:
                break
        await asyncio.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        out, err = await output(process)
    assert identified[0]["token"] == GOOD
    assert "DEBUG" in err
    assert GOOD not in out + err


async def test_a_token_stands_nowhere_when_discord_cannot_be_reached(tmp_path: Path) -> None:
    process = await start_on("127.0.0.1:9", tmp_path, DISCORD_TOKEN=GOOD, **TALKATIVE)
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
        assert error_log.take() == ["a reply could not be sent"]
