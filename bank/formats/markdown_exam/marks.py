"""What a line of an exam says that it is: a question's number, an option, an answer, a reason.

Patterns over one line, each begun at its start and bounded, so that no line takes long.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

_BULLET = r"(?:[-*+•‣▪][ \t]+)"
_STRONG = r"(?:\*\*\*|___|\*\*|__|\*|_)"
_SIGNS = r"[^\w\s*_`\[(<{|#\-+\"'“‘$.!/\\~=@&^%?;:,>]"  # an emoji or the like


class Says(Enum):
    """What a line can say."""

    QUESTION = auto()  # “Question 7”, “Q7.”
    NUMBER = auto()  # “7. text”: a question, an option or any list's item
    LETTER = auto()  # “- A. text”
    BOX = auto()  # “- [x] text”
    BULLET = auto()
    ANSWER = auto()  # “Correct answer: B”
    FULL = auto()  # “Explanation: …”
    SHORT = auto()
    REFERENCE = auto()
    OPTIONS = auto()  # “Options:”, which says nothing else
    HINT = auto()


@dataclass(slots=True)
class Sign:
    """What a line says, and the rest of it."""

    says: Says
    rest: str = ""
    label: str = ""  # of an option
    ticked: bool | None = None  # of a box
    number: int = 0
    bold: bool = False
    firm: bool = True  # False where the words may as well be part of a sentence


_QUESTION = re.compile(
    rf"{_BULLET}?(?:{_SIGNS}{{1,3}}\s{{1,3}})?(?P<open>{_STRONG})?"
    r"(?:question|quest|ques|q)\s{0,3}(?:no\.?|number|num\.?|nr\.?)?\s{0,3}[#.\-]?\s{0,3}"
    rf"(?P<number>\d{{1,5}})(?!\d|[.,]\d|\s?[-–—]\s?q?\d)(?:\s(?:of|/)\s\d{{1,5}})?"
    rf"(?P<close>{_STRONG})?\s{{0,3}}(?:\\?[.):|\]]|[-–—](?=\s)|$|\s(?=\S)|(?={_STRONG}))\s{{0,3}}",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    rf"(?:{_SIGNS}{{1,3}}\s{{1,3}})?(?P<open>{_STRONG})?(?P<number>\d{{1,5}})(?P<close>{_STRONG})?"
    rf"\s{{0,2}}\\?[.):](?P<close2>{_STRONG})?(?=\s|$|[^\W\d]|{_STRONG})\s*"
)
_LETTER = re.compile(
    rf"{_BULLET}?(?:\d{{1,2}}[.)]\s+(?=\[))?(?:\[(?P<box>[ xX✓✔]?)\]\s+)?(?P<open>{_STRONG})?[(\[]?"
    rf"(?P<label>[A-Za-z])(?P<close>{_STRONG})?"
    rf"(?:\\?[.):\]]|\s{{1,3}}[-–—](?=\s))(?P<close2>{_STRONG})?(?P<gap>\s*)(?P<text>.*)",
    re.DOTALL,
)
_BOX = re.compile(
    rf"(?:{_BULLET}|\d{{1,2}}[.)]\s+)?\[(?P<box>[ xX✓✔]?)\](?!\()(?:\s+|$)(?P<text>.*)", re.DOTALL
)
_LONE_LETTER = re.compile(rf"{_STRONG}?\(?([A-Za-z])\)?{_STRONG}?")
_BULLET_ITEM = re.compile(rf"{_BULLET}(?P<text>\S.*)", re.DOTALL)
_LEAD = rf"(?:{_BULLET}|>\s*)?(?:{_SIGNS}{{1,3}}\s{{0,3}})?{_STRONG}?(?:{_SIGNS}{{1,3}}\s{{0,3}})?"
_TAIL = rf"\s{{0,3}}{_STRONG}?\s{{0,3}}"
_ANSWER = re.compile(
    rf"{_LEAD}(?:the\s)?(?:(?P<right>correct|right|best|suggested|official|proposed)\s)?"
    r"(?P<noun>answers?(?:\s?\(s\))?(?:\skeys?)?|ans\.?|solutions?|options?|choices?|key)?"
    rf"(?:\s(?:and|&)\s(?:explanation|rationale)s?)?{_TAIL}"
    rf"(?P<sep>[::=]|[-–—](?=\s)|(?:is|are)\b(?:\s?:)?)?{_TAIL}",
    re.IGNORECASE,
)
_REASON = re.compile(
    rf"{_LEAD}(?:(?P<size>short|brief|quick|full|long|detailed|overall|general|answer)\s)?"
    r"(?P<noun>explanations?|rationales?|reason(?:ing)?s?|justification|why|feedback|"
    r"tl;?\s?dr|in\sshort|in\sa\snutshell|short\sanswer)"
    rf"(?:\s\(and\s\w{{1,20}}\))?{_TAIL}(?P<sep>[::]|[-–—](?=\s)|$){_TAIL}",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    rf"{_LEAD}(?:(?:official|useful)\s)?(?:references?|ref\.?|sources?|links?|urls?|see(?:\salso)?|"
    r"(?:further|additional)\sreading|(?:read|learn|see)\smore(?:\sat)?|documentation|docs|"
    rf"resources?|more\sinfo(?:rmation)?)(?:\slinks?|\s?\(s\))?{_TAIL}(?P<sep>[::]|$){_TAIL}",
    re.IGNORECASE,
)
_OPTIONS = re.compile(
    rf"{_LEAD}(?:the\s)?(?:answer\s)?(?:options|choices){_TAIL}:?{_TAIL}", re.IGNORECASE
)
_HINT = re.compile(rf"{_LEAD}(?:hints?|tips?){_TAIL}(?:[::]|$){_TAIL}", re.IGNORECASE)

_FOLD_ANSWER = re.compile(
    rf"{_LEAD}(?:(?:click|tap|press)\s(?:here\s)?(?:to\s)?)?(?:(?:show|see|reveal|view|expand|check)\s)?"
    r"(?:me\s)?(?:the\s)?(?:(?:correct|right)\s)?(?:answers?|solutions?|ans|key)\b[^?]{0,60}",
    re.IGNORECASE,
)
_ANSWERS_HEADING = re.compile(
    r"\W{0,8}(?:(?:section|part|domain|chapter|test|exam|quiz|set|module)\s\w{1,12}\W{0,3}\s?)?"
    r"(?:(?:all|the|correct|practice|exam|test|quiz|official)\s){0,3}"
    r"(?:answers?(?:\skeys?|\ssheet|\slist|\stable)?|solutions?|keys?)\b(?P<rest>.{0,80})",
    re.IGNORECASE,
)
_ENDS_IN_ANSWERS = re.compile(
    r"(?:answers?(?:\skeys?)?|solutions|answer\skeys?)\W{0,4}$", re.IGNORECASE
)
_NOT_ONLY_ANSWERS = re.compile(r"questions?\W{1,3}(?:and|with|&|\+)\W|\?", re.IGNORECASE)

_WORDS = frozenset("qQaAeErRcCsSoOkKtTwWjJbBhHlLdDfFpPmMvVuUiIgG")


def sign_of(text: str) -> Sign | None:
    """What a line's text says that it is, or None for plain text."""
    first = text[0]
    if first.isalnum() and first not in _WORDS and not first.isdigit() and text[1:2].isalnum():
        return None
    head = text[:160]
    if (found := _QUESTION.match(head)) is not None:
        return _numbered(Says.QUESTION, found, text)
    if (first in "-*+•‣▪[" or first.isdigit()) and (box := _BOX.match(text)) is not None:
        return _box(box)
    if (found := _LETTER.match(text)) is not None and _is_option(found):
        return _letter(found)
    if (found := _NUMBER.match(head)) is not None:
        return _numbered(Says.NUMBER, found, text)
    return _told(text, head) or _bullet(text)


