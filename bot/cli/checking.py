"""quizdrop check: what is wrong with a deck, each fault with its file and line."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bot.cli.shared import fail, settings_of


@click.command()
@click.argument("decks", nargs=-1, type=click.Path(path_type=Path))
def check(decks: tuple[Path, ...]) -> None:
    """Check decks for faults: all that are loaded, or the names or folders given.

    The exit code is 1 if there is any.
    """
    from bank.decks import check_deck, deck_folders

    folders = list(decks) or deck_folders(settings_of(None).deck_roots)
    faulty = False
    for folder in _each_deck(folders):
        deck, faults = check_deck(folder)
        for fault in faults:
            click.echo(f"{fault}", err=True)
        if deck is None or faults:
            faulty = True
            count = f"{len(faults)} fault" + ("" if len(faults) == 1 else "s")
            click.echo(f"✗ {folder.name}: {count}")
        else:
            pictures = sum(question.image is not None for question in deck.questions)
            count = f"{len(deck.questions)} question" + ("" if len(deck.questions) == 1 else "s")
            click.echo(f"✓ {deck.name}: {count}, {pictures} with a picture")
    sys.exit(1 if faulty else 0)


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
