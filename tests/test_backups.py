"""`quizdrop backup` and `quizdrop restore`: on a database in use, and whatever interrupts them."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from bank.errors import DatabaseBusy, DatabaseUnusable, StoreError
from bank.store import Store
from bank.store.backups import back_up, backup_name, restore
from bank.store.health import latest_backup
from bank.tutor import Tutor
from tests.databases import MEMBERS, faults, fill, press, rows
from tests.samples import NOW, make_deck
from tests.test_run import ROOT, output, start
from tests.wire import Wire

spawn = multiprocessing.get_context("spawn")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def answers(path: Path) -> set[tuple[int, str]]:
    return {(row["drop_id"], row["member"]) for row in rows(path)["answers"]}


def cli(*arguments: str | Path, cwd: Path, limit: int | None = None) -> tuple[int, str]:
    """`quizdrop …` in a process of its own; its exit code and what it printed.

    No file that it writes may grow past `limit` bytes, as if the disk were full.
    """

    limited = None
    if limit is not None:
        resource = pytest.importorskip("resource")

        def limited() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = subprocess.run(
        [sys.executable, "-m", "bot", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout + done.stderr


# Backing up


def answer_on_and_on(database: Path, drop: int, told: Connection) -> None:
    """Members answer one after the other until the process is ended; it runs in its own."""
    with closing(Tutor.open(database, [make_deck()])) as tutor:
        for number in range(10**6):
            member = f"writer-{number}"
            assert press(tutor, drop, 59, member) == "recorded"
            told.send(member)


def test_a_backup_of_a_database_in_use_stops_no_writer_and_holds_every_acknowledged_answer(
    database: Path, tmp_path: Path
) -> None:
    fill(database, days=60, extra=300)
    listening, telling = spawn.Pipe(duplex=False)
    writer = spawn.Process(target=answer_on_and_on, args=(database, 60, telling))
    writer.start()
    telling.close()
    acknowledged = {listening.recv()}
    target = tmp_path / "copy.db"
    during = 0
    try:
        for _ in range(20):
            while listening.poll():
                acknowledged.add(listening.recv())
            back_up(database, target)
            while listening.poll():
                listening.recv()
                during += 1
            assert {(60, member) for member in acknowledged} <= answers(target)
            if during:
                break
    finally:
        writer.kill()
        writer.join()
        listening.close()
    assert during
    assert faults(target) == []


def test_a_backup_is_one_file_that_opens_like_the_database(database: Path, tmp_path: Path) -> None:
    with closing(Tutor.open(fill(database), [make_deck()])):
        contents = back_up(database, tmp_path / "copy.db")
    assert names(tmp_path) == ["copy.db", "quizdrop.db"]
    assert rows(tmp_path / "copy.db") == rows(database)
    counted = rows(database)
    assert contents == (
        len(counted["drops"]),
        len(counted["answers"]),
        (tmp_path / "copy.db").stat().st_size,
    )
    Store(tmp_path / "copy.db").close()


def test_an_earlier_backup_is_replaced(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    back_up(fill(database), target)
    with closing(Tutor.open(database, [make_deck()])) as tutor:
        assert press(tutor, 12, 11, "new") == "recorded"
    back_up(database, target)
    assert (12, "new") in answers(target)


def a_text(path: Path) -> None:
    path.write_text("Notes of mine.\n" * 100)


def another_programs(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE photos (title TEXT)")


def a_database_in_use(path: Path) -> None:
    with closing(sqlite3.connect(fill(path))) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def a_restored_database_not_yet_used(path: Path) -> None:
    backup = path.with_name("backup.db")
    back_up(fill(path), backup)
    restore(backup, path, NOW)


@pytest.mark.parametrize(
    "make", [a_text, another_programs, a_database_in_use, a_restored_database_not_yet_used]
)
def test_a_backup_overwrites_nothing_but_an_earlier_backup(
    database: Path, tmp_path: Path, make: object
) -> None:
    fill(database)
    (tmp_path / "there").mkdir()
    target = tmp_path / "there" / "file"
    make(target)  # type: ignore[operator]
    before = target.read_bytes()
    with pytest.raises(DatabaseUnusable, match="is there already and is no earlier backup"):
        back_up(database, target)
    assert target.read_bytes() == before


def test_a_database_is_not_backed_up_onto_itself(database: Path, tmp_path: Path) -> None:
    back_up(fill(tmp_path / "first.db"), database)  # a backup in shape, used as the database
    (tmp_path / "link.db").symlink_to(database)
    for same in (database, tmp_path / "link.db"):
        with pytest.raises(DatabaseUnusable, match="is no earlier backup"):
            back_up(database, same)


def test_a_damaged_database_takes_no_backups_place(database: Path, tmp_path: Path) -> None:
    back_up(fill(database), tmp_path / "copy.db")
    before = (tmp_path / "copy.db").read_bytes()
    with database.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(bytes(4096))
    with pytest.raises(DatabaseUnusable, match="is damaged"):
        back_up(database, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_bytes() == before
    assert names(tmp_path) == ["copy.db", "quizdrop.db"]


def test_a_backup_that_finds_no_room_is_a_sentence_and_leaves_the_earlier_one(
    database: Path, tmp_path: Path
) -> None:
    back_up(fill(database), tmp_path / "copy.db")
    before = (tmp_path / "copy.db").read_bytes()
    code, said = cli("backup", "copy.db", "--database", database, cwd=tmp_path, limit=40_000)
    assert code == 1
    assert said == (
        f"A copy of the database cannot be written in the folder {tmp_path}, so nothing was "
        "changed. Check that the folder exists, that it may be written to, and that its disk has "
        "room.\n"
    )
    assert (tmp_path / "copy.db").read_bytes() == before
    assert names(tmp_path) == ["copy.db", "quizdrop.db"]


def killed_when(sign: Path, *arguments: str | Path, cwd: Path, after: float = 0) -> bool:
    """Run `quizdrop …` and kill it when the file `sign` has content; False if it ended before."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
    )
    pattern = sign.name.replace("PID", str(process.pid))
    watched = sign.with_name(pattern)
    while process.poll() is None and not (watched.exists() and watched.stat().st_size):
        time.sleep(0.0005)
    time.sleep(after)
    process.kill()
    return process.wait() == -signal.SIGKILL


