"""A disk without room, or that may not be written to: nobody is told that an answer counts which
does not, the bot stays up, and answers count again when there is room.

A small file system of the kernel's fills up for real; where none may be mounted, a limit on the
size of files stands for it.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from bank.errors import DatabaseFull, DatabaseUnusable
from bank.models import Deck
from bank.store import Store
from bank.tutor import Tutor
from tests.databases import faults, fill, press, rows
from tests.samples import make_deck
from tests.world import ErrorLog, World, text_of

spawn = multiprocessing.get_context("spawn")

NO_ROOM = "There is no room left on the disk, so this was not recorded."
NOT_WRITABLE = (
    "The database cannot be written to, so this was not recorded. "
    "Please tell whoever runs this bot."
)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 4 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if not shutil.which("mount"):
        pytest.skip("there is no mount here")
    mounted = ["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(disk)]
    if subprocess.run(mounted, capture_output=True, check=False).returncode:
        pytest.skip("this user may mount no file system")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def use_up(disk: Path, leave: int = 0) -> Path:
    """Fill a disk but for some bytes; the file that makes room again when it goes."""
    ballast = disk / "ballast"
    with ballast.open("wb") as file:
        room = os.statvfs(disk)
        file.write(bytes(room.f_bavail * room.f_frsize - leave))
    return ballast


# The bot on a full disk


@pytest.fixture
def decks() -> dict[Path, Deck]:
    return {Path("sample"): make_deck("kettle")}


async def test_on_a_full_disk_no_answer_seems_to_count_and_the_bot_stays_up(
    small_disk: Path, decks: dict[Path, Deck], error_log: ErrorLog
) -> None:
    database = small_disk / "quizdrop.db"
    async with World(database, decks) as world:
        tally = await world.drop_now()
        right = await world.press_right(world.ben, tally)
        assert "✓ Right" in text_of(right)

        ballast = use_up(small_disk)
        refused = await world.press_right(world.cleo, tally)
        assert NO_ROOM in text_of(refused)
        assert f"{database}: database or disk is full, SQLITE_FULL" in error_log.take()[0]
        assert (await world.tally(tally.drop.id)).answered == 1
        await world.tick()
        assert "Streak: 1 question day" in text_of(
            await world.ben.slash(world.channel, "streak show")
        )
        again = await world.press_wrong(world.ben, tally)
        assert "Your first answer stands." in text_of(again)

        ballast.unlink()
        assert "✓ Right" in text_of(await world.press_right(world.cleo, tally))
        assert (await world.tally(tally.drop.id)).answered == 2
    assert faults(database) == []


async def test_a_drop_that_falls_due_on_a_full_disk_is_posted_when_there_is_room(
    small_disk: Path, decks: dict[Path, Deck], error_log: ErrorLog
) -> None:
    async with World(small_disk / "quizdrop.db", decks) as world:
        await world.ada.slash(
            world.channel,
            "schedule add",
            deck="sample",
            channel=world.channel,
            times=f"{world.now.hour + 1:02}:00",
            zone="UTC",
        )
        ballast = use_up(small_disk)
        await world.wait(hours=1)
        assert await world.all_drops() == []
        assert any("could not ask what is due" in each for each in error_log.take())
        ballast.unlink()
        await world.wait(minutes=2)
        [drop] = await world.all_drops()
        assert drop.message
    assert faults(small_disk / "quizdrop.db") == []


def test_a_start_on_a_full_disk_is_one_sentence_that_names_the_file(small_disk: Path) -> None:
    use_up(small_disk)
    with pytest.raises(DatabaseFull) as caught:
        Store(small_disk / "quizdrop.db")
    assert caught.value.sentence == (
        f"There is no room left on the disk for the database {small_disk / 'quizdrop.db'}. "
        "Make some, then try again."
    )


def test_an_update_that_has_no_room_for_its_backup_leaves_the_database_as_it_was(
    small_disk: Path,
) -> None:
    from tests.test_migrations import SCHEMAS, load

    database = small_disk / "quizdrop.db"
    load(SCHEMAS[0], database)
    before = rows(database)
    ballast = use_up(small_disk, leave=80_000)
    with pytest.raises(DatabaseFull) as caught:
        Store(database)
    assert "A copy of the database cannot be written" in caught.value.sentence
    assert rows(database) == before
    assert sorted(path.name for path in small_disk.glob("*.db*")) == ["quizdrop.db"]
    ballast.unlink()
    Store(database).close()
    assert faults(database) == []


def test_a_backup_onto_a_full_disk_is_a_sentence_and_leaves_no_half_of_one(
    small_disk: Path, database: Path
) -> None:
    fill(database)
    use_up(small_disk, leave=50_000)
    done = subprocess.run(
        [sys.executable, "-m", "bot", "backup", small_disk / "b.db", "--database", database],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("A copy of the database cannot be written in the folder")
    assert [path.name for path in small_disk.iterdir()] == ["ballast"]


def test_a_bot_that_stops_on_a_full_disk_loses_no_answer(small_disk: Path) -> None:
    database = fill(small_disk / "quizdrop.db")
    with closing(Tutor.open(database, [make_deck()])) as tutor:
        for number in range(40):
            assert press(tutor, 12, 11, f"new-{number}") == "recorded"
        use_up(small_disk)
    assert sum(row["member"].startswith("new-") for row in rows(database)["answers"]) == 40
    assert faults(database) == []


# The same without a file system of one's own: a limit on the size of each file


def serve_presses(database: Path, drop: int, checkpoint: int, line: Connection) -> None:
    """Take members' names and answer for them until there is none; in a process of its own."""
    with closing(Tutor.open(database, [make_deck()])) as tutor:
        tutor._store.db.conn.execute(f"PRAGMA wal_autocheckpoint = {checkpoint}")
        while member := line.recv():
            line.send(press(tutor, drop, 11, member))
    line.send("closed")


