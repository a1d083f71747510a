"""Rule 2: nothing that reaches Discord before a member has answered depends on which option is key.

The same story is played in four worlds whose one question differs only in its key, and every byte
that the bot sent to anybody but the member who answered must be the same in all four.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bank.models import Deck, Question
from tests.samples import make_deck
from tests.world import World

EXPLAINS = ("now", "at close")


def deck_with_key(key: int) -> Deck:
    """One question that says which option is its key in every part that must stay shut."""
    question = make_deck("kettle").questions[0]
    options = tuple(
        option.model_copy(
            update={
                "correct": place == key,
                "rationale": f"Secret reason of {'key' if place == key else 'distractor'} {place}.",
                "misconception": None if place == key else f"Secret mistake {place}",
            }
        )
        for place, option in enumerate(question.options)
    )
    whole: Question = question.model_copy(
        update={
            "options": options,
            "short": f"Secret: it is number {key}.",
            "full": f"Secret: {{{'abcd'[key]}}} is right.",
            "tags": (f"secret{key}",),
            "sources": (f"https://example.org/secret{key}",),
        }
    )
    return make_deck("kettle").model_copy(update={"questions": (whole,)})


async def story(world: World, explain: str) -> list[Any]:
    """What somebody who has not answered can do while a drop is open; all that they are shown."""
    tally = await world.drop_now(explain=explain)
    message = world.message(tally)
    shown: list[Any] = []
    for typed in ("", "kettle", "secret", "mistake", "reason", "number", "sample/kettle", "0", "3"):
        shown.append(await world.cleo.autocomplete(world.channel, "explain", "question", typed))
        result = await world.cleo.slash(world.channel, "explain", question=typed or "kettle")
        shown.append(result.response.components)
    shown.append(
        (await world.cleo.context_menu(world.channel, "Explain", message)).response.components
    )
    for command in ("streak show", "streak why", "leaderboard", "deck list", "help"):
        shown.append((await world.cleo.slash(world.channel, command)).response.components)
    shown.append(await world.ada.autocomplete(world.channel, "drop void", "number", ""))
    await world.press(world.ben, tally, 2)
    await world.env.advance_time(30)
    shown.append((await world.cleo.slash(world.channel, "leaderboard")).response.components)
    looked_up = await world.cleo.slash(world.channel, "streak show", member=world.ben)
    shown.append(looked_up.response.components)
    shown.append([component.to_dict() for component in world.message(tally).components])
    return shown


def without_times(shown: Any) -> str:
    return re.sub(r"<t:\d+", "<t:", json.dumps(shown, ensure_ascii=False, default=str))


@pytest.mark.parametrize("explain", EXPLAINS)
async def test_the_same_bytes_whatever_option_is_the_key(tmp_path: Path, explain: str) -> None:
    seen: dict[str, int] = {}
    for key in range(4):
        async with World(tmp_path / f"{key}.db", {Path("sample"): deck_with_key(key)}) as world:
            shown = without_times(await story(world, explain))
        assert "ecret" not in shown.replace("No question matches “secret”", "")
        seen.setdefault(shown, key)
    assert list(seen.values()) == [0]


async def test_ids_and_file_names_of_an_open_drop_carry_no_question(world: World) -> None:
    tally = await world.drop_now()
    message = json.dumps([component.to_dict() for component in world.message(tally).components])
    assert tally.question.slug not in re.findall(r'"custom_id": "([^"]*)"', message)
    assert set(re.findall(r'"custom_id": "([^"]*)"', message)) == {f"qd:a:1:{p}" for p in range(4)}
    assert world.message(tally).attachments == []


async def test_nobody_sees_how_others_answered_before_the_close(world: World) -> None:
    # matnad/pollmaster#61
    tally = await world.drop_now()
    before = without_times([c.to_dict() for c in world.message(tally).components])
    await world.press_right(world.ben, tally)
    await world.env.advance_time(30)
    after = without_times([c.to_dict() for c in world.message(tally).components])
    assert after == before.replace("no answers yet", "1 answer so far")


async def test_the_token_never_stands_in_a_log_or_a_repr(caplog: pytest.LogCaptureFixture) -> None:
    from bot.settings import Settings

    settings = Settings(DISCORD_TOKEN="very-secret-token")  # type: ignore[call-arg]
    assert "very-secret-token" not in repr(settings) + str(settings) + settings.model_dump_json()
