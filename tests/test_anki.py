"""Anki packages: read whatever note type holds the question, written and read back the same."""

from __future__ import annotations

import io
import json
import random
import sqlite3
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import genanki
import pytest
import zstandard

from bank.decks import load_deck
from bank.errors import BadFile
from bank.formats.anki import package as anki_package
from bank.formats.anki import reader as anki
from bank.formats.anki import writer as anki_writer
from bank.formats.anki.package import packed
from bank.formats.anki.reader import looks_like, read
from bank.formats.reading import Draft, Kind, Reading, Source
from bank.models import Deck, Image, Option, Question
from bot.settings import shipped_decks
from tests.shared import FIXTURES, needs_fixtures

SHIPPED = shipped_decks() / "nca-aiio"
PICTURE = b"\x89PNG, as far as this reader cares"

Fields = dict[str, str]


def package(
    *notes: Fields,
    deck: str = "Pets",
    tags: tuple[str, ...] = (),
    name: str = "Some type",
    media: dict[str, bytes] | None = None,
) -> Source:
    """A package in the old schema, a note for each dict of fields; all have the same ones."""
    model = genanki.Model(
        1,
        name,
        fields=[{"name": field} for field in notes[0]],
        templates=[{"name": "Card", "qfmt": "{{%s}}" % next(iter(notes[0])), "afmt": ""}],  # noqa: UP031
    )
    cards = genanki.Deck(2, deck)
    for note in notes:
        cards.add_note(genanki.Note(model, list(note.values()), tags=list(tags)))

    def fill(cursor: sqlite3.Cursor) -> None:
        genanki.Package(cards).write_to_db(cursor, 1, iter(range(1, 10**6)))

    return Source("pets.apkg", packed(fill, media or {}))


def newer(database: bytes, media: dict[str, bytes]) -> Source:
    """A package as new versions of Anki write it, with the stub that old ones read."""

    def entry(number: int, data: bytes) -> bytes:
        return bytes([number << 3 | 2, len(data)]) + data

    # Each entry: its name, its size (a number) and its hash.
    names = b"".join(
        entry(1, entry(1, name.encode()) + b"\x10\x05" + entry(3, bytes(20))) for name in media
    )
    stub = package({"Front": "Please update to the latest Anki version", "Back": ""}).data
    with zipfile.ZipFile(io.BytesIO(stub)) as old:
        files = {"collection.anki2": old.read("collection.anki2")}
    zstd = zstandard.ZstdCompressor()
    files |= {
        "meta": b"\x08\x03",
        "collection.anki21b": zstd.compress(database),
        "media": zstd.compress(names),
        **{str(at): zstd.compress(data) for at, data in enumerate(media.values())},
    }
    return Source("new.apkg", zipped(files))


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def new_schema(front: str, back: str, deck: str = "Animals\x1fPets") -> bytes:
    """A database in the new schema, its names in tables of their own, as a log would leave it."""
    database = sqlite3.connect(":memory:")
    database.create_collation("unicase", lambda one, other: (one > other) - (one < other))
    database.executescript(
        """
        CREATE TABLE notes (id integer PRIMARY KEY, mid integer, tags text, flds text);
        CREATE TABLE cards (id integer PRIMARY KEY, nid integer, did integer, odid integer);
        CREATE TABLE col (id integer PRIMARY KEY, models text, decks text);
        CREATE TABLE notetypes (id integer PRIMARY KEY, name text COLLATE unicase);
        CREATE TABLE fields (ntid integer, ord integer, name text COLLATE unicase,
            PRIMARY KEY (ntid, ord)) WITHOUT ROWID;
        CREATE TABLE decks (id integer PRIMARY KEY, name text COLLATE unicase);
        CREATE UNIQUE INDEX by_name ON fields (name, ntid);
        INSERT INTO notetypes VALUES (7, 'Basic');
        INSERT INTO fields VALUES (7, 1, 'Back'), (7, 0, 'Front');
        INSERT INTO col VALUES (1, '', '');
        INSERT INTO cards VALUES (1, 5, 9, 8);
        """
    )
    database.execute("INSERT INTO decks VALUES (8, ?), (9, 'Cram')", (deck,))
    database.execute("INSERT INTO notes VALUES (5, 7, ' farm loud ', ?)", (f"{front}\x1f{back}",))
    database.commit()
    data = database.serialize()
    return data[:18] + b"\x02\x02" + data[20:]


