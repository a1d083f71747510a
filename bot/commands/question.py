"""/question: what is wrong with one, and what those who manage the server make of that."""

from __future__ import annotations

from collections.abc import Callable

from discord import app_commands

from bank.models import Match
from bank.tutor import LONGEST_REASON, Tutor
from bot.cards import Card
from bot.cards.reports import reported_card, restored_card, retired_card, settled_card
from bot.commands import options
from bot.replies import Interaction, reply

question = app_commands.Group(
    name="question", description="What is wrong with a question, and taking it out", guild_only=True
)

_Offered = list[app_commands.Choice[str]]


@question.command(name="report", description="Say that a question is wrong, and why")
@app_commands.describe(
    question="A word from the question, its options or its explanation",
    reason=f"What is wrong with it, in at most {LONGEST_REASON} characters",
)
@app_commands.autocomplete(question=options.questions)
async def report(interaction: Interaction, question: str, reason: str) -> None:
    async def work() -> Card:
        group, member = str(interaction.guild_id), str(interaction.user.id)
        now = interaction.client.now()
        return reported_card(
            await interaction.client.core(
                lambda tutor: tutor.reporting.report(question, reason, group, member, now)
            )
        )

    await reply(interaction, work())


async def _offered(
    interaction: Interaction, typed: str, offered: Callable[[Tutor], Callable[..., list[Match]]]
) -> _Offered:
    """The questions that may be named here; offered to nobody who may not name them."""
    if not interaction.permissions.manage_guild:
        return []
    group, member = str(interaction.guild_id), str(interaction.user.id)
    now = interaction.client.now()
    found: list[Match] = await interaction.client.core(
        lambda tutor: offered(tutor)(group, member, typed, now, options.MOST_CHOICES)
    )
    return options.matches(found)


async def _reported(interaction: Interaction, typed: str) -> _Offered:
    """Questions with reports that can be read."""
    return await _offered(interaction, typed, lambda tutor: tutor.reporting.offered)


@question.command(name="settle", description="Take a question's reports off the list")
@app_commands.describe(question="Which question; those with reports are offered")
@app_commands.autocomplete(question=_reported)
async def settle(interaction: Interaction, question: str) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        group, member = str(interaction.guild_id), str(interaction.user.id)
        now = interaction.client.now()
        return settled_card(
            *await interaction.client.core(
                lambda tutor: tutor.reporting.settle(question, group, member, now)
            )
        )

    await reply(interaction, work())


async def _any(interaction: Interaction, typed: str) -> _Offered:
    """Questions to retire; offered to nobody who may not do it."""
    if not interaction.permissions.manage_guild:
        return []
    return await options.questions(interaction, typed)


@question.command(name="retire", description="Keep a question out of the draws of this server")
@app_commands.describe(question="A word from the question, its options or its explanation")
@app_commands.autocomplete(question=_any)
async def retire(interaction: Interaction, question: str) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        group, member = str(interaction.guild_id), str(interaction.user.id)
        now = interaction.client.now()
        return retired_card(
            await interaction.client.core(
                lambda tutor: tutor.retiring.retire(question, group, member, now)
            )
        )

    await reply(interaction, work())


async def _retired(interaction: Interaction, typed: str) -> _Offered:
    """Questions to restore."""
    return await _offered(interaction, typed, lambda tutor: tutor.retiring.offered)


@question.command(name="restore", description="Draw a retired question in this server again")
@app_commands.describe(question="Which question; those that are retired are offered")
@app_commands.autocomplete(question=_retired)
async def restore(interaction: Interaction, question: str) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        group, member = str(interaction.guild_id), str(interaction.user.id)
        now = interaction.client.now()
        return restored_card(
            await interaction.client.core(
                lambda tutor: tutor.retiring.restore(question, group, member, now)
            )
        )

    await reply(interaction, work())
