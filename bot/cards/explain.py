"""Explanations: a question looked up, and the full explanation in pages."""

from __future__ import annotations

from bank.models import Explanation, Question
from bank.tutor import lettered
from bot import ids
from bot.cards.layout import NEUTRAL, Button, Card, card
from bot.cards.text import NEWER, PAGE_UNITS, choice, keys_in_words, pages, units, why
from bot.pictures import Picture


def question_card(
    explanation: Explanation,
    picture: Picture | None,
    exhibit: Picture | None = None,
    *,
    private: bool = True,
) -> Card:
    """A question with its key and short explanation; in private it can be shown to all.

    Not so an older text: what is shown to all is the latest one.
    """
    question, order = explanation.question, explanation.order
    options = [
        f"{'✓ ' if option in question.keys else ''}{choice(question, option, order)}"
        for option in order
    ]
    buttons: list[Button] = []
    if question.has_reasons:
        drop = explanation.drop
        full = ids.open_question(question.id) if drop is None else ids.open_full(drop)
        buttons.append(Button("Full explanation", full))
    if private and not explanation.newer:
        buttons.append(Button("Show to all", ids.show_to_all(question.id)))
    return card(
        f"-# {question.id}\n{_note(explanation)}{question.stem}",
        "\n\n".join(options),
        f"**✓ The {keys_in_words(question, order)}.** {lettered(question.short, order)}",
        exhibit=exhibit,
        picture=picture,
        foot=explanation.domain,
        buttons=buttons,
    )


def _note(explanation: Explanation) -> str:
    """A line of small print where there is another text of the question than this one."""
    if explanation.newer:
        return f"-# {NEWER}\n"
    if (asked := explanation.changed) is not None:
        return (
            f"-# This question has changed since it was asked here on {asked.day} {asked:%B %Y}: "
            "the text below is the new one.\n"
        )
    return ""


def full_pages(explanation: Explanation) -> list[str]:
    """The full explanation, the reasons for every option, then the sources."""
    question, order = explanation.question, explanation.order
    reasons = [_reason(question, option, order) for option in order]
    whole = [lettered(question.full, order), "**Option by option**", *reasons]
    if question.sources:
        sources = "\n".join(f"- <{source}>" for source in question.sources)
        whole.append(f"**Sources**\n{sources}")
    found: list[str] = []
    for block in filter(None, whole):
        for piece in pages(block):
            if found and units(found[-1]) + units(piece) + 2 <= PAGE_UNITS:
                found[-1] += f"\n\n{piece}"
            else:
                found.append(piece)
    return found


def _reason(question: Question, option: int, order: tuple[int, ...]) -> str:
    sign = "✓" if option in question.keys else "✗"
    reason = why(question.options[option], order)
    quote = f"\n> {reason}" if reason else ""
    return f"{sign} {choice(question, option, order)}{quote}"


def full_of_drop(explanation: Explanation, drop: int, page: int) -> Card:
    """One page of a drop's full explanation, with that drop's letters."""
    found = full_pages(explanation)
    turns = [ids.turn_full(drop, each) for each in range(len(found))]
    return _full(found, page, turns, ids.report_drop(drop), _note(explanation))


def full_of_question(explanation: Explanation, page: int) -> Card:
    """One page of the full explanation of a question that was looked up."""
    found = full_pages(explanation)
    name = explanation.question.id
    turns = [ids.turn_question(name, each) for each in range(len(found))]
    return _full(found, page, turns, ids.report_question(name), _note(explanation))


def _full(found: list[str], page: int, turns: list[str], report: str, note: str) -> Card:
    page = min(page, len(found) - 1)
    buttons: list[Button] = []
    if page > 0:
        buttons.append(Button("Back", turns[page - 1]))
    if page < len(found) - 1:
        buttons.append(Button("Next", turns[page + 1]))
    buttons.append(Button("Report", report))
    foot = f"Page {page + 1} of {len(found)}" if len(found) > 1 else None
    head = f"### Full explanation\n{note}".rstrip()
    return card(head, found[page], foot=foot, buttons=buttons, colour=NEUTRAL)
