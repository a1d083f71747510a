"""Files that came -> what they hold: unpacked, recognised by content, read format by format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bank.errors import BadFile, quoted
from bank.formats.reading import MOST_BYTES, Draft, Problem, Reading, Source, Where, joined
from bank.formats.recognise import FORMATS, Format, recognised
from bank.formats.safe_zip import files_of, is_zip
from bank.models import Deck

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp")

Progress = Callable[[str, int, int], None]
"""Told what is done, how many steps of it are over, and of how many."""


def untold(what: str, over: int, of: int) -> None:
    """For who does not want to know."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """All drafts, problems and notes of the files, and each file's format by its title."""

    drafts: tuple[Draft, ...]
    problems: tuple[Problem, ...]
    notes: tuple[Problem, ...]
    formats: dict[str, str]
    about: Deck | None = None  # what one of them says of the deck as a whole


def gather(
    files: Sequence[Source], *, as_format: str | None = None, progress: Progress = untold
) -> Gathered:
    """Read files that came together; `as_format` names the format instead of the content.

    A file that cannot be read at all, or whose format nobody knows, is a problem like others.
    """
    problems: list[Problem] = []
    by_format: dict[Format, list[Source]] = {}
    beside: list[Source] = []
    for source, known in _sorted(files, as_format, problems):
        if known is not None:
            by_format.setdefault(known, []).append(source)
        else:
            beside.append(source)
            if not _is_picture(source):
                problems.append(_of_file(source, "the format of this file is not known"))
    readings: list[Reading] = []
    for over, (known, group) in enumerate(by_format.items()):
        progress("Reading", over, len(by_format))
        try:
            readings.append(known.read(group, beside))
        except BadFile as refusal:
            problems.append(_of_file(group[0], refusal.sentence))
    progress("Reading", len(by_format), len(by_format))
    found = joined(readings)
    return Gathered(
        about=found.about,
        drafts=found.drafts,
        problems=(*problems, *found.problems),
        notes=found.notes,
        formats={
            source.name: known.title for known, group in by_format.items() for source in group
        },
    )


def _sorted(
    files: Sequence[Source], as_format: str | None, problems: list[Problem]
) -> Iterator[tuple[Source, Format | None]]:
    """Each file with its format, and in the place of a packed one without any what it holds."""
    for file in files:
        try:
            if len(file.data) > MOST_BYTES:
                most = MOST_BYTES // 2**20
                raise BadFile(f"{quoted(file.name)} is larger than {most} MB. Bring it in parts.")
            known = _format_of(file, as_format)
            inside = files_of(file) if known is None and is_zip(file) else None
        except BadFile as refusal:
            problems.append(_of_file(file, refusal.sentence))
        else:
            if inside is None:
                yield file, known
            else:
                yield from ((each, _format_of(each, as_format)) for each in inside)


def _format_of(source: Source, as_format: str | None) -> Format | None:
    if _is_picture(source):
        return None
    if as_format is None or (is_zip(source) and not FORMATS[as_format].packed):
        return recognised(source)
    return FORMATS[as_format]


def _is_picture(source: Source) -> bool:
    return source.name.lower().endswith(PICTURES)


def _of_file(source: Source, text: str) -> Problem:
    return Problem(Where(source.name), text)
