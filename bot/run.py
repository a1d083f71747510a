"""Running the bot on Discord until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
from pathlib import Path

import click
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bank.errors import QuizError
from bank.models import Deck
from bank.tutor import Tutor
from bot.client import QuizdropClient
from bot.core import Core
from bot.pictures import Pictures
from bot.settings import Settings
from bot.uploads import own_decks

log = logging.getLogger(__name__)

_REFUSED = (
    "Discord refused the token. Copy it again from your bot's page at "
    "discord.com/developers/applications into DISCORD_TOKEN."
)


def make_client(settings: Settings, decks: dict[Path, Deck]) -> QuizdropClient:
    """The bot over the settings' database, with the decks that groups brought and these for all.

    Its core is opened by the caller.
    """
    pictures = Pictures({deck.name: folder for folder, deck in decks.items()})
    own = own_decks(settings.uploads, {deck.name for deck in decks.values()})
    for group, folder, deck in own:
        pictures.put(group, deck.name, folder)
    theirs = [(group, deck) for group, _, deck in own]
    core = Core(lambda: Tutor.open(settings.database, decks.values(), settings.grace, theirs))
    return QuizdropClient(core, pictures, settings.uploads)


def quiet_libraries() -> None:
    """Keep the log to what concerns this bot, which has no voice and an alarm each minute."""
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False
    logging.getLogger("apscheduler").setLevel(logging.WARNING)


def run_bot(settings: Settings, decks: dict[Path, Deck]) -> str | None:
    """Run until Ctrl-C or SIGTERM. Returns one sentence when it cannot run at all."""
    discord.utils.setup_logging(level=getattr(logging, settings.log_level))
    quiet_libraries()
    try:
        return asyncio.run(_run(settings, decks))
    except KeyboardInterrupt:  # where signal handlers cannot be set
        return None


async def _run(settings: Settings, decks: dict[Path, Deck]) -> str | None:
    client = make_client(settings, decks)
    try:
        await client.core.open()
    except QuizError as refusal:
        return refusal.sentence
    try:
        async with client:
            stopping = asyncio.Event()
            stop_on_signals(stopping)
            connection = asyncio.create_task(_connect(client, settings))
            stop = asyncio.create_task(stopping.wait())
            await asyncio.wait({connection, stop}, return_when=asyncio.FIRST_COMPLETED)
            stop.cancel()
            if not connection.done():
                log.info("stopping")
                await client.close()
                connection.cancel()
                await asyncio.gather(connection, return_exceptions=True)
                return None
            return connection.result()
    finally:
        await client.core.close()


async def _connect(client: QuizdropClient, settings: Settings) -> str | None:
    token = settings.token.get_secret_value() if settings.token else ""
    if not token.isprintable():  # aiohttp refuses it in a header, with an error that tells nobody
        return _REFUSED
    try:
        if settings.discord_api is None:
            await client.login(token)
        else:
            await _login_through(client, token, settings.discord_api)
        click.echo(f"Add the bot to a server: {client.invite_link()}")
        await client.connect()
    except discord.LoginFailure:
        return _REFUSED
    except (discord.HTTPException, discord.GatewayNotFound, OSError) as error:
        log.debug("could not connect", exc_info=error)
        return f"Discord cannot be reached: {error}. Check the network, then start again."
    return None


async def _login_through(client: QuizdropClient, token: str, base: str) -> None:
    """Log in over another base URL of Discord's HTTP API, and use the gateway that it names.

    discord.py has no setting for either: it keeps both addresses on its classes, and asks nobody
    where the gateway is.
    """
    Route.BASE = base
    await client.login(token)
    _, gateway, _ = await client.http.get_bot_gateway()
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


def stop_on_signals(stopping: asyncio.Event) -> None:
    """Set `stopping` on Ctrl-C and SIGTERM."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stopping.set)
        except NotImplementedError:  # Windows: Ctrl-C arrives as KeyboardInterrupt instead
            return
