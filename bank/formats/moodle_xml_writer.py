"""A deck -> Moodle XML: what Moodle imports as it is, pictures included, and is read back equal.

Texts stay Markdown, which Moodle shows too. No option is named by a letter: Moodle shuffles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby

from bank.formats import moodle_text
from bank.formats.moodle_files import EXHIBIT, IMAGE, based, picture_tag
from bank.formats.moodle_grades import written_grade
from bank.formats.writing import Picture, Written
from bank.models import Deck, Image, Option, Question

_NO_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"}
_IN_XML = str.maketrans(_SIGNS)
_IN_ATTRIBUTE = str.maketrans({**_SIGNS, "\n": "&#10;", "\t": "&#9;"})

_UNSAID = "Moodle XML has no place for the deck's title, description, licence and domain weights."
_CHARACTERS = "Control characters, which XML cannot hold, were left out of"


def write(deck: Deck, picture: Picture) -> Written:
    """One file, named after the deck. `picture(path)` gives the bytes of a question's picture."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<quiz>"]
    spoiled: list[str] = []
    for path, questions in groupby(deck.questions, moodle_text.category_path):
        lines += _category(path)
        for question in questions:
            text = "\n".join(_question(question, picture))
            if _NO_CHARACTER.search(text):
                spoiled.append(question.slug)
                text = _NO_CHARACTER.sub("", text)
            lines.append(text)
    lines.append("</quiz>\n")
    notes = [_UNSAID]
    if unkept := [each.slug for each in deck.questions if each.expires or each.lint]:
        notes.append(f"Nor for a date of expiry or lint remarks, as in {', '.join(unkept)}.")
    if spoiled:
        notes.append(f"{_CHARACTERS} {', '.join(spoiled)}.")
    return Written({f"{deck.name}.xml": "\n".join(lines).encode()}, tuple(notes))


def _category(path: str) -> Iterator[str]:
    yield '  <question type="category">'
    yield f"    <category><text>$course$/top/{_text(path)}</text></category>"
    yield "  </question>"


def _question(question: Question, picture: Picture) -> Iterator[str]:
    options = question.options
    true_false = [option.text for option in options] == ["True", "False"] and _keys(options) == 1
    stem = moodle_text.shown(question.stem, options)
    if question.exhibit:
        stem += "\n\n" + _tag(EXHIBIT, question.exhibit)
    general = moodle_text.explanation_shown(question)
    if question.image:
        general = general.replace(
            moodle_text.OURS, f"{moodle_text.OURS}\n\n{_tag(IMAGE, question.image)}", 1
        )
    yield f'  <question type="{"truefalse" if true_false else "multichoice"}">'
    yield f"    <name><text>{question.slug}</text></name>"
    yield _passage("questiontext", stem, question.exhibit, picture)
    yield _passage("generalfeedback", general, question.image, picture)
    yield "    <defaultgrade>1</defaultgrade>"
    yield f"    <penalty>{1 if true_false else 0.3333333}</penalty>"
    yield "    <hidden>0</hidden>"
    yield f"    <idnumber>{question.slug}</idnumber>"
    if true_false:
        yield from _answers(options, lambda option: option.text.lower())
    else:
        yield f"    <single>{'true' if _keys(options) == 1 else 'false'}</single>"
        yield "    <shuffleanswers>true</shuffleanswers>"
        yield "    <answernumbering>abc</answernumbering>"
        yield from _answers(options, lambda option: moodle_text.shown(option.text, options))
    if question.tags:
        yield "    <tags>"
        yield from (f"      <tag><text>{_text(tag)}</text></tag>" for tag in question.tags)
        yield "    </tags>"
    yield "  </question>"


def _answers(options: tuple[Option, ...], shown: Callable[[Option], str]) -> Iterator[str]:
    """Where several are right, a wrong one costs what it would bring to choose them all."""
    keys = _keys(options)
    for option in options:
        grade = "0"
        if option.correct:
            grade = written_grade(keys, True)
        elif keys > 1:
            grade = written_grade(len(options) - keys, False)
        yield f'    <answer fraction="{grade}" format="markdown">'
        yield f"      <text>{_text(shown(option))}</text>"
        yield '      <feedback format="markdown">'
        yield f"        <text>{_text(moodle_text.reason_shown(option, options))}</text>"
        yield "      </feedback>"
        yield "    </answer>"


def _passage(name: str, text: str, image: Image | None, picture: Picture) -> str:
    file = ""
    if image:
        data = based(picture(image.path))
        attribute = _file_name(image).translate(_IN_ATTRIBUTE)
        file = f'      <file name="{attribute}" path="/" encoding="base64">{data}</file>\n'
    return f'    <{name} format="markdown">\n      <text>{_text(text)}</text>\n{file}    </{name}>'


def _tag(kind: str, image: Image) -> str:
    return picture_tag(kind, _file_name(image), image.alt)


def _file_name(image: Image) -> str:
    return image.path.rpartition("/")[2]


def _keys(options: tuple[Option, ...]) -> int:
    return sum(option.correct for option in options)


def _text(text: str) -> str:
    return text.translate(_IN_XML)
