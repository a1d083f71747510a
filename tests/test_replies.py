"""Rule 8: whatever goes wrong, the member gets one sentence, in time; the log has the rest."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from bank.errors import DatabaseFull
from bank.models import Deck, Menu, Tally
from bank.tutor import Tutor
from bot.cards.drop import drop_card, menu_card
from bot.replies import ACKNOWLEDGE_AFTER, SORRY
from tests.samples import make_deck
from tests.wired import MESSAGE, choice_of, frame_of, wired_with_a_drop
from tests.world import ErrorLog, World, text_of


@pytest.fixture
def decks() -> dict[Path, Deck]:
    return {Path("sample"): make_deck("kettle")}


async def limit_pages(world: World, pages: int) -> None:
    """Leave the database file room for so many pages: what a full disk looks like to SQLite."""
    await world.ask(
        lambda tutor: tutor._store.db.conn.execute(f"PRAGMA max_page_count = {pages}").fetchall()
    )


def answer_until_full(tutor: Tutor, tally: Tally) -> None:
    """Other members answer until there is no room for one more answer."""
    for member in range(10_000):
        try:
            tutor.answering.press(
                tally.drop.id, 0, f"other-{member}", f"{tally.drop.message}", tally.drop.slot
            )
        except DatabaseFull:
            return
    raise AssertionError("the disk never filled")


async def test_work_that_takes_long_is_acknowledged_in_time_and_arrives(database: Path) -> None:
    # Stefouch/sebedius-yearzero-discord-bot#176
    async with wired_with_a_drop(database) as (wired, client, tally):
        frame = frame_of(drop_card(tally, "D", "B").view.to_components(), "qd:a:1:0", 10**17)
        other = sqlite3.connect(database, check_same_thread=False, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")  # another process holds the write lock
        letting_go = threading.Timer(ACKNOWLEDGE_AFTER + 0.7, other.execute, ["ROLLBACK"])
        letting_go.start()
        started = time.monotonic()
        await wired.press(frame)
        assert time.monotonic() - started < 2.5  # Discord waits for three seconds
        (acknowledged,) = wired.http.requests
        assert json.loads(acknowledged[2]) == {
            "type": 5,
            "data": {"flags": 64},
        }  # private, thinking

        await wired.until_requests(2)
        method, url, body = wired.http.requests[1]
        assert (method, url.endswith("/messages/@original")) == ("PATCH", True)
        assert "you chose A" in body
        assert json.loads(body)["allowed_mentions"] == {"parse": []}
        assert (await client.core(lambda tutor: tutor.posting.tally(1))).answered == 1
        letting_go.join()
        other.close()


async def test_a_choice_that_takes_long_is_acknowledged_and_takes_the_menus_place(
    database: Path,
) -> None:
    async with wired_with_a_drop(database, 1, 3) as (wired, client, tally):
        menu = menu_card(Menu(drop=tally.drop, question=tally.question))
        frame = choice_of(menu.view.to_components(), f"qd:c:1:{MESSAGE}", 10**17, "0", "1")
        other = sqlite3.connect(database, check_same_thread=False, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        letting_go = threading.Timer(ACKNOWLEDGE_AFTER + 0.7, other.execute, ["ROLLBACK"])
        letting_go.start()
        await wired.press(frame)
        (acknowledged,) = wired.http.requests
        assert json.loads(acknowledged[2])["type"] == 6  # nothing new, an edit follows
        await wired.until_requests(2)
        method, url, body = wired.http.requests[1]
        assert (method, url.endswith("/messages/@original")) == ("PATCH", True)
        assert "you chose A and B" in body
        assert (await client.core(lambda tutor: tutor.posting.tally(1))).answered == 1
        letting_go.join()
        other.close()


async def test_a_busy_database_is_a_sentence_and_nothing_is_recorded(
    world: World, database: Path
) -> None:
    tally = await world.drop_now()
    await world.ask(
        lambda tutor: tutor._store.db.conn.execute("PRAGMA busy_timeout = 50").fetchall()
    )
    other = sqlite3.connect(database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    result = await world.press_right(world.ben, tally)
    other.execute("ROLLBACK")
    other.close()
    assert "The database is busy, so this was not recorded." in text_of(result)
    assert (await world.tally(1)).answered == 0
    assert "✓ Right" in text_of(await world.press_right(world.ben, tally))


async def test_a_full_disk_is_a_sentence_and_answers_count_again_when_there_is_room(
    world: World, database: Path, error_log: ErrorLog
) -> None:
    tally = await world.drop_now()
    await limit_pages(world, 1)  # SQLite keeps at least the pages that it has
    await world.ask(lambda tutor: answer_until_full(tutor, tally))
    answered = (await world.tally(1)).answered
    refused = await world.press_right(world.ben, tally)
    assert "There is no room left on the disk, so this was not recorded." in text_of(refused)
    [logged] = error_log.take()
    assert f"({database}: database or disk is full, SQLITE_FULL)" in logged
    assert (await world.tally(1)).answered == answered
    assert "Sample deck" in text_of(await world.ben.slash(world.channel, "deck list"))
    await limit_pages(world, 100_000)
    assert "✓ Right" in text_of(await world.press_right(world.ben, tally))
    assert (await world.tally(1)).answered == answered + 1


async def test_what_nobody_foresaw_is_an_apology_and_stands_in_the_log(
    world: World, error_log: ErrorLog
) -> None:
    tally = await world.drop_now()
    await world.ask(lambda tutor: tutor._store.db.execute("DROP TABLE streaks"))
    result = await world.press_right(world.ben, tally)
    assert text_of(result) == SORRY
    assert error_log.take() == ["a command or a button failed"]
    assert "How this works" in text_of(await world.ben.slash(world.channel, "help"))


async def test_a_reply_that_discord_calls_too_late_is_noted_and_the_answer_stands(
    world: World,
) -> None:
    tally = await world.drop_now()
    world.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    await world.press_wrong(world.ben, tally)
    assert (await world.tally(1)).answered == 1
    again = await world.press_right(world.ben, tally)
    assert "Your first answer stands. Wrong" in text_of(again)


async def test_a_refusal_of_a_public_command_is_shown_to_the_member_alone(world: World) -> None:
    found = await world.ben.slash(world.channel, "explain", question="kettle")
    await world.drop_now()
    refused = await world.ben.click(found.response, label="Show to all")
    assert refused.ephemeral


async def test_what_a_member_typed_is_shown_literally(world: World) -> None:
    # python-discord/bot#434
    result = await world.ada.slash(
        world.channel, "schedule add", deck="__init__", channel=world.channel, times="8:00"
    )
    assert "There is no deck “\\_\\_init\\_\\_”." in text_of(result)
