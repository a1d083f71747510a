"""What the columns of a table of questions mean, told by their names, in any order and spelling.

It knows names only, never a cell under them: what a cell holds is read in `table_rows`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

MOST_OPTIONS = 8
_HEADER_WITHIN = 30  # rows that say something, the first ones: a template has words of advice above
_LONGEST_NAME = 120
_MOST_COLUMNS = 64


class Meaning(StrEnum):
    """What one column says about its row's question."""

    STEM = "stem"
    CHOICES = "choices"  # all options in one cell
    KEY = "key"
    WRONG = "wrong"  # all distractors in one cell; the key's cell holds the right one's text
    SHORT = "short"
    FULL = "full"
    DOMAIN = "domain"
    TAGS = "tags"
    DIFFICULTY = "difficulty"
    KIND = "kind"
    SOURCES = "sources"
    SLUG = "slug"
    IMAGE = "image"
    ALT = "alt"
    EXHIBIT = "exhibit"
    EXHIBIT_ALT = "exhibit alt"


class Part(StrEnum):
    """What one column says about one option: there is a column for each."""

    TEXT = "option"
    WRONG = "wrong"  # the text of a distractor, where the key's cell holds the right one's
    RATIONALE = "rationale"
    MISCONCEPTION = "misconception"


# Names without spaces, signs and accents, in lower case. Where two columns of a table have one
# meaning, the one whose name stands further ahead here is taken.
_NAMES: dict[Meaning, str] = {
    Meaning.STEM: (
        "stem questionstem questiontext question questions prompt item itemtext questiontitle "
        "frage fragetext fragestellung enonce pregunta enunciado domanda pergunta vraag "
        "题干 题目 问题 試題 問題 вопрос"
    ),
    Meaning.CHOICES: (
        "choices options answeroptions answerchoices choice possibleanswers alternatives "
        "antwortmoglichkeiten antwortoptionen choix opciones opzioni opcoes alternativas "
        "选项 选择 選択肢 варианты"
    ),
    Meaning.KEY: (
        "key keys answerkey correctanswer correctanswers correct correctoption correctoptions "
        "correctchoice correctchoices correctkey correctletter correctindex correctresponse "
        "rightanswer rightanswers right richtigeantwort richtigeantworten richtig losung "
        "bonnereponse bonnesreponses respuestacorrecta correcta rispostacorretta respostacorreta "
        "gabarito 正确答案 标准答案 正解 answer solution answerletter antwort reponse respuesta "
        "risposta resposta 答案 ответ"
    ),
    Meaning.WRONG: "incorrectanswers wronganswers distractors falscheantworten",
    Meaning.SHORT: "short shortexplanation kurzerklarung",
    Meaning.FULL: (
        "full fullexplanation explanation explanations generalfeedback overallfeedback rationale "
        "feedback justification reasoning reason why comment comments erklarung begrundung "
        "explication explicacion retroalimentacion spiegazione explicacao 解析 通用反馈 解説 "
        "объяснение"
    ),
    Meaning.DOMAIN: (
        "domain category domains categories topic subject section chapter module unit area theme "
        "kategorie thema themenbereich categorie categoria tema materia matiere 分类 类别 章节"
    ),
    Meaning.TAGS: "tags tag keywords keyword labels label schlagworte etiquetas 标签",
    Meaning.DIFFICULTY: "difficulty difficultylevel level schwierigkeit niveau dificultad 难度",
    Meaning.KIND: "type qtype questiontype kind questionkind fragetyp typ tipo 题型 类型",
    Meaning.SOURCES: (
        "sources source references reference links link url urls citation citations quelle quellen "
        "fuente fuentes 来源 出处"
    ),
    Meaning.SLUG: "slug id questionid questionslug identifier",
    Meaning.IMAGE: "image picture explanationimage bild imagen 图片",
    Meaning.ALT: "alt alttext imagealt imagealttext",
    Meaning.EXHIBIT: "exhibit questionimage stemimage",
    Meaning.EXHIBIT_ALT: "exhibitalt exhibitalttext questionimagealt",
}
# Either all options in one cell or the key, as the table's other columns leave it.
_ANSWERS = {"answers", "antworten", "reponses", "respuestas", "risposte", "respostas"}
_OPTION = (
    "option|opt|answeroption|possibleanswer|answerchoice|choice|answer|ans|alternative|response|"
    "antwortoption|antwortmoglichkeit|antwort|reponse|choix|opcion|respuesta|opzione|risposta|"
    "opcao|resposta|alternativa|选项|答案|вариант"
)
_WHY = "rationale|feedback|explanation|reason|why|comment|erklarung|begrundung|反馈|解析"
_LETTER = f"(?P<letter>[a-h]|[1-{MOST_OPTIONS}])"
_PARTS: tuple[tuple[Part, re.Pattern[str]], ...] = tuple(
    (part, re.compile(pattern))
    for part, pattern in (
        (Part.TEXT, rf"(?:(?:{_OPTION})(?:text)?)?{_LETTER}(?:text)?"),
        (Part.WRONG, rf"(?:(?:incorrect|wrong)(?:answer|option|choice)?|distractor){_LETTER}"),
        (Part.RATIONALE, rf"(?:{_OPTION})?(?:{_WHY})(?:for)?(?:{_OPTION})?{_LETTER}"),
        (Part.RATIONALE, rf"(?:{_OPTION}){_LETTER}(?:{_WHY})"),
        (Part.MISCONCEPTION, rf"(?:misconception|mistake|error){_LETTER}"),
    )
)
_BRACKETS = re.compile(r"\([^()]*\)")
_ASIDE = re.compile(r"\s[-–—:]\s.*|:\s*$", re.DOTALL)
# Our own writer's word: the cells are Markdown and name options by {a}, {b} …
_MARKDOWN = re.compile(r"\(\s*markdown\s*\)", re.IGNORECASE)


