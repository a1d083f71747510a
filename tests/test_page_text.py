"""Page text: what exam-practice sites show becomes drafts, whole, with what is not said named."""

from __future__ import annotations

import codecs
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.errors import BadFile
from bank.formats.page_text import looks_like, read
from bank.formats.reading import Draft, Kind, Reading, Source
from bank.letters import references
from tests.shared import FIXTURES, needs_fixtures

EXPLAINED = """\
Which tool moves gradients between GPUs?
Select an answer to reveal the explanation.
Short Explanation and Infographic
NCCL is the courier between GPUs.
Full explanation below image
Full Explanation
NCCL runs collectives. Let's look at the options: Option B is correct because it moves data between
GPUs. Option A is incorrect because Triton serves models. Options C and D are incorrect because
dashboards only watch.
Prefer to study offline? Printable PDF study book + test engine ($7.50, unofficial). These \
questions stay free here.\
"""

LETTERED = """\
Which tool moves gradients between GPUs?
A. Triton
B. NCCL
C. DCGM
D. Grafana
Correct answer: B
Explanation: NCCL runs collectives. A is wrong because Triton serves models.
"""


def reading(text: str | bytes) -> Reading:
    data = text.encode() if isinstance(text, str) else text
    return read([Source("pages.txt", data)], [])


def draft(text: str | bytes) -> Draft:
    (found,) = reading(text).drafts
    return found


def options(found: Draft) -> list[tuple[str, bool]]:
    return [(option.text, option.correct) for option in found.options]


# --- a page as a draft ----------------------------------------------------------------------------


def test_a_page_without_option_texts_becomes_a_draft_with_its_reasons_in_place() -> None:
    found = draft(EXPLAINED)
    assert found.stem == "Which tool moves gradients between GPUs?"
    assert found.short == "NCCL is the courier between GPUs."
    assert found.full == (
        "NCCL runs collectives. Let's look at the options: Option {b} is correct because it moves "
        "data between GPUs. Option {a} is incorrect because Triton serves models. Options {c} and "
        "{d} are incorrect because dashboards only watch."
    )
    assert [(option.text, option.correct, option.rationale) for option in found.options] == [
        ("", False, "Triton serves models."),
        ("", True, "It moves data between GPUs."),
        ("", False, "Dashboards only watch."),
        ("", False, "Dashboards only watch."),
    ]
    assert found.missing == ("the page gives no texts of the options",)


def test_a_page_whose_reasons_have_no_letters_has_no_options() -> None:
    found = draft(
        "Which tool moves gradients?\nSelect an answer to reveal the explanation.\n"
        "Short Explanation\nA courier.\nFull Explanation\nNCCL does. Claiming that Triton does "
        "misplaces the work. Saying that DCGM does confuses watching with moving."
    )
    assert found.options == ()
    assert found.full.startswith("NCCL does. Claiming that Triton does misplaces the work.")
    assert found.missing == (
        "the page gives no options",
        "the page does not say which option is right",
    )


def test_a_page_with_all_its_parts_lacks_nothing() -> None:
    found = draft(LETTERED)
    assert found.missing == ()
    assert found.kind is Kind.CHOICE
    assert options(found) == [
        ("Triton", False),
        ("NCCL", True),
        ("DCGM", False),
        ("Grafana", False),
    ]
    assert found.options[0].rationale == "Triton serves models."
    assert found.full == ("NCCL runs collectives. {a} is wrong because Triton serves models.")


