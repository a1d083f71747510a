"""Settings, from the environment or a .env file; README.md lists each of them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict


def _base_url(text: str) -> str:
    """An http or https address without its closing slash; paths are put after it."""
    try:
        parts = urlsplit(text)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # such as a port that is no number
        whole = False
    if not whole or parts.query or parts.fragment:
        raise ValueError("it must be an address such as http://127.0.0.1:8080/api/v10")
    return text.rstrip("/")


class Settings(BaseSettings):
    """`QUIZDROP_…` for all but the token, which has the name that hosts give it."""

    model_config = SettingsConfigDict(
        env_prefix="QUIZDROP_", env_file=".env", extra="ignore", env_ignore_empty=True
    )

    token: SecretStr | None = Field(default=None, validation_alias="DISCORD_TOKEN")
    database: Path = Field(default_factory=lambda: user_data_path("quizdrop") / "quizdrop.db")
    decks: Path | None = None
    grace_minutes: int = Field(default=120, ge=1, le=24 * 60)
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    discord_api: Annotated[str, AfterValidator(_base_url)] | None = None

    @property
    def grace(self) -> timedelta:
        return timedelta(minutes=self.grace_minutes)

    @property
    def uploads(self) -> Path:
        """The folder with the groups' own decks, as <group>/<deck>: what they bring, they keep."""
        return self.database.parent / "uploads"

    @property
    def decks_folder(self) -> Path:
        """The folder with decks of one's own for every group; it need not be there."""
        return self.decks or self.database.parent / "decks"

    @property
    def deck_roots(self) -> list[Path]:
        """The folders that hold decks; a deck of one's own replaces a shipped one of its name."""
        return [shipped_decks(), self.decks_folder]


def in_words(error: ValidationError) -> str:
    """One sentence on the first setting that cannot be used."""
    problem = error.errors()[0]
    name = str(problem["loc"][0])
    variable = name if name.isupper() else f"QUIZDROP_{name.upper()}"
    reason = problem["msg"].lower().removeprefix("value error, ")
    return f"The setting {variable} cannot be used: {reason}."


def shipped_decks() -> Path:
    """The decks that come with quizdrop: inside an installed package, beside it in a clone."""
    installed = Path(__file__).parent / "data"
    return installed if installed.is_dir() else Path(__file__).parent.parent / "data"
