"""The database file: opening it, what it refuses, its transactions, and its constraints."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bank.errors import DatabaseUnusable, StoreError
from bank.models import Answer
from bank.store import Store, answers, drops, schedules
from bank.store.connection import stamp
from bank.tutor import Tutor
from tests.samples import (
    GROUP,
    NOW,
    add_schedule,
    make_deck,
    make_question,
    post_due,
    slot_on,
)

spawn = multiprocessing.get_context("spawn")


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    with closing(Store(database)) as store:
        yield store


def zone(store: Store) -> str | None:
    with store.reading() as db:
        return schedules.zone_of_group(db, GROUP)


# Opening


def test_the_file_is_created_with_the_folders_above_it(tmp_path: Path) -> None:
    path = tmp_path / "one" / "two" / "quizdrop.db"
    with closing(Store(path)):
        assert path.is_file()


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)]
)
def test_a_commit_survives_a_power_cut_and_keys_are_checked(
    store: Store, pragma: str, value: object
) -> None:
    assert store.db.conn.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_a_lock_is_waited_for(store: Store) -> None:
    [milliseconds] = store.db.conn.execute("PRAGMA busy_timeout").fetchone()
    assert 1000 <= milliseconds <= 10_000


def test_a_new_file_has_these_tables_and_indexes(store: Store) -> None:
    names = store.db.conn.execute(
        "SELECT type, name FROM sqlite_master WHERE name NOT GLOB '*sqlite_*' ORDER BY type, name"
    ).fetchall()
    assert names == [
        ("index", "drops_by_message"),
        ("index", "drops_of_group"),
        ("index", "drops_to_follow"),
        ("index", "drops_to_take_back"),
        ("index", "drops_under_way"),
        ("index", "schedules_of_group"),
        ("table", "answers"),
        ("table", "days"),
        ("table", "drops"),
        ("table", "groups"),
        ("table", "missed_slots"),
        ("table", "questions"),
        ("table", "reports"),
        ("table", "retired"),
        ("table", "schedules"),
        ("table", "streaks"),
        ("table", "troubles"),
    ]


def test_opening_again_changes_nothing(database: Path) -> None:
    def dump() -> list[str]:
        with closing(Store(database)) as store:
            return list(store.db.conn.iterdump())

    assert dump() == dump()


def test_what_was_written_is_there_after_a_restart(database: Path) -> None:
    with closing(Store(database)) as store, store.writing() as db:
        schedules.set_zone(db, GROUP, "Europe/Berlin")
    with closing(Store(database)) as store:
        assert zone(store) == "Europe/Berlin"


def test_opening_a_new_file_waits_for_another_process_that_is_writing_to_it(
    database: Path,
) -> None:
    locked = threading.Event()

    def hold() -> None:
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            locked.set()
            time.sleep(0.3)
            other.execute("COMMIT")

    holder = threading.Thread(target=hold)
    holder.start()
    locked.wait()
    with closing(Store(database)) as store:
        assert zone(store) is None
    holder.join()


def open_many(folder: Path, count: int, ready: Barrier, told: Connection) -> None:
    """Open files that other processes open at the same moment, and tell what went wrong.

    It runs in a process of its own.
    """
    faults = []
    for number in range(count):
        ready.wait(timeout=20)
        try:
            with closing(Store(folder / f"{number}.db")) as store, store.writing() as db:
                schedules.set_zone(db, f"{os.getpid()}", "UTC")
        except (StoreError, sqlite3.Error) as error:
            faults.append(f"{number}: {error!r}")
    told.send(faults)


def test_processes_may_open_one_new_file_at_once(tmp_path: Path) -> None:
    number_of_processes, count = 4, 20
    ready = spawn.Barrier(number_of_processes)
    pipes = [spawn.Pipe(duplex=False) for _ in range(number_of_processes)]
    listening, telling = zip(*pipes, strict=True)
    processes = [
        spawn.Process(target=open_many, args=(tmp_path, count, ready, end)) for end in telling
    ]
    for process, end in zip(processes, telling, strict=True):
        process.start()
        end.close()  # so that a process which ends without a word is noticed
    faults = [fault for end in listening for fault in end.recv()]
    for process in processes:
        process.join(timeout=30)
    assert faults == []
    assert [process.exitcode for process in processes] == [0] * number_of_processes
    for number in range(count):
        with closing(sqlite3.connect(tmp_path / f"{number}.db")) as other:
            assert other.execute("SELECT count(*) FROM groups").fetchone() == (number_of_processes,)


# What cannot be opened


def no_database(path: Path) -> Path:
    path.write_text("These are my notes, and no database at all.\n" * 40)
    return path


def a_folder(path: Path) -> Path:
    path.mkdir()
    return path


def under_a_file(path: Path) -> Path:
    path.write_text("")
    return path / "quizdrop.db"


def from_a_newer_version(path: Path) -> Path:
    with closing(Store(path)) as store, store.writing() as db:
        db.table("_sqlite_migrations").insert(
            {"migration_set": "quizdrop", "name": "m999_of_tomorrow", "applied_at": "2030-01-01"}
        )
    return path


def of_another_program(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE questions (title TEXT)")
        other.commit()
    return path


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (no_database, "is no quizdrop database, or it is damaged"),
        (a_folder, "cannot be opened. Check that it is a file"),
        (under_a_file, "cannot be opened"),
        (from_a_newer_version, "was written by a newer version of quizdrop"),
        (of_another_program, "is no quizdrop database"),
    ],
)
def test_what_is_no_database_of_ours_is_refused_in_a_sentence_that_names_it(
    tmp_path: Path, make: object, words: str
) -> None:
    path = make(tmp_path / "file")  # type: ignore[operator]
    with pytest.raises(DatabaseUnusable) as caught:
        Store(path)
    assert str(path) in caught.value.sentence
    assert words in caught.value.sentence
    assert caught.value.sentence.endswith(".")


def test_a_file_that_is_refused_stays_as_it_was(tmp_path: Path) -> None:
    for make in (no_database, from_a_newer_version, of_another_program):
        path = make(tmp_path / make.__name__)
        before = path.read_bytes()
        with pytest.raises(DatabaseUnusable):
            Store(path)
        assert path.read_bytes() == before


def test_a_file_that_may_not_be_read_is_refused_by_name(database: Path) -> None:
    Store(database).close()
    database.chmod(0o000)
    if os.access(database, os.R_OK):
        pytest.skip("this user may read every file")
    with pytest.raises(DatabaseUnusable) as caught:
        Store(database)
    assert str(database) in caught.value.sentence


def test_a_folder_that_may_not_be_written_to_is_told_in_a_sentence(database: Path) -> None:
    Store(database).close()
    database.parent.chmod(0o500)
    try:
        if os.access(database.parent, os.W_OK):
            pytest.skip("this user may write everywhere")
        with pytest.raises(DatabaseUnusable, match="cannot be written to"):
            Store(database)
    finally:
        database.parent.chmod(0o700)


def test_a_damaged_file_is_told_in_a_sentence_that_names_it(database: Path) -> None:
    with closing(Tutor.open(database, [make_deck()])) as tutor:
        add_schedule(tutor)
    content = bytearray(database.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)  # all but the first page
    database.write_bytes(content)
    with (
        pytest.raises(DatabaseUnusable) as caught,
        closing(Tutor.open(database, [make_deck()])) as tutor,
    ):
        tutor.timetable.schedules(GROUP)
    assert str(database) in caught.value.sentence


# Transactions


@pytest.mark.parametrize("failure", [ZeroDivisionError, KeyboardInterrupt])
def test_a_failure_in_the_middle_of_writing_leaves_nothing(
    store: Store, failure: type[BaseException]
) -> None:
    def write_and_fail() -> None:
        with store.writing() as db:
            schedules.set_zone(db, GROUP, "UTC")
            raise failure

    with pytest.raises(failure):
        write_and_fail()
    assert zone(store) is None
    with store.writing() as db:
        schedules.set_zone(db, GROUP, "Asia/Tokyo")
    assert zone(store) == "Asia/Tokyo"


def write_and_wait(path: Path, told: Connection) -> None:
    """Write, tell it, and never commit. It runs in a process of its own."""
    with Store(path).writing() as db:
        schedules.set_zone(db, GROUP, "UTC")
        told.send("written")
        threading.Event().wait()


def test_a_process_killed_before_its_commit_leaves_nothing_and_no_lock(database: Path) -> None:
    listening, telling = spawn.Pipe(duplex=False)
    process = spawn.Process(target=write_and_wait, args=(database, telling))
    process.start()
    telling.close()
    assert listening.recv() == "written"
    process.kill()
    process.join()
    with closing(Store(database)) as store:
        assert zone(store) is None
        with store.writing() as db:
            schedules.set_zone(db, GROUP, "Asia/Tokyo")
        assert zone(store) == "Asia/Tokyo"


def test_what_is_read_in_one_transaction_is_of_one_moment(store: Store, database: Path) -> None:
    with closing(Store(database)) as other, store.reading() as db:
        assert schedules.zone_of_group(db, GROUP) is None
        with other.writing() as others:
            schedules.set_zone(others, GROUP, "UTC")
        assert schedules.zone_of_group(db, GROUP) is None
    assert zone(store) == "UTC"


def test_what_is_read_while_writing_cannot_change_before_the_commit(
    store: Store, database: Path
) -> None:
    with closing(Store(database)) as other:
        other.db.conn.execute("PRAGMA busy_timeout = 0")
        with store.writing() as db:
            assert schedules.zone_of_group(db, GROUP) is None
            with pytest.raises(StoreError), other.writing():
                pass


def test_another_thread_is_refused(store: Store) -> None:
    refusals: list[Exception] = []

    def read() -> None:
        try:
            zone(store)
        except sqlite3.ProgrammingError as error:
            refusals.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert len(refusals) == 1


# Constraints hold whatever the code does


@pytest.fixture
def filled(store: Store) -> sqlite3.Connection:
    """A posted drop with one answer, on the connection that the tutor itself uses."""
    tutor = Tutor(store, [make_deck()])
    add_schedule(tutor)
    [drop] = post_due(tutor, slot_on(0))
    tutor.answering.press(drop, 0, "ada", "message-1", slot_on(0))
    tutor.library.close()
    return store.db.conn


# A second drop with everything that the first has, but for what is named.
ANOTHER_DROP = """
    INSERT INTO drops (number, schedule, group_id, room, deck, question, version, "order", seed,
                       slot, claimed_at, closes_at, explain, state, message, day)
    SELECT {number}, {schedule}, group_id, room, deck, question, version, "order", seed,
           slot, claimed_at, closes_at, explain, state, message, {day} FROM drops
