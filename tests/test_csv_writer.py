"""The CSV writer: what is written is read back equal, and is a formula to no spreadsheet."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings

from bank.decks import load_deck
from bank.formats import csv_writer, table
from bank.formats.reading import Reading, Source
from bank.formats.writing import Picture, Written
from bank.models import Deck, Image
from tests.made_decks import as_draft, deck_of, decks, picture
from tests.samples import make_question

NCA = Path(__file__).parent.parent / "data" / "nca-aiio"


def read_back(written: Written) -> Reading:
    (name,) = (name for name in written.files if name.endswith(".csv"))
    beside = [Source(each, data) for each, data in written.files.items() if each != name]
    source = Source(name, written.files[name])
    assert table.looks_like(source)
    return table.read([source], beside)


def check_read_back(deck: Deck, given: Picture = picture) -> None:
    found = read_back(csv_writer.write(deck, given))
    assert found.problems == ()
    assert found.notes == ()
    assert len(found.drafts) == len(deck.questions)
    for draft, question in zip(found.drafts, deck.questions, strict=True):
        assert draft == as_draft(question, draft, given)


def test_the_shipped_deck_is_read_back_equal_with_its_pictures() -> None:
    deck = load_deck(NCA)
    check_read_back(deck, lambda path: (NCA / path).read_bytes())


@settings(max_examples=200, deadline=None)
@given(decks())
def test_any_deck_is_read_back_equal(deck: Deck) -> None:
    check_read_back(deck)


@settings(max_examples=100, deadline=None)
@given(decks())
def test_no_cell_is_a_formula(deck: Deck) -> None:
    text = csv_writer.write(deck, picture).files["made.csv"].decode("utf-8-sig")
    cells = [cell for row in csv.reader(StringIO(text, newline="")) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r", "＝"))]


@pytest.mark.parametrize("text", ["=1+1", "'=1", "''-x", "'quoted'", "@here", "＝1", "-", "'"])
def test_a_text_that_begins_as_a_formula_comes_back_as_it_was(text: str) -> None:
    question = make_question()
    options = tuple(
        option.model_copy(update={"text": text if place == 0 else option.text})
        for place, option in enumerate(question.options)
    )
    check_read_back(deck_of(question.model_copy(update={"stem": text, "options": options})))


def test_an_option_that_reads_as_a_letter_is_no_key_of_its_own() -> None:
    question = make_question(key=1)
    options = tuple(
        option.model_copy(update={"text": letter})
        for letter, option in zip("BADC", question.options, strict=True)
    )
    check_read_back(deck_of(question.model_copy(update={"options": options})))


def test_pictures_stand_beside_the_table_and_inside_the_folder() -> None:
    question = make_question().model_copy(update={"image": Image(path="../out.png", alt="Out")})
    written = csv_writer.write(deck_of(question), picture)
    assert set(written.files) == {"made.csv", "images/out.png"}
    (draft,) = read_back(written).drafts
    assert draft.image is not None
    assert (draft.image.data, draft.image.alt) == (picture("../out.png"), "Out")


def test_the_header_is_for_people() -> None:
    question = make_question()
    text = csv_writer.write(deck_of(question), picture).files["made.csv"].decode("utf-8-sig")
    assert next(csv.reader(StringIO(text))) == [
        "stem (Markdown)",
        *(f"option {name}" for name in "abcd"),
        "key",
        *(f"rationale {name}" for name in "abcd"),
        "misconception a",
        "misconception c",
        "misconception d",
        "short explanation",
        "full explanation",
        "domain",
        "sources",
        "slug",
    ]


def test_what_a_table_does_not_hold_is_told() -> None:
    question = make_question().model_copy(update={"lint": ("negative-stem: it is meant",)})
    assert csv_writer.write(deck_of(make_question()), picture).notes == (
        "The deck's own title, licence and blueprint are not in the table.",
    )
    assert csv_writer.write(deck_of(question), picture).notes[1:] == (
        "Expiry dates and waived rules of questions are not in the table.",
    )
