"""Lint of a whole deck: twins, balance, waivers, lines; that it ends, whatever a deck holds."""

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
from bank.models import Deck, Image, Option, Question
from tests.kitchen import TEXTS, TODAY, deck, found, only, options, question

SHIPPED = Path(__file__).parents[1] / "data" / "nca-aiio"


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
    assert finding.text.startswith("{b} holds a key in ")


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
    tests = Path(__file__).parent.glob("test_lint*.py")
    written = "".join(path.read_text(encoding="utf-8") for path in tests)
    assert [rule.id for rule in RULES if f'"{rule.id}"' not in written] == []


def test_rules_that_go_by_english_words_are_silent_in_other_languages() -> None:
    odd = question(stem="Which is not a gas?")
    assert found(odd) == ["negative-stem"]
    assert found(odd, language="de") == []
    assert found(odd, language="en-GB") == ["negative-stem"]
    assert found(odd, language="und") == ["negative-stem"]  # as an import leaves it


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
    places = st.sets(st.integers(0, len(drawn) - 1), min_size=1, max_size=len(drawn) - 1)
    for key in draw(places):
        drawn[key] = drawn[key].model_copy(update={"correct": True})
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
