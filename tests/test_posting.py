"""The posting ledger: one drop per slot, late posts, leases, question days, and the close."""

from __future__ import annotations

import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.errors import (
    BadTimes,
    EmptyDeck,
    NoZone,
    QuizError,
    UnknownDeck,
    UnknownDrop,
    UnknownZone,
)
from bank.models import Drop, DropState, Explain
from bank.slots import slots_between
from bank.store import Store, schedules
from bank.tutor import Tutor
from bank.tutor.posting import CLAIM_LEASE, Work
from tests.conftest import OpenTutor
from tests.samples import (
    GROUP,
    NOW,
    ROOM,
    add_schedule,
    drop_by_hand,
    drop_of,
    key_position,
    make_deck,
    post_due,
    slot_on,
)

OTHER_GROUP = "5001"
GRACE = timedelta(hours=2)  # what open_tutor gives
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def missed_slots(database: Path, schedule: int) -> list[datetime]:
    with closing(Store(database)) as store, store.reading() as db:
        return schedules.missed(db, schedule)


def post_by_hand(tutor: Tutor, now: datetime, group: str = GROUP, **changes: object) -> int:
    """Drop by hand and confirm; the drop's id."""
    drop = drop_by_hand(tutor, group, now=now, **changes)
    tutor.posting.posted(drop.id, f"message-{drop.id}", now)
    return drop.id


def ids(drops: list[Drop]) -> list[int]:
    return [drop.id for drop in drops]


# One drop per slot


def test_a_slot_is_claimed_once_however_often_it_is_asked_for(tutor: Tutor) -> None:
    # codinglab-io/discord-bot#91
    add_schedule(tutor)
    moments = [slot_on(0) + SECOND * n for n in (0, 0, 1, 30, 90, 3599)]
    claimed = [drop for now in moments for drop in tutor.posting.due(now, seed=1).post]
    assert [drop.slot for drop in claimed] == [slot_on(0)]


def test_a_slot_is_claimed_once_by_two_tutors_on_one_database(open_tutor: OpenTutor) -> None:
    # gettakaro/takaro PR#986
    one, two = open_tutor(), open_tutor()
    add_schedule(one)
    for day in range(4):
        first, second = (one, two) if day % 2 else (two, one)
        assert len(first.posting.due(slot_on(day), seed=1).post) == 1
        assert second.posting.due(slot_on(day), seed=2).post == []


