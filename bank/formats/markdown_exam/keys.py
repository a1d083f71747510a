"""The answer as a page writes it, “B”, “CE”, “A and C” or an option's text -> the options meant.

It reports and never guesses: what fits no option, or two, is said in a clause.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from bank.errors import quoted

_LEAD = re.compile(
    r"[\s*_`(\[\"'“✅✔☑]{0,8}(?:(?:options?|choices?|letters?|answers?)\s{1,3})?[*_`(\[]{0,4}", re.I
)
_LABEL = re.compile(r"[A-Z]{1,8}(?![\w#+'’])|[a-z](?![\w'’])|\d{1,2}(?![\w%.,]\w|[\w%])")
_BETWEEN = re.compile(
    r"[*_`)\]]{0,3}\s{0,3}(?:[,;/&+]\s{0,3}(?:and\s|or\s|&\s)?|(?:and|or|und)\s)\s{0,3}[*_`(\[]{0,3}"
    r"(?:option\s)?(?=[A-Za-z\d](?![a-z]))|\s(?=[A-Z](?:[\s,.;)*_]|$))"
)
_END = re.compile(
    r"[*_`\"'”]{0,4}(?:[)\]]{0,2}[*_`\"'”.!]{0,4}\s*$|[)\]][*_`]{0,3}[.:]?(?P<close>\s)|[)\]](?=[A-Z])"
    r"|[.:][*_`]{0,3}(?P<stop>\s)|\s{0,3}[–—]\s{0,3}|\s{1,3}-{1,2}\s|-\s"
    r"|\s(?=\()|,?\s(?=(?:is|are|because|since)\s))"
)
_NOT_WORDS = re.compile(r"[\W_]+")
_IMAGE = re.compile(r"!?\[([^\[\]]{0,300})\]\([^()\s]{0,2000}\)")
_ALIKE = 60.0  # per cent, of two texts that mean the same option in other words


@dataclass(frozen=True, slots=True)
class Letters:
    """Labels of options at the start of a text, and what follows them."""

    labels: tuple[str, ...]
    rest: str
    labelled: bool = False  # as before an option's text: “B) text”


@dataclass(slots=True)
class Verdict:
    """Which options an answer names, what else it says, and what is wrong or odd about it."""

    keys: set[int] = field(default_factory=set)
    rest: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_letters(text: str, digits: bool = False) -> Letters | None:
    """The labels that a text begins with, where nothing but an explanation can follow them."""
    lead = _LEAD.match(text)
    at = lead.end() if lead else 0
    labels: list[str] = []
    while (found := _LABEL.match(text, at)) is not None and len(labels) < 12:
        word = found[0]
        if word[0].isdigit() and not digits:
            return None
        letters = [word] if word.isdigit() else list(word.upper())
        if letters != sorted(set(letters)):
            return None
        labels += letters
        at = found.end()
        between = _BETWEEN.match(text, at)
        if between is None:
            break
        at = between.end()
    end = _END.match(text, at)
    if not labels or end is None:
        return None
    labelled = bool(end["close"] or end["stop"])
    return Letters(tuple(labels), text[end.end() :].strip(), labelled)


def begins_with_letters(text: str) -> bool:
    """True for a text such as “B”, “A, C” or “D - because …”."""
    return read_letters(text[:400]) is not None


def normal(text: str) -> str:
    """A text as its words: what is left when case, marks and “and” are taken away."""
    text = _IMAGE.sub(r"\1", text)
    plain = _NOT_WORDS.sub(" ", text.casefold()).split()
    words = [word for word in plain if word != "and"]
    # A text that is all signs, such as “+” or “&&”, is told apart by them.
    return " ".join(words) if plain else "".join(text.split())


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of a question as an answer may name them: labels and plain texts."""

    labels: tuple[str, ...]
    texts: tuple[str, ...]  # as the page has them
    normals: tuple[str, ...]

    @classmethod
    def of(cls, labels: Sequence[str], texts: Sequence[str]) -> Choices:
        return cls(tuple(labels), tuple(texts), tuple(normal(text) for text in texts))


