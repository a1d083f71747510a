"""Moodle GIFT -> drafts. The syntax is read by gift_syntax; here it gets its meaning as a question.

What Moodle shows as a picture or a sound, a GIFT file only names: it is told where it is missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from xml.etree.ElementTree import Element, SubElement

from bank.errors import BadFile, quoted
from bank.formats import moodle_text
from bank.formats.bounds import numbered
from bank.formats.gift.syntax import (
    GAP,
    Fault,
    QType,
    RawAnswer,
    RawQuestion,
    Rich,
    blocks_of,
    read_gift,
)
from bank.formats.moodle_text import Form
from bank.formats.moodle_xml.files import Passage, passage
from bank.formats.moodle_xml.grades import refused_grade
from bank.formats.naming import LONGEST, slug_of
from bank.formats.reading import (
    Draft,
    DraftOption,
    Kind,
    Problem,
    Reading,
    Source,
    Where,
    by_base_name,
    joined,
    text_of,
)

_NAMES = {
    QType.SHORT_ANSWER: "short answer",
    QType.NUMERICAL: "numerical",
    QType.MATCHING: "matching",
    QType.ESSAY: "essay",
}
_TEXTS_OF_TRUTH = ("True", "False")

# What looks like an answer block. LaTeX's “^{T}” and a program's “x = {=…” do not.
_ANSWERS = re.compile(
    r"(?<![\\^_$\w])\{\s*+(?:T|F|TRUE|FALSE)\s*+(?:#[^{}]*+)?\}"
    r"|(?<![\\^_$=({[])\{\s*+(?:[=~](?![=>])|#\s*+=?\s*+%?[-.\d])[^{}]*+\}"
)
_OPENING = re.compile(r"::[^\n]{1,255}?::|\$CATEGORY:|\[(?:html|markdown|moodle|plain)\]")
_OTHERS = re.compile(r"\A\s*+(?:<|\{|\[\s*+[\[{\"\d])|^(?:```|~~~|\\begin\{|\\documentclass)", re.M)
_LOOKED_AT = 200  # questions

_NO_PICTURE = re.compile(r"<(?:img|audio|video|source|embed|object)\b|!\[|@@PLUGINFILE@@", re.I)


def looks_like(source: Source) -> bool:
    """True where at least half of what stands between blank lines has GIFT's own marks."""
    try:
        text = text_of(source)
    except BadFile:
        return False
    if _OTHERS.search(text[:100_000]):
        return False
    seen = marked = 0
    for _, comments, block in islice(blocks_of(text), _LOOKED_AT):
        seen += 1
        named = "[id:" in comments or "[tag:" in comments or _OPENING.match(block)
        marked += bool(named or _ANSWERS.search(block))
    return marked > 0 and 2 * marked >= seen


def read(sources: Sequence[Source], beside: Sequence[Source]) -> Reading:
    """The questions of all files; a picture that a file names is looked for `beside` it."""
    pictures = by_base_name(beside)
    return joined(_Reader(source, pictures).read() for source in sources)


class _Reader:
    """One file: its questions one after the other, under the category that stands before them."""

    def __init__(self, source: Source, beside: Mapping[str, bytes]) -> None:
        self.source = source
        self.beside = beside
        self.category: str | None = None
        self.drafts: list[Draft] = []
        self.problems: list[Problem] = []
        self.notes: list[Problem] = []

    def read(self) -> Reading:
        item = 0
        for _, raw in numbered(self.source, read_gift(text_of(self.source))):
            is_category = isinstance(raw, RawQuestion) and raw.qtype is QType.CATEGORY
            item += not is_category
            self._take(raw, item)
        return Reading(tuple(self.drafts), tuple(self.problems), tuple(self.notes))

    def _take(self, raw: RawQuestion | Fault, item: int) -> None:
        where = Where(self.source.name, raw.line, item)
        if isinstance(raw, Fault):
            self._problem(where, raw.text)
        elif raw.qtype is QType.CATEGORY:
            self._switch(raw)
        elif raw.qtype is QType.DESCRIPTION:
            self._problem(where, "a description is text without a question", "description")
        elif raw.qtype in _NAMES:
            name = _NAMES[raw.qtype]
            self._problem(where, f"{name} questions are not supported", name)
        else:
            item_read = _Item(raw, where, self.category, self.beside)
            self.drafts.append(item_read.draft())
            self.notes += [Problem(where, text) for text in dict.fromkeys(item_read.notes)]

    def _switch(self, raw: RawQuestion) -> None:
        name, _, rest = raw.category.partition("\n")
        self.category = moodle_text.category_of(name)
        if rest.strip():
            where = Where(self.source.name, raw.line)
            text = "what follows the category is read as part of its name: add a blank line"
            self._problem(where, text)

    def _problem(self, where: Where, text: str, kind: str | None = None) -> None:
        self.problems.append(Problem(where, text, kind))


