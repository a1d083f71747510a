"""Settings: each is documented, and one that cannot be used is a sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.settings import Settings, in_words, shipped_decks

README = Path(__file__).parent.parent / "README.md"


def variables() -> set[str]:
    return {
        str(field.validation_alias or f"QUIZDROP_{name.upper()}")
        for name, field in Settings.model_fields.items()
    }


def test_every_setting_stands_in_the_readme_and_nothing_else_does() -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", README.read_text(), re.MULTILINE))
    assert documented == variables()


def test_the_environment_sets_each_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    values = {
        "DISCORD_TOKEN": "abc",
        "QUIZDROP_DATABASE": str(tmp_path / "a.db"),
        "QUIZDROP_DECKS": str(tmp_path),
        "QUIZDROP_GRACE_MINUTES": "30",
        "QUIZDROP_LOG_LEVEL": "DEBUG",
        "QUIZDROP_DISCORD_API": "http://127.0.0.1:8080/api/v10/",
    }
    assert set(values) == variables()
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    settings = Settings()
    assert settings.token
    assert settings.token.get_secret_value() == "abc"
    assert settings.database == tmp_path / "a.db"
    assert settings.deck_roots == [shipped_decks(), tmp_path]
    assert settings.grace.total_seconds() == 1800
    assert settings.log_level == "DEBUG"
    assert settings.discord_api == "http://127.0.0.1:8080/api/v10"


def test_a_dot_env_file_sets_them_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=from-file\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    settings = Settings()
    assert settings.token
    assert settings.token.get_secret_value() == "from-file"


def test_the_database_lies_in_the_users_data_folder_by_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("QUIZDROP_DATABASE", raising=False)
    database = Settings().database
    assert database.is_absolute()
    assert database.parts[-2:] == ("quizdrop", "quizdrop.db")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("QUIZDROP_GRACE_MINUTES", "soon"),
        ("QUIZDROP_LOG_LEVEL", "LOUD"),
        ("QUIZDROP_DISCORD_API", "127.0.0.1:8080"),
        ("QUIZDROP_DISCORD_API", "ftp://example.org/api/v10"),
        ("QUIZDROP_DISCORD_API", "http://example.org:port/api/v10"),
        ("QUIZDROP_DISCORD_API", "http://example.org/api/v10?key=secret"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError) as refusal:
        Settings()
    sentence = in_words(refusal.value)
    assert sentence.startswith(f"The setting {name} cannot be used: ")
    assert "\n" not in sentence


def test_an_empty_variable_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "")
    assert Settings(_env_file=None).token is None  # type: ignore[call-arg]
