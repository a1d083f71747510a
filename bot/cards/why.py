"""/streak why as a card: the last question days, and how they add up to the streak."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from bank.models import Mark, MarkedDay, Why
from bot.cards.layout import Card, card
from bot.cards.text import count

_DAY = timedelta(days=1)

_MARKS = {
    Mark.KEPT: "✓ {day} · kept",
    Mark.MISSED: "✗ {day} · missed",
    Mark.FROZEN: "❄ {day} · frozen: missed, and a freeze was spent",
    Mark.OPEN: "· {day} · still open",
}


def why_card(why: Why | None) -> Card:
    """A member's question days, newest first, with the calendar days between that had none."""
    if why is None:
        return card("No question day kept here yet. Answer a question, and your streak begins.")
    return card(
        "### Why your streak is what it is",
        "\n".join(_lines(why)),
        _sum(why),
        foot="Days are counted in this server's time zone. A day without a question costs nothing.",
    )


def _lines(why: Why) -> list[str]:
    lines: list[str] = []
    later = why.today  # which may still bring a drop
    for day in why.days:
        lines += _nothing_between(day.date, later, why.today)
        lines.append(_MARKS[day.mark].format(day=_named(day.date, why.today)))
        later = day.date
    return lines


def _nothing_between(day: date, later: date, today: date) -> list[str]:
    """One line for the calendar days between two, if there are any: nothing was dropped then."""
    first, last = day + _DAY, later - _DAY
    if first > last:
        return []
    days = (
        _named(first, today)
        if first == last
        else f"{_named(first, today)} to {_named(last, today)}"
    )
    return [f"– {days} · no drop"]


def _named(day: date, today: date) -> str:
    """“Mon 2 Mar”, with its year when that is not this year."""
    return f"{day:%a} {day.day} {day:%b}" + (f" {day.year}" if day.year != today.year else "")


def _sum(why: Why) -> str:
    length = why.streak.length
    if not length:
        return "A missed day without a freeze ended your streak: your next answer starts a new one."
    alive = _since_the_last_miss(why.days)
    days = [day.date for day in alive if day.mark is Mark.KEPT]
    if why.earlier:
        reason = f"{count(len(days), 'kept day')} here and {why.earlier} before"
    elif length == 1:
        reason = f"{_named(days[0], why.today)}"
    else:
        reason = f"the days kept since {_named(days[-1], why.today)}"
    frozen = any(day.mark is Mark.FROZEN for day in alive)
    return f"Your streak is {count(length, 'question day')}: {reason}." + (
        " A frozen day saves it and adds nothing." if frozen else ""
    )


def _since_the_last_miss(days: Sequence[MarkedDay]) -> list[MarkedDay]:
    """The days, newest first, that the streak is made of."""
    marks = [day.mark for day in days]
    return list(days[: marks.index(Mark.MISSED)] if Mark.MISSED in marks else days)