"""


@pytest.mark.parametrize(
    ("statement", "constraint"),
    [
        ("INSERT INTO answers VALUES (1, 'ada', 3, 'later')", "answers.drop_id, answers.member"),
        ("INSERT INTO answers VALUES (99, 'ada', 3, 'now')", "FOREIGN KEY"),
        ("INSERT INTO answers VALUES (1, 'ben', 0, 'now')", "CHECK"),
        ("INSERT INTO answers VALUES (1, 'ben', 256, 'now')", "CHECK"),
        (ANOTHER_DROP.format(number=2, schedule=1, day=1), "drops.schedule, drops.slot"),
        (ANOTHER_DROP.format(number=1, schedule="NULL", day=1), "drops.group_id, drops.number"),
        (ANOTHER_DROP.format(number=2, schedule="NULL", day=7), "FOREIGN KEY"),
        (ANOTHER_DROP.format(number=2, schedule=99, day=1), "FOREIGN KEY"),
        ("UPDATE drops SET message = NULL", "CHECK"),
        ("UPDATE drops SET day = NULL", "CHECK"),
        ("UPDATE drops SET state = 'revealed', message = NULL", "CHECK"),
        ("UPDATE drops SET state = 'half posted'", "CHECK"),
        ("UPDATE drops SET version = 'never saved'", "FOREIGN KEY"),
        ("INSERT INTO days VALUES ('4001', 2, '2026-03-02')", "days.group_id, days.date"),
        ("INSERT INTO days VALUES ('4001', 1, '2026-03-09')", "days.group_id, days.number"),
        ("UPDATE streaks SET freezes = 3", "CHECK"),
        ("UPDATE streaks SET run = 7", "CHECK"),
        ("UPDATE schedules SET open_minutes = 0", "CHECK"),
        ("DELETE FROM groups", "FOREIGN KEY"),
    ],
)
def test_the_schema_itself_refuses(
    filled: sqlite3.Connection, statement: str, constraint: str
) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=constraint):
        filled.execute(statement)


def test_an_answer_that_the_schema_refuses_is_not_taken_for_an_earlier_one(
    store: Store, filled: sqlite3.Connection
) -> None:
    answer = Answer(drop=1, member="ben", options=(8,), at=slot_on(0))
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"), store.writing() as db:
        answers.record(db, answer)


@pytest.mark.parametrize("options", [(0,), (7,), (0, 7), (1, 2, 4), tuple(range(8))])
def test_an_answer_is_read_as_it_was_written(
    store: Store, filled: sqlite3.Connection, options: tuple[int, ...]
) -> None:
    answer = Answer(drop=1, member="ben", options=options, at=slot_on(0))
    with store.writing() as db:
        assert answers.record(db, answer)
        assert not answers.record(db, answer.model_copy(update={"options": (3,)}))
        assert answers.get(db, 1, "ben") == answer


def test_a_slot_that_is_claimed_gives_no_second_drop(
    store: Store, filled: sqlite3.Connection
) -> None:
    with store.writing() as db:
        terms = schedules.get(db, GROUP, 1)
        assert terms is not None
        claimed = drops.claim(
            db,
            GROUP,
            terms,
            make_question(),
            schedule=terms.id,
            order=(0, 1, 2, 3),
            seed=1,
            slot=slot_on(0),
            claimed_at=slot_on(0, 10, 1),
            closes_at=slot_on(0, 11),
        )
    assert claimed is None
    assert filled.execute("SELECT count(*) FROM drops").fetchone() == (1,)


def test_another_drop_that_breaks_no_rule_is_taken(filled: sqlite3.Connection) -> None:
    filled.execute(ANOTHER_DROP.format(number=2, schedule="NULL", day=1))
    assert filled.execute("SELECT count(*) FROM drops").fetchone() == (2,)


def test_an_id_is_never_given_to_a_second_drop(filled: sqlite3.Connection) -> None:
    # It stands in the buttons of old messages.
    for _ in range(2):
        filled.execute(ANOTHER_DROP.format(number=2, schedule="NULL", day=1))
        [newest] = filled.execute("SELECT max(id) FROM drops").fetchone()
        filled.execute("DELETE FROM drops WHERE id <> 1")
    assert newest == 3


# Instants as text


offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
instants = st.datetimes(
    min_value=NOW.replace(year=1990, tzinfo=None),
    max_value=NOW.replace(year=2100, tzinfo=None),
    timezones=offsets,
)


@given(instants, instants)
def test_instants_as_text_sort_as_time_does(one: datetime, other: datetime) -> None:
    assert (stamp(one) < stamp(other)) == (one < other)
    assert datetime.fromisoformat(stamp(one)) == one


def test_an_instant_is_kept_in_utc_with_microseconds() -> None:
    assert stamp(NOW) == "2026-03-02T09:00:00.000000+00:00"
    assert datetime.fromisoformat(stamp(NOW)).tzinfo == UTC
