"""Aiken, exactly as Moodle 4.5 takes it -> drafts: a line of question, lettered lines, ANSWER.

The question is one line, each answer one line that begins with a capital letter and “)” or “.”,
and a line “ANSWER: B” ends it. Blank lines mean nothing. A question that is not complete when the
next one begins is refused, as Moodle does, and told with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from itertools import islice

from bank.errors import BadFile, quoted
from bank.formats.bounds import numbered
from bank.formats.moodle_text import Form, option_text
from bank.formats.plain_text import as_plain_text
from bank.formats.reading import (
    Draft,
    DraftOption,
    Kind,
    Problem,
    Reading,
    Source,
    Where,
    text_of,
)
from bank.letters import literal

MOST_ANSWERS = 26

_ANSWER = re.compile(r"[A-Z][).][ \t]?")
_KEY = "ANSWER:"
_SPACE = " \t\n\r\0\x0b"  # what PHP trims
_LOOKED_AT = 2_000  # lines


@dataclass(slots=True)
class RawQuestion:
    """A question as the file has it; `key` counts its answers from 0, and may be none of them."""

    line: int
    text: str
    letters: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    said: str = ""  # what stands behind “ANSWER:”
    key: int = -1


@dataclass(frozen=True, slots=True)
class Fault:
    """What Moodle refuses, with the line at which it does so, and Moodle's name for it."""

    line: int
    name: str
    text: str


def read_aiken(text: str) -> Iterator[RawQuestion | Fault]:
    """The questions and faults of a file in their order; lines are counted from 1."""
    question: RawQuestion | None = None
    for number, line in _lines(text):
        if _ANSWER.match(line):
            if question is None:
                yield _not_started(number)
            elif len(question.answers) <= MOST_ANSWERS:
                question.letters.append(line[0])
                question.answers.append(line[2:].strip(_SPACE))
        elif line.startswith(_KEY):
            if question is None:
                yield _not_started(number)
            elif len(question.answers) < 2:
                text = f"the question of line {question.line} needs at least two answers"
                yield Fault(number, "questionmissinganswers", text)
            else:
                yield _answered(question, line.removeprefix(_KEY).strip(_SPACE))
            question = None
        else:
            if question is not None:
                yield _not_complete(question, number)
            question = RawQuestion(number, line)
    if question is not None:
        yield _unfinished(question)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, trimmed and numbered; Moodle takes no notice of a lone sign."""
    for number, line in enumerate(StringIO(text), start=1):
        line = line.strip(_SPACE)
        if len(line.encode("utf-8", "surrogatepass")) > 1:
            yield number, line


def _answered(question: RawQuestion, said: str) -> RawQuestion:
    # Moodle counts from A, whatever letters the answers have; the reader tells where they differ.
    question.said = said
    place = ord(said[0]) - ord("A") if said else -1
    question.key = place if 0 <= place < len(question.answers) else -1
    return question


def _not_started(number: int) -> Fault:
    return Fault(number, "questionnotstarted", "no question stands before this line")


def _not_complete(question: RawQuestion, number: int) -> Fault:
    text = f"a question begins here, but the one of line {question.line} has no “ANSWER:” yet"
    return Fault(number, "questionnotcomplete", text)


def _unfinished(question: RawQuestion) -> Fault:
    """The last question lacks its key. Moodle drops it without a word."""
    return Fault(question.line, "", "the question has no “ANSWER:”")


def looks_like(source: Source) -> bool:
    """True where a line “ANSWER: X” follows lettered lines, and nothing begins like another format.

    Most lines of the file belong to complete questions.
    """
    try:
        text = text_of(source)
    except BadFile:
        return False
    start = text[:1_000].lstrip()
    if start.startswith(("<", "{", "[", "\\", "```", "---")):
        return False
    lines = [line for _, line in islice(_lines(text), _LOOKED_AT)]
    taken = asked = 0
    for found in islice(read_aiken("\n".join(lines)), _LOOKED_AT):
        if isinstance(found, RawQuestion) and _said_letter(found.said):
            asked += 1
            taken += len(found.answers) + 2
    return asked > 0 and 2 * taken >= len(lines)


def read(sources: Sequence[Source], beside: Sequence[Source]) -> Reading:
    """The questions of all files. Nothing `beside` them belongs to one: Aiken has only text."""
    drafts: list[Draft] = []
    problems: list[Problem] = []
    for source in sources:
        for item, raw in numbered(source, read_aiken(text_of(source))):
            where = Where(source.name, raw.line, item)
            if isinstance(raw, Fault):
                problems.append(Problem(Where(source.name, raw.line), raw.text))
            elif len(raw.answers) > MOST_ANSWERS:
                problems.append(Problem(where, f"it has more than {MOST_ANSWERS} answers"))
            else:
                drafts.append(_draft(raw, where))
    return Reading(tuple(drafts), tuple(problems))


def _draft(raw: RawQuestion, where: Where) -> Draft:
    count = len(raw.answers)
    return Draft(
        where=where,
        kind=Kind.CHOICE,
        stem=literal(as_plain_text(raw.text)),
        options=tuple(
            DraftOption(option_text(answer, Form.PLAIN, count), place == raw.key)
            for place, answer in enumerate(raw.answers)
        ),
        missing=tuple(_contradictions(raw)),
    )


def _contradictions(raw: RawQuestion) -> Iterator[str]:
    if not _said_letter(raw.said):
        yield f"its key is to be one capital letter; here it is {quoted(raw.said)}"
    elif raw.key < 0:
        yield f"its key {raw.said[0]} is none of its {len(raw.answers)} answers"
    wanted = [chr(ord("A") + place) for place in range(len(raw.answers))]
    if raw.letters != wanted:
        yield f"its answers are lettered {', '.join(raw.letters)}, so its key may mean another"


def _said_letter(said: str) -> bool:
    """True for “B”, “B.” and “B) with its text”."""
    return said[:1].isascii() and said[:1].isupper() and said[1:2] in ("", ")", ".")
