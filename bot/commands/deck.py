"""/deck: the decks that questions come from, brought from elsewhere and taken elsewhere."""

from __future__ import annotations

import discord
from discord import app_commands
from pydantic import ValidationError

from bank.formats.titles import READ, WRITTEN
from bank.importing.report import Wish
from bot.cards import Card
from bot.cards.boards import decks_card
from bot.cards.decks import export_card, report_card
from bot.cards.layout import notice
from bot.cards.reports import reports_card
from bot.cards.text import literal
from bot.commands import options
from bot.faults import FAILURES
from bot.replies import Interaction, Refusal, reply

MOST_BYTES = 8 * 2**20  # of a file that a member brings

_FORMATS = [app_commands.Choice(name=title, value=name) for name, title in READ.items()]
_EXPORTS = [app_commands.Choice(name=title, value=name) for name, title in WRITTEN.items()]

deck = app_commands.Group(
    name="deck", description="The decks that questions come from", guild_only=True
)


class TooLarge(Refusal):
    """The file is larger than what is read."""

    def __init__(self) -> None:
        super().__init__("This file is larger than 8 MB. Please bring it in parts.")


class TooLargeForDiscord(Refusal):
    """The file is larger than what Discord lets a bot send here."""

    def __init__(self, size: int) -> None:
        super().__init__(
            f"The file would have {size / 2**20:.1f} MB, more than Discord takes here. "
            "Without pictures, as GIFT, it is far smaller."
        )


class BadName(Refusal):
    """What was typed is no name for a deck."""

    def __init__(self) -> None:
        super().__init__(
            "A deck is named in lower case, digits and single hyphens, such as my-exam, "
            "with at most 40 characters."
        )


class UnknownFormat(Refusal):
    """What Discord's app lets pick from a list, another program may send as it likes."""

    def __init__(self) -> None:
        super().__init__("Please pick the format from the list that Discord offers.")


class NotHandedOver(Refusal):
    """Discord did not give the file that a member sent."""

    def __init__(self) -> None:
        super().__init__("Discord did not hand me the file. Please send it again.")


async def _content(file: object) -> bytes:
    if not isinstance(file, discord.Attachment):  # a client may name one and send none
        raise NotHandedOver
    if file.size > MOST_BYTES:
        raise TooLarge
    try:
        return await file.read()
    except FAILURES as error:
        raise NotHandedOver from error


@deck.command(name="list", description="The decks, and how much of each was asked here")
async def list_(interaction: Interaction) -> None:
    async def work() -> Card:
        group = str(interaction.guild_id)
        return decks_card(await interaction.client.core(lambda tutor: tutor.boards.decks(group)))

    await reply(interaction, work())


@deck.command(name="reports", description="What members say is wrong; needs Manage Server")
async def reports(interaction: Interaction) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        group, member = str(interaction.guild_id), str(interaction.user.id)
        now = interaction.client.now()
        return reports_card(
            await interaction.client.core(
                lambda tutor: tutor.reporting.reported(group, member, now)
            )
        )

    await reply(interaction, work())


@deck.command(name="upload", description="Bring questions from a file; needs Manage Server")
@app_commands.describe(
    file="A file of up to 8 MB: Anki, GIFT, Moodle XML, QTI, CSV, Excel, Markdown, text …",
    deck="The deck of this server that gets them, such as my-exam; a new one is made",
    as_format="Its format, if I guess wrong",
    keep_good="Take what can be taken, though some cannot",
    replace="Put them in the place of all that the deck has",
)
@app_commands.rename(as_format="format", keep_good="keep-good")
@app_commands.choices(as_format=_FORMATS)
@app_commands.autocomplete(deck=options.own_decks)
async def upload(
    interaction: Interaction,
    file: discord.Attachment,
    deck: str,
    as_format: str | None = None,
    keep_good: bool = False,
    replace: bool = False,
) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        if as_format not in (None, *READ):
            raise UnknownFormat
        try:
            wish = Wish(deck=deck, as_format=as_format, keep_good=keep_good, replace=replace)
        except ValidationError:
            raise BadName from None
        group, data = str(interaction.guild_id), await _content(file)
        client = interaction.client
        return report_card(
            await client.uploads.take(group, file.filename, data, wish, client.now().date())
        )

    await reply(interaction, work())


@deck.command(name="remove", description="Takes away a deck of this server's own")
@app_commands.describe(deck="The deck to take away, with all its questions")
@app_commands.autocomplete(deck=options.own_decks)
async def remove(interaction: Interaction, deck: str) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        await interaction.client.uploads.remove(str(interaction.guild_id), deck)
        return notice(
            f"The deck “{literal(deck)}” is gone. Questions that were asked keep their text."
        )

    await reply(interaction, work())


@deck.command(name="export", description="A deck as a file; needs Manage Server")
@app_commands.describe(deck="The deck to take along", as_format="The format of the file")
@app_commands.rename(as_format="format")
@app_commands.choices(as_format=_EXPORTS)
@app_commands.autocomplete(deck=options.decks)
async def export(interaction: Interaction, deck: str, as_format: str) -> None:
    async def work() -> Card:
        options.require_manager(interaction)
        if as_format not in WRITTEN:
            raise UnknownFormat
        client = interaction.client
        group, member, now = str(interaction.guild_id), str(interaction.user.id), client.now()
        found, withheld = await client.core(
            lambda tutor: tutor.explaining.to_export(deck, group, member, now)
        )
        exported = await client.uploads.export(group, found, as_format, withheld)
        if len(exported.data) > interaction.filesize_limit:
            raise TooLargeForDiscord(len(exported.data))
        return export_card(exported)

    await reply(interaction, work())
