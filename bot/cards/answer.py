"""The private answer to a press: what was recorded, why, and the streak."""

from __future__ import annotations

from functools import lru_cache

from bank.models import Outcome, Question, Streak
from bank.tutor import days_to_freeze, letter_of, lettered
from bot import ids
from bot.cards.layout import NEUTRAL, RIGHT, WRONG, Button, Card, card
from bot.cards.text import count, shown, when, why
from bot.pictures import Picture


def answer_card(outcome: Outcome, picture: Picture | None) -> Card:
    """Right or wrong, the reasons for the choice and the key, the short explanation."""
    drop, answer = outcome.drop, outcome.answer
    streak = streak_line(outcome.streak)
    if not outcome.explained:
        return _recorded_card(outcome, streak)
    return _explained_card(
        outcome.question, drop.id, drop.order, answer.option, outcome.new, streak, picture
    )


# In a burst most members share their answer with others: the same words make the same card. Its
# view is stopped (see layout.py), so that sending it changes nothing.
@lru_cache(maxsize=512)
def _explained_card(
    question: Question,
    drop: int,
    order: tuple[int, ...],
    chosen: int,
    new: bool,
    streak: str,
    picture: Picture | None,
) -> Card:
    key = question.key
    right = chosen == key
    reasons = [_reason(question, chosen, order, "your choice")]
    if not right:
        reasons.append(_reason(question, key, order, "the key"))
    return card(
        f"### {_verdict(letter_of(chosen, order), letter_of(key, order), new)}",
        *filter(None, ["\n\n".join(filter(None, reasons)), in_short(question, order)]),
        picture=picture,
        foot=streak,
        buttons=[Button("Full explanation", ids.open_full(drop))] if question.has_reasons else [],
        colour=RIGHT if right else WRONG,
    )


def _recorded_card(outcome: Outcome, streak: str) -> Card:
    letter = letter_of(outcome.answer.option, outcome.drop.order)
    text = shown(outcome.question.options[outcome.answer.option], outcome.drop.order)
    first = "Recorded: you chose" if outcome.new else "Your first answer stands: you chose"
    return card(
        f"### {first} {letter}",
        text,
        f"The explanation comes when the question closes, {when(outcome.drop.closes_at)}.",
        foot=streak,
        colour=NEUTRAL,
    )


def _verdict(chosen: str, key: str, new: bool) -> str:
    stands = "" if new else "Your first answer stands. "
    if chosen == key:
        return f"✓ {stands}Right: you chose {chosen}"
    return f"✗ {stands}Wrong: you chose {chosen}, the key is {key}"


def _reason(question: Question, choice: int, order: tuple[int, ...], what: str) -> str:
    """Why an option is right or wrong; of one without a reason its text, to be compared."""
    option = question.options[choice]
    return f"**{letter_of(choice, order)}, {what}.** {why(option, order) or shown(option, order)}"


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
