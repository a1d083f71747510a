"""The native folder: a deck is written and loaded again, and read as drafts, equal both times."""

from __future__ import annotations

import time
import tomllib
import zipfile
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bank.decks import load_deck
from bank.errors import BadFile
from bank.formats.deck import reader as deck_folder
from bank.formats.deck import writer as deck_writer
from bank.formats.deck.question_writer import draft_text
from bank.formats.reading import MOST_BYTES, Draft, DraftOption, Kind, Source, Where
from bank.formats.table import writer as csv_writer
from bank.formats.writing import Written
from bank.models import Domain, DraftFile, Image, Question
from tests.made_decks import as_draft, deck_of, picture, questions
from tests.samples import make_deck, make_question

NCA = Path(__file__).parent.parent / "data" / "nca-aiio"
SAFE = st.sampled_from(["plain words", "`code`", "- one\n- two", "two\n\nparagraphs", "a\nb"])


def zipped(written: Written) -> Source:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in written.files.items():
            packed.writestr(f"deck/{name}", data)
    return Source("deck.zip", out.getvalue())


def saved(written: Written, folder: Path) -> Path:
    for name, data in written.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def test_the_shipped_deck_is_loaded_again_as_it_was(tmp_path: Path) -> None:
    deck = load_deck(NCA)
    written = deck_writer.write(deck, lambda path: (NCA / path).read_bytes())
    assert written.notes == ()
    assert load_deck(saved(written, tmp_path / "nca-aiio")) == deck


def test_the_shipped_deck_is_read_as_drafts_from_a_zip() -> None:
    deck = load_deck(NCA)
    source = zipped(deck_writer.write(deck, lambda path: (NCA / path).read_bytes()))
    assert deck_folder.looks_like(source)
    found = deck_folder.read([source], [])
    assert found.problems == ()
    assert found.notes == ()
    assert found.about == deck.model_copy(update={"name": "deck", "questions": ()})
    by_slug = {question.slug: question for question in deck.questions}
    assert len(found.drafts) == len(by_slug)
    for draft in found.drafts:
        question = by_slug[draft.slug or ""]
        assert draft == as_draft(question, draft, lambda path: (NCA / path).read_bytes())


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(one=questions("one", SAFE), two=questions("two", SAFE))
def test_any_plain_deck_is_read_as_drafts_from_its_files(one: Question, two: Question) -> None:
    deck = deck_of(one, two)
    written = deck_writer.write(deck, picture)
    assert written.notes == ()
    sources = [Source(name, data) for name, data in written.files.items() if name.endswith(".md")]
    beside = [Source(name, data) for name, data in written.files.items() if name.endswith(".png")]
    assert all(deck_folder.looks_like(source) for source in sources)
    found = deck_folder.read(sources, beside)
    assert found.problems == found.notes == ()
    for draft, question in zip(found.drafts, deck.questions, strict=True):
        assert draft == as_draft(question, draft)


def test_a_deck_s_own_words_are_written_as_toml() -> None:
    domains = (
        Domain(id="basics", title='"A" \\ b\tc', weight=33.5),
        Domain(id="b", title="é", weight=66.5),
    )
    deck = make_deck(name="made").model_copy(
        update={
            "title": 'Say "hi"\nthen\\',
            "description": "\x01 é 🦉",
            "domains": domains,
            "lint": ('clang: it "rings"', "key-place: so be it"),
        }
    )
    text = deck_writer.deck_toml(deck)
    read = tomllib.loads(text)
    assert (read["title"], read["description"]) == (deck.title, deck.description)
    assert [Domain.model_validate(each) for each in read["domains"]] == list(domains)
    assert tuple(read["lint"]) == deck.lint


def test_a_question_that_no_file_can_hold_is_left_out_and_told() -> None:
    bad = make_question("bad").model_copy(update={"stem": "# Heading"})
    written = deck_writer.write(deck_of(make_question(), bad), picture)
    assert set(written.files) == {"deck.toml", "questions/first.md"}
    assert [note.partition(":")[0] for note in written.notes] == ["sample/bad cannot be written"]


def test_drafts_that_are_not_written_are_told() -> None:
    draft = DraftFile(slug="later", stem="Which?", missing=("no options",))
    deck = deck_of(make_question()).model_copy(update={"drafts": (draft,)})
    told = deck_writer.write(deck, picture).notes + csv_writer.write(deck, picture).notes[1:]
    assert told == (
        "Drafts are not among the files; the deck has 1.",
        "Drafts are not in the table; the deck has 1.",
    )


