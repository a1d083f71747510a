"""The drop's own message: open, then revealed; or taken back."""

from __future__ import annotations

from collections.abc import Sequence

from bank.models import Reveal, Tally
from bank.tutor import LETTERS, letter_of, lettered
from bot import ids
from bot.cards.layout import QUIET, Button, Card, card, notice
from bot.cards.text import count, shown, when
from bot.pictures import Picture

_BAR = 12
_MOST_NAMES = 20


def drop_card(tally: Tally, deck: str, domain: str, exhibit: Picture | None = None) -> Card:
    """The open drop: nothing on it depends on which option is the key."""
    drop, question = tally.drop, tally.question
    options = [
        _option(position, shown(question.options[option], drop.order))
        for position, option in enumerate(drop.order)
    ]
    answered = count(tally.answered, "answer") + " so far" if tally.answered else "no answers yet"
    stem = f"-# {deck} · Question {drop.number}\n{question.stem}"
    blocks = [*options, f"-# {domain} · closes {when(drop.closes_at)} · {answered}"]
    # One text, not many: discord.py takes the whole message apart at each press. Only an exhibit
    # stands in between.
    texts = [stem, "\n\n".join(blocks)] if exhibit else ["\n\n".join([stem, *blocks])]
    return card(
        *texts,
        exhibit=exhibit,
        buttons=[
            Button(LETTERS[position], ids.answer(drop.id, position))
            for position in range(len(drop.order))
        ],
        above=f"<@&{drop.role}>" if drop.role else None,
    )


def reveal_card(
    reveal: Reveal,
    deck: str,
    domain: str,
    picture: Picture | None,
    exhibit: Picture | None = None,
) -> Card:
    """The closed drop: the key, the distribution, the short explanation, who kept the day."""
    tally = reveal.tally
    drop, question = tally.drop, tally.question
    options = [_result(position, option, tally) for position, option in enumerate(drop.order)]
    key = letter_of(question.key, drop.order)
    full = Button("Full explanation", ids.open_full(drop.id))
    return card(
        f"-# {deck} · Question {drop.number} · closed\n{question.stem}",
        "\n\n".join(options),
        f"**✓ The key is {key}.** {lettered(question.short, drop.order)}",
        exhibit=exhibit,
        picture=picture,
        foot=f"{domain} · {count(tally.answered, 'answer')} · {_kept(reveal.extended)}",
        buttons=[full] if question.has_reasons else [],
        colour=QUIET,
    )


def taken_back_card(tally: Tally, deck: str, exhibit: Picture | None = None) -> Card:
    """The drop that was taken back: its question for who looks it up, and nothing to press."""
    return card(
        f"-# {deck} · Question {tally.drop.number} · taken back\n{tally.question.stem}",
        "**This question was taken back.** No answer to it counts, and every streak stands as if "
        "it had never been asked.",
        exhibit=exhibit,
        colour=QUIET,
    )


def void_card(tally: Tally, *, new: bool) -> Card:
    """What taking a drop back led to, for who did it."""
    number = tally.drop.number
    if not new:
        return notice(f"Question {number} had been taken back already, so nothing changed.")
    if not tally.answered:
        return notice(f"Question {number} is taken back. Nobody had answered it.")
    counts = "counts" if tally.answered == 1 else "count"
    return notice(
        f"Question {number} is taken back. Its {count(tally.answered, 'answer')} no longer "
        f"{counts}, and every streak stands as if it had never been asked."
    )


def _option(position: int, text: str) -> str:
    gap = "\n" if text.startswith("```") else " "
    return f"**{LETTERS[position]}.**{gap}{text}"


def _result(position: int, option: int, tally: Tally) -> str:
    chosen = tally.counts[option]
    share = chosen / tally.answered if tally.answered else 0.0
    filled = round(share * _BAR)
    bar = "█" * filled + "░" * (_BAR - filled)
    sign = "✓ " if option == tally.question.key else ""
    text = _option(position, shown(tally.question.options[option], tally.drop.order))
    return f"{sign}{text}\n`{bar}` {share:.0%} · {chosen}"


def _kept(members: Sequence[str]) -> str:
    if not members:
        return "nobody extended a streak"
    names = ", ".join(f"<@{member}>" for member in members[:_MOST_NAMES])
    more = f" and {len(members) - _MOST_NAMES} more" if len(members) > _MOST_NAMES else ""
    return f"streak extended: {names}{more}"