def test_a_slot_is_claimed_once_by_tutors_that_race(open_tutor: OpenTutor, database: Path) -> None:
    add_schedule(open_tutor())
    ready = threading.Barrier(4)
    claimed: list[datetime] = []

    def race() -> None:
        with closing(Tutor.open(database, [make_deck()])) as tutor:
            for day in range(5):
                ready.wait(timeout=30)
                claimed.extend(drop.slot for drop in tutor.posting.due(slot_on(day), 1).post)

    threads = [threading.Thread(target=race) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(claimed) == [slot_on(day) for day in range(5)]


@pytest.mark.parametrize("confirmed", [True, False], ids=["confirmed", "killed before the send"])
def test_a_slot_is_not_claimed_again_after_a_restart(
    open_tutor: OpenTutor, confirmed: bool
) -> None:
    # PieInTheSky-Inc/YaDc#69
    tutor = open_tutor()
    add_schedule(tutor)
    [drop] = tutor.posting.due(slot_on(0), seed=1).post
    if confirmed:
        tutor.posting.posted(drop.id, "m", slot_on(0))
    tutor.close()
    assert open_tutor().posting.due(slot_on(0) + MINUTE, seed=2).post == []


def test_waking_early_claims_nothing_and_then_once(tutor: Tutor) -> None:
    # DisnakeDev/disnake#585
    add_schedule(tutor)
    early = tutor.posting.due(slot_on(0) - timedelta(milliseconds=5), seed=1)
    assert early.post == []
    assert early.wake_at == slot_on(0)
    assert len(tutor.posting.due(slot_on(0), seed=1).post) == 1
    assert tutor.posting.due(slot_on(0) + timedelta(milliseconds=5), seed=1).post == []


def test_a_clock_that_steps_back_an_hour_posts_nothing_twice(tutor: Tutor, database: Path) -> None:
    added = add_schedule(tutor)
    [drop] = post_due(tutor, slot_on(0))
    for minutes in (-60, -30, 0, 30):
        assert tutor.posting.due(slot_on(0) + MINUTE * minutes, seed=1).post == []
    assert missed_slots(database, added.id) == []
    assert drop_of(tutor, drop).state is DropState.POSTED


@pytest.mark.parametrize(
    ("zone", "times", "start", "slot"),
    [
        # jiwidi/DailyQwertee#2: 02:30 comes twice in Berlin's night of 2026-10-25.
        ("Europe/Berlin", "2:30", "2026-10-25T00:00", "2026-10-25T00:30"),
        # agronholm/apscheduler#606: the midnight after New York's clocks went forward.
        ("America/New_York", "0:00", "2027-03-15T03:00", "2027-03-15T04:00"),
        # Rapptz/discord.py#7659: midnight nine hours east of UTC.
        ("Asia/Tokyo", "0:00", "2026-03-02T14:00", "2026-03-02T15:00"),
        # Two listed times that one gap makes one instant: 02:30 and 03:30 on 2026-03-29.
        ("Europe/Berlin", "2:30, 3:30", "2026-03-29T00:00", "2026-03-29T01:30"),
    ],
)
def test_a_night_with_a_trap_has_one_drop(
    tutor: Tutor, zone: str, times: str, start: str, slot: str
) -> None:
    begin = datetime.fromisoformat(start).replace(tzinfo=UTC)
    add_schedule(tutor, zone=zone, times=times, now=begin)
    moments = [begin + 10 * MINUTE * n for n in range(24)]
    claimed = [drop for now in moments for drop in tutor.posting.due(now, seed=1).post]
    assert [drop.slot for drop in claimed] == [datetime.fromisoformat(slot).replace(tzinfo=UTC)]


def test_a_date_change_alone_never_posts(tutor: Tutor) -> None:
    # PieInTheSky-Inc/YaDc#145
    add_schedule(tutor, days="Fri")
    for day in range(1, 4):
        assert tutor.posting.due(slot_on(day, hour=0), seed=1).post == []


@settings(max_examples=40, deadline=None)
@given(steps=st.lists(st.tuples(st.integers(-90, 900), st.booleans()), min_size=1, max_size=25))
def test_every_slot_is_claimed_once_or_missed_whatever_the_clock_does(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, bool]]
) -> None:
    database = tmp_path_factory.mktemp("ledger") / "quizdrop.db"
    with (
        closing(Tutor.open(database, [make_deck()], GRACE)) as one,
        closing(Tutor.open(database, [make_deck()], GRACE)) as two,
    ):
        schedule = add_schedule(one, times="1:00, 10:00, 11:30, 18:00", zone="Europe/Berlin")
        now = latest = NOW
        claimed: list[datetime] = []
        for minutes, first in steps:
            now += MINUTE * minutes
            latest = max(latest, now)
            work = (one if first else two).posting.due(now, seed=minutes)
            claimed += [drop.slot for drop in work.post]
        both = sorted(claimed + missed_slots(database, schedule.id))
        assert both == slots_between(schedule, NOW, latest)


# Late and missed


def test_after_downtime_one_late_post_and_the_older_slots_are_missed(
    open_tutor: OpenTutor, database: Path
) -> None:
    # anoadragon453/matrix-reminder-bot#9
    tutor = open_tutor()
    added = add_schedule(tutor, times="9:00, 10:00, 11:00")
    tutor.close()
    work = open_tutor().posting.due(slot_on(1, 11, 30), seed=1)
    assert [drop.slot for drop in work.post] == [slot_on(1, 11)]
    passed = [slot_on(0, 10), slot_on(0, 11), slot_on(1, 9), slot_on(1, 10)]
    assert missed_slots(database, added.id) == passed


