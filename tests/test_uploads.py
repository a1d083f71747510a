"""A deck comes in over Discord, is asked and explained, and goes out without what is open."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import discord
import pytest
from PIL import Image, ImageDraw

from bank.decks import load_deck
from bank.formats.reading import Source
from bank.importing.bring import bring
from bank.importing.report import Wish
from bot.taking import Job, take
from tests.samples import NOW
from tests.world import World, files_of, pictures_of, text_of

EXAM = """\
# Python exam

1. What does this print?

   ```python
   for n in range(2):
       print({n})
   ```

   - A. `{0}` and `{1}`
   - B. The set of both:

     ```text
     {0, 1}
     ```

   **Answer:** A

   Option A is correct because each turn prints a set of its own. Option B is incorrect because
   nothing joins them.

2. What does the plan show?

   ![Two racks and a cable](images/plan.png)

   - A. Two racks
   - B. Three racks

   **Answer:** A
"""


def _plan() -> bytes:
    """A picture of two racks and a cable."""
    picture = Image.new("RGB", (640, 240), "white")
    draw = ImageDraw.Draw(picture)
    for left in (60, 460):
        draw.rectangle((left, 40, left + 120, 200), outline="black", width=6)
    draw.line((180, 120, 460, 120), fill="blue", width=6)
    buffer = BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def packed(**files: bytes) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return buffer.getvalue()


EXAM_ZIP = packed(exam_dot_md=EXAM.encode(), images__plan_dot_png=_plan())
GIFT = "::tea:: Is tea hot? {T}\n\n::ice:: Is ice hot? {F}\n"


async def upload(world: World, name: str, data: bytes, *, who: Any = None, **more: Any) -> Any:
    who = who or world.ada
    options = {"deck": "python-exam", **more}
    return await who.slash(world.channel, "deck upload", file=(name, data), **options)


async def test_an_uploaded_deck_is_dropped_answered_and_explained(world: World) -> None:
    result = await upload(world, "exam.zip", EXAM_ZIP)
    said = text_of(result)
    assert "The deck “python-exam” has got 2 new questions." in said
    assert result.ephemeral
    tallies = [await world.drop_now(deck="python-exam") for _ in range(2)]
    code, plan = sorted(tallies, key=lambda tally: "plan" in tally.question.stem)
    assert "for n in range(2):\n    print({n})\n```" in text_of(world.message(code))
    assert "```text\n{0, 1}\n```" in text_of(world.message(code))
    assert [
        each["media"]["url"].rpartition("/")[2].partition("?")[0]
        for each in pictures_of(world.message(plan))
    ] == ["exhibit.png"]
    answer = text_of(await world.press_wrong(world.ben, code))
    assert "Nothing joins them" in answer
    assert "Each turn prints a set of its own" in answer
    explained = await world.ben.slash(
        world.channel, "explain", question="python-exam/what-does-this-print"
    )
    assert "`{0}` and `{1}`" in text_of(explained)


async def test_an_upload_with_a_bad_item_changes_nothing_and_says_why(world: World) -> None:
    bad = f"{GIFT}\nMatch them. {{ =a -> b =c -> d =e -> f }}\n"
    result = await upload(world, "tea.gift", bad.encode())
    assert "1 item cannot be taken, so nothing was changed." in text_of(result)
    assert "tea.gift:5" in text_of(result)
    assert "matching questions are not supported" in text_of(result)
    listed = await world.ada.slash(world.channel, "deck list")
    assert "python-exam" not in text_of(listed)
    kept = await upload(world, "tea.gift", bad.encode(), **{"keep-good": True})
    assert "has got 2 new questions" in text_of(kept)


async def test_a_member_who_does_not_manage_the_server_brings_and_takes_nothing(
    world: World,
) -> None:
    refused = "Only members who may manage this server can do that."
    assert refused in text_of(await upload(world, "tea.gift", GIFT.encode(), who=world.ben))
    result = await world.ben.slash(world.channel, "deck export", deck="sample", format="gift")
    assert refused in text_of(result)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Python Exam", "A deck is named in lower case"),
        ("../x", "A deck is named in lower case"),
        ("sample", "is the name of a deck that every group has"),
    ],
)
async def test_a_name_that_cannot_be_used_is_refused(
    world: World, name: str, sentence: str
) -> None:
    result = await upload(world, "tea.gift", GIFT.encode(), deck=name)
    assert sentence in text_of(result)
    assert not (world.database.parent / "uploads").exists()


async def test_a_file_that_is_too_large_is_refused_before_it_is_read(world: World) -> None:
    result = await upload(world, "tea.gift", b"x" * (8 * 2**20 + 1))
    assert "This file is larger than 8 MB. Please bring it in parts." in text_of(result)


async def test_a_new_upload_changes_the_next_drop_and_not_the_open_one(world: World) -> None:
    await upload(world, "tea.gift", b"::tea:: Is tea hot? {T}")
    tally = await world.drop_now(deck="python-exam")
    message = world.message(tally)
    result = await upload(world, "tea.gift", b"::tea:: Is tea cold? {T}", replace=True)
    assert "has got 1 new question" in text_of(result)
    assert "Is tea hot?" in text_of(message)
    assert "Right" in text_of(await world.press_right(world.ben, tally))


async def test_an_uploaded_deck_is_there_after_a_restart(world: World) -> None:
    await upload(world, "tea.gift", GIFT.encode())
    folder = world.database.parent / "uploads" / world.group / "python-exam"
    assert {question.slug for question in load_deck(folder).questions} == {"tea", "ice"}


async def test_an_export_leaves_out_what_is_open(world: World) -> None:
    await upload(world, "tea.gift", GIFT.encode())
    tally = await world.drop_now(deck="python-exam")
    live, other = ("tea", "ice") if tally.question.slug == "tea" else ("ice", "tea")
    # Whoever has answered knows the key, and still the file may go from hand to hand.
    await world.press(world.ada, tally, 0)
    result = await world.ada.slash(world.channel, "deck export", deck="python-exam", format="gift")
    assert result.ephemeral
    assert "1 question, in the file below. 1 question is open right now and left out." in text_of(
        result
    )
    name, data = files_of(world, result)[0]
    assert name == "python-exam.gift"
    assert f"Is {other} hot?".encode() in data
    assert f"Is {live} hot?".encode() not in data


async def test_an_export_of_what_is_open_alone_is_refused(world: World) -> None:
    await upload(world, "tea.gift", b"::tea:: Is tea hot? {T}")
    await world.ada.slash(
        world.channel, "drop now", deck="python-exam", zone="UTC", **{"open-for": 60}
    )
    result = await world.ada.slash(world.channel, "deck export", deck="python-exam", format="gift")
    assert "no question that I may hand out right now" in text_of(result)


async def test_an_export_that_discord_would_refuse_is_a_sentence(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await upload(world, "tea.gift", GIFT.encode())
    read = discord.Interaction._from_data

    def small(self: discord.Interaction, data: Any) -> None:
        read(self, {**data, "attachment_size_limit": 10})

    monkeypatch.setattr(discord.Interaction, "_from_data", small)
    result = await world.ada.slash(world.channel, "deck export", deck="python-exam", format="csv")
    assert "more than Discord takes here" in text_of(result)


async def test_what_one_server_exports_another_takes_in(world: World, tmp_path: Path) -> None:
    await upload(world, "exam.zip", EXAM_ZIP)
    result = await world.ada.slash(world.channel, "deck export", deck="python-exam", format="deck")
    name, data = files_of(world, result)[0]
    wish = Wish(deck="python-exam")
    assert bring([Source(name, data)], wish, tmp_path / "python-exam", NOW.date()).done
    folder = world.database.parent / "uploads" / world.group / "python-exam"
    assert load_deck(tmp_path / "python-exam").questions == load_deck(folder).questions


async def test_a_deck_is_taken_away_with_its_files_and_what_was_asked_stays(world: World) -> None:
    await upload(world, "tea.gift", b"::tea:: Is tea hot? {T}")
    tally = await world.drop_now(deck="python-exam")
    result = await world.ada.slash(world.channel, "deck remove", deck="python-exam")
    assert "The deck “python-exam” is gone." in text_of(result)
    assert not (world.database.parent / "uploads" / world.group / "python-exam").exists()
    assert "python-exam" not in text_of(await world.ada.slash(world.channel, "deck list"))
    assert "Right" in text_of(await world.press_right(world.ben, tally))


async def test_a_deck_that_a_schedule_draws_from_stays(world: World) -> None:
    await upload(world, "tea.gift", GIFT.encode())
    await world.ada.slash(
        world.channel,
        "schedule add",
        deck="python-exam",
        channel=world.channel,
        times="08:00",
        zone="UTC",
    )
    result = await world.ada.slash(world.channel, "deck remove", deck="python-exam")
    assert "Schedule 1 draws from the deck “python-exam”, so it stays." in text_of(result)
    assert "Python exam" in text_of(await world.ada.slash(world.channel, "deck list"))


@pytest.mark.parametrize("name", ["sample", "nothing", "../.."])
async def test_no_other_deck_can_be_taken_away(world: World, name: str) -> None:
    result = await world.ada.slash(world.channel, "deck remove", deck=name)
    assert "There is no deck" in text_of(result)
    assert "Sample deck" in text_of(await world.ada.slash(world.channel, "deck list"))


async def test_a_server_has_an_end_to_its_decks(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bank.library.MOST_OWN_DECKS", 1)
    await upload(world, "tea.gift", GIFT.encode())
    result = await upload(world, "tea.gift", GIFT.encode(), deck="another")
    assert "This server has 1 decks of its own, and no more are kept." in text_of(result)
    assert "has all of this already" in text_of(await upload(world, "tea.gift", GIFT.encode()))


async def test_a_reader_that_is_killed_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "upload"
    file.write_bytes(GIFT.encode())
    monkeypatch.setattr("bot.taking.MOST_SECONDS", 0.01)
    job = Job(
        file=file, name="tea.gift", wish=Wish(deck="tea"), folder=tmp_path / "tea", today=NOW.date()
    )
    with pytest.raises(Exception, match="takes more time or memory than I have for it"):
        await take(job)
    assert not (tmp_path / "tea").exists()
