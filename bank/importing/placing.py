"""A deck's folder put in its place as a whole: made beside it, checked, then exchanged.

Until the exchange nothing of the old deck has changed, and whatever fails leaves it as it was.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from bank.errors import QuizError

Contents = dict[str, tuple[int, int]]  # path -> size and time of change


class NotPlaced(QuizError):
    """The deck's folder cannot be written, or was changed by somebody else meanwhile."""


class Staged:
    """A deck's new folder, not yet in its place."""

    def __init__(self, folder: Path, target: Path, before: Contents | None) -> None:
        self.folder = folder
        self._target = target
        self._before = before

    def write(self, files: Mapping[str, bytes]) -> None:
        """Write files by their paths in the deck."""
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def remove(self, name: str) -> None:
        """Take a file out again."""
        (self.folder / name).unlink()

    def place(self) -> None:
        """Exchange the folder for the one that is there. Raises NotPlaced."""
        if _contents(self._target) != self._before:
            raise NotPlaced(
                f"The deck “{self._target.name}” was changed while I read the files, so nothing "
                "was changed. Please try again."
            )
        old = self.folder.with_name(f"{self.folder.name}.old")
        if self._before is not None:
            self._target.rename(old)
        try:
            self.folder.rename(self._target)
        except OSError:
            if self._before is not None:
                old.rename(self._target)
            raise
        shutil.rmtree(old, ignore_errors=True)


@contextmanager
def staged(target: Path, *, keep: bool) -> Iterator[Staged]:
    """A folder to fill for `target`, with what is there already if `keep`; gone afterwards.

    Raises NotPlaced when the disk does not let us.
    """
    folder: Path | None = None
    try:
        before = _contents(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        # Decks are looked for in folders whose names begin with no dot.
        around = Path(mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        folder = around
        inside = around / target.name
        if keep and before is not None:
            shutil.copytree(target, inside)
        else:
            inside.mkdir()
        yield Staged(inside, target, before)
    except OSError as error:
        raise NotPlaced(_reason(target, error)) from error
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _reason(target: Path, error: OSError) -> str:
    why = "there is no room left on the disk" if error.errno == errno.ENOSPC else error.strerror
    return f"The deck “{target.name}” cannot be written: {why}. Nothing was changed."


def _contents(folder: Path) -> Contents | None:
    """What stands in a folder and when it changed, or None where there is none."""
    if not folder.is_dir():
        return None
    found: Contents = {}
    for path in folder.rglob("*"):
        if path.is_file():
            about = path.stat()
            found[str(path.relative_to(folder))] = (about.st_size, about.st_mtime_ns)
    return found