@pytest.mark.parametrize(
    ("late", "posted"),
    [(GRACE, True), (GRACE + timedelta(microseconds=1), False), (timedelta(hours=20), False)],
)
def test_a_slot_is_posted_inside_its_grace_and_missed_after_it(
    tutor: Tutor, database: Path, late: timedelta, posted: bool
) -> None:
    added = add_schedule(tutor)
    work = tutor.posting.due(slot_on(0) + late, seed=1)
    assert [drop.slot for drop in work.post] == ([slot_on(0)] if posted else [])
    assert missed_slots(database, added.id) == ([] if posted else [slot_on(0)])
    assert work.wake_at is not None


def test_the_grace_is_the_tutors_own(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(grace=timedelta(minutes=5))
    add_schedule(tutor, times="10:00, 20:00")
    assert tutor.posting.due(slot_on(0) + 6 * MINUTE, seed=1).post == []
    assert len(tutor.posting.due(slot_on(0, 20) + 5 * MINUTE, seed=1).post) == 1


def test_missed_slots_cost_nobody_their_streak(tutor: Tutor) -> None:
    add_schedule(tutor)
    for day in (0, 5):  # down in between
        [drop] = post_due(tutor, slot_on(day))
        outcome = tutor.answering.press(drop, 0, "ada", f"message-{drop}", slot_on(day) + SECOND)
    assert outcome.streak.length == 2


def test_a_post_on_time_closes_as_announced(tutor: Tutor) -> None:
    add_schedule(tutor)
    [drop] = tutor.posting.due(slot_on(0) + 20 * SECOND, seed=1).post
    assert drop.closes_at == slot_on(0, hour=11)


@pytest.mark.parametrize("late", [2 * MINUTE, 30 * MINUTE + 45 * SECOND, GRACE])
def test_a_late_post_keeps_its_whole_open_time(tutor: Tutor, late: timedelta) -> None:
    add_schedule(tutor)
    now = slot_on(0) + late
    [drop] = tutor.posting.due(now, seed=1).post
    assert HOUR <= drop.closes_at - now <= HOUR + MINUTE


def test_no_drop_is_claimed_after_its_own_close(tutor: Tutor) -> None:
    add_schedule(tutor, open_minutes=1)
    now = slot_on(0) + MINUTE
    [drop] = tutor.posting.due(now, seed=1).post
    assert drop.takes_answers(now)


def test_a_claim_may_be_posted_late_only_inside_grace_and_open_time(tutor: Tutor) -> None:
    add_schedule(tutor, open_minutes=180)
    [drop] = tutor.posting.due(slot_on(0), seed=1).post
    assert tutor.posting.may_still_post(drop, slot_on(0) + GRACE)
    assert not tutor.posting.may_still_post(drop, slot_on(0) + GRACE + SECOND)
    brief = drop_by_hand(tutor, open_minutes=5)
    assert tutor.posting.may_still_post(brief, NOW + 5 * MINUTE - SECOND)
    assert not tutor.posting.may_still_post(brief, NOW + 5 * MINUTE)


# A claim's lease


def test_a_fresh_claim_is_not_offered_for_settling_and_after_a_minute_it_is(
    open_tutor: OpenTutor,
) -> None:
    sender, second = open_tutor(), open_tutor()
    add_schedule(sender)
    [drop] = sender.posting.due(slot_on(0), seed=1).post
    for tutor in (sender, second):
        fresh = tutor.posting.due(slot_on(0) + CLAIM_LEASE - SECOND, seed=1)
        assert (fresh.post, fresh.settle) == ([], [])
    for tutor in (sender, second):
        left = tutor.posting.due(slot_on(0) + CLAIM_LEASE + SECOND, seed=1)
        assert (left.post, left.settle) == ([], [drop])


def test_a_confirmed_drop_is_never_offered_for_settling(tutor: Tutor) -> None:
    add_schedule(tutor)
    post_due(tutor, slot_on(0))
    assert tutor.posting.due(slot_on(0) + 2 * CLAIM_LEASE, seed=1).settle == []


def test_a_claim_by_hand_is_settled_as_any_other(tutor: Tutor) -> None:
    drop = drop_by_hand(tutor)
    work = tutor.posting.due(NOW + CLAIM_LEASE + SECOND, seed=1)
    assert (work.post, work.settle) == ([], [drop])


# Confirming and failing


def test_confirming_writes_down_the_message_and_the_day(tutor: Tutor) -> None:
    add_schedule(tutor)
    [drop] = tutor.posting.due(slot_on(0), seed=1).post
    tally = tutor.posting.posted(drop.id, "m", slot_on(0))
    changes = {"state": DropState.POSTED, "message": "m", "day": 1}
    assert tally.drop == drop.model_copy(update=changes)
    assert tally.question.id == drop.question
    assert tally.counts == (0, 0, 0, 0)


def test_confirming_twice_changes_nothing(tutor: Tutor) -> None:
    add_schedule(tutor)
    [drop] = post_due(tutor, slot_on(0))
    before = drop_of(tutor, drop)
    again = tutor.posting.posted(drop, "another message", slot_on(1))
    assert again.drop == before == drop_of(tutor, drop)
    assert post_due(tutor, slot_on(1)) == [2]
    assert drop_of(tutor, 2).day == 2


def test_confirming_an_earlier_drop_again_does_not_hide_a_new_problem(tutor: Tutor) -> None:
    add_schedule(tutor)
    [earlier] = post_due(tutor, slot_on(0))
    [drop] = tutor.posting.due(slot_on(1), seed=1).post
    tutor.posting.missed(drop.id, "I may not post there.")
    tutor.posting.posted(earlier, f"message-{earlier}", slot_on(1))
    assert tutor.timetable.schedules(GROUP)[0].problem == "I may not post there."


def test_a_drop_that_could_not_be_posted_is_missed_and_not_offered_again(tutor: Tutor) -> None:
    add_schedule(tutor)
    [drop] = tutor.posting.due(slot_on(0), seed=1).post
    tutor.posting.missed(drop.id, "I may not post there.")
    assert drop_of(tutor, drop.id).state is DropState.MISSED
    later = tutor.posting.due(slot_on(0, hour=12), seed=1)
    assert (later.post, later.settle, later.reveal) == ([], [], [])
    tutor.posting.posted(drop.id, "m", slot_on(0))
    assert drop_of(tutor, drop.id).state is DropState.MISSED


def test_a_problem_is_told_once_per_cause_and_again_when_it_comes_back(tutor: Tutor) -> None:
    # Would-You-Bot/client#336
    add_schedule(tutor)
    told = []
    for day, problem in enumerate(["no room", "no room", "no right", None, "no right"]):
        [drop] = tutor.posting.due(slot_on(day), seed=1).post
        if problem is None:
            tutor.posting.posted(drop.id, f"m{day}", slot_on(day))
        elif trouble := tutor.posting.missed(drop.id, problem):
            told.append((day, trouble.sentence))
            tutor.troubles.told(trouble)
    assert told == [(0, "no room"), (2, "no right"), (4, "no right")]


def test_a_problem_of_a_drop_by_hand_is_no_schedules(tutor: Tutor) -> None:
    drop = drop_by_hand(tutor)
    assert tutor.posting.missed(drop.id, "no room") is None
    assert drop_of(tutor, drop.id).state is DropState.MISSED


def test_a_drop_that_stands_is_not_reported_as_missed(tutor: Tutor) -> None:
    # A press may confirm a drop whose sender was told that the send failed.
    add_schedule(tutor)
    [drop] = tutor.posting.due(slot_on(0), seed=1).post
    tutor.answering.press(drop.id, 0, "ada", "m", slot_on(0))
    assert tutor.posting.missed(drop.id, "no answer from there") is None
    assert drop_of(tutor, drop.id).state is DropState.POSTED
    assert tutor.timetable.schedules(GROUP)[0].problem is None


@pytest.mark.parametrize("call", ["posted", "missed", "tally", "reveal"])
def test_a_drop_that_never_was_is_unknown(tutor: Tutor, call: str) -> None:
    arguments = {"posted": ["m", NOW], "missed": ["no room"]}.get(call, [])
    with pytest.raises(UnknownDrop):
        getattr(tutor.posting, call)(99, *arguments)


# A deck that is gone


@pytest.fixture
def both_decks(open_tutor: OpenTutor) -> Tutor:
    """Two schedules at 10:00, the first for a deck that goes away."""
    tutor = open_tutor(make_deck(name="goes"), make_deck())
    add_schedule(tutor, deck="goes")
    add_schedule(tutor)
    return tutor


def test_a_gone_deck_troubles_its_own_schedule_once_and_the_others_post(
    both_decks: Tutor, open_tutor: OpenTutor, database: Path
) -> None:
    tutor = open_tutor(make_deck())
    work = tutor.posting.due(slot_on(0), seed=1)
    assert [drop.deck for drop in work.post] == ["sample"]
    [trouble] = work.troubles
    schedule = tutor.timetable.schedules(GROUP)[0]
    assert (trouble.group, trouble.about) == (GROUP, str(schedule.id))
    assert trouble.sentence == "There is no deck “goes”. The decks here are: sample."
    assert schedule.problem == trouble.sentence
    tutor.troubles.told(trouble)
    work = tutor.posting.due(slot_on(1), seed=1)
    assert [drop.deck for drop in work.post] == ["sample"]
    assert work.troubles == []
    assert missed_slots(database, schedule.id) == [slot_on(0), slot_on(1)]


def test_a_deck_that_is_back_posts_again_and_its_next_trouble_is_news(
    both_decks: Tutor, open_tutor: OpenTutor
) -> None:
    without = open_tutor(make_deck())
    [trouble] = without.posting.due(slot_on(0), seed=1).troubles
    without.troubles.told(trouble)
    assert len(post_due(both_decks, slot_on(1))) == 2
    assert both_decks.timetable.schedules(GROUP)[0].problem is None
    assert without.posting.due(slot_on(2), seed=1).troubles


def test_a_schedule_in_trouble_still_has_a_next_slot(
    both_decks: Tutor, open_tutor: OpenTutor
) -> None:
    both_decks.timetable.remove(GROUP, 2)
    work = open_tutor(make_deck()).posting.due(slot_on(0), seed=1)
    assert work.troubles
    assert work.wake_at == slot_on(1)


# Closing and waking


def test_a_drop_is_offered_for_its_reveal_from_the_close_until_it_is_revealed(
    open_tutor: OpenTutor,
) -> None:
    tutor = open_tutor()
    add_schedule(tutor)
    [drop] = post_due(tutor, slot_on(0))
    assert tutor.posting.due(slot_on(0, 11) - SECOND, seed=1).reveal == []
    for each in (tutor, tutor, open_tutor()):
        [closed] = each.posting.due(slot_on(0, 11), seed=1).reveal
        assert (closed.id, closed.state) == (drop, DropState.CLOSED)
    tutor.posting.revealed(drop)
    assert tutor.posting.due(slot_on(0, 11), seed=1).reveal == []
    assert drop_of(tutor, drop).state is DropState.REVEALED


def test_a_drop_that_is_open_cannot_be_marked_as_revealed(tutor: Tutor) -> None:
    add_schedule(tutor)
    [drop] = post_due(tutor, slot_on(0))
    tutor.posting.revealed(drop)
    assert drop_of(tutor, drop).state is DropState.POSTED


def test_the_reveal_counts_each_option_and_names_who_kept_the_day_with_it(tutor: Tutor) -> None:
    add_schedule(tutor, times="10:00, 10:30")
    [first] = post_due(tutor, slot_on(0))
    [second] = post_due(tutor, slot_on(0, 10, 30))
    tutor.answering.press(second, 0, "zoe", "message-2", slot_on(0, 10, 31))
    tutor.answering.press(
        first, key_position(tutor, first), "ada", f"message-{first}", slot_on(0, 10, 32)
    )
    tutor.answering.press(
        second, key_position(tutor, second), "ada", f"message-{second}", slot_on(0, 10, 33)
    )
    tutor.answering.press(
        second, key_position(tutor, second), "ben", f"message-{second}", slot_on(0, 10, 34)
    )
    reveal = tutor.posting.reveal(second)
    drop, question = reveal.tally.drop, reveal.tally.question
    expected = [0, 0, 0, 0]
    expected[question.keys[0]] += 2
    expected[drop.order[0]] += 1
    assert reveal.tally.counts == tuple(expected)
    assert reveal.tally.answered == 3
    assert reveal.extended == ("zoe", "ben")
    assert tutor.posting.reveal(first).extended == ("ada",)


def test_it_wakes_for_the_next_slot_or_close_whichever_comes_first(tutor: Tutor) -> None:
    assert tutor.posting.due(NOW, seed=1).wake_at is None
    add_schedule(tutor, times="10:00, 10:45")

    def wake_at(now: datetime) -> datetime | None:
        work = tutor.posting.due(now, seed=1)
        for drop in work.post:
            tutor.posting.posted(drop.id, f"m{drop.id}", now)
        return work.wake_at

    assert wake_at(NOW) == slot_on(0, 10)
    assert wake_at(slot_on(0, 10)) == slot_on(0, 10, 45)
    assert wake_at(slot_on(0, 10, 45)) == slot_on(0, 11)
    assert wake_at(slot_on(0, 11)) == slot_on(0, 11, 45)
    assert wake_at(slot_on(0, 11, 45)) == slot_on(1, 10)


@settings(max_examples=40, deadline=None)
@given(steps=st.lists(st.integers(0, 5400), min_size=1, max_size=12))
def test_the_next_waking_is_strictly_later(
    tmp_path_factory: pytest.TempPathFactory, steps: list[int]
) -> None:
    database = tmp_path_factory.mktemp("waking") / "quizdrop.db"
    with closing(Tutor.open(database, [make_deck()])) as tutor:
        add_schedule(tutor, times="9:30, 10:00, 11:00", open_minutes=30)
        now = NOW
        for seconds in steps:
            work = tutor.posting.due(now, seed=1)
            assert work.wake_at is not None
            assert work.wake_at > now
            post_some(tutor, work, now)
            # Now and then exactly at the alarm, else anywhere.
            now = work.wake_at if seconds % 3 == 0 else now + SECOND * seconds


def post_some(tutor: Tutor, work: Work, now: datetime) -> None:
    for drop in work.post:
        if drop.id % 2:
            tutor.posting.posted(drop.id, f"m{drop.id}", now)


# By hand


def test_a_drop_by_hand_is_claimed_for_right_now(tutor: Tutor) -> None:
    drop = drop_by_hand(tutor, open_minutes=90, explain=Explain.AT_CLOSE, role="77")
    assert drop.state is DropState.CLAIMED
    assert (drop.schedule, drop.number, drop.group, drop.room) == (None, 1, GROUP, ROOM)
    assert (drop.slot, drop.claimed_at, drop.closes_at) == (NOW, NOW, NOW + 90 * MINUTE)
    assert (drop.explain, drop.role, drop.message, drop.day) == (Explain.AT_CLOSE, "77", None, None)
    assert sorted(drop.order) == [0, 1, 2, 3]


def test_two_drops_by_hand_at_one_moment_are_two(tutor: Tutor) -> None:
    assert drop_by_hand(tutor).id != drop_by_hand(tutor).id


def test_by_hand_needs_a_zone_once(tutor: Tutor) -> None:
    with pytest.raises(NoZone):
        drop_by_hand(tutor, zone=None)
    drop_by_hand(tutor, zone="Asia/Tokyo")
    assert tutor.timetable.zone(GROUP) == "Asia/Tokyo"
    assert drop_by_hand(tutor, zone=None).number == 2


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"zone": "Mars/Olympus"}, UnknownZone),
        ({"deck": "nope"}, UnknownDeck),
        ({"deck": "empty"}, EmptyDeck),
        ({"open_minutes": 0}, BadTimes),
        ({"open_minutes": 7 * 24 * 60 + 1}, BadTimes),
    ],
)
def test_by_hand_refuses_with_a_sentence_and_nothing_is_stored(
    open_tutor: OpenTutor, changes: dict[str, object], refusal: type[QuizError]
) -> None:
    tutor = open_tutor(make_deck(), make_deck(name="empty").model_copy(update={"questions": ()}))
    with pytest.raises(refusal) as caught:
        drop_by_hand(tutor, **changes)
    assert caught.value.sentence.endswith(".")
    assert tutor.timetable.zone(GROUP) is None
    with pytest.raises(UnknownDrop):
        tutor.posting.tally(1)


