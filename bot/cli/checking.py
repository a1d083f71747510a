"""quizdrop check: what is wrong with a deck, each fault and finding with its file and line."""

from __future__ import annotations

import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.shared import fail, settings_of

if TYPE_CHECKING:
    from bank.models import Deck


@click.command()
@click.argument("decks", nargs=-1, type=click.Path(path_type=Path))
@click.option("--lint", "linting", is_flag=True, help="Judge the questions by item-writing rules.")
@click.option("--rules", is_flag=True, help="List those rules instead, each with its source.")
def check(decks: tuple[Path, ...], linting: bool, rules: bool) -> None:
    """Check decks for faults: all that are loaded, or the names or folders given.

    The exit code is 1 if there is any, or with --lint an error or a warning; a note changes
    nothing. Of each draft it says what is missing, which is no fault.
    """
    if rules:
        _list_rules()
        return
    from bank.decks import deck_folders
    from bot.uploads import own_folders

    settings = settings_of(None)
    folders = list(decks) or deck_folders(settings.deck_roots)
    owners = {} if decks else {folder: group for group, folder in own_folders(settings.uploads)}
    fine = True
    for folder in [*_each_deck(folders), *owners]:
        name = f"{folder.name} of server {owners[folder]}" if folder in owners else folder.name
        fine &= _is_fine(folder, name, linting)
    sys.exit(0 if fine else 1)


def _is_fine(folder: Path, name: str, linting: bool) -> bool:
    """Tell what is wrong with a deck; True when nothing but notes was found."""
    from bank.decks import check_deck

    deck, faults = check_deck(folder)
    for fault in faults:
        click.echo(f"{fault}", err=True)
    if deck is None or faults:
        first = ", to be mended before lint can judge it" if linting else ""
        click.echo(f"✗ {name}: {_count(len(faults), 'fault')}{first}")
        return False
    found = _linted(deck, folder) if linting else Counter[str]()
    fine = not (found["error"] or found["warning"])
    counts = [_count(number, severity) for severity, number in found.items()]
    click.echo(f"{'✓' if fine else '✗'} {name}: {', '.join([_contents(deck), *counts])}")
    for draft in deck.drafts:
        missing = "; ".join(draft.missing) or "nothing is missing: move it to questions/"
        click.echo(f"  drafts/{draft.slug}.md: {missing}")
    return fine


def _list_rules() -> None:
    from bank.lint import GUIDES, RULES

    widest = max(len(rule.id) for rule in RULES)
    for rule in RULES:
        click.echo(f"{rule.id:{widest}}  {rule.severity:7}  {rule.sentence} ({rule.source})")
    click.echo()
    for guide in GUIDES:
        click.echo(guide)


def _linted(deck: Deck, folder: Path) -> Counter[str]:
    """Tell every finding, and count them by severity, the gravest first."""
    from bank.lint import Severity, lint, placed

    findings = lint(deck, datetime.now(UTC).date())
    for finding in placed(findings, folder):
        click.echo(f"{finding}", err=True)
    counts = Counter(str(finding.rule.severity) for finding in findings)
    return Counter({each: counts[each] for each in Severity if counts[each]})


def _count(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"


def _contents(deck: Deck) -> str:
    drafts = len(deck.drafts)
    pictures = sum(question.image is not None for question in deck.questions)
    whole = f"{_count(len(deck.questions), 'question')}, {pictures} with a picture"
    return f"{whole}, {_count(drafts, 'draft')}" if drafts else whole


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
