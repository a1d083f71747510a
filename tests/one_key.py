"""The shipped deck without what asks for several options, for tests that press a letter."""

from __future__ import annotations

import atexit
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bank.decks import load_deck
from bot.settings import shipped_decks


@cache
def one_key_decks() -> Path:
    """A folder for QUIZDROP_DECKS, whose deck replaces the shipped one; made once for a process."""
    around = TemporaryDirectory(prefix="quizdrop-decks-")
    atexit.register(around.cleanup)
    deck = Path(around.name) / "nca-aiio"
    shutil.copytree(shipped_decks() / "nca-aiio", deck)
    for question in load_deck(deck).questions:
        if len(question.keys) > 1:
            (deck / "questions" / f"{question.slug}.md").unlink()
    return deck.parent
