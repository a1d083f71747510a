"""What exists: decks, questions, schedules, drops, answers, streaks. Values only, all frozen."""

from __future__ import annotations

import hashlib
from datetime import date, datetime, time
from enum import StrEnum
from functools import cached_property
from typing import Annotated

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
)

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
"""A name that may stand in a path, a table and a message: lower case, digits and single hyphens."""

_NAME = TypeAdapter(Name)


def is_name(text: str) -> bool:
    """True for a text that is a Name as it stands."""
    try:
        _NAME.validate_python(text)
    except ValidationError:
        return False
    return True


Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Perhaps = Annotated[str, StringConstraints(strip_whitespace=True)]
"""Text that may be absent: a question that was brought from elsewhere need not have it."""

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


class Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Option(Model):
    """One choice. `rationale` says why it is right or wrong.

    Both texts name other options, if at all, by references {a}, {b} …
    """

    text: Text
    correct: bool
    rationale: Perhaps = ""
    misconception: str | None = None


def digest_of(content: bytes) -> str:
    """What tells a picture's content from another one's."""
    return hashlib.sha256(content).hexdigest()[:16]


class Image(Model):
    """A picture: `path` is relative to its deck's folder, `alt` says what it shows."""

    path: Text
    alt: Perhaps = ""
    digest: str | None = None  # of the file's content; None where no file was read

    def is_shown_as(self, other: Image) -> bool:
        """True when a member sees the same picture in both, whatever its file is called."""
        if None in (self.digest, other.digest):
            return (self.path, self.alt) == (other.path, other.alt)
        return (self.digest, self.alt) == (other.digest, other.alt)


class Question(Model):
    """One exam item. Its texts name options by references {a}, {b} …: places in its file."""

    deck: Name
    slug: Name
    domain: Name
    stem: Text
    options: Annotated[tuple[Option, ...], Field(min_length=2, max_length=8)]
    short: Perhaps = ""
    full: Perhaps = ""
    image: Image | None = None  # stands with the explanation, never before the answer
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    exhibit: Image | None = None  # stands with the stem
    expires: date | None = None  # after it, its facts are to be looked at again
    lint: tuple[str, ...] = ()  # item-writing rules that it may break, each as “rule: reason”

    @property
    def id(self) -> str:
        return f"{self.deck}/{self.slug}"

    def __hash__(self) -> int:
        # Enough to tell questions apart, and far cheaper than all their text.
        return hash(self.id)

    @cached_property
    def keys(self) -> tuple[int, ...]:
        """The indices in `options` of the correct ones, ascending: as many as are to be chosen."""
        return tuple(index for index, option in enumerate(self.options) if option.correct)

    @property
    def has_reasons(self) -> bool:
        """True when there is more to read than the key and the short explanation."""
        return bool(self.full) or any(option.rationale for option in self.options)

    @cached_property
    def version(self) -> str:
        """A hash of the content: a drop keeps the version that it posted."""
        # A question without an exhibit, or with a picture that nobody has read, keeps the version
        # that it had before there were exhibits or digests.
        unread: dict[str, bool | set[str]] = {"expires": True, "lint": True}
        for name, picture in (("image", self.image), ("exhibit", self.exhibit)):
            if picture is not None and picture.digest is None:
                unread[name] = {"digest"}
        if self.exhibit is None:
            unread["exhibit"] = True
        return digest_of(self.model_dump_json(exclude=unread).encode())

    def reads_as(self, other: Question) -> bool:
        """True when a member reads the same in both; tags and the domain only sort a question."""
        read = ("stem", "options", "short", "full", "sources")
        return all(getattr(self, name) == getattr(other, name) for name in read) and all(
            mine.is_shown_as(theirs) if mine and theirs else mine is theirs
            for mine, theirs in ((self.image, other.image), (self.exhibit, other.exhibit))
        )

    # Of the field, not of the model: a model's validator runs again in every Outcome.
    @field_validator("options")
    @classmethod
    def _have_keys(cls, options: tuple[Option, ...], info: ValidationInfo) -> tuple[Option, ...]:
        keys = sum(option.correct for option in options)
        if not 0 < keys < len(options):
            name = f"{info.data.get('deck')}/{info.data.get('slug')}"
            which = "every option" if keys else "no option"
            raise ValueError(
                f"in {name} {which} is correct; a question needs a key and a distractor"
            )
        return options


