"""`quizdrop rebuild`: every streak from answers and question days, and what differed is said."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bank.store import Store, answers
from bank.tutor import Tutor
from bot.cli import main
from tests.conftest import OpenTutor
from tests.samples import GROUP, NOW, add_schedule, drop_by_hand, make_deck, post_due, slot_on

OTHER = "5001"


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("QUIZDROP_DATABASE", "QUIZDROP_DECKS", "QUIZDROP_GRACE_MINUTES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def lived(tutor: Tutor) -> None:
    """Nine days in one group, which ada keeps and ben misses once; one in another."""
    add_schedule(tutor)
    for day in range(9):
        [drop] = post_due(tutor, slot_on(day), seed=day)
        for member in ("ada", "ben") if day != 4 else ("ada",):
            tutor.answering.press(drop, 0, member, f"message-{drop}", slot_on(day))
    drop_id = drop_by_hand(tutor, OTHER).id
    tutor.answering.press(drop_id, 0, "ada", "m", NOW)


def dump(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return list(connection.iterdump())


def damage(database: Path, sql: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(sql)
        connection.commit()


def rebuild(database: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["rebuild", "--database", str(database), *options])


def test_a_rebuild_of_what_is_right_says_so_and_changes_nothing(
    tutor: Tutor, database: Path
) -> None:
    lived(tutor)
    before = dump(database)
    result = rebuild(database)
    assert (result.exit_code, result.output) == (0, "Every streak is right.\n")
    assert dump(database) == before


@pytest.mark.parametrize(
    ("sql", "member", "change"),
    [
        (
            "UPDATE streaks SET length = 3, freezes = 0 WHERE member = 'ada' AND group_id = '4001'",
            "server 4001, member ada",
            "streak 3 (best 9, freezes 0, days kept 9, last day 9, run 2) → "
            "streak 9 (best 9, freezes 1, days kept 9, last day 9, run 2)",
        ),
        (
            "DELETE FROM streaks WHERE member = 'ben'",
            "server 4001, member ben",
            "streak 0 (best 0, freezes 0, days kept 0, last day 0, run 0) → "
            "streak 4 (best 4, freezes 0, days kept 8, last day 9, run 4)",
        ),
        (
            "INSERT INTO streaks VALUES ('5001', 'zoe', 4, 4, 0, 4, 4, 4)",
            "server 5001, member zoe",
            "streak 4 (best 4, freezes 0, days kept 4, last day 4, run 4) → "
            "streak 0 (best 0, freezes 0, days kept 0, last day 0, run 0)",
        ),
    ],
    ids=["wrong", "gone", "made up"],
)
def test_a_rebuild_says_what_differed_and_puts_it_right(
    tutor: Tutor, database: Path, sql: str, member: str, change: str
) -> None:
    # dailydotdev/daily#1464
    lived(tutor)
    with closing(Store(database)) as store:
        right = {group: answers.streaks(store.db, group) for group in (GROUP, OTHER)}
    damage(database, sql)
    damaged = dump(database)

    shown = rebuild(database, "--dry-run")
    assert shown.exit_code == 0
    assert shown.output.splitlines() == [
        f"{member}: {change}",
        "1 streak would change. Without --dry-run I put that right.",
    ]
    assert dump(database) == damaged

    done = rebuild(database)
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        f"{member}: {change}",
        "1 streak changed; now every streak is right.",
    ]
    with closing(Store(database)) as store:
        for group, streaks in right.items():
            kept = {m: s for m, s in answers.streaks(store.db, group).items() if s.kept}
            assert kept == streaks
    assert rebuild(database).output == "Every streak is right.\n"


def test_every_group_is_rebuilt_or_none(tutor: Tutor, database: Path) -> None:
    lived(tutor)
    damage(database, "UPDATE streaks SET length = 5")
    damage(
        database,
        "CREATE TRIGGER full BEFORE INSERT ON streaks WHEN new.group_id = '5001'"
        " BEGIN SELECT RAISE(ABORT, 'full'); END",
    )
    before = dump(database)
    with pytest.raises(sqlite3.IntegrityError):
        tutor.ledger.rebuild()
    assert dump(database) == before


def test_a_rebuild_waits_for_an_answer_that_is_being_written_and_counts_it(
    open_tutor: OpenTutor, database: Path
) -> None:
    lived(open_tutor())
    damage(database, "UPDATE streaks SET length = 0 WHERE member = 'ben'")
    writing, go = threading.Event(), threading.Event()

    def answer() -> None:
        with closing(Tutor.open(database, [make_deck()])) as other, other._store.writing() as db:
            db.execute("DELETE FROM answers WHERE member = 'ben' AND drop_id = 9")
            writing.set()
            go.wait(5)

    thread = threading.Thread(target=answer)
    thread.start()
    writing.wait(5)
    threading.Timer(0.2, go.set).start()
    result = rebuild(database)
    thread.join()
    assert "→ streak 3 (best 4, freezes 0, days kept 7, last day 8" in result.output


def test_a_database_that_is_not_there_is_named_and_not_made(tmp_path: Path) -> None:
    result = rebuild(tmp_path / "none.db")
    assert result.exit_code == 1
    assert f"There is no database at {tmp_path / 'none.db'}." in result.output
    assert not (tmp_path / "none.db").exists()


def test_a_file_that_is_no_database_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "odd.db").write_text("not a database, but long enough to be looked at" * 40)
    result = rebuild(tmp_path / "odd.db")
    assert result.exit_code == 1
    assert "is no quizdrop database" in result.output
