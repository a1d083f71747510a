"""Where prose names an option by its letter, pure. It decides by what stands around the letter.

A letter alone proves nothing: “vitamin B”, “A cluster”, “C is a language”. So a letter counts only
where the words beside it make it an option, and is left alone wherever they do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bank.letters import LETTERS


class Naming(NamedTuple):
    """`text[start:end]` is the letter of `option`, counted from 0.

    In a range such as “A to D”, the words between its ends stand for the options between them.
    """

    start: int
    end: int
    option: int


# Every repetition is bounded: what is read may be ten megabytes of one character.
_GAP = r"\s{1,4}"
_OPEN = r"[*_\"“‘'(\[]{0,4}"
_CLOSE = r"[*_\"”’')\]]{0,4}"
_LETTER = rf"{_OPEN}(?-i:[A-H])(?![\w+#]){_CLOSE}"
JOINT = rf"(?:\s{{0,3}},\s{{0,3}}(?:(?:and|or|nor|&){_GAP})?|{_GAP}(?:and|or|nor|&){_GAP}|\s?/\s?)"
_END = r"(?!\w|[+#$]|[-–/.]\w|['’](?!s\b)\w)"
_LIST = rf"(?P<list>(?<![\w$#@&+\\/.'’-]){_LETTER}(?:{JOINT}{_LETTER}){{0,7}}){_END}"
_AFTER = (
    r"(?=\s{0,4}(?:$|[.,;:!?)\]|\n—–-]"
    r"|(?:because|since|as|for|and|but|or|which|so|due|while|not|only|if|when|is|are|here|over|rather)\b))"
)

_NOUN = r"(?:options?|answers?|choices?|alternatives?|distractors?|responses?)"
_ADVERB = (
    r"(?:not|also|both|all|only|partially|partly|clearly|simply|just|therefore|thus|obviously|"
    r"factually|technically|never|always|the|a|an|likewise|similarly|equally|necessarily|mostly|"
    r"completely|entirely|totally|definitely|still|too|more|less|most|least|very|generally|single|"
    r"quite|plainly|itself|indeed)"
)
RIGHT = r"(?:correct|right|true|accurate|valid|best)"
WRONG = r"(?:incorrect|wrong|false|inaccurate|invalid|untrue|incorrectly|distractors?)"
_JUDGED = (
    rf"(?:{RIGHT}|{WRONG}|inappropriate|irrelevant|unrelated|insufficient|incomplete|misleading|"
    r"tempting|plausible|implausible|ruled|eliminated|excluded|out|better|worse|answers?|options?|"
    r"choices?|unsuitable|suitable|unnecessary|nonsense|off-topic)"
)
BE = (
    r"(?:is|are|was|were|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|"
    r"(?:can|could|would|must|should|may|might)(?:\s?not|n['’]t)?\sbe|can['’]t\sbe|"
    r"seems?|looks?|sounds?)"
)
VERDICT = rf"{BE}(?:{_GAP}{_ADVERB}){{0,4}}{_GAP}{_JUDGED}\b"

# What a letter does when it is an option's: too weak alone, since “C provides pointers” too.
_DOES = (
    r"(?:describes?|refers?|uses?|reverses?|confuses?|ignores?|requires?|adds?|would|does|do|could|"
    r"will|has|have|misses|mixes|swaps?|misplaces?|misreads?|misstates?|omits?|overlooks?|claims?|"
    r"states?|says?|assumes?|suggests?|implies|conflates?|contradicts?|applies|apply|solves?|"
    r"provides?|focuses|relates?|mentions?|proposes?|involves?|introduces?|fails?|violates?|"
    r"is|are)\b"
)

_LEAD = re.compile(
    rf"\b(?i:{_NOUN}(?:{_GAP}(?:choices?|options?|letters?))?){_GAP}(?i:{_LIST})",
)
_RANGE = re.compile(
    rf"\b(?i:{_NOUN}){_GAP}(?P<first>[A-H])(?:\s?[-–]\s?|{_GAP}(?:through|thru|to){_GAP})"
    r"(?P<last>[A-H])\b(?![+#])"
)
_SMALL = re.compile(
    rf"\b(?i:options?|choices?|answers?){_GAP}[*(\"“]{{0,3}}(?P<list>[a-h](?:\s?(?:,|and|or|/)\s?"
    r"(?:and\s)?[a-h]){0,7})[*)\"”]{0,3}"
    r"(?=\s{0,2}(?:$|[.,;:)\n]|(?:is|are|was|were|would|because)\b))"
)
_IS = re.compile(
    rf"\b(?i:(?:{_NOUN}|keys?|ans\.?|solutions?|correct){_CLOSE}\s{{0,3}}"
    rf"(?:is|are|was|were|would{_GAP}be|should{_GAP}be|must{_GAP}be|=|:|[-–—])\s{{0,3}}:?{_CLOSE}"
    rf"\s{{0,3}}(?:(?:both|only|clearly|therefore|indeed|thus|either|neither){_GAP})?"
    rf"{_LIST}){_AFTER}"
)
_CHOOSE = re.compile(
    r"\b(?i:(?:choos|select|pick|eliminat|exclud)(?:e|es|ed|ing|s)?|chosen?|rul(?:e|es|ed|ing)\sout)"
    rf"{_GAP}(?i:(?:both|only|either){_GAP})?(?i:{_LIST}){_AFTER}"
)
_SUBJECT = re.compile(rf"(?i:{_LIST})(?={_GAP}(?i:{VERDICT}))")
_WEAK = re.compile(rf"(?i:{_LIST})(?={_GAP}{_DOES})")
_JUDGED_AT_ONCE = re.compile(
    rf"(?i:{_LIST})(?=(?:\s{{0,2}}[:.)–—-]{{1,2}}\s{{0,2}}[(\[*]{{0,3}}|{_GAP}[(\[][*]{{0,2}})"
    rf"(?i:(?:not{_GAP})?(?:in)?correct|wrong|right|true|false)\b[)\]*]{{0,3}}\s?[-–—.:,;)*\n])"
)
_BRACKETED = re.compile(
    rf"(?P<list>(?<!\w)[(\[][*_]{{0,2}}(?-i:[A-H])(?:(?i:{JOINT})[A-H]){{0,7}}[*_]{{0,2}}[)\]])(?![(\w])"
)
_BOLD = re.compile(r"(?P<list>(?<![\w*_])(?:\*\*|__)[A-H][.:)]?(?:\*\*|__))(?!\w)")
_WHOLE = re.compile(
    rf"^[ \t]{{0,8}}(?:[-*+]{_GAP})?(?i:(?:(?:both|all{_GAP}of|only|either|neither|none{_GAP}of)"
    rf"{_GAP})?{_LIST}(?:{_GAP}(?:only|alone|above|together|both|are{_GAP}(?:both{_GAP})?(?:correct|true)))?)"
    r"[ \t]{0,4}[.!]?[ \t]{0,4}$",
    re.MULTILINE,
)
HEAD = re.compile(
    r"^(?P<before>[ \t]{0,12}(?:>[ \t]?)?(?:[-*+•‣▪✓✗✔✘✅❌][ \t]{1,4})?[*_]{0,3})"
    r"(?P<list>[\[(]?[A-H][*_]{0,3})(?P<mark>[:.)\]][*_]{0,3}(?=\s|$)|\s{1,2}[-–—]{1,2}(?=\s))",
    re.MULTILINE,
)
_QUESTION_LINE = re.compile(r"^[ \t]{0,8}[*_]{0,3}Q(?:uestion)?:", re.MULTILINE)

_ONE = re.compile(r"(?<!\w)[A-Ha-h](?![\w+#])")
_NO_BEFORE = re.compile(
    r"(?:vitamins?|plans?|types?|class(?:es)?|series|grades?|layers?|points?|hosts?|nodes?|"
    r"hepatitis|appendix|figure|table|section|part|phase|group|team|zone|tier|level|category|"
    r"drive|step|block|site|region|exhibit|annex|in|network|model|version|company|user|server)"
    r"[*_\s]{1,6}$",
    re.IGNORECASE,
)
# Words after which a clause, and with it an option as its subject, can begin.
_CLAUSE = re.compile(
    r"(?:^|[^\w\s]|\n)\s{0,4}$|\b(?:because|since|while|whereas|although|though|but|and|or|so|hence|"
    r"thus|therefore|why|that|only|not|both|neither|either|nor|then|however|also|making|leaving|"
    r"makes|as|mean|means)\s{1,4}$",
    re.IGNORECASE,
)
_WORD_BEFORE = re.compile(r"(?<!\w)(\w)\w*[*_]{0,2}\s{1,2}$")
_LAST_BY_COMMA = re.compile(r"\s{0,3},\s{0,3}[*_\"“‘'(\[]{0,4}[A-H][*_\"”’')\]]{0,4}$")
_NAME_AFTER = re.compile(
    r"\s{1,3}(?!(?:and|or|are|is|were|was|would|all|both|do|does|have|has|can|"
    r"could|because|since|as|in|on|for|to|together|which|only|but|also|each|not|don|aren|isn)\b)[a-z]"
)
_RECORD = re.compile(r"\s{1,3}(?:records?|trees?|class|languages?)\b")
_NO_HEAD = re.compile(r"\(?C\)\s{0,2}(?:copyright\b|(?:19|20)\d\d\b)|[A-H]: drive\b", re.IGNORECASE)
_TICKS = re.compile("`+")
_COPYRIGHT = re.compile(r"\s{0,2}(?:copyright\b|(?:19|20)\d\d\b)", re.IGNORECASE)
_LINK = re.compile(r"\b(?:https?|ftp)://\S+|\bwww\.\S+|\]\([^()\[\]\s]*\)|\b[A-Z]:\\\S*")


def namings(text: str, options: int) -> list[Naming]:
    """Every place in `text` where a letter names one of the `options` options, in order."""
    masked = without_literals(text)
    sure = dict.fromkeys(_sure(masked))
    found = {
        Naming(letter.start(), letter.end(), _option(letter[0]))
        for start, end in [*sure, *_weak(masked, sure)]
        for letter in _ONE.finditer(masked, start, end)
    }
    for ends in _RANGE.finditer(masked):
        for option in range(_option(ends["first"]) + 1, _option(ends["last"])):
            found.add(Naming(ends.end("first"), ends.start("last"), option))
    return sorted(each for each in found if each.option < options)


def _option(letter: str) -> int:
    return LETTERS.index(letter.upper())


def _sure(masked: str) -> Iterator[tuple[int, int]]:
    """The spans in which every letter names an option."""
    for pattern in (_LEAD, _SMALL, _IS, _CHOOSE, _WHOLE):
        yield from (_trimmed(masked, found) for found in pattern.finditer(masked))
    for found in _RANGE.finditer(masked):
        yield found.span("first")
        yield found.span("last")
    for pattern in (_SUBJECT, _JUDGED_AT_ONCE):
        found_here = pattern.finditer(masked)
        yield from (f.span("list") for f in found_here if opens_a_clause(masked, f.start("list")))
    for found in _BRACKETED.finditer(masked):
        if not _is_abbreviation(masked, found):
            yield found.span("list")
    for found in _BOLD.finditer(masked):
        if not _NO_BEFORE.search(masked, max(0, found.start() - 20), found.start()):
            yield found.span("list")
    yield from (found.span("list") for found in heads(masked))


def heads(masked: str) -> list[re.Match[str]]:
    """Letters that open a line as an option's mark: “B: …”, “- **A)** …”, “C - Wrong.”"""
    found = list(HEAD.finditer(masked))
    if any(_QUESTION_LINE.finditer(masked)):
        found = [head for head in found if ":" not in head["mark"]]  # “Q: …”, “A: …” is a talk
    found = [head for head in found if not _NO_HEAD.match(masked, head.start("list"))]
    if len({_ONE.search(head["list"])[0] for head in found}) < 2:  # type: ignore[index]
        # A full stop behind one letter is an initial, as in “A. Turing”, more often than a mark.
        found = [head for head in found if "." not in head["mark"]]
    return found


