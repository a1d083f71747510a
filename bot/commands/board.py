"""/streak show and why, and /leaderboard."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.cards import Card
from bot.cards.boards import leaderboard_card, streak_card
from bot.cards.why import why_card
from bot.replies import Interaction, Way, reply

streak = app_commands.Group(name="streak", description="Streaks in this server", guild_only=True)


@streak.command(name="show", description="Your streak and your answers in this server")
@app_commands.describe(member="Someone else's streak; yours if you leave it out")
async def show(interaction: Interaction, member: discord.User | None = None) -> None:
    async def work() -> Card:
        group, now = str(interaction.guild_id), interaction.client.now()
        whose = str((member or interaction.user).id)
        standing = await interaction.client.core(
            lambda tutor: tutor.boards.standing(group, whose, now)
        )
        return streak_card(standing, whose)

    await reply(interaction, work())


@streak.command(name="why", description="Your last 14 question days: kept, missed, frozen, no drop")
async def why(interaction: Interaction) -> None:
    async def work() -> Card:
        group, member = str(interaction.guild_id), str(interaction.user.id)
        now = interaction.client.now()
        return why_card(
            await interaction.client.core(lambda tutor: tutor.boards.why(group, member, now))
        )

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
