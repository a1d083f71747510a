"""/streak and /leaderboard."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.cards import Card
from bot.cards.boards import leaderboard_card, streak_card
from bot.replies import Interaction, Way, reply


@app_commands.command(name="streak", description="Your streak and your answers in this server")
@app_commands.describe(member="Someone else's streak; yours if you leave it out")
@app_commands.guild_only()
async def streak(interaction: Interaction, member: discord.User | None = None) -> None:
    async def work() -> Card:
        group, now = str(interaction.guild_id), interaction.client.now()
        whose = str((member or interaction.user).id)
        standing = await interaction.client.core(
            lambda tutor: tutor.boards.standing(group, whose, now)
        )
        return streak_card(standing, whose)

    await reply(interaction, work())


@app_commands.command(name="leaderboard", description="The longest streaks of this server")
@app_commands.guild_only()
async def leaderboard(interaction: Interaction) -> None:
    async def work() -> Card:
        group, now = str(interaction.guild_id), interaction.client.now()
        return leaderboard_card(
            await interaction.client.core(lambda tutor: tutor.boards.board(group, now))
        )

    await reply(interaction, work(), Way.PUBLIC)
