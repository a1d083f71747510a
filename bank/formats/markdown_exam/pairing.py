"""Answers that stand apart, joined with their questions: by number, and files by their likeness."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from rapidfuzz import fuzz

from bank.formats.markdown_exam.answers import Given
from bank.formats.markdown_exam.drafts import Work
from bank.formats.markdown_exam.flow import flow
from bank.formats.markdown_exam.keys import normal
from bank.formats.markdown_exam.questions import Page, RawQuestion
from bank.formats.reading import Problem, Where

Numbered = TypeVar("Numbered", Work, Given)

_ROLE = re.compile(r"answers?|questions?|solutions?|keys?|correct|exam(?:ple)?s?", re.IGNORECASE)
_TOO_CLOSE = 3.0  # two files that fit nearly alike fit neither


@dataclass(slots=True)
class File:
    """A page with its name, its questions as works, and the answers that wait for theirs."""

    name: str
    works: list[Work]
    given: list[Given]
    paired: list[str] = field(default_factory=list)


def join(
    names: Sequence[str], pages: Sequence[Page]
) -> tuple[list[Work], list[Problem], list[Problem]]:
    """Questions with their answers; problems for answers without a question; notes."""
    files = [
        File(name, [Work(name, question) for question in page.questions], list(page.given))
        for name, page in zip(names, pages, strict=True)
    ]
    problems: list[Problem] = []
    asking = [file for file in files if file.works]
    for file in files:
        if file.works:
            _pair(file.works, file.given, file.name, problems)
        elif file.given:
            _find_questions(file, asking, problems)
    notes = [note for file in asking if (note := _unanswered(file)) is not None]
    return [work for file in asking for work in file.works], problems, notes


def _find_questions(file: File, asking: Sequence[File], problems: list[Problem]) -> None:
    """Give the answers of a file without questions to the file whose questions they fit."""
    scores = sorted(((_fit(file, other), at) for at, other in enumerate(asking)), reverse=True)
    where = Where(file.name, file.given[0].line)
    if not scores or scores[0][0] <= 0:
        text = (
            "answers without their questions: bring in the file with the questions together with it"
        )
        problems.append(Problem(where, text))
    elif len(scores) > 1 and scores[0][0] - scores[1][0] < _TOO_CLOSE:
        both = " and ".join(f"“{asking[at].name}”" for _, at in scores[:2])
        text = f"these answers fit {both} alike: bring in one of them at a time"
        problems.append(Problem(where, text))
    else:
        best = asking[scores[0][1]]
        best.paired.append(file.name)
        _pair(best.works, file.given, file.name, problems)


def _fit(answers: File, questions: File) -> float:
    """How well answers fit a file's questions; 0 where they share no number."""
    open_ = [work for work in questions.works if not _is_answered(work)]
    stems = {work.question.number: normal(flow(work.question.stem)) for work in open_}
    shared = [given for given in answers.given if given.number in stems]
    if not shared:
        return 0.0
    same = sum(normal(given.rest) == stems[given.number] for given in shared if given.rest)
    names = fuzz.ratio(_topic(answers.name), _topic(questions.name))
    return 100 * len(shared) / len(answers.given) + names + 300 * same / len(shared)


def _topic(name: str) -> str:
    base = posixpath.basename(name.replace("\\", "/")).rsplit(".", 1)[0]
    return _ROLE.sub("", base).strip(" -_.").casefold()


def _is_answered(work: Work) -> bool:
    ticked = any(option.ticked for option in work.question.options)
    return ticked or bool(work.question.told.answers) or bool(work.given)


def _pair(
    works: Sequence[Work], given: Sequence[Given], name: str, problems: list[Problem]
) -> None:
    """Join by number; where numbers begin again, part by part, if there are as many parts."""
    asked = _runs([work for work in works if work.question.number is not None])
    answered = _runs(given)
    if len(asked) == len(answered) > 1:
        pairs = list(zip(asked, answered, strict=True))
    else:
        pairs = [([work for run in asked for work in run], list(given))]
    for questions, answers in pairs:
        by_number: dict[int, list[Work]] = defaultdict(list)
        for work in questions:
            by_number[_number(work)].append(work)
        for answer in answers:
            _hand_over(answer, by_number.get(answer.number, []), name, problems)


def _hand_over(answer: Given, works: Sequence[Work], name: str, problems: list[Problem]) -> None:
    if not works:
        text = f"there is no question {answer.number} for this answer"
        problems.append(Problem(Where(name, answer.line), text))
    for work in works:
        work.given.append(answer)
        if len(works) > 1:
            count = "two" if len(works) == 2 else "several"
            work.missing.append(f"{count} questions have the number {answer.number}")


def _number(each: Work | Given) -> int:
    return each.number if isinstance(each, Given) else each.question.number or 0


def _runs(items: Sequence[Numbered]) -> list[list[Numbered]]:
    """Items in parts: a new one begins where the numbers begin again at 1."""
    runs: list[list[Numbered]] = []
    for item in items:
        if not runs or (_number(item) == 1 and len(runs[-1]) > 1):
            runs.append([])
        runs[-1].append(item)
    return runs


def _unanswered(file: File) -> Problem | None:
    """A note on the questions to which a file, or the one with its answers, gives none."""
    without = [work.question for work in file.works if not _is_answered(work)]
    if not without:
        return None
    numbers = _spans(without)
    count = (
        "no question" if len(without) == len(file.works) else f"{len(file.works) - len(without)}"
    )
    text = f"{count} of {len(file.works)} have an answer; there is none to {numbers}"
    if len(without) == len(file.works):
        text = "no question has an answer"
    return Problem(Where(file.name, without[0].line), text)


def _spans(questions: Sequence[RawQuestion]) -> str:
    """The numbers of some questions; those that follow one another as a span."""
    numbers = [question.number or 0 for question in questions]
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    shown = [f"{part[0]}–{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts[:12]]
    return ", ".join(shown) + (" …" if len(parts) > 12 else "")
