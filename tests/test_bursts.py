"""Many at once: no answer is lost or doubled, each press is acknowledged, each group gets one post.

`python -m tests.wire burst` prints what these come to.
"""

from __future__ import annotations

from pathlib import Path

from tests.wire import bursts
from tests.wire.simulated import ACKNOWLEDGE_SECONDS

# At fifty requests a second two hundred posts take four seconds at least.
POSTS_WITHIN_SECONDS = 10.0
# The processes of a test share the machine with whatever else runs on it: what must be in time may
# be late then, and is measured again. What must be true is true in every round.
ROUNDS = 3


async def test_five_hundred_presses_on_a_locked_database_are_all_acknowledged_in_time(
    tmp_path: Path,
) -> None:
    for number in range(ROUNDS):
        seen = await bursts.crowd(tmp_path / f"{number}.db")
        assert (seen.answers, seen.members) == (seen.presses, seen.presses)
        assert seen.untrue == 0
        assert seen.errors == []
        if seen.acknowledged_seconds < ACKNOWLEDGE_SECONDS:
            break
    assert seen.acknowledged_seconds < ACKNOWLEDGE_SECONDS
    assert seen.arrived_seconds < float("inf")
    assert seen.deferred > 0


async def test_every_answer_that_was_acknowledged_survives_sigkill_in_a_burst(
    database: Path,
) -> None:
    seen = await bursts.killed(database)
    assert 0 < seen.replies < seen.presses
    assert seen.lost == 0
    assert (seen.answers, seen.members) == (seen.presses, seen.presses)
    assert seen.untrue == 0
    assert seen.errors == []


async def test_a_double_press_counts_once_and_both_replies_say_the_same(database: Path) -> None:
    seen = await bursts.doubled(database)
    assert seen.answers == seen.members
    assert seen.disagreeing == 0
    assert seen.untrue == 0


async def test_two_processes_on_one_database_post_each_slot_once(database: Path) -> None:
    seen = await bursts.twins(database)
    assert seen.posts == [1] * seen.groups
    assert seen.drops == seen.groups
    assert seen.reply_arrived
    assert seen.answers == 1


async def test_two_hundred_groups_due_at_once_each_get_one_post_and_none_waits_for_another(
    database: Path,
) -> None:
    seen = await bursts.due(database)
    assert seen.posts == [1] * seen.groups
    assert seen.seconds < POSTS_WITHIN_SECONDS
    assert seen.refused == 0
    assert seen.troubled_posts == 0
    assert seen.errors == []
