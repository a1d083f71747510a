"""A deck folder on disk -> Deck, reporting every fault at once, each with its file and line.

What stands in its folder `drafts` is read leniently: it is a draft, whatever it lacks.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from pydantic import ValidationError

from bank.errors import DeckFaults, Fault
from bank.formats.deck.deck_toml import (
    NAMING,
    DeckToml,
    read_deck_toml,
    seen_faults,
    waiver_faults,
)
from bank.formats.deck.question_file import QuestionFile, read_question_file
from bank.models import Deck, DraftFile, Image, Question, digest_of, is_name

# What a drop shows must fit one message on any platform that we know of, so the parts are bounded.
LONGEST_DROP = 2400  # characters of stem and options together
LONGEST_OPTION = 600
LONGEST_RATIONALE = 600
LONGEST_SHORT = 1000
LONGEST_FULL = 20_000  # it is shown in pages
LONGEST_ALT = 500
MOST_IMAGE_BYTES = 8 * 2**20

_PICTURE = re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8|RIFF.{4}WEBP", re.DOTALL)
_MISSING = "missing:"  # begins a comment of a draft's front matter, written by an import


def deck_folders(roots: Iterable[Path]) -> list[Path]:
    """Every deck folder under the roots: a folder that holds a deck.toml. A later root wins."""
    found = {
        folder.name: folder
        for root in roots
        if root.is_dir()
        for folder in sorted(root.iterdir())
        if (folder / "deck.toml").is_file()
    }
    return list(found.values())


def load_deck(folder: Path) -> Deck:
    """The deck in a folder. Raises DeckFaults with every fault when there is any."""
    deck, faults = check_deck(folder)
    if faults or deck is None:
        raise DeckFaults(folder.name, faults)
    return deck


def check_deck(folder: Path) -> tuple[Deck | None, list[Fault]]:
    """The deck, where it can be built at all, and every fault in its files."""
    loader = _Loader(folder)
    return loader.load(), sorted(loader.faults, key=lambda fault: (fault.file, fault.line))


class _NoPicture(Exception):
    """What a question names is no picture that can be shown; its text says why."""


class _Loader:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.toml = folder / "deck.toml"
        self.faults: list[Fault] = []

    def load(self) -> Deck | None:
        if not is_name(self.folder.name):
            self._fault(self.toml, 1, f"a deck's folder is named in {NAMING}")
        about = self._read_toml()
        # Without a list of domains, each question's domain would be one more fault that is none.
        known = {domain.id for domain in about.domains} if about and about.domains else None
        paths = sorted((self.folder / "questions").glob("*.md"))
        questions = [self._question(path, known) for path in paths]
        drafts = sorted((self.folder / "drafts").glob("*.md"))
        self._check_twins(drafts, {path.stem for path in paths})
        deck = about.deck(self.folder.name) if about and not self.faults else None
        return deck and deck.model_copy(
            update={
                "questions": tuple(question for question in questions if question is not None),
                "drafts": tuple(self._draft(path, known) for path in drafts),
            }
        )

    def _fault(self, file: Path, line: int, text: str) -> None:
        self.faults.append(Fault(file, line, text))

    def _tell(self, file: Path, faults: Iterable[tuple[int, str]]) -> None:
        for line, text in faults:
            self._fault(file, line, text)

    def _read_text(self, path: Path) -> str | None:
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            line = path.read_bytes()[: error.start].count(b"\n") + 1
            self._fault(path, line, "this line is not UTF-8 text: save the file as UTF-8")
        except OSError as error:
            self._fault(path, 1, f"the file cannot be read: {error.strerror}")
        else:
            return text
        return None

    def _read_toml(self) -> DeckToml | None:
        text = self._read_text(self.toml)
        if text is None:
            return None
        found = read_deck_toml(text)
        self._tell(self.toml, found.faults)
        return found

    def _check_twins(self, drafts: list[Path], slugs: set[str]) -> None:
        for path in drafts:
            if path.stem in slugs:
                self._fault(path, 1, f"“questions/{path.name}” is there as well: keep one of them")

    def _draft(self, path: Path, domains: set[str] | None) -> DraftFile:
        """A question as far as it is written. What would be a fault of a question is missing."""
        apart = _Loader(self.folder)
        text = apart._read_text(path)
        found = read_question_file(text or "")
        if text is not None:
            apart._tell(path, seen_faults(text))
            apart._checked(path, found, domains)
        noted = [
            comment.removeprefix(_MISSING).strip()
            for comment in found.front.comments
            if comment.startswith(_MISSING)
        ]
        faults = sorted(apart.faults, key=lambda fault: fault.line)
        missing = dict.fromkeys([*noted, *(fault.text for fault in faults)])
        slug = path.stem.encode(errors="replace").decode()  # a name need not be text
        return DraftFile(slug=slug, stem=found.stem, missing=tuple(missing))

    def _question(self, path: Path, domains: set[str] | None) -> Question | None:
        text = self._read_text(path)
        if text is None:
            return None
        before = len(self.faults)
        self._tell(path, seen_faults(text))
        question = self._checked(path, read_question_file(text), domains)
        return question if len(self.faults) == before else None

    def _checked(
        self, path: Path, found: QuestionFile, domains: set[str] | None
    ) -> Question | None:
        before = len(self.faults)
        self._tell(path, found.faults)
        if not found.front.closed:
            return None
        if not is_name(path.stem):
            self._fault(path, 1, f"a question's file is named in {NAMING}")
        self._check_domain(path, found, domains)
        self._check_options(path, found)
        self._check_lengths(path, found)
        image = self._image(path, found, "image", "alt")
        exhibit = self._image(path, found, "exhibit", "exhibit-alt")
        expires = self._date(path, found, "expires")
        waivers = waiver_faults(found.items("lint"))
        self._tell(path, [(found.line("lint"), fault) for fault in waivers])
        if len(self.faults) > before or not is_name(self.folder.name):
            return None
        return self._built(path, found, image=image, exhibit=exhibit, expires=expires)

    def _built(
        self, path: Path, found: QuestionFile, **more: Image | date | None
    ) -> Question | None:
        try:
            return Question(
                deck=self.folder.name,
                slug=path.stem,
                domain=found.text("domain") or "",
                stem=found.stem,
                options=found.options,
                short=found.short,
                full=found.full,
                tags=found.items("tags"),
                sources=found.items("sources"),
                lint=found.items("lint"),
                **more,
            )
        except ValidationError as error:
            for problem in error.errors():
                where = ".".join(str(part) for part in problem["loc"])
                self._fault(path, 1, f"{where}: {problem['msg']}")
            return None

    def _check_domain(self, path: Path, found: QuestionFile, domains: set[str] | None) -> None:
        domain = found.text("domain")
        if domain is None:
            self._fault(path, found.line("domain"), "“domain” is missing in the front matter")
        elif domains is not None and domain not in domains:
            known = ", ".join(sorted(domains))
            text = f"the deck has no domain “{domain}”; it has {known}"
            self._fault(path, found.line("domain"), text)

    def _check_options(self, path: Path, found: QuestionFile) -> None:
        options = found.options
        if not options or found.places != len(options):
            return
        keys = sum(option.correct for option in options)
        line = found.options_line
        if not 2 <= len(options) <= 8:
            self._fault(path, line, f"a question has 2 to 8 options, this one has {len(options)}")
        if keys == 0:
            self._fault(path, line, "no option is marked “[x]”")
        elif keys == len(options) > 1:
            self._fault(path, line, "every option is marked “[x]”, so there is nothing to choose")
        first: dict[str, str] = {}
        for option, option_line in zip(options, found.option_lines, strict=True):
            said = option.text.casefold()
            if said in first:
                self._fault(path, option_line, f"two options say the same: “{first[said]}”")
            first.setdefault(said, option.text)

    def _check_lengths(self, path: Path, found: QuestionFile) -> None:
        drop = len(found.stem) + sum(len(option.text) for option in found.options)
        parts = [(drop, LONGEST_DROP, "stem and options together", found.stem_line)]
        parts += [
            part
            for option, line in zip(found.options, found.option_lines, strict=True)
            for part in (
                (len(option.text), LONGEST_OPTION, "an option", line),
                (len(option.rationale), LONGEST_RATIONALE, "a rationale", line),
            )
        ]
        parts.append((len(found.short), LONGEST_SHORT, "the short explanation", found.short_line))
        parts.append((len(found.full), LONGEST_FULL, "the full explanation", found.full_line))
        for length, longest, what, line in parts:
            if length > longest:
                text = f"{what} may have {longest} characters; here it is {length}"
                self._fault(path, line, text)

    def _image(self, path: Path, found: QuestionFile, key: str, alt_key: str) -> Image | None:
        """The picture that two keys of the front matter name."""
        name, alt = found.text(key), found.text(alt_key) or ""
        if name is None:
            if alt:
                text = f"there is an alt text but no {key}: add “{key}: …” or remove it"
                self._fault(path, found.line(alt_key), text)
            return None
        if len(alt) > LONGEST_ALT:
            text = f"an alt text may have {LONGEST_ALT} characters; here it is {len(alt)}"
            self._fault(path, found.line(alt_key), text)
        try:
            digest = digest_of(self._picture(name))
        except _NoPicture as fault:
            self._fault(path, found.line(key), f"the {key} “{name}” {fault}")
            return None
        return Image(path=name, alt=alt, digest=digest)

    def _date(self, path: Path, found: QuestionFile, key: str) -> date | None:
        text = found.text(key)
        try:
            return date.fromisoformat(text) if text else None
        except ValueError:
            fault = f"“{key}” is a date such as 2027-06-30; here it is “{text}”"
            self._fault(path, found.line(key), fault)
            return None

    def _picture(self, name: str) -> bytes:
        """The content of a picture of the deck. Raises _NoPicture."""
        try:
            file = (self.folder / name).resolve()
            if not file.is_relative_to(self.folder.resolve()):
                raise _NoPicture("lies outside the deck's folder")
            if not file.is_file():
                raise _NoPicture("does not exist")
            if file.stat().st_size > MOST_IMAGE_BYTES:
                raise _NoPicture("is larger than 8 MB")
            content = file.read_bytes()
        except OSError as error:
            unusable = error.errno == errno.ENAMETOOLONG
            fault = "does not exist" if unusable else f"cannot be read: {error.strerror}"
            raise _NoPicture(fault) from error
        except (ValueError, RuntimeError) as error:  # a zero byte; a link that leads to itself
            raise _NoPicture("does not exist") from error
        if not _PICTURE.match(content):
            raise _NoPicture("is no PNG, JPEG, GIF or WebP picture")
        return content
