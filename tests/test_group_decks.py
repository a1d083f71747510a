"""A group's own deck is there for that group alone: elsewhere nothing of it is seen, asked or shut.

Two groups may each have a deck of one name; what an id means is then another question in each.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from discord import Permissions, ui

from bank.errors import (
    DeckNameTaken,
    UnknownDeck,
    UnknownDrop,
    UnknownQuestion,
    Withheld,
)
from bank.library import Library
from bank.models import Deck, Image, Question
from bank.tutor import Tutor
from bot import ids
from bot.cli import main
from bot.client import QuizdropClient
from bot.pictures import Pictures
from bot.run import make_client
from bot.settings import Settings
from tests.conftest import OpenTutor
from tests.recorded import logged
from tests.samples import (
    GROUP,
    MANY,
    NOW,
    add_schedule,
    drop_by_hand,
    make_deck,
    make_question,
    post_due,
    slot_on,
)
from tests.world import World, buttons_of, pictures_of, text_of

THEIRS = "5001"  # the group that owns a deck
PNG = b"\x89PNG\r\n\x1a\n"


def own_deck(word: str, *slugs: str, name: str = "biology") -> Deck:
    """A deck whose every text holds a word that stands in no other deck."""
    plain = make_deck(*slugs or ("cell",), name=name)
    questions = tuple(
        question.model_copy(
            update={
                "stem": f"{word}: {question.stem}",
                "short": f"{word} in short.",
                "full": f"{word} in full.",
            }
        )
        for question in plain.questions
    )
    changes = {"title": f"{word} title", "description": f"{word} about", "questions": questions}
    return plain.model_copy(update=changes)


QUARTZ, OPAL = own_deck("quartz"), own_deck("opal")


@pytest.fixture
def library() -> Iterator[Library]:
    with closing(Library([make_deck("first", "second")])) as library:
        library.put(QUARTZ, THEIRS)
        yield library


def found(library: Library, query: str, group: str) -> list[str]:
    return [question.stem for question in library.find(query, 25, set(), group)]


# The library


def test_a_groups_own_deck_is_known_to_that_group_alone(library: Library) -> None:
    assert [deck.name for deck in library.decks_of(THEIRS)] == ["biology", "sample"]
    assert [deck.name for deck in library.decks_of(GROUP)] == ["sample"]
    assert library.own_decks(THEIRS) == (QUARTZ,)
    assert library.own_decks(GROUP) == ()
    assert library.deck("biology", THEIRS) == QUARTZ
    with pytest.raises(UnknownDeck, match=r"no deck “biology”\. The decks here are: sample\.$"):
        library.deck("biology", GROUP)
    assert library.question("biology/cell", THEIRS) == QUARTZ.questions[0]
    assert library.question("biology/cell", GROUP) is None
    assert library.knows("biology/gone", THEIRS)
    assert not library.knows("biology/gone", GROUP)
    assert library.deck_title("biology", THEIRS) == "quartz title"
    assert library.deck_title("biology", GROUP) == "biology"
    question = QUARTZ.questions[0].model_copy(update={"domain": "basics"})
    assert library.domain_title(question, THEIRS) == "Basics"
    assert library.domain_title(question, GROUP) == "basics"
    assert found(library, "quartz", THEIRS) == [QUARTZ.questions[0].stem]
    assert found(library, "quartz", GROUP) == []


def test_two_groups_may_have_a_deck_of_one_name(library: Library) -> None:
    library.put(OPAL, GROUP)
    for group, deck, word in ((THEIRS, QUARTZ, "quartz"), (GROUP, OPAL, "opal")):
        assert library.deck("biology", group) == deck
        assert library.question("biology/cell", group) == deck.questions[0]
        other = {"quartz": "opal", "opal": "quartz"}[word]
        assert found(library, word, group) == [deck.questions[0].stem]
        assert found(library, other, group) == []


def test_what_another_group_owns_sways_no_search(library: Library) -> None:
    # How rare a word is, and which words there are, must not come from decks that are not theirs.
    queries = ("right", "alpha", "frist", "second", "kettle whistles", "rihgt alhpa", "quarz", "qq")
    before = {query: found(library, query, GROUP) for query in queries}
    twins = make_deck(*(f"first-{number}" for number in range(40)), "frist", name="twins")
    library.put(twins, THEIRS)
    assert {query: found(library, query, GROUP) for query in queries} == before


def test_what_all_words_are_found_in_comes_before_what_any_word_is_found_in(
    library: Library,
) -> None:
    stems = found(library, "quartz right", THEIRS)
    assert stems == [QUARTZ.questions[0].stem]


def test_a_better_hit_stands_first_whichever_deck_it_is_of(library: Library) -> None:
    deep = make_question("deep").model_copy(update={"deck": "depth", "full": "A gasket, too."})
    stem = make_question("stem").model_copy(update={"stem": "What is a gasket for?"})
    fill = [make_question(slug) for slug in ("a", "b", "c", "d")]
    fill_own = [each.model_copy(update={"deck": "depth"}) for each in fill]
    own = make_deck(name="depth").model_copy(update={"questions": (deep, *fill_own)})
    shared = make_deck().model_copy(update={"questions": (stem, *fill)})
    with closing(Library([shared])) as library:
        library.put(own, GROUP)
        assert found(library, "gasket", GROUP) == [stem.stem, deep.stem]


def test_a_deck_that_is_put_again_is_replaced(library: Library) -> None:
    library.put(own_deck("jasper", "cell", "leaf"), THEIRS)
    assert [deck.title for deck in library.decks_of(THEIRS)] == ["jasper title", "Sample deck"]
    assert found(library, "quartz", THEIRS) == []
    assert len(found(library, "jasper", THEIRS)) == 2
    assert library.question("biology/leaf", THEIRS)


def test_a_deck_that_is_removed_is_gone_for_its_group_alone(library: Library) -> None:
    library.put(OPAL, GROUP)
    library.remove("biology", THEIRS)
    assert [deck.name for deck in library.decks_of(THEIRS)] == ["sample"]
    assert found(library, "quartz", THEIRS) == []
    assert found(library, "opal", GROUP) == [OPAL.questions[0].stem]
    for name in ("biology", "sample", "nothing"):
        with pytest.raises(UnknownDeck):
            library.remove(name, THEIRS)
    assert library.deck("sample", THEIRS)


def test_an_own_deck_may_not_have_the_name_of_a_shared_one(library: Library) -> None:
    with pytest.raises(DeckNameTaken, match=r"“sample” is the name of a deck that every group has"):
        library.put(make_deck("other"), THEIRS)
    assert library.question("sample/other", THEIRS) is None
    assert library.question("sample/first", THEIRS)


# The use cases


@pytest.fixture
def tutor(open_tutor: OpenTutor) -> Tutor:
    """The sample deck for all; a deck “biology” in each of two groups, with other questions."""
    tutor = open_tutor(make_deck(*MANY))
    tutor.library.put(QUARTZ, THEIRS)
    return tutor


def test_a_schedule_with_another_groups_deck_is_refused(tutor: Tutor) -> None:
    with pytest.raises(UnknownDeck, match=r"The decks here are: sample\.$"):
        add_schedule(tutor, deck="biology")
    with pytest.raises(UnknownDeck, match=r"The decks here are: sample\.$"):
        drop_by_hand(tutor, deck="biology")
    assert drop_by_hand(tutor, THEIRS, deck="biology").question == "biology/cell"


def test_a_schedule_whose_deck_is_removed_is_in_trouble_and_tells_of_no_other_deck(
    tutor: Tutor,
) -> None:
    tutor.library.put(OPAL, GROUP)
    add_schedule(tutor, deck="biology")
    tutor.library.remove("biology", GROUP)
    (news,) = tutor.posting.due(slot_on(0), seed=1).troubles
    assert news.sentence == "There is no deck “biology”. The decks here are: sample."
    tutor.library.put(OPAL, GROUP)
    (drop,) = post_due(tutor, slot_on(1))
    assert tutor.posting.tally(drop).question == OPAL.questions[0]
    assert tutor.timetable.schedules(GROUP)[0].problem is None


def test_each_group_is_asked_its_own_question_under_one_id(tutor: Tutor) -> None:
    tutor.library.put(OPAL, GROUP)
    for group, deck in ((GROUP, OPAL), (THEIRS, QUARTZ)):
        drop = drop_by_hand(tutor, group, deck="biology")
        tally = tutor.posting.tally(drop.id)
        assert tally.question == deck.questions[0]
        assert tutor.library.titles(tally) == (deck.title, "Basics")


class Open(NamedTuple):
    """A drop that is open in the group that owns its deck; Ada has answered another one there."""

    tutor: Tutor
    drop: int


@pytest.fixture
def theirs_is_open(tutor: Tutor) -> Open:
    answered = drop_by_hand(tutor, THEIRS)
    tutor.posting.posted(answered.id, "m1", NOW)
    tutor.answering.press(answered.id, 0, "ada", "m1", NOW)
    drop = drop_by_hand(tutor, THEIRS, deck="biology", open_minutes=180)
    tutor.posting.posted(drop.id, "m2", NOW)
    return Open(tutor, drop.id)


def test_an_own_question_that_is_open_shuts_nothing_elsewhere(theirs_is_open: Open) -> None:
    tutor = theirs_is_open.tutor
    with pytest.raises(Withheld):
        tutor.explaining.explain("biology/cell", THEIRS, "ada", NOW)
    tutor.library.put(OPAL, GROUP)
    for look_up in (tutor.explaining.explain, tutor.explaining.by_id, tutor.explaining.to_all):
        assert look_up("biology/cell", GROUP, "ada", NOW).question == OPAL.questions[0]
    (match,) = tutor.explaining.matches("opal", GROUP, "ada", NOW)
    assert (match.handle, match.open_until) == ("biology/cell", None)


def test_answering_an_own_question_opens_nothing_elsewhere(theirs_is_open: Open) -> None:
    tutor = theirs_is_open.tutor
    tutor.library.put(OPAL, GROUP)
    ours = drop_by_hand(tutor, deck="biology")
    tutor.posting.posted(ours.id, "m3", NOW)
    tutor.answering.press(theirs_is_open.drop, 0, "ada", "m2", NOW)
    assert tutor.explaining.explain("biology/cell", THEIRS, "ada", NOW)
    with pytest.raises(Withheld):
        tutor.explaining.explain("biology/cell", GROUP, "ada", NOW)
    (match,) = tutor.explaining.matches("opal", GROUP, "ada", NOW)
    assert match.handle == f"drop:{ours.id}"


def test_the_handle_of_another_groups_own_question_names_nothing(theirs_is_open: Open) -> None:
    tutor, handle = theirs_is_open.tutor, f"drop:{theirs_is_open.drop}"
    tutor.answering.press(theirs_is_open.drop, 0, "ada", "m2", NOW)
    assert tutor.explaining.explain(handle, THEIRS, "ada", NOW).question == QUARTZ.questions[0]
    for deck in (None, OPAL):
        if deck:
            tutor.library.put(deck, GROUP)
        for now in (NOW, slot_on(3)):
            with pytest.raises(UnknownQuestion):
                tutor.explaining.explain(handle, GROUP, "ada", now)


def test_nothing_finds_another_groups_own_question(theirs_is_open: Open) -> None:
    tutor, later = theirs_is_open.tutor, slot_on(3)
    for now in (NOW, later):
        for query in ("quartz", "biology/cell", "biology cell", "quarz", ""):
            matches = tutor.explaining.matches(query, GROUP, "ada", now)
            assert not [match for match in matches if "quartz" in match.stem]
        with pytest.raises(UnknownQuestion):
            tutor.explaining.explain("quartz", GROUP, "ada", now)
        for look_up in (tutor.explaining.by_id, tutor.explaining.to_all):
            with pytest.raises(UnknownQuestion):
                look_up("biology/cell", GROUP, "ada", now)
        with pytest.raises(UnknownDrop):
            tutor.explaining.of_drop(theirs_is_open.drop, "ada", now, group=GROUP)
        with pytest.raises(UnknownDrop):
            tutor.explaining.of_message("m2", "ada", now, group=GROUP)
    assert [use.deck.name for use in tutor.boards.decks(GROUP)] == ["sample"]
    assert [use.deck.name for use in tutor.boards.decks(THEIRS)] == ["biology", "sample"]


def test_a_button_names_one_question_and_never_the_next_best(tutor: Tutor) -> None:
    tutor.library.put(own_deck("jasper", "cell", "leaf"), THEIRS)
    tutor.library.remove("biology", THEIRS)
    for question in ("biology/cell", "sample/gone", "q1", "drop:1"):
        with pytest.raises(UnknownQuestion):
            tutor.explaining.by_id(question, THEIRS, "ada", NOW)
    assert tutor.explaining.by_id("sample/q1", THEIRS, "ada", NOW).question.slug == "q1"


# In Discord


class Elsewhere(NamedTuple):
    """The other server, in which Ada manages and Ben is a member as well."""

    world: World
    channel: Any
    ada: Any
    ben: Any

    async def forged(self, member: Any, custom_id: str) -> str:
        """What a member of the other server reads after pressing a button of that id there."""
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.ActionRow(ui.Button(label="?", custom_id=custom_id)))
        view.stop()
        room = self.world.client.get_partial_messageable(self.channel.id)
        return text_of(await member.click(await room.send(view=view), custom_id=custom_id))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the group's own deck lies, with a picture."""
    (tmp_path / "biology").mkdir()
    (tmp_path / "biology" / "cell.png").write_bytes(PNG + b"quartz")
    return tmp_path / "biology"


