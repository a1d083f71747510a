"""Rules for what explains a question: it is there, agrees with the key, and names no letter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bank.letters import lettered
from bank.lint.findings import Part, Remark
from bank.lint.wording import keys_of, named, prose, shown
from bank.models import Question
from bank.prose import Naming, namings, reasons

_NO, _YES = r"(?:not (?:correct|right)|incorrect|wrong)", r"(?:correct|right)"
_AT_ONCE = re.compile(
    rf"\W{{0,4}}(?:this (?:answer |option |choice )?is )?(?:(?P<no>{_NO})|(?P<yes>{_YES}))"
    r"[*_]{0,3}(?:[.:!,;—–]|\s[–—-]\s|$)",
    re.IGNORECASE,
)
# Most texts judge nothing, and most letters that stand alone are an “a”: a look saves a parse.
_JUDGES = re.compile(
    r"correct|wrong|\bright\b|\b(?:answer|key|option|choice)s?\W{0,4}(?:is|are|:|=)"
    r"|\bthe (?:best )?(?:answer|choice|option)\b",
    re.IGNORECASE,
)
_MAY_NAME = re.compile(
    r"(?<!\w)[A-H](?![\w+#])|\b(?:[Oo]ptions?|[Cc]hoices?|[Aa]nswers?)\s{1,4}\W{0,3}[a-h]\b"
)
_BOLD = re.compile(r"\*\*([A-H])\*\*")
_IS = re.compile(
    r"\b(?i:(?:correct|right|best) (?:option|choice|one)|answer|key)(?: is|:)"
    r"[\s*_“]{1,4}\{([a-h])\}"
)
_IS_JUDGED = re.compile(
    r"(?P<if>\b(?:if|whether|unless|when|that|were)\s)?(?<!\\)\{(?P<option>[a-h])\}\s(?:is|was)\s"
    rf"(?:(?:therefore|thus|clearly|also|simply|just)\s)?(?:(?P<yes>{_YES})|(?P<no>{_NO}))\b",
    re.IGNORECASE,
)
# “{a} is right about the cache, but …” calls nothing the key.
_HALF = re.compile(
    r"\b(?:correct|right|wrong|incorrect)(?=,?\s(?:that|about|to|only|if|when|up|but|insofar|on|"
    r"with|for|in|where|until|unless|as\s(?:far|long))\b)",
    re.IGNORECASE,
)


def explanations(question: Question) -> Iterator[tuple[Part, str]]:
    """Every text that explains a question, with its place."""
    for at, option in enumerate(question.options):
        yield at, option.misconception or ""
        yield at, option.rationale
    yield "short", question.short
    yield "full", question.full


def contradicted_key(question: Question) -> Iterator[Remark]:
    """A text that calls the key wrong or a distractor right (harvard-edge/cs249r_book PR#1035)."""
    keys, count = keys_of(question), len(question.options)
    for part, text in explanations(question):
        if not _JUDGES.search(text):
            continue
        right, wrong = _judged(text, count)
        if isinstance(part, int) and (verdict := _AT_ONCE.match(text)):
            (right if verdict["yes"] else wrong).add(part)
        for option in sorted(right - keys):
            yield Remark(
                part, f"the text calls {named([option])} right, but the key is {named(keys)}"
            )
        for option in sorted(wrong & keys):
            yield Remark(part, f"the text calls {named([option])} wrong, but it is the key")


def _judged(text: str, count: int) -> tuple[set[int], set[int]]:
    """The options that a text calls right, and those that it calls wrong."""
    text = _HALF.sub("near", text)
    said = reasons(_BOLD.sub(r"\1", lettered(text, range(count))), count)
    right, wrong = set(said.said_right), set(said.said_wrong)
    right |= {ord(letter) - ord("a") for letter in _IS.findall(prose(text))}
    # A reference is an option for sure, so unlike a letter it is believed wherever it stands.
    for each in _IS_JUDGED.finditer(prose(text)):
        if not each["if"]:
            (right if each["yes"] else wrong).add(ord(each["option"].lower()) - ord("a"))
    return right, wrong


def named_letter(question: Question) -> Iterator[Remark]:
    """A text that names an option by its letter, which differs from drop to drop."""
    count = len(question.options)
    for part, text in explanations(question):
        if found := _namings(text, count):
            yield Remark(part, _mend(text, found[0].start, found[0].option))
    for at, option in enumerate(question.options):
        # An option may be a letter, such as a blood group or a point in a picture.
        if len(shown(option.text)) > 1 and (found := _namings(option.text, count)):
            yield Remark(at, _mend(option.text, found[0].start, found[0].option))


def _namings(text: str, count: int) -> list[Naming]:
    return namings(text, count) if _MAY_NAME.search(text) else []


def _mend(text: str, at: int, option: int) -> str:
    start = text.rfind(" ", 0, max(0, at - 12)) + 1
    words = " ".join(text[start : at + 13].split())
    return f"“{words}” names a letter, and letters change with each drop: write {named([option])}"


def no_short(question: Question) -> Iterator[Remark]:
    """Nothing short to read after answering."""
    if not question.short:
        yield Remark("stem", "there is no short explanation: add “## Short explanation”")


def no_full(question: Question) -> Iterator[Remark]:
    """Nothing to read behind “Full explanation” but the options' reasons."""
    if not question.full:
        yield Remark("stem", "there is no full explanation: add “## Full explanation”")
