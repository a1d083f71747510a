"""Draw, pure: which question comes next in a group, and in which order its options stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from random import Random

from bank.errors import AllOpen, AllRetired, EmptyDeck
from bank.models import Deck, Question

_PINNED = re.compile(
    r"^\W*(all|none|both|neither) (of the |of |the )"
    r"(above|these|those|them|others|options|answers)\b"
    r"|\bof the above\b",
    re.IGNORECASE,
)


def draw(
    deck: Deck,
    asked: Sequence[str],
    seed: int,
    shut: Collection[str] = (),
    retired: Collection[str] = (),
) -> tuple[Question, tuple[int, ...]]:
    """The next question for a group and the order of its options.

    `asked` lists the ids of the deck's questions that the group has had, oldest first. No question
    repeats until the deck is used up; domains follow their weights as closely as the questions
    still unused allow. What is in `shut`, the ids that are open in the group, is never drawn: the
    reveal of one drop would tell the key of the other; nor is what the group has `retired`, and
    the deck is used up without it. The same arguments give the same draw. Raises EmptyDeck,
    AllRetired, AllOpen.
    """
    rng = Random(seed)
    question = rng.choice(_candidates(deck, asked, shut, retired))
    return question, option_order(question, rng)


def option_order(question: Question, rng: Random) -> tuple[int, ...]:
    """A shuffle of the option indices; “All of the above” and its kin keep their place."""
    places = range(len(question.options))
    loose = [place for place in places if not _PINNED.search(question.options[place].text)]
    shuffled = iter(rng.sample(loose, len(loose)))
    return tuple(next(shuffled) if place in loose else place for place in places)


def _candidates(
    deck: Deck, asked: Sequence[str], shut: Collection[str], retired: Collection[str]
) -> list[Question]:
    """The questions of this round still unused, of the domain that is most behind its weight."""
    if not deck.questions:
        raise EmptyDeck(deck.name)
    kept = [each for each in deck.questions if each.id not in retired]
    if not kept:
        raise AllRetired(deck.name)
    closed = [each for each in kept if each.id not in shut]
    if not closed:
        raise AllOpen(deck.name)
    used = _used(deck, asked)
    unused = [question for question in closed if question.id not in used] or closed
    # Where one round ends and the next begins, the question just asked is not asked again at once.
    fresh = [question for question in unused if not asked or question.id != asked[-1]] or unused
    domain = _most_behind(deck, fresh, asked)
    return [question for question in fresh if question.domain == domain]


def unasked(deck: Deck, asked: Sequence[str]) -> set[str]:
    """The ids of the questions that are yet to come before one repeats: none at a round's end."""
    return {question.id for question in deck.questions} - _had_their_turn(deck, asked)


def _used(deck: Deck, asked: Sequence[str]) -> set[str]:
    """The ids of the questions that are not to be drawn in this round, or in the next one."""
    used = _had_their_turn(deck, asked)
    return used if len(used) < len(deck.questions) else set()


def _had_their_turn(deck: Deck, asked: Sequence[str]) -> set[str]:
    """The ids of the questions that have had their turn in this round.

    A repeat began a new round, so a question that joins the deck later owes no earlier rounds.
    """
    ids = {question.id for question in deck.questions}
    used: set[str] = set()
    for past in asked:
        if past in used:
            used = set()
        if past in ids:
            used.add(past)
    return used


def _most_behind(deck: Deck, unused: Sequence[Question], asked: Sequence[str]) -> str:
    """The domain whose share of the draws so far lies furthest below its weight."""
    domain_of = {question.id: question.domain for question in deck.questions}
    drawn = Counter(domain_of[past] for past in asked if past in domain_of)
    open_domains = {question.domain for question in unused}
    weights = {domain.id: domain.weight for domain in deck.domains if domain.id in open_domains}
    total = sum(domain.weight for domain in deck.domains)
    turn = sum(drawn.values()) + 1
    return max(weights, key=lambda name: weights[name] / total * turn - drawn[name])