def _told(text: str, head: str) -> Sign | None:
    """An answer, a reason, a reference: what stands under a question."""
    if (found := _REASON.match(head)) is not None and _is_reason(found, head):
        short = (found["size"] or "").lower() in ("short", "brief", "quick") or (
            found["noun"].lower().startswith(("tl", "in ", "short"))
        )
        return Sign(Says.SHORT if short else Says.FULL, _rest(text, found))
    if (found := _ANSWER.match(head)) is not None and _is_answer(found, text):
        firm = not (found["sep"] or "").lower().startswith(("is", "are")) or found.end() == len(
            text
        )
        return Sign(Says.ANSWER, _rest(text, found), firm=firm)
    if (found := _REFERENCE.match(head)) is not None:
        return Sign(Says.REFERENCE, _rest(text, found))
    if _OPTIONS.fullmatch(head) is not None:
        return Sign(Says.OPTIONS)
    if (found := _HINT.match(head)) is not None:
        return Sign(Says.HINT, _rest(text, found))
    return None


def _is_reason(found: re.Match[str], head: str) -> bool:
    noun = found["noun"].lower()
    alone = not found["sep"]
    return not alone or noun.startswith(("explanation", "rationale", "tl", "in a", "short"))


def _is_answer(found: re.Match[str], text: str) -> bool:
    """“Answer: B”, “Correct: B” and a lone “Answer”, but no “Option”, “Correct” or “Key - …”."""
    noun = (found["noun"] or "").lower()
    sep = found["sep"]
    right = (found["right"] or "").lower()
    if not noun:
        return right == "correct" and sep == ":"
    if noun.startswith(("option", "choice")):
        return bool(right) and bool(sep)
    if not sep:
        return found.end() == len(text) and (bool(right) or noun.startswith(("answer", "solution")))
    return noun != "key" or sep == ":"


