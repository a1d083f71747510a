"""Markdown practice exams: real files in full, and each shape that people write in few lines."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bank.errors import BadFile
from bank.formats import markdown_exam
from bank.formats.reading import Attachment, Draft, Kind, Reading, Source
from tests.shared import FIXTURES, needs_fixtures

FOLDER = FIXTURES / "markdown"
PNG = b"\x89PNG\r\n\x1a\n rest"


def reading(*pages: str, beside: Sequence[Source] = ()) -> Reading:
    sources = [Source(f"page-{at}.md", page.encode()) for at, page in enumerate(pages, start=1)]
    return markdown_exam.read(sources, beside)


def only(*pages: str, beside: Sequence[Source] = ()) -> Draft:
    (draft,) = reading(*pages, beside=beside).drafts
    return draft


def keys(draft: Draft) -> str:
    return "".join("ABCDEFGH"[at] for at, option in enumerate(draft.options) if option.correct)


def texts(draft: Draft) -> list[str]:
    return [option.text for option in draft.options]


def real(*names: str) -> Reading:
    return markdown_exam.read([Source(name, (FOLDER / name).read_bytes()) for name in names], [])


# Real files.

KEYS = {
    "aws-clf-practice-exam-1.md": (
        "D D B BE A B C AE B D C B C AE B D C BC D AC C A D C A AD D D D D A BC B D C A B AD "
        "AB D B A B AE C D BD DE C D"
    ),
    "aws-clf-practice-exam-15.md": (
        "A CE AC D B A A C BD C B C C D C C B BD D AD A AC C D AC C AD B A AD B C C B B B BC "
        "B D AB B D CD BC AB A BC D A D"
    ),
    "aws-clf-practice-exam-22.md": (
        "A C AD C D B B A B A B B CE C D C C A C AD AC C D C BD A C AB A A C D D D B C A B C "
        "AD C B B B B A CD AE D B"
    ),
    "az104-practice-test.md": (
        "B B B ABCE B B A B C D B ABD B A B B B A ABC B A B B C C B ABC D B D B ABC A B B "
        "ABCDE D C B B ABC B A B B ABCE A A A ABCE"
    ),
    "az700-practice-test.md": (
        "B D C A B B D C A B B C B B C B B D B C C B D A B A A A A B B A D B D B D D B B B B "
        "B D B B B B D B"
    ),
    "nca-aiio-self-quiz.md": (
        "C B C B B C B B D D C C B C B B C B B B C C B C B B C AC B B B B B C B C B B B B B B "
        "C B B C B B B B"
    ),
}


@needs_fixtures
@pytest.mark.parametrize("name", KEYS)
def test_every_question_of_a_real_exam_is_a_draft_with_the_keys_that_it_gives(name: str) -> None:
    found = real(name)
    assert [keys(draft) for draft in found.drafts] == KEYS[name].split()
    assert found.problems == ()
    assert [draft.missing for draft in found.drafts if draft.missing] == (
        [("the explanation says that no option is right",)] if "az700" in name else []
    )
    assert all(draft.stem and all(texts(draft)) for draft in found.drafts)


COUNTS = {  # options, explanations, questions with sources, notes
    "aws-clf-practice-exam-1.md": ({4: 38, 5: 12}, 0, 0, 0),
    "aws-clf-practice-exam-15.md": ({4: 36, 5: 14}, 31, 39, 2),
    "aws-clf-practice-exam-22.md": ({4: 42, 5: 8}, 1, 21, 1),
    "az104-practice-test.md": ({4: 33, 5: 9, 2: 8}, 50, 0, 0),
    "az700-practice-test.md": ({4: 50}, 50, 0, 1),
    "nca-aiio-self-quiz.md": ({4: 50}, 0, 0, 0),
}


@needs_fixtures
@pytest.mark.parametrize("name", COUNTS)
def test_options_explanations_and_sources_of_a_real_exam_are_all_there(name: str) -> None:
    found = real(name)
    sizes = Counter(len(draft.options) for draft in found.drafts)
    full = sum(bool(draft.full) for draft in found.drafts)
    sourced = sum(bool(draft.sources) for draft in found.drafts)
    assert (dict(sizes), full, sourced, len(found.notes)) == COUNTS[name]


@needs_fixtures
def test_sections_of_a_real_exam_are_its_categories() -> None:
    found = Counter(draft.category for draft in real("nca-aiio-self-quiz.md").drafts)
    assert found == {
        "Essential AI Knowledge": 10,
        "AI Infrastructure": 20,
        "AI Operations": 15,
        "Mixed and Integration Questions": 5,
    }
    found = Counter(draft.category for draft in real("az104-practice-test.md").drafts)
    assert found["Azure Identity & Governance"] == 12
    assert found["Azure Compute"] == 12


@needs_fixtures
def test_what_is_odd_in_the_real_exams_is_told_with_its_line() -> None:
    notes = [str(note) for name in COUNTS for note in real(name).notes]
    assert notes == [
        "aws-clf-practice-exam-15.md:196: the reference holds more than its link: “- the-cloud/”",
        "aws-clf-practice-exam-15.md:520: option A stands on the line of the question",
        "aws-clf-practice-exam-22.md:299: the stem does not say that it has several answers",
        "az700-practice-test.md:418: the answer words option D otherwise: “Use Azure Virtual WAN”",
    ]


@needs_fixtures
def test_an_explanation_keeps_its_list_and_names_options_by_reference() -> None:
    drafts = real("az700-practice-test.md").drafts
    assert drafts[43].full.splitlines()[1:3] == [
        "1. Network Security Group on the Bastion subnet allowing inbound Azure Cloud traffic",
        "2. Network Security Group on the VM subnet allowing inbound RDP/SSH",
    ]
    assert "(answer {b})" in drafts[11].full
    assert texts(drafts[13])[3] == "Both {a} and {b} are suitable"
    assert texts(drafts[28])[0].startswith("User Defined Route in subnet A")


@needs_fixtures
@pytest.mark.parametrize("order", [1, -1])
def test_a_second_file_gives_the_answers_as_texts_in_any_order(order: int) -> None:
    found = real(*["kcna-questions.md", "kcna-answers.md"][::order])
    assert [keys(draft) for draft in found.drafts] == ["D", "C", "C", "A", "ABCD", *[""] * 17]
    assert found.drafts[4].missing == ("the answer names every option",)
    assert Counter(draft.kind for draft in found.drafts)[Kind.MULTIPLE] == 3
    assert [str(note) for note in found.notes] == [
        "kcna-questions.md:67: 5 of 22 have an answer; there is none to 6–22"
    ]


@needs_fixtures
def test_answers_alone_say_that_their_questions_are_wanting() -> None:
    found = real("kcna-answers.md")
    assert not found.drafts
    assert "answers without their questions" in str(found.problems[0])


@needs_fixtures
def test_the_format_is_recognised_by_content() -> None:
    for path in sorted(FOLDER.iterdir()):
        assert markdown_exam.looks_like(Source("x", path.read_bytes())), path.name
    for folder in ("gift", "aiken", "moodle_xml", "qti12", "csv", "opentdb", "page_text", "anki"):
        for path in sorted((FIXTURES / folder).iterdir()):
            if path.is_file():
                assert not markdown_exam.looks_like(Source("x", path.read_bytes())), path


# Options and keys.

ASKED = "1. Which planet is nearest to the sun?\n"


@pytest.mark.parametrize(
    "options",
    [
        "- A. Venus\n- B. Mercury\n- C. Mars\n",
        "- A) Venus\n- B) Mercury\n- C) Mars\n",
        "A. Venus\nB. Mercury\nC. Mars\n",
        "A) Venus  \nB) Mercury  \nC) Mars\n",
        "* a) Venus\n* b) Mercury\n* c) Mars\n",
        "   - **A.** Venus\n   - **B.** Mercury\n   - **C.** Mars\n",
        "(A) Venus\n\n(B) Mercury\n\n(C) Mars\n",
        "A) Venus<br/>B) Mercury<br>C) Mars\n",
        "- Venus\n- Mercury\n- Mars\n",
    ],
)
@pytest.mark.parametrize(
    "answer",
    [
        "Correct answer: B",
        "**Answer:** B",
        "Answer: **B**",
        "**Answer: B**",
        "Answer: B) Mercury",
        "Answer: B. Mercury",
        "Answer: Mercury",
        "The correct answer is B.",
        "> **Correct Answer**: B",
        "✅ Correct answer: B",
        "<details><summary>Answer</summary>\n\nB\n\n</details>",
        "<details>\n<summary>Show answer</summary>\nCorrect answer: B\n</details>",
        "<details><summary>Answer: B</summary></details>",
    ],
)
def test_options_and_answers_are_read_in_the_usual_shapes(options: str, answer: str) -> None:
    draft = only(f"{ASKED}\n{options}\n{answer}\n")
    assert draft.stem == "Which planet is nearest to the sun?"
    assert texts(draft) == ["Venus", "Mercury", "Mars"]
    assert keys(draft) == "B"
    assert not draft.missing
    assert not draft.full


@pytest.mark.parametrize(
    "begins",
    [
        "1. ",
        "1) ",
        "**1.** ",
        "**Question 1:** ",
        "Q1. ",
        "### Question 1\n",
        "#### Q1: ",
        "### 1. ",
        "## ",
    ],
)
def test_questions_begin_in_the_usual_ways(begins: str) -> None:
    first = f"{begins}Which is red?\n\n- [ ] Grass\n- [x] Blood\n\n"
    second = f"{begins.replace('1', '2')}Which is blue?\n\n- [x] Sky\n- [ ] Snow\n"
    page = f"# Quiz\n\n{first}{second}"
    found = reading(page)
    assert [draft.stem for draft in found.drafts] == ["Which is red?", "Which is blue?"]
    assert [keys(draft) for draft in found.drafts] == ["B", "A"]
    assert not found.problems


@pytest.mark.parametrize(
    "given_as", ["AC", "A, C", "A and C", "A,C", "A & C", "A; C", "**A**, **C**", "C, A"[::-1]]
)
def test_several_keys_are_read_however_they_are_joined(given_as: str) -> None:
    draft = only(f"1. Which are even? (Choose TWO)\n- A. 2\n- B. 3\n- C. 4\n\nAnswer: {given_as}\n")
    assert keys(draft) == "AC"
    assert draft.kind is Kind.MULTIPLE
    assert draft.stem.endswith("(Choose TWO)")


TWO = "1. Red?\n   - A. Grass\n   - B. Blood\n\n2. Blue?\n   - A. Sky\n   - B. Snow\n\n"


@pytest.mark.parametrize(
    "answers",
    [
        "## Answers\n\n1. B\n2. A\n",
        "## Answer key\n\n1. B - it has iron\n2. A - it scatters light\n",
        "**Answers**\n\n1-B 2-A\n",
        "1. B\n2. A\n",
        "## Answers\n\n| Question | Answer |\n|---|---|\n| 1 | B |\n| 2 | A |\n",
        "## Answers\n\n| # | Answer | Why |\n|--|--|--|\n| 1 | B | it has iron |\n| 2 | A | so |\n",
        "## Answers\n\n| Q | A | Q | A |\n|--|--|--|--|\n| 1 | B | 2 | A |\n",
        "## Solutions\n\n**Q1: B) Blood**\n- Explanation: iron.\n\n**Q2: A) Sky**\n",
        "<details><summary>Answers</summary>\n\n1. B\n2. A\n\n</details>\n",
        "## Answers\n\n1. Blood\n2. Sky\n",
        "## Answers\n\n1. Red?\n\nBlood\n\n2. Blue?\n\nSky\n",
    ],
)
@pytest.mark.parametrize("apart", [False, True])
def test_answers_that_stand_apart_are_joined_by_number(answers: str, apart: bool) -> None:
    found = (
        reading(answers, TWO)
        if apart and not answers.startswith("1. B")
        else reading(TWO + answers)
    )
    assert [keys(draft) for draft in found.drafts] == ["B", "A"]
    assert not any(draft.missing for draft in found.drafts)
    assert not found.problems


def test_reasons_in_a_table_of_answers_are_explanations() -> None:
    table = "| # | Answer | Why |\n|--|--|--|\n| 1 | B | It has iron. |\n| 2 | A | |\n"
    page = f"{TWO}## Answers\n\n{table}"
    assert [draft.full for draft in reading(page).drafts] == ["It has iron.", ""]


def test_answers_as_texts_are_matched_whatever_their_case_and_marks() -> None:
    page = "1. Which?\n- A. Salt, pepper and oil\n- B. Sugar\n\nAnswer: salt pepper oil\n"
    assert keys(only(page)) == "A"
    page = "1. Which?\n- A. Salt\n- B. Sugar\n\nAnswer: Honey\n"
    assert only(page).missing == ("the answer “Honey” is none of the options",)


def test_files_of_answers_find_their_questions_by_name() -> None:
    other = TWO.replace("Grass", "Moss").replace("Blood", "Rust")
    sources = [
        Source("b-answers.md", b"## Answers\n1. A\n2. A\n"),
        Source("a-questions.md", TWO.encode()),
        Source("b-questions.md", other.encode()),
        Source("a-answers.md", b"## Answers\n1. B\n2. B\n"),
    ]
    found = markdown_exam.read(sources, [])
    named = [(draft.where.source, keys(draft)) for draft in found.drafts]
    assert named == [("a-questions.md", "B")] * 2 + [("b-questions.md", "A")] * 2


def test_a_file_of_headings_and_answers_is_one_of_answers() -> None:
    answers = "### Question 1\n**Answer:** B\n\nIron.\n\n### Question 2\n**Answer:** A\n"
    found = reading(TWO, answers)
    assert [(keys(draft), draft.full) for draft in found.drafts] == [("B", "Iron."), ("A", "")]


def test_answers_that_fit_two_files_alike_are_given_to_neither() -> None:
    sources = [Source(f"{name}.md", TWO.encode()) for name in ("x1", "x2")]
    found = markdown_exam.read([*sources, Source("x3.md", b"## Answers\n1. B\n2. B\n")], [])
    assert "fit “x2.md” and “x1.md” alike" in str(found.problems[0])
    assert not any(keys(draft) for draft in found.drafts)


# Contradictions.


@pytest.mark.parametrize(
    ("page", "clause"),
    [
        (f"{ASKED}- A. Venus\n- B. Mercury\n\nAnswer: E\n", "the key E is no option"),
        (
            f"{ASKED}- A. Venus\n- B. Mercury\n\nAnswer: A\n\nAnswer: B\n",
            "two answers are given: A and B",
        ),
        (
            f"{ASKED}- [x] A. Venus\n- [ ] B. Mercury\n\nAnswer: B\n",
            "two answers are given: A and B",
        ),
        (
            f"{ASKED}- A. Venus\n- B. Mercury\n\nAnswer: A) Mercury\n",
            "the answer names A with the text of B",
        ),
        (
            f"{ASKED}- A. Venus\n- B. Mercury\n- D. Mars\n\nAnswer: B\n",
            "the options are lettered A, B, D",
        ),
        (f"{ASKED}- A. Venus\n- B. Venus\n\nAnswer: B\n", "two options have the same text"),
        (
            "1. Which? (Choose two)\n- A. x\n- B. y\n- C. z\n\nAnswer: B\n",
            "the stem asks for 2, the answer names 1 option",
        ),
        (
            f"{ASKED}- A. Venus\n- B. Mercury\n- C. Mars\n\nAnswer: C\n\n"
            "Explanation: Option B is correct because it is near.\n",
            "the key says C, the explanation says B",
        ),
        (
            "1. Red?\n- A. Grass\n- B. Blood\n\n1. Blue?\n- A. Sky\n- B. Snow\n\n"
            "## Answers\n1. B\n",
            "two questions have the number 1",
        ),
    ],
)
def test_a_contradiction_is_reported_and_not_resolved(page: str, clause: str) -> None:
    assert clause in reading(page).drafts[0].missing


def test_an_answer_without_its_question_is_a_problem() -> None:
    found = reading(f"{TWO}## Answers\n\n1. B\n2. A\n3. C\n")
    assert [str(problem) for problem in found.problems] == [
        "page-1.md:13: there is no question 3 for this answer"
    ]


@pytest.mark.parametrize(
    ("stem", "kind"),
    [
        ("Drag and drop each word to its place.", "matching"),
        ("Arrange these steps in the correct order?", "ordering"),
        ("What is the boiling point of water?", "short answer"),
    ],
)
def test_a_question_of_another_kind_is_a_problem_with_its_line(stem: str, kind: str) -> None:
    found = reading(f"### Question 1\nRed?\n- [x] Blood\n- [ ] Snow\n\n### Question 2\n{stem}\n")
    assert [(problem.kind, problem.where.line) for problem in found.problems] == [(kind, 6)]
    assert len(found.drafts) == 1


def test_true_or_false_needs_no_options() -> None:
    draft = only("### Question 1\nTrue or False: ice floats.\n\nAnswer: True\n")
    assert (draft.kind, texts(draft), keys(draft)) == (Kind.TRUE_FALSE, ["True", "False"], "A")


# Text, code, pictures, links.


def test_code_is_kept_whatever_it_holds() -> None:
    code = "```python\nA. not an option\n\n# no heading\n<b>&amp;</b> {a}\nAnswer: C\n```"
    options = "- A.\n  ```\n  one\n    two\n  ```\n- B. `<br>`\n"
    page = f"1. What does this print?\n\n{code}\n\n{options}\nAnswer: A\n"
    draft = only(page)
    assert draft.stem == f"What does this print?\n\n{code}"
    assert texts(draft) == ["```\none\n  two\n```", "`<br>`"]
    assert keys(draft) == "A"


def test_indented_code_becomes_a_fence_with_the_same_rows() -> None:
    code = "       if x:\n           y\n"
    page = f"1. What does this print?\n\n{code}\n   - A. one\n   - B. two\n\nAnswer: A\n"
    assert only(page).stem == "What does this print?\n\n```\nif x:\n    y\n```"


def test_html_comments_entities_and_ways_back_go() -> None:
    page = (
        "<!-- 1. Old?\n- A. x\n- B. y -->\n### Is <b>1 &lt; 2</b>, <br/> or not? <!-- hm -->\n\n"
        "- [x] Yes &amp; no\n- [ ] List<String>\n\n"
        "**[Back to top](#top)**\n\n<p align=right>Bye</p>\n"
    )
    draft = only(page)
    assert draft.stem == "Is **1 < 2**, or not?"
    assert texts(draft) == ["Yes & no", "List<String>"]


def test_paragraphs_are_unwrapped_and_literal_braces_escaped() -> None:
    stem = "1. What of {a}\n   in a line?\n\n   And this?\n"
    page = stem + "   - A. long\n     text\n   - B. two\n\nAnswer: A\n"
    draft = only(page)
    assert draft.stem == "What of \\{a} in a line?\n\nAnd this?"
    assert texts(draft)[0] == "long text"


def test_reasons_stand_at_their_options_and_the_explanation_is_whole() -> None:
    page = (
        f"{ASKED}- A. Venus\n- B. Mercury\n\nAnswer: B\n\n"
        "Explanation: Option B is correct because it is near. "
        "Option A is incorrect because it is second.\n"
    )
    draft = only(page)
    assert "second" in draft.options[0].rationale
    assert "near" in draft.options[1].rationale
    assert "{b}" in draft.full
    assert "second" in draft.full


def test_a_quote_under_an_option_is_its_rationale() -> None:
    draft = only("### Red?\n\n- [ ] Grass\n  > It is green.\n- [x] Blood\n  > Iron.\n")
    assert [option.rationale for option in draft.options] == ["It is green.", "Iron."]


def test_short_and_full_explanations_are_told_apart() -> None:
    page = (
        f"{ASKED}- A. Venus\n- B. Mercury\n\nAnswer: B\n\n"
        "**Short explanation:** Near.\n\n**Full explanation:**\nVery near.\n"
    )
    draft = only(page)
    assert (draft.short, draft.full) == ("Near.", "Very near.")


def test_links_under_an_explanation_are_sources() -> None:
    page = (
        f"{ASKED}- A. Venus\n- B. Mercury\n\nAnswer: B\n\n"
        "Explanation: See [here](https://a.example/x) too.\n\n"
        "Reference: <https://b.example/y>\n- [A page](https://c.example/z_(1))\n"
    )
    draft = only(page)
    assert draft.sources == ("https://b.example/y", "https://c.example/z_(1)")
    assert draft.full == "See [here](https://a.example/x) too."


def test_pictures_stand_where_the_page_shows_them() -> None:
    page = (
        "1. What is this?\n![A map](img/a%20map.png)\n- A. Map\n- B. Book\n\nAnswer: A\n\n"
        'Explanation: See:\n<img src="b.png" alt="B">\n'
    )
    beside = [Source("img/a map.png", PNG), Source("else/B.png", PNG + b"b")]
    draft = only(page, beside=beside)
    assert draft.stem == "What is this?"
    assert draft.exhibit == Attachment("a map.png", PNG, "A map")
    assert draft.image == Attachment("B.png", PNG + b"b", "B")
    assert not draft.missing


def test_a_picture_that_is_not_there_is_missing() -> None:
    draft = only(
        "1. What?\n![x](x.png)\n- A. Map\n- B. ![y](https://e.example/y.png)\n\nAnswer: A\n"
    )
    assert draft.missing == (
        "the picture “https://e.example/y.png” is on the web and did not come along",
        "the picture “x.png” did not come with the file",
    )
    assert texts(draft)[1] == "[y](https://e.example/y.png)"


def test_a_list_in_a_stem_is_no_list_of_options() -> None:
    stem = "1. You need:\n   - speed\n   - safety\n\n   Which?\n"
    page = stem + "   - A. Car\n   - B. Train\n\nAnswer: B\n"
    draft = only(page)
    assert texts(draft) == ["Car", "Train"]
    assert "- speed" in draft.stem


def test_a_case_study_stands_before_each_of_its_questions() -> None:
    page = (
        "## Case study: a bakery\n\nIt bakes.\n\n"
        "### Question 1\nWhat?\n- [x] Bread\n- [ ] Iron\n\n"
        "### Question 2\nWhen?\n- [x] Early\n- [ ] Late\n\n"
        "## Other\n\n### Question 3\nRed?\n- [x] Blood\n- [ ] Snow\n"
    )
    stems = [draft.stem for draft in reading(page).drafts]
    assert stems == ["It bakes.\n\nWhat?", "It bakes.\n\nWhen?", "Red?"]


def test_question_files_of_our_own_and_other_formats_are_none_of_these() -> None:
    options = "- [ ] a\n  > no\n- [x] b\n  > yes\n"
    native = f"---\ndomain: fabric\n---\nWhy?\n\n{options}\n## Short explanation\n\ns\n"
    for page in (
        native,
        "What?\nA. x\nB. y\nANSWER: A\n",
        "::a:: b {=c ~d}\n",
        "# Title\n\nText.\n",
        "",
    ):
        assert not markdown_exam.looks_like(Source("x.md", page.encode()))


def test_a_page_without_a_question_is_refused_with_a_sentence() -> None:
    with pytest.raises(BadFile, match=r"I found no question in “page-1\.md”"):
        reading("# Title\n\nSome text.\n")


# Hostile input.

SEED = (
    TWO
    + "## Answers\n\n1. B\n2. A\n"
    + "```\ncode\n```\n<details><summary>3. Q?</summary>\n- [x] a\n- [ ] b\n</details>\n"
)
PIECES = [
    "1. ", "- A. ", "- [x] ", "Answer: B", "<details>", "</details>", "<summary>", "```", "~~~",
    "> ", "<!--", "-->", "| 1 | B |", "|---|", "## Answers", "# ", "![a](b)", "<br/>", "&lt;",
    "{a}", "\n", "\n\n", "    ", "---", "<pre>", "\t",
]  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=60))
def test_any_text_ends_in_questions_or_a_sentence(pieces: list[str]) -> None:
    for page in ("".join(pieces), TWO + "".join(pieces)):
        source = Source("x.md", page.encode("utf-8", "replace"))
        markdown_exam.looks_like(source)
        try:
            found = markdown_exam.read([source], [])
        except BadFile:
            continue
        assert found.drafts or found.problems


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(min_value=0))
def test_a_mutated_page_ends_in_questions_or_a_sentence(seed: int) -> None:
    draw = random.Random(seed)
    data = bytearray(SEED.encode())
    for _ in range(draw.randint(1, 12)):
        at = draw.randrange(len(data))
        data[at : at + draw.randint(0, 9)] = (
            draw.choice(PIECES).encode() * draw.randint(0, 3) or b"\xff"
        )
    with suppress(BadFile):
        markdown_exam.read([Source("x.md", bytes(data))], [])


@pytest.mark.parametrize(
    "data", ["\ufeff1. Q?\r\n- A. x\r\n- B. y\r\n".encode(), TWO.encode("utf-16")]
)
def test_encodings_and_line_ends_make_no_difference(data: bytes) -> None:
    found = markdown_exam.read([Source("x.md", data)], [])
    assert all(len(draft.options) == 2 and "\r" not in draft.stem for draft in found.drafts)
    assert found.drafts[0].where.line == 1


def test_bytes_that_are_no_text_are_refused_with_a_sentence() -> None:
    with pytest.raises(BadFile, match="no text that I can read"):
        markdown_exam.read([Source("x.md", b"\x00\x01")], [])


@pytest.mark.parametrize(
    "piece",
    [
        "> ",
        "- ",
        "<summary>",
        "<!--",
        "![](",
        "`",
        "1-B ",
        "<pre>\n",
        "\n    x\n",
        "    - A. a\n",
        "*",
        "(A) ",
    ],
)
def test_hostile_megabytes_end_soon(piece: str) -> None:
    began = time.process_time()
    page = "1. Q?\n- A. a\n- B. b\n\nExplanation: " + piece * (2**20 // len(piece))
    with suppress(BadFile):
        reading(page)
    assert time.process_time() - began < 5
