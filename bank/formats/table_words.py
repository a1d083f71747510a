"""What stands in a table's cells: kinds of question, lists, and the guard against formulas."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bank.formats.reading import Kind
from bank.letters import LETTERS

_SEPARATORS = ("\n", "|", ";")
_LABEL = re.compile(r"[(\[]?([A-Ha-h])[.)\]:]\s*(?=\S)")

# What makes a spreadsheet take a text for a formula, some in their wide form too. An apostrophe
# ahead keeps it text; one more where apostrophes stand there already, so that none is lost.
_FORMULA = re.compile("'*[=+\\-@\t\r＝＋－＠]")
_GUARDED = re.compile("''*[=+\\-@\t\r＝＋－＠]")

_KINDS = {
    Kind.CHOICE: (
        "multichoice multiplechoice mc mcq single singlechoice singleanswer choice radio "
        "chooseone oneanswer singleselect quiz multiplechoicesingleanswer 单选 单选题"
    ),
    Kind.MULTIPLE: (
        "multiple multipleanswers multipleanswer multipleresponse multipleresponses multiselect "
        "multianswer mr ma checkbox checkboxes choosemany selectall multiplechoicemultipleanswers "
        "multipleselect 多选 多选题"
    ),
    Kind.TRUE_FALSE: "truefalse tf boolean trueorfalse yesno richtigfalsch vraifaux 判断 判断题",
}
_OTHERS = (
    "matching match essay shortanswer shorttext numerical numeric number ordering order sequence "
    "cloze description fillintheblank fillintheblanks fillin fillblank gapfill fib open openended "
    "freetext text paragraph poll survey hotspot draganddrop dragdrop wordcloud slider puzzle "
    "typeanswer calculated freitext 填空 填空题 简答 简答题"
)
_KIND_OF: dict[str, Kind | None] = {
    **dict.fromkeys(_OTHERS.split()),
    **{word: kind for kind, words in _KINDS.items() for word in words.split()},
}


def kind_of(said: str) -> tuple[Kind | None, bool]:
    """The kind that a cell names, None for one that is not supported; and whether it is known."""
    word = "".join(sign for sign in said[:80].casefold() if sign.isalnum())
    word = word.removesuffix("questions").removesuffix("question")
    return _KIND_OF.get(word), word in _KIND_OF


def separator_of(cells: Sequence[str]) -> str | None:
    """What stands between options in the cells of a column: the sign that is in most of them."""
    counts = [sum(sign in cell.strip() for cell in cells) for sign in _SEPARATORS]
    return _SEPARATORS[counts.index(max(counts))] if any(counts) else None


def split_cell(cell: str, separator: str | None) -> list[str]:
    """The options in one cell, by the separator of its column or, without it, by another."""
    if not cell:
        return []
    if separator is None or separator not in cell:
        separator = next((sign for sign in _SEPARATORS if sign in cell), None)
    pieces = cell.split(separator) if separator else [cell]
    return [piece.strip() for piece in pieces if piece.strip()]


def without_labels(texts: Sequence[str]) -> list[str]:
    """Options without “A.”, “B)” … ahead, where every one has the letter of its place."""
    labels = [_LABEL.match(text) for text in texts]
    for place, label in enumerate(labels):
        if label is None or place >= len(LETTERS) or label[1].upper() != LETTERS[place]:
            return list(texts)
    return [text[label.end() :] for text, label in zip(texts, labels, strict=True) if label]


def guarded(text: str) -> str:
    """A cell that no spreadsheet takes for a formula; `unguarded` gives the text back."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """The text of a guarded cell, and any other cell as it is."""
    return cell[1:] if _GUARDED.match(cell) else cell
