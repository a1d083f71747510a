"""The frame of every card: one container of text blocks, pictures under it, buttons below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from bot.cards.text import fit
from bot.pictures import Picture

# The colour only underlines what sign and words say.
NEUTRAL = discord.Colour(0x4F6BED)
RIGHT = discord.Colour(0x2E8B57)
WRONG = discord.Colour(0xC0392B)
QUIET = discord.Colour(0x7F8C8D)

Button = ui.Button[ui.LayoutView]

_BUTTONS_IN_ROW = 5


@dataclass(frozen=True, slots=True)
class Card:
    """A message to send: its view, and the picture to upload with it."""

    view: ui.LayoutView
    picture: Picture | None = None

    def files(self) -> list[discord.File]:
        """Fresh uploads for one send."""
        return [self.picture.file()] if self.picture else []


def card(
    *blocks: str,
    colour: discord.Colour = NEUTRAL,
    picture: Picture | None = None,
    foot: str | None = None,
    buttons: Sequence[Button] = (),
    above: str | None = None,
) -> Card:
    """A card whose texts together keep Discord's limit, whatever a deck holds.

    `above` stands over the container, for a role to ping; `foot` under the picture, in small print.
    """
    texts = fit([*blocks, *filter(None, [foot, above])])
    inside: list[ui.Item[Any]] = []
    for text in texts[: len(blocks)]:
        if inside:
            inside.append(ui.Separator(visible=False))
        inside.append(ui.TextDisplay(text))
    if picture:
        media = discord.MediaGalleryItem(f"attachment://{picture.name}", description=picture.alt)
        inside.append(ui.MediaGallery(media))
    if foot:
        inside.append(ui.Separator())
        inside.append(ui.TextDisplay(f"-# {foot}"))
    view = ui.LayoutView(timeout=None)
    if above:
        view.add_item(ui.TextDisplay(above))
    view.add_item(ui.Container(*inside, accent_colour=colour))
    for start in range(0, len(buttons), _BUTTONS_IN_ROW):
        view.add_item(ui.ActionRow(*buttons[start : start + _BUTTONS_IN_ROW]))
    # All buttons are DynamicItems, found by their ids: discord.py need not remember this view,
    # nor start a timer for it.
    view.stop()
    return Card(view, picture)


def button(
    label: str,
    custom_id: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
) -> Button:
    return ui.Button(label=label, custom_id=custom_id, style=style)


def notice(sentence: str) -> Card:
    """One sentence, such as a refusal."""
    return card(sentence, colour=QUIET)
