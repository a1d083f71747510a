"""Explanations taken apart by option, pure: “Option B is correct because … A is wrong because …”

No text is lost: what cannot be placed at an option stays in the rest.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from bank.prose.literals import without_literals
from bank.prose.naming import BE, JOINT, Naming, heads, is_no_prose, namings
from bank.prose.referring import changes_of, rendered, with_references
from bank.prose.sentences import SENTENCE_END, Block, blocks_of, sentences_of

# What a text says of an option; “true” and “valid” say it of a statement, so they are not here.
_ADVERBS = (
    r"(?:\s(?:not|also|both|therefore|thus|clearly|simply|just|all|the|an|a|only|single)){0,4}"
)
_NOUNS = r"(?:\s(?:answers?|options?|choices?))?"
_NOT_RIGHT = r"not\s(?:\w{1,12}\s){0,2}(?:correct|right|best)|(?:n['’]t|never)\s(?:correct|right)"
_WRONG = re.compile(
    rf"[*_)\]\"”]{{0,4}}\s(?:(?:{BE}|would\sbe){_ADVERBS}\s(?:incorrect|wrong)\b"
    rf"|{BE}\s(?:{_NOT_RIGHT})|(?:isn|aren)['’]t\s(?:\w{{1,12}}\s)?(?:correct|right))",
    re.IGNORECASE,
)
_RIGHT = re.compile(
    rf"[*_)\]\"”]{{0,4}}\s(?:is|are|was|were){_ADVERBS}\s(?:correct|right)\b(?!-)(?!,?\sbut\b)"
    r"|[*_)\]\"”]{0,4}\s(?:is|are)(?:\stherefore|\sthus|\sclearly)?\sthe\s(?:best\s)?(?:answer|choice|option)",
    re.IGNORECASE,
)
_LABEL = r"[\s*_(\[✓✔✅✗✘❌]{0,6}"
_WRONG_AT_ONCE = re.compile(rf"{_LABEL}(?:not\s(?:correct|right)|incorrect|wrong)\b", re.IGNORECASE)
_RIGHT_AT_ONCE = re.compile(rf"{_LABEL}(?:correct|right)\b(?!-)", re.IGNORECASE)
_JUDGING = re.compile(
    rf"{_LABEL}(?:not\s)?(?:in)?(?:correct|right|wrong)(?:\sanswer|\soption|\schoice)?"
    r"(?:[)\]*_]{0,4}\s?[.:,;–—-][*_)]{0,3}|[)\]*_]{1,4})\s{0,3}(?:because\s)?",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    rf"[*_)\]\"”]{{0,4}}\s{BE}{_ADVERBS}\s(?:in)?(?:correct|wrong|right|false|true)\b{_NOUNS}"
    r"[*_]{0,3}(?:,?\s(?:because|since)\s(?!of\b)|:\s|\s[–—-]\s|[–—])",
    re.IGNORECASE,
)
_PLURAL = re.compile(
    r"\b(?:they|them|their|both|these|those|neither|each|respectively)\b", re.IGNORECASE
)
_BEFORE_SUBJECT = re.compile(
    r"[\W_]{0,8}(?:(?:the|both|only|all|of|neither|either|why|not|correct|incorrect|wrong|right|"
    r"best|answers?|options?|choices?|alternatives?|distractors?|responses?|letters?|is|are|"
    r"because|while|whereas|however|therefore|thus|hence|so|finally|similarly|likewise|also|"
    r"meanwhile|conversely|lastly|first|firstly|second|next|additionally|and|but|in|contrast|"
    r"contrary|for|with|regarding|choosing|selecting|picking|meaning|consequently)\b[\W_]{1,6}){0,7}",
    re.IGNORECASE,
)
_ONLY_NOUN = re.compile(
    r"[\W_]{0,8}(?:the\s)?(?:(?:answers?|options?|choices?|distractors?)[\W_]{1,4}){0,2}",
    re.IGNORECASE,
)
_TO_NEXT = re.compile(
    rf"{JOINT}(?:(?:options?|answers?|choices?)\s)?[*_(\"“]{{0,4}}", re.IGNORECASE
)
_CUT = re.compile(
    r"(?P<cut>[:;—]\s{1,3}|,\s(?:while|whereas|but|and)\s|\s(?:while|whereas)\s)"
    r"(?:the\s)?(?:(?:options?|answers?|choices?)\s)?[*_(\"“]{0,4}$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"[\W_]{0,4}(?:it|its|this|that|these|such|they|their|instead|here|he|she|because|as\sa\sresult)\b",
    re.IGNORECASE,
)
_STANDS_ALONE = re.compile(
    r"[\W_]{0,4}(?:exam|note|tip|remember|overall|in\s(?:summary|short|conclusion|practice)|to\ssum|"
    r"for\sthe\sexam|key|operational|caveat|references?|sources?|the\s(?:other|remaining)|therefore|"
    r"all\s(?:other|the)|why|let['’]s|takeaway|bottom\sline|reference)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"[\W_]{0,4}(?:all\s(?:of\s)?)?(?:the\s)?(?:other|remaining)\s(?:\w{1,9}\s)?"
    r"(?:options|answers|choices|alternatives)\sare\s(?:incorrect|wrong)\b",
    re.IGNORECASE,
)
_LETTER_MARK = re.compile(
    r"[*_)\]\"”]{0,4}(?:\s{0,2}(?::|[–—-]{1,2}\s)[*_]{0,3}\s{0,3}|\s(?=\((?:in)?correct|\(wrong))",
    re.IGNORECASE,
)
_IS_SUBJECT = re.compile(
    rf"[*_)\]\"”]{{0,4}}(?:{JOINT}(?:options?\s)?[A-H]){{0,7}}[*_)\]\"”]{{0,4}}\s{BE}\s"
)
_TWO_WORDS = re.compile(r"\W{0,6}\w{1,99}\W{1,6}\w")
_SAYS_MORE = re.compile(
    rf"[*_)\]\"”]{{0,4}}(?:\s{BE}{_ADVERBS}\s(?:in)?(?:correct|wrong|right|best){_NOUNS}|\sis\sthe\sanswer)?+\W{{0,6}}\w",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|neither|incorrect|wrong)\b", re.IGNORECASE)
_WORD = re.compile(r"\w")
_TAIL = re.compile(r"(?:\s?[;,:—]|,?\s(?:while|whereas|but|and))\s{0,4}$")
_BULLET = re.compile(r"\s{0,12}(?:[-*+•‣▪]\s{1,4}|\d{1,3}[.)]\s{1,4})?")
_MANY_LINES = re.compile(r"\n{3,}")
_PLAIN_WORD = re.compile(r"[a-z]+(?![\w./-])")
_SAID = re.compile(
    r"(?:answers?|keys?|options?|choices?)\W{0,4}(?:is|are|:|=)\W{0,6}(?:both|only)?\W{0,4}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reasons:
    """What a text says of each option. All of its text holds references, as Markdown."""

    rationales: dict[int, str] = field(default_factory=dict)
    said_right: set[int] = field(default_factory=set)
    said_wrong: set[int] = field(default_factory=set)
    rest: str = ""


def reasons(text: str, options: int) -> Reasons:
    """Take apart “Option B is correct because … Options C and D are incorrect because …”.

    `rationales` has the sentences about each option; a joint reason stands at each. The naming
    clause is taken off where the reason is a sentence without it, otherwise kept with a reference
    to the option itself. `said_right` and `said_wrong` are what the text calls options: one in
    both is a contradiction for the caller to report. `rest` is the text without the rationales.
    """
    named = namings(text, options)
    if not named or is_no_prose(text, SENTENCE_END):
        return Reasons(rest=with_references(text, options).strip())
    return _Apart(text, options, named).take()


@dataclass(frozen=True, slots=True)
class _Subject:
    """Options that a sentence is about; the letters stand in `start` to `end`."""

    options: tuple[int, ...]
    start: int
    end: int


class _Apart:
    """One pass over a text, block by block and sentence by sentence."""

    def __init__(self, text: str, options: int, named: list[Naming]) -> None:
        self.text = text
        self.masked = without_literals(text)
        self.named = named
        self.changes = changes_of(text, self.named)
        self.heads = {head.start(): head for head in heads(self.masked)}
        self.placed: dict[int, list[str]] = {}
        self.right: set[int] = set()
        self.wrong: set[int] = set()
        self.rest: list[str] = []
        self.others: tuple[int, int, int] | None = None  # its place in rest, and where it stands
        self.options = options
        self.about: tuple[int, ...] = ()  # the options that a following sentence goes on about
        self.carried: tuple[int, ...] = ()  # the options of a heading, for the block under it
        self.verdict: set[int] | None = None  # what a heading says of the options under it

    def take(self) -> Reasons:
        for block in blocks_of(self.masked, self.heads):
            self._block(block)
        self._settle_others()
        rationales = {option: "".join(parts).strip() for option, parts in self.placed.items()}
        rest = _MANY_LINES.sub("\n\n", "".join(self.rest)).strip()
        return Reasons(rationales, self.right, self.wrong, rest)

    def _block(self, block: Block) -> None:
        head = self.heads.get(block.start)
        subject = self._subject(block.start, block.end)
        if block.apart:
            self.rest.append("\n\n")
        if block.apart and self.masked[block.start : block.start + 2].strip():
            self.about = ()
        if head and subject:
            self._labelled(subject, head.end(), block)
            return
        if block.heading:
            self._heading(block, subject)
            return
        units = [(at, end, self._subject(at, end)) for at, end in self._units(block)]
        within = self.carried if subject is None else ()
        last = max((at for at, unit in enumerate(units) if unit[2]), default=-1)
        for index, (start, end, about) in enumerate(units):
            between = " " if index else "\n\n"
            if about:
                self._sentence(about, start, end, between)
            elif within:
                self._under_a_heading(within, start, end, between)
            elif self.about and self._goes_on(start, end, index < last, block.marked and index > 0):
                self._place(self.about, start, end, between)
            else:
                self.about = ()
                self._keep_or_others(start, end)
        if within or subject or block.apart:
            self.carried = ()

    def _heading(self, block: Block, subject: _Subject | None) -> None:
        self._keep(block.start, block.end)
        self.about = self.carried = subject.options if subject else ()
        if subject:
            self._judge(subject, block.start, block.end)
            return
        words = self.masked[block.start : block.end].lower()
        if re.search(r"\b(?:wrong|incorrect|other|others|distractors?)\b", words):
            self.verdict = self.wrong
        elif re.search(r"\b(?:correct|right)\b", words):
            self.verdict = self.right
        else:
            self.verdict = None

    def _under_a_heading(
        self, options: tuple[int, ...], start: int, end: int, between: str
    ) -> None:
        """A sentence under an option's heading, which may say first what it is: “Wrong. It …”"""
        judged = _JUDGING.match(self.masked, start, end)
        if judged:
            self._judge_at_once(options, start)
            if not _WORD.search(self.text, judged.end(), end):
                self._keep(start, end)
                return
        self._place(options, judged.end() if judged else start, end, between)

    def _labelled(self, subject: _Subject, at: int, block: Block) -> None:
        """“A: Incorrect. It …”: all that follows the letter is about its option."""
        self.about = subject.options
        judged = _JUDGING.match(self.masked, at, block.end)
        if not self._judge_at_once(subject.options, at) and self.verdict is not None:
            self.verdict.update(subject.options)
        start = judged.end() if judged else at
        self.carried = ()
        if _WORD.search(self.text, start, block.end):
            self._place(subject.options, start, block.end, "\n\n")
        else:
            self.carried = subject.options

    def _units(self, block: Block) -> Iterator[tuple[int, int]]:
        """The sentences of a block, cut once more where a clause about another option begins."""
        for start, end in sentences_of(self.masked, block.start, block.end):
            at = start
            for each in self._openers(start, end):
                before = self.masked[max(at, each.start - 40) : each.start]
                cut = _CUT.search(before)
                if cut and _IS_SUBJECT.match(self.masked, each.end, end):
                    begins = each.start - len(before) + cut.end("cut")
                    if _WORD.search(self.masked, at, begins):
                        yield at, begins
                        at = begins
            yield at, end

    def _openers(self, start: int, end: int) -> Iterator[Naming]:
        """The first letter of each list of letters."""
        before: Naming | None = None
        for each in self._named(start, end):
            if before is None or not self._are_joined(before, each):
                yield each
            before = each

    def _are_joined(self, one: Naming, other: Naming) -> bool:
        if other.start <= one.end:
            return True  # a range
        return _TO_NEXT.fullmatch(self.masked, one.end, other.start) is not None

    def _named(self, start: int, end: int) -> Iterator[Naming]:
        for index in range(bisect_left(self.named, (start,)), len(self.named)):
            if self.named[index].start >= end:
                return
            yield self.named[index]

    def _subject(self, start: int, end: int) -> _Subject | None:
        """The options that a sentence opens with: only words that lead up to them stand before."""
        letters = self._named(start, end)
        first = next(letters, None)
        if first is None or not _BEFORE_SUBJECT.fullmatch(self.masked, start, first.start):
            return None
        group = [first]
        for each in letters:
            if not self._are_joined(group[-1], each):
                break
            group.append(each)
        options = tuple(dict.fromkeys(each.option for each in group))
        return _Subject(options, first.start, group[-1].end)

    def _goes_on(self, start: int, end: int, between: bool, in_item: bool) -> bool:
        """True when a sentence that opens with no option goes on about the one before it."""
        if in_item:
            return True
        others = {each.option for each in self._named(start, end)} - set(self.about)
        if others or _STANDS_ALONE.match(self.masked, start, end):
            return False
        return between or _GOES_ON.match(self.masked, start, end) is not None

    def _sentence(self, subject: _Subject, start: int, end: int, between: str) -> None:
        """A sentence that opens with options: what it says of them, and why."""
        self.about = subject.options
        judged = self._judge(subject, start, end)
        plain = _ONLY_NOUN.fullmatch(self.masked, start, subject.start) is not None
        because = _BECAUSE.match(self.masked, subject.end, end) if plain else None
        label = _LETTER_MARK.match(self.masked, subject.end, end) if plain else None
        if because and self._is_a_sentence(subject, because.end(), end):
            self._place(subject.options, because.end(), end, between)
        elif label and (reason := self._behind(label.end(), end)) is not None:
            self._place(subject.options, reason, end, between)
        elif judged and not _SAYS_MORE.match(self.masked, subject.end, end):
            self._keep(start, end)
        else:
            self._place(subject.options, start, end, between)

    def _behind(self, at: int, end: int) -> int | None:
        """Where the reason begins behind “B: Incorrect. ”, None where there is none."""
        judged = _JUDGING.match(self.masked, at, end)
        start = judged.end() if judged else at
        return start if _WORD.search(self.text, start, end) else None

    def _is_a_sentence(self, subject: _Subject, start: int, end: int) -> bool:
        """True when a reason stands for itself, at one option, without the clause before it."""
        if len(subject.options) > 1 and _PLURAL.search(self.masked, start, end):
            return False
        return _TWO_WORDS.match(self.masked, start, end) is not None

    def _judge(self, subject: _Subject, start: int, end: int) -> bool:
        """Record what a sentence calls its options; True when it calls them right or wrong."""
        before = self.masked[start : subject.start]
        denied = _DENIED.search(before) is not None
        if _WRONG.match(self.masked, subject.end, end):
            self.wrong.update(subject.options)
        elif _RIGHT.match(self.masked, subject.end, end):
            (self.wrong if denied else self.right).update(subject.options)
        elif label := _LETTER_MARK.match(self.masked, subject.end, end):
            return self._judge_at_once(subject.options, label.end())
        elif _SAID.search(before):
            (self.wrong if denied else self.right).update(subject.options)
        else:
            return False
        return True

    def _judge_at_once(self, options: tuple[int, ...], at: int) -> bool:
        if _WRONG_AT_ONCE.match(self.masked, at):
            self.wrong.update(options)
        elif _RIGHT_AT_ONCE.match(self.masked, at):
            self.right.update(options)
        else:
            return False
        return True

    def _place(self, options: tuple[int, ...], start: int, end: int, between: str) -> None:
        """Give a reason to each of the options, as a sentence."""
        words = rendered(self.text, self.changes, start, end)
        words = _TAIL.sub(".", _BULLET.sub("", words, count=1).rstrip())
        if _PLAIN_WORD.match(words):
            words = words[0].upper() + words[1:]
        for option in options:
            self.placed.setdefault(option, []).append(f"{between}{words}")

    def _keep(self, start: int, end: int) -> None:
        self.rest.append(rendered(self.text, self.changes, start, end))

    def _keep_or_others(self, start: int, end: int) -> None:
        if self.others is None and _OTHERS.match(self.masked, start, end):
            self.others = (len(self.rest), start, end)
        self._keep(start, end)

    def _settle_others(self) -> None:
        """“The other options are wrong because …” is said of those that are not called right."""
        left = set(range(self.options)) - self.right - self.placed.keys()
        if self.others is None or not self.right or not left:
            return
        place, start, end = self.others
        self.rest[place] = ""
        self.wrong |= left
        self._place(tuple(sorted(left)), start, end, "")
