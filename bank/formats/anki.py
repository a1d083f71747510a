"""Anki packages (.apkg): notes -> drafts. A question is what has a stem, options and a key.

That is so for notes that quizdrop wrote; for the note type “Multiple Choice for Anki”; for note
types whose fields are named for it, such as Question, A, B, C, Answer; and for a plain card whose
front lists options. Every other note is listed, by its number in the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bank.errors import quoted
from bank.formats import anki_copy
from bank.formats.addresses import decoded, first_picture
from bank.formats.anki_cards import Back, back_of, front_of
from bank.formats.anki_copy import kind_of
from bank.formats.anki_fields import Roles, roles_of
from bank.formats.anki_package import Note, Package, is_package, opened
from bank.formats.html import ImageTag, markdown_of, media_in, pictures_in
from bank.formats.reading import (
    Attachment,
    Draft,
    DraftOption,
    Kind,
    Problem,
    Reading,
    Source,
    Where,
)
from bank.formats.safe_zip import MOST_UNPACKED
from bank.prose import with_references

MOST_OF_A_NOTE = 200_000  # characters, HTML and all; what is shown of one is far below

_SOUND = re.compile(r"\[sound:[^\]\n]*+\]")
_MEDIA = re.compile(r"<(?:audio|video|source|embed|object|iframe)\b", re.IGNORECASE)
_CLOZE = re.compile(r"\{\{c\d{1,3}::")
_FLAGS = re.compile(r"[01](?:[\s,;]++[01])++")
# As “Multiple Choice for Anki” numbers the kinds of question.
_KINDS: dict[str, Kind | str] = {"0": "kprim", "1": Kind.MULTIPLE, "2": Kind.CHOICE}


def looks_like(source: Source) -> bool:
    """True for a zip with a collection of Anki's."""
    return is_package(source)


def read(sources: Sequence[Source], beside: Sequence[Source]) -> Reading:
    """The questions among the packages' notes. Raises BadFile when one cannot be opened."""
    drafts: list[Draft] = []
    problems: list[Problem] = []
    notes: list[Problem] = []
    left = MOST_UNPACKED  # of all packages together
    for source in sources:
        package = opened(source, left)
        for note in package.notes:
            card = _Card(package, note, Where(source.name, item=note.number))
            found = card.read()
            if isinstance(found, Draft):
                drafts.append(found)
                notes += [Problem(card.where, text) for text in card.notes]
            else:
                problems.append(found)
        left = package.left
    return Reading(tuple(drafts), tuple(problems), tuple(notes))


