"""/drop now and void: one question right away, and one taken back. For who manages the server."""

from __future__ import annotations

import discord
from discord import app_commands

from bank.models import Explain
from bot.cards import Card
from bot.cards.drop import void_card
from bot.cards.layout import notice
from bot.commands import options
from bot.poster import Sent
from bot.replies import Interaction, reply

drop = app_commands.Group(
    name="drop",
    description="Questions by hand",
    default_permissions=discord.Permissions(manage_guild=True),
    guild_only=True,
)


_SENTENCES = {
    Sent.POSTED: "Question {number} stands in {room}.",
    Sent.LATER: "Discord is not answering right now. I post the question as soon as it does.",
    Sent.TAKEN_BACK: "Question {number} was taken back before it was posted.",
    Sent.REFUSED: "Discord refused the question in {room}. Please check what I may do there.",
}


@drop.command(name="now", description="Post a question right away")
@app_commands.rename(open_minutes="open-for")
@app_commands.describe(
    deck="Which deck the question comes from",
    channel="Where it is posted; here if you leave it out",
    zone="Your time zone, such as Europe/Berlin; needed once per server",
    open_minutes="How long it takes answers; 1 hour if you leave it out",
    explain="When members see why; right after answering if you leave it out",
    role="A role to ping",
    pin="Pin it while it is open",
    thread="Open a thread under it, to talk about it",
)
@app_commands.choices(open_minutes=options.OPEN_CHOICES)
@app_commands.choices(explain=options.EXPLAIN_CHOICES)
@app_commands.autocomplete(deck=options.decks, zone=options.zones)
async def now_(
    interaction: Interaction,
    deck: str,
    channel: discord.TextChannel | None = None,
    zone: str | None = None,
    open_minutes: int = 60,
    explain: str = Explain.NOW.value,
    role: discord.Role | None = None,
    pin: bool = False,
    thread: bool = False,
) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        room = channel or interaction.channel
        if not isinstance(room, discord.TextChannel):
            raise options.CannotPost("Please name a text channel: I cannot post a question here.")
        options.require_room(interaction, room, pin=pin, thread=thread)
        terms = options.terms(deck, room, open_minutes, explain, role, pin=pin, thread=thread)
        client, group = interaction.client, str(interaction.guild_id)
        now, seed = client.now(), client.seed()
        claimed = await client.core(
            lambda tutor: tutor.posting.by_hand(group, terms, zone=zone, now=now, seed=seed)
        )
        sent = await client.poster.post(claimed)
        await client.clock.tick()
        return notice(_SENTENCES[sent].format(number=claimed.number, room=room.mention))

    await reply(interaction, work())


async def _numbers(interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
    """The latest questions that can be taken back; offered to nobody who may not do it."""
    if not interaction.permissions.manage_guild:
        return []
    group = str(interaction.guild_id)
    found = await interaction.client.core(
        lambda tutor: tutor.voiding.offered(group, typed, options.MOST_CHOICES)
    )
    return [options.choice(f"{offer.number}: {offer.stem}", offer.number) for offer in found]


@drop.command(name="void", description="Take a question back: nothing about it counts any more")
@app_commands.describe(number="Which question; its number stands at the top of it")
@app_commands.autocomplete(number=_numbers)
async def void(interaction: Interaction, number: int) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        client, group, now = interaction.client, str(interaction.guild_id), interaction.client.now()
        voided = await client.core(lambda tutor: tutor.voiding.void(group, number, now))
        await client.clock.tick()
        return void_card(voided.tally, new=voided.new)

    await reply(interaction, work())
