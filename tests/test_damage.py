"""A damaged file is refused at the start, in a sentence that leads back; a whole one never is.

SQLite keeps no checksum of its rows: a wrong letter inside a text is found by nobody. All else is.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bank.errors import DatabaseUnusable
from bank.models import Deck
from bank.store import Store
from bank.store.backups import back_up
from bank.tutor import Tutor
from tests.databases import faults, fill, press, rows
from tests.samples import make_deck
from tests.world import ErrorLog, World, text_of

PAGE = 4096


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole database; tests work on copies of it."""
    return fill(tmp_path_factory.mktemp("filled") / "quizdrop.db", extra=20)


@pytest.fixture
def whole(filled: Path, database: Path) -> Path:
    shutil.copyfile(filled, database)
    return database


def change(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def refusal(path: Path) -> str | None:
    """The sentence that a start on this file is refused with, or None when it goes on."""
    try:
        Store(path).close()
    except DatabaseUnusable as refused:
        return refused.sentence
    return None


# The way back


def header_gone(path: Path) -> None:
    change(path, 0, bytes(100))


def first_page_zeroed(path: Path) -> None:
    change(path, 0, bytes(PAGE))


def bytes_flipped_in_a_page(path: Path) -> None:
    content = path.read_bytes()
    root = next(at for at in range(PAGE, len(content), PAGE) if content[at] == 10)  # an index leaf
    change(path, root, bytes(byte ^ 0xFF for byte in content[root : root + 64]))


def truncated_in_half(path: Path) -> None:
    change_size(path, path.stat().st_size // PAGE // 2 * PAGE)


def truncated_inside_a_page(path: Path) -> None:
    change_size(path, path.stat().st_size - PAGE // 2)


def truncated_to_nothing(path: Path) -> None:
    change_size(path, 0)


def change_size(path: Path, size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)


def another_files_content(path: Path) -> None:
    path.write_text("These are notes of mine.\n" * 1000)


DAMAGES = [
    header_gone,
    first_page_zeroed,
    bytes_flipped_in_a_page,
    truncated_in_half,
    truncated_inside_a_page,
    truncated_to_nothing,
    another_files_content,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_sentence_of_a_damaged_file_holds_the_command_that_brings_the_backup_back(
    whole: Path, damage: Callable[[Path], None]
) -> None:
    backup = whole.with_name("quizdrop-backup-monday.db")
    back_up(whole, backup)
    before = rows(whole)
    damage(whole)
    broken = whole.read_bytes()
    sentence = refusal(whole)
    assert sentence is not None
    assert str(whole) in sentence
    assert backup.name in sentence
    assert whole.read_bytes() == broken  # it was only looked at

    command = re.search("“quizdrop (restore .*)”", sentence)
    assert command
    done = subprocess.run(
        [sys.executable, "-m", "bot", *shlex.split(command[1])],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert refusal(whole) is None
    assert rows(whole) == before
    kept = list(whole.parent.glob("quizdrop-damaged-*.db"))
    assert [path.read_bytes() for path in kept] == ([broken] if broken else [])


@pytest.mark.parametrize("damage", [header_gone, bytes_flipped_in_a_page])
def test_without_a_backup_the_sentence_says_so(whole: Path, damage: Callable[[Path], None]) -> None:
    damage(whole)
    sentence = refusal(whole)
    assert sentence is not None
    assert "There is no backup beside it; if you have one elsewhere, “quizdrop restore" in sentence


def test_the_backup_that_is_named_is_the_latest_that_is_whole(whole: Path) -> None:
    for number, name in enumerate(["old", "latest", "damaged"]):
        backup = whole.with_name(f"quizdrop-backup-{name}.db")
        back_up(whole, backup)
        if name == "damaged":
            truncated_in_half(backup)
        # By its time, not by its name.
        subprocess.run(["touch", "-d", f"2026-03-0{number + 1}", backup], check=True)
    another_files_content(whole.with_name("quizdrop-backup-notes.db"))
    header_gone(whole)
    sentence = refusal(whole)
    assert sentence is not None
    assert "The latest backup beside it is quizdrop-backup-latest.db:" in sentence


def test_a_start_on_a_damaged_file_is_one_sentence(whole: Path) -> None:
    bytes_flipped_in_a_page(whole)
    done = subprocess.run(
        [sys.executable, "-m", "bot", "run", "--database", str(whole)],
        env={"DISCORD_TOKEN": "x", "PATH": ""},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"The database {whole} is damaged." in done.stderr
    assert "Traceback" not in done.stderr


# Every page


def test_a_page_that_is_zeroed_is_found_wherever_it_lies(whole: Path) -> None:
    content = whole.read_bytes()
    unseen = []
    for at in range(0, len(content), PAGE):
        change(whole, at, bytes(PAGE))
        if refusal(whole) is None:
            unseen.append(at // PAGE + 1)
        whole.write_bytes(content)
    assert unseen == []


def test_a_page_whose_head_is_flipped_is_found_wherever_it_lies(whole: Path) -> None:
    content = whole.read_bytes()
    unseen = []
    for at in range(0, len(content), PAGE):
        start = at or 100  # the first page begins with the file's own header
        change(whole, start, bytes(byte ^ 0xFF for byte in content[start : start + 8]))
        if refusal(whole) is None:
            unseen.append(at // PAGE + 1)
        whole.write_bytes(content)
    assert unseen == []


def counts(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {
            name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            for [name] in tables.fetchall()
        }


def test_bytes_flipped_anywhere_end_in_a_sentence_or_cost_no_row(whole: Path) -> None:
    content, before = whole.read_bytes(), counts(whole)
    rng = Random(7)
    found = 0
    for _ in range(200):
        change(whole, rng.randrange(len(content) - 8), rng.randbytes(8))
        if refusal(whole):
            found += 1
        else:
            assert counts(whole) == before
        whole.write_bytes(content)
    assert 0 < found < 200


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        (b'"migration_set" TEXT', b'"migration_xxx" TEXT'),  # a table's definition
        (b'CREATE TABLE "answers', b'CREATE TABLE "\xff\xff\xffwers'),
        (b"quizdropm0", b"quizdrop\xff0"),  # a text that is no UTF-8, in its index too
    ],
)
def test_damage_to_what_the_tables_are_is_found(whole: Path, there: bytes, instead: bytes) -> None:
    content = whole.read_bytes()
    assert there in content
    whole.write_bytes(content.replace(there, instead))
    assert f"The database {whole} is damaged." in (refusal(whole) or "")


def test_a_key_that_leads_nowhere_is_damage(whole: Path) -> None:
    with closing(sqlite3.connect(whole)) as other:
        other.execute("DELETE FROM drops WHERE id = 3")
        other.commit()
    assert f"The database {whole} is damaged." in (refusal(whole) or "")


# The log beside the file


def test_another_databases_log_is_refused_and_never_written_into_the_file(
    whole: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = fill(tmp_path / "other" / "quizdrop.db", days=3, extra=200)
    with closing(Tutor.open(other, [make_deck()])) as tutor:
        for number in range(30):
            assert press(tutor, 3, 2, f"new-{number}") == "recorded"
        log = other.with_name("quizdrop.db-wal").read_bytes()
    before, content = rows(whole), whole.read_bytes()
    beside = whole.with_name("quizdrop.db-wal")
    beside.write_bytes(log)
    sentence = refusal(whole)
    assert sentence is not None
    assert f"The database {whole} is damaged." in sentence
    with pytest.raises(DatabaseUnusable, match="is damaged"):
        back_up(whole, tmp_path / "copy.db")
    assert whole.read_bytes() == content
    beside.unlink()
    assert refusal(whole) is None
    assert rows(whole) == before


@pytest.mark.parametrize("part", ["cut short", "garbage"])
def test_a_log_that_is_damaged_ends_at_the_last_answer_that_is_whole_in_it(
    whole: Path, part: str
) -> None:
    with closing(Tutor.open(whole, [make_deck()])) as tutor:
        for number in range(30):
            press(tutor, 12, 11, f"new-{number}")
        content = whole.read_bytes()
        log = whole.with_name("quizdrop.db-wal").read_bytes()
    whole.write_bytes(content)
    half = len(log) // 2
    torn = log[:half] if part == "cut short" else log[:half] + bytes(len(log) - half)
    whole.with_name("quizdrop.db-wal").write_bytes(torn)
    assert refusal(whole) is None
    assert faults(whole) == []
    new = {row["member"] for row in rows(whole)["answers"] if row["member"].startswith("new-")}
    assert new == {f"new-{number}" for number in range(len(new))}
    assert 0 < len(new) < 30


# While it runs


@pytest.fixture
def decks() -> dict[Path, Deck]:
    return {Path("sample"): make_deck("kettle")}


async def test_damage_while_the_bot_runs_is_a_sentence_and_the_log_names_the_file(
    world: World, database: Path, error_log: ErrorLog
) -> None:
    tally = await world.drop_now()
    await world.ask(
        lambda tutor: tutor._store.db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    )
    size = database.stat().st_size
    change(database, PAGE, b"\xff" * (size - PAGE))
    await world.ask(lambda tutor: tutor._store.db.conn.execute("PRAGMA shrink_memory").fetchall())
    refused = await world.press_right(world.ben, tally)
    assert text_of(refused) == (
        "The database is damaged, so this was not recorded. Please tell whoever runs this bot."
    )
    [logged] = error_log.take()
    assert str(database) in logged
    assert "SQLITE_CORRUPT" in logged
    assert "How this works" in text_of(await world.ben.slash(world.channel, "help"))


def test_a_whole_database_is_never_refused(whole: Path) -> None:
    before = rows(whole)
    for _ in range(3):
        assert refusal(whole) is None
    assert rows(whole) == before