def test_a_picture_of_two_questions_is_written_once() -> None:
    image = Image(path="images/a.png", alt="A")
    deck = deck_of(*(make_question(s).model_copy(update={"image": image}) for s in ("x", "y")))
    assert [n for n in deck_writer.write(deck, picture).files if "images" in n] == ["images/a.png"]


def test_a_draft_on_disk_is_read_back_with_what_is_missing() -> None:
    draft = Draft(
        where=Where("drafts/kettle.md", 1),
        kind=Kind.CHOICE,
        stem="What whistles?",
        options=(DraftOption("", True, "Steam."), DraftOption("spoon")),
        slug="kettle",
        category="kitchen",
        missing=("the key says A, the text says B",),
    )
    source = Source("drafts/kettle.md", draft_text(draft).encode())
    assert deck_folder.looks_like(source)
    (read,) = deck_folder.read([source], []).drafts
    assert read.missing == ("the key says A, the text says B", "option 1 has no text")
    assert read.options == draft.options


def test_the_faults_of_a_question_file_are_problems_with_their_lines() -> None:
    text = "---\ndomain: a\ncolour: red\n---\nWhich?\n\n- [x] a\n- b\n\n## Other\n"
    found = deck_folder.read([Source("q.md", text.encode())], [])
    assert found.drafts == ()
    assert sorted(str(problem) for problem in found.problems) == [
        "q.md:10: unknown heading “Other”; the sections are “## Short explanation” and "
        "“## Full explanation”",
        "q.md:10: “## Other” stands between the options and the first section",
        "q.md:3: unknown key “colour”; the keys are domain, image, alt, exhibit, exhibit-alt, "
        "expires, tags, sources, lint",
        "q.md:8: an option begins with “[ ]” or “[x]” and its text",
    ]


def test_a_picture_that_did_not_come_is_told() -> None:
    text = (
        "---\nimage: images/a.png\nalt: A\nexpires: 2027-01-01\n---\nWhich?\n\n- [x] a\n- [ ] b\n"
    )
    found = deck_folder.read([Source("q.md", text.encode())], [])
    assert [str(note) for note in found.notes] == [
        "q.md:2: the picture “images/a.png” did not come with the question",
    ]
    assert found.drafts[0].image is None
    assert found.drafts[0].expires == date(2027, 1, 1)


@pytest.mark.parametrize(
    "other",
    [
        b"",
        b"# Title\n\n- [x] a\n",
        b"---\ntitle: A post\n---\n\n- [x] done\n",
        b"---\ndomain: a\n---\nNo boxes and no sections.\n",
        b"PK\x03\x04",
    ],
)
def test_another_file_is_not_taken_for_a_question_file(other: bytes) -> None:
    assert not deck_folder.looks_like(Source("q.md", other))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_file_ends_in_a_draft_or_in_problems(data: st.DataObject) -> None:
    files = deck_writer.write(make_deck(), picture).files
    whole = bytearray(files["questions/first.md"])
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(whole) - 1))
        new = data.draw(st.binary(max_size=5) | st.sampled_from([b"\n", b"---\n", b"- [x]", b"> "]))
        whole[at : at + data.draw(st.integers(0, 9))] = new
    source = Source("q.md", bytes(whole))
    deck_folder.looks_like(source)
    try:
        found = deck_folder.read([source], [])
    except BadFile:
        return
    assert found.drafts or found.problems


@pytest.mark.parametrize("worst", ["![", "*a", "`", "> ", "*a.* ", "- [ ] a\n"])
def test_ten_megabytes_of_question_files_end_soon(worst: str) -> None:
    head = "---\ndomain: a\n---\nWhich?\n\n- [ ] b\n- [x] a\n  > "
    file = (head + worst * (60_000 // len(worst))).encode()
    files = [Source(f"q{number}.md", file) for number in range(MOST_BYTES // len(file))]
    start = time.process_time()
    found = deck_folder.read(files, [])
    assert time.process_time() - start < 10
    assert len(found.drafts) + len({each.where.source for each in found.problems}) == len(files)


def test_a_file_too_large_for_a_question_is_told_unread() -> None:
    text = "---\ndomain: a\n---\nWhich?\n\n- [x] a\n- [ ] b\n" + "x" * 70_000
    (problem,) = deck_folder.read([Source("q.md", text.encode())], []).problems
    assert str(problem) == "q.md: the file is larger than 64 KB, too much for a question"
