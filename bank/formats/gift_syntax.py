"""GIFT, exactly as Moodle 4.5 takes it: text -> raw questions with their lines. No Markdown here.

The rules are those of Moodle's importer (question/format/gift), oddities included, so that a file
means here what it means there:

- A blank line ends a question. Each line is trimmed; one that is only “0” counts as blank.
- A line that begins with “//” is a comment; [id:…] and [tag:…] in it belong to the question.
- Of a question's braces the first “{” and the first “}” enclose the answers; text after them
  leaves a gap, “_____”, in their place. No braces: a description. Nothing in them: an essay.
- “#” first is numerical, any “~” is multiple choice, “=” and “->” matching, T or F true/false,
  all else a short answer.
- Among “~” answers one “=” makes a question with one right answer; without any it has several,
  which a weight such as “%50%” tells.
- “\\~”, “\\=”, “\\#”, “\\{”, “\\}”, “\\:” and “\\n” stand for the sign and for a new line; two
  backslashes for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from io import StringIO

from bank.formats.moodle_text import Form

MOST_ANSWERS = 26  # of a question: there are no more letters to show them with
GAP = "_____"


class QType(StrEnum):
    """Moodle's names of the kinds of question that GIFT has."""

    CHOICE = "multichoice"
    TRUE_FALSE = "truefalse"
    SHORT_ANSWER = "shortanswer"
    NUMERICAL = "numerical"
    MATCHING = "match"
    ESSAY = "essay"
    DESCRIPTION = "description"
    CATEGORY = "category"


@dataclass(frozen=True, slots=True)
class Rich:
    """A text and the format that it is written in."""

    text: str = ""
    form: Form = Form.MOODLE


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """One answer: how much of the mark it gives, and what Moodle says to who picks it."""

    text: Rich
    fraction: float
    feedback: Rich


@dataclass(frozen=True, slots=True)
class RawQuestion:
    """A question as the file has it. Only multiple choice and true/false have answers here."""

    line: int
    qtype: QType
    name: str = ""
    named: bool = False  # False where the name was made from the text
    text: Rich = field(default_factory=Rich)
    gap: bool = False  # True where text follows the answers
    general: Rich = field(default_factory=Rich)
    answers: tuple[RawAnswer, ...] = ()
    single: bool = True  # one answer can be picked
    category: str = ""
    idnumber: str = ""
    tags: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()  # what shows that it may be meant otherwise


@dataclass(frozen=True, slots=True)
class Fault:
    """A part of the file that Moodle refuses to read as a question."""

    line: int
    text: str


# An escaped sign is half of a surrogate pair meanwhile: no text that was decoded has one.
_ESCAPE = re.compile(r"\\([\\:#={}~n])")
_MASKED = {sign: chr(0xDC00 + ord(sign)) for sign in ":#={}~"} | {"n": "\udc0a", "\\": "\\"}
_SIGNS = {0xDC00 + ord(sign): sign for sign in ":#={}~\n"}

_SPACE = " \t\n\r\0\x0b"  # what PHP trims
_WEIGHT = re.compile(r"%(-*[0-9]{1,2}\.?[0-9]*)%")
_BOUNDED = r"(?:\\\]|[^\]\x00-\x1f\x7f]){1,255}"
_ID = re.compile(rf"\[id:({_BOUNDED})\]")
_TAG = re.compile(r"\[tag:((?:\\\]|[^\]<>`\x00-\x1f\x7f]){1,255})\]")
_TAGS_OF_HTML = re.compile(r"<(?!\s)[^>]*(?:>|\Z)")


def read_gift(text: str) -> Iterator[RawQuestion | Fault]:
    """The questions and faults of a file in their order; lines are counted from 1."""
    for line, comments, block in blocks_of(text):
        if block.startswith("$CATEGORY:"):
            category = _plain(block.removeprefix("$CATEGORY:"))
            yield RawQuestion(line, QType.CATEGORY, category=category)
        else:
            yield _Parser(line, comments, block).question()


