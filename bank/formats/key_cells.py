"""What the cell of a key says: letters, numbers, the text of options, or true and false.

A table has one habit, yet a single cell such as “2” may be read in two ways. Where all cells of
the table together do not settle it, both readings are told and neither is taken.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from bank.letters import LETTERS

_LONGEST_WORD = 20
_LONGEST_LIST = 120  # characters of a cell that lists letters or numbers
_BETWEEN = re.compile(r"\s*(?:[,;/|&+\n、，；]|\band\b|\bund\b|\bet\b|\by\b)\s*|\s+")
_ONE = re.compile(
    r"[(\[]?(?:(?:option|answer|choice)\s*)?(?P<sign>[A-Ha-h]|\d{1,3}(?:\.0)?)[.)\]:]?",
    re.IGNORECASE,
)
_RUN = re.compile(r"[A-H]{2,8}|[a-h]{2,8}")
_WITH_TEXT = re.compile(r"[(\[]?(?P<letter>[A-Ha-h])[.)\]:]\s+(?P<text>\S.*)", re.DOTALL)
_LISTED = ("\n", "|", ";", ",")

_WORDS_FOR_TRUE = (
    "1 true t yes y right correct wahr richtig ja vrai oui verdadero cierto si vero verdadeiro sim "
    "对 正确 是 √ ✓ ✔ верно да"
)
_WORDS_FOR_FALSE = (
    "0 false f no n wrong incorrect falsch nein faux non falso nao 错 错误 否 × x ✗ ✘ неверно нет"
)
_TRUE = frozenset(_WORDS_FOR_TRUE.split())
_FALSE = frozenset(_WORDS_FOR_FALSE.split())


class Habit(Enum):
    """How a table's keys point at options, as far as all of its cells together show it."""

    PLACES = "places"  # letters or numbers
    TEXTS = "texts"  # the words of the option
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Key:
    """Two readings of one cell: options by their places and by their texts; None where it is none.

    A place may lie beyond the options.
    """

    said: str
    places: frozenset[int] | None
    texts: frozenset[int] | None
    numbers: bool = False  # the places are told by numbers

    def agrees(self, count: int) -> bool:
        return self.places is not None and all(0 <= place < count for place in self.places)


def key_of(said: str, options: Sequence[str]) -> Key:
    """Read the cell of a key beside its options, some of which may be empty."""
    texts = [_folded(option) for option in options]
    places, numbers = _places(said)
    by_text = _by_texts(said, texts)
    labelled = _WITH_TEXT.fullmatch(said.strip())
    if labelled and by_text is None:
        place = LETTERS.index(labelled["letter"].upper())
        named = _by_texts(labelled["text"], texts)
        if named is not None:
            return Key(said, frozenset({place}), named)
    if by_text is None and (truth := truth_of(said)) is not None:
        by_text = _by_truth(truth, texts)
    return Key(said, places, by_text, numbers)


def truth_of(said: str) -> bool | None:
    """True or False, as any of the words for it or as 1 and 0; None for anything else."""
    word = _word(said) if len(said) <= _LONGEST_WORD else ""
    return True if word in _TRUE else False if word in _FALSE else None


def says_truth(said: str) -> bool:
    """True when a cell says true or false in a word; 1 and 0 may be numbers."""
    return truth_of(said) is not None and said.strip() not in ("0", "1")


def habit_of(keys: Sequence[tuple[Key, int]]) -> Habit:
    """How all keys of a table point, each given with the number of its options."""
    places = all(key.agrees(count) for key, count in keys)
    texts = all(key.texts is not None for key, _ in keys)
    if places == texts:
        return Habit.OPEN
    return Habit.PLACES if places else Habit.TEXTS


def counts_from_zero(keys: Sequence[tuple[Key, int]]) -> bool:
    """True when a table's numbers seem to begin at 0: then 1 may be the second option."""
    numbers = [place for key, _ in keys if key.numbers and key.places for place in key.places]
    return -1 in numbers


def _places(said: str) -> tuple[frozenset[int] | None, bool]:
    """The places that letters or numbers name, counted from 0, and whether they are numbers."""
    said = said.strip()
    if not said or len(said) > _LONGEST_LIST:
        return None, False
    if _RUN.fullmatch(said) and all(a < b for a, b in pairwise(said)):
        return frozenset(LETTERS.index(sign.upper()) for sign in said), False
    places: set[int] = set()
    numbers = False
    for piece in _BETWEEN.split(said):
        one = _ONE.fullmatch(piece)
        if one is None:
            if piece.casefold() in ("", "option", "options", "answer", "answers"):
                continue
            return None, False
        sign = one["sign"]
        numbers = numbers or sign[0].isdecimal()
        places.add(int(float(sign)) - 1 if sign[0].isdecimal() else LETTERS.index(sign.upper()))
    return (frozenset(places), numbers) if places else (None, False)


def _by_texts(said: str, texts: Sequence[str]) -> frozenset[int] | None:
    """The options whose words the cell holds, one or a list of them."""
    whole = _folded(said)
    found = frozenset(place for place, text in enumerate(texts) if text and text == whole)
    if found:
        return found
    for sign in _LISTED:
        pieces = [_folded(piece) for piece in said.split(sign)] if sign in said else []
        pieces = [piece for piece in pieces if piece]
        if pieces and len(pieces) <= len(texts) and all(piece in texts for piece in pieces):
            return frozenset(texts.index(piece) for piece in pieces)
    return None


def _by_truth(truth: bool, texts: Sequence[str]) -> frozenset[int] | None:
    """The option that says this, where the options are a word for true and one for false."""
    truths = [truth_of(text) if text not in ("0", "1") else None for text in texts if text]
    if sorted(truths, key=str) != [False, True]:
        return None
    return frozenset({truths.index(truth)})


def _folded(text: str) -> str:
    """A text as it is compared with another: whatever its case and its spaces are."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _word(text: str) -> str:
    """A short word without its accents: “Não” is nao."""
    decomposed = unicodedata.normalize("NFD", text[:_LONGEST_WORD])
    return _folded("".join(sign for sign in decomposed if not unicodedata.combining(sign)))
