"""Where prose names an option by its letter, pure. It decides by what stands around the letter.

A letter alone proves nothing: “vitamin B”, “A cluster”, “C is a language”. So a letter counts only
where the words beside it make it an option, and is left alone wherever they do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from itertools import islice
from typing import NamedTuple

from bank.letters import LETTERS
from bank.prose.literals import without_literals


class Naming(NamedTuple):
    """`text[start:end]` is the letter of `option`, counted from 0.

    In a range such as “A to D”, the words between its ends stand for the options between them.
    """

    start: int
    end: int
    option: int


# Every repetition is bounded: what is read may be ten megabytes of one character.
_GAP = r"\s{1,4}"
_OPENING = "*_\"“‘'(["
_CLOSING = r"(?:[*_\"”)\]]|['’](?!s\b)){0,4}"
_MARKS = "*_\"“‘'([”’)]"
_LEADING = _MARKS + "`\\\0—–-/…,.;:)|>"
JOINT = rf"(?:\s{{0,3}},\s{{0,3}}(?:(?:and|or|nor|&){_GAP})?|{_GAP}(?:and|or|nor|&){_GAP}|\s?/\s?)"
_LETTER = rf"[A-H](?![\w+#]){_CLOSING}"
_LIST = re.compile(
    rf"(?<![\w$#@&+\\/.-])(?<!\w['’]){_LETTER}(?:{JOINT}[*_\"“‘'(\[]{{0,4}}{_LETTER}){{0,7}}"
)
_GOES_ON = re.compile(r"\w|[+#$]|[-–/.]\w|['’](?!s\b)\w")  # a word that only begins with the letter
_RANGE = re.compile(rf"(?:\s?[-–]\s?|{_GAP}(?:through|thru|to){_GAP})([A-H])\b(?![+#])")
_CAPITAL = re.compile(r"(?<!\w)[A-H](?!\w)")
_ONE = re.compile(r"(?<!\w)[A-Ha-h](?![\w+#])")


def _words(text: str, *, ends: tuple[str, ...] = ("",)) -> frozenset[str]:
    return frozenset(word + end for word in text.split() for end in ends)


# What stands before a letter.
NOUNS = _words("option answer choice alternative distractor response", ends=("", "s"))
_ANSWERS = NOUNS | _words("key keys ans solution correct incorrect right wrong")
_BE = _words("is are was were be = : - – —")
_BETWEEN = _words("not both only clearly therefore indeed thus either neither would should must")
_CHOOSE = _words("chose chosen") | _words(
    "choos select pick eliminat exclud", ends=("", "e", "es", "ed", "ing", "s")
)
# Words after which a clause, and with it an option as its subject, can begin.
_CLAUSES = _words(
    "because since while whereas although though but and or so hence thus therefore why that only "
    "not both neither either nor then however also making leaving makes as mean means"
)
# Names that go by letters of their own: “vitamin **B**”, “plan (B)”.
_NAMES = _words(
    "vitamin plan type class classes series grade layer point host node hepatitis appendix figure "
    "table section part phase group team zone tier level category drive step block site region "
    "exhibit annex in network model version company user server",
    ends=("", "s"),
)

# What stands behind a letter.
_AFTER_ANSWER = re.compile(
    r"\s{0,4}(?:$|[.,;:!?)\]\n—–-]|(?:because|since|as|for|and|but|or|which|so|due|while|not|only|"
    r"if|when|is|are|here|over|rather)\b)"
)
_ADVERB = (
    r"(?:not|also|both|all|only|partially|partly|clearly|simply|just|therefore|thus|obviously|"
    r"factually|technically|never|always|the|a|an|likewise|similarly|equally|necessarily|mostly|"
    r"completely|entirely|totally|definitely|still|too|more|less|most|least|very|generally|single|"
    r"quite|plainly|itself|indeed)"
)
_JUDGED = (
    r"(?:correct|right|true|accurate|valid|best|incorrect|wrong|false|inaccurate|invalid|untrue|"
    r"distractors?|inappropriate|irrelevant|unrelated|insufficient|incomplete|misleading|"
    r"tempting|plausible|implausible|ruled|eliminated|excluded|out|better|worse|answers?|options?|"
    r"choices?|unsuitable|suitable|unnecessary|nonsense|off-topic)"
)
BE = (
    r"(?:is|are|was|were|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|"
    r"(?:can|could|would|must|should|may|might)(?:\s?not|n['’]t)?\sbe|can['’]t\sbe|"
    r"seems?|looks?|sounds?)"
)
_VERDICT = re.compile(rf"{_GAP}{BE}(?:{_GAP}{_ADVERB}){{0,4}}{_GAP}{_JUDGED}\b", re.IGNORECASE)
_JUDGED_AT_ONCE = re.compile(
    rf"(?:\s{{0,2}}[:.)–—-]{{1,2}}\s{{0,2}}[(\[*]{{0,3}}|{_GAP}[(\[][*]{{0,2}})"
    rf"(?:not{_GAP})?(?:(?:in)?correct|wrong|right|true|false)\b[)\]*]{{0,3}}\s?[-–—.:,;)*\n]",
    re.IGNORECASE,
)
# What an option's letter does: too weak alone, since “C provides pointers” too.
_DOES = re.compile(
    rf"{_GAP}(?:describes?|refers?|uses?|reverses?|confuses?|ignores?|requires?|adds?|would|does|"
    r"do|could|will|has|have|misses|mixes|swaps?|misplaces?|misreads?|misstates?|omits?|overlooks?|"
    r"claims?|states?|says?|assumes?|suggests?|implies|conflates?|contradicts?|applies|apply|"
    r"solves?|provides?|focuses|relates?|mentions?|proposes?|involves?|introduces?|fails?|violates?|"
    r"is|are)\b"
)
_NAME_AFTER = re.compile(
    r"\s{1,3}(?!(?:and|or|are|is|were|was|would|all|both|do|does|have|has|can|could|because|since|"
    r"as|in|on|for|to|together|which|only|but|also|each|not|don|aren|isn)\b)[a-z]"
)
_LIST_MARK = re.compile(r":\s")
_RECORD = re.compile(r"\s{1,3}(?:records?|trees?|class|languages?)\b")
_LAST_BY_COMMA = re.compile(rf"\s{{0,3}},\s{{0,3}}[*_\"“‘'(\[]{{0,4}}[A-H]{_CLOSING}$")
_COPYRIGHT = re.compile(r"\s{0,2}(?:copyright\b|(?:19|20)\d\d\b)", re.IGNORECASE)

# Whole lines, and lower case where a noun leaves no doubt.
_WHOLE = re.compile(
    rf"^[ \t]{{0,8}}(?:[-*+]{_GAP})?(?:(?i:both|all{_GAP}of|only|either|neither|none{_GAP}of)"
    rf"{_GAP})?(?P<list>{_LETTER}(?:{JOINT}{_LETTER}){{0,7}})"
    rf"(?:{_GAP}(?:only|alone|above|together|both|are{_GAP}(?:both{_GAP})?(?:correct|true)))?"
    r"[ \t]{0,4}[.!]?[ \t]{0,4}$",
    re.MULTILINE,
)
_HEAD = re.compile(
    r"^(?P<before>[ \t]{0,12}(?:>[ \t]?)?(?:[-*+•‣▪✓✗✔✘✅❌][ \t]{1,4})?[*_]{0,3})"
    r"(?P<list>[\[(]?[A-H][*_]{0,3})(?P<mark>[:.)\]][*_]{0,3}(?=\s|$)|\s{1,2}[-–—]{1,2}(?=\s)"
    r"|\s(?=\([^()\n]{1,120}\)[*_]{0,3}\s?[:–—-]))",
    re.MULTILINE,
)
_NO_HEAD = re.compile(r"\(?C\)\s{0,2}(?:copyright\b|(?:19|20)\d\d\b)|[A-H]: drive\b", re.IGNORECASE)
_QUESTION_LINE = re.compile(r"^[ \t]{0,8}[*_]{0,3}Q(?:uestion)?:", re.MULTILINE)
_SMALL = re.compile(
    rf"\b(?:[Oo]ptions?|[Cc]hoices?|[Aa]nswers?){_GAP}[*(\"“]{{0,3}}"
    r"(?P<list>[a-h](?:\s?(?:,|and|or|/)\s?(?:and\s)?[a-h]){0,7})[*)\"”]{0,3}"
    r"(?=\s{0,2}(?:$|[.,;:)\n]|(?:is|are|was|were|would|because)\b))"
)
_CANDIDATE = re.compile(r"(?<!\w)[A-H](?![\w+#])|(?<=[nsre])\s{1,4}[*(\"“]{0,3}[a-h](?!\w)")


def namings(text: str, options: int) -> list[Naming]:
    """Every place in `text` where a letter names one of the `options` options, in order."""
    if options < 1 or not _CANDIDATE.search(text):
        return []
    masked = without_literals(text)
    if is_no_prose(masked, _CAPITAL) or is_no_prose(masked, _HEAD):
        return []
    lists = [group for group in _groups(masked) if group.sign is not None]
    spans = [(each.start, each.end) for each in lists if each.sign is not _Sign.WEAK]
    spans += (found.span("list") for found in _WHOLE.finditer(masked))
    spans += (found.span("list") for found in heads(masked))
    spans += _weak(masked, lists, spans)
    spans += (found.span("list") for found in _SMALL.finditer(masked))
    found = {
        letter.start(): LETTERS.index(letter[0].upper())
        for span in spans
        for letter in _ONE.finditer(masked, *span)
    }
    result = [Naming(at, at + 1, option) for at, option in found.items()]
    for each in lists:
        if each.to is not None:
            between = range(found[each.start] + 1, LETTERS.index(masked[each.to]))
            result += (Naming(each.start + 1, each.to, option) for option in between)
            result.append(Naming(each.to, each.to + 1, LETTERS.index(masked[each.to])))
    return sorted(each for each in result if each.option < options)


def is_no_prose(text: str, pattern: re.Pattern[str]) -> bool:
    """True when what `pattern` finds stands closer together than it can in prose.

    Nobody means anything by it then, and to weigh every place in megabytes would take minutes.
    """
    most = len(text) // 20 + 16
    return next(islice(pattern.finditer(text), most, None), None) is not None


def heads(masked: str) -> list[re.Match[str]]:
    """Letters that open a line as an option's mark: “B: …”, “- **A)** …”, “C - Wrong.”"""
    found = [head for head in _HEAD.finditer(masked) if _is_head(masked, head)]
    if any(":" in head["mark"] for head in found) and _QUESTION_LINE.search(masked):
        found = [head for head in found if ":" not in head["mark"]]  # “Q: …”, “A: …” is a talk
    if len({_letter(head) for head in found}) < 2:
        # A full stop behind a bare letter is an initial, as in “A. Turing”, more often than a mark.
        found = [head for head in found if head["mark"] != "." or head["before"].strip()]
    return found


