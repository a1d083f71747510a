"""The question writer: what it writes is read back equal, and what it cannot write it refuses."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings

from bank.decks import load_deck
from bank.formats.question_file import QuestionFile, read_question_file
from bank.formats.question_writer import Unwritable, draft_text, question_text
from bank.formats.reading import Attachment, Draft, DraftOption, Kind, Where
from bank.models import Deck, Image, Question
from tests.made_decks import decks
from tests.samples import make_question

NCA = Path(__file__).parent.parent / "data" / "nca-aiio"


def trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n"))


def check(question: Question) -> QuestionFile:
    """Write the question, read it back and find it equal, but for spaces at the ends of lines."""
    found = read_question_file(question_text(question))
    assert found.faults == []
    assert trimmed(found.stem) == trimmed(question.stem)
    for read, meant in zip(found.options, question.options, strict=True):
        assert trimmed(read.text) == trimmed(meant.text)
        assert read.correct == meant.correct
        assert trimmed(read.rationale) == trimmed(meant.rationale)
        assert trimmed(read.misconception or "") == trimmed(meant.misconception or "")
    assert trimmed(found.short) == trimmed(question.short)
    assert trimmed(found.full) == trimmed(question.full)
    assert found.text("domain") == question.domain
    assert found.items("tags") == question.tags
    assert found.items("sources") == question.sources
    assert found.items("lint") == question.lint
    return found


def with_parts(text: str = "plain", **changes: object) -> Question:
    return make_question().model_copy(update={"stem": text, **changes})


def with_option(text: str, rationale: str = "", misconception: str | None = None) -> Question:
    question = make_question()
    first = question.options[0].model_copy(
        update={"text": text, "rationale": rationale, "misconception": misconception}
    )
    return question.model_copy(update={"options": (first, *question.options[1:])})


HARD = [
    "two\nlines",
    "ends in a backslash\\\nand goes on",
    "two\n\nparagraphs",
    "```python\nprint('{a}')\n\n- [ ] no option\n---\n## Short explanation\n```",
    "Before\n\n```go\nif x {\n\treturn\n}\n```\n\nafter",
    "Choose:\n\n- one\n- two",
    "Choose:\n\n1. one\n2. two\n   - three",
    "Above\n\n---\n\nbelow",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "### A small heading\n\ntext",
    "*stressed.* text",
    "A line that ends in two stars **",
    r"\# \- \> \{a}",
    "é 题目 🦉 <b>x</b> &amp;",
    "`[x]` and [ ] and [x](http://e.org)",
]


@pytest.mark.parametrize("text", HARD)
def test_hard_text_in_a_stem_and_in_the_explanations_comes_back(text: str) -> None:
    check(with_parts(text, short=text, full=text))


@pytest.mark.parametrize("text", [each for each in HARD if not each.startswith("*")])
def test_hard_text_in_an_option_comes_back(text: str) -> None:
    check(with_option(text, text, "Takes one for the other"))
    check(with_option(text, text))
    check(with_option(text))


@pytest.mark.parametrize("named", ["Mixes *a* with b", "a: b, “c”", "Is it?", "Takes `*` for it"])
def test_a_misconception_comes_back(named: str) -> None:
    check(with_option("text", "Why.", named))
    check(with_option("text", "", named))
    check(with_option("text", "- one\n- two", named))


@pytest.mark.parametrize(
    "value",
    ["a: b", '"whole"', "'single'", '"a" and "b"', "[list]", "C:\\dir\\", "#x", "it's", 'a"b', "-"],
)
def test_front_matter_holds_any_line(value: str) -> None:
    image = Image(path="images/a b.png", alt=value)
    question = with_parts(
        image=image,
        exhibit=Image(path="images/c.png", alt=value),
        tags=(value, "plain"),
        sources=(value, f"https://e.org/?a={value}"),
        lint=(f"rule: {value}",),
        expires=date(2027, 1, 31),
    )
    found = check(question)
    assert (found.text("alt"), found.text("exhibit-alt")) == (value, value)
    assert (found.text("image"), found.text("expires")) == ("images/a b.png", "2027-01-31")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (with_parts("# Heading\n\ntext"), "the stem holds a large heading, or “---”"),
        (with_parts("text\n---\nmore"), "the stem holds a large heading, or “---”"),
        (with_parts("```\nnever closed"), "the stem has code that is never closed"),
        (with_parts("Choose:\n\n- [ ] a\n- [x] b"), "the stem has marks that read as other parts"),
        (with_parts(full="## Notes\n\ntext"), "the full explanation holds a large heading"),
        (with_option("text\n\n> a quote"), "option A has marks that read as other parts"),
        (with_option("a", "", "two\n\nparts"), "the misconception of option A has marks that read"),
        (with_option("text", "*Wrong.* It is."), "the rationale of option A has marks that read"),
    ],
)
def test_what_no_file_can_hold_is_refused_with_its_part(question: Question, told: str) -> None:
    with pytest.raises(Unwritable) as refused:
        question_text(question)
    assert refused.value.sentence.startswith(f"sample/first cannot be written: {told}")


@settings(max_examples=60, deadline=None)
@given(decks())
def test_any_question_comes_back_or_is_refused(deck: Deck) -> None:
    for question in deck.questions:
        with suppress(Unwritable):
            check(question)


def test_every_question_that_is_shipped_comes_back() -> None:
    for question in load_deck(NCA).questions:
        check(question)


# Drafts


def draft(**changes: object) -> Draft:
    values: dict[str, object] = {
        "where": Where("page.txt", 4),
        "kind": Kind.CHOICE,
        "stem": "What whistles?",
        "options": (
            DraftOption("", False, "A spoon is silent."),
            DraftOption("", True, "Steam leaves it."),
            DraftOption("", False, "", "Thinks of trains"),
        ),
        "short": "Steam.",
        "full": "{b} whistles, and {a} does not.",
        "category": "Kitchen/Water: hot",
        "tags": ("water",),
        "image": Attachment("images/k.png", b"", "A kettle"),
        "missing": ("the option texts are missing", "the key says B,\nthe text says C"),
        **changes,
    }
    return Draft(**values)  # type: ignore[arg-type]


def test_a_draft_without_option_texts_is_written_with_what_is_there() -> None:
    assert draft_text(draft()) == (
        "---\n"
        "domain: Kitchen/Water: hot\n"
        "tags: [water]\n"
        "image: images/k.png\n"
        "alt: A kettle\n"
        "# missing: the option texts are missing\n"
        "# missing: the key says B, the text says C\n"
        "---\n"
        "What whistles?\n"
        "\n"
        "- [ ]\n"
        "  > A spoon is silent.\n"
        "- [x]\n"
        "  > Steam leaves it.\n"
        "- [ ]\n"
        "  > *Thinks of trains.*\n"
        "\n"
        "## Short explanation\n"
        "\n"
        "Steam.\n"
        "\n"
        "## Full explanation\n"
        "\n"
        "{b} whistles, and {a} does not.\n"
    )


def test_a_written_draft_is_read_and_says_what_is_missing() -> None:
    found = read_question_file(draft_text(draft()))
    assert [fault for _, fault in found.faults] == [
        "option 1 has no text",
        "option 2 has no text",
        "option 3 has no text",
    ]
    assert found.offered == draft().options


@pytest.mark.parametrize(
    "changes",
    [
        {"stem": ""},
        {"options": ()},
        {"options": (DraftOption("only", True),), "short": "", "full": ""},
        {"stem": "", "options": (), "short": "", "full": "", "missing": ()},
        {"stem": "# Heading", "full": "## More"},
        {"stem": "```\nopen"},
        {"category": None, "tags": (), "image": None, "missing": ()},
    ],
)
def test_any_draft_is_written_and_read_without_a_word_lost(changes: dict[str, object]) -> None:
    made = draft(**changes)
    text = draft_text(made)
    read_question_file(text)
    words = [made.stem, made.short, made.full, *(each.text for each in made.options)]
    assert all(word in text for word in words)