class Presses:
    """A process with a tutor, whose files can be kept from growing."""

    def __init__(self, database: Path, checkpoint: int = 4000) -> None:
        self.resource = pytest.importorskip("resource")
        if not hasattr(self.resource, "prlimit"):
            pytest.skip("only Linux limits another process")
        self.line, far_end = spawn.Pipe()
        self.process = spawn.Process(target=serve_presses, args=(database, 12, checkpoint, far_end))
        self.process.start()
        far_end.close()

    def press(self, member: str) -> str:
        self.line.send(member)
        said: str = self.line.recv()
        return said

    def limit(self, size: int | None) -> None:
        kind = self.resource.RLIMIT_FSIZE
        _, hard = self.resource.prlimit(self.process.pid, kind)
        self.resource.prlimit(self.process.pid, kind, (hard if size is None else size, hard))

    def close(self) -> None:
        self.line.send("")
        assert self.line.recv() == "closed"
        self.process.join()
        assert self.process.exitcode == 0


def test_a_log_that_cannot_grow_refuses_answers_and_takes_them_when_it_can(
    database: Path,
) -> None:
    presses = Presses(fill(database))
    assert presses.press("before") == "recorded"
    presses.limit(database.with_name("quizdrop.db-wal").stat().st_size)
    assert [presses.press(f"during-{number}") for number in range(3)] == [NOT_WRITABLE] * 3
    assert presses.press("before") == "already recorded"
    presses.limit(None)
    assert presses.press("during-0") == "recorded"
    presses.close()
    members = {row["member"] for row in rows(database)["answers"]}
    assert {"before", "during-0"} <= members
    assert not members & {"during-1", "during-2"}
    assert faults(database) == []


def test_a_checkpoint_that_cannot_be_written_costs_no_answer(database: Path) -> None:
    fill(database, extra=2)
    presses = Presses(database, checkpoint=8)  # tried at every second answer or so
    presses.press("before")
    presses.limit(database.stat().st_size)  # the log may still grow to this, the file no more
    said = []
    while not said or said[-1] == "recorded":
        said.append(presses.press(f"during-{len(said):04}"))
    recorded = len(said) - 1
    assert recorded > 5
    assert said[-1] == NOT_WRITABLE
    presses.limit(None)
    assert presses.press("after") == "recorded"
    presses.close()
    members = {row["member"] for row in rows(database)["answers"]}
    assert {member for member in members if member.startswith("during-")} == {
        f"during-{number:04}" for number in range(recorded)
    }
    assert {"before", "after"} <= members
    assert faults(database) == []


# A disk that may not be written to


@pytest.mark.parametrize("state", ["closed in order", "after a kill"])
def test_a_start_on_a_disk_that_may_only_be_read_is_one_sentence_that_names_the_file(
    small_disk: Path, state: str
) -> None:
    database = fill(small_disk / "quizdrop.db")
    if state == "after a kill":
        with closing(Tutor.open(database, [make_deck()])) as tutor:
            press(tutor, 12, 11, "new")
            left = {path: path.read_bytes() for path in small_disk.glob("quizdrop.db-*")}
        for path, content in left.items():
            path.write_bytes(content)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(DatabaseUnusable) as caught:
        Store(database)
    assert caught.value.sentence in (
        f"The database {database} cannot be written to. Make the file and its folder writable, "
        "or name another file with --database.",
        f"The database {database} cannot be opened. Check that it is a file, and that you may use "
        "its folder, or name another file with --database.",
    )


def test_a_file_that_may_only_be_read_is_named(database: Path) -> None:
    fill(database).chmod(0o444)
    if os.access(database, os.W_OK):
        pytest.skip("this user may write everywhere")
    with pytest.raises(DatabaseUnusable) as caught:
        Store(database)
    assert caught.value.sentence == (
        f"The database {database} cannot be written to. Make the file and its folder writable, "
        "or name another file with --database."
    )
