"""/explain, and “Explain” on a drop's message: look a question up, in private."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.cards import Card
from bot.cards.explain import question_card
from bot.commands import options
from bot.replies import Interaction, reply


@app_commands.command(name="explain", description="Look a question up and read why")
@app_commands.describe(question="A word from the question, its options or its explanation")
@app_commands.autocomplete(question=options.questions)
@app_commands.guild_only()
async def explain(interaction: Interaction, question: str) -> None:
    async def work() -> Card:
        client = interaction.client
        group, member, now = str(interaction.guild_id), str(interaction.user.id), client.now()
        explanation = await client.core(
            lambda tutor: tutor.explaining.explain(question, group, member, now)
        )
        return question_card(explanation, *client.pictures.both(explanation.question, group))

    await reply(interaction, work())


@app_commands.context_menu(name="Explain")
@app_commands.guild_only()
async def explain_message(interaction: Interaction, message: discord.Message) -> None:
    async def work() -> Card:
        client = interaction.client
        group, member, now = str(interaction.guild_id), str(interaction.user.id), client.now()
        explanation = await client.core(
            lambda tutor: tutor.explaining.of_message(str(message.id), member, now, group=group)
        )
        return question_card(explanation, *client.pictures.both(explanation.question, group))

    await reply(interaction, work())