def illustrated(deck: Deck) -> Deck:
    questions = tuple(
        question.model_copy(update={"image": Image(path="cell.png", alt=f"{deck.title} drawn")})
        for question in deck.questions
    )
    return deck.model_copy(update={"questions": questions})


@pytest.fixture
async def elsewhere(world: World, folder: Path) -> Elsewhere:
    """The world's own server has the deck “biology”, and this other one has not."""
    await world.ask(lambda tutor: tutor.library.put(illustrated(QUARTZ), world.group))
    world.client.pictures.put(world.group, "biology", folder)
    guild = world.env.create_guild("Elsewhere")
    channel = guild.create_text_channel("daily")
    manager = guild.create_role("Admin", permissions=Permissions(manage_guild=True))
    ada = guild.add_member(world.ada.user, roles=[manager])
    ben = guild.add_member(world.ben.user)
    await world.env.settle()
    return Elsewhere(world, channel, ada, ben)


async def test_another_server_sees_nothing_of_a_servers_own_deck(elsewhere: Elsewhere) -> None:
    world, channel, ada, ben = elsewhere
    tally = await world.drop_now(deck="biology")
    assert "quartz title" in text_of(world.message(tally))
    await world.press_right(world.ben, tally)
    said: list[str] = []
    for typed in ("", "quartz", "biology", "biology/cell", "drop:1", "cell"):
        offered = await ben.autocomplete(channel, "explain", "question", typed)
        said.append(json.dumps(offered))
        said.append(text_of(await ben.slash(channel, "explain", question=typed or "quartz")))
        for command in ("schedule add", "drop now"):
            offered = await ada.autocomplete(channel, command, "deck", typed)
            said.append(json.dumps(offered))
    said.append(text_of(await ben.slash(channel, "deck list")))
    terms = {"deck": "biology", "channel": channel, "times": "10:00", "zone": "UTC"}
    said.append(text_of(await ada.slash(channel, "schedule add", **terms)))
    said.append(text_of(await ada.slash(channel, "drop now", deck="biology", zone="UTC")))
    for custom_id in (ids.open_full(1), ids.turn_full(1, 0), ids.answer(1, 0)):
        said.append(await elsewhere.forged(ben, custom_id))
    for text in said:
        assert "uartz" not in text.replace("“quartz”", "")
    assert "There is no deck “biology”. The decks here are: sample." in said[-5]
    assert said[-5] == said[-4]


