"""quizdrop run and quizdrop demo."""

from __future__ import annotations

from pathlib import Path

import click

from bot.cli.shared import DATABASE, fail, loaded_decks, settings_of


@click.command()
@DATABASE
def run(database: Path | None) -> None:
    """Start the bot on Discord, with the token in DISCORD_TOKEN."""
    from bot.run import run_bot

    settings = settings_of(database)
    if settings.token is None:
        fail(
            "No token: put DISCORD_TOKEN=… into the environment or a .env file. "
            "Your bot's page at discord.com/developers/applications shows it."
        )
    refusal = run_bot(settings, loaded_decks(settings))
    if refusal:
        fail(refusal)


@click.command()
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening it.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port of the page on loopback.")
@click.option(
    "--open-for",
    type=click.IntRange(1, 1440),
    default=15,
    show_default=True,
    help="Minutes until the first question closes.",
)
def demo(no_browser: bool, port: int | None, open_for: int) -> None:
    """Try the real bot in a simulated Discord in your browser: no token, no network."""
    try:
        from bot.demo import run_demo
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] in ("bot", "bank"):
            raise
        fail("The demo needs its extra packages: pip install 'quizdrop[demo]'.")
    refusal = run_demo(
        loaded_decks(settings_of(None)),
        open_browser=not no_browser,
        port=port,
        open_minutes=open_for,
    )
    if refusal:
        fail(refusal)
