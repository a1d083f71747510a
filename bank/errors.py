"""Refusals of the quiz core. Each carries the one sentence that a member may be shown as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


class QuizError(Exception):
    """A refusal: `sentence` says what happened and what to do, in words for people."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


_LONGEST_QUOTE = 60


def quoted(typed: str) -> str:
    """What somebody typed, in quotation marks; of a long text its start."""
    start = typed if len(typed) <= _LONGEST_QUOTE else f"{typed[: _LONGEST_QUOTE - 1]}…"
    return f"“{start}”"


class UnknownDeck(QuizError):
    """No deck of that name is loaded."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        decks = ", ".join(known) or "none yet"
        super().__init__(f"There is no deck {quoted(name)}. The decks here are: {decks}.")


class DeckNameTaken(QuizError):
    """A group's own deck cannot have the name of a shared one."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{quoted(name)} is the name of a deck that every group has. "
            "Please give yours another name."
        )


class TooManyDecks(QuizError):
    """A group's own decks are all loaded at each start, so there is an end to them."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"This server has {most} decks of its own, and no more are kept. "
            "/deck remove takes one away."
        )


class DeckInUse(QuizError):
    """A schedule draws from the deck."""

    def __init__(self, name: str, schedule: int) -> None:
        super().__init__(
            f"Schedule {schedule} draws from the deck {quoted(name)}, so it stays. "
            "Remove the schedule first."
        )


class EmptyDeck(QuizError):
    """A deck without questions cannot be drawn from."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The deck “{name}” has no questions yet, so nothing can be drawn from it."
        )


class AllOpen(QuizError):
    """Every question of the deck is open in the group: the reveal of one would tell the other."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Every question of the deck “{name}” is open here right now. "
            "Please wait until one has closed, or take another deck."
        )


class AllRetired(QuizError):
    """The group has retired every question of the deck."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Every question of the deck “{name}” is retired here, so nothing can be drawn from "
            "it. /question restore takes one in again."
        )


class UnknownQuestion(QuizError):
    """No question matches what was asked for."""

    def __init__(self, asked: str) -> None:
        super().__init__(f"No question matches {quoted(asked)}. Try another word from its text.")


class UnknownZone(QuizError):
    """The name is no IANA time zone."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{quoted(name)} is not a time zone I know. "
            "Pick one from the list, such as Europe/Berlin."
        )


class NoZone(QuizError):
    """A group's first schedule must name the group's zone."""

    def __init__(self) -> None:
        super().__init__(
            "Please name your time zone once, such as Europe/Berlin. "
            "Every schedule here will use it."
        )


class BadTimes(QuizError):
    """Times or days of a schedule that cannot be read."""


class UnknownSchedule(QuizError):
    """The group has no schedule of that number."""

    def __init__(self, number: int) -> None:
        super().__init__(f"There is no schedule {number} here. /schedule list shows them all.")


class UnknownDrop(QuizError):
    """The drop is not in this database."""

    def __init__(self) -> None:
        super().__init__("I have no record of this question, so I cannot take an answer to it.")


class BadChoice(QuizError):
    """What was chosen is no answer to the question: too few options, too many, or one twice."""

    def __init__(self, keys: int) -> None:
        wanted = "one option" if keys == 1 else f"exactly {keys} different options"
        super().__init__(
            f"This question asks for {wanted}, so nothing was recorded. "
            "Please answer with what stands under the question."
        )


class DropClosed(QuizError):
    """The drop takes no more answers."""

    def __init__(self) -> None:
        super().__init__("This question has closed and takes no more answers.")


class DropVoided(QuizError):
    """The drop was taken back, so no answer to it counts."""

    def __init__(self) -> None:
        super().__init__(
            "This question was taken back: no answer to it counts, and every streak stands as if "
            "it had never been asked. The next question counts again."
        )


class CannotVoid(QuizError):
    """There is nothing of that number to take back."""


class BadReason(QuizError):
    """What was said of a question is nothing, or too much to be read."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"Please say in at most {most} characters what is wrong with the question. "
            "Nothing was reported."
        )


class QuestionGone(QuizError):
    """A question that its deck no longer has: there is nothing to mend."""

    def __init__(self) -> None:
        super().__init__(
            "This question is no longer in its deck, so there is nothing to put right. "
            "Nothing was reported."
        )


class NotReported(QuizError):
    """No report of that question is open."""

    def __init__(self) -> None:
        super().__init__(
            "There is no open report of this question. /deck reports lists those that there are."
        )


class NotRetired(QuizError):
    """That question is not retired."""

    def __init__(self) -> None:
        super().__init__("This question is not retired, so it is drawn here as ever.")


class BadFile(QuizError):
    """A file that was brought to be read, and as a whole cannot be."""


class Withheld(QuizError):
    """Rule 2: a live drop's question stays shut until the member has answered or it has closed."""

    def __init__(self, closes_at: datetime, sentence: str | None = None) -> None:
        super().__init__(
            sentence
            or "This question is open right now. Answer it first, or wait until it closes: "
            "then I can explain it."
        )
        self.closes_at = closes_at


class StoreError(QuizError):
    """The database could not be used; nothing was recorded. `detail` is for the log alone."""

    detail = ""

    def __str__(self) -> str:
        return f"{self.sentence} ({self.detail})" if self.detail else self.sentence


class DatabaseBusy(StoreError):
    """Another connection held the write lock for longer than the busy timeout."""

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__(
            sentence
            or "The database is busy, so this was not recorded. Please try again in a moment."
        )


class DatabaseFull(StoreError):
    """The disk is full."""

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__(
            sentence
            or "There is no room left on the disk, so this was not recorded. "
            "Please tell whoever runs this bot, and try again later."
        )


class DatabaseUnusable(StoreError):
    """The file is no database of ours, is damaged, or was written by a newer version."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a deck: the file, its line (from 1), and what to change."""

    file: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


class DeckFaults(QuizError):
    """A deck folder with faults; `faults` holds every one of them."""

    def __init__(self, deck: str, faults: Sequence[Fault]) -> None:
        count = f"{len(faults)} fault" + ("" if len(faults) == 1 else "s")
        super().__init__(f"The deck “{deck}” has {count}; “quizdrop check” lists them.")
        self.faults = tuple(faults)