def _letter(head: re.Match[str]) -> str:
    return head["list"].strip("([*_")


def _is_head(masked: str, head: re.Match[str]) -> bool:
    """False for “(C) 2024”, “C: drive”, and for “(A) is wrong”, which is a sentence."""
    if _NO_HEAD.match(masked, head.start("list")):
        return False
    return not _VERDICT.match(masked, head.end())


class _Sign(Enum):
    """What makes letters options; a weak sign counts only in company."""

    NOUN = "after a word such as “option”"
    OTHER = "after “the answer is”, as a subject that is judged, in brackets or in bold"
    WEAK = "as a subject that does what an option does"


class _Group(NamedTuple):
    """Letters that stand together, from the first to behind the last."""

    start: int
    end: int
    sign: _Sign | None
    to: int | None = None  # where the last letter of a range stands


def _groups(masked: str) -> Iterator[_Group]:
    """The groups of letters that stand in prose, each with what makes it options."""
    for found in _LIST.finditer(masked):
        start, end = found.span()
        before = _Before(masked[max(0, start - 64) : start])
        to = _RANGE.match(masked, end) if end - start == 1 else None
        if to and before.is_noun:
            yield _Group(start, end, _Sign.NOUN, to.start(1))
        elif not _GOES_ON.match(masked, end):
            end = _trimmed(masked, start, end)
            if end > start:
                yield _Group(start, end, _sign(masked, start, end, before))


