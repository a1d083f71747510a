"""Drafts beside a deck's questions: listed with what they lack, never a fault, and never asked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bank.decks import check_deck, load_deck
from bank.errors import EmptyDeck, UnknownQuestion
from bank.models import Deck, DraftFile
from bot.cli import main
from tests.conftest import OpenTutor
from tests.samples import GROUP, NOW, drop_by_hand
from tests.test_check import QUESTION, add_deck
from tests.world import World, text_of

NO_KEY = """\
---
# missing: the key says C, the explanation says B
# found on page 3
# missing: option D has no text
domain: water
---
Which zeppelin floats?

- [ ] Ice
- [ ] A stone
"""
NO_OPTIONS = """\
---
domain: tides
---
Which zeppelin sinks?
"""
WHAT_NO_KEY_LACKS = (
    "the key says C, the explanation says B",
    "option D has no text",
    "no option is marked “[x]”",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A deck with one question and two drafts."""
    monkeypatch.chdir(tmp_path)
    folder = add_deck(tmp_path, "kitchen", ice=QUESTION)
    add_draft(folder, "airship", NO_KEY)
    add_draft(folder, "boat", NO_OPTIONS)
    return folder


def add_draft(folder: Path, slug: str, text: str) -> Path:
    path = folder / "drafts" / f"{slug}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def check(folder: Path) -> Result:
    return CliRunner().invoke(main, ["check", str(folder)])


def test_a_draft_says_what_it_lacks_and_is_no_fault(folder: Path) -> None:
    deck, faults = check_deck(folder)
    assert deck
    assert faults == []
    assert deck.drafts == (
        DraftFile(slug="airship", stem="Which zeppelin floats?", missing=WHAT_NO_KEY_LACKS),
        DraftFile(
            slug="boat",
            stem="Which zeppelin sinks?",
            missing=(
                "the deck has no domain “tides”; it has water",
                "no options found: write them as “- [ ] text”",
            ),
        ),
    )
    assert [question.slug for question in deck.questions] == ["ice"]


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("", "the file must begin with front matter"),
        ("---\ndomain: water\n", "the front matter is never closed"),
        (QUESTION.replace("domain: water", "colour: red"), "unknown key “colour”"),
        (QUESTION.replace("domain: water", "domain: water\nimage: a.png"), "“a.png” does not"),
        (QUESTION.replace("Ice\n", "Ice\u202e\n"), "cannot be seen here"),
        (QUESTION.replace("[ ] A stone", "[x] A stone"), "every option is marked “[x]”"),
        (QUESTION.replace("What floats?", "x" * 3000), "may have 2400 characters"),
    ],
)
def test_whatever_would_be_a_fault_of_a_question_is_what_a_draft_lacks(
    folder: Path, text: str, lacks: str
) -> None:
    add_draft(folder, "other", text)
    deck, faults = check_deck(folder)
    assert deck
    assert faults == []
    assert any(lacks in clause for clause in deck.drafts[-1].missing), deck.drafts[-1]


def test_a_draft_that_cannot_be_read_is_a_draft_all_the_same(folder: Path) -> None:
    add_draft(folder, "x", "").write_bytes(b"\xff\xfe")
    (folder / "drafts" / "y.md").mkdir()
    Path(os.fsdecode(os.fsencode(folder / "drafts") + b"/z\xff.md")).write_text(QUESTION)
    deck, faults = check_deck(folder)
    assert deck
    assert faults == []
    said = {draft.slug: draft.missing for draft in deck.drafts[-3:]}
    assert said["x"] == ("this line is not UTF-8 text: save the file as UTF-8", *said["x"][1:])
    assert said["y"][0] == "the file cannot be read: Is a directory"
    assert said["z?"][0].startswith("a question's file is named in")


def test_a_name_that_is_a_question_and_a_draft_is_a_fault_of_the_draft(folder: Path) -> None:
    path = add_draft(folder, "ice", NO_KEY)
    deck, (fault,) = check_deck(folder)
    assert deck is None
    assert str(fault) == f"{path}:1: “questions/ice.md” is there as well: keep one of them"


def test_drafts_change_no_questions_version(folder: Path, tmp_path: Path) -> None:
    plain = load_deck(add_deck(tmp_path / "plain", "kitchen", ice=QUESTION))
    assert load_deck(folder).questions == plain.questions
    assert load_deck(folder).questions[0].version == plain.questions[0].version


# The command line


def test_check_lists_each_draft_and_all_is_well(folder: Path) -> None:
    add_draft(folder, "done", QUESTION)
    result = check(folder)
    assert result.stdout.splitlines() == [
        "✓ kitchen: 1 question, 0 with a picture, 3 drafts",
        f"  drafts/airship.md: {'; '.join(WHAT_NO_KEY_LACKS)}",
        "  drafts/boat.md: the deck has no domain “tides”; it has water; "
        "no options found: write them as “- [ ] text”",
        "  drafts/done.md: nothing is missing: move it to questions/",
    ]
    assert (result.stderr, result.exit_code) == ("", 0)


# Where no draft is ever seen


def test_a_draft_is_never_drawn_searched_or_explained(open_tutor: OpenTutor, folder: Path) -> None:
    add_draft(folder, "done", QUESTION.replace("What floats?", "Which zeppelin is done?"))
    tutor = open_tutor(load_deck(folder))
    drawn = set()
    for seed in range(10):
        drop = drop_by_hand(tutor, f"group-{seed}", deck="kitchen", seed=seed)
        drawn.add(drop.question)
    assert drawn == {"kitchen/ice"}
    assert [match.stem for match in tutor.explaining.matches("", GROUP, "ada", NOW)] == [
        "What floats?"
    ]
    for query in ("zeppelin", "airship", "kitchen/airship", "kitchen/done"):
        stems = {match.stem for match in tutor.explaining.matches(query, GROUP, "ada", NOW)}
        assert stems <= {"What floats?"}
        with pytest.raises(UnknownQuestion):
            tutor.explaining.explain(query, GROUP, "ada", NOW)


def test_a_deck_of_drafts_alone_cannot_be_drawn_from(open_tutor: OpenTutor, folder: Path) -> None:
    (folder / "questions" / "ice.md").unlink()
    tutor = open_tutor(load_deck(folder))
    with pytest.raises(EmptyDeck):
        drop_by_hand(tutor, deck="kitchen")


@pytest.fixture
def decks(folder: Path) -> dict[Path, Deck]:
    return {folder: load_deck(folder)}


async def test_deck_list_counts_the_drafts_and_nothing_else_shows_them(world: World) -> None:
    listed = text_of(await world.ben.slash(world.channel, "deck list"))
    assert "1 question, 0 asked here, 2 drafts · Water 100 %" in listed
    offered = await world.ben.autocomplete(world.channel, "explain", "question", "zeppelin")
    assert offered == []
    for typed in ("zeppelin", "kitchen/airship"):
        said = text_of(await world.ben.slash(world.channel, "explain", question=typed))
        assert said.startswith("No question matches")
    await world.drop_now()
    everything = listed + "".join(text_of(message) for message in world.channel.history())
    assert "Which zeppelin" not in everything