SHAPES = {
    "A. text": "A. Triton\nB. NCCL\nC. DCGM",
    "A) text": "A) Triton\nB) NCCL\nC) DCGM",
    "(A) text": "(A) Triton\n(B) NCCL\n(C) DCGM",
    "a) text": "a) Triton\nb) NCCL\nc) DCGM",
    "A: text": "A: Triton\nB: NCCL\nC: DCGM",
    "indented": "  A. Triton\n  B. NCCL\n  C. DCGM",
    "apart": "A. Triton\n\nB. NCCL\n\nC. DCGM\n",
    "alone": "A\nTriton\nB\nNCCL\nC\nDCGM",
    "alone, apart": "A.\n\nTriton\n\nB.\n\nNCCL\n\nC.\n\nDCGM\n",
    "glued": "ATriton\nBNCCL\nCDCGM",
    "circles": "○ A. Triton\n○ B. NCCL\n○ C. DCGM",
    "wrapped": "A. Triton\nB.\nNCCL\nC. DCGM",
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
@pytest.mark.parametrize(
    "answer", ["Answer: B", "Correct answer: B", "Correct Answer\nB", "Ans: B)"]
)
def test_options_are_read_in_the_usual_shapes(shape: str, answer: str) -> None:
    found = draft(f"Which tool moves gradients?\n{shape}\n{answer}\nExplanation:\nNCCL does.\n")
    assert found.stem == "Which tool moves gradients?"
    assert options(found) == [("Triton", False), ("NCCL", True), ("DCGM", False)]
    assert found.full == "NCCL does."
    assert found.missing == ()


def test_numbered_options_are_named_by_number() -> None:
    found = draft("Which tool moves gradients?\n1. Triton\n2. NCCL\n3. DCGM\nAnswer: 2\n")
    assert options(found) == [("Triton", False), ("NCCL", True), ("DCGM", False)]


def test_statements_above_lettered_options_stay_in_the_stem() -> None:
    found = draft("Which hold?\n1. One\n2. Two\nA. 1 only\nB. 1 and 2\nAnswer: B\n")
    assert found.stem == "Which hold?\n1. One\n2. Two"
    assert options(found) == [("1 only", False), ("1 and 2", True)]


def test_words_that_begin_with_letters_are_no_glued_options() -> None:
    found = draft(
        "Which?\nApache\nBig\nCloud\nSelect an answer to reveal the explanation.\nAnswer: B"
    )
    assert "Apache" in found.stem
    assert {option.text for option in found.options} == {""}


@pytest.mark.parametrize(
    ("answer", "keys"),
    [
        ("Correct Answers: A, C", {0, 2}),
        ("Correct Answer: AC", {0, 2}),
        ("Answers: A and C", {0, 2}),
        ("Answer: NCCL", {1}),
        ("Answer: B. NCCL", {1}),
        ("The correct answer is B.", {1}),
        ("Answer: (C)", {2}),
        ("**Correct Answer:** B", {1}),
    ],
)
def test_a_key_is_read_as_sites_write_it(answer: str, keys: set[int]) -> None:
    found = draft(f"Which tool?\nA. Triton\nB. NCCL\nC. DCGM\n{answer}\n")
    assert {place for place, option in enumerate(found.options) if option.correct} == keys
    assert found.missing == ()
    assert found.kind is (Kind.MULTIPLE if len(keys) > 1 else Kind.CHOICE)


def test_an_answer_that_is_an_options_text_is_no_row_of_letters() -> None:
    found = draft("Which is analogue?\nA. ADC\nB. DAC\nC. FED\nAnswer: DAC\n")
    assert options(found) == [("ADC", False), ("DAC", True), ("FED", False)]


def test_true_and_false_are_options() -> None:
    found = draft("GPUs are parallel.\nTrue\nFalse\nAnswer: True\nExplanation: They are.\n")
    assert found.kind is Kind.TRUE_FALSE
    assert options(found) == [("True", True), ("False", False)]


def test_an_option_that_names_others_holds_references() -> None:
    found = draft("Which?\nA. One\nB. Two\nC. Both A and B\nAnswer: C\n")
    assert found.options[2].text == "Both {a} and {b}"


def test_a_misconception_is_only_what_the_page_marks_as_one() -> None:
    found = draft(
        "Which?\nA. One\nB. Two\nAnswer: B\nExplanation:\n"
        "A is wrong because one is less. Misconception: Takes one for two. B is right because two."
    )
    assert found.options[0].misconception == "Takes one for two"
    assert found.options[0].rationale == "One is less."
    assert found.options[1].misconception is None


# --- what a page contradicts ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (
            "Which?\nA. One\nB. Two\nC. Three\nAnswer: C\n"
            "Explanation: Option B is correct because x is.",
            "the key says C, the explanation says B",
        ),
        (
            "Which?\nA. One\nB. Two\nAnswer: B\nExplanation: B is wrong because x is less.",
            "the key says B, the explanation calls B wrong",
        ),
        ("Which?\nA. One\nB. Two\nAnswer: D", "the key says D, the page has 2 options"),
        ("Which?\nA. One\nB. Two\nExplanation: So.", "the page does not say which option is right"),
        (
            "Which? (Choose two)\nA. One\nB. Two\nC. Three\nAnswer: C",
            "the question asks for 2 options, the key says C",
        ),
        ("A. One\nB. Two\nAnswer: B", "the page gives no stem"),
        ("Which?\nA. One\nB.\nC. Three\nAnswer: A", "the page gives no text of option B"),
    ],
)
def test_what_a_page_contradicts_or_lacks_is_told(text: str, missing: str) -> None:
    assert draft(text).missing == (missing,)


# --- lines ----------------------------------------------------------------------------------------


