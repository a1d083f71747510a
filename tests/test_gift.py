"""GIFT files become drafts, and a deck becomes a GIFT file that is read back equal."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.decks import load_deck
from bank.errors import BadFile
from bank.formats import gift
from bank.formats.gift_syntax import read_gift
from bank.formats.gift_writer import write
from bank.formats.reading import Draft, DraftOption, Kind, Reading, Source
from bank.models import Deck, Image, Option, Question
from tests.nasty import CODE, decks
from tests.samples import make_deck
from tests.shared import FIXTURES, needs_fixtures

GIFT = FIXTURES / "gift"
FILES = sorted(path for path in GIFT.glob("*") if path.is_file())
SHIPPED = Path(__file__).parent.parent / "data" / "nca-aiio"


def source(text: str | bytes, name: str = "q.gift") -> Source:
    return Source(name, text.encode() if isinstance(text, str) else text)


def read(text: str | bytes, *beside: Source) -> Reading:
    return gift.read([source(text)], beside)


def one(text: str) -> Draft:
    reading = read(text)
    [draft] = reading.drafts
    assert reading.problems == ()
    return draft


def texts(found: tuple[object, ...]) -> list[str]:
    return [str(each) for each in found]


# --- real files ---------------------------------------------------------------------------------

COUNTS = {
    "moodle-examples.txt": "16 multiple choice, 5 true/false, 2 multiple answers, "
    "9 short answer, 8 numerical, 3 matching",
    "moodle-questions.gift.txt": "3 true/false, 1 multiple choice, 1 multiple answers, "
    "1 essay, 1 matching, 1 numerical, 1 short answer",
    "moodle-questions_encoding_windows-1252.gift.txt": "2 essay, 1 matching",
    "moodle-questions_in_category.gift.txt": "1 multiple choice, 1 true/false, "
    "1 matching, 1 short answer",
    "peg-TFTwoFeedback.gift": "3 true/false",
    "peg-categorySpecialCharacter.gift": "",
    "peg-descriptionTitleEscapedColon.gift": "1 true/false, 1 description",
    "peg-markdown.gift": "4 description",
    "peg-numerical1.gift": "10 numerical",
    "peg-shortAnswerNotMatching.gift": "2 multiple choice",
}


@needs_fixtures
@pytest.mark.parametrize(("name", "counts"), COUNTS.items())
def test_every_item_is_a_draft_or_is_told_by_its_kind(name: str, counts: str) -> None:
    reading = gift.read([source((GIFT / name).read_bytes(), name)], [])
    found = Counter(draft.kind.value for draft in reading.drafts)
    told = Counter(problem.kind for problem in reading.problems)
    wanted = {
        kind: int(count) for count, kind in (c.split(" ", 1) for c in counts.split(", ") if c)
    }
    assert {**found, **told} == wanted


@needs_fixtures
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_real_files_are_recognised(path: Path) -> None:
    assert gift.looks_like(source(path.read_bytes()))


@needs_fixtures
def test_no_other_real_file_is_taken_for_gift() -> None:
    others = [path for path in FIXTURES.rglob("*") if path.is_file() and path.parent != GIFT]
    assert [path.name for path in others if gift.looks_like(source(path.read_bytes()))] == []


@needs_fixtures
def test_a_draft_of_moodles_own_example() -> None:
    name = "moodle-questions.gift.txt"
    drafts = {
        draft.slug: draft
        for draft in gift.read([source((GIFT / name).read_bytes(), name)], []).drafts
    }
    assert drafts["q2"].options == (
        DraftOption("yellow", True, "right; good!"),
        DraftOption("red", False, "wrong, it's yellow"),
        DraftOption("blue", False, "wrong, it's yellow"),
    )
    assert drafts["q1"].stem == '42 is the Absolute Answer to everything.\\_\\_\\_\\_\\_";'
    assert drafts["q1"].full.startswith("This is, of course,")
    assert [option.text for option in drafts["q1"].options] == ["True", "False"]


# --- drafts -------------------------------------------------------------------------------------


def test_true_and_false_are_options_in_that_order_with_their_feedback() -> None:
    for key in ("T", "TRUE", "F", "FALSE"):
        draft = one(f"Is it?{{{key}#you are wrong#you are right####In short.}}")
        assert draft.kind is Kind.TRUE_FALSE
        assert [option.text for option in draft.options] == ["True", "False"]
        assert [option.correct for option in draft.options] == [key[0] == "T", key[0] == "F"]
        for option in draft.options:
            assert option.rationale == ("you are right" if option.correct else "you are wrong")
        assert draft.full == "In short."


def test_partial_credit_counts_as_wrong_and_a_note_says_so() -> None:
    reading = read("First?{T}\n\nSecond?{=all ~%50%half ~none}")
    assert [option.correct for option in reading.drafts[1].options] == [True, False, False]
    assert texts(reading.notes) == [
        "q.gift:3, item 2: option 2 is worth 50 %, which counts as wrong"
    ]


def test_of_several_answers_the_positive_ones_are_keys() -> None:
    draft = one("Which?{~%50%a ~%-50%b ~%50%c ~d}")
    assert draft.kind is Kind.MULTIPLE
    assert [option.correct for option in draft.options] == [True, False, True, False]
    assert draft.missing == ()


@pytest.mark.parametrize(
    ("answers", "missing"),
    [
        ("=a =b ~c", "one answer is to be chosen, and more than one is worth 100 %"),
        ("~%50%a ~%25%b ~c", "its right answers are worth 75 % together, not 100 %"),
        ("~a ~b", "no answer is marked as right"),
        ("=a ~%45%b", "option 2 is worth 45 %, a grade that Moodle does not know"),
        ("~%50%a ~%--50%b ~%50%c", "“--50” is no weight"),
        ("=%100%a ~b", "a weight stands behind “=”, where it is read as text"),
        ("=a ~b ####Option B is right.", "calls an option right that its key calls wrong"),
        ("=a ~b ####Option A is wrong.", "calls an option wrong that its key calls right"),
        ('[html]<img src\\="x.png"> =a ~b', "option 1 has a picture"),
    ],
)
def test_what_contradicts_itself_is_told_and_not_resolved(answers: str, missing: str) -> None:
    [told] = one(f"Which?{{{answers}}}").missing
    assert missing in told


def test_two_questions_without_a_blank_line_between_them_are_told() -> None:
    [told] = one("First?{T}\nSecond?{F}").missing
    assert "a blank line may be missing" in told


def test_shares_that_differ_are_noted() -> None:
    [note] = read("Which?{~%75%a ~%25%b ~c}").notes
    assert note.text == "its right answers are worth unequal shares, and count alike here"


def test_an_empty_answer_is_left_out_with_a_note() -> None:
    reading = read("Which?{=a ~ ~b}")
    assert [option.text for option in reading.drafts[0].options] == ["a", "b"]
    assert [note.text for note in reading.notes] == ["an empty answer is left out"]


def test_letters_become_references_but_not_in_stems_and_options_about_letters() -> None:
    draft = one("Is option B right?{=A ~B ~Both A and B #Option A is half of it. ####{a} is B.}")
    assert draft.missing  # the braces in the feedback end the answers
    draft = one(
        "Is option B right?{=A ~B ~Both A and B #Option A is half of it. ####\\{a\\} or option C}"
    )
    assert draft.stem == "Is option B right?"
    assert [option.text for option in draft.options] == ["A", "B", "Both {a} and {b}"]
    assert draft.options[2].rationale == "Option {a} is half of it."
    assert draft.full == "\\{a} or option {c}"


def test_categories_stand_for_what_follows_them_in_their_file() -> None:
    first = source("a{T}\n\n$CATEGORY: $course$/top/Nets/TCP//IP\n\nb{T}\n\n$CATEGORY: x\n\nc{T}")
    drafts = gift.read([first, source("d{T}")], []).drafts
    assert [draft.category for draft in drafts] == [None, "Nets/TCP∕IP", "x", None]


def test_a_question_glued_to_its_category_is_told() -> None:
    reading = read("$CATEGORY: Nets\nWhat?{T}\n\nThen?{F}")
    assert [draft.category for draft in reading.drafts] == ["Nets"]
    [told] = texts(reading.problems)
    assert told == (
        "q.gift:1: what follows the category is read as part of its name: add a blank line"
    )


@pytest.mark.parametrize(
    ("head", "slug"),
    [
        ("// [id:a-name]\n::Other::", "a-name"),
        ("// [id:Not A Name]\n::Its Name::", "its-name"),
        ("// [id:Not A Name]\n", None),
        ("::Which? (2)::", "which-2"),
        ("", None),
    ],
)
def test_only_a_name_of_the_files_own_becomes_a_slug(head: str, slug: str | None) -> None:
    assert one(f"{head}What?{{T}}").slug == slug


def test_tags_are_kept() -> None:
    assert one("// [tag:one] [tag:two words]\nWhat?{T}").tags == ("one", "two words")


def test_a_gap_shows_as_a_gap_in_each_text_format() -> None:
    for form in ("", "[html]", "[plain]", "[markdown]"):
        assert one(f"{form}Grant is {{~x =y}} here.").stem == r"Grant is \_\_\_\_\_ here."


def test_html_becomes_markdown() -> None:
    draft = one("[html]<p>1 < 2 <b>x</b></p>\\n<pre>a\\n  b</pre>{=<i>y</i> ~z}")
    assert draft.stem == "1 < 2 **x**\n\n```\na\n  b\n```"
    assert draft.options[0].text == "*y*"


def test_a_picture_beside_the_file_stands_with_the_stem() -> None:
    picture = Source("images/map.png", b"\x89PNG")
    text = '[html]What?<img src\\="@@PLUGINFILE@@/map.png" alt\\="A map">{T}'
    [draft] = read(text, picture).drafts
    assert draft.exhibit is not None
    assert (draft.exhibit.name, draft.exhibit.data, draft.exhibit.alt) == (
        "map.png",
        b"\x89PNG",
        "A map",
    )
    [draft] = read(text).drafts
    assert len(draft.missing) == 1
    assert "map.png" in draft.missing[0]


def test_what_is_not_supported_is_told_with_line_and_number() -> None:
    reading = read(
        "::a::Say.{=x}\n\n// c\nPair.{=a->b =c->d}\n\nTell.{}\n\nA text.\n\n4?{#4}\n\nx{"
    )
    assert [str(problem) for problem in reading.problems] == [
        "q.gift:1, item 1: short answer questions are not supported",
        "q.gift:4, item 2: matching questions are not supported",
        "q.gift:6, item 3: essay questions are not supported",
        "q.gift:8, item 4: a description is text without a question",
        "q.gift:10, item 5: numerical questions are not supported",
        "q.gift:12, item 6: there is a “{” but no “}” before the next blank line; "
        "write “\\{” where it is part of a text",
    ]


# --- encodings and recognition ------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_change_nothing(encoding: str, end: str) -> None:
    text = f"::Café::Où?{end}{end}Qui?{{{end}=é{end}~ü{end}}}"
    reading = read(text.encode(encoding))
    [draft] = reading.drafts
    assert [option.text for option in draft.options] == ["é", "ü"]
    assert draft.where.line == 3


@pytest.mark.parametrize(
    "text",
    [
        "What is it?{=a ~b}",
        "The sky is blue.{T}",
        "The sky is {=blue ~green} today.",
        "// a comment\n::Name::What?{\n~a\n=b\n}",
        "$CATEGORY: x/y\n\nWhat?{TRUE}",
        "How many?{#4:1}",
        "[html]<p>x</p>{}",
    ],
)
def test_gift_is_recognised(text: str) -> None:
    assert gift.looks_like(source(text))
    assert gift.looks_like(source(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A text.\n\nAnother one.",
        '{"questions": [{"a": "~b"}]}',
        '[{"question": "x{=a ~b}"}]',
        "<quiz><question>{=a ~b}</question></quiz>",
        "question,answer\nWhat{T},x\n",
        "\\documentclass{article}\n\\begin{document}\nx{=a}\\end{document}",
        "The matrix $A^{T}$ and $x_{T}$.\n\nAlso \\mathbf{T}.",
        "# Title\n\n```js\nconst f = () => {=a}\n```\n\nText {=a ~b}",
        "def f():\n    return {x: ~x for x in y}\n\n\nz = {T}\n\n\nprint(f'{z=}')\n",
        "impl<T> F {\n    fn f() -> T {}\n}\n\nuse a::{b};\n",
        "<% if x %>{=a}<% end %>",
        "1. What?\n\nA) a\nB) b\nANSWER: A\n",
        "a { color: red }\n\nb { color: blue }",
        b"\x89PNG\r\n\x1a\n\0\0\0",
    ],
)
def test_other_content_is_not_taken_for_gift(text: str | bytes) -> None:
    assert not gift.looks_like(source(text))


# --- writing ------------------------------------------------------------------------------------


def no_picture(path: str) -> bytes:
    raise AssertionError(path)


def written(deck: Deck) -> bytes:
    [(name, data)] = write(deck, no_picture).files.items()
    assert name == f"{deck.name}.gift"
    return data


def expected(question: Question) -> tuple[object, ...]:
    """What a GIFT file holds of a question."""
    return (
        question.slug,
        f"{question.deck}/{question.domain}",
        question.stem,
        tuple(DraftOption(**option.model_dump()) for option in question.options),
        question.short,
        question.full,
        tuple(tag for tag in question.tags),
        question.sources,
    )


def held(draft: Draft) -> tuple[object, ...]:
    return (
        draft.slug,
        draft.category,
        draft.stem,
        draft.options,
        draft.short,
        draft.full,
        draft.tags,
        draft.sources,
    )


def test_the_shipped_deck_is_read_back_equal() -> None:
    deck = load_deck(SHIPPED)
    data = written(deck)
    reading = read(data)
    assert [held(draft) for draft in reading.drafts] == [expected(each) for each in deck.questions]
    assert (reading.problems, reading.notes) == ((), ())
    assert {draft.missing for draft in reading.drafts} == {()}
    assert gift.looks_like(source(data))


@settings(max_examples=100, deadline=None)
@given(decks())
def test_every_deck_is_read_back_equal(deck: Deck) -> None:
    reading = read(written(deck))
    assert [held(draft) for draft in reading.drafts] == [expected(each) for each in deck.questions]
    assert (reading.problems, reading.notes) == ((), ())
    assert {draft.missing for draft in reading.drafts} == {()}


@settings(max_examples=50, deadline=None)
@given(decks())
def test_a_question_is_one_block_of_the_file(deck: Deck) -> None:
    found = list(read_gift(written(deck).decode()))
    assert sum(getattr(each, "name", "") != "" for each in found) == len(deck.questions)


def with_options(*options: Option) -> Deck:
    deck = make_deck("first")
    question = deck.questions[0].model_copy(update={"options": options})
    return deck.model_copy(update={"questions": (question,)})


def test_true_and_false_are_written_as_such() -> None:
    deck = with_options(
        Option(text="True", correct=False, rationale="No.", misconception="Takes x for y"),
        Option(text="False", correct=True),
    )
    data = written(deck).decode()
    assert "{\n\tFALSE\n\t#*Takes x for y.* No.\n\t#\n\t####" in data
    [draft] = read(data).drafts
    assert draft.kind is Kind.TRUE_FALSE
    assert held(draft)[:4] == expected(deck.questions[0])[:4]


@pytest.mark.parametrize("keys", range(1, 9))
def test_several_keys_share_the_mark_as_moodle_wants_it(keys: int) -> None:
    options = [Option(text=f"o{place}", correct=place < keys) for place in range(8)]
    # Until a question may have several keys, it is built without a check.
    deck = with_options(*options)
    [draft] = read(written(deck)).drafts
    assert draft.kind is (Kind.CHOICE if keys == 1 else Kind.MULTIPLE)
    assert [option.correct for option in draft.options] == [option.correct for option in options]
    assert draft.missing == ()


def test_code_with_blank_lines_stays_in_its_question() -> None:
    deck = with_options(
        Option(text=CODE, correct=True, rationale=CODE), Option(text="y", correct=False)
    )
    [draft] = read(written(deck)).drafts
    assert (draft.options[0].text, draft.options[0].rationale) == (CODE, CODE)


def test_letters_in_a_deck_of_ours_stay_as_they_are() -> None:
    deck = with_options(
        Option(text="Both A and B", correct=True, rationale="Option B helps."),
        Option(text="y", correct=False),
    )
    [draft] = read(written(deck)).drafts
    assert (draft.options[0].text, draft.options[0].rationale) == (
        "Both A and B",
        "Option B helps.",
    )


def test_what_gift_cannot_hold_is_said() -> None:
    image = Image(path="images/x.png", alt="x")
    deck = make_deck("first", "second")
    first = deck.questions[0].model_copy(
        update={"image": image, "exhibit": image, "tags": ("a<b", "fine")}
    )
    second = deck.questions[1].model_copy(update={"expires": date(2027, 1, 1)})
    deck = deck.model_copy(update={"questions": (first, second)})
    assert write(deck, no_picture).notes == (
        "GIFT holds no pictures: 2 pictures and their descriptions are left out.",
        "1 tag holds signs that Moodle does not take in a tag, and is left out.",
        "When a question expires and which rules it may break are left out.",
    )
    assert read(written(deck)).drafts[0].tags == ("fine",)


# --- anything -----------------------------------------------------------------------------------

SEED = """// [id:one] [tag:x]
::One::[html]<p>What <b>is</b> {=it#Yes. ~%50%that#[markdown]*No.* ~[plain]this } here?</p>

$CATEGORY: $course$/a//b/c

Is it?{TRUE#no#yes####Option B is right.}

Pair.{=a -> b =c -> d}

Several.{~%50%a ~%50%b ~%-100%c#\\~\\=\\#\\{\\}\\:\\n\\\\ }
"""


def test_mutated_files_end_in_drafts_and_problems() -> None:
    chance = random.Random(4)
    seeds = [SEED.encode(), written(load_deck(SHIPPED))[:6_000]]
    marks = [
        b"{",
        b"}",
        b"\\",
        b"~",
        b"=",
        b"#",
        b"\n",
        b"\n\n",
        b"::",
        b"%",
        b"\xff",
        b"[",
        b"//",
        b"-",
    ]
    for _ in range(400):
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.randint(1, 30)):
            at = chance.randrange(len(data))
            data[at : at + chance.randint(0, 4)] = chance.choice(marks)
        found = source(bytes(data))
        gift.looks_like(found)
        with suppress(BadFile):
            gift.read([found], [])


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="{}~=#:\\%\n 05T[]-/$ab<>`"))
def test_any_text_ends_in_drafts_and_problems(text: str) -> None:
    reading = read(text)
    for draft in reading.drafts:
        assert draft.where.line is not None
        assert len(draft.options) >= 1


MUCH = 2**18
WORST = [
    "{",
    "}",
    "~",
    "=",
    "#",
    " ",
    "\n",
    "\\",
    "%",
    ":",
    "[",
    "`",
    "<",
    "// [id:",
    "::",
    "a\n\n",
]
WORST += ["{~", "a{=b ~c}\n\n", "####", "$CATEGORY:\n\n", "x{~<b>y</b>}\n", "A{T}\n\n", "(A) "]


@pytest.mark.parametrize("sign", WORST)
@pytest.mark.parametrize("frame", ["%s", "x{=a ~b ####%s}", "x{=a#%s ~b}"])
def test_much_of_one_sign_ends_in_time(sign: str, frame: str) -> None:
    # A part of the largest file: what grows faster than the file would not end here.
    data = source(frame.replace("%s", sign * (MUCH // len(sign))))
    gift.looks_like(data)
    with suppress(BadFile):
        gift.read([data], [])


def test_too_many_questions_are_refused_in_a_sentence() -> None:
    with pytest.raises(BadFile) as caught:
        read("a{T}\n\n" * 10_001)
    assert caught.value.sentence == (
        "“q.gift” has more than 10,000 questions. Split it into smaller files."
    )


def test_bytes_that_are_no_text_are_refused_in_a_sentence() -> None:
    with pytest.raises(BadFile):
        read(b"\0\x81\x8d")
