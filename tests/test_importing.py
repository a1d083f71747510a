"""Files come in whole or not at all, and what comes in is a deck like any other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.decks import check_deck, load_deck
from bank.errors import DeckFaults, QuizError
from bank.exporting import export
from bank.formats.reading import Draft, DraftOption, Kind, Problem, Source, Where
from bank.importing.bring import bring as bring_files
from bank.importing.fitting import fitted
from bank.importing.merging import merged
from bank.importing.placing import NotPlaced, staged
from bank.importing.report import Report, Wish
from tests.samples import NOW
from tests.shared import FIXTURES, needs_fixtures

GIFT = """\
$CATEGORY: course/Kettles

::boiling:: When does water boil at the top of a mountain? {
  =Sooner # Less air presses on it.
  ~Later # A mountain has thin air.
  ~As in the valley
}

$CATEGORY: course/Rafts and boats

A raft floats since it is lighter than the water it moves aside. {TRUE}
"""
MATCHING = """

Match the vessel to its liquid. {
  =kettle -> tea
  =barrel -> wine
  =can -> oil
}
"""


def bring(folder: Path, *files: str | Source, **wish: Any) -> Report:
    """Import texts as GIFT files, or sources as they are, into the deck `trial` in `folder`."""
    sources = [
        file if isinstance(file, Source) else Source(f"{number}.gift", file.encode())
        for number, file in enumerate(files, start=1)
    ]
    return bring_files(sources, Wish(deck="trial", **wish), folder / "trial", NOW.date())


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# All or nothing


def test_a_file_becomes_a_deck_that_has_no_faults(tmp_path: Path) -> None:
    report = bring(tmp_path, GIFT)
    assert report.done
    assert (report.taken, report.total, report.problems, report.drafts) == (2, 2, (), ())
    assert report.kinds == {"multiple choice": 1, "true/false": 1}
    assert report.headline() == "The deck “trial” has got 2 new questions."
    deck = load_deck(tmp_path / "trial")
    assert [(domain.id, domain.title) for domain in deck.domains] == [
        ("kettles", "Kettles"),
        ("rafts-and-boats", "Rafts and boats"),
    ]
    boiling = next(question for question in deck.questions if question.slug == "boiling")
    assert [option.correct for option in boiling.options] == [True, False, False]
    assert boiling.options[0].rationale == "Less air presses on it."


def test_one_item_that_cannot_be_taken_leaves_everything_as_it_was(tmp_path: Path) -> None:
    report = bring(tmp_path, GIFT + MATCHING)
    assert not report.done
    assert report.headline() == (
        "1 item cannot be taken, so nothing was changed. "
        "Mend the file, or add keep-good to take the others."
    )
    assert report.kinds["matching"] == 1
    assert "matching questions are not supported" in report.problems[0]
    assert files_in(tmp_path) == {}


def test_the_good_ones_are_taken_when_that_is_asked_for(tmp_path: Path) -> None:
    report = bring(tmp_path, GIFT + MATCHING, keep_good=True)
    assert (report.done, report.taken, len(report.problems)) == (True, 2, 1)
    assert len(load_deck(tmp_path / "trial").questions) == 2


def test_a_trial_tells_all_and_changes_nothing(tmp_path: Path) -> None:
    report = bring(tmp_path, GIFT, trial=True)
    assert not report.done
    assert report.headline() == "The deck “trial” would get 2 new questions."
    assert files_in(tmp_path) == {}


def test_a_file_of_no_known_format_is_told_and_nothing_is_changed(tmp_path: Path) -> None:
    report = bring(tmp_path, Source("thoughts.txt", b"Nothing here is a question."))
    assert report.problems == ("thoughts.txt: the format of this file is not known",)
    assert report.headline() == "No question was found, so nothing was changed."
    assert files_in(tmp_path) == {}


def test_one_bad_file_among_several_keeps_them_all_out(tmp_path: Path) -> None:
    report = bring(tmp_path, GIFT, Source("x.bin", b"\0\1\2"))
    assert not report.done
    assert files_in(tmp_path) == {}


# A deck that is there


def test_a_second_import_adds_what_is_new_and_nothing_twice(tmp_path: Path) -> None:
    bring(tmp_path, GIFT)
    report = bring(tmp_path, GIFT + "\nIs a kettle a boat? {F}\n")
    assert (report.taken, report.known, report.total) == (1, 2, 3)
    assert len(load_deck(tmp_path / "trial").questions) == 3


def test_the_same_import_again_changes_no_byte(tmp_path: Path) -> None:
    bring(tmp_path, GIFT)
    before = files_in(tmp_path)
    report = bring(tmp_path, GIFT)
    assert report.headline() == (
        "The deck “trial” has all of this already, so nothing was changed."
    )
    assert files_in(tmp_path) == before


def test_a_question_of_a_known_name_with_another_text_is_told(tmp_path: Path) -> None:
    bring(tmp_path, GIFT)
    report = bring(tmp_path, GIFT.replace("Sooner", "Much sooner"))
    assert not report.done
    assert "the deck has a question “boiling” with another text" in report.problems[0]


def test_replacing_puts_the_new_text_under_the_old_name(tmp_path: Path) -> None:
    bring(tmp_path, GIFT + "\nIs a kettle a boat? {F}\n")
    report = bring(tmp_path, GIFT.replace("Sooner", "Much sooner"), replace=True)
    assert (report.done, report.total) == (True, 2)
    deck = load_deck(tmp_path / "trial")
    boiling = next(question for question in deck.questions if question.slug == "boiling")
    assert boiling.options[0].text == "Much sooner"
    assert len(deck.questions) == 2


def test_a_deck_with_faults_is_left_alone_until_they_are_mended(tmp_path: Path) -> None:
    bring(tmp_path, GIFT)
    question = tmp_path / "trial" / "questions" / "boiling.md"
    question.write_text(question.read_text().replace("[x]", "[ ]"))
    before = files_in(tmp_path)
    with pytest.raises(DeckFaults):
        bring(tmp_path, "Is a kettle a boat? {F}")
    assert files_in(tmp_path) == before


def own_blueprint(folder: Path) -> None:
    """Make the imported deck one with a blueprint of its own."""
    toml = folder / "trial" / "deck.toml"
    toml.write_text(toml.read_text().replace('blueprint = "imported"', 'blueprint = "2026"'))


def test_a_deck_with_a_blueprint_gets_no_domain_that_it_does_not_name(tmp_path: Path) -> None:
    bring(tmp_path, GIFT)
    own_blueprint(tmp_path)
    with pytest.raises(QuizError, match="has no domain for “Barrels”"):
        bring(tmp_path, "$CATEGORY: Barrels\n\nIs a kettle a boat? {F}")
    report = bring(tmp_path, "$CATEGORY: Barrels\n\nIs a kettle a boat? {F}", domain="kettles")
    assert report.done
    domains = load_deck(tmp_path / "trial").domains
    assert [domain.weight for domain in domains] == [50, 50]


def test_categories_find_the_domains_by_name_or_title(tmp_path: Path) -> None:
    bring(tmp_path, GIFT)
    own_blueprint(tmp_path)
    bring(tmp_path, "$CATEGORY: RAFTS AND BOATS\n\nIs a kettle a boat? {F}")
    domains = [question.domain for question in load_deck(tmp_path / "trial").questions]
    assert sorted(domains) == ["kettles", "rafts-and-boats", "rafts-and-boats"]


# The disk


def test_a_deck_that_changes_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    bring(tmp_path, GIFT)
    target = tmp_path / "trial"
    with staged(target, keep=True) as new:
        new.write({"questions/other.md": b"x"})
        (target / "questions" / "by-hand.md").write_text("mine")
        with pytest.raises(NotPlaced, match="was changed while I read the files"):
            new.place()
    assert (target / "questions" / "by-hand.md").read_text() == "mine"
    assert not (target / "questions" / "other.md").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["trial"]


def test_a_folder_that_cannot_be_made_is_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "decks").write_text("a file where a folder should be")
    with pytest.raises(NotPlaced, match="The deck “trial” cannot be written: "):
        bring(tmp_path / "decks", GIFT)
    assert [path.name for path in tmp_path.iterdir()] == ["decks"]


# Fit for a drop


def draft(**changes: Any) -> Draft:
    whole: dict[str, Any] = {
        "where": Where("a.txt", line=3),
        "kind": Kind.CHOICE,
        "stem": "What is hot?",
        "options": (DraftOption("Tea", correct=True), DraftOption("Ice")),
        **changes,
    }
    return Draft(**whole)


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"stem": ""}, "the stem is missing"),
        ({"options": ()}, "there are no options"),
        ({"options": (DraftOption("Tea", correct=True),)}, "there is only one option"),
        ({"options": (DraftOption("Tea"), DraftOption("Ice"))}, "no option is marked as right"),
        (
            {"options": (DraftOption("Tea", correct=True), DraftOption("Ice", correct=True))},
            "every option is marked as right",
        ),
        (
            {"options": (DraftOption("Tea", correct=True), DraftOption(" tea\u200b"))},
            "two options say the same",
        ),
        (
            {"options": (DraftOption("", correct=True), DraftOption("Ice"))},
            "option 1 has no text",
        ),
        (
            {"options": tuple(DraftOption(str(n), correct=n == 1) for n in range(9))},
            "there are 9 options; a question has 8 at most",
        ),
        ({"stem": "x" * 2400}, "stem and options have 2406 characters; a drop holds 2400"),
        ({"full": "As {c} says."}, "the explanation names an option that is not there"),
        ({"missing": ("the key says C, the text says B",)}, "the key says C, the text says B"),
    ],
)
def test_what_keeps_a_draft_from_being_dropped_is_named(
    changes: dict[str, Any], missing: str
) -> None:
    assert missing in fitted(draft(**changes))[0].missing


def test_a_complete_draft_lacks_nothing() -> None:
    fit, notes = fitted(draft())
    assert (fit.missing, notes) == ((), [])


def test_a_reason_too_long_for_a_private_answer_stands_whole_in_the_full_explanation() -> None:
    long = "One sentence of it. " * 40
    options = (DraftOption("Tea", correct=True, rationale=long), DraftOption("Ice"))
    fit, notes = fitted(draft(options=options, full="Whole."))
    assert len(fit.options[0].rationale) <= 600
    assert fit.options[0].rationale.endswith("One sentence of it.")
    assert fit.full == f"Whole.\n\n{{a}}: {long.strip()}"
    assert isinstance(notes[0], Problem)


def test_characters_that_nobody_sees_are_taken_out() -> None:
    fit, _ = fitted(draft(stem="What \u202eis hot?\x07", tags=("a\u200b b", "\u200b")))
    assert (fit.stem, fit.tags) == ("What is hot?", ("a b",))


# Names and domains

STEMS = st.text(max_size=30) | st.sampled_from(["What is hot?", "¿Qué?", "熱いのは?", "a" * 99])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(STEMS, st.none() | st.text(max_size=30)), min_size=1, max_size=12),
)
def test_whatever_questions_are_called_every_name_is_good_and_stands_once(
    items: list[tuple[str, str | None]],
) -> None:
    drafts = [
        draft(
            stem=stem.strip() or "x",
            category=category,
            options=(DraftOption(f"Tea {number}", correct=True), DraftOption("Ice")),
        )
        for number, (stem, category) in enumerate(items)
    ]
    result = merged(drafts, "trial", None)
    slugs = [question.slug for question in result.questions.values()]
    assert len(slugs) == len(set(slugs)) == len(items)
    assert sum(domain.weight for domain in result.domains) == pytest.approx(100)
    domains = {domain.id for domain in result.domains}
    assert {question.domain for question in result.questions.values()} <= domains


def test_the_same_question_twice_in_a_file_is_taken_once(tmp_path: Path) -> None:
    report = bring(tmp_path, GIFT, GIFT)
    assert (report.taken, report.known, report.repeated) == (2, 0, 2)
    assert "More than once in the files, taken once: 2." in report.lines()


def test_a_deck_of_drafts_alone_is_a_deck(tmp_path: Path) -> None:
    page = "What is hot?\nSelect an answer to reveal the explanation.\nFull Explanation\nTea is."
    report = bring(tmp_path, Source("page.txt", page.encode()))
    assert (report.done, report.taken, len(report.drafts)) == (True, 0, 1)
    deck, faults = check_deck(tmp_path / "trial")
    assert faults == []
    assert deck is not None
    assert deck.questions == ()
    assert len(deck.drafts) == 1


def test_trivia_in_a_list_of_files_keeps_its_entities_decoded(tmp_path: Path) -> None:
    item = {
        "type": "multiple",
        "difficulty": "easy",
        "category": "Science &amp; Nature",
        "question": "What boils at 100&deg;C?",
        "correct_answer": "Water",
        "incorrect_answers": ["Oil", "Lead"],
    }
    data = json.dumps({"response_code": 0, "results": [item]}).encode()
    bring(tmp_path, Source("trivia.json", data))
    deck = load_deck(tmp_path / "trial")
    assert deck.questions[0].stem == "What boils at 100°C?"
    assert deck.domains[0].title == "Science & Nature"


def test_a_native_deck_keeps_its_blueprint_its_dates_and_its_waivers(tmp_path: Path) -> None:
    bring(tmp_path, GIFT)
    own_blueprint(tmp_path)
    question = tmp_path / "trial" / "questions" / "boiling.md"
    front = '---\nexpires: 2027-06-30\nlint: ["no-source: it is common knowledge"]\n'
    question.write_text(question.read_text().replace("---\n", front, 1))
    deck = load_deck(tmp_path / "trial")
    written = export(deck, tmp_path / "trial", "deck")
    target = tmp_path / "copy" / "trial"
    assert bring_files(
        [Source(written.name, written.data)], Wish(deck="trial"), target, NOW.date()
    ).done
    assert load_deck(target) == deck


def test_lint_says_what_is_wrong_with_the_new_questions(tmp_path: Path) -> None:
    report = bring(tmp_path, "Which is not hot? {=Ice ~Tea ~None of the above}")
    assert any(line.startswith("negative-stem, 1×: ") for line in report.advice)
    assert "Advice on the new questions:" in report.lines()
    again = bring(tmp_path, "Is a kettle a boat? {F}")
    assert not any("negative" in line for line in again.advice)


@needs_fixtures
def test_the_pages_beside_the_repository_become_drafts_that_are_whole(tmp_path: Path) -> None:
    pages = [Source(path.name, path.read_bytes()) for path in (FIXTURES / "page_text").iterdir()]
    report = bring(tmp_path, *pages)
    assert (report.done, report.taken, len(report.drafts), report.notes) == (True, 0, 2, ())
    drafts = [path.read_text() for path in (tmp_path / "trial" / "drafts").iterdir()]
    words = set(" ".join(drafts).split())
    for page in pages:
        text = page.data.decode()
        begins = text.index("Short Explanation")
        end = text.find("Prefer to study offline")
        said = text[begins:end] if end > 0 else text[begins:]
        lost = {word for word in said.split() if word not in words}
        assert lost <= {"image", "Infographic", "below", "A", "B", "C", "D", "Explanation", "and"}
