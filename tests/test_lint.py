"""Lint tells an author what is wrong with a question, and leaves alone what only looks like it."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest

from bank.lint import Severity, lint
from bank.lint.sizes import MESSAGE, REASONS, answer_units, drop_units, reveal_units
from bank.models import Image, Reveal, Streak, Tally
from bot.cards import Card
from bot.cards.answer import _REASONS_UNITS, answer_card
from bot.cards.drop import drop_card, reveal_card
from bot.cards.text import SAFE_UNITS, units
from tests.kitchen import TEXTS, TODAY, deck, found, only, option, options, question
from tests.test_cards import content, drop_of, outcome_of


def test_a_good_question_has_no_finding() -> None:
    assert found(question()) == []


# Options


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rises and boils", "rises and  boils."),
        ("Rises and boils", "**Rises** and boils"),
        ("Re-heated water", "Re heated water"),
        ("The “hot” end of it", "The hot end of it"),
    ],
)
def test_options_that_differ_in_looks_alone_are_the_same(one: str, other: str) -> None:
    finding = only("same-options", options=options(one, "Sinks and cools", other))
    assert finding.part == 2
    assert finding.text.startswith("{a} and {c} say the same")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.5 kg of ice", "15 kg of ice"),
        ("-5 degrees", "5 degrees"),
        ("> 5 ms", "< 5 ms"),
        ("> 5 ms", "5 ms"),
        ("`a_b`", "`ab`"),
        ("`Foo`", "`foo`"),
        ("x*y", "xy"),
        ("*args", "**args"),
    ],
)
def test_options_that_differ_by_a_sign_are_not_the_same(one: str, other: str) -> None:
    assert "same-options" not in found(question(options=options(one, "Something else", other)))


@pytest.mark.parametrize(
    "text",
    [
        "All of the above",
        "None of the above",
        "**All the above.**",
        "None of these",
        "Neither of the above",
        "All options are correct",
        "All of the above could be causes",
    ],
)
def test_all_and_none_of_the_above_are_told_in_any_wording(text: str) -> None:
    assert "all-or-none" in found(question(options=options(*TEXTS[:2], text)))


@pytest.mark.parametrize(
    "text", ["All other kettles cool", "None of the water boils", "All of these kettles cool down"]
)
def test_all_of_something_else_is_an_option(text: str) -> None:
    assert "all-or-none" not in found(question(options=options(*TEXTS[:2], text)))


@pytest.mark.parametrize("text", ["Both {a} and {b}", "{a} and {b}", "{b} only", "Both A and B"])
def test_an_option_made_of_others_is_told(text: str) -> None:
    assert "combined-options" in found(question(options=options(*TEXTS[:2], text)))


def test_a_key_that_stands_out_is_a_warning_and_a_distractor_a_note() -> None:
    long = TEXTS[0] + " because warm water is lighter than cold water"
    key = only("key-stands-out", options=options(long, *TEXTS[1:]))
    assert (key.part, key.rule.severity) == (0, Severity.WARNING)
    distractor = only("option-stands-out", options=options(TEXTS[0], long[::-1], TEXTS[2]))
    assert (distractor.part, distractor.rule.severity) == (1, Severity.NOTE)


def test_length_is_measured_as_it_is_shown() -> None:
    link = "[Its bottom layer warms up](https://example.org/a-very-long-address) and rises"
    assert found(question(options=options(link, *TEXTS[1:]))) == []


def test_numbers_out_of_order_are_noted() -> None:
    assert only("unordered-numbers", options=options("10 °C", "40 °C", "20 °C")).part == 0
    assert found(question(options=options("1,000 °C", "400 °C", "20 °C"))) == []
    assert found(question(options=options("10 °C", "40 km", "20 °C"))) == []


def test_words_that_open_every_option_are_noted() -> None:
    texts = [f"The water in it {what}" for what in ("rises", "sinks", "boils")]
    assert only("repeated-opening", options=options(*texts)).part == 0


def test_vague_words_are_noted_and_comparisons_left_alone() -> None:
    assert only("vague-terms", options=options(*TEXTS[:2], "It usually boils first")).part == 2
    assert found(question(options=options(*TEXTS[:2], "It boils less often now"))) == []


def test_a_distractor_and_a_key_without_a_reason_are_told_once_each() -> None:
    bare = tuple(each.model_copy(update={"rationale": ""}) for each in question().options)
    findings = lint(deck(question(options=bare)), TODAY)
    assert [(each.rule.id, each.part) for each in findings] == [
        ("bare-distractor", 1),
        ("bare-key", 0),
    ]
    assert findings[0].text.startswith("{b} and {c} have no reason")


def test_several_keys_without_a_reason_are_one_finding() -> None:
    bare = tuple(each.model_copy(update={"rationale": ""}) for each in options(*TEXTS, keys=(0, 2)))
    findings = lint(deck(question(options=bare)), TODAY)
    assert [(each.rule.id, each.part) for each in findings] == [
        ("bare-distractor", 1),
        ("bare-key", 0),
    ]
    assert findings[1].text.startswith("the keys {a} and {c} have no reason")


def test_a_distractor_that_names_no_misconception_is_noted() -> None:
    silent = (*options(*TEXTS[:2]), option(TEXTS[2], misconception=None))
    assert only("no-misconception", options=silent).part == 2


# Stems


@pytest.mark.parametrize(
    "stem",
    [
        "Which of these is not a gas?",
        "Which part of a kettle doesn't get hot?",
        "Which of these should never be boiled?",
        "All of these boil except which one?",
        "Which one is least likely to boil?",
        "Which statement about steam is false?",
        "Which is an incorrect statement about steam?",
        "A kettle is on. Its lid is open. What can not happen? Choose one.",
    ],
)
def test_a_negative_stem_is_told_unless_the_word_stands_out(stem: str) -> None:
    assert "negative-stem" in found(question(stem=stem))
    word = r"not|doesn't|never|except|least|false|incorrect"
    loud = re.sub(rf"\b({word})\b", lambda each: f"**{each[0]}**", stem)
    assert "negative-stem" not in found(question(stem=loud))
    if "doesn't" not in stem:
        capitals = re.sub(rf"\b({word})\b", lambda each: each[0].upper(), stem)
        assert "negative-stem" not in found(question(stem=capitals))


@pytest.mark.parametrize(
    "stem",
    [
        "The kettle does not boil. What should you check first?",
        "What should you do if the kettle does not boil?",
        "Which switch prevents false alarms?",
        "Which change gives users the least privilege?",
        "Why does the kettle not boil?",
        "Which new switch keeps the kettle on but not the stove?",
        "What takes at least an hour to boil?",
    ],
)
def test_a_negative_that_turns_nothing_round_is_left_alone(stem: str) -> None:
    assert "negative-stem" not in found(question(stem=stem))


@pytest.mark.parametrize(
    "stem",
    [
        "Which of the following is true?",
        "Which of these statements are correct?",
        "Choose the correct answer.",
        "What is the best answer?",
        "True?",
    ],
)
def test_a_stem_that_asks_nothing_without_its_options_is_told(stem: str) -> None:
    assert found(question(stem=stem)) == ["needs-options"]
    shown = question(stem=stem, exhibit=Image(path="graph.png", alt="A graph."))
    assert "needs-options" not in found(shown)


@pytest.mark.parametrize(
    "stem", ["Which statement about steam is true?", "Which of the following is true of steam?"]
)
def test_a_stem_that_only_names_a_subject_is_noted(stem: str) -> None:
    assert only("unfocused-stem", stem=stem).part == "stem"


@pytest.mark.parametrize(
    ("stem", "asks"),
    [
        ("Steam rises from the kettle.", False),
        ("Steam rises because of", True),
        ("Water boils at ___ degrees.", True),
        (r"Water boils at \_\_\_ degrees.", True),
        ("Name the first thing that rises.", True),
        ("Which of these rises first.", True),
        ("蒸気はどこへ行きますか？", True),
    ],
)
def test_a_stem_ends_in_a_question_an_instruction_or_a_gap(stem: str, asks: bool) -> None:
    assert ("no-question" in found(question(stem=stem))) is not asks


def test_a_statement_to_be_judged_needs_no_question() -> None:
    assert found(question(stem="Steam rises.", options=options("True", "False"))) == []


# Cues


@pytest.mark.parametrize(
    ("stem", "texts"),
    [
        ("Hot air lifts an", ("airship", "balloon", "plane")),
        ("Data is kept on a", ("disk", "SSD", "NVMe drive")),
        ("He waited for an", ("hour", "week", "unit of time")),
        ("The lightest metals are", ("alloys", "copper", "iron")),
    ],
)
def test_a_stem_whose_last_word_gives_the_key_away_is_told(
    stem: str, texts: tuple[str, ...]
) -> None:
    assert "grammar-cue" in found(question(stem=stem, options=options(*texts)))


@pytest.mark.parametrize(
    ("stem", "texts"),
    [
        ("Hot air lifts a(n)", ("airship", "balloon", "plane")),
        ("Hot air lifts an", ("airship", "engine", "apple")),
        ("Which food is rich in vitamin A?", ("Apricots", "Bread", "Salt")),
        ("Hot air lifts a", ("UPS", "unit", "balloon")),
        ("A balloon is filled with a gas that is", ("hot", "wet", "dense")),
    ],
)
def test_a_stem_that_every_option_follows_is_left_alone(stem: str, texts: tuple[str, ...]) -> None:
    assert "grammar-cue" not in found(question(stem=stem, options=options(*texts)))


def test_absolute_terms_are_told_in_distractors_alone() -> None:
    told = only("absolute-terms", options=options(*TEXTS[:2], "It always boils first"))
    assert told.part == 2
    both = options("It never sinks but rises", "It always sinks down first", TEXTS[2])
    assert found(question(options=both)) == []


def test_only_in_two_distractors_is_noted() -> None:
    texts = ("Its bottom layer rises first", "Only its top layer rises", "Only its lid warms up")
    assert only("only-in-distractors", options=options(*texts)).part == 1


def test_a_word_that_rings_from_stem_to_key_is_noted() -> None:
    stem = "What does the convective movement lift?"
    key = options("Its bottom layer, by convection", *TEXTS[1:])
    assert only("clang", stem=stem, options=key).part == 0
    both = options("Its bottom, by convection", "Its top, by convection", TEXTS[2])
    assert found(question(stem=stem, options=both)) == []


# Explanations


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("full", "{b} is correct because cold water sinks."),
        ("full", "The correct answer is {b}: cold water sinks."),
        ("full", "Answer: **{b}**"),
        ("full", "{a} is incorrect, since nothing rises. {b} is right."),
        ("full", "{b} and {c} are right."),
        ("full", "{a} floats, so nobody thinks it at first, but {b} is right."),
        ("short", "{a} is wrong because nothing rises."),
    ],
)
def test_an_explanation_that_blames_the_key_is_an_error(place: str, text: str) -> None:
    # harvard-edge/cs249r_book PR#1035
    findings = lint(deck(question(**{place: text})), TODAY)
    assert {(each.rule.id, each.part) for each in findings} == {("contradicted-key", place)}
    assert findings[0].rule.severity is Severity.ERROR


def test_a_reason_that_judges_its_own_option_wrongly_is_an_error() -> None:
    blamed = (option(TEXTS[0], True, rationale="Incorrect. Nothing rises."), *options(*TEXTS)[1:])
    assert only("contradicted-key", options=blamed).part == 0
    praised = (*options(*TEXTS[:2]), option(TEXTS[2], rationale="**Correct!** It boils."))
    assert only("contradicted-key", options=praised).part == 2


@pytest.mark.parametrize(
    "text",
    [
        "{a} is right because warm water is lighter. {b} and {c} are wrong.",
        "{b} is right about the lid, but not about the water.",
        "{b} would be correct in a fridge.",
        "If {b} is right, warm water sinks, which it does not.",
        "`{b} is correct`",
        "{a} fits. {b} has the right layers in the wrong order.",
    ],
)
def test_an_explanation_that_agrees_with_the_key_is_left_alone(text: str) -> None:
    assert found(question(full=text)) == []


def test_several_keys_may_all_be_called_right() -> None:
    two = options(*TEXTS, keys=(0, 1))
    for text in ("{a} and {b} are right.", "{c} is wrong."):
        assert found(question(options=two, full=text)) == []
    assert found(question(options=two, full="{b} is wrong.")) == ["contradicted-key"]


@pytest.mark.parametrize(
    "changes",
    [
        {"full": "Option B sinks because it is cold."},
        {"short": "The rest is like (B), which sinks."},
        {"options": (option(TEXTS[0], True, rationale="See option C."), *options(*TEXTS)[1:])},
        {
            "options": (
                *options(*TEXTS[:2]),
                option(TEXTS[2], misconception="Takes option B for it"),
            )
        },
    ],
)
def test_a_text_that_names_a_letter_is_an_error(changes: dict[str, Any]) -> None:
    finding = only("named-letter", **changes)
    assert finding.rule.severity is Severity.ERROR
    assert finding.text.endswith(("write {b}", "write {c}"))


@pytest.mark.parametrize(
    "text", ["Vitamin B dissolves.", "A kettle is {a}.", "`Option B` is code."]
)
def test_a_letter_that_names_no_option_is_left_alone(text: str) -> None:
    assert found(question(full=text)) == []


def test_options_that_are_letters_themselves_are_left_alone() -> None:
    assert found(question(options=options("A", "B", "C"), full="See the picture.")) == []


def test_a_missing_explanation_is_a_warning_if_short_and_a_note_if_full() -> None:
    assert only("no-short", short="").rule.severity is Severity.WARNING
    assert only("no-full", full="").rule.severity is Severity.NOTE


# Upkeep


def test_what_has_no_domain_source_or_alt_text_is_told() -> None:
    assert only("no-source", sources=()).part == "sources"
    assert only("no-domain", domain="unsorted").part == "domain"
    assert only("no-alt", image=Image(path="kettle.png")).part == "image"
    assert only("no-alt", exhibit=Image(path="kettle.png")).part == "exhibit"


def test_a_question_expires_when_its_day_is_over() -> None:
    assert found(question(expires=TODAY)) == []
    assert only("expired", expires=date(2026, 6, 30)).part == "expires"


# Length


def test_a_drop_that_is_too_long_is_an_error_and_counted_as_discord_does() -> None:
    words = "🫖 " * 1250  # two units each, with the space three
    assert len(words) < MESSAGE
    finding = only("over-long", stem=f"{words}?")
    assert finding.rule.severity is Severity.ERROR
    assert found(question(stem="k " * 1250 + "?")) == []


def test_a_reveal_or_an_answer_that_is_too_long_is_a_warning() -> None:
    assert only("over-long-answer", short="Warm. " * 600).part == "short"


def test_a_reason_that_is_cut_beside_others_is_a_warning() -> None:
    texts = [f"{TEXTS[0]} {at} times" for at in range(6)]
    six = tuple(option(text, at < 3, rationale="Warm. " * 90) for at, text in enumerate(texts))
    assert "over-long-answer" in found(question(options=six, full=""))
    two = tuple(option(text, at < 1, rationale="Warm. " * 90) for at, text in enumerate(texts))
    assert "over-long-answer" not in found(question(options=two, full=""))


def test_the_figures_for_a_message_are_those_of_the_cards() -> None:
    assert (MESSAGE, REASONS) == (SAFE_UNITS, _REASONS_UNITS)


def size(card: Card) -> int:
    return sum(map(units, content(card)))


def test_a_message_is_never_longer_than_lint_counts_and_not_far_from_it() -> None:
    asked = question()
    made = deck(asked)
    drop = drop_of(asked, number=123_456, role="9" * 20)
    tally = Tally(drop=drop, question=asked, counts=(99_999,) * 3, answered=99_999)
    members = tuple("9" * 20 for _ in range(1000))
    outcome = outcome_of(asked, 1, new=False, streak=Streak(length=9999, best=9999, run=9999))
    for counted, shown in (
        (drop_units(asked, made), size(drop_card(tally, made.title, "Water"))),
        (
            reveal_units(asked, made),
            size(reveal_card(Reveal(tally=tally, extended=members), made.title, "Water", None)),
        ),
        (answer_units(asked), size(answer_card(outcome, None))),
    ):
        assert shown <= counted <= shown + 200
