"""Reports of questions, and questions that were retired, for those who are concerned."""

from __future__ import annotations

from collections.abc import Sequence

from bank.models import Question
from bank.tutor import Reported, Retired
from bot.cards.layout import Card, card, notice
from bot.cards.text import clip, count, cut, literal, plain, when
from bot.documents import Document

# So much fits into a message; the rest stands in a file below it, which has an end as well.
_MOST_LISTED = 6
_MOST_REASONS = 3
_LONGEST_STEM = 150
_LONGEST_REASON = 120
_MOST_IN_FILE = 100
_MOST_REASONS_IN_FILE = 20

_HINT = (
    "/question settle takes a question off this list, /question retire out of later draws, and "
    "/drop void takes back what was asked."
)


def _named(question: Question | None) -> str:
    return f"“{literal(_stem(question))}”" if question else "this question"


def _stem(question: Question) -> str:
    return clip(plain(question.stem), _LONGEST_STEM)


def reported_card(question: Question | None) -> Card:
    """For who reported a question; None is one of which they may not know yet which it is."""
    return notice(
        f"Thank you. Your report of {_named(question)} is on the list that those who manage this "
        "server see, without your name. Another report of it by you takes this one's place."
    )


def reports_card(reported: Sequence[Reported]) -> Card:
    """The open reports of a group, for those who manage it.

    A reason is a member's text: it is shown as it stands, and pings nobody.
    """
    if not reported:
        return card("No question is reported here.")
    shown = [_entry(each) for each in reported[:_MOST_LISTED]]
    whole = all(map(_is_short, reported)) and len(reported) <= _MOST_LISTED
    return card(
        "### Reported questions",
        *shown,
        foot=("" if whole else "All of it stands in the file below. ") + _HINT,
        document=None if whole else Document("reports.txt", _in_full(reported).encode()),
    )


def _is_short(each: Reported) -> bool:
    reasons = each.reasons
    return len(reasons) <= _MOST_REASONS and all(len(r) <= _LONGEST_REASON for r in reasons)


def _entry(each: Reported) -> str:
    reasons = [literal(cut(reason, _LONGEST_REASON)) for reason in each.reasons[:_MOST_REASONS]]
    if more := len(each.reasons) - len(reasons):
        reasons.append(f"{more} more")
    when_shown = f", shown when it closes, {when(each.until)}" if each.until else ""
    head = f"**{_number(each)}{literal(_stem(each.question))}**\n-# {_about(each)}{when_shown}"
    return "\n".join([head, *(f"- {reason}" for reason in reasons)])


def _number(each: Reported) -> str:
    return f"Question {each.number}: " if each.number else ""


def _about(each: Reported) -> str:
    # Its id may tell more than its message does.
    name = "" if each.until else f"{each.question.id} · "
    return f"{name}{count(each.reports, 'report')}{' · retired' if each.is_retired else ''}"


def _in_full(reported: Sequence[Reported]) -> str:
    entries = [_entry_in_full(each) for each in reported[:_MOST_IN_FILE]]
    if more := len(reported) - len(entries):
        entries.append(f"And {count(more, 'more question')}.")
    return "\n\n".join(entries)


def _entry_in_full(each: Reported) -> str:
    reasons = [plain(reason) for reason in each.reasons[:_MOST_REASONS_IN_FILE]]
    if more := len(each.reasons) - len(reasons):
        reasons.append(f"{more} more")
    shut = ", shown when it closes" if each.until else ""
    head = [f"{_number(each)}{plain(each.question.stem)}", _about(each) + shut]
    return "\n".join([*head, *(f"- {reason}" for reason in reasons)])


def settled_card(question: Question, settled: int) -> Card:
    return notice(f"Settled: {count(settled, 'report')} of {_named(question)}.")


def retired_card(done: Retired) -> Card:
    if not done.new:
        return notice(f"Nothing changed: {_named(done.question)} had been retired already.")
    return notice(
        f"Retired: {_named(done.question)} is drawn here no more. What was asked of it stays as it "
        f"is. {_left(done)} /question restore takes it in again."
    )


def restored_card(done: Retired) -> Card:
    return notice(f"Restored: {_named(done.question)} is drawn here again.")


def _left(done: Retired) -> str:
    if not done.left:
        return f"Nothing of the deck “{done.deck}” is left, so its schedules post nothing now."
    is_left = "question is" if done.left == 1 else "questions are"
    return f"{done.left} {is_left} left of the deck “{done.deck}”."
