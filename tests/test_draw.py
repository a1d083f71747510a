"""Drawing: every question once before any comes again, domains by weight, fair option orders."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.draw import draw, option_order
from bank.errors import AllOpen, AllRetired, EmptyDeck
from bank.models import Deck, Domain, Option, Question
from tests.samples import make_deck, make_question

SEEDS = st.integers(0, 2**62)


def deck_of(supply: Mapping[str, int], weights: Mapping[str, float] | None = None) -> Deck:
    """A deck with so many questions in each domain, all of one weight unless told otherwise."""
    weights = weights or dict.fromkeys(supply, 10)
    questions = [
        make_question(f"{domain}-{number}", domain=domain)
        for domain, count in supply.items()
        for number in range(count)
    ]
    domains = [Domain(id=name, title=name, weight=weight) for name, weight in weights.items()]
    return make_deck().model_copy(update={"questions": tuple(questions), "domains": tuple(domains)})


def ids(deck: Deck) -> list[str]:
    return [question.id for question in deck.questions]


def draws(deck: Deck, count: int, seed: int, history: Sequence[str] = ()) -> list[str]:
    """The ids of the next `count` questions after a history, each draw with a seed of its own."""
    rng, asked = Random(seed), list(history)
    for _ in range(count):
        asked.append(draw(deck, asked, rng.getrandbits(62))[0].id)
    return asked[len(history) :]


@st.composite
def some_decks(choose: st.DrawFn) -> Deck:
    """Decks of one to five domains with any weights and a few questions each."""
    domains = [f"d{number}" for number in range(choose(st.integers(1, 5)))]
    supply = {name: choose(st.integers(1, 8)) for name in domains}
    return deck_of(supply, {name: choose(st.integers(1, 100)) for name in domains})


# --- which question -----------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(some_decks(), SEEDS)
def test_no_question_repeats_until_the_deck_is_used_up(deck: Deck, seed: int) -> None:
    # VickiLanger/code-questions-bot#17
    size = len(deck.questions)
    drawn = draws(deck, 3 * size, seed)
    rounds = [drawn[start : start + size] for start in range(0, 3 * size, size)]
    assert [sorted(each) for each in rounds] == [sorted(ids(deck))] * 3


@settings(max_examples=100, deadline=None)
@given(some_decks().filter(lambda deck: len(deck.questions) > 1), SEEDS)
def test_a_new_round_does_not_begin_with_the_question_that_ended_the_last(
    deck: Deck, seed: int
) -> None:
    drawn = draws(deck, 3 * len(deck.questions), seed)
    assert all(before != after for before, after in pairwise(drawn))


def test_a_deck_of_one_question_is_asked_again_and_again() -> None:
    assert draws(make_deck("only"), 3, seed=1) == ["sample/only"] * 3


@pytest.mark.parametrize("seed", range(20))
def test_a_question_that_is_open_is_never_drawn(seed: int) -> None:
    deck = make_deck("one", "two", "three")
    for asked in ([], ["sample/two"], ids(deck), [*ids(deck), "sample/one", "sample/three"]):
        for shut in ({"sample/one"}, {"sample/two", "sample/three"}):
            assert draw(deck, asked, seed, shut)[0].id not in shut
    with pytest.raises(AllOpen):
        draw(deck, [], seed, set(ids(deck)))


@settings(max_examples=100, deadline=None)
@given(some_decks().filter(lambda deck: len(deck.questions) > 1), SEEDS, st.data())
def test_what_is_retired_is_not_drawn_and_no_round_waits_for_it(
    deck: Deck, seed: int, data: st.DataObject
) -> None:
    retired = data.draw(st.sets(st.sampled_from(ids(deck)), max_size=len(deck.questions) - 1))
    asked = draws(deck, data.draw(st.integers(0, 20)), seed)  # before any was retired
    kept, rng = sorted(set(ids(deck)) - retired), Random(seed)
    drawn: list[str] = []
    for _ in range(3 * len(kept)):
        drawn.append(draw(deck, [*asked, *drawn], rng.getrandbits(62), (), retired)[0].id)
    # What is left of the round that was under way comes first, then there are whole ones.
    size = len(kept)
    whole = [sorted(drawn[start : start + size]) == kept for start in range(2 * size + 1)]
    assert any(whole[start] and whole[start + size] for start in range(size + 1))
    assert retired.isdisjoint(drawn)


def test_a_deck_that_is_wholly_retired_is_refused_with_a_sentence() -> None:
    deck = make_deck("one", "two")
    with pytest.raises(AllRetired, match="Every question of the deck “sample” is retired here"):
        draw(deck, [], 1, retired=ids(deck))
    assert draw(deck, [], 1, retired=["sample/one"])[0].id == "sample/two"
    with pytest.raises(AllOpen):
        draw(deck, [], 1, shut=["sample/two"], retired=["sample/one"])


def test_any_question_may_come_first() -> None:
    deck = make_deck("one", "two", "three", "four")
    first = Counter(draw(deck, [], seed)[0].id for seed in range(4000))
    assert set(first) == set(ids(deck))
    assert all(880 <= times <= 1120 for times in first.values()), first


def test_the_same_arguments_give_the_same_draw() -> None:
    deck = deck_of({"one": 4, "two": 4})
    asked = draws(deck, 3, seed=5)
    random.seed(1)
    once = [draw(deck, asked, seed) for seed in range(50)]
    random.seed(2)
    assert [draw(deck, asked, seed) for seed in range(50)] == once


def test_another_seed_may_give_another_question_and_another_order() -> None:
    deck = make_deck("one", "two", "three")
    drawn = [draw(deck, [], seed) for seed in range(50)]
    assert len({question.id for question, _ in drawn}) == 3
    assert len({order for _, order in drawn}) > 10


def test_an_empty_deck_is_refused_with_a_sentence() -> None:
    with pytest.raises(EmptyDeck) as refused:
        draw(deck_of({}, {"basics": 100}), [], seed=1)
    assert refused.value.sentence == (
        "The deck “sample” has no questions yet, so nothing can be drawn from it."
    )


# --- a deck that changes ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_a_question_that_left_the_deck_is_not_drawn_and_holds_up_no_round(seed: int) -> None:
    old = make_deck("one", "two", "three", "four")
    history = draws(old, 6, seed)
    new = make_deck("one", "two", "three")
    drawn = draws(new, 9, seed, history)
    assert "sample/four" not in drawn
    counts = Counter(each for each in history + drawn if each != "sample/four")
    assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize("seed", range(20))
def test_a_question_added_in_mid_round_comes_before_that_round_ends(seed: int) -> None:
    history = draws(make_deck("one", "two", "three", "four"), 2, seed)
    new = make_deck("one", "two", "three", "four", "five")
    assert sorted(history + draws(new, 3, seed, history)) == sorted(ids(new))


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_a_question_added_after_some_rounds_is_not_asked_over_and_over(rounds: int) -> None:
    # VickiLanger/code-questions-bot#17
    history = draws(make_deck("one", "two", "three"), 3 * rounds, seed=1)
    new = make_deck("one", "two", "three", "four")
    drawn = draws(new, 5, 1, history)
    assert drawn[0] == "sample/four"
    assert sorted(drawn[1:]) == sorted(ids(new))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sets(st.integers(0, 5)), st.integers(0, 9)), max_size=6), SEEDS)
def test_editing_the_deck_never_asks_one_question_twice_running(
    edits: list[tuple[set[int], int]], seed: int
) -> None:
    """Two questions always stay; the others come and go, some draws after each edit."""
    asked: list[str] = []
    for others, count in edits:
        deck = make_deck("stays", "remains", *(f"guest-{number}" for number in sorted(others)))
        asked += draws(deck, count, seed, asked)
    assert all(before != after for before, after in pairwise(asked))
    times = Counter(asked)
    assert abs(times["sample/stays"] - times["sample/remains"]) <= 1


def test_a_history_of_another_deck_changes_nothing_but_the_count() -> None:
    deck = make_deck("one", "two", "three")
    strangers = ["other/one", "other/two"]
    assert sorted(draws(deck, 3, 1, strangers)) == sorted(ids(deck))


# --- domains by weight --------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 100), st.integers(1, 12)), min_size=1, max_size=5), SEEDS)
def test_domains_follow_their_weights_from_the_first_question_on(
    blueprint: list[tuple[int, int]], seed: int
) -> None:
    """While no domain of the first round is used up, a domain is less than one question ahead of
    its share, and with up to five domains less than one and a quarter behind it.
    """
    weights = {f"d{number}": weight for number, (weight, _) in enumerate(blueprint)}
    supply = {f"d{number}": count for number, (_, count) in enumerate(blueprint)}
    deck = deck_of(supply, weights)
    domain_of = {question.id: question.domain for question in deck.questions}
    total, counts = sum(weights.values()), Counter[str]()
    for turn, drawn in enumerate(draws(deck, len(deck.questions), seed), 1):
        counts[domain_of[drawn]] += 1
        ahead = {name: counts[name] - weights[name] / total * turn for name in weights}
        assert max(ahead.values()) < 1, ahead
        assert min(ahead.values()) > -1.25, ahead
        if any(counts[name] == supply[name] for name in supply):
            break


def test_a_hundred_questions_of_a_full_deck_come_in_the_blueprints_shares() -> None:
    weights = {"knowledge": 38, "infrastructure": 40, "operations": 22}
    deck = deck_of(dict.fromkeys(weights, 45), weights)
    domain_of = {question.id: question.domain for question in deck.questions}
    assert Counter(domain_of[each] for each in draws(deck, 100, seed=3)) == weights


def test_a_domain_that_is_used_up_gives_way_to_the_others() -> None:
    deck = deck_of({"rare": 1, "common": 9}, {"rare": 90, "common": 10})
    assert sorted(draws(deck, 10, seed=2)) == sorted(ids(deck))


def test_a_domain_without_questions_is_passed_over() -> None:
    deck = deck_of({"full": 3}, {"full": 10, "bare": 90})
    assert sorted(draws(deck, 3, seed=2)) == sorted(ids(deck))


# --- option orders ------------------------------------------------------------------------------


def question_of(*texts: str) -> Question:
    """A question with these options; the first is the key."""
    options = [
        Option(text=text, correct=place == 0, rationale=f"Why {place}.")
        for place, text in enumerate(texts)
    ]
    return make_question().model_copy(update={"options": tuple(options)})


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 8), SEEDS)
def test_an_order_shows_each_option_once(count: int, seed: int) -> None:
    question = question_of(*(f"Option {place}" for place in range(count)))
    assert sorted(option_order(question, Random(seed))) == list(range(count))


def test_the_key_stands_in_each_position_about_equally_often() -> None:
    # rohitg00/ai-engineering-from-scratch PR#381
    deck = make_deck()
    places = Counter[int]()
    for seed in range(4000):
        question, order = draw(deck, [], seed)
        places[order.index(question.keys[0])] += 1
    assert sorted(places) == [0, 1, 2, 3]
    assert all(880 <= times <= 1120 for times in places.values()), places  # 22 to 28 per cent


def test_all_orders_come_about_equally_often() -> None:
    orders = Counter(draw(make_deck("only"), [], seed)[1] for seed in range(4800))
    assert set(orders) == set(permutations(range(4)))
    chi_square = sum((times - 200) ** 2 / 200 for times in orders.values())
    assert chi_square < 50  # 23 degrees of freedom: a fair shuffle exceeds it once in a thousand


def test_the_order_tells_nothing_of_the_question_drawn() -> None:
    """Both come from one seed: the order must be as even within one question as over all."""
    deck = make_deck("one", "two")
    for wanted in ids(deck):
        orders = [draw(deck, [], seed) for seed in range(2000)]
        first = Counter(order[0] for question, order in orders if question.id == wanted)
        assert all(200 <= times <= 300 for times in first.values()), first


@pytest.mark.parametrize("place", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "pinned",
    [
        "All of the above",
        "All of the above.",
        "ALL OF THE ABOVE",
        "None of the above",
        "None of these",
        "Both of the above",
        "Neither of these",
        "All the above",
        "Two of the above",
    ],
)
def test_all_of_the_above_and_its_kin_keep_their_place_while_the_others_move(
    pinned: str, place: int
) -> None:
    texts = ["A hub", "A switch", "A router"]
    texts.insert(place, pinned)
    orders = [option_order(question_of(*texts), Random(seed)) for seed in range(300)]
    assert {order[place] for order in orders} == {place}
    assert {tuple(sorted(order)) for order in orders} == {(0, 1, 2, 3)}
    assert len(set(orders)) == 6


def test_two_pinned_options_both_keep_their_place() -> None:
    question = question_of("A hub", "A switch", "All of the above", "None of the above")
    assert {option_order(question, Random(seed)) for seed in range(100)} == {
        (0, 1, 2, 3),
        (1, 0, 2, 3),
    }


@pytest.mark.parametrize(
    "text",
    [
        "All GPUs of the node share one pool",
        "None, because the link is idle",
        "Both CPUs and GPUs",
        "It runs on all of them",
        "Above all, the network",
    ],
)
def test_an_ordinary_option_moves(text: str) -> None:
    question = question_of("A hub", "A switch", text)
    assert {option_order(question, Random(seed)).index(2) for seed in range(100)} == {0, 1, 2}
