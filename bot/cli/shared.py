"""What several commands of the command line share: settings, decks, and how one gives up."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from bank.models import Deck
    from bot.settings import Settings

DATABASE = click.option(
    "--database",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The database file, instead of QUIZDROP_DATABASE.",
)


def settings_of(database: Path | None) -> Settings:
    from pydantic import ValidationError

    from bot.settings import Settings, in_words

    try:
        settings = Settings()
    except ValidationError as error:
        fail(in_words(error))
    return settings.model_copy(update={"database": database}) if database else settings


def loaded_decks(settings: Settings) -> dict[Path, Deck]:
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
        fail("No deck can be loaded, so there is nothing to ask.")
    return decks


def fail(sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    sys.exit(1)
