"""/schedule: when questions come. For members who manage the server."""

from __future__ import annotations

from datetime import datetime

import discord
from discord import app_commands

from bank.models import Explain, Schedule
from bot.cards import Card
from bot.cards.boards import added_card, in_words, preview_card, schedules_card
from bot.cards.layout import notice
from bot.commands import options
from bot.replies import Interaction, reply

schedule = app_commands.Group(
    name="schedule",
    description="When questions come to this server",
    default_permissions=discord.Permissions(manage_guild=True),
    guild_only=True,
)


@schedule.command(name="add", description="Post questions of a deck in a channel at set times")
@app_commands.rename(open_minutes="open-for")
@app_commands.describe(
    deck="Which deck the questions come from",
    channel="Where they are posted",
    times="One or more times of the day, such as 08:00 or 08:00, 18:30",
    days="On which days; every day if you leave it out",
    zone="Your time zone, such as Europe/Berlin; needed once per server",
    open_minutes="How long a question takes answers; 23 hours if you leave it out",
    explain="When members see why; right after answering if you leave it out",
    role="A role to ping with each question",
    pin="Pin each question while it is open",
    thread="Open a thread under each question, to talk about it",
)
@app_commands.choices(open_minutes=options.OPEN_CHOICES)
@app_commands.choices(explain=options.EXPLAIN_CHOICES)
@app_commands.autocomplete(deck=options.decks, days=options.days, zone=options.zones)
async def add(
    interaction: Interaction,
    deck: str,
    channel: discord.TextChannel,
    times: str,
    days: str = "every day",
    zone: str | None = None,
    open_minutes: int = 1380,
    explain: str = Explain.NOW.value,
    role: discord.Role | None = None,
    pin: bool = False,
    thread: bool = False,
) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        options.require_room(interaction, channel, pin=pin, thread=thread)
        terms = options.terms(deck, channel, open_minutes, explain, role, pin=pin, thread=thread)
        group, now = str(interaction.guild_id), interaction.client.now()
        added = await interaction.client.core(
            lambda tutor: tutor.timetable.add(
                group, terms, times=times, days=days, zone=zone, now=now
            )
        )
        return await _is_set(interaction, added, now)

    await reply(interaction, work())


async def _is_set(interaction: Interaction, running: Schedule, now: datetime) -> Card:
    """A schedule that now runs, with its next slot; the clock learns of it."""
    _, slots = await interaction.client.core(
        lambda tutor: tutor.timetable.preview(running.group, running.id, now, 1)
    )
    await interaction.client.clock.tick()
    return added_card(running, slots)


@schedule.command(name="list", description="The schedules of this server")
async def list_(interaction: Interaction) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        group = str(interaction.guild_id)
        return schedules_card(
            await interaction.client.core(lambda tutor: tutor.timetable.schedules(group))
        )

    await reply(interaction, work())


async def _numbers(interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
    group = str(interaction.guild_id)
    found = await interaction.client.core(lambda tutor: tutor.timetable.schedules(group))
    named = [options.choice(f"{each.id}: {each.deck}, {in_words(each)}", each.id) for each in found]
    wanted = typed.strip().casefold()
    return [each for each in named if wanted in each.name.casefold()][: options.MOST_CHOICES]


_NUMBER = app_commands.describe(number="The number of the schedule, as /schedule list shows it")


@schedule.command(name="preview", description="The next 14 slots of a schedule")
@_NUMBER
@app_commands.autocomplete(number=_numbers)
async def preview(interaction: Interaction, number: int) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        group, now = str(interaction.guild_id), interaction.client.now()
        return preview_card(
            *await interaction.client.core(
                lambda tutor: tutor.timetable.preview(group, number, now)
            )
        )

    await reply(interaction, work())


@schedule.command(name="pause", description="Let a schedule rest; no streak suffers")
@_NUMBER
@app_commands.autocomplete(number=_numbers)
async def pause(interaction: Interaction, number: int) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        group = str(interaction.guild_id)
        paused = await interaction.client.core(lambda tutor: tutor.timetable.pause(group, number))
        return notice(
            f"Schedule {paused.id} is paused. Days without a question cost no streak. "
            "/schedule resume goes on with it."
        )

    await reply(interaction, work())


@schedule.command(name="resume", description="Go on with a paused schedule")
@_NUMBER
@app_commands.autocomplete(number=_numbers)
async def resume(interaction: Interaction, number: int) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        group, now = str(interaction.guild_id), interaction.client.now()
        resumed = await interaction.client.core(
            lambda tutor: tutor.timetable.resume(group, number, now)
        )
        return await _is_set(interaction, resumed, now)

    await reply(interaction, work())


@schedule.command(name="remove", description="Take a schedule away; streaks and answers stay")
@_NUMBER
@app_commands.autocomplete(number=_numbers)
async def remove(interaction: Interaction, number: int) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        group = str(interaction.guild_id)
        removed = await interaction.client.core(lambda tutor: tutor.timetable.remove(group, number))
        return notice(f"Schedule {removed.id} is removed. Streaks and answers stay as they are.")

    await reply(interaction, work())
