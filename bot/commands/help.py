"""/help: how it works, in a few sentences."""

from __future__ import annotations

from discord import app_commands

from bot.cards import Card
from bot.cards.boards import help_card
from bot.replies import Interaction, reply


@app_commands.command(name="help", description="How questions, streaks and explanations work here")
@app_commands.guild_only()
async def help_(interaction: Interaction) -> None:
    async def work() -> Card:
        return help_card()

    await reply(interaction, work())