def _weak(masked: str, sure: dict[tuple[int, int], None]) -> Iterator[tuple[int, int]]:
    """Subjects such as “B describes …”, where the text names options by bare letters throughout."""
    spans = [
        found.span("list")
        for found in _WEAK.finditer(masked)
        if opens_a_clause(masked, found.start("list"))
    ]
    named = {letter[0].upper() for span in sure for letter in _ONE.finditer(masked, *span)}
    bare = {letter[0] for span in spans for letter in _ONE.finditer(masked, *span)}
    if not (len(named | bare) >= 3 or (named and len(named | bare) >= 2)):
        return
    # Where “Option C” stands, a bare C is something else: the text has its way of naming options.
    titled = {
        letter[0] for lead in _LEAD.finditer(masked) for letter in _ONE.finditer(lead["list"])
    }
    for span in spans:
        if not titled & {letter[0] for letter in _ONE.finditer(masked, *span)}:
            yield span


def opens_a_clause(masked: str, at: int) -> bool:
    """True when the word at `at` can be the subject of a clause: nothing before it holds it."""
    return _CLAUSE.search(masked[max(0, at - 24) : at]) is not None


def _trimmed(masked: str, found: re.Match[str]) -> tuple[int, int]:
    """The span of a list of letters, without an “A” that begins the next clause or name."""
    start, end = found.span("list")
    last = _LAST_BY_COMMA.search(masked, start, end)
    if last and _NAME_AFTER.match(masked, end):
        return start, last.start()
    if _RECORD.match(masked, end):
        return start, start
    return start, end


