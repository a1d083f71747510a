"""Moodle XML: the questions of a question bank, with their pictures, as Moodle exports them.

It follows Moodle's own importer where a file leaves things open, and reports what that refuses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from bank.errors import BadFile, quoted
from bank.formats import moodle_text
from bank.formats.moodle_text import Form
from bank.formats.moodle_xml.files import Passage, passage, unbased
from bank.formats.moodle_xml.grades import grade_of, refused_grade
from bank.formats.naming import slug_of
from bank.formats.reading import (
    Attachment,
    Draft,
    DraftOption,
    Kind,
    Problem,
    Reading,
    Source,
    Where,
    by_base_name,
    joined,
)
from bank.formats.safe_xml import line_of, parsed, root_name
from bank.prose import reasons

_KINDS = {
    "calculatedmulti": "calculated multiple choice",
    "calculatedsimple": "calculated",
    "ddimageortext": "drag and drop onto an image",
    "ddmarker": "drag and drop markers",
    "ddmatch": "matching",
    "ddwtos": "drag and drop into text",
    "gapselect": "missing words",
    "multianswer": "cloze",
    "randomsamatch": "random matching",
    "shortanswer": "short answer",
}
# Kinds of widespread plugins: several answers, right when all of them and no other are chosen.
_ALL_OR_NOTHING = ("multichoiceset", "oumultiresponse")

_LONGEST_SAID = 50_000  # beyond it is no explanation, and taking it apart takes long

# What Moodle fills in by itself, in the languages that it is used in most.
_USUAL = frozenset(
    (
        "",
        "your answer is correct",
        "your answer is partially correct",
        "your answer is incorrect",
        "votre réponse est correcte",
        "votre réponse est partiellement correcte",
        "votre réponse est incorrecte",
        "die antwort ist richtig",
        "die antwort ist teilweise richtig",
        "die antwort ist falsch",
        "respuesta correcta",
        "respuesta parcialmente correcta",
        "respuesta incorrecta",
        "risposta corretta",
        "risposta parzialmente esatta",
        "risposta errata",
    )
)
# Canvas calls its settings a <quiz>, too.
_QUESTION = re.compile(rb"<question\s+type\s*=")
_TRUE_OR_FALSE = re.compile(
    r"correct answer is[\s:\"'“‘`*]{0,8}(true|false)\b[\"'”’`*]*+", re.IGNORECASE
)


def looks_like(source: Source) -> bool:
    """True for a <quiz> with questions in it, or a single <question>."""
    if root_name(source) not in ("quiz", "question"):
        return False
    return bool(_QUESTION.search(source.data.replace(b"\0", b"")))  # without the zeros of UTF-16


def read(sources: Sequence[Source], beside: Sequence[Source]) -> Reading:
    """The questions of all files; pictures that a file only names are looked for `beside`."""
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
        root = parsed(self.source)
        if root.tag not in ("quiz", "question"):
            raise BadFile(
                f"{quoted(self.source.name)} is no Moodle XML: it begins with <{root.tag[:40]}>, "
                "not with <quiz>. In Moodle, export the question bank as “Moodle XML format”."
            )
        item = 0
        for element in root if root.tag == "quiz" else [root]:
            kind = (element.get("type") or "").strip().lower()
            if element.tag == "question" and kind == "category":
                path = element.findtext("category/text") or ""
                self.category = moodle_text.category_of(path.strip())
                continue
            item += 1
            where = Where(self.source.name, line_of(element) or None, item)
            if element.tag != "question":
                self._problem(where, f"<{element.tag[:40]}> is no question")
            else:
                self._take(element, kind, where)
        return Reading(tuple(self.drafts), tuple(self.problems), tuple(self.notes))

    def _take(self, element: Element, kind: str, where: Where) -> None:
        item = _Item(element, where, self.category, self.beside)
        if kind == "truefalse":
            self.drafts.append(item.true_false())
        elif kind == "multichoice":
            single = (element.findtext("single") or "true").strip().lower() not in ("false", "0")
            self.drafts.append(item.choice(Kind.CHOICE if single else Kind.MULTIPLE))
        elif kind in _ALL_OR_NOTHING:
            self.drafts.append(item.choice(Kind.MULTIPLE, all_or_nothing=True))
        elif kind == "description":
            self._problem(where, "a description is text without a question", kind)
        elif kind:
            name = _KINDS.get(kind, kind[:40])
            self._problem(where, f"{name} questions are not supported", name)
        else:
            self._problem(where, "the question has no type")
        self.notes += [Problem(where, text) for text in item.notes]

    def _problem(self, where: Where, text: str, kind: str | None = None) -> None:
        self.problems.append(Problem(where, text, kind))


@dataclass
class _Item:
    """One question on its way to a draft: what is missing, and what was left out, is gathered."""

    element: Element
    where: Where
    category: str | None
    beside: Mapping[str, bytes]
    missing: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ours = moodle_text.is_ours(self.element.findtext("generalfeedback/text") or "")
        self.stem = self._passage("questiontext", Form.HTML)
        self.general = self._passage("generalfeedback", self.stem.form)
        self.said = ""  # the explanation as it is written, where it may contradict the grades
        if not self.ours and len(self.general.text) <= _LONGEST_SAID:
            self.said = moodle_text.markdown(self.general.text, self.general.form)

    def choice(self, kind: Kind, all_or_nothing: bool = False) -> Draft:
        answers = [each for each in self.element.findall("answer") if self._says_something(each)]
        grades = [grade_of(answer.get("fraction")) for answer in answers]
        if kind is Kind.CHOICE:
            correct = [grade == 100 for grade in grades]
            self._check_single(grades)
        else:
            correct = [grade is not None and grade > 0 for grade in grades]
            if not all_or_nothing:
                self._check_multiple(grades)
        options = [
            self._option(answer, right, place, len(answers))
            for place, (answer, right) in enumerate(zip(answers, correct, strict=True), start=1)
        ]
        return self._draft(kind, options)

    def true_false(self) -> Draft:
        """Options True and False, in that order; answers in other words are taken in it, too."""
        answers = self.element.findall("answer")
        said = [(answer.findtext("text") or "").strip().lower() for answer in answers]
        if sorted(said) != ["false", "true"]:
            if len(answers) != 2:
                self.missing.append(f"a true/false question has 2 answers, this one {len(answers)}")
                answers = answers[:2]
            else:
                words = f"{quoted(said[0])} and {quoted(said[1])}"
                self.notes.append(f"its answers {words} are taken as True and False")
        elif said[0] == "false":
            answers.reverse()
        full = [grade_of(answer.get("fraction")) == 100 for answer in answers]
        if len(answers) == 2 and full[0] == full[1]:
            self.missing.append(f"it says of True and of False that they are {_verdict(full[0])}")
        options = [
            self._option(answer, right, place, 2, text)
            for place, (answer, right, text) in enumerate(
                zip(answers, full, ("True", "False"), strict=False), start=1
            )
        ]
        return self._draft(Kind.TRUE_FALSE, options)

    def _option(
        self, answer: Element, correct: bool, place: int, options: int, text: str | None = None
    ) -> DraftOption:
        if text is None:
            shown = passage(answer, self.stem.form, self.beside, self.ours)
            text = moodle_text.markdown(shown.text, shown.form)
            if shown.pictures or shown.lost:
                self.missing.append(f"option {place} has a picture, and options are text here")
            self._note_files(shown.others)
        feedback = passage(answer.find("feedback"), self.stem.form, self.beside, self.ours)
        if feedback.pictures or feedback.lost:
            self.notes.append(f"the picture in the feedback of option {place} is left out")
        self._note_files(feedback.others)
        if self.ours:
            misconception, rationale = moodle_text.own_reason(feedback.text, feedback.form, correct)
            return DraftOption(text, correct, rationale, misconception)
        rationale = moodle_text.markdown(feedback.text, feedback.form, options)
        return DraftOption(text, correct, rationale)

    def _draft(self, kind: Kind, options: Sequence[DraftOption]) -> Draft:
        general = self.general
        found = moodle_text.explained(general.text, general.form, len(options))
        self._check_hidden()
        self._check_contradictions(kind, options)
        self._note_the_rest()
        exhibit = self._exhibit()
        image = self._image()
        return Draft(
            where=self.where,
            kind=kind,
            stem=moodle_text.markdown(self.stem.text, self.stem.form),
            options=tuple(options),
            short=found.short,
            full=found.full,
            slug=slug_of(self.element.findtext("idnumber") or ""),
            category=self.category,
            tags=tuple(self._tags()),
            sources=found.sources,
            exhibit=exhibit,
            image=image,
            missing=tuple(dict.fromkeys(self.missing)),
        )

    # Grades

    def _check_single(self, grades: Sequence[float | None]) -> None:
        self._check_grades(grades)
        if sum(grade == 100 for grade in grades) > 1:
            self.missing.append("one answer is to be chosen, and more than one is worth 100 %")
        if grades and 100 not in grades:
            self.missing.append("no answer is worth 100 %")
        for place, grade in enumerate(grades, start=1):
            if grade is not None and 0 < grade < 100:
                self.notes.append(f"option {place} is worth {grade:g} %, which counts as wrong")

    def _check_multiple(self, grades: Sequence[float | None]) -> None:
        self._check_grades(grades)
        total = sum(grade for grade in grades if grade is not None and grade > 0)
        if grades and abs(total - 100) >= 0.5:  # Moodle rounds to whole per cents, too
            self.missing.append(f"its right answers are worth {total:g} % together, not 100 %")

    def _check_grades(self, grades: Sequence[float | None]) -> None:
        for place, grade in enumerate(grades, start=1):
            if refusal := refused_grade(grade):
                self.missing.append(f"option {place} {refusal}")

    # Pictures and what is left out

    def _exhibit(self) -> Attachment | None:
        pictures = [*self.stem.pictures, *self._old_picture()]
        self.missing += self.stem.lost
        self._note_files(self.stem.others)
        if len(pictures) > 1:
            self.missing.append(f"its stem has {len(pictures)} pictures, and one can be shown")
        return pictures[0] if pictures else None

    def _old_picture(self) -> Iterator[Attachment]:
        """The picture of Moodle 1: <image> with its name, and <image_base64>."""
        name = (self.element.findtext("image") or "").strip()
        base64 = self.element.findtext("image_base64")
        if not name and base64 is None:
            return
        file = name.rpartition("/")[2] or "picture"
        data = unbased(base64) if base64 is not None else self.beside.get(file)
        if data:
            yield Attachment(file, data)
        elif base64 is None:
            self.missing.append(f"its picture {quoted(name)} is not in the file")
        else:
            self.missing.append(f"its picture {quoted(file)} is damaged: its base64 cannot be read")

    def _image(self) -> Attachment | None:
        general = self.general
        self.notes += general.lost
        self._note_files(general.others)
        if len(general.pictures) > 1:
            count = len(general.pictures)
            self.notes.append(f"its explanation has {count} pictures, and only the first is kept")
        return general.pictures[0] if general.pictures else None

    def _note_files(self, names: Sequence[str]) -> None:
        self.notes += [f"the file {quoted(name)} is left out" for name in names]

    def _note_the_rest(self) -> None:
        said = (
            ("correctfeedback", "right"),
            ("partiallycorrectfeedback", "partly right"),
            ("incorrectfeedback", "wrong"),
        )
        for name, verdict in said:
            found = self._passage(name, self.stem.form)
            text = moodle_text.markdown(found.text, found.form) if found.text else ""
            if text.strip(" .!").lower() not in _USUAL:
                self.notes.append(f"what it says to a {verdict} answer is left out: {quoted(text)}")
        if hints := len([hint for hint in self.element.findall("hint") if hint.findtext("text")]):
            self.notes.append(
                "its hint is left out" if hints == 1 else f"its {hints} hints are left out"
            )

    def _check_hidden(self) -> None:
        if (self.element.findtext("hidden") or "").strip() in ("1", "true"):
            self.missing.append("it is hidden in Moodle, as questions are that were taken out")

    # Contradictions

    def _check_contradictions(self, kind: Kind, options: Sequence[DraftOption]) -> None:
        """Tell of a text that calls another answer right than the grades do; nothing is changed."""
        keys = {place for place, option in enumerate(options) if option.correct}
        if self.ours or not keys:
            return
        if kind is Kind.TRUE_FALSE:
            texts = [option.rationale for option in options]
            texts.append(self.said)
            for found in (_TRUE_OR_FALSE.search(text) for text in texts):
                if found and {("true", "false").index(found[1].lower())} != keys:
                    text = f"its key is {_named(keys)}, and a feedback says “{found[0].strip()}”"
                    self.missing.append(text)
            return
        said = reasons(self.said, len(options))
        if said.said_right - keys:
            self.missing.append("its explanation calls an option right that its grades call wrong")
        if said.said_wrong & keys:
            self.missing.append("its explanation calls an option wrong that its grades call right")

    def _says_something(self, answer: Element) -> bool:
        """False for the empty answers that Moodle's form leaves behind, and Moodle passes over."""
        return bool(
            (answer.findtext("text") or "").strip() or answer.get("fraction") not in (None, "0")
        )

    def _passage(self, name: str, form: Form) -> Passage:
        return passage(self.element.find(name), form, self.beside, self.ours)

    def _tags(self) -> Iterator[str]:
        for tag in self.element.iterfind("tags/tag"):
            if text := (tag.findtext("text") or tag.text or "").strip():
                yield text


def _verdict(full: bool) -> str:
    return "right" if full else "wrong"


def _named(keys: set[int]) -> str:
    return " and ".join(("True", "False")[key] for key in sorted(keys))
