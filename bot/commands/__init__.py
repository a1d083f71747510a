"""Slash commands, one module per family. They gather, ask the tutor, and show a card."""

from typing import Any

from discord import app_commands

from bot.commands.board import leaderboard, streak
from bot.commands.deck import deck
from bot.commands.drop import drop
from bot.commands.explain import explain, explain_message
from bot.commands.help import help_
from bot.commands.question import question
from bot.commands.schedule import schedule

COMMANDS: tuple[
    app_commands.Command[Any, ..., None] | app_commands.Group | app_commands.ContextMenu, ...
] = (schedule, drop, explain, explain_message, question, streak, leaderboard, deck, help_)
