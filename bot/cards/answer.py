"""The private answer to a press or a choice: what was recorded, why, and the streak."""

from __future__ import annotations

from functools import lru_cache

from bank.models import Outcome, Question, Streak
from bank.tutor import days_to_freeze, in_order, letter_of, lettered, letters_of
from bot import ids
from bot.cards.layout import NEUTRAL, RIGHT, WRONG, Button, Card, card
from bot.cards.text import choice, clip, count, keys_in_words, listed, shown, when, why
from bot.pictures import Picture

_REASONS_UNITS = 2600  # so many reasons there may be: each gets its share


def answer_card(outcome: Outcome, picture: Picture | None) -> Card:
    """Right or wrong, the reasons for the choice and the keys, the short explanation."""
    drop, answer = outcome.drop, outcome.answer
    streak = streak_line(outcome.streak)
    if not outcome.explained:
        return _recorded_card(outcome, streak)
    return _explained_card(
        outcome.question, drop.id, drop.order, answer.options, outcome.new, streak, picture
    )


# In a burst most members share their answer with others: the same words make the same card. Its
# view is stopped (see layout.py), so that sending it changes nothing.
@lru_cache(maxsize=512)
def _explained_card(
    question: Question,
    drop: int,
    order: tuple[int, ...],
    chosen: tuple[int, ...],
    new: bool,
    streak: str,
    picture: Picture | None,
) -> Card:
    right = chosen == question.keys
    return card(
        f"### {_verdict(question, chosen, order, new)}",
        *filter(None, [_reasons(question, chosen, order), in_short(question, order)]),
        picture=picture,
        foot=streak,
        buttons=[
            *([Button("Full explanation", ids.open_full(drop))] if question.has_reasons else []),
            Button("Report", ids.report_drop(drop)),
        ],
        colour=RIGHT if right else WRONG,
    )


def _recorded_card(outcome: Outcome, streak: str) -> Card:
    question, order = outcome.question, outcome.drop.order
    chosen = in_order(outcome.answer.options, order)
    first = "Recorded: you chose" if outcome.new else "Your first answer stands: you chose"
    return card(
        f"### {first} {listed(letters_of(chosen, order))}",
        "\n\n".join(choice(question, option, order) for option in chosen),
        f"The explanation comes when the question closes, {when(outcome.drop.closes_at)}.",
        foot=streak,
        buttons=[Button("Report", ids.report_drop(outcome.drop.id))],
        colour=NEUTRAL,
    )


def _verdict(question: Question, chosen: tuple[int, ...], order: tuple[int, ...], new: bool) -> str:
    stands = "" if new else "Your first answer stands. "
    letters = listed(letters_of(chosen, order))
    if chosen == question.keys:
        return f"✓ {stands}Right: you chose {letters}"
    return f"✗ {stands}Wrong: you chose {letters}, the {keys_in_words(question, order)}"


def _reasons(question: Question, chosen: tuple[int, ...], order: tuple[int, ...]) -> str:
    """Why the choice is right; or else why each wrong part of it is, and each key that it missed.

    What was rightly chosen beside something wrong needs no reason then.
    """
    keys = question.keys
    own = chosen if chosen == keys else [option for option in chosen if option not in keys]
    missed = [option for option in keys if option not in chosen]
    what = "the key" if len(keys) == 1 else "a key you missed"
    reasons = [_reason(question, option, order, "your choice") for option in in_order(own, order)]
    reasons += [_reason(question, option, order, what) for option in in_order(missed, order)]
    return "\n\n".join(clip(reason, _REASONS_UNITS // len(reasons)) for reason in reasons)


def _reason(question: Question, option: int, order: tuple[int, ...], what: str) -> str:
    """Why an option is right or wrong; of one without a reason its text, to be compared."""
    chosen = question.options[option]
    return f"**{letter_of(option, order)}, {what}.** {why(chosen, order) or shown(chosen, order)}"


def in_short(question: Question, order: tuple[int, ...]) -> str:
    return f"**In short.** {lettered(question.short, order)}" if question.short else ""


def streak_line(streak: Streak) -> str:
    """The streak in words, with what the next days can earn."""
    if not streak.length:
        return "No streak yet: your next answer starts one."
    held = f" · {count(streak.freezes, 'freeze')} held" if streak.freezes else ""
    left = days_to_freeze(streak)
    earn = {None: "", 1: " · one more earns a freeze"}.get(
        left, f" · {left} more in a row earn a freeze"
    )
    return f"🔥 Streak: {count(streak.length, 'question day')}{held}{earn}"
