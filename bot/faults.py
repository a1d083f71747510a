"""What Discord's refusals mean, pure: whether trying again can help, and what admins can do.

Codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

from __future__ import annotations

from typing import TypeGuard

import aiohttp
import discord

from bank.models import Drop

UNKNOWN_CHANNEL = 10003
UNKNOWN_MESSAGE = 10008
MOST_PINS = 30003
THREAD_EXISTS = 160004

# What a request to Discord may end in.
FAILURES = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)


def is_final(error: BaseException) -> TypeGuard[discord.HTTPException]:
    """True when trying again would end the same way; outages and rate limits pass."""
    return isinstance(error, discord.HTTPException) and error.status < 500 and error.status != 429


def is_forbidden(error: BaseException) -> TypeGuard[discord.Forbidden]:
    """True when an admin can make it possible."""
    return isinstance(error, discord.Forbidden)


def is_gone(error: BaseException) -> TypeGuard[discord.NotFound]:
    """True when the message or its room has been deleted."""
    return isinstance(error, discord.NotFound)


# Each answers in one or two sentences: what happened, and what to do.


def cannot_post(drop: Drop, error: discord.HTTPException) -> str:
    if error.code == UNKNOWN_CHANNEL:
        return (
            "The channel for the questions is gone, so none was posted. "
            "Please set the schedule again with /schedule add, and /schedule remove the old one."
        )
    if is_forbidden(error):
        return (
            f"I may not post in <#{drop.room}>, so a question is waiting. "
            "Please allow me to view it, send messages, attach files and read its history."
        )
    return (
        f"Discord refused a question for <#{drop.room}>, so it was not posted. "
        "Whoever runs this bot finds the reason in the log."
    )


def cannot_ping(drop: Drop) -> str:
    return (
        f"The role that questions in <#{drop.room}> should ping is gone, so nobody is pinged. "
        "Please set the schedule again with /schedule add, and /schedule remove the old one."
    )


def cannot_pin(drop: Drop, error: discord.HTTPException) -> str:
    if error.code == MOST_PINS:
        return (
            f"<#{drop.room}> has as many pinned messages as Discord allows, so a question "
            "was not pinned. Please unpin some; the next question will be pinned."
        )
    if is_forbidden(error):
        return (
            f"I may not pin messages in <#{drop.room}>, so a question was not pinned or stays "
            "pinned. Please allow me to; the next question will be pinned."
        )
    return (
        f"Discord refused to pin a question in <#{drop.room}>. "
        "Whoever runs this bot finds the reason in the log."
    )


def cannot_open_thread(drop: Drop, error: discord.HTTPException) -> str:
    if is_forbidden(error):
        return (
            f"I may not open threads in <#{drop.room}>, so a question has none. "
            "Please allow me to create public threads; the next question will have one."
        )
    return (
        f"Discord refused to open a thread for a question in <#{drop.room}>. "
        "Whoever runs this bot finds the reason in the log."
    )


def cannot_reveal(drop: Drop) -> str:
    return (
        f"I may not change my message in <#{drop.room}>, so a question has closed without showing "
        "its key. Please allow me to view that channel and attach files; I try again for a day."
    )


def cannot_take_back(drop: Drop) -> str:
    return (
        f"I may not change my message in <#{drop.room}>, so a question that was taken back does "
        "not say so there. Please allow me to view that channel; I try again for a day."
    )
