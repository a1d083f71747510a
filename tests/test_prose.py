"""Letters in prose: those that name options become references, all others are left alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.letters import lettered, references
from bank.prose import namings, reasons, with_references

# --- letters that name options --------------------------------------------------------------------

NAMED = {
    "Option B is correct because it scales.": "Option {b} is correct because it scales.",
    "Options C and D are incorrect.": "Options {c} and {d} are incorrect.",
    "Options A, C, and D are wrong: they wait.": "Options {a}, {c}, and {d} are wrong: they wait.",
    "A is incorrect because it waits.": "{a} is incorrect because it waits.",
    "Here (B) wins.": "Here ({b}) wins.",
    "This rules out (A and C).": "This rules out ({a} and {c}).",
    "B) A queue": "{b}) A queue",
    "See answer B for more.": "See answer {b} for more.",
    "Answers A and C hold.": "Answers {a} and {c} hold.",
    "With choice D, nothing waits.": "With choice {d}, nothing waits.",
    "Answer choice (D) waits.": "Answer choice ({d}) waits.",
    "So **B** wins.": "So {b} wins.",
    "**Option B** is right.": "Option {b} is right.",
    "*Option C* is late.": "*Option {c}* is late.",
    "B: it is the only queue.": "{b}: it is the only queue.",
    "A – Incorrect. It waits.": "{a} – Incorrect. It waits.",
    "B (incorrect): it waits.": "{b} (incorrect): it waits.",
    "B. Incorrect. It waits.": "{b}. Incorrect. It waits.",
    "- A: It waits.": "- {a}: It waits.",
    "- **A) A queue** – waits.": "- {a}) A queue – waits.",
    "Both A and C": "Both {a} and {c}",
    "A and B only": "{a} and {b} only",
    "A, B, and C": "{a}, {b}, and {c}",
    "All of A, B and C": "All of {a}, {b} and {c}",
    "Neither A nor B is correct.": "Neither {a} nor {b} is correct.",
    "The correct answer is B.": "The correct answer is {b}.",
    "Answer: B": "Answer: {b}",
    "Correct answers: A, C": "Correct answers: {a}, {c}",
    "Correct Answer: **B**": "Correct Answer: {b}",
    "This is why A is wrong and B is right.": "This is why {a} is wrong and {b} is right.",
    "Choose B when order counts.": "Choose {b} when order counts.",
    "Only B is correct.": "Only {b} is correct.",
    "Hence, D is the best choice.": "Hence, {d} is the best choice.",
    "A isn't right.": "{a} isn't right.",
    "Option A's claim is old.": "Option {a}'s claim is old.",
    "option b is correct": "option {b} is correct",
    "Options A-D are wrong.": "Options {a}, {b}, {c} and {d} are wrong.",
    "Options A through C are wrong.": "Options {a}, {b} and {c} are wrong.",
    "A describes caching, B describes queues and C describes logs.": (
        "{a} describes caching, {b} describes queues and {c} describes logs."
    ),
}


@pytest.mark.parametrize(("text", "expected"), NAMED.items(), ids=NAMED)
def test_a_letter_that_names_an_option_becomes_a_reference(text: str, expected: str) -> None:
    assert with_references(text, 4) == expected


LEFT_ALONE = (
    "Oranges hold vitamin B.",
    "In case of vitamin **B** it is wrong.",
    "Plan B is wrong because it is late.",
    "plan A and plan B are wrong",
    "hepatitis B is wrong here",
    "a B tree",
    "Type A",
    "Class C is not correct",
    "Series A",
    "Layer B",
    "A cluster is right for this.",
    "A right answer is short.",
    "A correct, complete answer is short.",
    "A class of machines",
    "an A record",
    "the DNS answer A record",
    "Answer: A cluster of GPUs",
    "The answer is A lot of work.",
    "C is a language",
    "C++ is wrong",
    "I is wrong",
    "grade A",
    "from point A to point B",
    "(C) 2024 the authors",
    "Copyright (C) the authors",
    "Appendix A",
    "5 V A",
    "GPU A is right",
    "host B is wrong",
    "network A is right",
    "`option B`",
    "```\noption B\n```",
    "https://example.org/option B/answer/A",
    "A. Turing wrote it.",
    "A* is optimal",
    "Consistency (C), Availability (A)",
    "f(A) and O(B)",
    "C: drive",
    "Option E is wrong.",
    "Q: Why?\nA: Because.",
)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_a_letter_that_names_no_option_is_left_alone(text: str) -> None:
    assert with_references(text, 4) == text
    assert namings(text, 4) == []


def test_an_a_that_begins_the_next_words_is_no_option() -> None:
    assert (
        with_references("With option B, A records stay.", 4) == "With option {b}, A records stay."
    )


def test_where_options_are_named_in_full_a_bare_letter_is_something_else() -> None:
    text = "Option A is wrong. Option B is wrong. Option C is right. C is a language here."
    assert with_references(text, 4).endswith("Option {c} is right. C is a language here.")


def test_an_escaped_backtick_opens_no_code() -> None:
    assert with_references(r"\`option B` here", 4) == r"\`option {b}` here"


def test_letters_beyond_the_options_are_left_alone() -> None:
    assert (
        with_references("Options A, B and C are wrong.", 2) == "Options {a}, {b} and C are wrong."
    )


def test_literal_braces_are_escaped_and_code_is_left_alone() -> None:
    text = r"The set {a}, `f\"{b}\"`, \{c} and option B."
    assert with_references(text, 4) == r"The set \{a}, `f\"{b}\"`, \{c} and option {b}."
    assert references(with_references(text, 4)) == {1}


def test_what_was_written_is_shown_again_in_the_files_own_order() -> None:
    text = "Option B is right. Options A and C are wrong, and so is (D)."
    shown = lettered(with_references(text, 4), range(4)).replace("*", "")
    assert shown == text


# --- reasons, taken apart -------------------------------------------------------------------------


def test_each_option_gets_its_reason_as_a_sentence() -> None:
    found = reasons(
        "Queues keep order. Option B is correct because it keeps every message. "
        "Option A is incorrect because caches forget. Options C and D are incorrect because "
        "disks are slow. For the exam, think of order.",
        4,
    )
    assert found.rationales == {
        0: "Caches forget.",
        1: "It keeps every message.",
        2: "Disks are slow.",
        3: "Disks are slow.",
    }
    assert found.said_right == {1}
    assert found.said_wrong == {0, 2, 3}
    assert found.rest == "Queues keep order. For the exam, think of order."


def test_a_joint_reason_that_speaks_of_several_keeps_its_clause() -> None:
    found = reasons("Options C and D are wrong because they need a disk.", 4)
    expected = "Options {c} and {d} are wrong because they need a disk."
    assert found.rationales == {2: expected, 3: expected}
    assert found.said_wrong == {2, 3}


def test_sentences_that_go_on_belong_to_the_option_before_them() -> None:
    found = reasons(
        "Option A is wrong. It forgets. Caches do. B is right because queues keep. This is cheap. "
        "Exam tip: think of order.",
        4,
    )
    assert found.rationales == {0: "It forgets. Caches do.", 1: "Queues keep. This is cheap."}
    assert found.rest == "Option {a} is wrong. Exam tip: think of order."


def test_a_sentence_for_the_whole_question_belongs_to_no_option() -> None:
    found = reasons(
        "Option A is wrong because caches forget. Exam tip: think of order. "
        "Option B is right because queues keep.",
        4,
    )
    assert found.rationales == {0: "Caches forget.", 1: "Queues keep."}
    assert found.rest == "Exam tip: think of order."


def test_a_list_under_a_heading_says_what_is_wrong() -> None:
    found = reasons(
        "Why B is right:\nThe queue holds. It lasts.\n\nWhy the other options are wrong:\n"
        "- A: It is a cache.\n- **C) A topic** – sends copies, unlike option B.\n"
        "- D – Incorrect. It is a database.\n\nRead more in the manual.",
        4,
    )
    assert found.rationales == {
        0: "It is a cache.",
        1: "The queue holds. It lasts.",
        2: "A topic – sends copies, unlike option {b}.",
        3: "It is a database.",
    }
    assert (found.said_right, found.said_wrong) == ({1}, {0, 2, 3})
    assert found.rest.endswith("Read more in the manual.")


def test_clauses_of_one_sentence_are_told_apart() -> None:
    found = reasons("A is wrong because it waits; B is right since it runs, while C is wrong.", 4)
    assert found.rationales == {0: "It waits.", 1: "It runs."}
    assert (found.said_right, found.said_wrong) == ({1}, {0, 2})


VERDICTS = {
    "Option A (a cache) is incorrect because it forgets.": (
        {0: "Option {a} (a cache) is incorrect because it forgets."},
        set(),
        {0},
    ),
    "Option B: Correct. The queue keeps order.": ({1: "The queue keeps order."}, {1}, set()),
    "**A.** Incorrect. It forgets.": ({0: "It forgets."}, set(), {0}),
    "- Option A is wrong; caches forget.": ({0: "Caches forget."}, set(), {0}),
    "(A) is wrong because it waits. (B) is right.": ({0: "It waits."}, {1}, {0}),
    "❌ A. Redis forgets.\n✅ B. SQS keeps.": ({0: "Redis forgets.", 1: "SQS keeps."}, {1}, {0}),
    "The correct answer is B because a queue keeps order.": (
        {1: "A queue keeps order."},
        {1},
        set(),
    ),
    "The answer is not C.": ({}, set(), {2}),
    "Incorrect: A, C": ({}, set(), {0, 2}),
    "You can rule out options A and D.": ({}, set(), {0, 3}),
    "A is incorrect, B is incorrect, C is correct.": ({}, {2}, {0, 1}),
    "Options A and C are incorrect. They need a disk.": (
        dict.fromkeys((0, 2), "Options {a} and {c} are incorrect. They need a disk."),
        set(),
        {0, 2},
    ),
    "Option C would be correct if data were cold.": (
        {2: "Option {c} would be correct if data were cold."},
        set(),
        set(),
    ),
    "Option D is partially correct but slow.": (
        {3: "Option {d} is partially correct but slow."},
        set(),
        set(),
    ),
    "Option A is true of caches.": ({0: "Option {a} is true of caches."}, set(), set()),
    "The other options are wrong because of price. Option B is right since it is cheap.": (
        {
            0: "The other options are wrong because of price.",
            1: "It is cheap.",
            2: "The other options are wrong because of price.",
        },
        {1},
        {0, 2},
    ),
}


@pytest.mark.parametrize(("text", "expected"), VERDICTS.items(), ids=VERDICTS)
def test_what_a_text_says_of_options_is_told_as_it_says_it(
    text: str, expected: tuple[dict[int, str], set[int], set[int]]
) -> None:
    found = reasons(text, 3 if "other" in text else 4)
    assert (found.rationales, found.said_right, found.said_wrong) == expected


def test_a_contradiction_is_told_and_not_resolved() -> None:
    found = reasons("Option B is correct because x is y. Option B is wrong because y is x.", 4)
    assert found.said_right == found.said_wrong == {1}


def test_text_without_letters_is_all_rest() -> None:
    text = "Queues keep order.\n\nCaches do not."
    assert reasons(text, 4).rest == text
    assert reasons(text, 4).rationales == {}


# --- any text -------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        "Option",
        "Options",
        "A",
        "B",
        "C",
        "D",
        "E",
        "and",
        "is",
        "are",
        "correct",
        "wrong",
        "incorrect",
        "because",
        "it",
        "they",
        "this",
        "the",
        "answer",
        "choice",
        ".",
        ",",
        ";",
        ":",
        "(",
        ")",
        "**",
        "*",
        "`",
        "```",
        "-",
        "\n",
        "\n\n",
        "A.",
        "B)",
        "C:",
        "{a}",
        "\\",
        "#",
        ">",
        "It",
        "This",
        "while",
        "why",
        "not",
        "only",
        "both",
        "vitamin",
        "Exam",
        "–",
        "'s",
        "é",
        "1.",
        "https://x.y",
    ]
)
TEXTS = st.lists(PIECES, max_size=60).map(" ".join) | st.text(max_size=200)

# The clause that a reason is freed of is made of these words.
DROPPED = {
    "option",
    "options",
    "answer",
    "answers",
    "choice",
    "choices",
    "the",
    "is",
    "are",
    "was",
    "were",
    "not",
    "also",
    "both",
    "correct",
    "incorrect",
    "wrong",
    "right",
    "true",
    "false",
    "because",
    "since",
    "while",
    "whereas",
    "but",
    "and",
    "a",
    "b",
    "c",
    "d",
    "e",
    "an",
    "only",
    "all",
    "thus",
    "just",
    "be",
    "would",
    "distractor",
    "distractors",
    "isn",
    "t",
    "aren",
    "x",
    "n",
}


def words(text: str) -> list[str]:
    return re.findall(r"\w+", re.sub(r"\\?\{[a-h]\}", " ", text).lower())


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.integers(0, 8))
def test_no_text_is_lost(text: str, options: int) -> None:
    found = reasons(text, options)
    kept = set(words(" ".join([*found.rationales.values(), found.rest])))
    assert set(words(text)) - kept - DROPPED - {"1"} == set()


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.integers(0, 8))
def test_only_letters_and_their_bold_type_change(text: str, options: int) -> None:
    referred = with_references(text, options)
    assert references(referred) == {each.option for each in namings(text, options)}
    assert all(place < options for place in references(referred))
    if not re.search("[-–]", text):  # a range is written out
        assert words(lettered(referred, range(8))) == words(text)


@pytest.mark.parametrize(
    "text", ["A", "A, ", "`", "``` `", "*", "(A", ". ", "A is wrong. ", "\n", " "]
)
def test_long_texts_end_in_linear_time(text: str) -> None:
    whole = text * (200_000 // len(text))
    reasons(whole, 4)
    with_references(whole, 4)
