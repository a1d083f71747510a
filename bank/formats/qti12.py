"""QTI 1.2 as Canvas and other learning systems export it: a zip, or one XML file -> drafts.

QTI 2 is another format under the same name, and is refused with a sentence.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element

from bank.errors import BadFile, quoted
from bank.formats.addresses import decoded, is_elsewhere, path_of
from bank.formats.html import ImageTag
from bank.formats.qti_items import all_in, metadata_of, name_of, read_item
from bank.formats.reading import MOST_BYTES, Attachment, Draft, Problem, Reading, Source, Where
from bank.formats.safe_xml import parsed, root_name
from bank.formats.safe_zip import MOST_UNPACKED, files_of, is_zip, names_in, some_of

_ROOT = "questestinterop"
_ROOTS_OF_QTI_2 = ("assessmentItem", "assessmentTest", "assessmentSection")
_MANIFEST = "imsmanifest.xml"
_SUFFIXES = (".xml", ".qti")
_FILES_TO_LOOK_AT = 20  # of a zip without a manifest, to tell what it is
# What Canvas writes for the folder of the course's files, which is the second in a package.
_FILES_OF_COURSE = ("$IMS-CC-FILEBASE$", "$IMS_CC_FILEBASE$")
_FOLDER_OF_FILES = "web_resources"


def looks_like(source: Source) -> bool:
    """True for QTI of any version: XML with its root, or a zip that has such a file."""
    if not is_zip(source):
        return _root(source) in (_ROOT, *_ROOTS_OF_QTI_2)
    try:
        names = names_in(source)
        manifests = {name for name in names if PurePosixPath(name).name == _MANIFEST}
        if any(b"imsqti" in file.data for file in some_of(source, manifests)):
            return True
        some = [name for name in names if name.lower().endswith(_SUFFIXES)][:_FILES_TO_LOOK_AT]
        return not manifests and any(
            _root(file) in (_ROOT, *_ROOTS_OF_QTI_2) for file in some_of(source, some)
        )
    except BadFile:
        return False


def read(sources: Sequence[Source], beside: Sequence[Source]) -> Reading:
    """The questions of each package or file; pictures are looked for in it, and among `beside`.

    Raises BadFile when one cannot be read, or is QTI 2.
    """
    drafts: list[Draft] = []
    problems: list[Problem] = []
    notes: list[Problem] = []
    left = MOST_UNPACKED  # of all packages together
    for source in sources:
        package = _opened(source, beside, left)
        left -= sum(len(file.data) for file in package.files.values()) if is_zip(source) else 0
        for quiz in package.quizzes(notes):
            drafts += quiz.drafts
            problems += quiz.problems
            notes += quiz.notes
    return Reading(tuple(drafts), tuple(problems), tuple(notes))


def _root(source: Source) -> str:
    return root_name(source).rpartition(":")[2]


@dataclass(slots=True)
class _Quiz:
    """An assessment or a bank as one file has it."""

    ident: str
    title: str
    file: str
    drafts: list[Draft] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    draws_from: list[str] = field(default_factory=list)  # idents of banks
    points: set[str] = field(default_factory=set)

    @property
    def fullness(self) -> tuple[int, int, int]:
        """The fuller of two copies has more questions, then more items, then more feedback."""
        text = sum(len(draft.full) + len(str(draft.options)) for draft in self.drafts)
        return len(self.drafts), len(self.drafts) + len(self.problems), text


@dataclass(slots=True)
class _Package:
    """The files that came together, by path, and those with questions among them."""

    source: Source
    files: Mapping[str, Source]
    by_name: Mapping[str, Sequence[Source]]  # the same files by the last part of their path
    texts: Sequence[Source]

    def quizzes(self, notes: list[Problem]) -> list[_Quiz]:
        """Each quiz once, from its fuller copy."""
        kept: dict[str, _Quiz] = {}
        for text in self.texts:
            for number, quiz in enumerate(self._quizzes_of(text)):
                ident = quiz.ident or f"{text.name} {number}"
                other = kept.get(ident)
                if other is not None:
                    fuller, thinner = sorted((quiz, other), key=lambda each: each.fullness)[::-1]
                    said = f"{quoted(quiz.title)} stands twice: it was read from "
                    said += (
                        f"{quoted(fuller.file)}, which has more, not from {quoted(thinner.file)}"
                    )
                    notes.append(Problem(Where(self.source.name), said))
                    quiz = fuller
                kept[ident] = quiz
        for quiz in kept.values():
            self._tell(quiz, kept, notes)
        return list(kept.values())

    def _tell(self, quiz: _Quiz, kept: Mapping[str, _Quiz], notes: list[Problem]) -> None:
        where = Where(self._shown(quiz.file))
        for bank in dict.fromkeys(quiz.draws_from):
            if bank not in kept:
                said = "it draws questions from a bank that did not come along"
                notes.append(Problem(where, f"{said}, {quoted(bank)}"))
        if len(quiz.points) > 1:
            notes.append(Problem(where, "questions give different points; here each counts alike"))

    def _shown(self, path: str) -> str:
        """A file's name for people: with the package that it came in."""
        return path if path == self.source.name else f"{self.source.name}/{path}"

    def _quizzes_of(self, text: Source) -> Iterator[_Quiz]:
        numbers = iter(range(1, MOST_BYTES))
        loose = _Quiz("", "", text.name)
        for element in parsed(text):
            name = name_of(element)
            if name in ("assessment", "objectbank"):
                title = element.get("title") or metadata_of(element).get("bank_title", "")
                quiz = _Quiz(element.get("ident", ""), title, text.name)
                self._walk(element, quiz, numbers, (title,))
                yield quiz
            elif name == "section":
                self._walk(element, loose, numbers, (element.get("title", ""),))
            elif name == "item":
                self._read(element, loose, numbers, ())
        if loose.drafts or loose.problems:
            yield loose

    def _walk(
        self, element: Element, quiz: _Quiz, numbers: Iterator[int], titles: tuple[str, ...]
    ) -> None:
        """Read the items of an element in order; the depth is bounded by the XML's reader."""
        for each in element:
            name = name_of(each)
            if name == "item":
                self._read(each, quiz, numbers, titles)
            elif name == "section":
                self._walk(each, quiz, numbers, (*titles, each.get("title", "")))
            elif name == "selection_ordering":
                banks = all_in(each, "sourcebank_ref")
                quiz.draws_from += [(bank.text or "").strip() for bank in banks]

    def _read(
        self, item: Element, quiz: _Quiz, numbers: Iterator[int], titles: tuple[str, ...]
    ) -> None:
        where = Where(self._shown(quiz.file), item=next(numbers))
        folder = str(PurePosixPath(quiz.file).parent)
        # A slash in a title is no step to a narrower category.
        named = [" ".join(title.replace("/", "-").split()) for title in titles]
        category = "/".join(title for title in named if title) or None
        found, notes = read_item(item, where, category, lambda tag: self._picture(tag, folder))
        if isinstance(found, Draft):
            quiz.drafts.append(found)
            quiz.points.add(metadata_of(item).get("points_possible", "") or "1.0")
        else:
            quiz.problems.append(found)
        quiz.notes += notes

    def _picture(self, tag: ImageTag, folder: str) -> Attachment | None:
        """The picture that an address means, if it came along."""
        if tag.src.startswith("data:"):
            return _own_picture(tag)
        address = decoded(tag.src)
        paths = [path_of(address, folder), path_of(address)]
        for mark in _FILES_OF_COURSE:
            if address.startswith(mark):
                bare = address.removeprefix(mark)
                paths = [path_of(bare, _FOLDER_OF_FILES), path_of(bare)]
        if is_elsewhere(address) or not paths[-1]:
            return None
        file = next((self.files[path] for path in paths if path in self.files), None)
        if file is None:
            file = self._ending_in(paths[-1])
        return Attachment(PurePosixPath(file.name).name, file.data, tag.alt) if file else None

    def _ending_in(self, path: str) -> Source | None:
        """The one file whose path ends so, or else the one that has its name: folders get lost."""
        name = PurePosixPath(path).name
        same = self.by_name.get(name, [])
        closer = [file for file in same if file.name.endswith(f"/{path}")]
        fitting = closer or same
        return fitting[0] if len(fitting) == 1 else None