def _rest(text: str, found: re.Match[str]) -> str:
    """What follows a mark, without the end of an emphasis that was opened in the mark."""
    rest = text[found.end() :].strip()
    opened = re.match(rf"(?:{_BULLET}|>\s*|{_SIGNS}|\s)*({_STRONG})", found[0])
    if opened and found[0].count(opened[1]) % 2:
        rest = _without_first(rest, opened[1])
    return rest


def _without_first(text: str, mark: str) -> str:
    at = text.find(mark)
    return text if at < 0 else (text[:at] + text[at + len(mark) :]).strip()


def _numbered(says: Says, found: re.Match[str], text: str) -> Sign:
    rest = text[found.end() :]
    closed = found["close"] or found.groupdict().get("close2")
    if found["open"] and not closed:
        rest = _without_first(rest, found["open"])
    return Sign(says, rest.strip(), number=int(found["number"]), bold=bool(found["open"]))


def _is_option(found: re.Match[str]) -> bool:
    """“A. text”, but no “e.g.” and no “C:\\path”: a letter without a bullet keeps its distance."""
    if found["gap"] or not found["text"] or found["box"] is not None:
        return True
    glued = found["text"][0]
    return found["label"].isupper() and not glued.islower() and glued.isalnum()


def _letter(found: re.Match[str]) -> Sign:
    text = found["text"].strip()
    if found["open"] and not (found["close"] or found["close2"]):
        text = _without_first(text, found["open"])
    ticked = None if found["box"] is None else found["box"] not in ("", " ")
    return Sign(Says.LETTER, text, label=found["label"].upper(), ticked=ticked)


def _box(found: re.Match[str]) -> Sign:
    """A box; a letter behind it is the option's label."""
    ticked = found["box"] not in ("", " ")
    text = found["text"].strip()
    if (lettered := _LETTER.match(text)) is not None and lettered["box"] is None:
        inner = _letter(lettered)
        if _is_option(lettered) and lettered["gap"]:
            return Sign(Says.BOX, inner.rest, label=inner.label, ticked=ticked)
    if (lone := _LONE_LETTER.fullmatch(text)) is not None:
        return Sign(Says.BOX, "", label=lone[1].upper(), ticked=ticked)
    return Sign(Says.BOX, text, ticked=ticked)


def _bullet(text: str) -> Sign | None:
    found = _BULLET_ITEM.match(text) if text[0] in "-*+•‣▪" else None
    return None if found is None else Sign(Says.BULLET, found["text"])


def is_marked(text: str) -> bool:
    """True for a line that an author meant as text, however far it is indented."""
    return text[0] in "<|!" or sign_of(text) is not None


def opens_answer(summary: str) -> bool:
    """True for the words on a fold that hides an answer, such as “Show answer”."""
    return _FOLD_ANSWER.fullmatch(summary) is not None


def heads_answers(text: str) -> bool:
    """True for a heading that answers may follow, such as “Answer Key & Explanations”."""
    text = text.strip("*_ ")
    if len(text) > 100 or _NOT_ONLY_ANSWERS.search(text) is not None:
        return False
    return _ANSWERS_HEADING.fullmatch(text) is not None or _ENDS_IN_ANSWERS.search(text) is not None