def _sign(masked: str, start: int, end: int, before: _Before) -> _Sign | None:
    if before.is_noun:
        return _Sign.NOUN
    if before.is_answer and _AFTER_ANSWER.match(masked, end):
        return _Sign.OTHER
    if before.opens_a_clause and _VERDICT.match(masked, end):
        return _Sign.OTHER
    if before.opens_a_clause and _JUDGED_AT_ONCE.match(masked, start + 1):
        return _Sign.OTHER
    if before.is_marked_off(masked, start, end):
        return _Sign.OTHER
    if end - start > 1 and before.opens_a_clause and _LIST_MARK.match(masked, end):
        return _Sign.OTHER
    if before.opens_a_clause and _DOES.match(masked, end):
        return _Sign.WEAK
    return None


def _trimmed(masked: str, start: int, end: int) -> int:
    """The end of a list of letters, without an “A” that begins the next clause or a name."""
    last = _LAST_BY_COMMA.search(masked, start, end)
    if last and _NAME_AFTER.match(masked, end):
        return last.start()
    return start if _RECORD.match(masked, end) else end


class _Before:
    """What stands before letters: its last words, without the marks around the letters."""

    def __init__(self, text: str) -> None:
        words = text.rstrip(_OPENING)
        self.opening = text[len(words) :]
        bare = words.rstrip()
        self.touches = words[-1:] if bare == words else ""
        gap = words[len(bare) :]
        self.words = "" if "\n\n" in gap else bare
        self.last = self.words.rsplit(None, 1)[-1] if self.words else ""
        self.is_noun = self.last.lstrip(_LEADING).rstrip(_OPENING).lower() in NOUNS
        self.opens_a_clause = (
            "\n" in gap
            or "(" in self.opening
            or not self.last[-1:].isalnum()
            or self.last.lower().strip(_OPENING) in _CLAUSES
        )

    @property
    def is_answer(self) -> bool:
        """“the answer is both”, “Correct answer:”, “choose”"""
        spoken = [word.strip(_MARKS).lower() for word in self.words.split()[-5:]]
        words = list(spoken)
        while words and words[-1] in _BETWEEN:
            words.pop()
        if not words:
            return False
        said = words.pop()
        if said in _CHOOSE or (said == "why" and spoken[-1] == "not"):
            return True
        if said.rstrip(":") in _BE or said == ":":
            while words and words[-1] in _BETWEEN:
                words.pop()
            return bool(words) and words[-1].rstrip("*_:)") in _ANSWERS
        return said[-1:] in (":", "=") and said.rstrip("*_:=") in _ANSWERS

    def is_marked_off(self, masked: str, start: int, end: int) -> bool:
        """“(B)”, “(A and C)”, “**B**”, but not “Celsius (C)”, “(C) 2024”, “vitamin **B**”."""
        closing = masked[start + 1 : end]
        word = self.last.strip("*_").lower()
        if word in _NAMES:
            return False
        if self.opening[:2] in ("**", "__") and self.opening[:2] in closing:
            return True
        mark = self.opening.strip("*_")
        if mark not in ("(", "[") or not closing.rstrip("*_").endswith((")", "]")):
            return False
        if (
            self.touches.isalnum()
            or masked[end : end + 1] == "("
            or word[:1] == masked[start].lower()
        ):
            return False
        return masked[start] != "C" or not (_COPYRIGHT.match(masked, end) or word == "copyright")


def _weak(
    masked: str, lists: list[_Group], sure: list[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Subjects such as “B describes …”, where the text names options by bare letters throughout."""
    weak = [each for each in lists if each.sign is _Sign.WEAK]
    if not weak:
        return
    named = {letter[0] for span in sure for letter in _ONE.finditer(masked, *span)}
    bare = {letter[0] for each in weak for letter in _ONE.finditer(masked, each.start, each.end)}
    if not (len(named | bare) >= 3 or (named and len(named | bare) >= 2)):
        return
    # Where “Option C” stands, a bare C is something else: the text has its way of naming options.
    titled = {
        letter[0]
        for each in lists
        if each.sign is _Sign.NOUN
        for letter in _ONE.finditer(masked, each.start, each.end)
    }
    for each in weak:
        if not titled & {letter[0] for letter in _ONE.finditer(masked, each.start, each.end)}:
            yield each.start, each.end
