"""quizdrop check: what is wrong with a deck, each fault with its file and line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.shared import fail, settings_of

if TYPE_CHECKING:
    from bank.models import Deck


@click.command()
@click.argument("decks", nargs=-1, type=click.Path(path_type=Path))
def check(decks: tuple[Path, ...]) -> None:
    """Check decks for faults: all that are loaded, or the names or folders given.

    The exit code is 1 if there is any. Of each draft it says what is missing, which is no fault.
    """
    from bank.decks import check_deck, deck_folders
    from bot.uploads import own_folders

    settings = settings_of(None)
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


def _each_deck(folders: list[Path]) -> list[Path]:
    """The deck folders meant by the paths: a folder of decks stands for all of them."""
    from bank.decks import deck_folders

    found: list[Path] = []
    loaded = {folder.name: folder for folder in deck_folders(settings_of(None).deck_roots)}
    for folder in folders:
        if (folder / "deck.toml").is_file():
            # “.” and “..” have no name of their own, and a deck is named after its folder.
            found.append(folder.resolve() if folder.name in ("", "..") else folder)
        elif inside := deck_folders([folder]):
            found += inside
        elif str(folder) in loaded:
            found.append(loaded[str(folder)])
        else:
            fail(f"There is no deck in {folder}: a deck is a folder with a deck.toml.")
    return found
