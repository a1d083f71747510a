"""A question's lines and the answers to it -> a draft, or the reason why it can be none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bank import prose
from bank.errors import quoted
from bank.formats.markdown_exam import sources
from bank.formats.markdown_exam.answers import Given, answers_of
from bank.formats.markdown_exam.flow import flow
from bank.formats.markdown_exam.keys import Choices, Verdict, judge, normal
from bank.formats.markdown_exam.marks import Says, sign_of
from bank.formats.markdown_exam.outline import UNSUPPORTED
from bank.formats.markdown_exam.page import Line, Mark
from bank.formats.markdown_exam.pictures import Album
from bank.formats.markdown_exam.questions import RawOption, RawQuestion
from bank.formats.markdown_exam.told import Answer, Told
from bank.formats.reading import Attachment, Draft, DraftOption, Kind, Problem, Where

_ASKED = re.compile(
    r"(?:^|[(\[*_.?!:,\n]\s{0,3}|\s[-–—]\s)(?:please\s)?(?:choose|select|pick|mark|check|tick)\s"
    r"(?:the\s|any\s|exactly\s|all\s|best\s|correct\s){0,3}"
    r"(?P<count>one|two|three|four|five|six|[1-6])(?![\w-])",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\ball\s(?:that|which)\s(?:apply|are)\b|\bmultiple\s(?:answers|correct|select|responses)|"
    r"\bone\sor\smore\b|\ball\scorrect\b|\bmore\sthan\sone\s(?:answer|option)",
    re.IGNORECASE,
)
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_ORDER = re.compile(r"\b(?:order|sequence|arrange|reorder|rearrange)\b", re.IGNORECASE)
_TRUE_FALSE = re.compile(r"\btrue\s(?:or|/)\sfalse\b|\btrue/false\b", re.IGNORECASE)
_TICK = re.compile(
    r"^[✅✔☑]\ufe0f?\s{0,3}|\s{0,3}[✅✔☑]\ufe0f?$"
    r"|\s{1,3}[*_]{0,2}\((?:correct|correct answer|right answer)\)[*_]{0,2}$",
    re.I,
)
# What a text has that names an option or holds a brace; “a” alone is nearly always the article.
_NAMES = re.compile(r"\{|\b[A-Hb-h]\b|\([aA]|\b(?:[Oo]ption|[Aa]nswer|[Cc]hoice)")
_NONE_RIGHT = re.compile(
    r"\b(?:none\sof\sthe\s(?:given\s|above\s)?(?:options|answers|choices)|no\s(?:option|answer|choice))"
    r"\s(?:is|are)\s(?:\w{1,12}\s)?(?:correct|right)\b",
    re.IGNORECASE,
)
_LONGEST = 100_000  # characters; a message of Discord holds 4,000
_SHOWN = 1_000
_MOST = 8  # options that prose can point at


@dataclass(slots=True)
class Work:
    """A draft in the making: what is said about the question, and what is wrong with it."""

    page: str  # the name of its file
    question: RawQuestion
    given: list[Given] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)

    def note(self, text: str, line: int | None = None) -> None:
        self.notes.append(Problem(Where(self.page, line or self.question.line), text))


@dataclass(slots=True)
class _Choice:
    """An option as it will stand in the draft."""

    label: str
    text: str
    ticked: bool | None
    why: str


def draft_of(work: Work, album: Album) -> Draft | Problem:
    """The draft of a question, or the problem where its kind is not supported."""
    question = work.question
    if not question.options:
        _take_list(question)
    stem = album.take(_flow(work, question.stem, "the stem"), work.page)
    choices = [_choice(work, album, option, at) for at, option in enumerate(question.options)]
    kind = _unsupported(stem.text, work, choices)
    if kind is not None:
        where = Where(work.page, question.line)
        what = "questions without options" if kind == "short answer" else f"{kind} questions"
        return Problem(where, f"{what} are not supported", kind)
    if not choices:
        choices = [_Choice("A", "True", None, ""), _Choice("B", "False", None, "")]
    keys, told = _keys(work, choices)
    _check_count(work, stem.text, choices, keys)
    work.missing += stem.missing
    exhibit = _one(work, stem.pictures)
    return _finished(work, album, stem.text, choices, keys, told, exhibit)


def _finished(
    work: Work,
    album: Album,
    stem: str,
    choices: Sequence[_Choice],
    keys: set[int],
    told: Told,
    exhibit: Attachment | None,
) -> Draft:
    size = min(len(choices), _MOST)
    links = sources.take(told, lambda text, line: work.note(text, line))
    full = album.take(_flow(work, told.full, "the explanation"), work.page)
    short = album.take(_flow(work, told.short, "the short explanation"), work.page)
    work.missing += full.missing + short.missing
    image = _one(work, full.pictures + short.pictures)
    reasons = prose.reasons(full.text, size) if _NAMES.search(full.text) else prose.Reasons()
    _check_prose(work, choices, keys, reasons)
    if _NONE_RIGHT.search(full.text):
        work.missing.append("the explanation says that no option is right")
    if told.hints:
        work.note("a hint was left out", told.hints[0].number)
    for line, note in work.question.notes:
        work.note(note, line)
    options = tuple(
        DraftOption(
            text=_referring(choice.text, size),
            correct=at in keys,
            rationale=choice.why or reasons.rationales.get(at, ""),
        )
        for at, choice in enumerate(choices)
    )
    return Draft(
        where=Where(work.page, work.question.line),
        kind=_kind(stem, choices, keys),
        stem=_referring(stem, 0),
        options=options,
        short=_referring(short.text, size),
        full=_referring(full.text, size),
        category="/".join(work.question.path) or None,
        sources=links,
        exhibit=exhibit,
        image=image,
        missing=tuple(dict.fromkeys(work.missing)),
    )


def _referring(text: str, options: int) -> str:
    """`text` with references for letters. Most texts hold no lone letter at all: they are quick."""
    return prose.with_references(text, options) if _NAMES.search(text) else text


def _flow(work: Work, lines: Sequence[Line], what: str) -> str:
    """The text of some lines; of one that nobody could be shown, the start."""
    text = flow(lines)
    if len(text) <= _LONGEST:
        return text
    work.missing.append(f"{what} is longer than {_LONGEST:,} characters")
    return f"{text[:_SHOWN]}…"


def _take_list(question: RawQuestion) -> None:
    """Where no option has a letter or a box, the list that ends the stem are the options."""
    stem = question.stem
    while stem and stem[-1].mark is Mark.BLANK:
        stem.pop()
    options: list[RawOption] = []
    at = len(stem)
    says: Says | None = None
    pending: list[Line] = []
    for index in range(len(stem) - 1, -1, -1):
        line = stem[index]
        sign = sign_of(line.text) if line.mark is Mark.TEXT else None
        listed = sign is not None and sign.says in (Says.NUMBER, Says.BULLET)
        if sign is None or not listed or (says is not None and sign.says is not says):
            if (
                line.mark is Mark.TEXT
                and index
                and stem[index - 1].mark is Mark.BLANK
                and not listed
            ):
                break
            if line.mark is Mark.BLANK and options and not pending:
                pending.append(line)
                continue
            pending.append(line)
            continue
        if says is None and len(pending) > 3:
            return
        says = sign.says
        label = str(sign.number) if sign.says is Says.NUMBER else ""
        text = Line(line.number, Mark.TEXT, sign.rest, line.indent, hard=line.hard)
        options.append(RawOption(line.number, label, None, [text, *pending[::-1]]))
        pending = []
        at = index
        if sign.number == 1 and sign.says is Says.NUMBER:
            break
    if len(options) < 2 or any(not option.lines[0].text for option in options):
        return
    question.options = options[::-1]
    del stem[at:]


def _choice(work: Work, album: Album, option: RawOption, at: int) -> _Choice:
    label = option.label or chr(ord("A") + min(at, 25))
    shown = album.take(_flow(work, option.lines, f"option {label}"), work.page)
    work.missing += shown.missing
    if shown.found and not shown.missing:
        work.missing.append(f"option {label} is a picture")
    text, ticked = shown.text, option.ticked
    if (tick := _TICK.search(text)) is not None:
        text, ticked = (text[: tick.start()] + text[tick.end() :]).strip(), True
    why = _referring(_flow(work, option.why, "a reason"), min(len(work.question.options), _MOST))
    return _Choice(label, text, ticked, why)


def _unsupported(stem: str, work: Work, choices: Sequence[_Choice]) -> str | None:
    """The kind of a question that cannot be dropped, or None."""
    if len(choices) >= 2 and not UNSUPPORTED.search(stem):
        return None
    if UNSUPPORTED.search(stem):
        if len(choices) >= 2 and (
            any(each.ticked for each in choices) or _plain_keys(work, choices)
        ):
            return None
        return "ordering" if _ORDER.search(stem) else "matching"
    if choices:
        return None
    return None if _TRUE_FALSE.search(stem) else "short answer"


def _plain_keys(work: Work, choices: Sequence[_Choice]) -> bool:
    verdicts = [verdict for _, verdict in _verdicts(work, choices)]
    return any(verdict.keys and not verdict.missing and not verdict.rest for verdict in verdicts)


# Keys.


def _verdicts(work: Work, choices: Sequence[_Choice]) -> list[tuple[Answer, Verdict]]:
    known = Choices.of([each.label for each in choices], [each.text for each in choices])
    found = [
        (answer, judge(answer.rows, known, answer.marked)) for answer in work.question.told.answers
    ]
    for given in work.given:
        for answer in answers_of(given, _repeats(given, work.question)):
            found.append((answer, judge(answer.rows, known, answer.marked)))
    return found


def _repeats(given: Given, question: RawQuestion) -> bool:
    """True where an answer's first line is the question again."""
    if not given.rest or not given.told.answers:
        return False
    return normal(given.rest) == normal(flow(question.stem)) or given.rest.rstrip("*_ ").endswith(
        "?"
    )


