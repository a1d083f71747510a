"""A wheel built from the repository works outside the clone, decks included."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content of the wheel, in a folder where no clone is near."""
    folder = tmp_path_factory.mktemp("wheel")
    built = run(
        *(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", str(ROOT), "-w", str(folder)),
        cwd=folder,
    )
    if built.returncode and "hatchling" in built.stderr:
        pytest.skip("the build backend cannot be fetched here")
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("quizdrop-*.whl")
    inside = folder / "inside"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(inside)
    return inside


def test_the_wheel_finds_its_decks_far_from_the_clone(unpacked: Path, tmp_path: Path) -> None:
    checked = run(sys.executable, "-m", "bot", "check", cwd=tmp_path, PYTHONPATH=str(unpacked))
    assert checked.returncode == 0, checked.stderr
    assert "✓ nca-aiio: 122 questions, 42 with a picture" in checked.stdout
    assert "✓ python-basics: 20 questions, 2 with a picture" in checked.stdout
    where = "import bot.settings; print(bot.settings.shipped_decks())"
    found = run(sys.executable, "-c", where, cwd=tmp_path, PYTHONPATH=str(unpacked))
    assert Path(found.stdout.strip()).is_relative_to(unpacked)


def test_the_wheel_holds_the_packages_the_decks_and_nothing_else(unpacked: Path) -> None:
    assert sorted(path.name for path in unpacked.iterdir() if "dist-info" not in path.name) == [
        "bank",
        "bot",
    ]
    assert list((unpacked / "bot" / "data").iterdir())
    assert not list(unpacked.rglob("test_*.py"))
    assert not list(unpacked.rglob("__pycache__"))
