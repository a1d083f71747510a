"""Looking questions up: what is open stays shut until the member has answered or it has closed."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from bank.errors import UnknownDrop, UnknownQuestion, Withheld
from bank.models import Deck, DropState, Explain, Explanation, Match, Question
from bank.tutor import Tutor
from tests.conftest import OpenTutor
from tests.samples import (
    GROUP,
    NOW,
    add_schedule,
    drop_by_hand,
    drop_of,
    key_position,
    make_deck,
    make_question,
    slot_on,
)

OTHER_GROUP = "5001"
POSTED = slot_on(0, 10)
OPEN = slot_on(0, 10, 30)
CLOSE = slot_on(0, 11)
FILE_ORDER = (0, 1, 2, 3)


def deck_of(*questions: Question) -> Deck:
    return make_deck().model_copy(update={"questions": questions})


def edited(question: Question, **changes: object) -> Question:
    return Question.model_validate({**question.model_dump(), **changes})


def drop_now(
    tutor: Tutor,
    group: str = GROUP,
    *,
    now: datetime = POSTED,
    explain: Explain = Explain.NOW,
    deck: str = "sample",
) -> int:
    """Post a drop by hand that is open for an hour; its id."""
    drop = drop_by_hand(tutor, group, deck=deck, explain=explain, now=now)
    tutor.posting.posted(drop.id, f"message-{drop.id}", now)
    return drop.id


def question_of(tutor: Tutor, drop: int) -> str:
    return tutor.posting.tally(drop).question.id


def answer(tutor: Tutor, drop: int, member: str = "ada") -> None:
    tutor.answering.press(drop, 0, member, f"message-{drop}", OPEN)


def explain(
    tutor: Tutor, asked: str, member: str = "ada", group: str = GROUP, now: datetime = OPEN
) -> Explanation:
    return tutor.explaining.explain(asked, group, member, now)


def matches(
    tutor: Tutor, query: str, member: str = "ada", group: str = GROUP, now: datetime = OPEN
) -> list[Match]:
    return tutor.explaining.matches(query, group, member, now)


# Withheld while it is open


def test_an_open_question_is_withheld_until_the_member_has_answered(tutor: Tutor) -> None:
    drop = drop_now(tutor)
    asked = question_of(tutor, drop)
    with pytest.raises(Withheld, match="Answer it first, or wait until it closes") as caught:
        explain(tutor, asked)
    assert caught.value.closes_at == CLOSE
    answer(tutor, drop)
    assert explain(tutor, asked).question.id == asked
    with pytest.raises(Withheld):
        explain(tutor, asked, member="ben")


def test_a_question_opens_to_everybody_when_its_drop_closes(tutor: Tutor) -> None:
    asked = question_of(tutor, drop_now(tutor))
    with pytest.raises(Withheld):
        explain(tutor, asked, now=CLOSE - timedelta(microseconds=1))
    assert explain(tutor, asked, now=CLOSE).question.id == asked


def test_a_question_that_is_not_open_is_explained_to_anybody(tutor: Tutor) -> None:
    drop = drop_now(tutor)
    other = ({"sample/first", "sample/second"} - {question_of(tutor, drop)}).pop()
    explanation = explain(tutor, other)
    assert explanation.question == tutor.library.question(other, GROUP)
    assert explanation.order == FILE_ORDER
    assert explanation.domain == "Basics"


def test_explain_at_close_is_withheld_even_after_answering(tutor: Tutor) -> None:
    drop = drop_now(tutor, explain=Explain.AT_CLOSE)
    answer(tutor, drop)
    asked = question_of(tutor, drop)
    for look_up in (
        lambda now: explain(tutor, asked, now=now),
        lambda now: tutor.explaining.of_drop(drop, "ada", now),
        lambda now: tutor.explaining.of_message(f"message-{drop}", "ada", now),
    ):
        with pytest.raises(Withheld, match="Its explanation comes when it closes"):
            look_up(OPEN)
        assert look_up(CLOSE).question.id == asked
    [match] = [each for each in matches(tutor, "") if each.open_until]
    assert match.handle == f"drop:{drop}"


def test_a_question_is_withheld_from_the_claim_on_not_only_from_the_post(tutor: Tutor) -> None:
    add_schedule(tutor)
    [claimed] = tutor.posting.due(slot_on(0), seed=1).post
    assert claimed.state is DropState.CLAIMED
    with pytest.raises(Withheld):
        explain(tutor, claimed.question)


def test_a_missed_drop_withholds_nothing(tutor: Tutor) -> None:
    add_schedule(tutor)
    [claimed] = tutor.posting.due(slot_on(0), seed=1).post
    tutor.posting.missed(claimed.id, "no room")
    assert explain(tutor, claimed.question).question.id == claimed.question


def test_a_question_that_is_open_twice_needs_both_answers(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(make_deck("only"))
    # The clock was set back: when the second one was drawn, the first had closed.
    first, second = drop_now(tutor), drop_now(tutor, now=CLOSE)
    answer(tutor, first)
    with pytest.raises(Withheld):
        explain(tutor, "sample/only")
    with pytest.raises(Withheld):
        tutor.explaining.of_drop(first, "ada", OPEN)
    answer(tutor, second)
    assert explain(tutor, "sample/only").question.slug == "only"
    assert tutor.explaining.of_drop(first, "ada", OPEN).question.slug == "only"


def test_a_closed_drop_stays_shut_while_its_question_is_open_again(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(make_deck("only"))
    closed = drop_now(tutor)
    again = drop_now(tutor, now=CLOSE)
    later = CLOSE + timedelta(minutes=1)
    with pytest.raises(Withheld) as caught:
        tutor.explaining.of_drop(closed, "ada", later)
    assert caught.value.closes_at == tutor.posting.tally(again).drop.closes_at


# From another group


def test_a_drop_of_another_group_is_unknown_where_its_question_may_be_open(tutor: Tutor) -> None:
    drop = drop_now(tutor)
    assert tutor.explaining.of_drop(drop, "ada", CLOSE, group=GROUP)
    with pytest.raises(UnknownDrop):
        tutor.explaining.of_drop(drop, "ada", CLOSE, group="another-group")


def test_a_member_cannot_read_it_in_another_group_where_it_is_not_open(tutor: Tutor) -> None:
    answer(tutor, drop_now(tutor))  # so the group is one of theirs
    asked = question_of(tutor, drop_now(tutor))
    for group in (GROUP, OTHER_GROUP):
        with pytest.raises(Withheld):
            explain(tutor, asked, group=group)
        assert f"{asked}" not in {match.handle for match in matches(tutor, "", group=group)}


def test_a_question_open_in_a_strangers_group_is_not_withheld(tutor: Tutor) -> None:
    drop = drop_now(tutor)
    answer(tutor, drop, "ada")
    asked = question_of(tutor, drop_now(tutor))
    assert explain(tutor, asked, member="ben", group=OTHER_GROUP).question.id == asked


def test_another_groups_drop_handle_is_unknown(tutor: Tutor) -> None:
    drop = drop_now(tutor)
    for now in (OPEN, CLOSE):
        with pytest.raises(UnknownQuestion):
            explain(tutor, f"drop:{drop}", group=OTHER_GROUP, now=now)


# Searching


@pytest.mark.parametrize("query", ["", "right", "first", "alpha option"])
def test_a_shut_question_is_named_by_its_drop_and_never_by_its_id(
    open_tutor: OpenTutor, query: str
) -> None:
    tutor = open_tutor(make_deck("first"))
    drop = drop_now(tutor)
    stem = "What is right about first?"
    [shut] = matches(tutor, query)
    assert shut == Match(handle=f"drop:{drop}", stem=stem, open_until=CLOSE)
    answer(tutor, drop)
    assert matches(tutor, query) == [Match(handle="sample/first", stem=stem)]
    assert matches(tutor, query, "ben") == [shut]
    assert matches(tutor, query, "ben", now=CLOSE) == [Match(handle="sample/first", stem=stem)]


def test_the_handle_of_a_shut_question_leads_to_it_once_it_may_be_shown(tutor: Tutor) -> None:
    drop = drop_now(tutor)
    handle = f"drop:{drop}"
    for typed in (handle, f" {handle} "):
        with pytest.raises(Withheld):
            explain(tutor, typed)
    assert explain(tutor, handle, now=CLOSE).question.id == question_of(tutor, drop)
    answer(tutor, drop)
    assert explain(tutor, handle).question.id == question_of(tutor, drop)


def test_every_handle_that_a_search_gives_leads_somewhere(tutor: Tutor) -> None:
    answer(tutor, drop_now(tutor))
    drop_now(tutor)  # open in the member's group, and they ask in another
    for match in matches(tutor, "", group=OTHER_GROUP):
        if match.open_until:
            with pytest.raises(Withheld):
                explain(tutor, match.handle, group=OTHER_GROUP)
        explanation = explain(tutor, match.handle, group=OTHER_GROUP, now=CLOSE)
        assert explanation.question.stem == match.stem


SECRETS = {
    "slug": "tambourine",
    "tag": "trombone",
    "short": "marimba",
    "full": "xylophone",
    "rationale": "glockenspiel",
    "misconception": "ukulele",
}


def question_with_secrets() -> Question:
    """A question that shows none of the secret words on its message."""
    wrong = {"text": "Rain", "correct": False, "rationale": "No.", "misconception": "A ukulele"}
    right = {"text": "Nothing", "correct": True, "rationale": "As right as a glockenspiel."}
    return edited(
        make_question("tambourine"),
        stem="What sounds best at night?",
        options=[wrong, right],
        short="A marimba.",
        full="A xylophone.",
        tags=["trombone"],
    )


@pytest.mark.parametrize("word", SECRETS.values(), ids=SECRETS.keys())
def test_a_word_that_its_message_does_not_show_does_not_find_a_shut_question(
    open_tutor: OpenTutor, word: str
) -> None:
    tutor = open_tutor(deck_of(question_with_secrets()))
    handle = "sample/tambourine"
    assert [match.handle for match in matches(tutor, word)] == [handle]
    drop = drop_now(tutor)
    assert matches(tutor, word) == []
    with pytest.raises(UnknownQuestion):
        explain(tutor, word)
    assert [match.handle for match in matches(tutor, "sounds")] == [f"drop:{drop}"]
    answer(tutor, drop)
    assert [match.handle for match in matches(tutor, word)] == [handle]
    assert explain(tutor, word).question.id == handle


def test_what_a_shut_question_explains_does_not_sway_what_else_is_found(
    open_tutor: OpenTutor,
) -> None:
    # Else a search would tell which words stand in the explanation.
    tutor = open_tutor(deck_of(edited(make_question("first"), short="A marimba.")))
    drop_now(tutor)
    tutor.close()
    both = (make_question("first"), make_question("second"))
    found = []
    for short in ("A marimba.", "A whistle."):
        reopened = open_tutor(deck_of(edited(both[0], short=short), both[1]))
        found.append([match.stem for match in matches(reopened, "right marimba")])
    assert found[0] == found[1]


def test_an_empty_query_lists_the_first_questions_up_to_the_limit(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(make_deck(*[f"q{number:02}" for number in range(30)]))
    for query in ("", "  ", "right"):
        found = tutor.explaining.matches(query, GROUP, "ada", NOW)
        assert len(found) == 25
        assert len({match.handle for match in found}) == 25
        assert len(tutor.explaining.matches(query, GROUP, "ada", NOW, limit=3)) == 3
    assert matches(tutor, "")[0].handle == "sample/q00"


@pytest.mark.parametrize(
    "asked", ["qqqq", "", "  ", "???", "drop:99", "drop:", "drop:" + "9" * 30, "qqqq/zzzz"]
)
def test_what_names_no_question_is_refused_in_a_sentence(tutor: Tutor, asked: str) -> None:
    with pytest.raises(UnknownQuestion) as caught:
        explain(tutor, asked)
    assert f"“{asked}”" in caught.value.sentence


@pytest.mark.parametrize("asked", ["sample/second", " sample/second ", "second", "beta of second"])
def test_a_question_is_found_by_id_or_by_words(tutor: Tutor, asked: str) -> None:
    assert explain(tutor, asked).question.id == "sample/second"


def test_an_id_whose_question_is_gone_finds_no_other_question(open_tutor: OpenTutor) -> None:
    # The buttons of an old message carry such an id.
    tutor = open_tutor(make_deck("second", "third"))
    with pytest.raises(UnknownQuestion):
        explain(tutor, "sample/first")


# To all


def test_to_all_is_refused_while_any_drop_of_it_is_open_whoever_has_answered(
    tutor: Tutor,
) -> None:
    # matnad/pollmaster#61
    drop = drop_now(tutor)
    asked = question_of(tutor, drop)
    answer(tutor, drop)
    with pytest.raises(Withheld, match="show it to all once it has closed") as caught:
        tutor.explaining.to_all(asked, GROUP, "bob", OPEN)
    assert caught.value.closes_at == CLOSE
    explanation = tutor.explaining.to_all(asked, GROUP, "bob", CLOSE)
    assert (explanation.question.id, explanation.order) == (asked, FILE_ORDER)


def test_to_all_is_refused_from_the_claim_on(tutor: Tutor) -> None:
    add_schedule(tutor)
    [claimed] = tutor.posting.due(slot_on(0), seed=1).post
    with pytest.raises(Withheld):
        tutor.explaining.to_all(claimed.question, GROUP, "bob", OPEN)


def test_to_all_shows_what_is_not_open_here(tutor: Tutor) -> None:
    asked = question_of(tutor, drop_now(tutor))
    assert tutor.explaining.to_all(asked, OTHER_GROUP, "bob", OPEN).question.id == asked


def test_to_all_shows_a_member_nothing_that_is_shut_for_them_in_another_group(
    tutor: Tutor,
) -> None:
    answer(tutor, drop_now(tutor))
    shut = question_of(tutor, drop_now(tutor))
    with pytest.raises(Withheld, match="Answer it first"):
        tutor.explaining.to_all(shut, OTHER_GROUP, "ada", OPEN)


def test_to_all_takes_an_id_and_nothing_else(tutor: Tutor) -> None:
    for asked in ("first", "sample/nope", "drop:1"):
        with pytest.raises(UnknownQuestion):
            tutor.explaining.to_all(asked, GROUP, "bob", OPEN)


# By drop and by message


def test_a_drops_explanation_comes_in_the_drops_own_order(tutor: Tutor) -> None:
    drop_now(tutor)
    drop = drop_now(tutor)
    tally = tutor.posting.tally(drop)
    assert tally.drop.order != FILE_ORDER
    for look_up in (
        lambda member, now: tutor.explaining.of_drop(drop, member, now),
        lambda member, now: tutor.explaining.of_message(f"message-{drop}", member, now),
    ):
        with pytest.raises(Withheld, match="Answer it first"):
            look_up("ada", OPEN)
        explanation = look_up("ada", CLOSE)
        assert explanation.question == tally.question
        assert explanation.order == tally.drop.order
        assert explanation.domain == "Basics"


def test_a_drops_explanation_opens_to_those_who_have_answered(tutor: Tutor) -> None:
    drop = drop_now(tutor)
    answer(tutor, drop)
    assert tutor.explaining.of_drop(drop, "ada", OPEN).question.id == question_of(tutor, drop)
    with pytest.raises(Withheld):
        tutor.explaining.of_drop(drop, "ben", OPEN)
    with pytest.raises(Withheld):
        tutor.explaining.of_message(f"message-{drop}", "ben", OPEN)


def test_an_unknown_drop_or_message_is_refused(tutor: Tutor) -> None:
    with pytest.raises(UnknownDrop):
        tutor.explaining.of_drop(99, "ada", OPEN)
    with pytest.raises(UnknownDrop):
        tutor.explaining.of_message("no message of ours", "ada", OPEN)


# When the deck changes


def test_a_drop_keeps_the_text_it_posted_and_explain_has_the_latest(open_tutor: OpenTutor) -> None:
    # maths/moodle-qtype_stack#1119
    tutor = open_tutor(make_deck("first"))
    drop = drop_now(tutor)
    position = key_position(tutor, drop)
    tutor.close()
    new = edited(make_question("first", keys=(3,)), stem="What is new about first?")
    tutor = open_tutor(deck_of(new))
    old = make_question("first")
    with pytest.raises(Withheld):
        explain(tutor, "sample/first")
    outcome = tutor.answering.press(drop, position, "ada", f"message-{drop}", OPEN)
    assert (outcome.question, outcome.right) == (old, True)
    assert tutor.posting.tally(drop).question == old
    assert tutor.posting.reveal(drop).tally.question == old
    assert tutor.explaining.of_drop(drop, "ada", OPEN).question == old
    assert explain(tutor, "sample/first").question == new
    assert explain(tutor, f"drop:{drop}").question == new


CHANGES = {"stem": "What is new about first?"}
LATER = slot_on(4, 9)


def with_text(open_tutor: OpenTutor, *questions: Question) -> Tutor:
    """A tutor that knows these questions of the sample deck, as after a restart."""
    return open_tutor(deck_of(*questions))


def drop_and_close(tutor: Tutor, day: int) -> int:
    """A drop of that day, which is over the day after."""
    drop = drop_now(tutor, now=slot_on(day, 10))
    tutor.posting.due(slot_on(day, 12), 1)
    tutor.posting.revealed(drop)
    return drop


def test_a_text_that_changed_is_told_with_the_day_on_which_it_was_last_asked(
    open_tutor: OpenTutor,
) -> None:
    old, new = make_question("first"), edited(make_question("first"), **CHANGES)
    tutor = with_text(open_tutor, old)
    drops = [drop_and_close(tutor, 0), drop_and_close(tutor, 1)]
    assert explain(tutor, "sample/first", now=LATER).changed is None
    tutor = with_text(open_tutor, new)
    for explanation in (
        explain(tutor, "sample/first", now=LATER),
        explain(tutor, "new about", now=LATER),
        tutor.explaining.by_id("sample/first", GROUP, "ada", LATER),
        tutor.explaining.to_all("sample/first", GROUP, "ada", LATER),
    ):
        assert (explanation.question, explanation.order) == (new, FILE_ORDER)
        assert explanation.changed == slot_on(1).date()
        assert not explanation.newer
    for drop in drops:
        of_drop = tutor.explaining.of_drop(drop, "ada", LATER)
        assert (of_drop.question, of_drop.newer, of_drop.changed) == (old, True, None)
        assert tutor.posting.reveal(drop).newer
    # Asked again, the group knows the new text.
    again = drop_and_close(tutor, 2)
    assert explain(tutor, "sample/first", now=LATER).changed is None
    assert not tutor.explaining.of_drop(again, "ada", LATER).newer
    assert not tutor.posting.reveal(again).newer
    assert tutor.explaining.of_drop(drops[0], "ada", LATER).newer


def test_a_text_that_is_as_it_was_again_has_not_changed(open_tutor: OpenTutor) -> None:
    old = make_question("first")
    drop = drop_and_close(with_text(open_tutor, old), 0)
    with_text(open_tutor, edited(old, **CHANGES))
    tutor = with_text(open_tutor, old)
    assert explain(tutor, "sample/first", now=LATER).changed is None
    assert not tutor.explaining.of_drop(drop, "ada", LATER).newer


def test_the_day_is_the_groups_own(open_tutor: OpenTutor) -> None:
    tutor = with_text(open_tutor, make_question("first"))
    late = slot_on(0, 20)  # in Auckland it is tomorrow
    drop = drop_by_hand(tutor, zone="Pacific/Auckland", now=late)
    tutor.posting.posted(drop.id, "m1", late)
    tutor = with_text(open_tutor, edited(make_question("first"), **CHANGES))
    assert explain(tutor, "sample/first", now=LATER).changed == slot_on(1).date()


@pytest.mark.parametrize("change", [{"tags": ["new"]}, {"lint": ["cue: why not"]}])
def test_what_no_member_reads_has_not_changed_for_them(
    open_tutor: OpenTutor, change: dict[str, object]
) -> None:
    drop = drop_and_close(with_text(open_tutor, make_question("first")), 0)
    tutor = with_text(open_tutor, edited(make_question("first"), **change))
    assert explain(tutor, "sample/first", now=LATER).changed is None
    assert not tutor.explaining.of_drop(drop, "ada", LATER).newer
    assert not tutor.posting.reveal(drop).newer


def test_what_a_group_was_never_asked_has_not_changed_there(open_tutor: OpenTutor) -> None:
    tutor = with_text(open_tutor, make_question("first"))
    drop_and_close(tutor, 0)
    missed = drop_by_hand(tutor, OTHER_GROUP)
    tutor.posting.missed(missed.id, "no room")
    unseen = drop_by_hand(tutor, "6001")
    tutor.voiding.void("6001", 1, NOW)
    assert drop_of(tutor, unseen.id).message is None
    tutor = with_text(open_tutor, edited(make_question("first"), **CHANGES))
    assert explain(tutor, "sample/first", now=LATER).changed
    for group in (OTHER_GROUP, "6001", "7001"):
        assert explain(tutor, "sample/first", group=group, now=LATER).changed is None


def test_a_question_that_is_gone_has_no_newer_text(open_tutor: OpenTutor) -> None:
    drop = drop_and_close(with_text(open_tutor, make_question("first")), 0)
    for tutor in (
        with_text(open_tutor, make_question("second")),
        open_tutor(make_deck("first", name="other")),
    ):
        explanation = tutor.explaining.of_drop(drop, "ada", LATER)
        assert (explanation.question, explanation.newer) == (make_question("first"), False)
        assert not tutor.posting.reveal(drop).newer


def test_a_deck_of_another_group_makes_no_text_newer(open_tutor: OpenTutor) -> None:
    tutor = open_tutor(make_deck(name="other"))
    first = make_question("first")
    new = edited(first, **CHANGES)
    for group, question in ((GROUP, first), (OTHER_GROUP, new)):
        tutor.library.put(deck_of(question), group)
    drops = [drop_now(tutor), drop_now(tutor, OTHER_GROUP)]
    tutor.library.put(deck_of(new), GROUP)
    told = [tutor.explaining.of_drop(drop, "ada", LATER).newer for drop in drops]
    assert told == [True, False]
    changed = [
        explain(tutor, "sample/first", group=group, now=LATER).changed
        for group in (GROUP, OTHER_GROUP)
    ]
    assert changed == [POSTED.date(), None]


def test_a_drop_outlives_its_question_and_its_deck(open_tutor: OpenTutor) -> None:
    tutor = open_tutor()
    drop = drop_now(tutor)
    asked = question_of(tutor, drop)
    tutor.close()
    tutor = open_tutor(make_deck("something-else", name="other"))
    answer(tutor, drop)
    explanation = tutor.explaining.of_drop(drop, "ada", OPEN)
    assert explanation.question.id == asked
    assert explanation.domain == "basics"  # its title went with the deck
    for gone in (asked, f"drop:{drop}"):
        with pytest.raises(UnknownQuestion):
            explain(tutor, gone)
