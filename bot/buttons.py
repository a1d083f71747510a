"""Buttons and menus that outlive the process: discord.py finds each by its custom id, on any old
message.
"""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import ui

from bank.models import Explanation, Menu, Outcome
from bot import ids
from bot.cards import Card
from bot.cards.answer import answer_card
from bot.cards.drop import menu_card
from bot.cards.explain import full_of_drop, full_of_question, question_card
from bot.forms import report_form
from bot.replies import Interaction, Refusal, Way, ask, reply
from bot.shell import Shell

Base = ui.DynamicItem[ui.Button[Any]]

_PLACE = re.compile(r"[0-7]")


class AnswerButton(Base, template=ids.ANSWER):
    """An option's letter on a drop."""

    def __init__(self, item: ui.Button[Any], drop: int, position: int) -> None:
        super().__init__(item)
        self.drop = drop
        self.position = position

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(_button(item), int(match["drop"]), int(match["position"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await reply(interaction, self._answer(interaction))

    async def _answer(self, interaction: Interaction) -> Card:
        client, member = interaction.client, str(interaction.user.id)
        stands_as = _message_of(interaction)
        group, now = str(interaction.guild_id), client.now()
        outcome: Outcome = await client.core(
            lambda tutor: tutor.answering.press(
                self.drop, self.position, member, stands_as, now, group=group
            )
        )
        return _answered(client, outcome)


class OpenMenu(Base, template=ids.OPEN_MENU):
    """“Answer” on a drop that asks for several options."""

    def __init__(self, item: ui.Button[Any], drop: int) -> None:
        super().__init__(item)
        self.drop = drop

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(_button(item), int(match["drop"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await reply(interaction, self._menu(interaction))

    async def _menu(self, interaction: Interaction) -> Card:
        client, member = interaction.client, str(interaction.user.id)
        stands_as = _message_of(interaction)
        group, now = str(interaction.guild_id), client.now()
        opened: Menu | Outcome = await client.core(
            lambda tutor: tutor.answering.open_menu(self.drop, member, stands_as, now, group=group)
        )
        return menu_card(opened) if isinstance(opened, Menu) else _answered(client, opened)


class Choose(ui.DynamicItem[ui.Select[Any]], template=ids.CHOOSE):
    """The menu that it opens. What was chosen there takes the menu's place."""

    def __init__(self, item: ui.Select[Any], drop: int, message: str) -> None:
        super().__init__(item)
        self.drop = drop
        self.message = message

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        if not isinstance(item, ui.Select):
            raise TypeError(f"{item!r} is no menu")
        return cls(item, int(match["drop"]), match["message"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await reply(interaction, self._answer(interaction), Way.IN_PLACE)

    async def _answer(self, interaction: Interaction) -> Card:
        client, member = interaction.client, str(interaction.user.id)
        group, now = str(interaction.guild_id), client.now()
        # Whoever tampers with a client may send any text as a place: none of them is one.
        places = [int(value) if _PLACE.fullmatch(value) else -1 for value in self.item.values]
        outcome: Outcome = await client.core(
            lambda tutor: tutor.answering.choose(
                self.drop, places, member, self.message, now, group=group
            )
        )
        return _answered(client, outcome)


class _OfDrop(Base, template=r"(?!)"):
    """A button that leads to a page of a drop's full explanation."""

    def __init__(self, item: ui.Button[Any], drop: int, page: int) -> None:
        super().__init__(item)
        self.drop = drop
        self.page = page

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(_button(item), int(match["drop"]), int(match.groupdict().get("page") or 0))

    async def page_card(self, interaction: Interaction) -> Card:
        group, member = str(interaction.guild_id), str(interaction.user.id)
        now = interaction.client.now()
        explanation = await interaction.client.core(
            lambda tutor: tutor.explaining.of_drop(self.drop, member, now, group=group)
        )
        return full_of_drop(explanation, self.drop, self.page)


class OpenFull(_OfDrop, template=ids.OPEN_FULL):
    """“Full explanation” on a private answer or a revealed drop."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await reply(interaction, self.page_card(interaction))


class TurnFull(_OfDrop, template=ids.TURN_FULL):
    """“Next” and “Back” under it, which turn the page in place."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await reply(interaction, self.page_card(interaction), Way.IN_PLACE)


class _OfQuestion(Base, template=r"(?!)"):
    """A button on a question that was looked up."""

    def __init__(self, item: ui.Button[Any], question: str, page: int) -> None:
        super().__init__(item)
        self.question = question
        self.page = page

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(_button(item), match["question"], int(match.groupdict().get("page") or 0))

    async def page_card(self, interaction: Interaction) -> Card:
        return full_of_question(await self.explanation(interaction), self.page)

    async def explanation(self, interaction: Interaction) -> Explanation:
        group, member = str(interaction.guild_id), str(interaction.user.id)
        now = interaction.client.now()
        return await interaction.client.core(
            lambda tutor: tutor.explaining.by_id(self.question, group, member, now)
        )


class OpenQuestion(_OfQuestion, template=ids.OPEN_QUESTION):
    """“Full explanation” on a question that was looked up."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await reply(interaction, self.page_card(interaction))


class TurnQuestion(_OfQuestion, template=ids.TURN_QUESTION):
    """“Next” and “Back” under it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await reply(interaction, self.page_card(interaction), Way.IN_PLACE)


class ShowToAll(_OfQuestion, template=ids.SHOW_TO_ALL):
    """“Show to all”: the question and its short explanation, in the room."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await reply(interaction, self._to_all(interaction), Way.PUBLIC)

    async def _to_all(self, interaction: Interaction) -> Card:
        group, member = str(interaction.guild_id), str(interaction.user.id)
        now = interaction.client.now()
        explanation = await interaction.client.core(
            lambda tutor: tutor.explaining.to_all(self.question, group, member, now)
        )
        pictures = interaction.client.pictures.both(explanation.question, group)
        return question_card(explanation, *pictures, private=False)


class ReportDrop(Base, template=ids.REPORT_DROP):
    """“Report” on a private answer, or on the full explanation of a drop."""

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(_button(item))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await ask(interaction, report_form(self.custom_id))


class ReportQuestion(ReportDrop, template=ids.REPORT_QUESTION):
    """“Report” on the full explanation of a question that was looked up."""


class Unknown(ui.DynamicItem[ui.Item[Any]], template=ids.UNKNOWN):
    """A button or a menu that another version of the bot has left on a message."""

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await reply(interaction, self._refusal())

    async def _refusal(self) -> Card:
        what = "button" if isinstance(self.item, ui.Button) else "menu"
        raise Refusal(
            f"This {what} is of another version of me and does nothing now. "
            "/explain looks its question up."
        )


ALL = (
    AnswerButton,
    OpenMenu,
    Choose,
    OpenFull,
    TurnFull,
    OpenQuestion,
    TurnQuestion,
    ShowToAll,
    ReportDrop,
    ReportQuestion,
    Unknown,
)


def _answered(client: Shell, outcome: Outcome) -> Card:
    """The card of an answer; one that is new is due to be counted on the drop's message."""
    if outcome.new:
        client.tallies.answered(outcome.drop.id)
    return answer_card(outcome, client.pictures.of(outcome.question, outcome.drop.group))


def _message_of(interaction: Interaction) -> str:
    return str(interaction.message.id) if interaction.message else ""


def _button(item: ui.Item[Any]) -> ui.Button[Any]:
    if not isinstance(item, ui.Button):
        raise TypeError(f"{item!r} is no button")
    return item
