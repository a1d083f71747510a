"""The private answer to a press: what was recorded, why, and the streak."""

from __future__ import annotations

from bank.models import Option, Outcome, Streak
from bank.tutor import days_to_freeze, letter_of, lettered
from bot import ids
from bot.cards.layout import NEUTRAL, RIGHT, WRONG, Button, Card, card
from bot.cards.text import count, when
from bot.pictures import Picture


def answer_card(outcome: Outcome, picture: Picture | None) -> Card:
    """Right or wrong, the reasons for the choice and the key, the short explanation."""
    if not outcome.explained:
        return _recorded_card(outcome)
    question, order = outcome.question, outcome.drop.order
    chosen, key = outcome.answer.option, question.key
    reasons = [_reason(question.options[chosen], letter_of(chosen, order), "your choice")]
    if not outcome.right:
        reasons.append(_reason(question.options[key], letter_of(key, order), "the key"))
    return card(
        f"### {_verdict(outcome)}",
        "\n\n".join(reasons),
        f"**In short.** {lettered(question.short, order)}",
        picture=picture,
        foot=streak_line(outcome.streak),
        buttons=[Button("Full explanation", ids.open_full(outcome.drop.id))],
        colour=RIGHT if outcome.right else WRONG,
    )


def _recorded_card(outcome: Outcome) -> Card:
    letter = letter_of(outcome.answer.option, outcome.drop.order)
    text = outcome.question.options[outcome.answer.option].text
    first = "Recorded: you chose" if outcome.new else "Your first answer stands: you chose"
    return card(
        f"### {first} {letter}",
        text,
        f"The explanation comes when the question closes, {when(outcome.drop.closes_at)}.",
        foot=streak_line(outcome.streak),
        colour=NEUTRAL,
    )


def _verdict(outcome: Outcome) -> str:
    order = outcome.drop.order
    chosen = letter_of(outcome.answer.option, order)
    key = letter_of(outcome.question.key, order)
    stands = "" if outcome.new else "Your first answer stands. "
    if outcome.right:
        return f"✓ {stands}Right: you chose {chosen}"
    return f"✗ {stands}Wrong: you chose {chosen}, the key is {key}"


def _reason(option: Option, letter: str, what: str) -> str:
    lead = f"*{option.misconception}.* " if option.misconception else ""
    return f"**{letter}, {what}.** {lead}{option.rationale}"


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
