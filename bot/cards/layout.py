"""The frame of every card: one container of texts and pictures, and below it what is pressed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import discord
from discord import ui

from bank.tutor import visible
from bot.cards.text import SAFE_UNITS, cut, fit
from bot.documents import Document
from bot.pictures import Picture

# The colour only underlines what sign and words say.
NEUTRAL = discord.Colour(0x4F6BED)
RIGHT = discord.Colour(0x2E8B57)
WRONG = discord.Colour(0xC0392B)
QUIET = discord.Colour(0x7F8C8D)

_BUTTONS_IN_ROW = 5
_LONGEST_LABEL = 100  # of an option in a menu


class Button(NamedTuple):
    """A button under a card: its label and custom id."""

    label: str
    custom_id: str


class Select(NamedTuple):
    """A menu under a card, from which exactly `wanted` options are chosen.

    A choice comes back as the places of its labels.
    """

    labels: Sequence[str]
    wanted: int
    custom_id: str


@dataclass(frozen=True, slots=True)
class Card:
    """A message to send: its view, and the files to upload with it."""

    view: ui.LayoutView
    uploads: tuple[Picture | Document, ...] = ()

    def files(self) -> list[discord.File]:
        """Fresh uploads for one send or edit, which name every file that the view shows."""
        return [upload.file() for upload in self.uploads]


def card(
    *blocks: str,
    colour: discord.Colour = NEUTRAL,
    exhibit: Picture | None = None,
    picture: Picture | None = None,
    foot: str | None = None,
    buttons: Sequence[Button] = (),
    select: Select | None = None,
    above: str | None = None,
    document: Document | None = None,
) -> Card:
    """A card whose texts together keep Discord's limit, whatever a deck holds.

    `above` stands over the container, for a role to ping; `exhibit` under the first block,
    `picture` under the last one, and `foot` under that, in small print; a `document` below it all.
    """
    # Decks are checked when they are read; this guards what stands in an older database.
    *blocks_, foot, above = fit(
        [visible(text) for text in (*blocks, foot or "", above or "")],
        SAFE_UNITS - (_LONGEST_LABEL * len(select.labels) if select else 0),
    )
    view = ui.LayoutView(timeout=None)
    if above:
        view.add_item(ui.TextDisplay(above))
    view.add_item(ui.Container(*_inside(blocks_, exhibit, picture, foot), accent_colour=colour))
    if document:
        view.add_item(ui.File(f"attachment://{document.name}"))
    for start in range(0, len(buttons), _BUTTONS_IN_ROW):
        row = buttons[start : start + _BUTTONS_IN_ROW]
        view.add_item(ui.ActionRow(*(ui.Button(label=b.label, custom_id=b.custom_id) for b in row)))
    if select:
        view.add_item(ui.ActionRow(_menu(select)))
    # All of these are DynamicItems, found by their ids: discord.py need not remember this view,
    # nor start a timer for it.
    view.stop()
    return Card(view, tuple(filter(None, (exhibit, picture, document))))


def _inside(
    blocks: list[str], exhibit: Picture | None, picture: Picture | None, foot: str
) -> Iterator[ui.Item[Any]]:
    for place, text in enumerate(blocks):
        if place:
            yield ui.Separator(visible=False)
        yield ui.TextDisplay(text)
        if exhibit and not place:
            yield _gallery(exhibit)
    if picture:
        yield _gallery(picture)
    if foot:
        yield ui.Separator()
        yield ui.TextDisplay(f"-# {foot}")


def _gallery(picture: Picture) -> ui.MediaGallery[Any]:
    media = discord.MediaGalleryItem(f"attachment://{picture.name}", description=picture.alt)
    return ui.MediaGallery(media)


def _menu(select: Select) -> ui.Select[Any]:
    options = [
        discord.SelectOption(label=cut(label, _LONGEST_LABEL), value=str(place))
        for place, label in enumerate(select.labels)
    ]
    return ui.Select(
        custom_id=select.custom_id,
        placeholder=f"Choose {select.wanted}",
        min_values=select.wanted,
        max_values=select.wanted,
        options=options,
    )


def notice(sentence: str) -> Card:
    """One sentence, such as a refusal."""
    return card(sentence, colour=QUIET)