@dataclass
class Columns:
    """Where in a row each thing stands; places of options count from 0."""

    of: dict[Meaning, int] = field(default_factory=dict)
    parts: dict[Part, dict[int, int]] = field(default_factory=dict)  # part -> place -> column
    unread: dict[int, str] = field(default_factory=dict)  # column -> its name
    header: tuple[str, ...] = ()
    width: int = 0  # columns up to the last that has a name
    markdown: bool = False

    @property
    def has_options(self) -> bool:
        options = self.parts.get(Part.TEXT, {})
        wrong = Part.WRONG in self.parts or Meaning.WRONG in self.of
        return len(options) > 1 or Meaning.CHOICES in self.of or wrong

    def cell(self, cells: Sequence[str], meaning: Meaning) -> str:
        column = self.of.get(meaning)
        return cells[column] if column is not None and column < len(cells) else ""

    def part(self, cells: Sequence[str], part: Part, place: int) -> str:
        column = self.parts.get(part, {}).get(place)
        return cells[column] if column is not None and column < len(cells) else ""

    def read(self) -> set[int]:
        """Every column that is read."""
        return {*self.of.values(), *(at for part in self.parts.values() for at in part.values())}


def columns_of(header: Sequence[str]) -> Columns | None:
    """The columns of a table with this header row; None when it is no header of questions.

    One has a column for the stem, and one at least for options or the key.
    """
    names = [_plain(name) for name in header[:_MOST_COLUMNS]]
    found = Columns(
        header=tuple(header),
        width=max((at for at, name in enumerate(header, 1) if name.strip()), default=0),
        markdown=any(len(n) <= _LONGEST_NAME and bool(_MARKDOWN.search(n)) for n in header),
    )
    for meaning in Meaning:
        known = _NAMES[meaning].split()
        ranked = [(known.index(name), at) for at, name in enumerate(names) if name in known]
        if ranked:
            found.of[meaning] = min(ranked)[1]
    if Meaning.STEM not in found.of:
        return None
    for at, name in enumerate(names):
        if at not in found.of.values() and (part := _part(name)):
            found.parts.setdefault(part[0], {}).setdefault(part[1], at)
    _place_answers(found, names)
    if not (found.has_options or Meaning.KEY in found.of):
        return None
    read = found.read()
    found.unread = {at: name for at, name in enumerate(header) if name.strip() and at not in read}
    return found


def find_header(rows: Iterator[Sequence[str]]) -> Columns | None:
    """What the columns mean, by the first row that names them; `rows` then stand behind it.

    It is looked for in the first rows that say anything, since a template has advice above it.
    """
    said = 0
    for cells in rows:
        if not any(cell.strip() for cell in cells[:_MOST_COLUMNS]):
            continue
        if columns := columns_of(cells):
            return columns
        said += 1
        if said == _HEADER_WITHIN:
            break
    return None


def _place_answers(found: Columns, names: Sequence[str]) -> None:
    """A column “answers” holds the key where options have columns, and the options otherwise."""
    at = next((at for at, name in enumerate(names) if name in _ANSWERS), None)
    if at is None:
        return
    meaning = Meaning.CHOICES
    if found.has_options or Meaning.KEY not in found.of:
        meaning = Meaning.KEY
    found.of.setdefault(meaning, at)


def _part(name: str) -> tuple[Part, int] | None:
    for part, pattern in _PARTS:
        if match := pattern.fullmatch(name):
            letter = match["letter"]
            return part, (int(letter) - 1 if letter.isdecimal() else ord(letter) - ord("a"))
    return None


@lru_cache(maxsize=1024)
def _plain(name: str) -> str:
    """A name as the table above has it: “Correct answer(s) - choose one” is correctanswer."""
    if len(name) > _LONGEST_NAME:
        return ""
    name = unicodedata.normalize("NFKD", name.strip().removeprefix("\ufeff")).casefold()
    name = _ASIDE.sub("", _BRACKETS.sub("", name))
    return "".join(sign for sign in name if sign.isalnum() or sign == "#")