def test_wrapped_and_hyphenated_lines_are_joined_again() -> None:
    found = draft(
        "Which library speeds up data-\nframes on a GPU, so that an ana-\nlyst keeps the "
        "interface?\n"
        "A. RAPIDS\nB. A server that\nserves models\nAnswer: A\nExplanation:\n"
        "A latency-optimized path is built for answers that come soon, and the latency-\n"
        "optimized server takes it. Latency is what counts here, and optimized code too.\n"
    )
    assert found.stem == (
        "Which library speeds up dataframes on a GPU, so that an analyst keeps the interface?"
    )
    assert found.options[1].text == "A server that serves models"
    assert "the latency-optimized server takes it. Latency" in found.full


def test_a_sentence_that_ends_at_the_margin_ends_no_paragraph() -> None:
    found = draft(
        "Which?\nA. One\nB. Two\nAnswer: A\nExplanation:\n"
        "The first sentence of this paragraph ends right at the end of line.\n"
        "The second one goes on and stops.\nA paragraph of its own.\n"
    )
    assert found.full == (
        "The first sentence of this paragraph ends right at the end of line. "
        "The second one goes on and stops.\n\nA paragraph of its own."
    )


def test_code_lists_and_paragraphs_stay_what_they_are() -> None:
    body = "Run it:\n\n```python\nprint('A. x')\n\nAnswer: B\n```\n\n- one\n- two\n\nThe end."
    found = draft(f"Which?\nA. One\nB. Two\nAnswer: A\nExplanation:\n{body}\n")
    assert found.full == body


def test_paragraphs_that_stand_right_below_each_other_are_set_apart() -> None:
    long = "This paragraph stands on one line, as a browser copies it. " * 4
    found = draft(f"Which?\nA. One\nB. Two\nAnswer: A\nExplanation:\n{long}\n{long}\n")
    assert found.full == f"{long.strip()}\n\n{long.strip()}"


@pytest.mark.parametrize(
    "line",
    [
        "Report this question",
        "Page 3 of 10",
        "Reveal answer",
        "We use cookies to improve your experience.",
        "Accept all cookies",
        "Full explanation below image",
        "Privacy Policy",
        "12 / 60",
        "Advertisement",
    ],
)
def test_what_a_site_shows_around_its_questions_is_left_out(line: str) -> None:
    text = LETTERED.replace("Correct answer", f"{line}\nCorrect answer") + f"{line}\n"
    assert draft(text).options == draft(LETTERED).options
    assert draft(text).full == draft(LETTERED).full


# --- many pages in one file -----------------------------------------------------------------------

BETWEEN = {
    "nothing": "",
    "a blank line": "\n",
    "a foot": "Next question\n",
    "a number": "\nQuestion 2\n",
    "a number of all": "Question 2 of 60\n",
    "Q2.": "\nQ2. ",
    "2.": "\n2. ",
    "an advert": "Prefer to study offline? Buy the book. These questions stay free here.",
}


@pytest.mark.parametrize("between", BETWEEN.values(), ids=BETWEEN.keys())
def test_a_question_begins_where_the_one_before_it_ends(between: str) -> None:
    first = "1. " + LETTERED if between == "\n2. " else LETTERED
    second = LETTERED.replace("moves", "carries")
    one, two = reading(f"{first}{between}{second}").drafts
    assert (one.stem, two.stem) == (draft(LETTERED).stem, draft(second).stem)
    assert (one.full, two.full) == (draft(LETTERED).full,) * 2
    assert one.options == two.options


def test_pages_that_are_glued_to_each_other_are_told_apart() -> None:
    one, two = reading(EXPLAINED + EXPLAINED).drafts
    assert (one.stem, one.short, one.full) == (two.stem, two.short, two.full)
    assert (one.where.line, two.where.line) == (1, 10)


def test_a_list_of_reasons_begins_no_question() -> None:
    found = draft(LETTERED + "\nWhy the other options are wrong:\nA. It serves.\nB. It is late.\n")
    assert found.full.endswith("wrong:\n{a}. It serves.\n{b}. It is late.")


def test_what_is_no_question_is_told() -> None:
    found = reading(f"Practice exam for beginners\n\nQuestion 1\n{LETTERED}")
    assert len(found.drafts) == 1
    assert [str(note) for note in found.notes] == [
        "pages.txt:1: left out, since it is no question: “Practice exam for beginners”"
    ]


def test_a_file_without_questions_is_a_problem() -> None:
    assert [str(problem) for problem in reading("Just a note.").problems] == [
        "pages.txt:1: no question was found"
    ]


# --- what a file looks like -----------------------------------------------------------------------


