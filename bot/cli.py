"""The command line. Each command imports what it needs when it runs, so that help is quick."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from bank.models import Deck, Streak
    from bank.tutor import Contents
    from bot.settings import Settings

_DATABASE = click.option(
    "--database",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The database file, instead of QUIZDROP_DATABASE.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="quizdrop")
def main() -> None:
    """A tutor bot for study groups in Discord."""


@main.command()
@_DATABASE
def run(database: Path | None) -> None:
    """Start the bot on Discord, with the token in DISCORD_TOKEN."""
    from bot.run import run_bot

    settings = _settings(database)
    if settings.token is None:
        _fail(
            "No token: put DISCORD_TOKEN=… into the environment or a .env file. "
            "Your bot's page at discord.com/developers/applications shows it."
        )
    refusal = run_bot(settings, _decks(settings))
    if refusal:
        _fail(refusal)


@main.command()
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening it.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port of the page on loopback.")
@click.option(
    "--open-for",
    type=click.IntRange(1, 1440),
    default=15,
    show_default=True,
    help="Minutes until the first question closes.",
)
def demo(no_browser: bool, port: int | None, open_for: int) -> None:
    """Try the real bot in a simulated Discord in your browser: no token, no network."""
    try:
        from bot.demo import run_demo
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] in ("bot", "bank"):
            raise
        _fail("The demo needs its extra packages: pip install 'quizdrop[demo]'.")
    refusal = run_demo(
        _decks(_settings(None)), open_browser=not no_browser, port=port, open_minutes=open_for
    )
    if refusal:
        _fail(refusal)


@main.command()
@click.argument("decks", nargs=-1, type=click.Path(path_type=Path))
def check(decks: tuple[Path, ...]) -> None:
    """Check decks for faults: all that are loaded, or the names or folders given.

    The exit code is 1 if there is any. Of each draft it says what is missing, which is no fault.
    """
    from bank.decks import check_deck, deck_folders
    from bot.uploads import own_folders

    settings = _settings(None)
    folders = list(decks) or deck_folders(settings.deck_roots)
    owners = {} if decks else {folder: group for group, folder in own_folders(settings.uploads)}
    faulty = False
    for folder in [*_each_deck(folders), *owners]:
        name = f"{folder.name} of server {owners[folder]}" if folder in owners else folder.name
        deck, faults = check_deck(folder)
        for fault in faults:
            click.echo(f"{fault}", err=True)
        if deck is None or faults:
            faulty = True
            count = f"{len(faults)} fault" + ("" if len(faults) == 1 else "s")
            click.echo(f"✗ {name}: {count}")
        else:
            click.echo(f"✓ {name}: {_contents(deck)}")
            for draft in deck.drafts:
                missing = "; ".join(draft.missing) or "nothing is missing: move it to questions/"
                click.echo(f"  drafts/{draft.slug}.md: {missing}")
    sys.exit(1 if faulty else 0)


def _contents(deck: Deck) -> str:
    questions, drafts = len(deck.questions), len(deck.drafts)
    pictures = sum(question.image is not None for question in deck.questions)
    whole = f"{questions} question{'' if questions == 1 else 's'}, {pictures} with a picture"
    return f"{whole}, {drafts} draft{'' if drafts == 1 else 's'}" if drafts else whole


@main.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@_DATABASE
def backup(file: Path | None, database: Path | None) -> None:
    """Copy the database to FILE, also while the bot runs.

    Without FILE the copy goes beside the database, named with the time.
    """
    from bank.errors import StoreError
    from bank.tutor import back_up, backup_name

    source = _settings(database).database
    target = file or backup_name(source, datetime.now(UTC))
    try:
        contents = back_up(source, target)
    except StoreError as refusal:
        _fail(refusal.sentence)
    click.echo(f"Backed up {_counted(contents)} to {target}.")


@main.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_DATABASE
def restore(file: Path, database: Path | None) -> None:
    """Put the backup FILE in the place of the database, while no bot runs.

    FILE is checked first, and what is replaced is kept.
    """
    from bank import tutor
    from bank.errors import StoreError

    target = _settings(database).database
    try:
        contents, kept = tutor.restore(file, target, datetime.now(UTC))
    except StoreError as refusal:
        _fail(refusal.sentence)
    click.echo(f"Restored {_counted(contents)} to {target}.")
    if kept:
        click.echo(f"What was there before is kept in {kept}.")


def _counted(contents: Contents) -> str:
    drops, answers = contents.drops, contents.answers
    return (
        f"{drops:,} drop{'' if drops == 1 else 's'} and "
        f"{answers:,} answer{'' if answers == 1 else 's'} ({contents.size / 1e6:,.1f} MB)"
    )


@main.command()
@_DATABASE
@click.option("--dry-run", is_flag=True, help="Only say what differs, and change nothing.")
def rebuild(database: Path | None, dry_run: bool) -> None:
    """Recompute every streak from the answers and the question days, and say what differed.

    The bot may be running meanwhile.
    """
    from contextlib import closing

    from bank.errors import QuizError
    from bank.tutor import Tutor

    path = _settings(database).database
    if not path.is_file():
        _fail(f"There is no database at {path}. Name another file with --database.")
    try:
        with closing(Tutor.open(path, [])) as tutor:
            found = tutor.ledger.differences() if dry_run else tutor.ledger.rebuild()
    except QuizError as refusal:
        _fail(refusal.sentence)
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


def _each_deck(folders: list[Path]) -> list[Path]:
    """The deck folders meant by the paths: a folder of decks stands for all of them."""
    from bank.decks import deck_folders

    found: list[Path] = []
    loaded = {folder.name: folder for folder in deck_folders(_settings(None).deck_roots)}
    for folder in folders:
        if (folder / "deck.toml").is_file():
            # “.” and “..” have no name of their own, and a deck is named after its folder.
            found.append(folder.resolve() if folder.name in ("", "..") else folder)
        elif inside := deck_folders([folder]):
            found += inside
        elif str(folder) in loaded:
            found.append(loaded[str(folder)])
        else:
            _fail(f"There is no deck in {folder}: a deck is a folder with a deck.toml.")
    return found


def _settings(database: Path | None) -> Settings:
    from pydantic import ValidationError

    from bot.settings import Settings, in_words

    try:
        settings = Settings()
    except ValidationError as error:
        _fail(in_words(error))
    return settings.model_copy(update={"database": database}) if database else settings


def _decks(settings: Settings) -> dict[Path, Deck]:
    """The decks without faults, by folder; one with faults is named and left out."""
    from bank.decks import deck_folders, load_deck
    from bank.errors import DeckFaults

    decks: dict[Path, Deck] = {}
    for folder in deck_folders(settings.deck_roots):
        try:
            decks[folder] = load_deck(folder)
        except DeckFaults as refusal:
            click.echo(f"{refusal.sentence} It is left out.", err=True)
    if not decks:
        _fail("No deck can be loaded, so there is nothing to ask.")
    return decks


def _fail(sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    sys.exit(1)