@pytest.mark.parametrize(
    "custom_id",
    [
        ids.open_question("biology/cell"),
        ids.turn_question("biology/cell", 0),
        ids.show_to_all("biology/cell"),
        ids.open_question("biology/first"),  # a word of it stands in a deck that all have
        ids.turn_question("biology/first", 0),
    ],
)
async def test_a_button_with_another_servers_question_says_that_it_is_unknown(
    elsewhere: Elsewhere, custom_id: str
) -> None:
    question = custom_id.rpartition(":")[2]
    for member in (elsewhere.ada, elsewhere.ben):
        said = await elsewhere.forged(member, custom_id)
        assert said == f"No question matches “{question}”. Try another word from its text."


async def test_the_same_id_is_another_question_in_another_server(elsewhere: Elsewhere) -> None:
    world, channel, _, ben = elsewhere
    group = str(channel.guild.id)
    await world.ask(lambda tutor: tutor.library.put(OPAL, group))
    tally = await world.drop_now(deck="biology")
    looked_up = await ben.slash(channel, "explain", question="biology/cell")
    assert OPAL.questions[0].stem in text_of(looked_up)
    assert pictures_of(looked_up) == []  # it has none, though the other one of this name has
    shown = await ben.click(looked_up.response, custom_id=buttons_of(looked_up)["Show to all"])
    assert OPAL.questions[0].stem in text_of(shown)
    refused = await world.ben.slash(world.channel, "explain", question="biology/cell")
    assert "open right now" in text_of(refused)
    answer = await world.press_right(world.ben, tally)
    assert "quartz in short." in text_of(answer)
    assert [shown["description"] for shown in pictures_of(answer)] == ["quartz title drawn"]


