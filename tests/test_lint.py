"""Lint tells an author what is wrong with an item, and leaves alone what only looks like it."""

from __future__ import annotations

import re
import time
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.decks import check_deck, load_deck
from bank.lint import RULES, Finding, Severity, lint, placed
from bank.lint.balance import longest_share
from bank.lint.sizes import MESSAGE, drop_units
from bank.models import Deck, Domain, Image, Option, Question
from bot.cards.text import SAFE_UNITS

TODAY = date(2026, 7, 1)
SHIPPED = Path(__file__).parents[1] / "data" / "nca-aiio"

# A question that no rule has anything to say of; each test changes one thing.
STEM = "A kettle is switched on. What happens to its water first?"
TEXTS = (
    "Its bottom layer warms up and rises",
    "Its top layer warms up and sinks",
    "It boils at once",
)


def option(text: str, correct: bool = False, **more: Any) -> Option:
    fields = {"rationale": f"This is why it is so with {text.lower()}."}
    if not correct:
        fields["misconception"] = "Takes one for the other"
    return Option(text=text, correct=correct, **{**fields, **more})


def options(*texts: str, keys: tuple[int, ...] = (0,)) -> tuple[Option, ...]:
    return tuple(option(text, at in keys) for at, text in enumerate(texts))


def question(slug: str = "kettle", **changes: Any) -> Question:
    fields: dict[str, Any] = {
        "deck": "kitchen",
        "slug": slug,
        "domain": "water",
        "stem": STEM,
        "options": options(*TEXTS),
        "short": "Warm water floats.",
        "full": "{a} is what convection does. {b} and {c} have it the other way round.",
        "sources": ("https://example.org/convection",),
    }
    return Question(**{**fields, **changes})


def deck(*questions: Question, **changes: Any) -> Deck:
    fields: dict[str, Any] = {
        "name": "kitchen",
        "title": "Kitchen physics",
        "description": "Water, heat and air.",
        "language": "en",
        "licence": "MIT",
        "blueprint": "2",
        "domains": (Domain(id="water", title="Water", weight=100),),
        "questions": questions,
    }
    return Deck(**{**fields, **changes})


def found(*questions: Question, **changes: Any) -> list[str]:
    """The ids of the rules that are broken."""
    return [finding.rule.id for finding in lint(deck(*questions, **changes), TODAY)]


def only(rule: str, **changes: Any) -> Finding:
    """The one finding of a question with these changes."""
    findings = lint(deck(question(**changes)), TODAY)
    assert [finding.rule.id for finding in findings] == [rule]
    return findings[0]


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
        ("Name the first thing that rises.", True),
        ("Which of these rises first.", True),
        ("蒸気はどこへ行きますか？", True),
    ],
)
def test_a_stem_ends_in_a_question_an_instruction_or_a_gap(stem: str, asks: bool) -> None:
    assert ("no-question" in found(question(stem=stem))) is not asks


def test_a_statement_to_be_judged_needs_no_question() -> None:
    assert found(question(stem="Steam rises.", options=options("True", "False"))) == []


# Twins


def stems(one: str, other: str, **changes: Any) -> list[Finding]:
    """What lint says of two questions with these stems, and the same options unless changed."""
    pair = deck(question("one", stem=one), question("other", **{"stem": other, **changes}))
    return [finding for finding in lint(pair, TODAY) if finding.rule.id == "twin-stems"]


LONG = (
    "A bakery heats its ovens with gas and wants to know how much of the heat reaches the bread, "
    "how much warms the room and how much leaves through the chimney on a cold winter day. What "
    "should the baker measure first to find out where most of the heat goes?"
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Which gas rises from a kettle?", "Which gas rises from a kettle?"),
        ("Which gas rises from a kettle?", "From a kettle, which gas  rises?"),
        ("Which layer rises in kettles?", "Which of these layers rises in a kettle?"),
        ("What is the colour of boiling water?", "What is the color of boiling water?"),
        (LONG, LONG.replace("a cold winter day", "a cold winter morning")),
    ],
)
def test_two_questions_that_ask_the_same_are_told_at_the_later_one(one: str, other: str) -> None:
    (finding,) = stems(one, other)
    assert (finding.slug, finding.part) == ("other", "stem")
    assert "“one”" in finding.text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("How long do 2 litres take to boil?", "How long do 3 litres take to boil?"),
        ("Which gas rises from a kettle?", "Which gas never rises from a kettle?"),
        ("Which is the largest kettle here?", "Which is the smallest kettle here?"),
        ("Which layer does TCP belong to?", "Which layer does UDP belong to?"),
        ("Who wrote Faust I?", "Who wrote Faust II?"),
        ("What does `a + b` print?", "What does `a - b` print?"),
        ("What is x + y?", "What is x * y?"),
        ("What is on ![](one.png)?", "What is on ![](two.png)?"),
        (LONG, LONG.replace("bread", "cake").replace("gas", "wood").replace("room", "yard")),
    ],
)
def test_a_number_a_negation_or_another_word_makes_another_question(one: str, other: str) -> None:
    assert stems(one, other) == []