def test_a_backup_that_is_killed_leaves_the_earlier_one(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    back_up(fill(database, extra=3000), target)
    before = target.read_bytes()
    sign = tmp_path / "copy.db.PID.part"
    assert killed_when(sign, "backup", target, "--database", database, cwd=tmp_path)
    assert target.read_bytes() == before
    back_up(database, target)  # what the killed one left is in nobody's way
    assert faults(target) == []


def test_a_backup_without_a_name_lies_where_it_is_found_again(tmp_path: Path) -> None:
    database = fill(tmp_path / "group's [1].db")
    code, said = cli("backup", "--database", database, cwd=tmp_path)
    backup = latest_backup(database)
    assert backup is not None
    assert backup.name.startswith("group's [1]-backup-")
    assert said == f"Backed up 12 drops and 29 answers (0.1 MB) to {backup}.\n"
    assert code == 0


def test_there_is_nothing_to_back_up_before_the_first_start(tmp_path: Path) -> None:
    code, said = cli("backup", "copy.db", "--database", "q.db", cwd=tmp_path)
    assert said == (
        "There is no database q.db yet, so there is nothing to back up. "
        "Name another file with --database.\n"
    )
    assert (code, names(tmp_path)) == (1, [])


# Restoring


def test_a_restore_brings_back_the_backup_and_keeps_what_was_there(
    database: Path, tmp_path: Path
) -> None:
    back_up(fill(database), tmp_path / "copy.db")
    then = rows(database)
    with closing(Tutor.open(database, [make_deck()])) as tutor:
        press(tutor, 12, 11, "new")
    now = rows(database)
    code, said = cli("restore", "copy.db", "--database", database, cwd=tmp_path)
    [kept] = tmp_path.glob("quizdrop-replaced-*Z.db")
    assert said == (
        f"Restored 12 drops and 29 answers (0.1 MB) to {database}.\n"
        f"What was there before is kept in {kept}.\n"
    )
    assert code == 0
    assert rows(database) == then
    assert rows(kept) == now
    assert names(tmp_path) == ["copy.db", kept.name, "quizdrop.db"]
    # A state that somebody wanted to be rid of is no backup to be proposed.
    assert latest_backup(database) is None


def test_a_restore_where_no_database_is_makes_one(database: Path, tmp_path: Path) -> None:
    back_up(fill(database), tmp_path / "copy.db")
    new = tmp_path / "new" / "folder" / "quizdrop.db"
    restored = restore(tmp_path / "copy.db", new, NOW)
    assert restored.kept is None
    assert rows(new) == rows(database)
    assert names(new.parent) == ["quizdrop.db"]


def test_a_log_that_a_lost_database_left_behind_is_not_mixed_into_the_restored_one(
    database: Path, tmp_path: Path
) -> None:
    back_up(fill(database), tmp_path / "copy.db")
    with closing(Tutor.open(database, [make_deck()])) as tutor:
        for number in range(50):
            press(tutor, 12, 11, f"new-{number}")
        log = (tmp_path / "quizdrop.db-wal").read_bytes()
    database.unlink()
    (tmp_path / "quizdrop.db-wal").write_bytes(log)
    restored = restore(tmp_path / "copy.db", database, NOW)
    assert rows(database) == rows(tmp_path / "copy.db")
    assert restored.kept is not None
    assert restored.kept.with_name(restored.kept.name + "-wal").read_bytes() == log


def newer(path: Path) -> None:
    with closing(sqlite3.connect(fill(path))) as other:
        other.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('quizdrop', 'm999_of_tomorrow', '2030-01-01')"
        )
        other.commit()