@pytest.mark.parametrize("text", [EXPLAINED, LETTERED, EXPLAINED.replace("\n", "\r\n")])
def test_pages_are_recognised(text: str) -> None:
    assert looks_like(Source("x", text.encode()))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A note about option B.",
        "Which?\nA. One\nB. Two\nANSWER: B\n",
        "Which? { =One ~Two }\nExplanation:\nSo.",
        "::Q1:: Which?{T}\nFull Explanation\n",
        "Which?\n- [ ] One\n- [x] Two\n\nShort explanation\nSo.",
        "Which?\n- A. One\n- B. Two\n\n<details>\nAnswer: B\n</details>",
        "---\ndomain: x\n---\nWhich?\n\n## Short explanation\n\nSo.",
        '{"question": "Which?"}',
        "<?xml version='1.0'?>\n<quiz/>",
        "question,answer\nWhich?,B\n",
    ],
)
def test_other_files_are_not(text: str) -> None:
    assert not looks_like(Source("pages.txt", text.encode()))


def test_bytes_that_are_no_text_are_not() -> None:
    assert not looks_like(Source("pages.txt", b"PK\x03\x04\0\0\0"))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings_and_line_ends_change_nothing(encoding: str) -> None:
    assert draft(LETTERED.replace("\n", "\r\n").encode(encoding)) == draft(LETTERED)


# --- the real pages -------------------------------------------------------------------------------


@needs_fixtures
def test_the_real_pages_become_whole_drafts() -> None:
    files = sorted((FIXTURES / "page_text").glob("*.txt"))
    texts = [file.read_text() for file in files]
    first, second = reading("".join(texts)).drafts  # glued, as one file ends without a line's end
    for found, text in zip((first, second), texts, strict=True):
        lines = text.splitlines()
        full = lines.index("Full Explanation") + 1
        assert found.stem == lines[0]
        assert found.short == lines[3]
        letters = found.full
        for letter in "abcd":
            letters = letters.replace("{" + letter + "}", letter.upper())
        assert letters == lines[full].removesuffix("\n")
    assert first.options == ()
    assert "the page gives no options" in first.missing
    assert [option.correct for option in second.options] == [False, True, False, False]
    starts = ["It reverses", "It accurately", "Inference does not", "Training and inference"]
    for option, start in zip(second.options, starts, strict=True):
        assert option.text == ""
        assert option.rationale.startswith(start)
    assert second.missing == ("the page gives no texts of the options",)


@needs_fixtures
def test_of_the_real_files_only_pages_look_like_pages() -> None:
    files = [file for file in FIXTURES.rglob("*") if file.is_file()]
    found = {file.parent.name for file in files if looks_like(Source(file.name, file.read_bytes()))}
    assert found == {"page_text"}


# --- any file -------------------------------------------------------------------------------------


def check(data: bytes) -> None:
    """Whatever the bytes are: drafts that hold together, or a refusal."""
    source = Source("pages.txt", data)
    looks_like(source)
    with suppress(BadFile):
        for each in read([source], []).drafts:
            texts = [each.stem, each.short, each.full]
            texts += [text for option in each.options for text in (option.text, option.rationale)]
            assert all(place < len(each.options) for text in texts for place in references(text))
            assert len(each.options) <= 8


SMALL = ("", "1. x", "2. y?", "A", "AX", "BY", "CZ", "```", "- a", "True", "False", "{a}", "a-")
PIECES = st.sampled_from((*LETTERED.splitlines(), *EXPLAINED.splitlines(), "Next", "A:", *SMALL))


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40).map("\n".join) | st.text(max_size=200))
def test_any_text_ends_in_drafts_or_in_a_sentence(text: str) -> None:
    check(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("seed", range(40))
def test_damaged_pages_end_in_drafts_or_in_a_sentence(seed: int) -> None:
    chance = Random(seed)
    data = bytearray((LETTERED + EXPLAINED) * 2, "utf-8")
    for _ in range(chance.randrange(1, 60)):
        at = chance.randrange(len(data))
        data[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
    check(bytes(data))
    check(codecs.BOM_UTF16_LE + bytes(data))


@pytest.mark.parametrize(
    "unit",
    [
        "\n",
        " ",
        "A.\n",
        "1. a\n",
        "why?\nA. x\nB. y\nAnswer: A\n",
        "Explanation:\n",
        "```\n",
        "a-\n",
    ],
)
def test_hostile_pages_end_in_bounded_time(unit: str) -> None:
    check(unit.encode() * (60_000 // len(unit)))


def test_a_file_of_a_million_lines_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadFile, match="has more than 200,000 lines"):
        reading("\n" * 1_000_000)
