"""Rules for the options of one question: that they differ, stand alone, and look alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from bank.letters import references
from bank.lint.findings import Remark
from bank.lint.wording import listed, named, prose, shown, words
from bank.models import Question
from bank.prose import namings

# An option that is this much longer or shorter than every other one is seen at a glance.
LONGER, SHORTER = 1.5, 0.5
LEAST_APART = 20  # characters, so that “1” beside “100” is no cue
LEAST_SHARED = 4  # words that open every option

_TRAILING = " .,;:"
_QUOTES = re.compile(r"[\"“”„‘’']")
# Between digits and in code every mark counts: “1.5” is not “15”, “-5” is not “5”.
_BETWEEN_LETTERS = re.compile(r"(?<=[^\W\d_])[-,;:.]+(?=\s|[^\W\d_])")
_ALL_OR_NONE = re.compile(
    r"^\W*(?:(?:all|any|none|both|neither|either) (?:of )?(?:the |these |those )?"
    r"(?:above|below|others|other (?:options|answers|choices)|(?:options|answers|choices)"
    r"(?: (?:above|below|listed|are (?:correct|true|right|wrong)))?)\b"
    r"|(?:all|any|none|both|neither|either) of (?:these|those|them)\W*$)"
    r"|\b(?:all|any|none|both|neither) of the above\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?P<about>(?:about|around|approximately|roughly|up to|~|≈|[$€£])?\s?)"
    r"(?P<number>[-+−]?\d[\d,']*(?:\.\d+)?)\s?(?P<unit>[^\d]{0,40})",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"(?<!\bless )(?<!\bmore )(?<!\bhow )(?<!\bas )\b(?:usually|often|sometimes|"
    r"frequently|rarely|seldom|occasionally|generally|typically|"
    r"normally|probably)\b",
    re.IGNORECASE,
)


def same_options(question: Question) -> Iterator[Remark]:
    """Two options that only differ in case, spaces, punctuation or Markdown marks."""
    first: dict[str, int] = {}
    for at, option in enumerate(question.options):
        said = _essence(option.text)
        if said in first:
            yield Remark(at, f"{named([first[said], at])} say the same: “{_short(option.text)}”")
        first.setdefault(said, at)


def _essence(text: str) -> str:
    """What of a text has a meaning: all of it in code, otherwise words, digits and signs."""
    if "`" in text:
        return " ".join(text.split())
    bare = _QUOTES.sub("", shown(text).casefold()).rstrip(_TRAILING)
    return " ".join(_BETWEEN_LETTERS.sub(" ", bare).split()) or text


def _short(text: str) -> str:
    line = shown(text)
    return line if len(line) <= 60 else f"{line[:59]}…"


def all_or_none(question: Question) -> Iterator[Remark]:
    """“All of the above” and “None of the above”, in their usual wordings."""
    for at, option in enumerate(question.options):
        text = shown(option.text)
        if _ALL_OR_NONE.search(text):
            yield Remark(at, f"“{_short(text)}” rewards knowing part of the answer: ask for one")


def combined_options(question: Question) -> Iterator[Remark]:
    """An option that is made of others, such as “Both {a} and {b}”."""
    for at, option in enumerate(question.options):
        others = references(option.text) | {
            each.option for each in namings(option.text, len(question.options))
        }
        if len(others) > 1 or (others and "only" in words(option.text)):
            yield Remark(
                at, f"“{_short(option.text)}” combines other options: let each stand alone"
            )


def stands_out(question: Question) -> Iterator[Remark]:
    """A key that is far longer or shorter than every distractor."""
    yield from _outliers(question, correct=True)


def distractor_stands_out(question: Question) -> Iterator[Remark]:
    """A distractor that is far longer or shorter than every other option."""
    yield from _outliers(question, correct=False)


def _outliers(question: Question, *, correct: bool) -> Iterator[Remark]:
    lengths = [len(shown(option.text)) for option in question.options]
    what = "the key" if correct else "this distractor"
    if len(lengths) < 3:
        return
    for at, length in enumerate(lengths):
        if question.options[at].correct != correct:
            continue
        others = [each for place, each in enumerate(lengths) if place != at]
        if length >= max(others) * LONGER and length - max(others) >= LEAST_APART:
            yield Remark(
                at, f"{what} has {length} characters, the next longest option {max(others)}"
            )
        elif length <= min(others) * SHORTER and min(others) - length >= LEAST_APART:
            yield Remark(
                at, f"{what} has {length} characters, the next shortest option {min(others)}"
            )


def unordered_numbers(question: Question) -> Iterator[Remark]:
    """Options that are all numbers of one unit and stand in no order."""
    found = [_NUMBER.fullmatch(shown(option.text)) for option in question.options]
    numbers = [
        float(re.sub("[,']", "", each["number"]).replace("−", "-")) for each in found if each
    ]
    if len(numbers) < len(found) or len({each["unit"] for each in found if each}) > 1:
        return
    steps = [after - before for before, after in pairwise(numbers)]
    if any(step > 0 for step in steps) and any(step < 0 for step in steps):
        yield Remark(0, "the options are numbers: write them from small to large")


def vague_terms(question: Question) -> Iterator[Remark]:
    """“usually”, “often” … in an option: each reader takes them differently."""
    for at, option in enumerate(question.options):
        if found := _VAGUE.findall(prose(option.text)):
            yield Remark(at, f"{listed(found)} means something else to each reader")


def repeated_opening(question: Question) -> Iterator[Remark]:
    """The same words at the start of every option, which could stand in the stem once."""
    said = [shown(option.text).split() for option in question.options]
    shared = 0
    for same in zip(*said, strict=False):
        if len(set(same)) > 1:
            break
        shared += 1
    if LEAST_SHARED <= shared < min(map(len, said)):
        opening = _short(" ".join(said[0][:shared]))
        yield Remark(0, f"every option begins with “{opening}”: say it once, in the stem")


def bare_distractors(question: Question) -> Iterator[Remark]:
    """Distractors that do not say why they are wrong."""
    bare = [
        at for at, each in enumerate(question.options) if not each.correct and not each.rationale
    ]
    if bare:
        say = "say under it why it is" if len(bare) == 1 else "say under each why it is"
        has = "has" if len(bare) == 1 else "have"
        yield Remark(bare[0], f"{named(bare)} {has} no reason: {say} tempting and wrong")


def bare_key(question: Question) -> Iterator[Remark]:
    """Keys that do not say why they are right."""
    bare = [at for at in question.keys if not question.options[at].rationale]
    if bare:
        keys = "the key" if len(bare) == 1 else "the keys"
        has, say = ("has", "under it") if len(bare) == 1 else ("have", "under each")
        yield Remark(bare[0], f"{keys} {named(bare)} {has} no reason: say {say} why it is right")


def no_misconception(question: Question) -> Iterator[Remark]:
    """Distractors whose reason does not name the error that leads to them."""
    silent = [
        at
        for at, each in enumerate(question.options)
        if not each.correct and each.rationale and not each.misconception
    ]
    if silent:
        lead = "to it" if len(silent) == 1 else "to each"
        yield Remark(
            silent[0], f"{named(silent)}: name the error that leads {lead}, as “> *Takes … for ….*”"
        )
