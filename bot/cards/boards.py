"""Schedules, streaks, boards, decks and help as cards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bank.models import WEEKDAYS, DeckUse, Explain, Schedule, Standing
from bot.cards.answer import streak_line
from bot.cards.layout import Card, card
from bot.cards.text import count, listed, when

_MOST_LISTED = 12

_EXPLAINS = {
    Explain.NOW: "explains right after answering",
    Explain.AT_CLOSE: "explains at the close",
}


def in_words(schedule: Schedule) -> str:
    """“08:00 and 18:30, Mon to Fri”, in the group's zone."""
    times = [f"{at:%H:%M}" for at in schedule.times]
    shown = times if len(times) <= 6 else [*times[:5], f"{len(times) - 5} more times"]
    return f"{listed(shown)}, {_days(schedule.weekdays)}"


def _days(weekdays: Sequence[int]) -> str:
    named = {tuple(range(7)): "every day", tuple(range(5)): "Mon to Fri", (5, 6): "weekends"}
    return named.get(tuple(weekdays)) or listed([WEEKDAYS[day] for day in weekdays])


def open_for(minutes: int) -> str:
    """“24 hours”, “90 minutes”, “2 days”."""
    if minutes % 1440 == 0 and minutes > 1440:
        return count(minutes // 1440, "day")
    return count(minutes // 60, "hour") if minutes % 60 == 0 else count(minutes, "minute")


def schedule_lines(schedule: Schedule) -> str:
    extras = [
        f"pings <@&{schedule.role}>" if schedule.role else "",
        "pinned while open" if schedule.pin else "",
        "with a thread" if schedule.thread else "",
    ]
    details = " · ".join(
        [
            f"open for {open_for(schedule.open_minutes)}",
            _EXPLAINS[schedule.explain],
            *filter(None, extras),
        ]
    )
    lines = [
        f"**{schedule.id}** · <#{schedule.room}> · {schedule.deck}"
        + (" · paused" if schedule.paused else ""),
        f"{in_words(schedule)} ({schedule.zone})",
        f"-# {details}",
    ]
    if schedule.problem:
        lines.append(f"⚠ {schedule.problem}")
    return "\n".join(lines)


def added_card(schedule: Schedule, slots: Sequence[datetime]) -> Card:
    first = f"The first question drops {when(slots[0], 'F')}, {when(slots[0])}."
    return card(f"### Schedule {schedule.id} is set", schedule_lines(schedule), first)


def schedules_card(schedules: Sequence[Schedule]) -> Card:
    if not schedules:
        return card("There are no schedules here yet. /schedule add sets the first one.")
    lines = [schedule_lines(schedule) for schedule in schedules[:_MOST_LISTED]]
    return card("### Schedules", "\n\n".join(lines), foot=_more(schedules))


def preview_card(schedule: Schedule, slots: Sequence[datetime]) -> Card:
    """The next slots, in the group's wall-clock time and in the reader's own."""
    zone = ZoneInfo(schedule.zone)
    lines = [
        f"- {slot.astimezone(zone):%a %d %b, %H:%M} · for you {when(slot, 'f')}" for slot in slots
    ]
    paused = "It is paused: nothing drops until /schedule resume.\n" if schedule.paused else ""
    return card(
        f"### Schedule {schedule.id}: the next {len(slots)} slots",
        f"{paused}{in_words(schedule)} ({schedule.zone})",
        "\n".join(lines),
    )


def streak_card(standing: Standing, member: str) -> Card:
    """A member's own streak and score."""
    streak = standing.streak
    if not standing.answered:
        return card("No answers here yet. Answer a question, and your streak begins.")
    return card(
        f"### {streak_line(streak)}",
        f"<@{member}> has kept {count(streak.kept, 'question day')}, "
        f"{streak.best} in a row at best.\n{_score(standing)}",
        foot="A day counts when a question was posted. Any answer keeps it, right or wrong.",
    )


def _score(standing: Standing) -> str:
    share = f" ({standing.right / standing.judged:.0%})" if standing.judged else ""
    return (
        f"{count(standing.answered, 'answer')}, right {standing.right} of {standing.judged}"
        f"{share}. Right counts once a question has closed."
    )


def leaderboard_card(board: Sequence[Standing]) -> Card:
    if not board:
        return card("Nobody has answered here yet. The board fills with the first answers.")
    lines = [
        f"{place}. <@{each.member}> · 🔥 {each.streak.length} · "
        f"{count(each.streak.kept, 'day')} kept · {each.right} of {each.judged} right"
        for place, each in enumerate(board, start=1)
    ]
    return card(
        "### Leaderboard",
        "\n".join(lines),
        foot="Ranked by streak, then by question days kept, then by right answers.",
    )


def decks_card(uses: Sequence[DeckUse]) -> Card:
    if not uses:
        return card("No decks are loaded. Whoever runs this bot can add some.")
    lines = [_deck(use) for use in uses[:_MOST_LISTED]]
    return card("### Decks", "\n\n".join(lines), foot=_more(uses))


def _more(listed: Sequence[object]) -> str | None:
    left = len(listed) - _MOST_LISTED
    return f"and {left} more" if left > 0 else None


def _deck(use: DeckUse) -> str:
    deck = use.deck
    drafts = f", {count(len(deck.drafts), 'draft')}" if deck.drafts else ""
    domains = " · ".join(f"{domain.title} {domain.weight:g} %" for domain in deck.domains)
    retired = f", {use.retired} retired" if use.retired else ""
    return (
        f"**{deck.title}** (`{deck.name}`)\n{deck.description}\n"
        f"-# {count(len(deck.questions), 'question')}, {use.asked} asked here"
        f"{_left(use)}{retired}{drafts}"
        f" · {domains}"
    )


def _left(use: DeckUse) -> str:
    """What is left of a deck that is in use here."""
    if not use.asked and use.days is None:
        return ""
    lasts = f", about {count(use.days, 'day')}" if use.days is not None else ""
    return f", {use.left} left{lasts}"


HELP = """\
**Answering.** Press the letter of your choice on a question, or “Answer” where several are to be \
chosen: all of them must be right. Only you see the result. Your first answer stands.
**Streak.** On each day with a question, one answer before it closes keeps your streak, \
right or wrong. Seven days in a row earn a freeze, which saves a missed day. \
Days without a question cost nothing.
**/explain** looks a question up by any word. \
An open question stays shut until you have answered it.
**/streak show** shows your streak, **/streak why** how it came about, **/leaderboard** the group's.
**/deck list** shows the decks.
**/question report**, or “Report” under an explanation, says that a question is wrong.
**/schedule**, **/drop now**, **/drop void**, **/deck reports** and **/question retire** are for \
those who manage the server."""


def help_card() -> Card:
    return card("### How this works", HELP)