def reading(source: Source) -> Reading:
    assert looks_like(source)
    return read([source], [])


def only(fields: Fields, **others: str) -> Draft:
    found = reading(package(fields, **others))  # type: ignore[arg-type]
    assert [str(problem) for problem in found.problems] == []
    return found.drafts[0]


def keys_of(draft: Draft) -> str:
    return "".join("ABCDEFGH"[at] for at, option in enumerate(draft.options) if option.correct)


# Note types


def test_fields_named_for_it_make_a_question() -> None:
    draft = only(
        {
            "Question": "Which <b>one</b> barks?",
            "A": "dog",
            "B": "cat",
            "C": "cow",
            "D": "",
            "Answer": "A",
            "Explanation": "Option B meows.",
            "Source": "https://example.org/dogs",
        }
    )
    assert draft.stem == "Which **one** barks?"
    assert [option.text for option in draft.options] == ["dog", "cat", "cow"]
    assert keys_of(draft) == "A"
    assert draft.full == "Option {b} meows."
    assert draft.sources == ("https://example.org/dogs",)
    assert draft.category == "Pets"
    assert draft.kind is Kind.CHOICE
    assert not draft.missing


@pytest.mark.parametrize(
    "names",
    [
        "A B C",
        "Option A|Option B|Option C",
        "Option 1|Option 2|Option 3",
        "choice_1|choice_2|choice_3",
        "Answer A|Answer B|Answer C",
        "Q_1|Q_2|Q_3",
    ],
)
@pytest.mark.parametrize("key", ["Answer", "Correct answer", "correct_option", "Key"])
def test_options_and_keys_are_known_by_each_usual_name(names: str, key: str) -> None:
    fields = dict(
        zip(names.split("|" if "|" in names else " "), ("dog", "cat", "cow"), strict=True)
    )
    draft = only({"Front": "Which one meows?", **fields, key: "B"})
    assert keys_of(draft) == "B"
    assert not draft.missing


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("B", "B"),
        ("b)", "B"),
        ("2", "B"),
        ("cat", "B"),
        ("Cat.", "B"),
        ("B. cat", "B"),
        ("<b>B</b>) cat", "B"),
        ("A, C", "AC"),
        ("A and C", "AC"),
        ("AC", "AC"),
        ("0 1 0", "B"),
        ("1,0,1", "AC"),
        ("Correct answer: B", "B"),
        ("A. dog<br>C. cow", "AC"),
        ("dog<br>cow", "AC"),
    ],
)
def test_a_key_is_read_as_letter_number_mark_or_text(key: str, expected: str) -> None:
    fields = {"Question": "Which?", "A": "dog", "B": "cat", "C": "cow", "Answer": key}
    draft = only(fields)
    assert keys_of(draft) == expected
    assert draft.kind is (Kind.MULTIPLE if len(expected) > 1 else Kind.CHOICE)
    assert not draft.missing


@pytest.mark.parametrize("key", ["E", "", "a bird", "9", "0 0 0", "0 0 0 1"])
def test_a_key_that_is_no_option_keeps_the_question_back(key: str) -> None:
    draft = only({"Question": "Which?", "A": "dog", "B": "cat", "C": "cow", "Answer": key})
    assert draft.missing == ("no field names an option as the key",)
    assert keys_of(draft) == ""


@pytest.mark.parametrize(
    ("key", "missing"),
    [
        ("B. dog", "the back names B and gives the text of another option"),
        ("C", "“C” is a letter and the text of another option"),
    ],
)
def test_a_key_that_contradicts_itself_is_told(key: str, missing: str) -> None:
    draft = only({"Question": "Which?", "A": "dog", "B": "C", "C": "cow", "Answer": key})
    assert draft.missing == (missing,)