UNSORTED = "unsorted"
"""The domain of questions that were brought from elsewhere and belong to none yet."""


class Domain(Model):
    """A part of an exam's blueprint; `weight` is its share of the exam in per cent."""

    id: Name
    title: Text
    weight: Annotated[float, Field(gt=0, le=100)]


class DraftFile(Model):
    """A question file that is kept with its deck and never dropped, until nothing is missing."""

    slug: str
    stem: Perhaps
    missing: tuple[str, ...]  # clauses, such as “no option is marked “[x]””


class Deck(Model):
    """A named set of questions with the blueprint of the exam it trains for."""

    name: Name
    title: Text
    description: Text
    language: Text
    licence: Text
    blueprint: Text
    domains: Annotated[tuple[Domain, ...], Field(min_length=1)]
    questions: tuple[Question, ...]
    drafts: tuple[DraftFile, ...] = ()
    lint: tuple[str, ...] = ()  # rules that the whole deck may break, each as “rule: reason”

    def domain(self, name: str) -> Domain | None:
        return next((domain for domain in self.domains if domain.id == name), None)


class Explain(StrEnum):
    """When a member sees the explanation: right after answering, or when the drop closes."""

    NOW = "now"
    AT_CLOSE = "at close"


class Terms(Model):
    """What is dropped where, how long it stays open, and when it is explained."""

    deck: str
    room: str
    open_minutes: int
    explain: Explain = Explain.NOW
    role: str | None = None  # to ping
    pin: bool = False  # while it is open
    thread: bool = False  # to talk about it


class Schedule(Terms):
    """A group's standing order. `times` are local wall-clock times in the group's `zone`."""

    id: int
    group: str
    zone: str
    times: Annotated[tuple[time, ...], Field(min_length=1)]
    weekdays: Annotated[
        tuple[int, ...], Field(min_length=1)
    ]  # 0 is Monday, as in datetime.weekday()
    paused: bool = False
    problem: str | None = None  # why its last drop could not be posted
    settled_until: datetime  # slots up to this instant are claimed, missed or skipped


class Place(StrEnum):
    """Where something may go wrong with a drop, or with what it is drawn from."""

    POST = "post"
    PING = "ping"
    PIN = "pin"
    THREAD = "thread"
    REVEAL = "reveal"
    STOCK = "stock"


class Trouble(Model):
    """What a group's admins have to know. One place has one trouble about one thing at a time."""

    group: str
    place: Place
    about: str  # the schedule, the room, the role or the deck
    sentence: str


class DropState(StrEnum):
    """claimed -> posted -> closed -> revealed.

    Or missed: it was never posted; or voided: it was taken back. Both cost nobody anything.
    """

    CLAIMED = "claimed"
    POSTED = "posted"
    CLOSED = "closed"
    REVEALED = "revealed"
    MISSED = "missed"
    VOIDED = "voided"


class Follow(StrEnum):
    """What follows a post, each on its own: one that fails neither stops nor undoes another."""

    PIN = "pin"
    THREAD = "thread"
    UNPIN = "unpin"


class Step(StrEnum):
    """How far a follow-up is; one that was not asked for is None."""

    DUE = "due"
    DONE = "done"
    GIVEN_UP = "given up"


class Drop(Model):
    """One question in one room for one slot. `order[p]` is the option shown at position p."""

    id: int
    number: int  # counts the group's drops from 1
    schedule: int | None  # None when dropped by hand
    group: str
    room: str
    deck: str
    question: str  # its id, deck/slug
    version: str
    order: tuple[int, ...]
    seed: int
    slot: datetime
    claimed_at: datetime
    closes_at: datetime
    explain: Explain
    role: str | None = None
    state: DropState
    message: str | None = None
    day: int | None = None  # the question day's running number in the group
    pin: Step | None = None
    thread: Step | None = None
    unpin: Step | None = None

    def takes_answers(self, now: datetime) -> bool:
        return self.state in (DropState.CLAIMED, DropState.POSTED) and now < self.closes_at

    def is_over(self, now: datetime) -> bool:
        """True when the key may be shown to everybody.

        What has closed stays so, whatever the clock says later.
        """
        if self.state in (DropState.CLOSED, DropState.REVEALED, DropState.VOIDED):
            return True
        return self.state is not DropState.MISSED and now >= self.closes_at

    @property
    def to_follow(self) -> list[Follow]:
        """The follow-ups that are due."""
        return [follow for follow in Follow if getattr(self, follow.value) is Step.DUE]