def _is_abbreviation(masked: str, found: re.Match[str]) -> bool:
    """“Celsius (C)”, “(C) 2024”: the letter stands for a word beside it."""
    letter = _ONE.search(masked, found.start(), found.end())
    if letter is None:
        return True
    before = masked[max(0, found.start() - 30) : found.start()]
    word = _WORD_BEFORE.search(before)
    if _NO_BEFORE.search(before) or (word and word[1].upper() == letter[0]):
        return True
    return letter[0] == "C" and (
        _COPYRIGHT.match(masked, found.end()) is not None or before.lower().endswith("copyright ")
    )


def without_literals(text: str) -> str:
    """`text` with code and addresses blanked, at the same length."""
    pieces: list[str] = []
    at = 0
    for start, end in code_spans(text):
        pieces += text[at:start], "\0" * (end - start)
        at = end
    masked = "".join([*pieces, text[at:]])
    return _LINK.sub(lambda link: "\0" * len(link[0]), masked)


def code_spans(text: str) -> list[tuple[int, int]]:
    """Where code stands, as `bank.letters` reads it, found in one pass however it is nested."""
    runs = [(run.start(), run.end()) for run in _TICKS.finditer(text)]
    closers = _closers(text, runs)
    spans: list[tuple[int, int]] = []
    beyond = 0
    for index, (start, _) in enumerate(runs):
        if start < beyond or _is_escaped(text, start, beyond):
            continue
        closer = closers[index]
        if closer is not None:
            beyond = runs[closer][1]
            spans.append((start, beyond))
    return spans


def _closers(text: str, runs: list[tuple[int, int]]) -> list[int | None]:
    """For each run of backticks the run that would close it: on its line, or for a fence later."""
    closers: list[int | None] = [None] * len(runs)
    longer: list[int] = []  # runs to the right, each longer than all between it and here
    latest: dict[int, int] = {}  # by length
    for index in range(len(runs) - 1, -1, -1):
        start, end = runs[index]
        length = end - start
        while longer and _length(runs[longer[-1]]) < length:
            longer.pop()
        if length > 2:
            closers[index] = longer[-1] if longer else None
        elif length in latest and "\n" not in text[end : runs[latest[length]][0]]:
            closers[index] = latest[length]
        longer.append(index)
        latest[length] = index
    return closers


def _length(run: tuple[int, int]) -> int:
    return run[1] - run[0]


def _is_escaped(text: str, at: int, beyond: int) -> bool:
    """True when an odd number of backslashes stands right before `at`, behind the last code."""
    before = at
    while before > beyond and text[before - 1] == "\\":
        before -= 1
    return (at - before) % 2 == 1
