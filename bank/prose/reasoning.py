"""Explanations taken apart by option, pure: “Option B is correct because … A is wrong because …”

No text is lost: what cannot be placed at an option stays in the rest.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from bank.prose import wording as say
from bank.prose.literals import without_literals
from bank.prose.naming import Naming, heads, is_no_prose, namings
from bank.prose.referring import changes_of, rendered, with_references
from bank.prose.sentences import SENTENCE_END, Block, blocks_of, sentences_of


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
        self.verdict_only: tuple[int, int] | None = None  # place in rest and start, when joint
        self.carried: tuple[int, ...] = ()  # the options of a heading, for the block under it
        self.verdict: set[int] | None = None  # what a heading says of the options under it

    def take(self) -> Reasons:
        for block in blocks_of(self.masked, self.heads):
            self._block(block)
        self._settle_others()
        rationales = {option: "".join(parts).strip() for option, parts in self.placed.items()}
        rest = say.MANY_LINES.sub("\n\n", "".join(self.rest)).strip()
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
        labelled = (
            subject is not None and say.LETTER_MARK.match(self.masked, subject.end) is not None
        )
        is_item = block.marked or labelled
        for index, (start, end, about) in enumerate(units):
            between = " " if index else "\n\n"
            if about:
                self._sentence(about, start, end, between)
            elif within:
                self._under_a_heading(within, start, end, between)
            elif self.about and self._goes_on(start, end, index < last, is_item and index > 0):
                self._go_on(start, end, between)
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
        judged = say.JUDGING.match(self.masked, start, end)
        if judged:
            self._judge_at_once(options, start)
            if not say.WORD.search(self.text, judged.end(), end):
                self._keep(start, end)
                return
        self._place(options, judged.end() if judged else start, end, between)

    def _labelled(self, subject: _Subject, at: int, block: Block) -> None:
        """“A: Incorrect. It …”: all that follows the letter is about its option."""
        self.about = subject.options
        judged = say.JUDGING.match(self.masked, at, block.end)
        if sign := say.SIGN.search(self.masked, block.start, subject.start):
            (self.right if sign[0] in "✓✔✅" else self.wrong).update(subject.options)
        elif not self._judge_at_once(subject.options, at) and self.verdict is not None:
            self.verdict.update(subject.options)
        start = judged.end() if judged else at
        self.carried = ()
        if say.WORD.search(self.text, start, block.end):
            self._place(subject.options, start, block.end, "\n\n")
        else:
            self.carried = subject.options

    def _units(self, block: Block) -> Iterator[tuple[int, int]]:
        """The sentences of a block, cut once more where a clause about another option begins."""
        for start, end in sentences_of(self.masked, block.start, block.end):
            at = start
            for each in self._openers(start, end):
                before = self.masked[max(at, each.start - 40) : each.start]
                cut = say.CUT.search(before)
                if cut and say.IS_SUBJECT.match(self.masked, each.end, end):
                    begins = each.start - len(before) + cut.end("cut")
                    if say.WORD.search(self.masked, at, begins):
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
        return say.TO_NEXT.fullmatch(self.masked, one.end, other.start) is not None

    def _named(self, start: int, end: int) -> Iterator[Naming]:
        for index in range(bisect_left(self.named, (start,)), len(self.named)):
            if self.named[index].start >= end:
                return
            yield self.named[index]

    def _subject(self, start: int, end: int) -> _Subject | None:
        """The options that a sentence opens with: only words that lead up to them stand before."""
        letters = self._named(start, end)
        first = next(letters, None)
        if first is None or not say.BEFORE_SUBJECT.fullmatch(self.masked, start, first.start):
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
        if others or say.STANDS_ALONE.match(self.masked, start, end):
            return False
        return between or say.GOES_ON.match(self.masked, start, end) is not None

    def _go_on(self, start: int, end: int, between: str) -> None:
        """A sentence about the options before it; “They …” needs the sentence that named them."""
        if self.verdict_only and say.PLURAL.search(self.masked, start, end):
            place, start = self.verdict_only
            self.rest[place] = ""
        self.verdict_only = None
        self._place(self.about, start, end, between)

    def _sentence(self, subject: _Subject, start: int, end: int, between: str) -> None:
        """A sentence that opens with options: what it says of them, and why."""
        self.verdict_only = None
        self.about = subject.options
        judged = self._judge(subject, start, end)
        plain = say.ONLY_NOUN.fullmatch(self.masked, start, subject.start) is not None
        because = say.BECAUSE.match(self.masked, subject.end, end) if plain else None
        if say.ANSWER_IS.fullmatch(self.masked, start, subject.start):
            because = say.SO.match(self.masked, subject.end, end)
        label = say.LETTER_MARK.match(self.masked, subject.end, end) if plain else None
        reason = self._behind(label.end(), end) if label else None
        if because and self._is_a_sentence(subject, because.end(), end, say.TWO_WORDS):
            start = because.end()
        elif reason is not None:
            start = reason if self._is_a_sentence(subject, reason, end, say.WORD) else start
        elif label or (judged and not say.SAYS_MORE.match(self.masked, subject.end, end)):
            self.verdict_only = (len(self.rest), start) if len(subject.options) > 1 else None
            self._keep(start, end)
            return
        self._place(subject.options, start, end, between)

    def _behind(self, at: int, end: int) -> int | None:
        """Where the reason begins behind “B: Incorrect. ”, None where there is none."""
        judged = say.JUDGING.match(self.masked, at, end)
        start = judged.end() if judged else at
        return start if say.WORD.search(self.text, start, end) else None

    def _is_a_sentence(
        self, subject: _Subject, start: int, end: int, words: re.Pattern[str]
    ) -> bool:
        """True when a reason stands for itself, at one option, without the clause before it."""
        if len(subject.options) > 1 and say.PLURAL.search(self.masked, start, end):
            return False
        return words.search(self.text, start, end) is not None

    def _judge(self, subject: _Subject, start: int, end: int) -> bool:
        """Record what a sentence calls its options; True when it calls them right or wrong."""
        before = self.masked[start : subject.start]
        denied = say.DENIED.search(before) is not None
        if say.WRONG.match(self.masked, subject.end, end):
            self.wrong.update(subject.options)
        elif say.RIGHT.match(self.masked, subject.end, end):
            (self.wrong if denied else self.right).update(subject.options)
        elif label := say.LETTER_MARK.match(self.masked, subject.end, end):
            return self._judge_at_once(subject.options, label.end())
        elif say.RULED_OUT.search(before):
            self.wrong.update(subject.options)
        elif say.SAID.search(before):
            (self.wrong if denied else self.right).update(subject.options)
        else:
            return False
        return True

    def _judge_at_once(self, options: tuple[int, ...], at: int) -> bool:
        if say.WRONG_AT_ONCE.match(self.masked, at):
            self.wrong.update(options)
        elif say.RIGHT_AT_ONCE.match(self.masked, at):
            self.right.update(options)
        else:
            return False
        return True

    def _place(self, options: tuple[int, ...], start: int, end: int, between: str) -> None:
        """Give a reason to each of the options, as a sentence."""
        words = rendered(self.text, self.changes, start, end)
        words = say.TAIL.sub(".", say.BULLET.sub("", words, count=1).rstrip())
        if say.PLAIN_WORD.match(words):
            words = words[0].upper() + words[1:]
        for option in options:
            self.placed.setdefault(option, []).append(f"{between}{words}")

    def _keep(self, start: int, end: int) -> None:
        self.rest.append(rendered(self.text, self.changes, start, end))

    def _keep_or_others(self, start: int, end: int) -> None:
        if self.others is None and say.OTHERS.match(self.masked, start, end):
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
