"""quizdrop backup, restore and rebuild: what is done to the database as a whole."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.shared import DATABASE, fail, settings_of

if TYPE_CHECKING:
    from bank.models import Streak
    from bank.tutor import Contents


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@DATABASE
def backup(file: Path | None, database: Path | None) -> None:
    """Copy the database to FILE, also while the bot runs.

    Without FILE the copy goes beside the database, named with the time.
    """
    from bank.errors import StoreError
    from bank.tutor import back_up, backup_name

    source = settings_of(database).database
    target = file or backup_name(source, datetime.now(UTC))
    try:
        contents = back_up(source, target)
    except StoreError as refusal:
        fail(refusal.sentence)
    click.echo(f"Backed up {_counted(contents)} to {target}.")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@DATABASE
def restore(file: Path, database: Path | None) -> None:
    """Put the backup FILE in the place of the database, while no bot runs.

    FILE is checked first, and what is replaced is kept.
    """
    from bank import tutor
    from bank.errors import StoreError

    target = settings_of(database).database
    try:
        contents, kept = tutor.restore(file, target, datetime.now(UTC))
    except StoreError as refusal:
        fail(refusal.sentence)
    click.echo(f"Restored {_counted(contents)} to {target}.")
    if kept:
        click.echo(f"What was there before is kept in {kept}.")


def _counted(contents: Contents) -> str:
    drops, answers = contents.drops, contents.answers
    return (
        f"{drops:,} drop{'' if drops == 1 else 's'} and "
        f"{answers:,} answer{'' if answers == 1 else 's'} ({contents.size / 1e6:,.1f} MB)"
    )


@click.command()
@DATABASE
@click.option("--dry-run", is_flag=True, help="Only say what differs, and change nothing.")
def rebuild(database: Path | None, dry_run: bool) -> None:
    """Recompute every streak from the answers and the question days, and say what differed.

    The bot may be running meanwhile.
    """
    from contextlib import closing

    from bank.errors import QuizError
    from bank.tutor import Tutor

    path = settings_of(database).database
    if not path.is_file():
        fail(f"There is no database at {path}. Name another file with --database.")
    try:
        with closing(Tutor.open(path, [])) as tutor:
            found = tutor.ledger.differences() if dry_run else tutor.ledger.rebuild()
    except QuizError as refusal:
        fail(refusal.sentence)
    for each in found:
        click.echo(
            f"server {each.group}, member {each.member}: "
            f"{_in_words(each.stored)} → {_in_words(each.rebuilt)}"
        )
    click.echo(_rebuilt(len(found), dry_run))


def _in_words(streak: Streak) -> str:
    return (
        f"streak {streak.length} (best {streak.best}, freezes {streak.freezes}, "
        f"days kept {streak.kept}, last day {streak.last_day}, run {streak.run})"
    )


def _rebuilt(differed: int, dry_run: bool) -> str:
    if not differed:
        return "Every streak is right."
    count = "1 streak" if differed == 1 else f"{differed} streaks"
    if dry_run:
        return f"{count} would change. Without --dry-run I put that right."
    return f"{count} changed; now every streak is right."