def test_numbers_count_per_group_and_a_missed_drop_keeps_its_own(tutor: Tutor) -> None:
    add_schedule(tutor)
    first = drop_by_hand(tutor)
    tutor.posting.missed(first.id, "no room")
    assert drop_by_hand(tutor, OTHER_GROUP).number == 1
    [scheduled] = tutor.posting.due(slot_on(0), seed=1).post
    assert [first.number, scheduled.number, drop_by_hand(tutor).number] == [1, 2, 3]


# Question days


def day_of(tutor: Tutor, now: datetime, group: str = GROUP, **changes: object) -> int | None:
    """The question day of a drop that is posted by hand at `now`."""
    return drop_of(tutor, post_by_hand(tutor, now, group, **changes)).day


def test_only_a_drop_that_was_really_posted_makes_a_day(tutor: Tutor) -> None:
    # HabitRPG/habitica#933
    add_schedule(tutor)
    days = []
    for day in range(6):
        [drop] = tutor.posting.due(slot_on(day), seed=1).post
        if day in (1, 2):
            tutor.posting.missed(drop.id, "no room")
        elif day != 4:  # claimed and never heard of again
            tutor.posting.posted(drop.id, f"m{day}", slot_on(day))
        days.append(drop_of(tutor, drop.id).day)
    assert days == [1, None, None, 2, None, 3]


