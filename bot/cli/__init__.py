"""The command line. Each command imports what it needs when it runs, so that help is quick."""

from __future__ import annotations

import click

from bot.cli.bringing import export, import_
from bot.cli.checking import check
from bot.cli.database import backup, rebuild, restore
from bot.cli.running import demo, run


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="quizdrop")
def main() -> None:
    """A tutor bot for study groups in Discord."""


for command in (run, demo, check, import_, export, backup, restore, rebuild):
    main.add_command(command)
