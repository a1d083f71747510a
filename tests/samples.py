"""Small decks and members for tests, built from models: no file, no Discord."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from bank.models import Deck, Domain, Drop, Explain, Option, Question, Schedule, Terms
from bank.tutor import Tutor

GROUP = "4001"
ROOM = "4002"
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)  # a Monday


def make_question(
    slug: str = "first", *, domain: str = "basics", keys: Collection[int] = (1,)
) -> Question:
    """A question with four options whose texts name their place in the file."""
    places = ("alpha", "beta", "gamma", "delta")
    return Question(
        deck="sample",
        slug=slug,
        domain=domain,
        stem=f"What is right about {slug}?",
        options=tuple(
            Option(
                text=f"The {name} option of {slug}",
                correct=place in keys,
                rationale=f"The {name} reason of {slug}.",
                misconception=None if place in keys else f"Mistakes {slug} for {name}",
            )
            for place, name in enumerate(places)
        ),
        short=f"In short, {slug} is like a kettle. It whistles.",
        full=f"The long story of {slug}: {{a}} differs from {{b}}, {{c}} and {{d}}.",
        sources=(f"https://example.org/{slug}",),
    )


# As many as may be open side by side in a test's story: an open question is not drawn again.
MANY = tuple(f"q{number}" for number in range(60))


def make_deck(*slugs: str, name: str = "sample") -> Deck:
    """A deck of one domain with a question for each slug; first and second by default."""
    questions = [make_question(slug) for slug in slugs or ("first", "second")]
    return Deck(
        name=name,
        title="Sample deck",
        description="Two questions.",
        language="en",
        licence="MIT",
        blueprint="1",
        domains=(Domain(id="basics", title="Basics", weight=100),),
        questions=tuple(question.model_copy(update={"deck": name}) for question in questions),
    )


def add_schedule(tutor: Tutor, **changes: object) -> Schedule:
    """A schedule of the sample group: 10:00 UTC every day, open for an hour, from NOW on."""
    arguments: dict[str, object] = {
        "deck": "sample",
        "room": ROOM,
        "times": "10:00",
        "days": "every day",
        "zone": "UTC",
        "open_minutes": 60,
        "explain": Explain.NOW,
        "role": None,
        "now": NOW,
    }
    whole = {**arguments, **changes}
    return tutor.timetable.add(GROUP, take_terms(whole), **whole)  # type: ignore[arg-type]


def take_terms(arguments: dict[str, object]) -> Terms:
    """The terms among arguments; they are taken out of there."""
    names = [name for name in Terms.model_fields if name in arguments]
    return Terms.model_validate({name: arguments.pop(name) for name in names})


def drop_by_hand(tutor: Tutor, group: str = GROUP, **changes: object) -> Drop:
    """A claim by hand: of the sample deck, open for an hour, at NOW, in UTC."""
    arguments: dict[str, object] = {
        "deck": "sample",
        "room": ROOM,
        "zone": "UTC",
        "open_minutes": 60,
        "now": NOW,
        "seed": 1,
    }
    whole = {**arguments, **changes}
    return tutor.posting.by_hand(group, take_terms(whole), **whole)  # type: ignore[arg-type]


def post_due(tutor: Tutor, now: datetime, seed: int = 1) -> list[int]:
    """Claim what is due and confirm each drop as posted, as the shell does; the drops' ids."""
    work = tutor.posting.due(now, seed)
    for drop in work.post:
        tutor.posting.posted(drop.id, f"message-{drop.id}", now)
    return [drop.id for drop in work.post]


def drop_of(tutor: Tutor, drop: int) -> Drop:
    """A drop as it stands."""
    return tutor.posting.tally(drop).drop


def key_position(tutor: Tutor, drop: int) -> int:
    """The position at which a drop shows its key."""
    tally = tutor.posting.tally(drop)
    return tally.drop.order.index(tally.question.keys[0])


def slot_on(day: int, hour: int = 10, minute: int = 0) -> datetime:
    """A time of the n-th day after NOW's date, in UTC."""
    start = NOW.replace(hour=hour, minute=minute)
    return start + timedelta(days=day)
