"""/deck: the decks that questions come from."""

from __future__ import annotations

from discord import app_commands

from bot.cards import Card
from bot.cards.boards import decks_card
from bot.replies import Interaction, reply

deck = app_commands.Group(
    name="deck", description="The decks that questions come from", guild_only=True
)


@deck.command(name="list", description="The decks, and how much of each was asked here")
async def list_(interaction: Interaction) -> None:
    async def work() -> Card:
        group = str(interaction.guild_id)
        return decks_card(await interaction.client.core(lambda tutor: tutor.boards.decks(group)))

    await reply(interaction, work())
