"""A database of every earlier version becomes one of this version, and nothing of it is lost.

Each version's database is kept as SQL in tests/schemas: vN.sql holds what N migrations had made.
A new migration needs the file of the version before it, made by that version's own code.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from bank.errors import DatabaseUnusable
from bank.store import Store
from bank.store.backups import restore
from bank.store.health import Finding, examine
from bank.store.schema import migrations
from bank.tutor import Tutor
from tests.databases import faults, rows
from tests.samples import NOW, make_deck

SCHEMAS = sorted((Path(__file__).parent / "schemas").glob("v*.sql"))
ALL = [migration.name for migration in migrations._migrations]

# Columns that a later version no longer has, and where their content went.
MOVED = {("schedules", "problem"): "troubles"}
# Columns that were written anew, as another of the same row.
REWRITTEN = {("answers", "option"): ("options", lambda option: 1 << option)}


def version_of(schema: Path) -> int:
    return int(schema.stem.removeprefix("v"))


@pytest.fixture(params=SCHEMAS, ids=lambda path: path.stem)
def schema(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def old(schema: Path, database: Path) -> Path:
    """A database file of an earlier version."""
    load(schema, database)
    return database


def load(schema: Path, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(schema.read_text())


def definitions(path: Path) -> set[tuple[str, str, str]]:
    """Every table and index with its SQL, however it is laid out."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    return {(kind, name, re.sub(r"\s+", "", sql or "")) for kind, name, sql in found}


def test_every_version_before_a_migration_is_kept_as_sql() -> None:
    assert {version_of(path) for path in SCHEMAS} >= set(range(1, len(ALL)))


def test_each_file_is_of_the_version_that_its_name_says(schema: Path, old: Path) -> None:
    applied = [row["name"] for row in rows(old)["_sqlite_migrations"]]
    assert applied == ALL[: version_of(schema)]
    empty = [table for table, content in rows(old).items() if not content]
    assert empty == []  # a table without rows shows nothing of what becomes of them
    assert faults(old) == []


def test_a_migrated_database_is_whole_and_has_the_tables_of_a_new_one(
    old: Path, tmp_path: Path
) -> None:
    Store(old).close()
    Store(tmp_path / "new.db").close()
    assert faults(old) == []
    assert definitions(old) == definitions(tmp_path / "new.db")


def test_every_row_and_every_column_is_carried_over(old: Path) -> None:
    before = rows(old)
    Store(old).close()
    after = rows(old)
    before.pop("_sqlite_migrations")
    for table, content in before.items():
        kept = [name for name in content[0] if (table, name) not in {*MOVED, *REWRITTEN}]
        key = [[str(row[name]) for name in kept] for row in content]
        assert sorted([str(row[name]) for name in kept] for row in after[table]) == sorted(key)


def test_what_moved_is_where_it_went(old: Path) -> None:
    before = rows(old)
    Store(old).close()
    after = rows(old)
    for (table, column), place in MOVED.items():
        moved = {row[column] for row in before[table] if row.get(column) is not None}
        assert moved <= {value for row in after[place] for value in row.values()}


def test_what_was_written_anew_says_the_same_of_each_row(old: Path) -> None:
    before = rows(old)
    Store(old).close()
    after = rows(old)
    for (table, column), (name, anew) in REWRITTEN.items():
        others = [each for each in before[table][0] if each != column]
        written = sorted(([row[each] for each in others], row[name]) for row in after[table])
        assert written == sorted(
            ([row[each] for each in others], anew(row[column])) for row in before[table]
        )


def test_old_answers_are_graded_as_they_were(old: Path) -> None:
    before = rows(old)
    bodies = {row["version"]: json.loads(row["body"]) for row in before["questions"]}
    drops = {row["id"]: row for row in before["drops"] if row["day"] is not None}
    right: Counter[tuple[str, str]] = Counter()
    for row in before["answers"]:
        if drop := drops.get(row["drop_id"]):
            options = bodies[drop["version"]]["options"]
            right[drop["group_id"], row["member"]] += options[row["option"]]["correct"]
    with closing(Tutor.open(old, [])) as tutor:
        boards = {
            (group, each.member): each.right
            for group in {drop["group_id"] for drop in drops.values()}
            for each in tutor.boards.board(group, NOW.replace(year=NOW.year + 1))
        }
    assert boards == right
    assert any(boards.values())


def test_a_migrated_database_goes_on(old: Path) -> None:
    live = {row["id"]: row["message"] for row in rows(old)["drops"] if row["state"] == "posted"}
    assert live
    ids = {row["id"] for row in rows(old)["drops"]}
    with closing(Tutor.open(old, [make_deck(), make_deck(name="other")])) as tutor:
        for drop, message in live.items():
            tally = tutor.posting.tally(drop)
            now = tally.drop.claimed_at
            outcome = tutor.answering.press(drop, 0, "new-member", message, now)
            assert outcome.new
            assert tutor.boards.standing(tally.drop.group, "new-member", now).streak.length == 1
        tutor.posting.due(now.replace(year=now.year + 1), 1)
    new = {row["id"] for row in rows(old)["drops"]} - ids
    assert new
    assert min(new) > max(ids)
    assert faults(old) == []


def test_an_older_database_is_backed_up_before_it_is_migrated(old: Path, schema: Path) -> None:
    before = rows(old)
    Store(old).close()
    [backup] = old.parent.glob("quizdrop-backup-*.db")
    assert backup.name == f"quizdrop-backup-before-{ALL[version_of(schema)]}.db"
    assert rows(backup) == before
    assert examine(backup) is Finding.OURS
    Store(old).close()  # nothing is left to migrate, so nothing is backed up
    assert list(old.parent.glob("quizdrop-backup-*.db")) == [backup]


def test_a_new_database_is_not_backed_up(database: Path) -> None:
    Store(database).close()
    assert [path.name for path in database.parent.iterdir()] == ["quizdrop.db"]


def test_an_older_backup_may_be_restored_and_is_migrated_at_the_next_start(old: Path) -> None:
    before = rows(old)
    Store(old).close()
    [backup] = old.parent.glob("quizdrop-backup-*.db")
    restore(backup, old, NOW)
    assert rows(old) == before
    Store(old).close()
    assert faults(old) == []
    # The first backup is not overwritten by the second.
    assert len(list(old.parent.glob("quizdrop-backup-before-*.db"))) == 2


def test_a_migration_that_cannot_be_done_leaves_the_database_as_it_was(database: Path) -> None:
    load(SCHEMAS[0], database)
    with closing(sqlite3.connect(database)) as other:
        other.execute("CREATE TABLE troubles (of_another TEXT)")  # the next version's own table
        other.commit()
    before = rows(database)
    with pytest.raises(DatabaseUnusable) as caught:
        Store(database)
    assert f"The database {database} could not be brought up to this version" in str(caught.value)
    assert "A copy from before is quizdrop-backup-before-" in caught.value.sentence
    assert rows(database) == before