async def test_an_own_deck_works_from_the_drop_to_the_reveal(elsewhere: Elsewhere) -> None:
    world = elsewhere.world
    offered = await world.ada.autocomplete(world.channel, "drop now", "deck", "")
    assert [choice["value"] for choice in offered] == ["biology", "sample"]
    assert "quartz about" in text_of(await world.ben.slash(world.channel, "deck list"))
    tally = await world.drop_now(deck="biology")
    await world.wait(minutes=61)
    assert [each.filename for each in world.message(tally).attachments] == ["infographic.png"]
    looked_up = await world.ben.slash(world.channel, "explain", question="quartz")
    assert [shown["description"] for shown in pictures_of(looked_up)] == ["quartz title drawn"]


# Pictures


def pictured(deck: str = "biology") -> Question:
    image = Image(path="cell.png", alt="A cell")
    return make_question("cell").model_copy(update={"deck": deck, "image": image})


def test_a_picture_is_the_one_of_the_groups_own_folder(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "cell.png").write_bytes(PNG + b"opal")
    pictures = Pictures({})
    pictures.put(THEIRS, "biology", folder)
    pictures.put(GROUP, "biology", other)
    for group, content in ((THEIRS, b"quartz"), (GROUP, b"opal")):
        picture = pictures.of(pictured(), group)
        assert picture
        assert picture.file().fp.read() == PNG + content
    assert pictures.of(pictured(), "6001") is None
    pictures.remove(GROUP, "biology")
    pictures.remove(GROUP, "biology")
    assert pictures.of(pictured(), GROUP) is None