@dataclass(slots=True)
class _Card:
    """One note on its way to a draft; `notes` say what was left out of it."""

    package: Package
    note: Note
    where: Where
    notes: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)  # fields that were turned into Markdown

    def read(self) -> Draft | Problem:
        if sum(len(text) for text in self.note.fields.values()) > MOST_OF_A_NOTE:
            most = f"{MOST_OF_A_NOTE:,}"
            return Problem(self.where, f"the note is longer than {most} characters")
        if anki_copy.FIELD in self.note.fields:
            return self._copied()
        roles = roles_of(self.note.fields)
        kind = _KINDS.get(self._text(roles.kind)) if roles.kind else None
        if not isinstance(kind, Kind | None):
            return self._not_supported(kind)
        if any(_CLOZE.search(text) for text in self.note.fields.values()):
            occluded = "occlusion" in self.note.type.lower()
            return self._not_supported("image occlusion" if occluded else "cloze")
        if roles.stem is None:
            return self._not_supported("flashcard")
        draft = self._by_options(roles, roles.stem, kind) or self._by_front(roles, roles.stem)
        return draft or self._not_supported("flashcard")

    def _copied(self) -> Draft | Problem:
        copied = self.note.fields[anki_copy.FIELD]
        draft = anki_copy.draft_of(copied, self.package.media, self.where)
        return draft or Problem(self.where, "the note's own copy of its question cannot be read")

    def _not_supported(self, kind: str) -> Problem:
        text = {"flashcard": "flashcards", "cloze": "cloze deletions"}.get(kind, f"{kind} notes")
        return Problem(self.where, f"{text} are not supported", kind)

    def _by_options(self, roles: Roles, stem: str, kind: Kind | None) -> Draft | None:
        """A field for each option: Question, A, B, C, Answer; or Question, Answer, Wrong 1 …"""
        by_wrong = bool(roles.wrong and roles.key and not roles.options)
        fields = [roles.key or "", *roles.wrong] if by_wrong else roles.options
        fields = self._filled(fields, gaps=not by_wrong)
        if len(fields) < 2 or (by_wrong and fields[0] != roles.key):
            return None
        texts = tuple(self._text(name) for name in fields)
        back = Back(frozenset({0})) if by_wrong else self._key(roles, texts)
        if not back.keys and back.contradiction is None:
            self.missing.append("no field names an option as the key")
        if kind is Kind.CHOICE and len(back.keys) > 1:
            self.missing.append("it takes one answer, but several options are marked as the key")
        for name in fields:
            if pictures_in(self.note.fields[name]):
                self.notes.append(f"the picture of the option field {quoted(name)} was left out")
        left = [name for name in (*roles.options, *roles.wrong) if name not in fields]
        return self._draft(roles, self._text(stem), texts, back, kind, left)

    def _filled(self, fields: Sequence[str], gaps: bool) -> list[str]:
        """The fields that hold something; with `gaps`, also empty ones before the last of them."""
        filled = [name for name in fields if self.note.fields[name].strip()]
        if not gaps or not filled:
            return filled
        return list(fields[: fields.index(filled[-1]) + 1])

    def _key(self, roles: Roles, texts: Sequence[str]) -> Back:
        """What the key's field says: “1 0 0”, letters, numbers, or an option's text."""
        text = self._text(roles.key)
        marks = [sign for sign in text if sign in "01"] if _FLAGS.fullmatch(text) else []
        if len(marks) >= len(texts):
            keys = frozenset(at for at, mark in enumerate(marks) if mark == "1")
            return Back(keys) if max(keys, default=0) < len(texts) else Back()
        return back_of(text, texts, numbers=True)

    def _by_front(self, roles: Roles, stem: str) -> Draft | None:
        """A plain card: the options stand in front, below the stem."""
        front = front_of(self._text(stem))
        if front is None:
            return None
        text = self._text(roles.key)
        back = back_of(text, front.options, numbers=not front.lettered)
        if not back.keys and back.contradiction is None:
            if not front.lettered:
                return None  # a list in front, and behind it something else
            self.missing.append("the back names no option as the key")
        return self._draft(roles, front.stem, front.options, back, None, [])

    def _draft(
        self,
        roles: Roles,
        stem: str,
        texts: Sequence[str],
        back: Back,
        kind: Kind | None,
        left: Sequence[str],
    ) -> Draft:
        if back.contradiction is not None:
            self.missing.append(back.contradiction)
        options = tuple(
            DraftOption(with_references(text, 0), at in back.keys) for at, text in enumerate(texts)
        )
        full = self._joined([back.rest, *map(self._text, roles.reasons)])
        short = self._joined(map(self._text, roles.short))
        shown = [
            name for name in (roles.key, *roles.pictures, *roles.short, *roles.reasons) if name
        ]
        exhibit, absent = self._picture([roles.stem or ""], "in front")
        self.missing += absent  # what is asked may be about it
        image, absent = self._picture(shown, "behind")
        self.notes += absent
        self._tell_what_is_left([*roles.others, *left])
        return Draft(
            where=self.where,
            kind=Kind.MULTIPLE if kind is Kind.MULTIPLE else kind_of(options),
            stem=with_references(stem, 0),
            options=options,
            short=with_references(short, len(options)),
            full=with_references(full, len(options)),
            category=self._category(),
            tags=self.note.tags,
            sources=tuple(self._sources(roles)),
            exhibit=exhibit,
            image=image,
            missing=tuple(self.missing),
        )

    def _text(self, name: str | None) -> str:
        """A field as Markdown, without its sounds."""
        if name is None:
            return ""
        if name not in self.texts:
            self.texts[name] = markdown_of(_SOUND.sub("", self.note.fields[name]))
        return self.texts[name]

    @staticmethod
    def _joined(texts: Iterable[str]) -> str:
        return "\n\n".join(text for text in texts if text)

    def _picture(self, names: Sequence[str], place: str) -> tuple[Attachment | None, list[str]]:
        """The first picture of the fields, and which one is absent."""
        tags = [tag for name in names for tag in pictures_in(self.note.fields[name])]
        shown = first_picture(tags, self._found, place)
        self.notes += shown.left_out
        return shown.picture, list(shown.absent)

    def _found(self, tag: ImageTag) -> Attachment | None:
        for name in (tag.src, decoded(tag.src)):
            data = self.package.media(name)
            if data is not None:
                return Attachment(name, data, tag.alt)
        return None

    def _tell_what_is_left(self, others: Sequence[str]) -> None:
        for name in others:
            if self.note.fields[name].strip():
                self.notes.append(f"the field {quoted(name)} was left out")
        texts = self.note.fields.values()
        # Few notes have such a tag, and all of a note would be read once more to find it.
        if any(_SOUND.search(text) or (_MEDIA.search(text) and media_in(text)) for text in texts):
            self.notes.append("a sound or film was left out")

    def _sources(self, roles: Roles) -> Iterable[str]:
        for name in roles.sources:
            lines = self._text(name).split("\n")
            yield from (line.strip() for line in lines if line.strip())

    def _category(self) -> str | None:
        """The deck, and the decks that it lies in; none where Anki put what has no deck."""
        parts = [part.strip().replace("/", "-") for part in self.note.deck.split("::")]
        named = [part for part in parts if part]
        return "/".join(named) if named and named != ["Default"] else None
