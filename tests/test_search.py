"""Search finds a question by what a member remembers of it, and tells nothing of a live one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.errors import UnknownDeck
from bank.library import Library
from bank.models import Option, Question
from bank.store.search import SearchIndex
from tests.samples import GROUP, make_deck, make_question


def option(text: str, *, correct: bool = False, why: str = "So it is.") -> Option:
    misconception = None if correct else "Mistakes it"
    return Option(text=text, correct=correct, rationale=why, misconception=misconception)


KETTLE = Question(
    deck="kitchen",
    slug="boiling-point",
    domain="water",
    tags=("thermometer", "été"),
    stem="When does a kettle sing on a mountain?",
    options=(
        option("At the usual temperature", why="Pressure falls with altitude."),
        option("At a lower temperature", correct=True, why="Vapour meets less resistance."),
    ),
    short="Thinner air is a lighter blanket.",
    full="Water boils when its vapour reaches the ambient pressure, as in a café in Bogotá.",
)
RAFT = Question(
    deck="kitchen",
    slug="floating-ice",
    domain="water",
    tags=("heiß",),
    stem="Why does a raft of frozen water float in the Straße von Gibraltar?",
    options=(
        option("It weighs less than what it displaces", correct=True, why="Archimedes said so."),
        option("It contains trapped bubbles", why="Bubbles are rare."),
    ),
    short="It is a cork made of water.",
    full="Crystals need more room than liquid, hence the density drops.",
)
LIBRARY = [
    make_deck("first", "second").model_copy(update={"name": "kitchen", "questions": (KETTLE, RAFT)})
]


@pytest.fixture(scope="module")
def index() -> Iterator[SearchIndex]:
    with closing(SearchIndex([KETTLE, RAFT])) as index:
        yield index


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("kitchen/boiling-point", KETTLE),
        ("boiling-point", KETTLE),
        ("floating ice", RAFT),
        ("thermometer", KETTLE),
        ("mountain", KETTLE),
        ("raft", RAFT),
        ("usual", KETTLE),
        ("displaces", RAFT),
        ("blanket", KETTLE),
        ("ambient", KETTLE),
        ("crystals", RAFT),
        ("altitude", KETTLE),
        ("archimedes", RAFT),
        ("MOUNTAIN", KETTLE),
        ("mount", KETTLE),
        ("ra", RAFT),
        ("café", KETTLE),
        ("cafe", KETTLE),
        ("Bogota", KETTLE),
        ("bogotá", KETTLE),
        ("räft", RAFT),
        ("ete", KETTLE),
        ("Straße", RAFT),
        ("heiß", RAFT),
        ("kettle altitude", KETTLE),
        ("frozen density raft", RAFT),
        ("   raft\n?!", RAFT),
    ],
)
def test_a_question_is_found_by_any_word_of_it(
    index: SearchIndex, query: str, found: Question
) -> None:
    assert index.find(query, 5) == [found.id]


@pytest.mark.parametrize(
    "query",
    [
        "mountan",  # dropped
        "moountain",  # doubled
        "mounatin",  # swapped
        "mountein",  # wrong
        "ketle",
        "kettel",
        "kettke",
        "temprature kettle",
        "thermomiter",
        "altitute",
        "kettle mountan",
        "ketle mountan",
    ],
)
def test_a_typing_mistake_is_mended(index: SearchIndex, query: str) -> None:
    assert index.find(query, 5)[0] == KETTLE.id


def test_a_question_with_all_words_comes_alone(index: SearchIndex) -> None:
    assert index.find("water", 5) == [RAFT.id, KETTLE.id]
    assert index.find("water cork", 5) == [RAFT.id]
    assert index.find("watr cork", 5) == [RAFT.id]


def test_with_no_question_for_all_words_any_word_will_do(index: SearchIndex) -> None:
    assert set(index.find("blanket cork", 5)) == {KETTLE.id, RAFT.id}


def test_a_word_in_the_stem_counts_more_than_one_in_an_explanation() -> None:
    stem = make_question("one").model_copy(update={"stem": "What is a gasket for?"})
    full = make_question("two").model_copy(update={"full": "A gasket. A gasket! A gasket?"})
    with closing(SearchIndex([full, stem])) as index:
        assert index.find("gasket", 5) == [stem.id, full.id]
        assert index.find("gasket", 1) == [stem.id]


@pytest.mark.parametrize("query", ["", "   ", "?!", "…", "xylophone", "zzz qqq", "_", "__", "\0"])
def test_nothing_found_is_an_empty_list(index: SearchIndex, query: str) -> None:
    assert index.find(query, 5) == []


def test_an_index_of_no_questions_finds_nothing() -> None:
    with closing(SearchIndex([])) as index:
        assert index.find("raft", 5) == []


@pytest.mark.parametrize(
    "query",
    [
        "raft AND",
        "NOT raft",
        "raft OR",
        "NEAR(raft",
        "raft*",
        '"raft',
        "raft'; DROP TABLE questions",
        "stem:raft",
        "{stem} : raft",
        "^raft",
        "raft + +",
        "-raft",
        "(raft",
        "raft_",
    ],
)
def test_the_signs_and_words_of_the_query_language_are_plain_text(
    index: SearchIndex, query: str
) -> None:
    assert index.find(query, 5)[0] == RAFT.id


@settings(deadline=None)
@given(st.text() | st.text(st.sampled_from("ab \"'*:^()+-{}_,.ANDORTE\0é\u0301ßı")), st.booleans())
def test_any_query_is_answered_without_raising(query: str, public_only: bool) -> None:
    with closing(SearchIndex([KETTLE, RAFT])) as index:
        found = index.find(query, 5, public_only=public_only)
    assert set(found) <= {KETTLE.id, RAFT.id}


def test_a_very_long_query_is_answered(index: SearchIndex) -> None:
    assert index.find("raft " * 5000, 5) == [RAFT.id]
    assert index.find("r" * 5000, 5) == []


def test_words_after_the_twelfth_are_left_out(index: SearchIndex) -> None:
    assert index.find("water " * 11 + "kettle", 5) == [KETTLE.id]
    assert index.find("water " * 12 + "kettle", 5) == [RAFT.id, KETTLE.id]


@pytest.mark.parametrize("query", ["kettle", "usual", "lower temperature", "ketle", "mount"])
def test_a_public_search_finds_stems_and_options(index: SearchIndex, query: str) -> None:
    assert index.find(query, 5, public_only=True) == [KETTLE.id]


@pytest.mark.parametrize(
    "query",
    ["blanket", "ambient", "altitude", "thermometer", "boiling-point", "blankt", "altitute"],
)
def test_a_public_search_finds_nothing_through_slugs_tags_and_explanations(
    index: SearchIndex, query: str
) -> None:
    assert index.find(query, 5) != []
    assert index.find(query, 5, public_only=True) == []


def test_a_public_search_for_several_words_needs_each_in_public(index: SearchIndex) -> None:
    assert index.find("kettle blanket", 5, public_only=True) == [KETTLE.id]  # kettle alone does
    assert index.find("cork blanket", 5, public_only=True) == []


# The library: the same search with shut questions in it


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    with closing(Library(LIBRARY)) as library:
        yield library


@pytest.fixture
def nine_topics() -> Iterator[Library]:
    with closing(Library([make_deck(*(f"topic-{number}" for number in range(9)))])) as library:
        yield library


def ids(found: list[Question]) -> list[str]:
    return [question.id for question in found]


def test_a_shut_question_is_found_by_what_its_drop_shows(library: Library) -> None:
    assert ids(library.find("kettle", 5, {KETTLE.id}, GROUP)) == [KETTLE.id]
    assert ids(library.find("usual", 5, {KETTLE.id}, GROUP)) == [KETTLE.id]


@pytest.mark.parametrize(
    "query", ["blanket", "altitude", "boiling-point", "thermometer", KETTLE.id]
)
def test_a_shut_question_is_not_found_through_what_its_drop_hides(
    library: Library, query: str
) -> None:
    assert ids(library.find(query, 5, set(), GROUP)) == [KETTLE.id]
    assert KETTLE.id not in ids(library.find(query, 5, {KETTLE.id}, GROUP))


def test_open_questions_are_searched_whole_while_others_are_shut(library: Library) -> None:
    assert ids(library.find("archimedes", 5, {KETTLE.id}, GROUP)) == [RAFT.id]
    assert ids(library.find("water", 5, {KETTLE.id}, GROUP)) == [RAFT.id]


def test_what_a_shut_question_hides_keeps_no_open_question_from_being_found() -> None:
    hidden = KETTLE.model_copy(update={"full": "A grommet is the clue."})
    near = RAFT.model_copy(update={"full": "A gromet, as some write it."})
    deck = LIBRARY[0].model_copy(update={"questions": (hidden, near)})
    with closing(Library([deck])) as library:
        assert ids(library.find("grommet", 5, {hidden.id}, GROUP)) == [near.id]


def test_no_more_are_found_than_asked_for(nine_topics: Library) -> None:
    shut = {f"sample/topic-{number}" for number in range(4)}
    for limit in (1, 3, 9):
        assert len(nine_topics.find("alpha", limit, set(), GROUP)) == limit
        assert len(nine_topics.find("alpha", limit, shut, GROUP)) == limit


def test_shut_questions_do_not_crowd_out_open_ones(nine_topics: Library) -> None:
    shut = {f"sample/topic-{number}" for number in range(8)}
    assert ids(nine_topics.find("story", 1, shut, GROUP)) == ["sample/topic-8"]


def test_the_library_knows_decks_and_questions_by_name(library: Library) -> None:
    assert library.deck("kitchen", GROUP).questions == (KETTLE, RAFT)
    assert library.question(RAFT.id, GROUP) == RAFT
    assert library.question("kitchen/nothing", GROUP) is None
    assert library.deck_title("kitchen", GROUP) == "Sample deck"
    assert library.deck_title("gone", GROUP) == "gone"
    with pytest.raises(UnknownDeck, match=r"no deck “gone”\. The decks here are: kitchen\."):
        library.deck("gone", GROUP)


def test_a_domain_is_called_by_its_title_and_by_its_id_when_the_deck_is_gone() -> None:
    with closing(Library([make_deck()])) as library:
        assert library.domain_title(make_question(), GROUP) == "Basics"
        assert library.domain_title(make_question(domain="lost"), GROUP) == "lost"
        assert library.domain_title(KETTLE, GROUP) == "water"