def _own_picture(tag: ImageTag) -> Attachment | None:
    """A picture that stands in its own address, as “data:image/png;base64,…”."""
    head, _, data = tag.src.partition(",")
    if not head.endswith(";base64"):
        return None
    try:
        return Attachment("picture", binascii.a2b_base64(decoded(data)), tag.alt)
    except (binascii.Error, ValueError):
        return None


def _opened(source: Source, beside: Sequence[Source], most_bytes: int) -> _Package:
    """The files with questions, and all that pictures can be among."""
    files = files_of(source, most_bytes) if is_zip(source) else [source]
    xml = [file for file in files if file is source or file.name.lower().endswith(_SUFFIXES)]
    roots = {file.name: _root(file) for file in xml}
    texts = [file for file in xml if roots[file.name] == _ROOT]
    if not texts:
        if not set(_ROOTS_OF_QTI_2).isdisjoint(roots.values()):
            raise BadFile(
                f"{quoted(source.name)} is QTI 2, and I read QTI 1.2 alone. "
                "Please export it in that version; Canvas calls it a classic quiz."
            )
        raise BadFile(f"{quoted(source.name)} holds no questions in QTI 1.2.")
    if sum(len(text.data) for text in texts) > MOST_BYTES:
        raise BadFile(
            f"{quoted(source.name)} holds more than {MOST_BYTES // 2**20} MB of questions. "
            "Please split it."
        )
    by_path = {file.name: file for file in (*beside, *files)}
    by_name: dict[str, list[Source]] = {}
    for path, file in by_path.items():
        by_name.setdefault(PurePosixPath(path).name, []).append(file)
    return _Package(source, by_path, by_name, texts)