def damaged(path: Path) -> None:
    content = bytearray(fill(path).read_bytes())
    content[4096 * 3 : 4096 * 4] = bytes(4096)
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.touch()


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (a_text, "is no quizdrop database, or it is damaged"),
        (another_programs, "is no quizdrop database, but another program's"),
        (newer, "was written by a newer version of quizdrop"),
        (damaged, "is damaged"),
        (empty, "is no quizdrop database"),
        (None, "is not there"),
    ],
)
def test_what_is_no_backup_is_not_restored(
    database: Path, tmp_path: Path, make: object, why: str
) -> None:
    before = rows(fill(database))
    (tmp_path / "there").mkdir()
    file = tmp_path / "there" / "file"
    if make:
        make(file)  # type: ignore[operator]
    with pytest.raises(DatabaseUnusable) as caught:
        restore(file, database, NOW)
    assert caught.value.sentence.startswith(f"The file {file} {why}, so nothing was restored.")
    assert rows(database) == before
    assert names(tmp_path) == ["quizdrop.db", "there"]


def test_a_database_is_not_restored_onto_itself(database: Path) -> None:
    fill(database)
    with pytest.raises(DatabaseUnusable, match="is the database itself"):
        restore(database, database, NOW)


def test_another_programs_database_is_not_replaced(database: Path, tmp_path: Path) -> None:
    back_up(fill(database), tmp_path / "copy.db")
    another_programs(tmp_path / "photos.db")
    before = (tmp_path / "photos.db").read_bytes()
    with pytest.raises(DatabaseUnusable, match="another program's"):
        restore(tmp_path / "copy.db", tmp_path / "photos.db", NOW)
    assert (tmp_path / "photos.db").read_bytes() == before


def test_a_newer_versions_database_may_be_replaced_after_a_return_to_an_older_one(
    database: Path, tmp_path: Path
) -> None:
    back_up(fill(tmp_path / "old.db"), tmp_path / "copy.db")
    newer(database)
    restore(tmp_path / "copy.db", database, NOW)
    Store(database).close()
    assert rows(database)["answers"] == rows(tmp_path / "old.db")["answers"]


async def test_nothing_is_restored_under_a_running_bot(database: Path, tmp_path: Path) -> None:
    back_up(fill(database), tmp_path / "copy.db")
    with closing(Tutor.open(database, [make_deck()])) as tutor:
        press(tutor, 12, 11, "new")
    now = rows(database)
    async with Wire() as wire, wire.bot(database) as bot:
        await asyncio.sleep(0.5)  # it is idle now: no transaction is under way
        restoring = await start(
            tmp_path, "-m", "bot", "restore", "copy.db", QUIZDROP_DATABASE=str(database)
        )
        _, said = await output(restoring)
        assert said == (
            f"The database {database} is in use, perhaps by a running bot. "
            "Stop it, then restore again; nothing was changed.\n"
        )
        assert restoring.returncode == 1
        assert await bot.stop() == 0
    assert answers(database) == {(row["drop_id"], row["member"]) for row in now["answers"]}
    assert not list(tmp_path.glob("*-replaced-*"))
    restore(tmp_path / "copy.db", database, NOW)
    assert (12, "new") not in answers(database)


