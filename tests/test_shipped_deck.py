"""The deck that comes with quizdrop is complete, balanced and written in its own words."""

from __future__ import annotations

import re
import struct
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bank.decks import check_deck
from bank.letters import references
from bank.models import Deck, Question

REPOSITORY = Path(__file__).parents[1]
FOLDER = REPOSITORY / "data" / "nca-aiio"
PAGES = REPOSITORY.parent / "shared" / "fixtures" / "page_text"

LETTER = re.compile(r"\b(?i:option|answer|choice)s?:?\s+[“\"'(*]*[A-H]\b")
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
LONGEST_SHARED_RUN = 11  # words in a row


@pytest.fixture(scope="module")
def deck() -> Deck:
    deck, faults = check_deck(FOLDER)
    assert [str(fault) for fault in faults] == []
    assert deck is not None
    return deck


def texts(question: Question) -> list[str]:
    """All text of a question that a member can read."""
    options = [
        part
        for option in question.options
        for part in (option.text, option.misconception or "", option.rationale)
    ]
    alt = [question.image.alt] if question.image else []
    return [question.stem, *options, question.short, question.full, *alt]


def test_it_holds_at_least_120_questions_of_three_difficulties(deck: Deck) -> None:
    assert len(deck.questions) >= 120
    levels = [{"easy", "medium", "hard"} & set(question.tags) for question in deck.questions]
    assert [len(level) for level in levels] == [1] * len(levels)
    assert {level for each in levels for level in each} == {"easy", "medium", "hard"}


def test_it_asks_about_traffic_in_training_and_about_two_bills(deck: Deck) -> None:
    slugs = {question.slug for question in deck.questions}
    assert {"training-vs-serving-fabric", "burst-and-stream-bill"} <= slugs


def test_no_two_questions_share_a_stem(deck: Deck) -> None:
    stems = Counter(question.stem.casefold() for question in deck.questions)
    assert [stem for stem, count in stems.items() if count > 1] == []


def test_every_question_has_three_to_five_options_and_says_when_it_wants_two(deck: Deck) -> None:
    odd = [
        question.slug
        for question in deck.questions
        if not 3 <= len(question.options) <= 5
        or len(question.keys) > 2
        or (len(question.keys) == 2) != bool(re.search(r"\b[Cc]hoose two\b", question.stem))
    ]
    assert odd == []


def test_every_option_has_a_rationale_and_every_distractor_a_misconception(deck: Deck) -> None:
    bare = [
        f"{question.slug}: {option.text}"
        for question in deck.questions
        for option in question.options
        if len(option.rationale.split()) < 8 or bool(option.misconception) == option.correct
    ]
    assert bare == []


def test_every_short_explanation_has_two_to_four_sentences(deck: Deck) -> None:
    counts = {q.slug: len(SENTENCE_END.findall(q.short)) for q in deck.questions}
    assert {slug: count for slug, count in counts.items() if not 2 <= count <= 4} == {}


def test_every_full_explanation_has_120_to_300_words(deck: Deck) -> None:
    counts = {question.slug: len(question.full.split()) for question in deck.questions}
    assert {slug: count for slug, count in counts.items() if not 120 <= count <= 300} == {}


def test_every_full_explanation_speaks_of_each_option(deck: Deck) -> None:
    silent = [
        question.slug
        for question in deck.questions
        if references(question.full) != set(range(len(question.options)))
    ]
    assert silent == []


def test_every_question_names_its_sources_by_https(deck: Deck) -> None:
    doubtful = [
        f"{question.slug}: {question.sources}"
        for question in deck.questions
        if not question.sources
        or not all(re.match(r"https://[\w.-]+\.\w+/", source) for source in question.sources)
    ]
    assert doubtful == []


def test_no_text_names_an_option_by_a_letter(deck: Deck) -> None:
    # harvard-edge/cs249r_book PR#1035
    named = [
        f"{question.slug}: {found[0]}"
        for question in deck.questions
        for text in texts(question)
        if (found := LETTER.search(text))
    ]
    assert named == []


def test_the_share_of_each_domain_is_close_to_its_weight(deck: Deck) -> None:
    counts = Counter(question.domain for question in deck.questions)
    shares = {domain.id: 100 * counts[domain.id] / len(deck.questions) for domain in deck.domains}
    far = {domain.id for domain in deck.domains if abs(shares[domain.id] - domain.weight) > 5}
    assert {name: shares[name] for name in far} == {}


def test_no_place_in_the_file_holds_the_key_too_often(deck: Deck) -> None:
    # rohitg00/ai-engineering-from-scratch PR#381
    places = Counter(key for question in deck.questions for key in question.keys)
    assert max(places.values()) <= 0.35 * len(deck.questions)


def test_answering_the_longest_option_scores_under_30_per_cent(deck: Deck) -> None:
    score = 0.0
    for question in deck.questions:
        lengths = [len(option.text) for option in question.options]
        longest = {at for at, length in enumerate(lengths) if length == max(lengths)}
        score += len(longest & set(question.keys)) / len(longest) / len(question.keys)
    assert score < 0.3 * len(deck.questions)


def test_at_least_forty_questions_have_an_infographic(deck: Deck) -> None:
    assert sum(question.image is not None for question in deck.questions) >= 40


def test_every_infographic_is_a_small_png_with_its_svg_source_and_an_alt_text(deck: Deck) -> None:
    images = [question.image for question in deck.questions if question.image]
    for image in images:
        data = (FOLDER / image.path).read_bytes()
        width, _height = struct.unpack(">II", data[16:24])
        assert (image.path, data[12:16], width) == (image.path, b"IHDR", 1000)
        assert len(data) < 200_000, image.path
        source = ElementTree.parse((FOLDER / image.path).with_suffix(".svg")).getroot()
        assert source.tag.endswith("}svg"), image.path
        assert len(image.alt.split()) >= 8, image.path
    assert len({image.alt for image in images}) == len(images)


def test_every_picture_in_the_folder_belongs_to_a_question(deck: Deck) -> None:
    used = {Path(question.image.path).stem for question in deck.questions if question.image}
    unfinished = {draft.slug for draft in deck.drafts}
    assert {path.stem for path in (FOLDER / "images").iterdir()} - unfinished == used


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def runs(text: str) -> set[tuple[str, ...]]:
    """Every run of words in a text that is one longer than may be shared."""
    found = words(text)
    return set(zip(*(found[start:] for start in range(LONGEST_SHARED_RUN + 1)), strict=False))


@pytest.mark.skipif(not PAGES.is_dir(), reason="the pages are not here")
def test_the_deck_is_written_in_its_own_words(deck: Deck) -> None:
    pages = set[tuple[str, ...]]()
    for page in PAGES.iterdir():
        pages |= runs(page.read_text(encoding="utf-8"))
    assert len(pages) > 100
    pictures = [re.sub(r"<[^>]+>", " ", path.read_text()) for path in FOLDER.glob("images/*.svg")]
    ours = [" ".join(texts(question)) for question in deck.questions]
    about = (FOLDER / "deck.toml").read_text(encoding="utf-8")
    shared = [" ".join(run) for text in [*ours, *pictures, about] for run in runs(text) & pages]
    assert shared == []
