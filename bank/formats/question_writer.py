"""A question -> the text of its file, such that the reader gives the question back equal.

What is written is read again before it is given. What Markdown cannot hold in this shape, such as
a heading inside the stem, is refused with a sentence and never changed in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from markdown_it import MarkdownIt

from bank.errors import QuizError
from bank.formats.deck_pictures import path_of
from bank.formats.question_file import SECTIONS, QuestionFile, read_question_file
from bank.formats.reading import Attachment, Draft, DraftOption
from bank.letters import LETTERS
from bank.models import Image, Question

_markdown = MarkdownIt("commonmark")

_QUOTED_WHOLE = re.compile(r"""\[.*|"(?:[^"\\]|\\.)*"|'[^']*'""")
_PLAIN_ITEM = re.compile(r"""[^,"'\[\]\s](?:[^,"'\[\]]*[^,"'\[\]\s])?""")
_BLOCK = re.compile(r"(```|~~~|[-+*>|#]|\d+[.)]|<| {4}|\t)")
_HEADING = re.compile(r"h[12]")


class Unwritable(QuizError):
    """A question that no question file can hold; the sentence says which part and why."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """How it is written, where Markdown leaves a choice that the content may take away."""

    bullet: str
    gap: bool  # an empty line between an option and its rationale
    alone: bool  # the box alone on its line
    stress: str  # the mark around a misconception


_SHAPES = [_Shape(*each) for each in product("-*", (False, True), (False, True), "*_")]


def question_text(question: Question) -> str:
    """The text of a question file. Raises Unwritable for what none can hold.

    Spaces at the ends of lines, which Markdown does not show, are not kept.
    """
    front = _front_of(question)
    options = _options_of(question)
    for shape in _SHAPES:
        text = _text(front, question.stem, options, (question.short, question.full), shape)
        if _is_same(read_question_file(text), question, options):
            return text
    raise Unwritable(_why_not(question))


def _options_of(question: Question) -> list[DraftOption]:
    return [
        DraftOption(each.text, each.correct, each.rationale, each.misconception)
        for each in question.options
    ]


def draft_text(draft: Draft) -> str:
    """The text of an incomplete question, in the same shape with what is there.

    What is missing stands as comments in the front matter. The text is as near to the draft as
    Markdown lets it be; whoever completes the draft sees it.
    """
    comments = [f"# missing: {_one_line(missing)}" for missing in draft.missing]
    front = [
        *_entries(
            domain=draft.category,
            tags=draft.tags,
            image=_name_of(draft.image),
            alt=draft.image.alt if draft.image else None,
            sources=draft.sources,
            exhibit=_name_of(draft.exhibit),
            exhibit_alt=draft.exhibit.alt if draft.exhibit else None,
        ),
        *comments,
    ]
    texts = (draft.short, draft.full)
    written = [_text(front, draft.stem, draft.options, texts, shape) for shape in _SHAPES]
    for text in written:
        if _has_parts(read_question_file(text), draft.stem, draft.options, texts):
            return text
    return written[0]


def _name_of(attachment: Attachment | None) -> str | None:
    return attachment.name if attachment else None


def _front_of(question: Question) -> list[str]:
    image, exhibit = question.image, question.exhibit
    return _entries(
        domain=question.domain,
        tags=question.tags,
        image=path_of(image) if image else None,
        alt=image.alt if image else None,
        sources=question.sources,
        exhibit=path_of(exhibit) if exhibit else None,
        exhibit_alt=exhibit.alt if exhibit else None,
        expires=question.expires.isoformat() if question.expires else None,
        lint=question.lint,
    )


def _entries(**values: str | Sequence[str] | None) -> list[str]:
    """The lines of the front matter; what is empty has none."""
    lines: list[str] = []
    for key, value in values.items():
        name = key.replace("_", "-")
        if isinstance(value, str) and value.strip():
            lines.append(f"{name}: {_value(_one_line(value))}")
        elif value and not isinstance(value, str):
            lines.append(f"{name}: [{', '.join(_item(_one_line(each)) for each in value)}]")
    return lines


def _value(text: str) -> str:
    return _in_marks(text) if _QUOTED_WHOLE.fullmatch(text) else text


def _item(text: str) -> str:
    return text if _PLAIN_ITEM.fullmatch(text) and ":" not in text else _in_marks(text)


def _in_marks(text: str) -> str:
    escaped = re.sub(r'(["\\])', r"\\\1", text)
    return f'"{escaped}"'


def _one_line(text: str) -> str:
    return re.sub(r"\s*[\r\n]\s*", " ", text).strip()


def _text(
    front: Sequence[str],
    stem: str,
    options: Sequence[DraftOption],
    texts: tuple[str, str],
    shape: _Shape,
) -> str:
    parts = ["\n".join(["---", *front, "---", *_broken(stem)])]
    if options:
        parts.append("\n".join(line for each in options for line in _option(each, shape)))
    for title, text in zip(SECTIONS, texts, strict=True):
        if text:
            parts += [f"## {title}", "\n".join(_broken(text))]
    return "\n\n".join(parts) + "\n"


def _option(option: DraftOption, shape: _Shape) -> Iterator[str]:
    """The lines of an option: its box and text, and its rationale as a quote."""
    box = f"{shape.bullet} [{'x' if option.correct else ' '}]"
    first, *rest = _broken(option.text)
    if shape.alone or _is_fence(first):
        yield box
        rest = [first, *rest]
    else:
        yield f"{box} {first}" if first else box
    yield from (f"  {line}" if line else "" for line in rest if option.text)
    why = _why(option, shape)
    if why and shape.gap:
        yield ""
    yield from (f"  > {line}" if line else "  >" for line in _broken(why) if why)
    if shape.gap:
        yield ""


def _is_fence(line: str) -> bool:
    return line.startswith(("```", "~~~"))


def _why(option: DraftOption, shape: _Shape) -> str:
    """The rationale behind the misconception that it begins with."""
    if option.misconception is None:
        return option.rationale
    named = f"{shape.stress}{option.misconception}.{shape.stress}"
    between = "\n\n" if _BLOCK.match(option.rationale) else " "
    return f"{named}{between}{option.rationale}".strip()


def _broken(text: str) -> list[str]:
    """The lines of a text in which each line end inside a paragraph is a hard one."""
    lines = text.split("\n")
    for token in _markdown.parse(text):
        if token.type == "inline" and token.map:
            for at in range(token.map[0], min(token.map[1], len(lines)) - 1):
                line = lines[at].rstrip(" ")
                # A backslash breaks the line, but behind another one it would be text.
                lines[at] = f"{line}  " if line.endswith("\\") else f"{line}\\"
    return lines


def _is_same(found: QuestionFile, question: Question, options: Sequence[DraftOption]) -> bool:
    fronts = {
        "domain": question.domain,
        "image": path_of(question.image) if question.image else None,
        "alt": _alt(question.image),
        "exhibit": path_of(question.exhibit) if question.exhibit else None,
        "exhibit-alt": _alt(question.exhibit),
        "expires": question.expires.isoformat() if question.expires else None,
    }
    lists = {"tags": question.tags, "sources": question.sources, "lint": question.lint}
    return (
        not found.faults
        and all(found.text(key) == value for key, value in fronts.items())
        and all(found.items(key) == tuple(map(_one_line, value)) for key, value in lists.items())
        and _has_parts(found, question.stem, options, (question.short, question.full))
    )


def _alt(image: Image | None) -> str | None:
    return (_one_line(image.alt) or None) if image else None


def _has_parts(
    found: QuestionFile, stem: str, options: Sequence[DraftOption], texts: tuple[str, str]
) -> bool:
    """True when these parts have been read, but for spaces at the ends of lines."""
    pairs = [(found.stem, stem), (found.short, texts[0]), (found.full, texts[1])]
    for read, meant in zip(found.offered, options, strict=False):
        pairs += [(read.text, meant.text), (read.rationale, meant.rationale)]
        pairs.append((read.misconception or "", meant.misconception or ""))
    keys = [option.correct for option in options]
    return [each.correct for each in found.offered] == keys and all(
        _trimmed(read) == _trimmed(meant) for read, meant in pairs
    )


def _trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().split("\n")]


def _why_not(question: Question) -> str:
    """A sentence on the first part that stands in the way."""
    parts = {"the stem": question.stem, "the short explanation": question.short}
    parts["the full explanation"] = question.full
    for letter, option in zip(LETTERS, question.options, strict=False):
        parts[f"option {letter}"] = option.text
        parts[f"the rationale of option {letter}"] = option.rationale
        parts[f"the misconception of option {letter}"] = option.misconception or ""
    for name, text in parts.items():
        if any(_HEADING.fullmatch(token.tag) for token in _markdown.parse(text)):
            return (
                f"{question.id} cannot be written: {name} holds a large heading, or “---” or “===” "
                "right under a text. Use “###” or bold type."
            )
    for name, text in parts.items():
        if name != "the full explanation" and text.count("```") % 2:
            return (
                f"{question.id} cannot be written: {name} has code that is never closed by “```”."
            )
    for name, text in parts.items():
        plain = question.model_copy(update=_only(question, name, text))
        if not _can_be_written(plain):
            return (
                f"{question.id} cannot be written: {name} has marks that read as other parts of a "
                "question file do, such as a box, a quote or emphasis at its beginning."
            )
    return f"{question.id} cannot be written: its parts read differently beside each other."


def _only(question: Question, name: str, text: str) -> dict[str, object]:
    """The changes that leave a question with one part as it is, and with harmless others."""
    options = tuple(
        option.model_copy(
            update={
                "text": text if name == f"option {letter}" else f"option {letter}",
                "rationale": text if name == f"the rationale of option {letter}" else "",
                "misconception": text or None
                if name == f"the misconception of option {letter}"
                else None,
            }
        )
        for letter, option in zip(LETTERS, question.options, strict=False)
    )
    return {
        "stem": text if name == "the stem" else "stem",
        "short": text if name == "the short explanation" else "",
        "full": text if name == "the full explanation" else "",
        "options": options,
    }


def _can_be_written(question: Question) -> bool:
    front = _front_of(question)
    options = _options_of(question)
    texts = (question.short, question.full)
    return any(
        _is_same(
            read_question_file(_text(front, question.stem, options, texts, shape)),
            question,
            options,
        )
        for shape in _SHAPES
    )