def test_the_picture_of_a_replaced_deck_is_the_new_one(folder: Path) -> None:
    pictures = Pictures({})
    pictures.put(THEIRS, "biology", folder)
    before = pictures.of(pictured(), THEIRS)
    assert before
    assert before.file().fp.read() == PNG + b"quartz"
    (folder / "cell.png").write_bytes(PNG + b"jasper")
    pictures.put(THEIRS, "biology", folder)
    after = pictures.of(pictured(), THEIRS)
    assert after
    assert after.file().fp.read() == PNG + b"jasper"
    assert after != before  # else a card that was made with the old one would be shown again
    (folder / "cell.png").unlink()
    pictures.put(THEIRS, "biology", folder)
    assert pictures.of(pictured(), THEIRS) is None


# At the start

TOML = """\
title = "Quartz title"
description = "About."
language = "en"
licence = "MIT"
blueprint = "1"

[[domains]]
id = "basics"
title = "Basics"
weight = 100
"""
FILE = """\
---
domain: basics
---
Quartz?

- [x] Yes
- [ ] No
"""


def add_own_deck(database: Path, group: str, name: str, text: str = FILE) -> Path:
    folder = database.parent / "uploads" / group / name
    (folder / "questions").mkdir(parents=True)
    (folder / "deck.toml").write_text(TOML, encoding="utf-8")
    (folder / "questions" / "cell.md").write_text(text, encoding="utf-8")
    return folder