def test_a_right_answer_beside_wrong_ones_is_the_key() -> None:
    draft = only(
        {
            "Question": "Who barks?",
            "Answer": "dog",
            "Wrong 1": "cat",
            "Wrong 2": "",
            "Wrong 3": "cow",
        }
    )
    assert [option.text for option in draft.options] == ["dog", "cat", "cow"]
    assert keys_of(draft) == "A"


def all_in_one(kind: str, answers: str) -> Source:
    """The note type of “Multiple Choice for Anki (AllInOne kprim, mc, sc)”."""
    return package(
        {
            "Question": "Who has four legs?",
            "Title": "",
            "QType (0=kprim,1=mc,2=sc)": kind,
            **{f"Q_{at}": text for at, text in enumerate(("dog", "hen", "cow", "", ""), 1)},
            "Answers": answers,
            "Sources": "A farm",
            "Extra 1": "Count them.",
        },
        name="AllInOne (kprim, mc, sc)",
    )


def test_multiple_choice_for_anki_is_read() -> None:
    (draft,) = reading(all_in_one("1", "1 0 1 0 0")).drafts
    assert draft.kind is Kind.MULTIPLE
    assert keys_of(draft) == "AC"
    assert draft.full == "Count them."
    assert draft.sources == ("A farm",)
    assert not draft.missing
    (draft,) = reading(all_in_one("1", "0 1 0")).drafts
    assert (draft.kind, keys_of(draft)) == (Kind.MULTIPLE, "B")
    (draft,) = reading(all_in_one("2", "0 1 0")).drafts
    assert (draft.kind, keys_of(draft)) == (Kind.CHOICE, "B")
    (draft,) = reading(all_in_one("2", "1 1 0")).drafts
    assert draft.missing == ("it takes one answer, but several options are marked as the key",)
    (problem,) = reading(all_in_one("0", "1 0 1")).problems
    assert problem.kind == "kprim"


# Plain cards


FRONTS = [
    "Who meows?<br>A) dog<br>B) cat<br>C) cow",
    "<div>Who meows?</div><div>A. dog</div><div>B. cat</div><div>C. cow</div>",
    "<p>Who meows?</p><p>(a) dog</p><p>(b) cat</p><p>(c) cow</p>",
    "Who meows? A) dog B) cat C) cow",
    "Who meows?<ul><li>A: dog</li><li>B: cat</li><li>C: cow</li></ul>",
]


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize(
    "back", ["B", "<b>B</b>", "B) cat", "Answer: B", "The correct answer is B.", "cat", "Cat"]
)
def test_a_card_whose_front_lists_options_is_a_question(front: str, back: str) -> None:
    draft = only({"Front": front, "Back": f"{back}<br><br>Explanation: A barks, and (C) moos."})
    assert draft.stem == "Who meows?"
    assert [option.text for option in draft.options] == ["dog", "cat", "cow"]
    assert keys_of(draft) == "B"
    assert draft.full.endswith("and ({c}) moos.")
    assert not draft.missing


@pytest.mark.parametrize(
    "items",
    [
        "<ol><li>dog</li><li>cat</li></ol>",
        "<br>1. dog<br>2. cat",
        "<ul><li>dog</li><li>cat</li></ul>",
    ],
)
def test_a_list_is_options_only_where_the_back_names_one(items: str) -> None:
    draft = only({"Front": f"Who meows?{items}", "Back": "cat"})
    assert (draft.stem, keys_of(draft)) == ("Who meows?", "B")
    (problem,) = reading(package({"Front": f"Who are they?{items}", "Back": "Pets"})).problems
    assert problem.kind == "flashcard"


def test_options_may_have_several_lines() -> None:
    draft = only({"Front": "Which?<br>A) one<pre>x = 1</pre>B) two", "Back": "A"})
    assert draft.options[0].text.startswith("one\n")
    assert "x = 1" in draft.options[0].text