def test_a_long_stem_with_a_word_changed_and_another_key_is_another_question() -> None:
    changed = LONG.replace("cold", "hot")
    assert stems(LONG, changed, options=options(*TEXTS, keys=(2,))) == []
    assert stems(LONG, LONG, options=options(*TEXTS, keys=(2,)))


def test_the_same_stem_over_another_picture_is_another_question() -> None:
    pair = [question(slug, exhibit=Image(path=f"{slug}.png", alt="A part.")) for slug in ("a", "b")]
    assert found(*pair) == []


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
    changes = {"options": options("Its bottom layer, by convection", *TEXTS[1:])}
    stem = "What does the convective movement lift?"
    assert only("clang", stem=stem.replace("convective", "convection"), **changes).part == 0
    both = options("Its bottom, by convection", "Its top, by convection", TEXTS[2])
    assert found(question(stem=stem.replace("convective", "convection"), options=both)) == []


# Explanations


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("full", "{b} is correct because cold water sinks."),
        ("full", "The correct answer is {b}: cold water sinks."),
        ("full", "Answer: **{b}**"),
        ("full", "{a} is incorrect, since nothing rises. {b} is right."),
        ("full", "{b} and {c} are right."),
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
        "`{b} is correct`",
        "{a} fits. {b} has the right layers in the wrong order.",
    ],
)
def test_an_explanation_that_agrees_with_the_key_is_left_alone(text: str) -> None:
    assert found(question(full=text)) == []


def test_several_keys_may_all_be_called_right() -> None:
    two = question().model_copy(update={"options": options(*TEXTS, keys=(0, 1))})
    for text in ("{a} and {b} are right.", "{c} is wrong."):
        assert found(two.model_copy(update={"full": text})) == []
    assert found(two.model_copy(update={"full": "{b} is wrong."})) == ["contradicted-key"]


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


def test_the_figures_for_a_message_are_those_of_the_cards() -> None:
    assert MESSAGE == SAFE_UNITS


def test_the_frame_of_a_drop_is_counted_at_its_largest() -> None:
    from datetime import UTC, datetime, timedelta

    from bank.models import Drop, Tally
    from bot.cards.drop import drop_card
    from bot.cards.text import units

    asked = question()
    now = datetime(2026, 7, 1, tzinfo=UTC)
    fields = {
        name: value
        for name, value in {
            "id": 1,
            "deck": "kitchen",
            "group": "1",
            "room": "2",
            "number": 123_456,
            "role": "9" * 20,
            "opened_at": now,
            "closes_at": now + timedelta(days=30),
            "order": (0, 1, 2),
            "question": asked.id,
            "question_version": asked.version,
            "version": asked.version,
            "slot": now,
            "day": now.date(),
        }.items()
        if name in Drop.model_fields
    }
    drop = Drop.model_construct(**fields)
    tally = Tally.model_construct(drop=drop, question=asked, answered=123_456, counts=(0, 0, 0))
    card = drop_card(tally, "Kitchen physics", "Water")
    shown = sum(
        units(item.content) for item in card.view.walk_children() if hasattr(item, "content")
    )
    assert shown <= drop_units(asked, deck(asked)) <= shown + 100


# The deck as a whole


def many(count: int, key: Any = lambda at: at % 3, longest: Any = lambda at: at % 3 == 0) -> Deck:
    """A deck with the key at the place, and the longest or not, that is said for each question."""
    made = []
    for at in range(count):
        texts = ["Kettle warms up", "Stove warms up", "Lid warms"]
        place = key(at)
        texts[place] = "Its water warms up" if longest(at) else "It warms"
        stem = f"What happens first in trial {at}?"
        made.append(question(f"q{at}", stem=stem, options=options(*texts, keys=(place,))))
    return deck(*made)


def of_deck(made: Deck) -> list[str]:
    return [finding.rule.id for finding in lint(made, TODAY) if finding.slug is None]


def test_a_balanced_deck_has_no_finding() -> None:
    assert of_deck(many(30)) == []


def test_the_key_as_the_longest_option_too_often_is_told() -> None:
    assert of_deck(many(30, longest=lambda at: at % 5 < 3)) == ["key-longest"]


def test_the_key_as_the_longest_option_next_to_never_is_told_too() -> None:
    assert of_deck(many(30, longest=lambda at: at < 2)) == ["key-rarely-longest"]


