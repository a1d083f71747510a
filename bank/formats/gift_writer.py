"""A deck -> one GIFT file for Moodle, which `gift` reads back. Pictures stay behind: it has none.

Each text stands on one line, its line ends escaped, so that no blank line ends a question early.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bank.formats.moodle_grades import written_grade
from bank.formats.moodle_text import category_path, explanation_shown, reason_shown, shown
from bank.formats.writing import Picture, Written
from bank.models import Deck, Option, Question

_ESCAPES = str.maketrans({sign: f"\\{sign}" for sign in "\\#=~{}:"} | {"\n": "\\n", "\r": ""})
_TAG = re.compile(r"[^<>`\\\x00-\x1f\x7f]{1,255}")  # as Moodle reads them back
_TRUTH = ["True", "False"]


def write(deck: Deck, picture: Picture) -> Written:
    """The deck as `<name>.gift`, its domains as categories; `picture` is never asked."""
    blocks = [f"// {' '.join(deck.title.split())}: import it into Moodle’s question bank as GIFT."]
    category = ""
    for question in deck.questions:
        if category != (category := category_path(question)):
            blocks.append(f"$CATEGORY: {category}")
        blocks.append(_question(question))
    text = "\n\n".join(blocks) + "\n"
    return Written({f"{deck.name}.gift": text.encode()}, tuple(_left_out(deck)))


def _question(question: Question) -> str:
    options = question.options
    tags = [f"[tag:{_in_brackets(tag)}]" for tag in question.tags if _can_stand(tag)]
    lines = [
        "// " + " ".join([f"[id:{question.slug}]", *tags]),
        f"::{question.slug}::[markdown]{_escaped(shown(question.stem, options))}{{",
    ]
    if _is_true_or_false(options):
        lines += _truth(options)
    else:
        lines += _answers(options)
    return "\n".join([*lines, f"\t####{_part(explanation_shown(question))}", "}"])


def _is_true_or_false(options: Sequence[Option]) -> bool:
    one_key = sum(option.correct for option in options) == 1
    return one_key and [option.text for option in options] == _TRUTH


def _truth(options: Sequence[Option]) -> Iterator[str]:
    """T or F; GIFT has what is said to the wrong answer first."""
    true, false = options
    right, wrong = (true, false) if true.correct else (false, true)
    yield "\tTRUE" if true.correct else "\tFALSE"
    for option in (wrong, right):
        yield f"\t#{_part(reason_shown(option, options))}"


def _answers(options: Sequence[Option]) -> Iterator[str]:
    """A line for each option; with several keys they share 100 %, and a wrong one costs a share."""
    keys = sum(option.correct for option in options)
    for option in options:
        if keys == 1:
            mark = "=" if option.correct else "~"
        else:
            mark = f"~%{written_grade(keys, option.correct)}%"
        reason = _part(reason_shown(option, options))
        yield f"\t{mark}{_part(shown(option.text, options))}{f' #{reason}' if reason else ''}"


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def _part(text: str) -> str:
    """A text behind a mark. One that begins like a format or a weight is told to be neither."""
    return f"[markdown]{_escaped(text)}" if text.startswith(("[", "%")) else _escaped(text)


def _can_stand(tag: str) -> bool:
    return bool(_TAG.fullmatch(tag)) and tag == tag.strip()


def _in_brackets(tag: str) -> str:
    return tag.replace("]", "\\]")


def _left_out(deck: Deck) -> Iterator[str]:
    """A sentence for each thing that a GIFT file cannot hold."""
    questions = deck.questions
    pictures = sum((each.image is not None) + (each.exhibit is not None) for each in questions)
    if pictures == 1:
        yield "GIFT holds no pictures: 1 picture and its description are left out."
    elif pictures:
        yield f"GIFT holds no pictures: {pictures} pictures and their descriptions are left out."
    tags = sum(not _can_stand(tag) for each in questions for tag in each.tags)
    if tags == 1:
        yield "1 tag holds signs that Moodle does not take in a tag, and is left out."
    elif tags:
        yield f"{tags} tags hold signs that Moodle does not take in a tag, and are left out."
    if any(each.expires or each.lint for each in questions):
        yield "When a question expires and which rules it may break are left out."
