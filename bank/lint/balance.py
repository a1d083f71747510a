"""Rules for a deck as a whole: that neither the length nor the place of an option tells the key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from bank.lint.findings import OnDeck, Remark
from bank.lint.wording import keys_of, named, shown
from bank.models import Deck, Question

# Fewer questions prove nothing: chance alone is as uneven.
LEAST, LEAST_FOR_RARE = 10, 20
# With four options, where chance is 25 %: what is too often, and too seldom.
MOST_LONGEST, LEAST_LONGEST, MOST_AT_A_PLACE = 0.40, 0.10, 0.35
_OF_FOUR = 0.25


def key_longest(deck: Deck, _today: date) -> Iterator[OnDeck]:
    """The longest option is right far more often than chance."""
    share, chance = longest_share(deck.questions)
    if len(deck.questions) >= LEAST and share > _scaled(MOST_LONGEST, chance):
        text = (
            f"the longest option is the key in {share:.0%} of the questions, where chance would "
            f"be {chance:.0%}: lengthen distractors or shorten keys"
        )
        yield OnDeck(None, Remark("", text))


def key_rarely_longest(deck: Deck, _today: date) -> Iterator[OnDeck]:
    """The longest option is wrong nearly always, which is a cue too."""
    share, chance = longest_share(deck.questions)
    if len(deck.questions) >= LEAST_FOR_RARE and share < chance / _OF_FOUR * LEAST_LONGEST:
        text = (
            f"the longest option is the key in only {share:.0%} of the questions, where chance "
            f"would be {chance:.0%}: let some keys be the longest"
        )
        yield OnDeck(None, Remark("", text))


def key_place(deck: Deck, _today: date) -> Iterator[OnDeck]:
    """The key stands at one place of the file too often."""
    questions = deck.questions
    if len(questions) < LEAST:
        return
    places = Counter(place for question in questions for place in keys_of(question))
    chances = _chances(questions)
    for place, count in sorted(places.items()):
        chance = float(chances[place]) / len(questions)
        if count / len(questions) > _scaled(MOST_AT_A_PLACE, chance):
            text = (
                f"{named([place])} holds a key in {count} of {len(questions)} questions, where "
                f"chance would be {chance:.0%}: drops shuffle, but readers of the file learn it"
            )
            yield OnDeck(None, Remark("", text))


def longest_share(questions: tuple[Question, ...]) -> tuple[float, float]:
    """How often picking the longest option as shown is right, and how often picking any is."""
    right = chance = Fraction()
    for question in questions:
        keys = keys_of(question)
        lengths = [len(shown(option.text)) for option in question.options]
        longest = {at for at, length in enumerate(lengths) if length == max(lengths)}
        right += Fraction(len(keys & longest), len(longest))
        chance += Fraction(len(keys), len(lengths))
    total = len(questions) or 1
    return float(right / total), float(chance / total)


def _chances(questions: tuple[Question, ...]) -> dict[int, Fraction]:
    """How often each place would hold a key if they were dealt out evenly."""
    chances: dict[int, Fraction] = {}
    for question in questions:
        share = Fraction(len(keys_of(question)), len(question.options))
        for place in range(len(question.options)):
            chances[place] = chances.get(place, Fraction()) + share
    return chances


def _scaled(limit: float, chance: float) -> float:
    """A limit for four options, raised where chance alone is higher, as with true and false."""
    return limit * max(1.0, chance / _OF_FOUR)