def hold_open(database: Path, told: Connection) -> None:
    """Have a database open, idle, until the process is ended. It runs in a process of its own."""
    with closing(Store(database)):
        told.send("open")
        time.sleep(60)


def test_a_damaged_database_is_not_replaced_while_a_process_has_it_open(
    database: Path, tmp_path: Path
) -> None:
    back_up(fill(database), tmp_path / "copy.db")
    listening, telling = spawn.Pipe(duplex=False)
    holder = spawn.Process(target=hold_open, args=(database, telling))
    holder.start()
    assert listening.recv() == "open"
    with database.open("r+b") as file:
        file.write(b"no header any more" * 10)
    before = database.read_bytes()
    with pytest.raises(DatabaseBusy, match="is in use, perhaps by a running bot"):
        restore(tmp_path / "copy.db", database, NOW)
    assert database.read_bytes() == before
    holder.kill()
    holder.join()
    restored = restore(tmp_path / "copy.db", database, NOW)
    assert rows(database) == rows(tmp_path / "copy.db")
    assert restored.kept == tmp_path / "quizdrop-damaged-20260302T090000Z.db"
    assert restored.kept.read_bytes() == before


def test_a_restore_that_is_killed_leaves_the_old_or_the_new_database_whole(
    database: Path, tmp_path: Path
) -> None:
    back_up(fill(database, extra=1500), tmp_path / "copy.db")
    new = answers(database)
    fill(tmp_path / "other.db", days=14, extra=1200)
    old = answers(tmp_path / "other.db")
    part, journal = "quizdrop.db.PID.part", "quizdrop.db-journal"
    for sign, after in ((part, 0.0), (journal, 0.0), (journal, 0.01), (journal, 0.03)):
        shutil.copyfile(tmp_path / "other.db", database)
        killed = killed_when(
            tmp_path / sign,
            *("restore", tmp_path / "copy.db", "--database", database),
            cwd=tmp_path,
            after=after,
        )
        assert killed or after
        Store(database).close()
        assert answers(database) in ([old] if sign == part else [old, new])
        assert faults(database) == []


@pytest.mark.parametrize("room", ["for no copy", "for a copy, but not for SQLite's journal"])
def test_a_restore_that_finds_no_room_leaves_the_old_database(
    database: Path, tmp_path: Path, room: str
) -> None:
    back_up(fill(database, extra=300), tmp_path / "copy.db")
    with closing(Tutor.open(database, [make_deck()])) as tutor:
        press(tutor, 12, 11, "new")
    before = rows(database)
    # The journal holds each page that is overwritten, and a few bytes more for each.
    size = (tmp_path / "copy.db").stat().st_size
    assert size == database.stat().st_size
    limit = 40_000 if room == "for no copy" else size + 512
    code, said = cli("restore", "copy.db", "--database", database, cwd=tmp_path, limit=limit)
    assert "so nothing was changed" in said
    assert code == 1
    Store(database).close()
    assert rows(database) == before
    assert not list(tmp_path.glob("*.part"))


def test_two_restores_in_one_second_keep_both_states(database: Path, tmp_path: Path) -> None:
    back_up(fill(database), tmp_path / "copy.db")
    first = restore(tmp_path / "copy.db", database, NOW)
    second = restore(tmp_path / "copy.db", database, NOW + timedelta(milliseconds=5))
    assert first.kept != second.kept
    assert first.kept is not None
    assert first.kept.exists()


def test_a_restored_database_takes_answers(database: Path, tmp_path: Path) -> None:
    back_up(fill(database), tmp_path / "copy.db")
    restore(tmp_path / "copy.db", database, NOW)
    with closing(Tutor.open(database, [make_deck()])) as tutor:
        assert press(tutor, 12, 11, MEMBERS[0]) == "already recorded"
        assert press(tutor, 12, 11, "new") == "recorded"
    assert faults(database) == []


def test_a_backup_is_named_after_its_second_in_utc(database: Path) -> None:
    assert backup_name(database, NOW).name == "quizdrop-backup-20260302T090000Z.db"


def test_a_refusal_of_a_copy_is_one_that_the_command_line_shows(
    database: Path, tmp_path: Path
) -> None:
    fill(database)
    with pytest.raises(StoreError) as caught:
        back_up(database, tmp_path / "no folder" / "copy.db")
    assert f"cannot be written in the folder {tmp_path / 'no folder'}" in caught.value.sentence
