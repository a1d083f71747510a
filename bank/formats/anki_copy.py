"""The copy of a question that a note of ours carries beside what it shows: question <-> text.

What a card shows is HTML, with letters where the question has references: neither can be turned
back into the very Markdown. So the note has one more field, which no card shows, with the question
as JSON. JSON, since it has no line ends of its own, which Anki's editor would change.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bank.formats.reading import Attachment, Draft, DraftOption, Kind, Where
from bank.models import Image, Question

NOTE_TYPE = "quizdrop question"
FIELD = "quizdrop"

Media = Callable[[str], bytes | None]  # a name in the package -> its bytes


class _Copy(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class _Option(_Copy):
    text: str
    correct: bool
    rationale: str = ""
    misconception: str | None = None


class _Picture(_Copy):
    media: str  # its name among the package's media
    name: str  # its name in the deck
    alt: str = ""


class _Question(_Copy):
    slug: str
    domain: str
    stem: str
    # As lists: strict JSON knows no tuples.
    options: Annotated[list[_Option], Field(max_length=8)]
    short: str = ""
    full: str = ""
    tags: list[str] = []
    sources: list[str] = []
    exhibit: _Picture | None = None
    image: _Picture | None = None


def copy_of(question: Question, media: Callable[[Image], str]) -> str:
    """The field's text; `media` tells under which name the package holds a picture."""

    def picture(image: Image | None) -> _Picture | None:
        if image is None:
            return None
        return _Picture(media=media(image), name=PurePosixPath(image.path).name, alt=image.alt)

    copied = _Question(
        slug=question.slug,
        domain=question.domain,
        stem=question.stem,
        options=[_Option(**option.model_dump()) for option in question.options],
        short=question.short,
        full=question.full,
        tags=list(question.tags),
        sources=list(question.sources),
        exhibit=picture(question.exhibit),
        image=picture(question.image),
    )
    written = json.dumps(copied.model_dump(exclude_defaults=True), ensure_ascii=False)
    # Anki holds fields as HTML.
    return html.escape(written, quote=False)


def draft_of(field: str, media: Media, where: Where) -> Draft | None:
    """The question that a field's text is a copy of; None when it cannot be read."""
    try:
        copied = _Question.model_validate_json(html.unescape(field))
    except ValidationError:
        return None
    missing: list[str] = []

    def picture(of: _Picture | None) -> Attachment | None:
        if of is None:
            return None
        data = media(of.media)
        if data is None:
            missing.append(f"the picture “{of.name}” is not in the package")
            return None
        return Attachment(of.name, data, of.alt)

    options = tuple(DraftOption(**option.model_dump()) for option in copied.options)
    return Draft(
        where=where,
        kind=kind_of(options),
        stem=copied.stem,
        options=options,
        short=copied.short,
        full=copied.full,
        slug=copied.slug,
        category=copied.domain,
        tags=tuple(copied.tags),
        sources=tuple(copied.sources),
        exhibit=picture(copied.exhibit),
        image=picture(copied.image),
        missing=tuple(missing),
    )


def kind_of(options: tuple[DraftOption, ...]) -> Kind:
    """What kind of question has these options."""
    if sum(option.correct for option in options) > 1:
        return Kind.MULTIPLE
    if {option.text.casefold() for option in options} == {"true", "false"}:
        return Kind.TRUE_FALSE
    return Kind.CHOICE