def test_a_letter_list_without_a_key_is_kept_back() -> None:
    draft = only({"Front": FRONTS[0], "Back": "It depends."})
    assert draft.missing == ("the back names no option as the key",)
    assert draft.full == "It depends."


def test_what_is_no_question_is_listed_by_its_number() -> None:
    found = reading(
        package({"Front": "Who barks?", "Back": "The dog."}, {"Front": "A", "Back": "B) x"})
    )
    assert [str(problem) for problem in found.problems] == [
        "pets.apkg, item 1: flashcards are not supported",
        "pets.apkg, item 2: flashcards are not supported",
    ]
    cloze = {"Text": "A {{c1::dog}} barks", "Back Extra": ""}
    assert reading(package(cloze)).problems[0].kind == "cloze"
    occlusion = reading(package(cloze, name="Image Occlusion"))
    assert occlusion.problems[0].kind == "image occlusion"


def test_a_literal_reference_is_none() -> None:
    fields = {
        "Question": "{a}?",
        "A": "{b}",
        "B": "x",
        "Answer": "B",
        "Extra": "{a} and B is right",
    }
    draft = only(fields)
    assert draft.stem == r"\{a}?"
    assert draft.options[0].text == r"\{b}"
    assert draft.full == r"\{a} and {b} is right"


# Decks, tags, media


def test_a_deck_is_the_category_and_tags_are_tags() -> None:
    fields = {"Question": "?!", "A": "dog", "B": "cat", "Answer": "A"}
    for deck, category in [
        ("Animals::Pets::Loud", "Animals/Pets/Loud"),
        ("Cats/Dogs", "Cats-Dogs"),
        ("Default", None),
    ]:
        (draft,) = reading(package(fields, deck=deck, tags=("farm", "big::loud"))).drafts
        assert draft.category == category
        assert draft.tags == ("farm", "big::loud")


def test_pictures_stand_in_front_or_behind() -> None:
    fields = {
        "Front": f'{FRONTS[0]}<img src="a%20dog.png" alt="A dog">',
        "Back": 'B<br><img src="cat.png"><img src="cow.png">[sound:moo.mp3]',
    }
    media = {"a dog.png": PICTURE, "cat.png": b"cat", "cow.png": b"cow"}
    found = reading(package(fields, media=media))
    (draft,) = found.drafts
    assert draft.exhibit is not None
    assert (draft.exhibit.name, draft.exhibit.data) == ("a dog.png", PICTURE)
    assert draft.exhibit.alt == "A dog"
    assert draft.image is not None
    assert draft.image.data == b"cat"
    assert [note.text for note in found.notes] == [
        "another picture behind was left out",
        "a sound or film was left out",
    ]


def test_a_picture_that_is_absent_is_told() -> None:
    absent = '<img src="x.png">'
    found = reading(package({"Front": FRONTS[0] + absent, "Back": "B" + absent}))
    assert found.drafts[0].missing == ("the picture in front, “x.png”, did not come along",)
    assert found.notes[0].text == "the picture behind, “x.png”, did not come along"


def test_a_field_that_has_no_place_is_told() -> None:
    fields = {"Question": "?!", "A": "dog", "B": "cat", "Answer": "A", "Page": "7", "Empty": ""}
    assert [note.text for note in reading(package(fields)).notes] == [
        "the field “Page” was left out"
    ]


# Schemas


def test_a_new_package_is_read_past_its_stub() -> None:
    front = f'{FRONTS[0]}<img src="dög.png">'
    source = newer(new_schema(front, "B"), {"x.png": b"x", "dög.png": PICTURE})
    (draft,) = reading(source).drafts
    assert keys_of(draft) == "B"
    assert draft.category == "Animals/Pets"
    assert draft.tags == ("farm", "loud")
    assert draft.exhibit is not None
    assert draft.exhibit.data == PICTURE