def test_uploads_lie_beside_the_database(database: Path) -> None:
    assert Settings(database=database).uploads == database.parent / "uploads"


@asynccontextmanager
async def started(database: Path) -> AsyncIterator[QuizdropClient]:
    """The bot as it starts, not connected to Discord."""
    client = make_client(Settings(database=database), {Path("sample"): make_deck()})
    await client.core.open()
    yield client
    await client.core.close()


async def names(client: QuizdropClient, group: str) -> list[str]:
    return await client.core(lambda tutor: [deck.name for deck in tutor.library.decks_of(group)])


async def test_the_groups_own_decks_are_loaded_at_the_start(database: Path) -> None:
    (add_own_deck(database, THEIRS, "biology") / "cell.png").write_bytes(PNG)
    async with started(database) as client:
        assert await names(client, THEIRS) == ["biology", "sample"]
        assert await names(client, GROUP) == ["sample"]
        assert client.pictures.of(pictured(), THEIRS)
        assert client.pictures.of(pictured(), GROUP) is None


async def test_an_own_deck_with_faults_is_named_and_stops_nothing(database: Path) -> None:
    add_own_deck(database, THEIRS, "biology", FILE.replace("[x]", "[ ]"))
    add_own_deck(database, THEIRS, "physics")
    add_own_deck(database, GROUP, "biology")
    (database.parent / "uploads" / "a file").write_text("which is no group")
    with logged(logging.WARNING) as lines:
        async with started(database) as client:
            assert await names(client, THEIRS) == ["physics", "sample"]
            assert await names(client, GROUP) == ["biology", "sample"]
    sentence = "The deck “biology” has 1 fault; “quizdrop check” lists them. It is left out."
    assert lines == [f"bot.uploads group {THEIRS}: {sentence}"]


async def test_a_shared_deck_that_takes_an_own_decks_name_wins_and_that_is_logged(
    database: Path,
) -> None:
    add_own_deck(database, THEIRS, "sample")
    with logged(logging.WARNING) as lines:
        async with started(database) as client:
            assert await names(client, THEIRS) == ["sample"]
            found = await client.core(lambda tutor: tutor.library.question("sample/cell", THEIRS))
            assert found is None
    (line,) = lines
    assert f"group {THEIRS}: “sample” is the name of a deck that every group has." in line
    assert line.endswith("It is left out.")


async def test_a_folder_that_cannot_be_read_is_named_and_stops_nothing(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_own_deck(database, THEIRS, "biology")
    add_own_deck(database, GROUP, "biology")
    real = Path.iterdir

    def iterdir(path: Path) -> Iterator[Path]:
        if path.name == THEIRS:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    with logged(logging.WARNING) as lines:
        async with started(database) as client:
            assert await names(client, GROUP) == ["biology", "sample"]
    (line,) = lines
    assert line.endswith(f"{THEIRS} cannot be read: Permission denied")


def test_check_reads_the_groups_own_decks_too(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    add_own_deck(database, THEIRS, "biology")
    add_own_deck(database, GROUP, "biology", FILE.replace("[x]", "[ ]"))
    result = CliRunner().invoke(main, ["check"], env={"QUIZDROP_DATABASE": str(database)})
    assert f"✓ biology of server {THEIRS}: 1 question, 0 with a picture\n" in result.stdout
    assert f"✗ biology of server {GROUP}: 1 fault\n" in result.stdout
    assert result.exit_code == 1
