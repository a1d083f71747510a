"""The models: frozen, and each refuses nonsense when it is built and names the culprit."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from bank import models
from bank.models import (
    Answer,
    Deck,
    Domain,
    Drop,
    DropState,
    Explain,
    Image,
    Option,
    Question,
    Schedule,
)
from tests.samples import NOW, make_deck, make_question

MODELS = [
    model
    for model in vars(models).values()
    if isinstance(model, type) and issubclass(model, models.Model) and model is not models.Model
]

BAD_NAMES = [
    "",
    "Upper",
    "two words",
    "under_score",
    "-leads",
    "trails-",
    "two--hyphens",
    "a/b",
    "../up",
    "käse",
    "line\n",
    "n" * 41,
]


def question(**changes: Any) -> Question:
    return Question.model_validate({**make_question().model_dump(), **changes})


def options(*correct: bool) -> list[dict[str, Any]]:
    return [
        {"text": f"Option {place}", "correct": key, "rationale": "Because."}
        for place, key in enumerate(correct)
    ]


def drop(state: DropState, **changes: Any) -> Drop:
    """A drop that closes an hour after NOW."""
    arguments: dict[str, Any] = {
        "id": 1,
        "number": 1,
        "schedule": None,
        "group": "g",
        "room": "r",
        "deck": "sample",
        "question": "sample/first",
        "version": "v",
        "order": (0, 1, 2, 3),
        "seed": 1,
        "slot": NOW,
        "claimed_at": NOW,
        "closes_at": NOW + timedelta(hours=1),
        "explain": Explain.NOW,
        "state": state,
    }
    return Drop(**{**arguments, **changes})


def culprits(error: ValidationError) -> set[str]:
    return {".".join(map(str, problem["loc"])) for problem in error.errors()}


# All of them


@pytest.mark.parametrize("model", MODELS)
def test_every_model_is_frozen_and_takes_no_unknown_field(model: type[models.Model]) -> None:
    assert model.model_config["frozen"]
    assert model.model_config["extra"] == "forbid"


def test_a_model_cannot_be_changed() -> None:
    built = make_question()
    with pytest.raises(ValidationError, match="frozen"):
        built.stem = "Another stem"  # type: ignore[misc]
    assert built == make_question()


def test_an_unknown_field_is_refused_by_name() -> None:
    with pytest.raises(ValidationError) as caught:
        question(answer="B")
    assert culprits(caught.value) == {"answer"}


# Questions


@pytest.mark.parametrize(
    ("correct", "which"),
    [((True, True), "every"), ((True, True, True), "every"), ((False, False), "no")],
)
def test_a_question_needs_a_key_and_a_distractor(correct: tuple[bool, ...], which: str) -> None:
    words = f"in sample/first {which} option is correct; a question needs a key and a distractor"
    with pytest.raises(ValidationError, match=words):
        question(options=options(*correct))


def test_a_question_may_have_several_keys() -> None:
    assert question(options=options(False, True, True, False, True)).keys == (1, 2, 4)
    assert question(options=options(True, False)).keys == (0,)


@pytest.mark.parametrize("chosen", [(), (2, 1), (1, 1)])
def test_an_answer_is_a_set_of_options_in_order(chosen: tuple[int, ...]) -> None:
    with pytest.raises(ValidationError) as caught:
        Answer(drop=1, member="ada", options=chosen, at=NOW)
    assert culprits(caught.value) == {"options"}
    assert Answer(drop=1, member="ada", options=(1, 2), at=NOW).options == (1, 2)


@pytest.mark.parametrize("count", [0, 1, 9])
def test_a_question_has_no_fewer_than_two_and_no_more_than_eight_options(count: int) -> None:
    with pytest.raises(ValidationError) as caught:
        question(options=options(*[place == 0 for place in range(count)]))
    assert culprits(caught.value) == {"options"}


@pytest.mark.parametrize("count", [2, 8])
def test_two_and_eight_options_are_taken(count: int) -> None:
    built = question(options=options(*[place == count - 1 for place in range(count)]))
    assert built.keys == (count - 1,)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_a_question_has_a_stem(text: str) -> None:
    with pytest.raises(ValidationError) as caught:
        question(stem=text)
    assert culprits(caught.value) == {"stem"}


def test_an_option_has_a_text() -> None:
    with pytest.raises(ValidationError) as caught:
        Option(text=" ", correct=True, rationale="Why.")
    assert culprits(caught.value) == {"text"}


def test_explanations_may_be_absent() -> None:
    assert Option(text="One", correct=True).rationale == ""
    assert question(short="  \n", full="").short == ""


def test_a_version_is_of_what_members_read() -> None:
    plain = question()
    assert question(lint=("cue: why not",), expires=date(2027, 1, 1)).version == plain.version
    assert question(exhibit=Image(path="x.png")).version != plain.version


def test_a_version_written_before_there_were_exhibits_still_holds() -> None:
    assert make_question().version == "0defaf82e68ea8d4"


@pytest.mark.parametrize("field", ["deck", "slug", "domain"])
@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_question_refuses_a_bad_name_and_says_which(field: str, name: str) -> None:
    with pytest.raises(ValidationError) as caught:
        question(**{field: name})
    assert culprits(caught.value) == {field}


@pytest.mark.parametrize("name", ["a", "7", "nca-aiio", "a-1-b", "n" * 40])
def test_a_good_name_is_taken(name: str) -> None:
    assert question(deck=name, slug=name).id == f"{name}/{name}"


def test_every_fault_of_a_question_is_named_at_once() -> None:
    with pytest.raises(ValidationError) as caught:
        question(slug="Bad Name", stem="", options=options(True))
    assert culprits(caught.value) == {"slug", "stem", "options"}


# Versions


def test_a_version_is_that_of_the_content() -> None:
    assert make_question().version == make_question().version
    assert question().version == make_question().version


@pytest.mark.parametrize(
    "changes",
    [
        {"slug": "other"},
        {"stem": "Another stem?"},
        {"short": "Shorter."},
        {"full": "Longer."},
        {"options": options(True, False, False, False)},
        {"image": {"path": "images/one.png", "alt": "One"}},
        {"tags": ("new",)},
        {"sources": ()},
    ],
)
def test_a_change_of_any_part_is_another_version(changes: dict[str, Any]) -> None:
    assert question(**changes).version != make_question().version


SEEN = {"path": "images/one.png", "alt": "One", "digest": "aa"}


def test_a_version_written_before_there_were_digests_still_holds() -> None:
    one, two = Image(path="images/one.png", alt="One"), Image(path="images/two.png")
    assert question(image=one).version == "6f7ad28bdffd7f4c"
    assert question(image=one, exhibit=two).version == "d010a7896bd7bcd0"
    for name in ("image", "exhibit"):
        versions = {question(**{name: {**SEEN, "digest": digest}}).version for digest in "abc"}
        assert len({question(**{name: one}).version, *versions}) == 4


@pytest.mark.parametrize(
    ("same", "changes"),
    [
        (True, {"tags": ("new",)}),
        (True, {"domain": "other"}),
        (True, {"expires": date(2027, 1, 1), "lint": ("cue: why not",)}),
        (False, {"stem": "Another stem?"}),
        (False, {"short": "Shorter."}),
        (False, {"full": "Longer."}),
        (False, {"sources": ()}),
        (False, {"options": options(True, False, False, False)}),
        (False, {"image": SEEN}),
        (False, {"exhibit": SEEN}),
    ],
)
def test_what_only_sorts_a_question_is_no_other_text(same: bool, changes: dict[str, Any]) -> None:
    plain, changed = question(), question(**changes)
    assert plain.reads_as(changed) is changed.reads_as(plain) is same
    assert changed.reads_as(question(**changes))


@pytest.mark.parametrize("name", ["image", "exhibit"])
@pytest.mark.parametrize(
    ("same", "changes"),
    [
        (True, {"path": "images/renamed.png"}),
        (True, {"digest": None}),  # an older version's text says nothing of the file
        (False, {"digest": None, "path": "images/renamed.png"}),
        (False, {"digest": "bb"}),
        (False, {"alt": "Another"}),
    ],
)
def test_a_picture_is_the_same_when_its_content_is(
    name: str, same: bool, changes: dict[str, Any]
) -> None:
    before, after = question(**{name: SEEN}), question(**{name: {**SEEN, **changes}})
    assert before.reads_as(after) is after.reads_as(before) is same


# Decks


def deck(**changes: Any) -> Deck:
    return Deck.model_validate({**make_deck().model_dump(), **changes})


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_deck_refuses_a_bad_name(name: str) -> None:
    with pytest.raises(ValidationError) as caught:
        deck(name=name)
    assert culprits(caught.value) == {"name"}


def test_a_deck_has_a_domain() -> None:
    with pytest.raises(ValidationError) as caught:
        deck(domains=())
    assert culprits(caught.value) == {"domains"}


@pytest.mark.parametrize("weight", [0, -5, 100.5, float("nan")])
def test_a_domain_weighs_more_than_nothing_and_no_more_than_all(weight: float) -> None:
    with pytest.raises(ValidationError) as caught:
        Domain(id="basics", title="Basics", weight=weight)
    assert culprits(caught.value) == {"weight"}


def test_a_deck_finds_its_domains_by_id() -> None:
    built = make_deck()
    assert built.domain("basics") == built.domains[0]
    assert built.domain("nothing-like-it") is None


# Schedules


@pytest.mark.parametrize("field", ["times", "weekdays"])
def test_a_schedule_without_a_time_or_a_day_is_refused(field: str) -> None:
    # It would have no next slot, and looking for one would never end.
    arguments: dict[str, Any] = {
        "id": 1,
        "group": "g",
        "zone": "UTC",
        "deck": "sample",
        "room": "r",
        "times": (time(10),),
        "weekdays": (0,),
        "open_minutes": 60,
        "explain": Explain.NOW,
        "settled_until": NOW,
    }
    assert Schedule(**arguments).paused is False
    with pytest.raises(ValidationError) as caught:
        Schedule(**{**arguments, field: ()})
    assert culprits(caught.value) == {field}


# Drops


@pytest.mark.parametrize(
    ("state", "open_before", "over_before", "over_after"),
    [
        (DropState.CLAIMED, True, False, True),
        (DropState.POSTED, True, False, True),
        # What has closed stays so, also when the clock is set back.
        (DropState.CLOSED, False, True, True),
        (DropState.REVEALED, False, True, True),
        (DropState.VOIDED, False, True, True),
        (DropState.MISSED, False, False, False),  # its question was never shown, and may still be
    ],
)
def test_a_drop_takes_answers_until_it_closes_and_then_its_key_may_be_shown(
    state: DropState, open_before: bool, over_before: bool, over_after: bool
) -> None:
    before, at_close = NOW + timedelta(minutes=59), NOW + timedelta(hours=1)
    assert drop(state).takes_answers(before) is open_before
    assert not drop(state).takes_answers(at_close)
    assert drop(state).is_over(before) is over_before
    assert drop(state).is_over(at_close) is over_after
