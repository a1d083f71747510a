"""The form that asks what is wrong with a question. It outlives the process, as buttons do.

discord.py finds a form that is sent back by the memory of having opened it, which a restart loses.
So none is remembered: each is known by its custom id, before a restart and after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import discord
from discord import ui

from bank.models import Question
from bank.tutor import LONGEST_REASON
from bot import ids
from bot.cards import Card
from bot.cards.reports import reported_card
from bot.replies import Interaction, Refusal, reply

_REASON = "reason"


class UnknownForm(Refusal):
    """A form that another version of the bot has opened."""

    def __init__(self) -> None:
        super().__init__(
            "This form is of another version of me, so nothing was reported. "
            "/question report takes it instead."
        )


def report_form(custom_id: str) -> ui.Modal:
    """A form with one field, whose id is that of the button that opens it."""
    form = ui.Modal(title="Report this question", timeout=None, custom_id=custom_id)
    field: ui.TextInput[ui.Modal] = ui.TextInput(
        custom_id=_REASON, style=discord.TextStyle.paragraph, max_length=LONGEST_REASON
    )
    form.add_item(
        ui.Label(
            text="What is wrong with it?",
            description="Those who manage this server read it, without your name.",
            component=field,
        )
    )
    form.stop()  # so that it is not remembered
    return form


async def sent(interaction: Interaction) -> None:
    """A form came back."""
    await reply(interaction, _report(interaction))


async def _report(interaction: Interaction) -> Card:
    data: Mapping[str, Any] = interaction.data or {}
    custom_id, reason = str(data.get("custom_id")), _reason_in(data)
    client, now = interaction.client, interaction.client.now()
    group, member = str(interaction.guild_id), str(interaction.user.id)
    if match := re.fullmatch(ids.REPORT_DROP, custom_id):
        drop = int(match["drop"])
        question: Question | None = await client.core(
            lambda tutor: tutor.reporting.report_drop(drop, reason, group, member, now)
        )
    elif match := re.fullmatch(ids.REPORT_QUESTION, custom_id):
        name = match["question"]
        question = await client.core(
            lambda tutor: tutor.reporting.report_by_id(name, reason, group, member, now)
        )
    else:
        raise UnknownForm
    return reported_card(question)


def _reason_in(data: Mapping[str, Any]) -> str:
    """What stands in the field; nothing, if another program sent a form without one."""
    found = (each.get("value") for each in _fields(data) if each.get("custom_id") == _REASON)
    return next((value for value in found if isinstance(value, str)), "")


def _fields(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The fields of a form, each of which lies in a label or a row of its own."""
    for frame in data.get("components", ()):
        yield from frame.get("components", ())
        if "component" in frame:
            yield frame["component"]
