"""The discord.py client: which commands and buttons it has, and what happens when it starts."""

from __future__ import annotations

import logging
from functools import cached_property

import discord
from discord import app_commands

from bot import buttons, forms
from bot.cards import Card
from bot.commands import COMMANDS
from bot.replies import Refusal, reply
from bot.shell import Shell

# What the bot needs in a channel of its own, pins and threads included, and nothing else.
PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    attach_files=True,
    read_message_history=True,
    pin_messages=True,
    create_public_threads=True,
)


log = logging.getLogger(__name__)


class Unreadable(Refusal):
    """discord.py could not match a command with ours: an app may know an older one."""

    def __init__(self) -> None:
        super().__init__(
            "I could not read this command. It may have changed since your app learned it: "
            "please restart Discord, then try again."
        )


class Tree(app_commands.CommandTree[Shell]):
    """The command tree: a failure in one command is a sentence to one member."""

    async def on_error(
        self, interaction: discord.Interaction[Shell], error: app_commands.AppCommandError
    ) -> None:
        if interaction.type is discord.InteractionType.autocomplete:
            # A list has no room for a sentence, and what is typed is judged when it is sent.
            log.warning("nothing could be offered: %s", error)
            await interaction.response.autocomplete([])
        elif not interaction.response.is_done():
            await reply(interaction, _fail(error))


async def _fail(error: app_commands.AppCommandError) -> Card:
    if isinstance(error, app_commands.CommandInvokeError):
        raise error.original
    log.warning("a command does not fit: %s", error)
    raise Unreadable


class QuizdropClient(Shell):
    """quizdrop on Discord."""

    @cached_property
    def tree(self) -> Tree:
        return Tree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )

    async def setup_hook(self) -> None:
        self.add_dynamic_items(*buttons.ALL)
        for command in COMMANDS:
            self.tree.add_command(command)
        await self.tree.sync()

    async def on_ready(self) -> None:
        # Discord says ready again after a reconnect; the clock starts once.
        await self.clock.start()

    async def on_interaction(self, interaction: discord.Interaction[Shell]) -> None:
        # discord.py has commands and buttons dispatched by now; forms it would have to remember.
        if interaction.type is discord.InteractionType.modal_submit:
            await forms.sent(interaction)

    def invite_link(self) -> str:
        """Where an admin adds the bot to a server."""
        return discord.utils.oauth_url(
            self.application_id or 0,
            permissions=PERMISSIONS,
            scopes=("bot", "applications.commands"),
        )
