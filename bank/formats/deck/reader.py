"""A deck's own folder, as files that came together or as a zip, -> drafts.

What deck.toml says is of the deck as a whole; a draft itself belongs to no deck yet.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from datetime import date

from bank.errors import BadFile
from bank.formats.deck.deck_toml import read_deck_toml
from bank.formats.deck.question_file import QuestionFile, read_question_file
from bank.formats.reading import (
    Attachment,
    Draft,
    Kind,
    Problem,
    Reading,
    Source,
    Where,
    text_of,
)
from bank.formats.safe_zip import files_of, is_zip, names_in, some_of
from bank.models import Deck, is_name

MOST_OF_A_QUESTION = 64 * 2**10
MOST_MARKS = 200_000  # in all files together: some 1,800 questions have as many

_OURS = re.compile(r"(?m)^(domain|tags|image|alt|sources|exhibit|expires|lint)[ \t]*:")
_BOXES = re.compile(r"(?m)^[-*+] \[[ xX]\]")
_SECTION = re.compile(r"(?mi)^## (?:short|full) explanation[ \t]*$")
_MISSING = re.compile(r"(?m)^# missing:")
_NOTED = re.compile(r"missing:\s*(.+)")
_HEAD = 2**16
# What the reader of Markdown takes its time for, in multiples of an end of line.
_COSTS = {b"\n": 1, b"*": 2, b"_": 2, b"`": 1, b"<": 1, b"[": 4}


def looks_like(source: Source) -> bool:
    """True for a question file with our front matter, and for a zip that holds one."""
    if not is_zip(source):
        return _is_question(source)
    try:
        names = [name for name in names_in(source) if name.endswith(".md")]
        return bool(names) and any(_is_question(each) for each in some_of(source, set(names[:20])))
    except BadFile:
        return False


def read(sources: Sequence[Source], beside: Sequence[Source]) -> Reading:
    """Every question file among the sources. Raises BadFile for a zip that cannot be unpacked."""
    files = [file for each in sources for file in (files_of(each) if is_zip(each) else [each])]
    others = [*files, *beside]
    drafts: list[Draft] = []
    problems: list[Problem] = []
    notes: list[Problem] = []
    abouts: list[Deck | None] = []
    budget = _Budget()
    for file in files:
        if posixpath.basename(file.name) == "deck.toml":
            about, faults = _about(file)
            abouts.append(about)
            problems += faults
        elif _is_question(file) and (refusal := budget.refusal(file)):
            problems.append(Problem(Where(file.name), refusal))
        elif _is_question(file):
            found = _File(file, others)
            draft = found.read()
            drafts += [draft] if draft else []
            problems += found.problems
            notes += found.notes
        elif file.name.endswith(".md"):
            problems.append(Problem(Where(file.name), "the file is no question file"))
    about = abouts[0] if len(abouts) == 1 else None
    return Reading(tuple(drafts), tuple(problems), tuple(notes), about)


def _about(file: Source) -> tuple[Deck | None, list[Problem]]:
    """What a deck.toml says, or what is wrong with it."""
    try:
        found = read_deck_toml(text_of(file))
    except BadFile as refusal:
        return None, [Problem(Where(file.name), refusal.sentence)]
    return found.deck("deck"), [
        Problem(Where(file.name, line), each) for line, each in found.faults
    ]


def _is_question(source: Source) -> bool:
    """True for front matter with a key of ours above boxes, or above a section of ours."""
    if not source.data.lstrip(b"\xef\xbb\xbf\xff\xfe\0").startswith((b"---", b"-\0-\0-\0")):
        return False
    try:
        text = text_of(Source(source.name, source.data[:_HEAD]))
    except BadFile:
        return False
    start, _, rest = text[3:].partition("\n---")
    known = _OURS.search(start) or _MISSING.search(start)
    return bool(known and (_BOXES.search(rest) or _SECTION.search(rest)))


class _Budget:
    """What may be read in bounded time: a reader of Markdown is slow on what nobody writes."""

    def __init__(self) -> None:
        self.marks = 0

    def refusal(self, file: Source) -> str | None:
        """Why a file is not read, or None, and then it is counted."""
        if len(file.data) > MOST_OF_A_QUESTION:
            return (
                f"the file is larger than {MOST_OF_A_QUESTION // 2**10} KB, too much for a question"
            )
        marks = sum(file.data.count(mark) * cost for mark, cost in _COSTS.items())
        if self.marks + marks > MOST_MARKS:
            return "the files before it are as much as I read at a time; bring the rest apart"
        self.marks += marks
        return None


class _File:
    """One question file -> its draft, and what is told of it."""

    def __init__(self, source: Source, others: Sequence[Source]) -> None:
        self.source = source
        self.others = others
        self.problems: list[Problem] = []
        self.notes: list[Problem] = []

    def read(self) -> Draft | None:
        """The draft; None where the file has faults other than that something is missing."""
        found = read_question_file(text_of(self.source))
        wrong = [fault for fault in found.faults if fault not in found.gaps]
        if wrong:
            self.problems += [Problem(self._where(line), fault) for line, fault in wrong]
            return None
        comments = [_NOTED.fullmatch(comment) for comment in found.front.comments]
        noted = [comment[1] for comment in comments if comment]
        gaps = [fault for _, fault in sorted(found.gaps)]
        return self._draft(found, tuple(dict.fromkeys([*noted, *gaps])))

    def _draft(self, found: QuestionFile, missing: tuple[str, ...]) -> Draft:
        slug = posixpath.splitext(posixpath.basename(self.source.name))[0]
        return Draft(
            where=Where(self.source.name, line=1),
            kind=Kind.MULTIPLE if sum(o.correct for o in found.offered) > 1 else Kind.CHOICE,
            stem=found.stem,
            options=found.offered,
            short=found.short,
            full=found.full,
            slug=slug if is_name(slug) else None,
            category=found.text("domain"),
            tags=found.items("tags"),
            sources=found.items("sources"),
            expires=self._expires(found),
            lint=found.items("lint"),
            image=self._picture(found, "image", "alt"),
            exhibit=self._picture(found, "exhibit", "exhibit-alt"),
            missing=missing,
        )

    def _expires(self, found: QuestionFile) -> date | None:
        text = found.text("expires")
        try:
            return date.fromisoformat(text) if text else None
        except ValueError:
            self._note(found.line("expires"), f"“expires” is no date: “{text}” is left out")
            return None

    def _picture(self, found: QuestionFile, key: str, about: str) -> Attachment | None:
        name = found.text(key)
        if name is None:
            return None
        folder = posixpath.dirname(posixpath.dirname(self.source.name))
        for wanted in (posixpath.join(folder, name), name):
            file = next((each for each in self.others if each.name == wanted), None)
            if file:
                return Attachment(name, file.data, found.text(about) or "")
        self._note(found.line(key), f"the picture “{name}” did not come with the question")
        return None

    def _note(self, line: int, text: str) -> None:
        self.notes.append(Problem(self._where(line), text))

    def _where(self, line: int) -> Where:
        return Where(self.source.name, line)
