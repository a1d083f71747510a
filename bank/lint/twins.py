"""The rule against two questions that ask the same, pure. It goes by words, not by characters.

A number, a negation, code or one other word makes another question of a short stem: “the largest
planet”, “the smallest planet”. So twins have the same words, and only in a long stem may a few
differ, where the keys agree.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from rapidfuzz import fuzz, process

from bank.lint.findings import OnDeck, Remark
from bank.lint.wording import keys_of, shown, words
from bank.models import Deck, Question
from bank.prose.literals import without_literals

SAME_SPELLING = 80  # of 100: “colour” is “color”, “optimised” is “optimized”
SAME_KEY = 80
WORDS_FOR_ONE = 12  # words of a stem for each that may differ
CLOSE = 75  # of 100: the letters of all words, before single words are compared
SHARED = 0.6  # of the words, before two stems are compared at all

# Words that can be exchanged without asking something else; “not”, “before”, “more” are none.
_FUNCTION_WORDS = (
    "a an the of in on at to for from by with as is are was were be been being do does did has "
    "have had can could may might will would shall should must it its this that these those "
    "which what who whom whose when where why how following one most best and or there their "
    "you your we our i if any some s choose select pick statement option answer"
)
_FUNCTION = frozenset(_FUNCTION_WORDS.split())
_NEGATIVE = re.compile(r"not|never|no|none|neither|nor|except|without|least|cannot|.*n['’]t")
_EXACT = re.compile(r".*\d.*|[ivx]+")
_LITERAL = re.compile("\0+")
_SIGN = re.compile(r"[+*/=<>^−]|(?<!\w)-|-(?!\w)")
_PLURAL = re.compile(r"(?<=[a-z]{3})(?<!s)s$")


class _Asked(NamedTuple):
    """A stem in words. Only stems of one `kind` can be twins."""

    question: Question
    kind: tuple[object, ...]
    said: tuple[str, ...]  # what carries meaning, in order
    key: str


def twin_stems(deck: Deck, _today: date) -> Iterator[OnDeck]:
    """Each question that asks the same as an earlier one, with the first such."""
    kinds: dict[tuple[object, ...], list[_Asked]] = defaultdict(list)
    for question in deck.questions:
        each = _asked(question)
        kinds[each.kind].append(each)
    for alike in kinds.values():
        yield from _twins(alike)


def _asked(question: Question) -> _Asked:
    stem = question.stem
    every = words(stem)
    masked = without_literals(stem)
    literals = tuple(stem[slice(*found.span())] for found in _LITERAL.finditer(masked))
    signs = tuple(_SIGN.findall(shown(masked)))
    numbers = tuple(sorted(word for word in every if _EXACT.fullmatch(word)))
    negatives = sum(1 for word in every if _NEGATIVE.fullmatch(word))
    keys = (shown(question.options[at].text).casefold() for at in keys_of(question))
    key = " ".join(sorted(keys))
    picture = question.exhibit.path if question.exhibit else None
    said = tuple(_PLURAL.sub("", word) for word in every if word not in _FUNCTION)
    return _Asked(question, (numbers, negatives, literals, signs, picture), said, key)


def _twins(asked: Sequence[_Asked]) -> Iterator[OnDeck]:
    """The twins among stems of one kind, each with the earliest that it is one of."""
    first: dict[tuple[str, ...], _Asked] = {}
    distinct: list[_Asked] = []
    for each in asked:
        if each.said in first:
            yield _told(each, first[each.said])
        else:
            first[each.said] = each
            distinct.append(each)
    yield from _near_twins(distinct)


def _told(later: _Asked, earlier: _Asked) -> OnDeck:
    name = earlier.question.slug
    text = f"it asks the same as “{name}”: drop one, or ask for something else"
    return OnDeck(later.question.slug, Remark("stem", text))


def _near_twins(asked: Sequence[_Asked]) -> Iterator[OnDeck]:
    """Twins among stems that differ, found without comparing each with each.

    Two sets that share a part of their words share one of their rarest: prefix filtering, as in
    Bayardo, Ma & Srikant (2007), “Scaling up all pairs similarity search”.
    """
    spread = Counter(word for each in asked for word in set(each.said))
    seen: dict[str, list[int]] = defaultdict(list)
    strings = [" ".join(sorted(each.said)) for each in asked]
    for at, each in enumerate(asked):
        rarest = sorted(set(each.said), key=lambda word: (spread[word], word))
        rarest = rarest[: len(rarest) - int(SHARED * len(rarest)) + 1]
        places = sorted({earlier for word in rarest for earlier in seen[word]})
        close = process.extract_iter(
            strings[at],
            {place: strings[place] for place in places},
            scorer=fuzz.ratio,
            score_cutoff=CLOSE,
        )
        near = (asked[place] for _string, _score, place in close)
        earlier = next((other for other in near if _ask_the_same(other, each)), None)
        if earlier is not None:
            yield _told(each, earlier)
            continue  # whatever is a twin of this one is one of the earlier one, or near enough
        for word in rarest:
            seen[word].append(at)


def _ask_the_same(one: _Asked, other: _Asked) -> bool:
    """True for stems of nearly the same words, in whatever order, that have the same key."""
    if not _same_keys(one, other):
        return False
    left = list((Counter(one.said) - Counter(other.said)).elements())
    right = list((Counter(other.said) - Counter(one.said)).elements())
    allowed = min(len(one.said), len(other.said)) // WORDS_FOR_ONE
    return _unmatched(left, right) <= allowed


def _unmatched(left: list[str], right: list[str]) -> int:
    """How many words of either side have no near spelling on the other."""
    rest = list(right)
    lone = 0
    for word in left:
        near = next((each for each in rest if _spelled_alike(word, each)), None)
        if near is None:
            lone += 1
        else:
            rest.remove(near)
    return max(lone, len(rest))


def _spelled_alike(one: str, other: str) -> bool:
    return min(len(one), len(other)) > 4 and fuzz.ratio(one, other) >= SAME_SPELLING


def _same_keys(one: _Asked, other: _Asked) -> bool:
    """True when the keys say the same, and more than “true”."""
    return len(one.key) > 5 and fuzz.ratio(one.key, other.key) >= SAME_KEY