def _keys(work: Work, choices: Sequence[_Choice]) -> tuple[set[int], Told]:
    """The options that are right, by every place that says so, and all that is told besides."""
    told = Told()
    claims: list[set[int]] = []
    if any(choice.ticked for choice in choices):
        claims.append({at for at, choice in enumerate(choices) if choice.ticked})
    rows: list[Line] = []
    for answer, verdict in _verdicts(work, choices):
        if verdict.keys:
            claims.append(verdict.keys)
        work.missing += verdict.missing
        for note in verdict.notes:
            work.note(note, answer.line)
        rows += [Line(answer.line, Mark.TEXT, row, hard=True) for row in verdict.rest]
    told.full += rows
    for each in (work.question.told, *(given.told for given in work.given)):
        if told.full and each.full:
            told.full.append(Line(each.full[0].number, Mark.BLANK))
        told.full += each.full
        told.short += each.short
        told.references += each.references
        told.hints += each.hints
    for given in work.given:
        _check_stem(work, given)
        if given.rest and not _repeats(given, work.question):
            loose = [each for each in given.told.answers if not each.marked]
            told.full[:0] = [Line(each.line, Mark.TEXT, row) for each in loose for row in each.rows]
    different = [claim for claim in claims if claim != claims[0]]
    if different:
        names = " and ".join(dict.fromkeys(_names(claim, choices) for claim in claims))
        work.missing.append(f"two answers are given: {names}")
    return (claims[0] if claims else set()), told