def blocks_of(text: str) -> Iterator[tuple[int, str, str]]:
    """What stands between blank lines: line, comments, and the rest with escaped signs masked."""
    for line, lines in _between_blank_lines(text):
        comments = [each for each in lines if each.startswith("//")]
        if len(comments) == len(lines):
            continue
        line += next(at for at, each in enumerate(lines) if not each.startswith("//"))
        own = "\n".join(" " if each.startswith("//") else each for each in lines)
        masked = _ESCAPE.sub(lambda found: _MASKED[found[1]], own.strip(_SPACE))
        yield line, "\n".join(comments), masked


def _between_blank_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines between blank ones, and the number of the first of them."""
    block: list[str] = []
    number = 0
    # Line by line: a list of ten million empty lines would be large.
    for number, line in enumerate(StringIO(text), start=1):
        line = line.strip(_SPACE)
        if line not in ("", "0"):
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []
    if block:
        yield number + 1 - len(block), block


class _Parser:
    """One question's text, its escaped signs masked."""

    def __init__(self, line: int, comments: str, text: str) -> None:
        self.line = line
        self.comments = comments
        self.name, self.text = _name_and_text(text)
        self.doubts: list[str] = []

    def question(self) -> RawQuestion | Fault:
        start, end = self.text.find("{"), self.text.find("}")
        if (start < 0) != (end < 0):
            there, absent = ("{", "}") if end < 0 else ("}", "{")
            return self._fault(
                f"there is a “{there}” but no “{absent}” before the next blank line; "
                f"write “\\{there}” where it is part of a text"
            )
        if end < start:
            return self._fault("a “}” comes before the first “{”; write “\\}” in a text")
        if start < 0:
            return self._built(QType.DESCRIPTION, self.text, "", gap=False)
        inside = self.text[start + 1 : end].strip(_SPACE)
        gap = not self.text.endswith("}")
        stem = self.text[:start] + (GAP if gap else "") + self.text[end + 1 :]
        if "{" in stem or "}" in stem:
            self.doubts.append("it has more than one pair of braces: a blank line may be missing")
        inside, mark, general = inside.rpartition("####")
        if not mark:
            inside, general = general, ""
        inside = inside.strip(_SPACE)
        return self._built(_qtype(inside), stem, inside, gap=gap, general=general)

    def _built(
        self, qtype: QType, stem: str, inside: str, *, gap: bool, general: str = ""
    ) -> RawQuestion | Fault:
        text = _rich(stem, Form.MOODLE)
        answers: tuple[RawAnswer, ...] = ()
        single = True
        if qtype is QType.CHOICE:
            single = "=" in inside
            parts = _answers(inside)
            if parts is None:
                return self._fault(f"it has more than {MOST_ANSWERS} answers")
            if len(parts) < 2:
                return self._fault("a multiple-choice question needs at least two answers")
            answers = tuple(self._answer(part, text.form) for part in parts)
        elif qtype is QType.TRUE_FALSE:
            answers = _true_false(inside, text.form)
        idnumber, tags = _id_and_tags(self.comments)
        return RawQuestion(
            line=self.line,
            qtype=qtype,
            name=default_name(text.text) if self.name is None else self.name,
            named=self.name is not None,
            text=text,
            gap=gap,
            general=_rich(general, text.form),
            answers=answers,
            single=single,
            idnumber=idnumber,
            tags=tags,
            doubts=tuple(self.doubts),
        )

    def _answer(self, part: str, form: Form) -> RawAnswer:
        part = part.strip(_SPACE)
        fraction = 0.0
        weight = _WEIGHT.match(part)
        if part.startswith("="):
            fraction, part = 1.0, part[1:]
            if _WEIGHT.match(part.lstrip(_SPACE)):
                self.doubts.append("a weight stands behind “=”, where it is read as text")
        elif weight:
            fraction, part = self._fraction(weight[1]), part[weight.end() :]
        answer, _, feedback = part.partition("#")
        return RawAnswer(_rich(answer, form), fraction, _rich(feedback, form))

    def _fraction(self, weight: str) -> float:
        try:
            return float(weight) / 100
        except ValueError:
            self.doubts.append(f"“{weight[:20]}” is no weight")
            return 0.0

    def _fault(self, text: str) -> Fault:
        return Fault(self.line, text)