@needs_fixtures
def test_every_note_of_a_real_package_is_a_draft_or_listed() -> None:
    name = "nca-aiio-prep.apkg"
    found = reading(Source(name, (FIXTURES / "anki" / name).read_bytes()))
    assert found.drafts == ()
    assert Counter(problem.kind for problem in found.problems) == {"flashcard": 61}
    assert [problem.where.item for problem in found.problems] == list(range(1, 62))


# Strangers


def refusal(source: Source) -> str:
    with pytest.raises(BadFile) as refused:
        read([source], [])
    return refused.value.sentence


def database_with(*statements: str) -> Source:
    """A package whose database was changed by hand."""
    plain = package({"Front": "Who?", "Back": "The dog"})

    def fill(cursor: sqlite3.Cursor) -> None:
        with zipfile.ZipFile(io.BytesIO(plain.data)) as archive:
            cursor.connection.deserialize(archive.read("collection.anki2"))
        cursor = cursor.connection.cursor()
        for statement in statements:
            cursor.execute(statement)

    return Source("odd.apkg", packed(fill, {}))


ENDLESS = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
    "SELECT x AS id, 1 AS mid, '' AS tags, '' AS flds FROM n"
)


@pytest.mark.parametrize(
    "statements",
    [
        ["ALTER TABLE notes RENAME TO old", f"CREATE VIEW notes AS {ENDLESS}"],
        ["ALTER TABLE notes RENAME TO old", "CREATE VIEW notes AS SELECT * FROM old"],
        ["DROP TABLE notes", "CREATE VIRTUAL TABLE notes USING fts5(id, mid, tags, flds)"],
        [
            "DROP TABLE notes",
            "CREATE TABLE notes (id integer PRIMARY KEY, mid, tags, flds AS (hex(zeroblob(1000))))",
            "INSERT INTO notes (mid, tags) VALUES (1, '')",
        ],
        ["DROP TABLE notes"],
        ["DROP TABLE cards"],
        ["DELETE FROM notes", "DROP TABLE col"],
    ],
    ids=["endless view", "view", "virtual table", "function", "no notes", "no cards", "no names"],
)
def test_nothing_that_a_database_brings_is_run(statements: list[str]) -> None:
    assert "is an Anki package whose notes cannot be read" in refusal(database_with(*statements))


def test_a_trigger_stays_asleep() -> None:
    odd = database_with(
        "CREATE TRIGGER wake AFTER INSERT ON cards BEGIN DELETE FROM notes; END",
        "CREATE VIEW other AS SELECT load_extension('x')",
    )
    assert len(read([odd], []).problems) == 1


def test_odd_values_are_text_like_any_other() -> None:
    odd = database_with(
        "UPDATE notes SET flds = x'ff00fe', tags = 7, mid = 'one'",
        "UPDATE cards SET did = 'x', nid = x'00'",
        'UPDATE col SET models = \'{"1": [], "x": {}, "2": {"flds": [7]}}\'',
    )
    assert read([odd], []).problems[0].kind == "flashcard"


@pytest.mark.parametrize(
    "models", ["", "7", "[" * 100_000, '{"1": {"flds": [{"name": ' + "9" * 9999]
)
def test_names_that_cannot_be_read_end_in_a_sentence(models: str) -> None:
    odd = database_with(f"UPDATE col SET models = '{models}'")
    sentence = outcome(odd)
    assert sentence == "read" or "cannot be read" in sentence


def test_a_bomb_ends_at_the_bound() -> None:
    bomb = newer(new_schema("x" * (51 * 2**20), ""), {})
    assert len(bomb.data) < 2**20
    assert "holds more than 50 MB unpacked" in refusal(bomb)
    many = newer(new_schema(FRONTS[0] + '<img src="big">', "B"), {"big": bytes(51 * 2**20)})
    assert "holds more than 50 MB unpacked" in refusal(many)
    short = zstandard.ZstdCompressor().compress(b"x" * 100)
    lying = zipped({"collection.anki21b": short[:4] + b"\xff" * 8 + short[12:], "media": b""})
    assert "cannot be read" in refusal(Source("odd.apkg", lying))


