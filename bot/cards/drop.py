"""The drop's own message: open, then revealed; or taken back."""

from __future__ import annotations

from collections.abc import Sequence

from bank.models import Drop, Menu, Question, Reveal, Tally
from bank.tutor import LETTERS, lettered
from bot import ids
from bot.cards.layout import QUIET, Button, Card, Select, card, notice
from bot.cards.text import NEWER, choice, count, keys_in_words, plain, shown, when
from bot.pictures import Picture

_BAR = 12
_MOST_NAMES = 20


def drop_card(tally: Tally, deck: str, domain: str, exhibit: Picture | None = None) -> Card:
    """The open drop: nothing on it depends on which options are the keys, but on how many."""
    drop, question = tally.drop, tally.question
    answered = count(tally.answered, "answer") + " so far" if tally.answered else "no answers yet"
    stem = f"-# {deck} · Question {drop.number}\n{question.stem}"
    blocks = [
        *(choice(question, option, drop.order) for option in drop.order),
        f"-# {_how_many(question)}{domain} · closes {when(drop.closes_at)} · {answered}",
    ]
    # One text, not many: discord.py takes the whole message apart at each press. Only an exhibit
    # stands in between.
    texts = [stem, "\n\n".join(blocks)] if exhibit else ["\n\n".join([stem, *blocks])]
    return card(
        *texts,
        exhibit=exhibit,
        buttons=_letters(drop) if len(question.keys) == 1 else [_open_menu(drop)],
        above=f"<@&{drop.role}>" if drop.role else None,
    )


def _letters(drop: Drop) -> list[Button]:
    return [
        Button(LETTERS[position], ids.answer(drop.id, position))
        for position in range(len(drop.order))
    ]


def _open_menu(drop: Drop) -> Button:
    return Button("Answer", ids.open_menu(drop.id))


def _how_many(question: Question) -> str:
    """How many options are to be chosen, where it is more than one."""
    wanted = len(question.keys)
    return f"**Choose {wanted}** · " if wanted > 1 else ""


def menu_card(menu: Menu) -> Card:
    """What a member chooses from, in private; the menu itself shows an option's start alone."""
    drop, question = menu.drop, menu.question
    wanted = len(question.keys)
    labels = [
        f"{LETTERS[position]}. {plain(shown(question.options[option], drop.order))}"
        for position, option in enumerate(drop.order)
    ]
    return card(
        f"### Question {drop.number}: choose {wanted}",
        "\n\n".join(choice(question, option, drop.order) for option in drop.order),
        foot="It counts as right when all of them are. Your first answer stands.",
        select=Select(labels, wanted, ids.choose(drop.id, drop.message or "")),
    )


def reveal_card(
    reveal: Reveal,
    deck: str,
    domain: str,
    picture: Picture | None,
    exhibit: Picture | None = None,
) -> Card:
    """The closed drop: its keys, the distribution, the short explanation, who kept the day."""
    tally = reveal.tally
    drop, question = tally.drop, tally.question
    options = [_result(option, tally) for option in drop.order]
    answered = count(tally.answered, "answer")
    full = Button("Full explanation", ids.open_full(drop.id))
    note = f"-# {NEWER}\n" if reveal.newer else ""
    return card(
        f"-# {deck} · Question {drop.number} · closed\n{note}{question.stem}",
        "\n\n".join(options),
        f"**✓ The {keys_in_words(question, drop.order)}.** {lettered(question.short, drop.order)}",
        exhibit=exhibit,
        picture=picture,
        foot=f"{_how_many(question)}{domain} · {answered} · {_kept(reveal.extended)}",
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


def _result(option: int, tally: Tally) -> str:
    chosen = tally.counts[option]
    share = chosen / tally.answered if tally.answered else 0.0
    filled = round(share * _BAR)
    bar = "█" * filled + "░" * (_BAR - filled)
    sign = "✓ " if option in tally.question.keys else ""
    text = choice(tally.question, option, tally.drop.order)
    return f"{sign}{text}\n`{bar}` {share:.0%} · {chosen}"


def _kept(members: Sequence[str]) -> str:
    if not members:
        return "nobody extended a streak"
    names = ", ".join(f"<@{member}>" for member in members[:_MOST_NAMES])
    more = f" and {len(members) - _MOST_NAMES} more" if len(members) > _MOST_NAMES else ""
    return f"streak extended: {names}{more}"