def test_two_drops_of_one_local_date_are_one_day(tutor: Tutor) -> None:
    assert day_of(tutor, slot_on(0, hour=0)) == 1
    assert day_of(tutor, slot_on(0, hour=23, minute=59)) == 1
    assert day_of(tutor, slot_on(1, hour=0)) == 2


def test_the_date_of_a_day_is_the_groups_own(tutor: Tutor) -> None:
    tokyo = {"zone": "Asia/Tokyo"}  # nine hours ahead, so its date changes at 15:00 UTC
    assert day_of(tutor, slot_on(0, hour=14, minute=59), **tokyo) == 1
    assert day_of(tutor, slot_on(0, hour=23, minute=30), **tokyo) == 2
    assert day_of(tutor, slot_on(1, hour=14, minute=59), **tokyo) == 2
    assert day_of(tutor, slot_on(1, hour=15), **tokyo) == 3


def test_a_group_that_moves_west_does_not_get_a_day_twice(tutor: Tutor) -> None:
    evening = slot_on(0, hour=16)  # already tomorrow in Tokyo, still this morning in New York
    assert day_of(tutor, evening, zone="Asia/Tokyo") == 1
    assert day_of(tutor, evening + HOUR, zone="America/New_York") == 1
    assert day_of(tutor, evening + timedelta(days=1), zone="America/New_York") == 1
    assert day_of(tutor, evening + timedelta(days=2), zone="America/New_York") == 2


def test_days_are_numbered_per_group(tutor: Tutor) -> None:
    assert [day_of(tutor, slot_on(day)) for day in range(3)] == [1, 2, 3]
    assert day_of(tutor, slot_on(3), OTHER_GROUP) == 1
    assert day_of(tutor, slot_on(9)) == 4


def test_a_question_that_is_open_here_is_not_dropped_again_while_there_is_another(
    open_tutor: OpenTutor,
) -> None:
    # The reveal of the first drop would tell the key of the second.
    tutor = open_tutor(make_deck("a", "b", "c"))
    for seed in range(20):
        group = f"{GROUP}{seed}"
        long = drop_by_hand(tutor, group, open_minutes=600, seed=seed)
        for turn in range(1, 6):
            now = NOW + turn * 2 * MINUTE
            brief = drop_by_hand(tutor, group, now=now, open_minutes=1, seed=seed + turn)
            assert brief.question != long.question