def _check_stem(work: Work, given: Given) -> None:
    if not _repeats(given, work.question) or not work.question.stem:
        return
    said, stem = normal(given.rest), normal(flow(work.question.stem))
    if said and said not in stem:
        text = f"the answer under its number is to another question: {quoted(given.rest)}"
        work.missing.append(text)


def _names(keys: set[int], choices: Sequence[_Choice]) -> str:
    return ", ".join(choices[key].label for key in sorted(keys))


def _check_count(work: Work, stem: str, choices: Sequence[_Choice], keys: set[int]) -> None:
    """Report keys that are not as many as the stem asks for, and options whose letters skip."""
    labels = [choice.label for choice in choices]
    if labels[0] == "A" and labels != [chr(ord("A") + at) for at in range(len(labels))]:
        work.missing.append(f"the options are lettered {', '.join(labels)}")
    texts = [normal(choice.text) for choice in choices]
    if len(set(texts)) < len(texts):
        work.missing.append("two options have the same text")
    asked = _asked(stem)
    if not keys:
        return
    if asked is not None and asked != len(keys):
        plural = "" if len(keys) == 1 else "s"
        work.missing.append(
            f"the stem asks for {asked}, the answer names {len(keys)} option{plural}"
        )
    elif len(keys) == len(choices) and not _SEVERAL.search(stem):
        work.missing.append("the answer names every option")
    elif len(keys) > 1 and asked is None and not _SEVERAL.search(stem):
        work.note("the stem does not say that it has several answers")


def _asked(stem: str) -> int | None:
    counts = {found["count"].lower() for found in _ASKED.finditer(stem)}
    if len(counts) != 1:
        return None
    count = counts.pop()
    return _COUNTS.get(count) or int(count)


def _kind(stem: str, choices: Sequence[_Choice], keys: set[int]) -> Kind:
    if {normal(choice.text) for choice in choices} == {"true", "false"}:
        return Kind.TRUE_FALSE
    several = len(keys) > 1 or (_asked(stem) or 1) > 1 or _SEVERAL.search(stem) is not None
    return Kind.MULTIPLE if several else Kind.CHOICE


def _check_prose(
    work: Work, choices: Sequence[_Choice], keys: set[int], reasons: prose.Reasons
) -> None:
    """Report an explanation that calls another option right than the key says."""
    if not keys:
        return
    if said := {at for at in reasons.said_right - reasons.said_wrong if at not in keys}:
        text = f"the key says {_names(keys, choices)}, the explanation says {_names(said, choices)}"
        work.missing.append(text)
    if said := {at for at in reasons.said_wrong - reasons.said_right if at in keys}:
        text = f"the explanation calls {_names(said, choices)} wrong, which the key says is right"
        work.missing.append(text)


def _one(work: Work, pictures: Sequence[Attachment]) -> Attachment | None:
    """The first of the pictures; a question has room for one in each place."""
    for other in pictures[1:]:
        work.note(f"the picture {quoted(other.name)} was left out: there is room for one")
    return pictures[0] if pictures else None