class Answer(Model):
    """What a member chose on a drop: by option, never by letter, and ascending."""

    drop: int
    member: str
    options: Annotated[tuple[int, ...], Field(min_length=1)]
    at: datetime

    @field_validator("options")
    @classmethod
    def _are_a_set(cls, options: tuple[int, ...]) -> tuple[int, ...]:
        if len(options) > 1 and list(options) != sorted(set(options)):
            raise ValueError(f"{options} are not ascending, each once")
        return options


class Streak(Model):
    """A member's run of kept question days, as of `last_day`, the last day they kept."""

    length: int = 0
    best: int = 0
    freezes: int = 0
    run: int = 0  # days kept in a row towards the next freeze
    last_day: int = 0  # 0: no day kept yet
    kept: int = 0  # question days kept in all


class Outcome(Model):
    """What a press led to. `new` is False when an earlier answer stood."""

    drop: Drop
    question: Question
    answer: Answer
    new: bool
    explained: bool  # False while the explanation waits for the close
    streak: Streak

    @property
    def right(self) -> bool:
        """True when all keys were chosen and nothing else: there is no part of a point."""
        return self.answer.options == self.question.keys


class Menu(Model):
    """What a member may choose from, on an open drop whose question has several keys."""

    drop: Drop
    question: Question


class Tally(Model):
    """A drop's answers, counted. `counts[i]` members chose `question.options[i]`."""

    drop: Drop
    question: Question
    counts: tuple[int, ...]
    answered: int  # members; where several options are chosen, fewer than the counts together


class Reveal(Model):
    """What the close shows: the distribution, and who kept their day with this drop."""

    tally: Tally
    extended: tuple[str, ...]
    newer: bool = False  # the deck has the question in another text by now


class Explanation(Model):
    """A question that may be shown to its reader, in `order`, the letters they know.

    One that was looked up has its latest text; that of a `drop` has the text that was posted.
    """

    question: Question
    order: tuple[int, ...]
    domain: str
    drop: int | None = None
    newer: bool = False  # the deck has the drop's question in another text by now
    changed: date | None = None  # when the group was last asked it, if that was in another text


class Match(Model):
    """A search hit. `handle` names it without telling anything a live drop must not."""

    handle: str
    stem: str
    open_until: datetime | None = None


class Mark(StrEnum):
    """What became of a question day for a member."""

    KEPT = "kept"
    MISSED = "missed"
    FROZEN = "frozen"  # missed, and a freeze was spent on it
    OPEN = "open"  # not kept yet, and still can be


class MarkedDay(Model):
    """A question day as a member lived it; `date` is the group's local date."""

    date: date
    mark: Mark


class Why(Model):
    """How a member's streak came about: their latest question days, newest first."""

    days: tuple[MarkedDay, ...]
    streak: Streak  # as it stands
    earlier: int  # kept days of the streak that lie before those
    today: date  # in the group


class Difference(Model):
    """A stored streak that its answers and question days do not bear out."""

    group: str
    member: str
    stored: Streak
    rebuilt: Streak


class Standing(Model):
    """A member's place on a group's board."""

    member: str
    streak: Streak
    answered: int
    judged: int = 0  # answers to drops that have closed; an open one's verdict is nobody's business
    right: int = 0  # of those


class DeckUse(Model):
    """A deck as a group sees it: what was asked and retired of it, and how long the rest lasts."""

    deck: Deck
    asked: int
    left: int  # questions before one repeats
    days: int | None = None  # how long they last, about; None where no schedule asks for them
    retired: int = 0