def test_a_window_that_takes_much_memory_is_refused() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=27, enable_ldm=True)
    wide = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    data = wide.compress(new_schema("", "")) + wide.flush()
    packed_wide = zipped({"collection.anki21b": data, "media": b""})
    assert "cannot be read" in refusal(Source("odd.apkg", packed_wide))


def test_notes_are_bounded_in_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anki_package, "MOST_NOTES", 2)
    notes = [{"Front": f"{number}?", "Back": "x"} for number in range(3)]
    assert len(read([package(*notes[:2])], []).problems) == 2
    assert "holds more than 2 notes" in refusal(package(*notes))


def test_notes_are_bounded_in_length(monkeypatch: pytest.MonkeyPatch) -> None:
    long = package({"Front": FRONTS[0], "Back": "B" + " " * anki.MOST_OF_A_NOTE})
    (problem,) = read([long], []).problems
    assert problem.text == "the note is longer than 200,000 characters"
    monkeypatch.setattr(anki_package, "MOST_BYTES", 300_000)
    two = package(*({"Front": "?" * 160_000, "Back": back} for back in "xy"))
    assert "MB of notes" in refusal(two)


def test_packages_share_one_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    source = package({"Front": FRONTS[0], "Back": "B"})
    with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
        size = archive.getinfo("collection.anki2").file_size
    monkeypatch.setattr(anki, "MOST_UNPACKED", size * 3 // 2)
    assert len(read([source], []).drafts) == 1
    with pytest.raises(BadFile, match="too much"):
        read([source, source], [])


def test_what_is_no_package_is_not_taken_for_one() -> None:
    assert not looks_like(Source("x.apkg", zipped({"a.txt": b""})))
    assert not looks_like(Source("x.apkg", b"SQLite format 3\0"))
    assert not looks_like(Source("x.apkg", b"PK\x03\x04damaged"))
    assert "without a collection" in refusal(Source("x.apkg", zipped({"a.txt": b""})))


def test_media_that_cannot_be_listed_leave_the_notes_what_they_are() -> None:
    database = new_schema(FRONTS[0], "B")
    for media in (b"", b"\xff" * 40, b"\x0a\xff\xff\xff\xff\x0f", b"\x0b", b"\x08\x01\x11\x00"):
        files = {"collection.anki21b": zstandard.compress(database)}
        files["media"] = zstandard.compress(media)
        assert len(read([Source("x.apkg", zipped(files))], []).drafts) == 1
    with zipfile.ZipFile(io.BytesIO(package({"Front": FRONTS[0], "Back": "B"}).data)) as archive:
        old = archive.read("collection.anki2")
    for media in (b"", b"[", b"[]", b'{"0": 7}', b"[" * 10**6):
        files = {"collection.anki2": old, "media": media}
        assert len(read([Source("x.apkg", zipped(files))], []).drafts) == 1


def test_a_damaged_package_ends_in_drafts_or_a_sentence() -> None:
    rng = random.Random(5)
    with zipfile.ZipFile(io.BytesIO(package({"Front": FRONTS[0], "Back": "B"}).data)) as archive:
        old = archive.read("collection.anki2")
    outcomes: Counter[str] = Counter()
    for turn in range(600):
        database = bytearray(old if turn % 2 else new_schema(FRONTS[0], "B"))
        for _ in range(rng.randint(1, 20)):
            at = rng.randrange(len(database)) if turn % 3 else rng.randrange(4096)
            database[at] = rng.choice((0, 255, 127, rng.randrange(256)))
        cut = len(database) if turn % 5 else rng.randrange(len(database))
        files = {"collection.anki2": bytes(database[:cut]), "media": b"{}"}
        outcomes[outcome(Source("x.apkg", zipped(files))).partition(" ")[0]] += 1
    assert outcomes["read"] > 50
    assert outcomes["“x.apkg”"] > 50


def outcome(source: Source) -> str:
    try:
        read([source], [])
    except BadFile as refused:
        return refused.sentence
    return "read"


# Written and read back


def deck_of(*questions: Question) -> Deck:
    shipped = load_deck(SHIPPED)
    return shipped.model_copy(update={"questions": questions})


OPTIONS = (
    Option(text="dog", correct=True, rationale="It barks."),
    Option(text="cat", correct=False, rationale="", misconception="Hears <b>"),
)


def question(**changes: object) -> Question:
    whole = {"deck": "nca-aiio", "slug": "pets", "domain": "ai-operations", "stem": "Who barks?"}
    return Question.model_validate({**whole, "options": OPTIONS, **changes})


def written(deck: Deck, picture: Callable[[str], bytes] = lambda path: PICTURE) -> Source:
    ((name, data),) = anki_writer.write(deck, picture).files.items()
    return Source(name, data)


def shipped_picture(path: str) -> bytes:
    return (SHIPPED / path).read_bytes()


def assert_same(draft: Draft, one: Question, picture: Callable[[str], bytes]) -> None:
    """Every field of the question came back."""
    assert (draft.stem, draft.short, draft.full) == (one.stem, one.short, one.full)
    assert (draft.slug, draft.category) == (one.slug, one.domain)
    assert (draft.tags, draft.sources, draft.missing) == (one.tags, one.sources, ())
    assert [
        (each.text, each.correct, each.rationale, each.misconception) for each in draft.options
    ] == [(each.text, each.correct, each.rationale, each.misconception) for each in one.options]
    for attachment, image in ((draft.exhibit, one.exhibit), (draft.image, one.image)):
        assert (attachment is None) == (image is None)
        if attachment is not None and image is not None:
            assert attachment.name == Path(image.path).name
            assert attachment.alt == image.alt
            assert attachment.data == picture(image.path)


def test_the_shipped_deck_comes_back_the_same() -> None:
    deck = load_deck(SHIPPED)
    source = written(deck, shipped_picture)
    assert source.name == "nca-aiio.apkg"
    found = reading(source)
    assert (found.problems, found.notes) == ((), ())
    pictures = sum(question.image is not None for question in deck.questions)
    assert sum(draft.image is not None for draft in found.drafts) == pictures
    for draft, one in zip(found.drafts, deck.questions, strict=True):
        assert_same(draft, one, shipped_picture)


@pytest.mark.parametrize(
    "text",
    [
        "<b>bold</b> & <script>alert(1)</script>",
        "[sound:x.mp3] [latex]x[/latex] {{c1::x}} {{Key}}",
        "```python\nx = {'a': 1}\n```\n\n- one\n- two",
        "a < b > c <!-- d --> &amp; &lt;",
        "\\(x\\) {a} \\{b}",
        "tab\there \u2028 and \U0001f600",
        "\"quotes\" 'single' \x1b",
        "![x](https://example.org/x.png)",
    ],
)
def test_any_text_comes_back_as_it_was_written(text: str) -> None:
    one = question(
        stem=text,
        options=(
            Option(text=f"A {text}", correct=True, rationale=text),
            Option(text=f"B {text}", correct=False, rationale=text, misconception=text),
        ),
        short=text,
        full=text,
        image=Image(path="images/x.png", alt=f"Shows {text}"),
        exhibit=Image(path="images/y.png"),
        sources=(text,),
        tags=("two words",),
    )
    (draft,) = reading(written(deck_of(one))).drafts
    assert_same(draft, one, lambda path: PICTURE)


def test_the_same_deck_gives_the_same_bytes() -> None:
    deck = load_deck(SHIPPED)
    assert written(deck, shipped_picture) == written(deck, shipped_picture)


def test_ids_belong_to_names_and_differ_between_decks() -> None:
    one, other = (
        shown(deck_of(question(deck=name)).model_copy(update={"name": name}))
        for name in ("nca-aiio", "other")
    )
    assert one["deck"] != other["deck"]
    assert one["guid"] != other["guid"]
    assert one["note"] != other["note"]
    assert one["model"] == other["model"]


def shown(deck: Deck) -> dict[str, object]:
    """What Anki finds in the package of a deck with one question."""
    database = sqlite3.connect(":memory:")
    with zipfile.ZipFile(io.BytesIO(written(deck).data)) as archive:
        database.deserialize(archive.read("collection.anki2"))
        media = json.loads(archive.read("media"))
    ((note, guid, model, fields, tags),) = database.execute(
        "SELECT id, guid, mid, flds, tags FROM notes"
    ).fetchall()
    ((deck_id,),) = database.execute("SELECT did FROM cards").fetchall()
    ((models, decks),) = database.execute("SELECT models, decks FROM col").fetchall()
    names = [field["name"] for field in json.loads(models)[str(model)]["flds"]]
    return {
        "note": note,
        "guid": guid,
        "model": model,
        "deck": deck_id,
        "title": json.loads(decks)[str(deck_id)]["name"],
        "tags": tags.split(),
        "media": media,
        "template": json.loads(models)[str(model)]["tmpls"][0],
        "css": json.loads(models)[str(model)]["css"],
        **dict(zip(names, fields.split("\x1f"), strict=True)),
    }


def test_a_card_asks_in_front_and_explains_behind() -> None:
    card = shown(
        deck_of(
            question(
                full="{b} only **meows**.",
                short="See {a}.",
                image=Image(path="images/pets.PNG", alt='A "dog" & a cat'),
                tags=("pets", "two words"),
            )
        )
    )
    front = str(card["template"]["qfmt"])  # type: ignore[index]
    assert "{{Key}}" not in front
    assert all(part not in front for part in ("Reasons", "Short", "Full", "Picture", "quizdrop"))
    assert card["Options"] == '<ol type="A"><li><p>dog</p></li><li><p>cat</p></li></ol>'
    assert card["Key"] == "A"
    assert card["Full"] == "<p><strong>B</strong> only <strong>meows</strong>.</p>"
    assert card["Short"] == "<p>See <strong>A</strong>.</p>"
    assert '<li class="right"><b>A</b> <p>It barks.</p></li>' in str(card["Reasons"])
    assert '<span class="misconception">Hears &lt;b&gt;.</span>' in str(card["Reasons"])
    (name,) = card["media"].values()  # type: ignore[attr-defined]
    assert name.startswith("nca-aiio-pets-")
    assert card["Picture"] == f'<img src="{name}" alt="A &quot;dog&quot; &amp; a cat">'
    assert card["tags"] == ["domain::ai-operations", "pets", "two_words"]
    assert ".nightMode" in str(card["css"])


def test_a_card_runs_and_fetches_nothing_that_a_text_brings() -> None:
    text = "<script>x</script> ![i](https://example.org/i.png) [sound:x.mp3] <img src=y>"
    card = shown(deck_of(question(stem=text, full=text)))
    for field in ("Question", "Full"):
        assert "<script" not in str(card[field])
        assert "<img" not in str(card[field])
        assert "[sound:" not in str(card[field])


def test_what_a_package_cannot_hold_is_told() -> None:
    assert anki_writer.write(deck_of(question()), shipped_picture).notes == ()
    (note,) = anki_writer.write(deck_of(question(lint=("x: y",))), shipped_picture).notes
    assert note == "An Anki package holds no expiry dates and no exceptions from lint rules."


def test_a_copy_that_was_spoilt_is_listed() -> None:
    for copied in ("", "{", "[]", '{"slug": 7}', '{"stem": "x"}'):
        (problem,) = reading(package({"Question": "Who?", "quizdrop": copied})).problems
        assert problem.text == "the note's own copy of its question cannot be read"


def test_a_copy_whose_picture_is_gone_is_kept_back() -> None:
    source = written(deck_of(question(image=Image(path="images/x.png", alt="x"))))
    with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
        bare = zipped({"collection.anki2": archive.read("collection.anki2"), "media": b"{}"})
    (draft,) = read([Source("x.apkg", bare)], []).drafts
    assert draft.missing == ("the picture “x.png” is not in the package",)