def test_the_key_at_one_place_too_often_is_told_with_its_place() -> None:
    # rohitg00/ai-engineering-from-scratch PR#381
    made = many(30, key=lambda at: 1 if at < 20 else at % 3)
    (finding,) = [each for each in lint(made, TODAY) if each.slug is None]
    assert finding.rule.id == "key-place"
    assert finding.text.startswith("{b} is the key in ")


def test_a_few_questions_prove_nothing() -> None:
    assert of_deck(many(9, key=lambda at: 0, longest=lambda at: True)) == []


def test_true_and_false_may_each_be_the_key_half_of_the_time() -> None:
    made = [
        question(
            f"q{at}",
            stem=f"Ice number {at} floats.",
            options=options("True", "False", keys=(at % 2,)),
        )
        for at in range(30)
    ]
    assert of_deck(deck(*made)) == []


def test_a_tie_for_the_longest_counts_as_a_guess_among_them() -> None:
    tied = question(options=options("Rises", "Sinks", "Is"))
    assert longest_share((tied,)) == (pytest.approx(1 / 2), pytest.approx(1 / 3))


# Waivers


def test_a_waiver_with_a_reason_silences_its_rule_for_its_question_alone() -> None:
    waived = question("one", sources=(), lint=("no-source: common knowledge",))
    other = question("other", stem="What floats on water?", sources=())
    findings = lint(deck(waived, other), TODAY)
    assert [(each.slug, each.rule.id) for each in findings] == [("other", "no-source")]


def test_a_deck_may_waive_a_rule_for_all_its_questions() -> None:
    assert found(question(sources=()), lint=("no-source: a trivia deck",)) == []
    assert of_deck(many(30, longest=lambda at: True)) == ["key-longest"]
    waived = many(30, longest=lambda at: True).model_copy(
        update={"lint": ("key-longest: so it is",)}
    )
    assert of_deck(waived) == []


@pytest.mark.parametrize(
    ("waiver", "text"),
    [
        ("no-sauce: common knowledge", "“no-sauce” is no rule"),
        ("no-source: common knowledge", "the waiver of “no-source” silences nothing here"),
        ("no-source:", "the waiver of “no-source” gives no reason"),
        ("", "“” is no rule"),
    ],
)
def test_a_waiver_that_silences_nothing_is_a_finding(waiver: str, text: str) -> None:
    finding = only("idle-waiver", lint=(waiver,))
    assert (finding.part, finding.text.startswith(text)) == ("lint", True)
    (of_deck,) = lint(deck(question(), lint=(waiver,)), TODAY)
    assert (of_deck.slug, of_deck.text.startswith(text)) == (None, True)


def test_a_waiver_without_a_reason_silences_nothing() -> None:
    assert found(question(sources=(), lint=("no-source: ",))) == ["no-source", "idle-waiver"]


# The list of rules


def test_every_rule_has_an_id_of_plain_words_a_sentence_and_a_source() -> None:
    ids = [rule.id for rule in RULES]
    assert len(set(ids)) == len(ids)
    for rule in RULES:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.id), rule.id
        assert rule.sentence.endswith("."), rule.id
        assert rule.source, rule.id


def test_every_rule_is_told_by_a_test() -> None:
    written = Path(__file__).read_text(encoding="utf-8")
    assert [rule.id for rule in RULES if f'"{rule.id}"' not in written] == []


def test_rules_that_go_by_english_words_are_silent_in_other_languages() -> None:
    odd = question(stem="Which is not a gas?")
    assert found(odd) == ["negative-stem"]
    assert found(odd, language="de") == []
    assert found(odd, language="en-GB") == ["negative-stem"]


# Lines


FILE = """\
---
domain: water
lint: ["clang: so"]
---
What floats?

- [x] Ice
  > It is lighter.
- [ ] A stone
  > See option A.

## Short explanation

Option B sinks.

## Full explanation

{b} is right.
"""


def test_each_finding_stands_at_its_line(tmp_path: Path) -> None:
    folder = tmp_path / "kitchen"
    (folder / "questions").mkdir(parents=True)
    (folder / "questions" / "ice.md").write_text(FILE, encoding="utf-8")
    (folder / "deck.toml").write_text(
        'title = "K"\ndescription = "D"\nlanguage = "en"\nlicence = "MIT"\nblueprint = "2"\n'
        'lint = ["key-place: few questions"]\n'
        '[[domains]]\nid = "water"\ntitle = "Water"\nweight = 100\n',
        encoding="utf-8",
    )
    told = placed(lint(load_deck(folder), TODAY), folder)
    assert [(each.file.name, each.line, each.finding.rule.id) for each in told] == [
        ("ice.md", 1, "no-source"),
        ("ice.md", 3, "idle-waiver"),
        ("ice.md", 9, "named-letter"),
        ("ice.md", 9, "no-misconception"),
        ("ice.md", 12, "named-letter"),
        ("ice.md", 16, "contradicted-key"),
        ("deck.toml", 6, "idle-waiver"),
    ]
    assert str(told[0]) == (
        f"{folder}/questions/ice.md:1: warning no-source: "
        "no source is named: say where its facts can be read"
    )