@dataclass
class _Item:
    """One question on its way to a draft: what is missing, and what was left out, is gathered."""

    raw: RawQuestion
    where: Where
    category: str | None
    beside: Mapping[str, bytes]
    missing: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def draft(self) -> Draft:
        raw = self.raw
        self.missing += raw.doubts
        stem = self._passage(raw.text)
        general = self._passage(raw.general)
        self.missing += stem.lost
        self.notes += general.lost
        options = self._options(moodle_text.is_ours(general.text))
        found = moodle_text.explained(general.text, general.form, len(options))
        self._check_contradictions(options, general)
        if len(stem.pictures) > 1:
            self.missing.append(f"its stem has {len(stem.pictures)} pictures, and one can be shown")
        if len(general.pictures) > 1:
            self.notes.append("its explanation has several pictures, and only the first is kept")
        return Draft(
            where=self.where,
            kind=self._kind(),
            stem=self._stem(stem),
            options=tuple(options),
            short=found.short,
            full=found.full,
            slug=self._slug(),
            category=self.category,
            tags=raw.tags,
            sources=found.sources,
            exhibit=stem.pictures[0] if stem.pictures else None,
            image=general.pictures[0] if general.pictures else None,
            missing=tuple(dict.fromkeys(self.missing)),
        )

    def _kind(self) -> Kind:
        if self.raw.qtype is QType.TRUE_FALSE:
            return Kind.TRUE_FALSE
        return Kind.CHOICE if self.raw.single else Kind.MULTIPLE

    def _stem(self, stem: Passage) -> str:
        text = moodle_text.markdown(stem.text, stem.form)
        if self.raw.gap and stem.form is Form.MARKDOWN:
            # Discord would take the line for the marks of underlined text.
            text = text.replace(GAP, "\\_" * len(GAP), 1)
        return text

    def _slug(self) -> str | None:
        idnumber = self.raw.idnumber
        if idnumber and len(idnumber) <= LONGEST and slug_of(idnumber) == idnumber:
            return idnumber
        return slug_of(self.raw.name) if self.raw.named else None

    # Options

    def _options(self, ours: bool) -> list[DraftOption]:
        """The answers as options. Those without a text are nothing to Moodle either."""
        answers = [each for each in self.raw.answers if each.text.text or each.fraction > 0]
        if len(answers) < len(self.raw.answers):
            self.notes.append("an empty answer is left out")
        grades = [round(answer.fraction * 100, 7) for answer in answers]
        for place, grade in enumerate(grades, start=1):
            if refusal := refused_grade(grade):
                self.missing.append(f"option {place} {refusal}")
        if self.raw.single:
            self._check_single(grades)
            correct = [grade == 100 for grade in grades]
        else:
            self._check_multiple(grades)
            correct = [grade > 0 for grade in grades]
        return [
            self._option(answer, right, place, len(answers), ours)
            for place, (answer, right) in enumerate(zip(answers, correct, strict=True), start=1)
        ]

    def _option(
        self, answer: RawAnswer, correct: bool, place: int, options: int, ours: bool
    ) -> DraftOption:
        shown = self._passage(answer.text)
        if shown.pictures or shown.lost:
            self.missing.append(f"option {place} has a picture, and options are text here")
        feedback = self._passage(answer.feedback)
        if feedback.pictures or feedback.lost:
            self.notes.append(f"the picture in the feedback of option {place} is left out")
        text = moodle_text.option_text(shown.text, shown.form, 0 if ours else options)
        if ours:
            misconception, rationale = moodle_text.own_reason(feedback.text, feedback.form, correct)
            return DraftOption(text, correct, rationale, misconception)
        rationale = moodle_text.markdown(feedback.text, feedback.form, options)
        return DraftOption(text, correct, rationale)

    def _check_single(self, grades: Sequence[float]) -> None:
        if sum(grade == 100 for grade in grades) > 1:
            self.missing.append("one answer is to be chosen, and more than one is worth 100 %")
        for place, grade in enumerate(grades, start=1):
            if 0 < grade < 100:
                self.notes.append(f"option {place} is worth {grade:g} %, which counts as wrong")

    def _check_multiple(self, grades: Sequence[float]) -> None:
        positive = [grade for grade in grades if grade > 0]
        if abs(sum(positive) - 100) >= 0.5:  # Moodle rounds to whole per cents, too
            text = f"its right answers are worth {sum(positive):g} % together, not 100 %"
            self.missing.append(text if positive else "no answer is marked as right")
        elif max(positive) - min(positive) > 0.01:
            self.notes.append("its right answers are worth unequal shares, and count alike here")

    # The rest

    def _passage(self, rich: Rich) -> Passage:
        """A text with the pictures that it names, as far as they came with the file."""
        if rich.form is Form.PLAIN or not _NO_PICTURE.search(rich.text):
            return Passage(rich.text, rich.form)
        element = Element("text")
        SubElement(element, "text").text = rich.text
        found = passage(element, rich.form, self.beside)
        self.notes += [f"the file {quoted(name)} is left out" for name in found.others]
        return found

    def _check_contradictions(self, options: Sequence[DraftOption], general: Passage) -> None:
        """Tell of an explanation that calls another option right than the key; change nothing."""
        keys = {place for place, option in enumerate(options) if option.correct}
        if self.raw.qtype is QType.TRUE_FALSE or not keys:
            return
        right, wrong = moodle_text.verdicts(general.text, general.form, len(options))
        if right - keys:
            self.missing.append("its explanation calls an option right that its key calls wrong")
        if wrong & keys:
            self.missing.append("its explanation calls an option wrong that its key calls right")
