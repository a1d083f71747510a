"""Rules for length, as Discord counts: what does not fit one message is cut there."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from bank.letters import lettered
from bank.lint.findings import OnDeck, Remark
from bank.lint.wording import distractors_of, keys_of, units
from bank.models import Deck, Option, Question

# What the shell fills of the 4,000 units that all text of one message may have (bot/cards/text.py).
MESSAGE = 3900
REASONS = 2600  # and of them, all reasons of a private answer together (bot/cards/answer.py)

# What the cards add to a deck's text, at its largest: numbers, times, names of roles and members.
DROP_FRAME = 130  # the role to ping, “Question …”, “closes … · … answers so far”
OPTION_FRAME = 9  # “**A.** ” and a blank line
REVEAL_FRAME = 640  # “The key is …” and the names of twenty members who kept the day
BAR = 36  # the share of an option
ANSWER_FRAME = 260  # the verdict, “In short.” and the streak
REASON_FRAME = 26  # “**A, a key you missed.** ”


def over_long(deck: Deck, _today: date) -> Iterator[OnDeck]:
    """Stem and options that do not fit the message that asks."""
    for question in deck.questions:
        if (size := drop_units(question, deck)) > MESSAGE:
            text = f"the drop takes {size} units of the {MESSAGE} that a message shows: shorten it"
            yield OnDeck(question.slug, Remark("stem", text))


def over_long_answer(deck: Deck, _today: date) -> Iterator[OnDeck]:
    """A reveal or a private answer that does not fit its message, although the drop does."""
    for question in deck.questions:
        drop, answer = drop_units(question, deck), answer_units(question)
        reasons = _reasons_units(question)
        share = REASONS // len(reasons)
        if drop > MESSAGE:
            continue
        if (size := max(answer, reveal_units(question, deck))) > MESSAGE:
            what = "the private answer" if answer == size else "the reveal"
            text = f"{what} takes {size} units of the {MESSAGE} that a message shows: shorten it"
            yield OnDeck(question.slug, Remark("short", text))
        elif max(reasons) > share:
            text = f"a reason of {max(reasons)} units is cut to {share} beside others: shorten it"
            yield OnDeck(question.slug, Remark(0, text))


def drop_units(question: Question, deck: Deck) -> int:
    """The text of a drop's message in UTF-16 units."""
    domain = deck.domain(question.domain)
    title = units(domain.title if domain else question.domain)
    options = sum(units(_lettered(option.text, question)) for option in question.options)
    frame = DROP_FRAME + units(deck.title) + title + OPTION_FRAME * len(question.options)
    return frame + units(question.stem) + options


def reveal_units(question: Question, deck: Deck) -> int:
    """The text of that message once the drop has closed."""
    short = units(_lettered(question.short, question))
    return drop_units(question, deck) + REVEAL_FRAME + BAR * len(question.options) + short


def answer_units(question: Question) -> int:
    """The longest private answer: as many wrong choices as there are keys, and all keys missed."""
    return ANSWER_FRAME + units(_lettered(question.short, question)) + sum(_reasons_units(question))


def _reasons_units(question: Question) -> list[int]:
    keys = keys_of(question)
    wrong = sorted(_reason_units(question.options[at], question) for at in distractors_of(question))
    return [_reason_units(question.options[at], question) for at in keys] + wrong[-len(keys) :]


def _reason_units(option: Option, question: Question) -> int:
    reason = f"{option.misconception or ''}{option.rationale}" or option.text
    return REASON_FRAME + units(_lettered(reason, question))


def _lettered(text: str, question: Question) -> str:
    return lettered(text, range(len(question.options)))