def judge(rows: Sequence[str], choices: Choices, marked: bool) -> Verdict:
    """What the rows of an answer mean; `marked` where the page says that they are one."""
    first = rows[0]
    letters = read_letters(first, digits=choices.labels[:1] == ("1",))
    if letters is not None and not _is_text(first, letters, choices):
        verdict = _by_letters(letters, choices)
        for row in rows[1:]:
            more = read_letters(row.lstrip("-*+• "))
            known = more and more.labelled and all(each in choices.labels for each in more.labels)
            if more is not None and known:
                verdict.keys |= {choices.labels.index(each) for each in more.labels}
            else:
                verdict.rest.append(row)
        return verdict
    return _by_texts(rows, choices, marked)


def _is_text(first: str, letters: Letters, choices: Choices) -> bool:
    """True where what looks like letters is an option's text, such as “AD” or “10”."""
    known = all(label in choices.labels for label in letters.labels)
    return not known and normal(first) in choices.normals


def _by_letters(letters: Letters, choices: Choices) -> Verdict:
    verdict = Verdict()
    for label in letters.labels:
        if label in choices.labels:
            verdict.keys.add(choices.labels.index(label))
        else:
            verdict.missing.append(f"the key {label} is no option")
    if letters.rest:
        _check_words(letters, choices, verdict)
    return verdict


def _check_words(letters: Letters, choices: Choices, verdict: Verdict) -> None:
    """Compare what stands behind the letters with the options: it may repeat their texts."""
    said = normal(letters.rest)
    own = [choices.normals[key] for key in sorted(verdict.keys)]
    if said == normal(" ".join(own)):
        return
    other = [at for at, text in enumerate(choices.normals) if text == said and text]
    if other and not set(other) & verdict.keys:
        names = " and ".join(letters.labels)
        clause = f"the answer names {names} with the text of {choices.labels[other[0]]}"
        verdict.missing.append(clause)
        return
    if len(own) == 1 and letters.labelled and len(said) < 400:
        likeness = [fuzz.ratio(said, text) for text in choices.normals]
        if max(likeness) >= _ALIKE and likeness.index(max(likeness)) in verdict.keys:
            key = choices.labels[min(verdict.keys)]
            note = f"the answer words option {key} otherwise: {quoted(letters.rest)}"
            verdict.notes.append(note)
            return
    verdict.rest.append(letters.rest)


def _by_texts(rows: Sequence[str], choices: Choices, marked: bool) -> Verdict:
    """An answer given as the text of an option, of several, or of one over several lines."""
    verdict = Verdict()
    whole = _fitting(normal(" ".join(rows)), choices)
    if whole:
        _take(whole, " ".join(rows), verdict)
        return verdict
    parts = list(rows) if len(rows) > 1 else _parts(rows[0], choices)
    unknown = []
    for part in parts:
        fitting = _fitting(normal(part.lstrip("-*+• ")), choices)
        if fitting:
            _take(fitting, part, verdict)
        else:
            unknown.append(part)
    if unknown and verdict.keys and len(rows) > 1:
        verdict.rest += unknown
    elif unknown and marked:
        verdict.missing += [f"the answer {quoted(part)} is none of the options" for part in unknown]
    elif unknown:
        verdict.rest += list(rows)
    return verdict


def _parts(row: str, choices: Choices) -> list[str]:
    """The texts of options that one line joins by semicolons, slashes, commas or “and”."""
    for sign in (";", " / ", ",", " and ", " & "):
        parts = [part.strip() for part in row.split(sign) if part.strip()][:20]
        if len(parts) > 1 and all(_fitting(normal(part), choices) for part in parts):
            return parts
    return [row]


def _fitting(said: str, choices: Choices) -> list[int]:
    return [at for at, text in enumerate(choices.normals) if text == said and said]


def _take(fitting: Sequence[int], text: str, verdict: Verdict) -> None:
    if len(fitting) > 1:
        verdict.missing.append(f"the answer {quoted(text)} fits two options")
    else:
        verdict.keys.add(fitting[0])
