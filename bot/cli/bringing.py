"""quizdrop import and quizdrop export: questions from elsewhere, and to elsewhere."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from bank.formats.titles import READ, WRITTEN
from bot.cli.shared import fail, loaded_decks, settings_of


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--deck", required=True, help="The deck that gets the questions, such as my-exam.")
@click.option("--format", "as_format", type=click.Choice(list(READ)), help="Instead of guessing.")
@click.option("--title", help="The title of a new deck.")
@click.option("--domain", help="The domain of all the questions, instead of their categories.")
@click.option("--dry-run", is_flag=True, help="Only say what would happen.")
@click.option("--keep-good", is_flag=True, help="Take what can be taken, though some cannot.")
@click.option("--replace", is_flag=True, help="Put them in the place of all that the deck has.")
def import_(
    files: tuple[Path, ...],
    deck: str,
    as_format: str | None,
    title: str | None,
    domain: str | None,
    dry_run: bool,
    keep_good: bool,
    replace: bool,
) -> None:
    """Bring questions from FILES, of any format that is known, into a deck of your own.

    All of them or none, unless --keep-good is given. A folder stands for the files in it.
    """
    from pydantic import ValidationError

    from bank.errors import QuizError
    from bank.importing.bring import bring
    from bank.importing.report import Wish
    from bot.cli.files import sources_of

    settings = settings_of(None)
    try:
        wish = Wish(
            deck=deck,
            title=title,
            as_format=as_format,
            domain=domain,
            keep_good=keep_good,
            replace=replace,
            trial=dry_run,
        )
    except ValidationError as error:
        name = "deck" if error.errors()[0]["loc"] == ("deck",) else "domain"
        fail(f"A {name} is named in lower case, digits and single hyphens, such as my-exam.")
    if deck in {folder.name for folder in _shipped()}:
        fail(f"The deck “{deck}” comes with quizdrop. Give yours another name with --deck.")
    try:
        sources = sources_of(files)
        with _Bar() as bar:
            today = datetime.now(UTC).date()
            report = bring(sources, wish, settings.decks_folder / deck, today, bar.show)
    except QuizError as refusal:
        fail(refusal.sentence)
    click.echo("\n".join(report.lines()))
    if report.done:
        click.echo(
            f"\nIt is in {settings.decks_folder / deck}. A bot that runs loads it when restarted."
        )
    sys.exit(1 if report.problems and not report.done else 0)


@click.command()
@click.argument("deck")
@click.option("--format", "as_format", type=click.Choice(list(WRITTEN)), required=True)
@click.option("--output", type=click.Path(path_type=Path), help="The file to write.")
@click.option("--force", is_flag=True, help="Overwrite the file if it is there.")
def export(deck: str, as_format: str, output: Path | None, force: bool) -> None:
    """Write DECK to a file that other programs read.

    Several files, such as a deck with its pictures, become one zip.
    """
    from bank.errors import QuizError
    from bank.exporting import export as exported

    decks = loaded_decks(settings_of(None))
    found = next((folder for folder, each in decks.items() if each.name == deck), None)
    if found is None:
        known = ", ".join(each.name for each in decks.values())
        fail(f"There is no deck “{deck}”. The decks here are: {known}.")
    try:
        written = exported(decks[found], found, as_format)
        target = output or Path(written.name)
        if target.exists() and not force:
            fail(f"{target} is there already. Name another file with --output, or add --force.")
        target.write_bytes(written.data)
    except QuizError as refusal:
        fail(refusal.sentence)
    except OSError as error:
        fail(f"{output or deck} cannot be written: {error.strerror}.")
    click.echo(f"{written.questions} questions written to {target}.")
    for note in written.notes:
        click.echo(note)


def _shipped() -> list[Path]:
    from bank.decks import deck_folders
    from bot.settings import shipped_decks

    return deck_folders([shipped_decks()])


class _Bar:
    """A progress bar on the terminal's error stream, so that the report can be piped."""

    def __init__(self) -> None:
        self._bar = click.progressbar(
            length=1, label="Reading", file=sys.stderr, item_show_func=str
        )

    def __enter__(self) -> _Bar:
        self._bar.__enter__()
        return self

    def __exit__(self, *failure: object) -> None:
        self._bar.__exit__(None, None, None)

    def show(self, what: str, over: int, of: int) -> None:
        """Show a step of the import; one that has begun anew starts from nothing."""
        bar = self._bar
        bar.label, bar.length = what, max(of, 1)
        bar.pos = 0
        bar.update(over)