def _qtype(inside: str) -> QType:
    if not inside:
        return QType.ESSAY
    if inside.startswith("#"):
        return QType.NUMERICAL
    if "~" in inside:
        return QType.CHOICE
    if "=" in inside and "->" in inside:
        return QType.MATCHING
    truth = inside.partition("#")[0].strip(_SPACE)
    return QType.TRUE_FALSE if truth in ("T", "TRUE", "F", "FALSE") else QType.SHORT_ANSWER


def _answers(inside: str) -> list[str] | None:
    """The answers of a multiple-choice question, each “=” kept; None for too many."""
    if inside.count("~") + inside.count("=") > MOST_ANSWERS:
        return None
    first, *rest = inside.replace("=", "~=").split("~")
    # What stands before the first mark is an answer too, unless PHP calls it empty.
    return rest if first.strip(_SPACE) in ("", "0") else [first, *rest]


def _true_false(inside: str, form: Form) -> tuple[RawAnswer, RawAnswer]:
    """True and False. The first feedback of the file is for the wrong one of them."""
    truth, *feedback = inside.split("#", 2)
    wrong, right = (_rich(text, form) for text in (*feedback, "", "")[:2])
    is_true = truth.strip(_SPACE) in ("T", "TRUE")
    texts = Rich("True", Form.PLAIN), Rich("False", Form.PLAIN)
    if is_true:
        return RawAnswer(texts[0], 1.0, right), RawAnswer(texts[1], 0.0, wrong)
    return RawAnswer(texts[0], 0.0, wrong), RawAnswer(texts[1], 1.0, right)


def _name_and_text(text: str) -> tuple[str | None, str]:
    """What stands between “::” and “::”, and the rest. None: the question has no name."""
    if not text.startswith("::"):
        return None, text
    name, mark, rest = text[2:].partition("::")
    if not mark:
        return None, text[2:]
    return _clean_name(name.translate(_SIGNS)), rest.strip(_SPACE)


def _rich(text: str, form: Form) -> Rich:
    """A text whose format “[html]” or the like may tell."""
    text = text.strip(_SPACE)
    if text.startswith("["):
        name, mark, _ = text[1:12].partition("]")
        if mark and name in set(Form):
            return Rich(_plain(text[len(name) + 2 :]), Form(name))
    return Rich(_plain(text), form)


def _plain(text: str) -> str:
    return text.translate(_SIGNS).strip(_SPACE)


def _id_and_tags(comments: str) -> tuple[str, tuple[str, ...]]:
    idnumber = _ID.search(comments)
    tags = [found.strip(_SPACE).replace("\\]", "]") for found in _TAG.findall(comments)]
    named = idnumber[1].strip(_SPACE).replace("\\]", "]") if idnumber else ""
    return named, tuple(tag for tag in tags if tag)


def _clean_name(name: str) -> str:
    """A question's name as Moodle keeps it: without HTML's tags, and short."""
    name = _TAGS_OF_HTML.sub("", name).strip(_SPACE)
    return name if len(name) <= 255 else f"{name[:248]}..."


def default_name(text: str) -> str:
    """The name of a question that has none: the start of its text."""
    name = _TAGS_OF_HTML.sub("", text).strip(_SPACE)
    name = name if len(name) <= 80 else f"{name[:77]}..."
    return name if name not in ("", "0") else "Question"