# All of it


def test_the_shipped_deck_passes() -> None:
    shipped, faults = check_deck(SHIPPED)
    assert shipped is not None
    assert faults == []
    told = placed(lint(shipped, TODAY), SHIPPED)
    assert [str(each) for each in told if each.finding.rule.severity is not Severity.NOTE] == []


def test_two_thousand_questions_take_less_than_ten_seconds() -> None:
    shipped = load_deck(SHIPPED)
    rng = Random(1)
    words = [word for each in shipped.questions for word in each.full.split()]
    made = [
        shipped.questions[at % len(shipped.questions)].model_copy(
            update={"slug": f"q{at}", "stem": " ".join(rng.sample(words, 50)) + " What is so?"}
        )
        for at in range(2000)
    ]
    began = time.process_time()
    lint(shipped.model_copy(update={"questions": tuple(made)}), TODAY)
    assert time.process_time() - began < 10


def test_two_thousand_stems_that_are_nearly_alike_take_no_longer() -> None:
    made = [
        question(
            f"q{at}", stem=f"{LONG} The baker's name is {'abcdefghij'[at % 10] * (3 + at // 10)}."
        )
        for at in range(2000)
    ]
    began = time.process_time()
    lint(deck(*made), TODAY)
    assert time.process_time() - began < 20


@pytest.mark.parametrize(
    "what", ["*", "_", "`", "[", "(", " ", "a", "A ", "which ", "{a} ", "\n", "1"]
)
def test_a_text_of_one_character_a_million_times_ends_soon(what: str) -> None:
    text = f"x{what * (300_000 // len(what))}x"
    made = question(stem=text, full=text, options=options(text, "Rises", "Sinks"))
    began = time.process_time()
    lint(deck(made), TODAY)
    assert time.process_time() - began < 5


TEXT = st.text(max_size=40) | st.sampled_from(
    ["{a} is wrong.", "Option B", "a", "an", "Which is not?", "**x**", "`", "True", "-5", "\\{a}"]
)
OPTION = st.builds(
    Option,
    text=TEXT.filter(str.strip),
    correct=st.just(False),
    rationale=TEXT,
    misconception=TEXT | st.none(),
)
PICTURE = st.builds(Image, path=TEXT.filter(str.strip), alt=TEXT) | st.none()


@st.composite
def any_question(draw: st.DrawFn) -> Question:
    drawn = draw(st.lists(OPTION, min_size=2, max_size=8))
    drawn[draw(st.integers(0, len(drawn) - 1))] = drawn[0].model_copy(update={"correct": True})
    drawn[0] = drawn[0].model_copy(update={"correct": not any(each.correct for each in drawn[1:])})
    return Question(
        deck="kitchen",
        slug=draw(st.from_regex(r"[a-z0-9]{1,9}", fullmatch=True)),
        domain=draw(st.sampled_from(["water", "unsorted", "air"])),
        stem=draw(TEXT.filter(str.strip)),
        options=tuple(drawn),
        short=draw(TEXT),
        full=draw(TEXT),
        image=draw(PICTURE),
        exhibit=draw(PICTURE),
        sources=tuple(draw(st.lists(TEXT, max_size=2))),
        expires=draw(st.dates() | st.none()),
        lint=tuple(
            draw(st.lists(TEXT | st.sampled_from([f"{r.id}: x" for r in RULES]), max_size=2))
        ),
    )


@settings(max_examples=150, deadline=None)
@given(st.lists(any_question(), max_size=4), st.sampled_from(["en", "de", "EN-us"]), st.dates())
def test_whatever_a_question_holds_lint_ends_in_findings(
    questions: list[Question], language: str, today: date
) -> None:
    made = deck(*questions, language=language, lint=("clang: x", "twin-stems"))
    for finding in lint(made, today):
        assert finding.text == finding.text.strip()
        assert not finding.text.endswith(".")
        assert "\n" not in finding.text
        assert finding.slug is None or finding.slug in {each.slug for each in questions}
    placed(lint(made, today), Path("nowhere"))


@given(st.integers(2, 8))
def test_every_count_of_options_is_judged(count: int) -> None:
    texts = [f"Water number {'abcdefgh'[at] * 3}" for at in range(count)]
    assert "same-options" not in found(question(options=options(*texts), full="{a} is right."))
