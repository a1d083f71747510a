"""Reporting: what is wrong is heard, nothing is told by it, and what is voided leaves no trace."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bank.errors import (
    BadReason,
    NotReported,
    QuestionGone,
    UnknownDrop,
    UnknownQuestion,
    Withheld,
)
from bank.models import Question
from bank.tutor import LONGEST_REASON, Reported, Tutor
from bot import ids
from bot.cards.reports import reports_card
from bot.forms import report_form
from tests.conftest import OpenTutor
from tests.databases import faults, rows
from tests.samples import (
    GROUP,
    NOW,
    drop_by_hand,
    drop_of,
    key_position,
    make_deck,
    make_question,
)
from tests.wired import interaction, wired_with_a_drop
from tests.world import World, buttons_of, components_of, files_of, text_of, walk

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
OTHER = "5001"
KETTLE, TEAPOT = "sample/kettle", "sample/teapot"
MEMBERS = ("ada", "ben", "cleo")


def post(tutor: Tutor, group: str = GROUP, **changes: Any) -> int:
    drop = drop_by_hand(tutor, group, **changes)
    tutor.posting.posted(drop.id, f"m{drop.id}", drop.slot)
    return drop.id


def press(tutor: Tutor, drop: int, member: str, *, right: bool = True) -> None:
    position = (key_position(tutor, drop) + (not right)) % 4
    tutor.answering.press(drop, position, member, f"m{drop}", drop_of(tutor, drop).slot)


def listed(tutor: Tutor, now: Any = NOW, member: str = "ada", group: str = GROUP) -> list[Reported]:
    return tutor.reporting.reported(group, member, now)


@pytest.fixture
def tutor(open_tutor: OpenTutor) -> Tutor:
    return open_tutor(make_deck("kettle", "teapot"))


# The list


def test_a_report_is_listed_with_its_reason_and_the_most_reported_question_first(
    tutor: Tutor,
) -> None:
    tutor.reporting.report(KETTLE, "Dry.", GROUP, "ada", NOW)
    tutor.reporting.report(TEAPOT, "No lid.", GROUP, "ada", NOW)
    tutor.reporting.report(TEAPOT, "No spout.", GROUP, "ben", NOW + MINUTE)
    teapot, kettle = listed(tutor)
    assert (teapot.question.id, teapot.reports) == (TEAPOT, 2)
    assert teapot.reasons == ("No spout.", "No lid.")
    assert (kettle.question.id, kettle.reports, kettle.reasons) == (KETTLE, 1, ("Dry.",))
    assert (kettle.number, kettle.until, kettle.is_retired) == (None, None, False)


def test_a_second_report_of_a_member_takes_the_place_of_the_first(tutor: Tutor) -> None:
    for reason in ("Dry.", "Cold."):
        tutor.reporting.report(KETTLE, reason, GROUP, "ada", NOW)
    [kettle] = listed(tutor)
    assert (kettle.reports, kettle.reasons) == (1, ("Cold.",))


def test_a_report_stands_after_a_restart_and_in_its_group_alone(
    tutor: Tutor, open_tutor: OpenTutor
) -> None:
    tutor.reporting.report(KETTLE, "Dry.", GROUP, "ada", NOW)
    tutor.close()
    again = open_tutor(make_deck("kettle", "teapot"))
    assert [each.reasons for each in listed(again)] == [("Dry.",)]
    assert listed(again, group=OTHER) == []
    with pytest.raises(NotReported):
        again.reporting.settle(KETTLE, OTHER, "ada", NOW)
    again.reporting.report(KETTLE, "Cold.", OTHER, "ada", NOW)
    assert again.reporting.settle(KETTLE, OTHER, "ada", NOW)[1] == 1
    assert [each.reasons for each in listed(again)] == [("Dry.",)]


@pytest.mark.parametrize("way", ["by the drop", "by its handle", "by its id", "by a word"])
def test_a_report_names_the_drop_that_it_is_about(tutor: Tutor, way: str) -> None:
    post(tutor, OTHER)  # so that a drop's id is not its number
    drop = drop_of(tutor, post(tutor))
    now = drop.closes_at
    tutor.posting.due(now, 1)
    asked = {"by its handle": f"drop:{drop.id}", "by its id": drop.question}
    if way == "by the drop":
        tutor.reporting.report_drop(drop.id, "Dry.", GROUP, "ada", now)
    else:
        word = asked.get(way, drop.question.partition("/")[2])
        tutor.reporting.report(word, "Dry.", GROUP, "ada", now)
    [reported] = listed(tutor, now)
    assert (reported.question.id, reported.number) == (drop.question, 1)


def test_a_report_of_an_older_drop_names_that_one_and_any_other_way_the_latest(
    open_tutor: OpenTutor,
) -> None:
    tutor = open_tutor(make_deck("kettle"))
    drops = [post(tutor, now=NOW + HOUR * hour) for hour in range(3)]
    now = NOW + 3 * HOUR
    tutor.posting.due(now, 1)
    tutor.reporting.report_drop(drops[1], "Dry.", GROUP, "ada", now)
    assert [each.number for each in listed(tutor, now)] == [2]
    tutor.reporting.report(KETTLE, "Cold.", GROUP, "ben", now)
    assert [each.number for each in listed(tutor, now)] == [3]


def test_reports_of_a_question_that_its_deck_no_longer_has_are_not_listed(
    tutor: Tutor, open_tutor: OpenTutor
) -> None:
    tutor.reporting.report(KETTLE, "Dry.", GROUP, "ada", NOW)
    tutor.close()
    mended = open_tutor(make_deck("teapot"))
    assert listed(mended) == []
    assert mended.reporting.offered(GROUP, "ada", "", NOW) == []


# What is reported


@pytest.mark.parametrize("reason", ["", "  \n ", "\u200e\u202e", "x" * (LONGEST_REASON + 1)])
def test_a_reason_that_says_nothing_or_too_much_is_refused(tutor: Tutor, reason: str) -> None:
    drop = post(tutor)
    said = (reason, GROUP, "ada", NOW)
    with pytest.raises(BadReason, match="in at most 500 characters"):
        tutor.reporting.report(KETTLE, *said)
    with pytest.raises(BadReason):
        tutor.reporting.report_by_id(KETTLE, *said)
    with pytest.raises(BadReason):
        tutor.reporting.report_drop(drop, *said)
    assert listed(tutor) == []


def test_a_reason_of_the_longest_length_is_kept_without_what_nobody_sees(tutor: Tutor) -> None:
    tutor.reporting.report(KETTLE, f" \0{'𝕏' * LONGEST_REASON}\u202e\n", GROUP, "ada", NOW)
    assert [each.reasons for each in listed(tutor)] == [("𝕏" * LONGEST_REASON,)]


def test_what_is_not_there_cannot_be_reported(tutor: Tutor, open_tutor: OpenTutor) -> None:
    here, elsewhere = post(tutor), post(tutor, OTHER)
    unsent = drop_by_hand(tutor, now=NOW + MINUTE).id
    with pytest.raises(UnknownQuestion):
        tutor.reporting.report("samovar", "Dry.", GROUP, "ada", NOW)
    for drop in (elsewhere, unsent, 99):
        with pytest.raises(UnknownDrop):
            tutor.reporting.report_drop(drop, "Dry.", GROUP, "ada", NOW)
    for question in ("kettle", "sample/samovar", "hidden/gem"):
        with pytest.raises(QuestionGone):
            tutor.reporting.report_by_id(question, "Dry.", GROUP, "ada", NOW)
    tutor.close()
    mended = open_tutor(make_deck("samovar"))
    with pytest.raises(QuestionGone):
        mended.reporting.report_drop(here, "Dry.", GROUP, "ada", NOW)
    assert rows(mended._store.path)["reports"] == []


# What is open


def test_reasons_are_shut_while_the_question_is_open_here_even_for_who_has_answered(
    open_tutor: OpenTutor,
) -> None:
    tutor = open_tutor(make_deck("kettle"))
    tutor.reporting.report(KETTLE, "Earlier.", GROUP, "cleo", NOW)
    drop = drop_of(tutor, post(tutor))
    for member in ("ada", "ben"):
        press(tutor, drop.id, member)
    tutor.reporting.report_drop(drop.id, "It is beta.", GROUP, "ben", NOW)
    for member in MEMBERS:
        [kettle] = listed(tutor, NOW, member)
        assert (kettle.reports, kettle.reasons, kettle.until) == (2, (), drop.closes_at)
        assert tutor.reporting.offered(GROUP, member, "", NOW) == []
        with pytest.raises(Withheld, match="Its reports are shown when it closes"):
            tutor.reporting.settle(KETTLE, GROUP, member, NOW)
    [kettle] = listed(tutor, drop.closes_at)
    assert (set(kettle.reasons), kettle.until) == ({"It is beta.", "Earlier."}, None)


def test_a_claim_that_is_not_sent_yet_shuts_them_as_well(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(make_deck("kettle"))
    tutor.reporting.report(KETTLE, "It is beta.", GROUP, "ben", NOW)
    drop_by_hand(tutor)
    assert [each.reasons for each in listed(tutor)] == [()]


def test_they_are_shut_for_who_is_asked_the_same_question_in_another_group(
    open_tutor: OpenTutor,
) -> None:
    tutor = open_tutor(make_deck("kettle"))
    press(tutor, post(tutor, OTHER), "ada")
    tutor.posting.due(NOW + HOUR, 1)
    post(tutor, OTHER, now=NOW + HOUR)
    tutor.reporting.report(KETTLE, "It is beta.", GROUP, "ben", NOW + HOUR)
    assert [each.reasons for each in listed(tutor, NOW + HOUR)] == [()]
    assert [each.reasons for each in listed(tutor, NOW + HOUR, "cleo")] == [("It is beta.",)]


def test_a_question_that_was_taken_back_shows_its_reasons_at_once(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(make_deck("kettle"))
    tutor.reporting.report_drop(post(tutor), "Two keys.", GROUP, "ben", NOW)
    assert [each.reasons for each in listed(tutor)] == [()]
    tutor.voiding.void(GROUP, 1, NOW)
    assert [each.reasons for each in listed(tutor)] == [("Two keys.",)]


def test_who_reports_an_open_question_unanswered_does_not_learn_which_one_it_is(
    open_tutor: OpenTutor,
) -> None:
    # An id may say more than its message does.
    tutor = open_tutor(make_deck("kettle"))
    drop = post(tutor)
    press(tutor, drop, "ben")
    told = [
        (
            tutor.reporting.report(f"drop:{drop}", "Dry.", GROUP, member, NOW),
            tutor.reporting.report(KETTLE, "Dry.", GROUP, member, NOW),
            tutor.reporting.report_by_id(KETTLE, "Dry.", GROUP, member, NOW),
            tutor.reporting.report_drop(drop, "Dry.", GROUP, member, NOW),
        )
        for member in ("cleo", "ben")
    ]
    kettle = make_question("kettle")
    assert told == [(None,) * 4, (kettle,) * 4]
    assert [each.reports for each in listed(tutor)] == [2]


def test_an_open_question_is_reported_by_no_word_of_its_explanation(open_tutor: OpenTutor) -> None:
    hidden = make_question("kettle").model_copy(update={"short": "Zebra.", "full": "Zebra."})
    tutor = open_tutor(make_deck().model_copy(update={"questions": (hidden,)}))
    post(tutor)
    with pytest.raises(UnknownQuestion):
        tutor.reporting.report("zebra", "Dry.", GROUP, "cleo", NOW)
    assert tutor.reporting.report("zebra", "Dry.", GROUP, "cleo", NOW + HOUR) == hidden


# Settling


def test_settling_takes_the_reports_of_one_question_off_the_list(tutor: Tutor) -> None:
    for question, member in ((KETTLE, "ada"), (KETTLE, "ben"), (TEAPOT, "ada")):
        tutor.reporting.report(question, "Dry.", GROUP, member, NOW)
    assert tutor.reporting.settle(KETTLE, GROUP, "ada", NOW) == (make_question("kettle"), 2)
    assert [each.question.id for each in listed(tutor)] == [TEAPOT]
    with pytest.raises(NotReported):
        tutor.reporting.settle(KETTLE, GROUP, "ada", NOW)
    tutor.reporting.report(KETTLE, "Still dry.", GROUP, "ada", NOW)
    assert len(listed(tutor)) == 2


def test_an_open_question_without_reports_is_simply_not_reported(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(make_deck("kettle"))
    post(tutor)
    with pytest.raises(NotReported):
        tutor.reporting.settle(KETTLE, GROUP, "ada", NOW)


def test_reported_questions_are_offered_to_be_settled_by_stem(tutor: Tutor) -> None:
    for question in (KETTLE, TEAPOT):
        tutor.reporting.report(question, "Dry.", GROUP, "ada", NOW)
    offered = tutor.reporting.offered
    assert {each.handle for each in offered(GROUP, "ada", "", NOW)} == {KETTLE, TEAPOT}
    assert [each.handle for each in offered(GROUP, "ada", " TEAPOT", NOW)] == [TEAPOT]
    assert offered(OTHER, "ada", "", NOW) == []


# As if it had never been posted

SLUGS = tuple(f"day{number}" for number in range(12))


def live(tutor: Tutor, *, wrong: int | None, shared: bool, voided_late: bool) -> dict[str, int]:
    """Twelve days with a question of its own deck each; the drop of each question.

    The question of the day `wrong` is posted, answered by all, reported and taken back, as the
    day's only one or, `shared`, beside another; without a day it is never posted.
    """
    found: dict[str, int] = {}
    for day, slug in enumerate(SLUGS):
        now = NOW + DAY * day
        bad = None
        if day == wrong:
            bad = post(tutor, deck="wrong", now=now)
            for member in MEMBERS:
                press(tutor, bad, member, right=member != "cleo")
            for member in MEMBERS[1:]:
                tutor.reporting.report_drop(bad, "Two options are right.", GROUP, member, now)
            if not voided_late:
                tutor.voiding.void(GROUP, drop_of(tutor, bad).number, now + MINUTE)
        if day != 4 or shared:
            found[slug] = post(tutor, deck=slug, now=now + 2 * MINUTE)
            for place, member in enumerate(MEMBERS):
                if (day + place) % (place + 5):  # each misses another day now and then
                    press(tutor, found[slug], member, right=bool((day + place) % 2))
        tutor.posting.due(now + 2 * HOUR, 1)
    if wrong is not None and voided_late:
        [reported] = listed(tutor, NOW + 20 * DAY)
        tutor.voiding.void(GROUP, reported.number or 0, NOW + 20 * DAY)
    return found


def seen(tutor: Tutor, drops: dict[str, int]) -> Any:
    """All that counts: standings, how each came about, and the tally of each question."""
    moments = [NOW + 11 * DAY + 3 * MINUTE, NOW + 11 * DAY + 2 * HOUR, NOW + 30 * DAY]
    standings = [
        (tutor.boards.standing(GROUP, member, now), tutor.boards.why(GROUP, member, now, 30))
        for now in moments
        for member in MEMBERS
    ]
    boards = [tutor.boards.board(GROUP, now) for now in moments]
    tallies = {
        slug: (tally.question, tally.drop.order, tally.drop.day, tally.counts, tally.answered)
        for slug, drop in drops.items()
        for tally in [tutor.posting.tally(drop)]
    }
    extended = {slug: tutor.posting.reveal(drop).extended for slug, drop in drops.items()}
    return standings, boards, tallies, extended


@pytest.mark.parametrize("voided_late", [False, True], ids=["while open", "weeks later"])
@pytest.mark.parametrize("shared", [False, True], ids=["alone in its day", "beside another"])
def test_a_reported_then_voided_question_leaves_all_as_if_it_had_never_been_posted(
    tmp_path: Path, *, shared: bool, voided_late: bool
) -> None:
    histories, decks = [], [make_deck("q", name=name) for name in (*SLUGS, "wrong")]
    for name, wrong in (("voided", 4), ("never", None)):
        database = tmp_path / f"{name}.db"
        with closing(Tutor.open(database, decks)) as tutor:
            drops = live(tutor, wrong=wrong, shared=shared, voided_late=voided_late)
            histories.append(seen(tutor, drops))
            assert tutor.ledger.differences() == []
            assert tutor.ledger.rebuild() == []
            assert len(listed(tutor, NOW + 30 * DAY)) == (wrong is not None)
        assert faults(database) == []
    assert histories[0] == histories[1]
    standings = histories[0][0]
    assert {bool(standing.right and standing.streak.kept) for standing, _ in standings} == {True}


def test_before_it_was_voided_it_had_counted(tmp_path: Path) -> None:
    """The test above can fail: the same two histories differ until the question is taken back."""
    histories, decks = [], [make_deck("q", name=name) for name in (*SLUGS, "wrong")]
    for name, bad in (("posted", True), ("never", False)):
        with closing(Tutor.open(tmp_path / f"{name}.db", decks)) as tutor:
            if bad:
                drop = post(tutor, deck="wrong")
                press(tutor, drop, "ada")
                tutor.reporting.report_drop(drop, "Two options are right.", GROUP, "ada", NOW)
            histories.append(tutor.boards.board(GROUP, NOW + DAY))
    assert histories[0] != histories[1]


# In Discord


@pytest.fixture
def decks() -> dict[Path, Any]:
    return {Path("sample"): make_deck("kettle")}


async def report_with(world: World, member: Any, shown: Any, reason: str) -> Any:
    """Press “Report” under a card, and send the form that opens."""
    opened = await member.click(shown.response, label="Report")
    return await member.submit_modal(opened, {"reason": reason})


async def reports(world: World, member: Any = None) -> Any:
    return await (member or world.ada).slash(world.channel, "deck reports")


async def test_a_member_reports_from_the_answer_and_a_manager_reads_it_after_the_close(
    world: World,
) -> None:
    assert "No question is reported here." in text_of(await reports(world))
    tally = await world.drop_now()
    answered = await world.press_right(world.ben, tally)
    thanks = await report_with(world, world.ben, answered, "It is *beta*, @everyone <@1>.")
    assert thanks.ephemeral
    assert "Thank you. Your report of “What is right about kettle?”" in text_of(thanks)
    shut = await reports(world)
    assert shut.ephemeral
    assert "**Question 1: What is right about kettle?**" in text_of(shut)
    assert "-# 1 report, shown when it closes, <t:" in text_of(shut)
    assert "beta" not in str(components_of(shut))
    await world.wait(hours=2)
    shown = text_of(await reports(world))
    assert "-# sample/kettle · 1 report" in shown
    assert "- It is \\*beta\\*, @\u200beveryone <\u200b@\u200b1>." in shown


@pytest.mark.parametrize("restart", ["before it is opened", "before it is sent", "never"])
async def test_a_report_survives_a_restart(world: World, restart: str) -> None:
    answered = await world.press_right(world.ben, await world.drop_now())
    if restart == "before it is opened":
        await world.restart()
    opened = await world.ben.click(answered.response, label="Report")
    assert opened.modal["title"] == "Report this question"
    if restart == "before it is sent":
        await world.restart()
    thanks = await world.ben.submit_modal(opened, {"reason": "Two keys."})
    assert "Thank you." in text_of(thanks)
    assert rows(world.database)["reports"][0]["reason"] == "Two keys."


async def test_both_full_explanations_and_a_recorded_answer_can_be_reported(world: World) -> None:
    looked_up = await world.cleo.slash(world.channel, "explain", question="kettle")
    page = await world.cleo.click(looked_up.response, label="Full explanation")
    assert buttons_of(page) == {"Report": "qd:w:sample/kettle"}
    assert "Thank you." in text_of(await report_with(world, world.cleo, page, "Dry."))
    tally = await world.drop_now(explain="at close")
    recorded = await world.press_right(world.ben, tally)
    assert "this question" in text_of(await report_with(world, world.ben, recorded, "Dry."))
    await world.wait(hours=2)
    closed = await world.ada.click(world.message(tally), label="Full explanation")
    assert buttons_of(closed) == {"Report": "qd:r:1"}
    await report_with(world, world.ada, closed, "Cold.")
    assert [row["reason"] for row in rows(world.database)["reports"]].count("Dry.") == 2
    assert "3 reports" in text_of(await reports(world))


async def test_a_question_is_reported_by_the_handle_that_is_offered_while_it_is_open(
    world: World,
) -> None:
    await world.drop_now()
    [offered] = await world.cleo.autocomplete(world.channel, "question report", "question", "ket")
    assert offered["value"] == "drop:1"
    thanks = await world.cleo.slash(
        world.channel, "question report", question="drop:1", reason="Dry."
    )
    assert thanks.ephemeral
    assert "Your report of this question is on the list" in text_of(thanks)
    assert "kettle" not in text_of(thanks)
    [row] = rows(world.database)["reports"]
    assert (row["question"], row["drop_id"], row["reason"]) == (KETTLE, 1, "Dry.")


async def test_only_managers_read_and_settle_reports_and_only_they_are_offered_any(
    world: World,
) -> None:
    await world.ben.slash(world.channel, "question report", question="kettle", reason="Dry.")
    assert "Only members who may manage" in text_of(await reports(world, world.ben))
    for member, offered in ((world.ben, []), (world.ada, [KETTLE])):
        found = await member.autocomplete(world.channel, "question settle", "question", "")
        assert [each["value"] for each in found] == offered
    settle = {"channel": world.channel, "name": "question settle"}
    refused = await world.ben.slash(*settle.values(), question=KETTLE)
    assert "Only members who may manage" in text_of(refused)
    settled = await world.ada.slash(*settle.values(), question=KETTLE)
    assert text_of(settled) == "Settled: 1 report of “What is right about kettle?”."
    again = await world.ada.slash(*settle.values(), question=KETTLE)
    assert "There is no open report of this question." in text_of(again)
    assert "No question is reported here." in text_of(await reports(world))


async def test_a_report_that_came_twice_or_says_nothing_is_a_sentence(world: World) -> None:
    too_long = await world.ben.slash(
        world.channel, "question report", question="kettle", reason="x" * 501
    )
    assert "Please say in at most 500 characters" in text_of(too_long)
    none = await world.ben.slash(world.channel, "question report", question="samovar", reason="x")
    assert "No question matches “samovar”." in text_of(none)


async def test_a_question_that_was_voided_after_a_report_says_so_and_counts_for_nobody(
    world: World,
) -> None:
    tally = await world.drop_now()
    answered = await world.press_wrong(world.ben, tally)
    await report_with(world, world.ben, answered, "Mine is right, too.")
    await world.ada.slash(world.channel, "drop void", number=1)
    assert "- Mine is right, too." in text_of(await reports(world))
    assert "No answers here yet" in text_of(await world.ben.slash(world.channel, "streak show"))
    assert "This question was taken back." in text_of(world.message(tally))


async def test_a_long_list_stands_in_full_in_a_file_below_it(world: World) -> None:
    for member, reason in ((world.ben, "z" * 500), (world.cleo, "Dry.")):
        await member.slash(world.channel, "question report", question="kettle", reason=reason)
        await world.wait(minutes=1)
    shown = await reports(world)
    assert "z" * 500 not in text_of(shown)
    assert "All of it stands in the file below." in text_of(shown)
    [(name, data)] = files_of(world, shown)
    assert name == "reports.txt"
    assert data.decode() == (
        "What is right about kettle?\nsample/kettle · 2 reports\n- Dry.\n- " + "z" * 500
    )


def many(count: int, reason: str) -> list[Reported]:
    stem = "**Why** " + "so long " * 300
    question = make_question("kettle").model_copy(update={"stem": stem})
    return [Reported(question, 7, 9, (reason,) * 9, None, is_retired=True) for _ in range(count)]


@pytest.mark.parametrize("reason", ["*" * 500, "𝕏 " * 250, "@everyone" * 55])
def test_the_longest_list_is_one_message(reason: str) -> None:
    card = reports_card(many(40, reason))
    [file] = card.uploads
    assert file.name == "reports.txt"
    components: list[Any] = card.view.to_components()  # type: ignore[no-untyped-call]
    texts = [each["content"] for each in walk(components) if each["type"] == 10]
    assert sum(len(text.encode("utf-16-le")) // 2 for text in texts) <= 4000
    assert "6 more" in "".join(texts)
    assert file.data.decode().count("kettle · 9 reports · retired") == 40
    assert "retired" in "".join(texts)


def test_the_longest_file_has_an_end() -> None:
    question = make_question("kettle")
    [file] = reports_card([Reported(question, 7, 99, ("𝕏" * 500,) * 99, None, False)] * 300).uploads
    said = file.data.decode()
    assert said.endswith("- 79 more\n\nAnd 200 more questions.")
    assert said.count("- " + "𝕏" * 500) == 100 * 20
    assert len(file.data) < 8 * 2**20


async def test_the_form_keeps_discords_limits_and_is_not_remembered() -> None:
    form = report_form(ids.report_question(f"{'d' * 40}/{'q' * 40}"))
    assert form.is_finished()  # so discord.py keeps no memory of it
    sent = form.to_dict()
    assert len(sent["custom_id"]) <= 100
    assert len(sent["title"]) <= 45
    [label] = sent["components"]
    assert len(label["label"]) <= 45
    assert len(label["description"]) <= 100
    assert label["component"]["max_length"] == LONGEST_REASON
    assert label["component"]["style"] == 2


@pytest.mark.parametrize(
    ("custom_id", "components", "sentence"),
    [
        ("qd:r:1", [], "Please say in at most 500 characters"),
        ("qd:r:1", [{"type": 18, "component": {"custom_id": "other", "value": "x"}}], "Please say"),
        ("qd:r:1", [{"type": 18, "component": {"custom_id": "reason", "value": 5}}], "Please say"),
        (
            "qd:r:99",
            [{"type": 18, "component": {"custom_id": "reason", "value": "x"}}],
            "no record",
        ),
        (
            "qd:r:1",
            [{"type": 1, "components": [{"custom_id": "reason", "value": "x"}]}],
            "Thank you",
        ),
        (
            "qd:w:none/none",
            [{"type": 18, "component": {"custom_id": "reason", "value": "x"}}],
            "gone",
        ),
        (
            "old",
            [{"type": 18, "component": {"custom_id": "reason", "value": "x"}}],
            "another version",
        ),
    ],
)
async def test_any_form_that_comes_back_gets_one_sentence(
    database: Path, error_log: Any, custom_id: str, components: list[Any], sentence: str
) -> None:
    async with wired_with_a_drop(database) as (wired, _, _):
        before = len(wired.http.requests)
        data = {"custom_id": custom_id, "components": components}
        await wired.receive(interaction(5, data, 10**17))
        await wired.until_requests(before + 1)
        [(_, _, body)] = wired.http.requests[before:]
        shown = json.dumps(json.loads(body), ensure_ascii=False)
        assert sentence.replace("gone", "no longer in its deck") in shown
    stored = sqlite3.connect(database).execute("SELECT count(*) FROM reports").fetchone()
    assert stored == (int(sentence == "Thank you"),)


def test_a_question_is_never_a_report_without_its_member(tutor: Tutor, database: Path) -> None:
    """One report of a member for a question, by the schema itself."""
    tutor.reporting.report(KETTLE, "Dry.", GROUP, "ada", NOW)
    with closing(sqlite3.connect(database)) as other, pytest.raises(sqlite3.IntegrityError):
        other.execute(
            "INSERT INTO reports VALUES (?, ?, 'ada', 'Again.', NULL, '')", [GROUP, KETTLE]
        )


def test_a_question_may_be_reported_before_the_group_has_named_its_zone(tutor: Tutor) -> None:
    question: Question | None = tutor.reporting.report(KETTLE, "Dry.", "9001", "ada", NOW)
    assert question is not None
    assert [each.reports for each in listed(tutor, group="9001")] == [1]
