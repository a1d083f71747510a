"""A deck folder on disk: what it becomes, and that every fault has its file and its line."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest

from bank.decks import check_deck, deck_folders, load_deck
from bank.errors import DeckFaults
from bank.models import Domain, Image, digest_of

TOML = """\
title = "Kitchen physics"
description = "Water, heat and air."
language = "en"
licence = "MIT"
blueprint = "2"

[[domains]]
id = "water"
title = "Water"
weight = 62.5

[[domains]]
id = "heat"
title = "Heat and air"
weight = 37.5
"""

QUESTION = """\
---
domain: water
---
What floats?

- [x] Ice
  > It is lighter than the water it displaces.
- [ ] A stone
  > *Takes wet for light.* It is heavier.

## Short explanation

Ice is a raft.

## Full explanation

{a} floats and {b} sinks.
"""

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A deck folder without faults, with one question."""
    folder = tmp_path / "kitchen"
    (folder / "questions").mkdir(parents=True)
    (folder / "images").mkdir()
    (folder / "deck.toml").write_text(TOML, encoding="utf-8")
    (folder / "questions" / "floats.md").write_text(QUESTION, encoding="utf-8")
    return folder


def write(folder: Path, text: str | bytes, name: str = "questions/floats.md") -> None:
    data = text.encode() if isinstance(text, str) else text
    (folder / name).write_bytes(data)


def faults(folder: Path) -> list[str]:
    """Every fault as `file:line: text`, the file as seen from the deck's folder."""
    deck, found = check_deck(folder)
    assert (deck is None) == bool(found)
    return [f"{fault.file.relative_to(folder)}:{fault.line}: {fault.text}" for fault in found]


def with_front(*entries: str) -> str:
    """QUESTION with more entries in its front matter; the first stands on line 3."""
    return QUESTION.replace("domain: water\n", "\n".join(["domain: water", *entries, ""]))


def with_options(*options: str) -> str:
    """QUESTION with these options, each with a rationale; the first stands on line 6."""
    start, end = QUESTION.index("- [x]"), QUESTION.index("\n## Short")
    written = "".join(f"- {option}\n  > Why.\n" for option in options)
    return f"{QUESTION[:start]}{written}{QUESTION[end:]}"


# What a folder becomes


def test_a_folder_becomes_a_deck(folder: Path) -> None:
    deck = load_deck(folder)
    assert (deck.name, deck.title, deck.language) == ("kitchen", "Kitchen physics", "en")
    assert (deck.description, deck.licence, deck.blueprint) == ("Water, heat and air.", "MIT", "2")
    assert deck.domains == (
        Domain(id="water", title="Water", weight=62.5),
        Domain(id="heat", title="Heat and air", weight=37.5),
    )
    assert [question.id for question in deck.questions] == ["kitchen/floats"]


def test_a_question_takes_everything_from_its_file(folder: Path) -> None:
    write(folder, PNG, "images/raft.png")
    front = ["image: images/raft.png", "alt: A raft: it floats.", "tags: [ice, yes]"]
    write(folder, with_front(*front, 'sources: ["https://example.org/ice"]'))
    (question,) = load_deck(folder).questions
    assert question.domain == "water"
    assert question.stem == "What floats?"
    assert [option.correct for option in question.options] == [True, False]
    assert question.options[1].misconception == "Takes wet for light"
    assert question.image == Image(
        path="images/raft.png", alt="A raft: it floats.", digest=digest_of(PNG)
    )
    assert question.tags == ("ice", "yes")
    assert question.sources == ("https://example.org/ice",)
    assert question.short == "Ice is a raft."
    assert question.full == "{a} floats and {b} sinks."


def test_questions_come_in_the_order_of_their_names(folder: Path) -> None:
    for slug in ("zeta", "alpha", "kettle-2"):
        write(folder, QUESTION, f"questions/{slug}.md")
    slugs = [question.slug for question in load_deck(folder).questions]
    assert slugs == ["alpha", "floats", "kettle-2", "zeta"]


def test_other_files_beside_the_questions_are_left_alone(folder: Path) -> None:
    write(folder, "notes", "questions/notes.txt")
    write(folder, "notes", "README.md")
    assert len(load_deck(folder).questions) == 1


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["no mark", "byte order mark"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["unix", "windows"])
def test_line_ends_and_a_byte_order_mark_make_no_difference(
    folder: Path, mark: bytes, end: bytes
) -> None:
    plain = load_deck(folder)
    write(folder, mark + QUESTION.encode().replace(b"\n", end))
    write(folder, mark + TOML.encode().replace(b"\n", end), "deck.toml")
    assert load_deck(folder) == plain


def test_a_deck_without_a_questions_folder_has_no_questions_and_no_fault(folder: Path) -> None:
    (folder / "questions" / "floats.md").unlink()
    assert load_deck(folder).questions == ()
    (folder / "questions").rmdir()
    assert load_deck(folder).questions == ()
    write(folder, "no folder", "questions")
    assert load_deck(folder).questions == ()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_deck_with_an_unreadable_questions_folder_has_no_questions_and_no_fault(
    folder: Path,
) -> None:
    (folder / "questions").chmod(0)
    try:
        assert load_deck(folder).questions == ()
    finally:
        (folder / "questions").chmod(0o755)


def test_folders_with_a_deck_file_are_decks_in_the_order_of_their_names(folder: Path) -> None:
    root = folder.parent
    for name in ("garden", "attic", "no-deck"):
        (root / name).mkdir()
    for name in ("garden", "attic"):
        write(root / name, TOML, "deck.toml")
    write(root, "a file", "file")
    assert [found.name for found in deck_folders([root])] == ["attic", "garden", "kitchen"]


def test_a_deck_of_a_later_root_replaces_one_of_the_same_name(folder: Path) -> None:
    other = folder.parent / "own" / "kitchen"
    other.mkdir(parents=True)
    write(other, TOML, "deck.toml")
    assert deck_folders([folder.parent, other.parent]) == [other]
    assert deck_folders([other.parent, folder.parent]) == [folder]


def test_a_root_that_does_not_exist_holds_no_decks(tmp_path: Path) -> None:
    assert deck_folders([tmp_path / "nowhere"]) == []


# Faults of deck.toml


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('licence = "MIT"', "licence = MIT", 4),
        ('blueprint = "2"', 'blueprint = "2"\ntitle = "Again"', 6),
        ("weight = 37.5", 'weight = "37.5', 15),
        ("weight = 37.5\n", "weight = [", 15),
    ],
)
def test_a_deck_file_that_is_no_toml_is_a_fault_on_its_line(
    folder: Path, old: str, new: str, line: int
) -> None:
    write(folder, TOML.replace(old, new), "deck.toml")
    (fault,) = faults(folder)
    assert fault.startswith(f"deck.toml:{line}: not valid TOML: ")


def test_a_deck_file_that_is_missing_is_a_fault(folder: Path) -> None:
    (folder / "deck.toml").unlink()
    (fault,) = faults(folder)
    assert fault.startswith("deck.toml:1: the file cannot be read")


@pytest.mark.parametrize("key", ["title", "description", "language", "licence", "blueprint"])
def test_a_missing_key_is_a_fault(folder: Path, key: str) -> None:
    start = TOML.index(f"{key} = ")
    write(folder, TOML[:start] + TOML[TOML.index("\n", start) + 1 :], "deck.toml")
    assert faults(folder) == [f"deck.toml:1: “{key}” is missing or no text"]


@pytest.mark.parametrize("value", ["2", '" "', "true", '["2"]', "2026-01-01"])
def test_a_key_that_is_no_text_is_a_fault_on_its_line(folder: Path, value: str) -> None:
    write(folder, TOML.replace('blueprint = "2"', f"blueprint = {value}"), "deck.toml")
    assert faults(folder) == ["deck.toml:5: “blueprint” is missing or no text"]


def test_an_unknown_key_is_a_fault_on_its_line(folder: Path) -> None:
    text = TOML.replace('licence = "MIT"', 'licence = "MIT"\nlicense = "MIT"')
    write(folder, text, "deck.toml")
    assert faults(folder) == ["deck.toml:5: unknown key “license”"]


@pytest.mark.parametrize("domains", ["", "domains = []\n", "domains = 3\n", 'domains = "water"\n'])
def test_a_deck_without_domains_is_a_fault_and_its_questions_get_no_more(
    folder: Path, domains: str
) -> None:
    write(folder, domains + TOML[: TOML.index("[[domains]]")], "deck.toml")
    text = "no domains: add a [[domains]] table with id, title, weight"
    assert faults(folder) == [f"deck.toml:1: {text}"]


def test_an_empty_deck_file_is_told_all_that_it_lacks(folder: Path) -> None:
    write(folder, "", "deck.toml")
    found = faults(folder)
    assert len(found) == 6
    assert found[-1] == "deck.toml:1: no domains: add a [[domains]] table with id, title, weight"


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('id = "heat"', 'id = "Heat and air"', "the domain's id is written in lower case"),
        ('id = "heat"\n', "", "the domain has no id"),
        ('title = "Heat and air"', 'title = ""', "title"),
        ("weight = 37.5", "weight = 0", "weight"),
        ("weight = 37.5", "weight = 101", "weight"),
        ("weight = 37.5", "weight = nan", "weight"),
        ("weight = 37.5", 'weight = "a third"', "weight"),
        ("weight = 37.5", 'weight = 37.5\ncolour = "red"', "unknown key “colour” in a domain"),
    ],
)
def test_a_fault_in_a_domain_stands_on_the_line_of_its_table(
    folder: Path, old: str, new: str, named: str
) -> None:
    write(folder, TOML.replace(old, new), "deck.toml")
    (fault,) = faults(folder)
    assert fault.startswith("deck.toml:12: ")
    assert named in fault
    assert "pattern" not in fault


def test_a_domain_that_stands_twice_is_a_fault_on_the_second(folder: Path) -> None:
    write(folder, TOML.replace('id = "heat"', 'id = "water"'), "deck.toml")
    assert faults(folder) == ["deck.toml:12: the domain “water” stands twice"]


@pytest.mark.parametrize(("weight", "total"), [("27.5", "90"), ("38", "100.5"), ("37.4", "99.9")])
def test_weights_that_do_not_add_up_to_100_are_a_fault(
    folder: Path, weight: str, total: str
) -> None:
    write(folder, TOML.replace("37.5", weight), "deck.toml")
    assert faults(folder) == [f"deck.toml:1: the weights of the domains add up to {total}, not 100"]


def test_weights_with_decimals_may_add_up_to_100(folder: Path) -> None:
    third = '[[domains]]\nid = "air"\ntitle = "Air"\nweight = 2.01\n'
    text = TOML.replace("62.5", "32.84").replace("37.5", "65.15") + third
    write(folder, text, "deck.toml")  # as floats these are a little more than 100
    assert faults(folder) == []


@pytest.mark.parametrize("name", ["Kitchen", "kitchen_1", "my kitchen", "a--b", "-a", "küche"])
def test_a_folder_with_a_bad_name_is_one_fault_and_not_one_for_each_question(
    folder: Path, name: str
) -> None:
    renamed = folder.rename(folder.parent / name)
    (fault,) = faults(renamed)
    assert fault.startswith(
        "deck.toml:1: a deck's folder is named in lower case, digits and single hyphens"
    )


@pytest.mark.parametrize("questions", [0, 1])
def test_a_folder_name_of_more_than_40_characters_is_a_fault(folder: Path, questions: int) -> None:
    if not questions:
        (folder / "questions" / "floats.md").unlink()
    assert faults(folder.rename(folder.parent / ("a" * 40))) == []
    (fault,) = faults((folder.parent / ("a" * 40)).rename(folder.parent / ("a" * 41)))
    assert fault.startswith("deck.toml:1: a deck's folder is named")


# Faults of questions


@pytest.mark.parametrize("name", ["Floats", "floats_1", "it floats", "a--b", "flöße", "a" * 41])
def test_a_question_file_with_a_bad_name_is_a_fault(folder: Path, name: str) -> None:
    write(folder, QUESTION, f"questions/{name}.md")
    (fault,) = faults(folder)
    assert fault.startswith(f"questions/{name}.md:1: a question's file is named in lower case")


def test_a_fault_of_the_question_file_keeps_its_line(folder: Path) -> None:
    write(folder, QUESTION.replace("{b} sinks", "{c} sinks"))
    assert faults(folder) == ["questions/floats.md:15: {c} points at no option of this question"]


def test_a_domain_that_the_deck_does_not_have_is_a_fault_on_its_line(folder: Path) -> None:
    write(folder, QUESTION.replace("domain: water", "tags: [ice]\ndomain: fire"))
    text = "the deck has no domain “fire”; it has heat, water"
    assert faults(folder) == [f"questions/floats.md:3: {text}"]


@pytest.mark.parametrize("entry", ["", "domain:\n", 'domain: ""\n'])
def test_a_missing_domain_is_a_fault(folder: Path, entry: str) -> None:
    write(folder, QUESTION.replace("domain: water\n", entry))
    (fault,) = faults(folder)
    assert fault.endswith(": “domain” is missing in the front matter")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["[ ] Ice", "[ ] Cork"], "no option is marked “[x]”"),
        (
            ["[x] Ice", "[X] Cork"],
            "every option is marked “[x]”, so there is nothing to choose",
        ),
        (["[x] Ice"], "a question has 2 to 8 options, this one has 1"),
        (
            ["[x] Ice", *(f"[ ] Stone {number}" for number in range(8))],
            "a question has 2 to 8 options, this one has 9",
        ),
    ],
)
def test_too_few_or_too_many_options_or_keys_are_a_fault_on_the_first_option(
    folder: Path, options: list[str], text: str
) -> None:
    write(folder, with_options(*options).replace("{a}", "It").replace("{b}", "It"))
    assert faults(folder) == [f"questions/floats.md:6: {text}"]


def test_two_and_eight_options_are_enough_and_not_too_many(folder: Path) -> None:
    for count in (2, 8):
        options = [f"[ ] Stone {number}" for number in range(1, count)]
        write(folder, with_options("[x] Ice", *options))
        assert faults(folder) == []


def test_several_keys_make_a_question_that_asks_for_so_many(folder: Path) -> None:
    write(folder, with_options("[x] Ice", "[ ] A stone", "[X] Cork"))
    (question,) = load_deck(folder).questions
    assert question.keys == (0, 2)


def test_two_options_that_say_the_same_are_a_fault(folder: Path) -> None:
    write(folder, with_options("[x] Ice", "[ ] A stone", "[ ] A STONE"))
    (fault,) = faults(folder)
    assert "two options say the same" in fault


def test_a_fault_beside_the_options_hides_no_fault_of_theirs(folder: Path) -> None:
    text = with_options("[ ] Ice", "[ ] Cork").replace("{b} sinks", "{d} sinks")
    write(folder, text.replace("## Short", "Some words.\n\n## Short"))
    assert [fault.split(":")[1] for fault in faults(folder)] == ["6", "11", "17"]


def test_an_option_that_cannot_be_read_makes_no_fault_of_the_count(folder: Path) -> None:
    write(folder, with_options("[ ] A stone", "Ice"))
    (fault,) = faults(folder)
    assert fault.startswith("questions/floats.md:8: an option begins with")


def test_a_file_whose_front_matter_is_never_closed_has_that_fault_alone(folder: Path) -> None:
    write(folder, QUESTION.replace("---\nWhat", "What"))
    (fault,) = faults(folder)
    assert fault.startswith("questions/floats.md:1: the front matter is never closed")


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["unix", "windows"])
@pytest.mark.parametrize(
    ("name", "old", "line"),
    [("questions/floats.md", b"raft", 13), ("deck.toml", b"Heat", 14)],
)
def test_text_that_is_not_utf_8_is_a_fault_on_its_line(
    folder: Path, end: bytes, name: str, old: bytes, line: int
) -> None:
    data = (folder / name).read_bytes()
    assert data.count(old) == 1
    write(folder, data.replace(old, b"caf\xe9").replace(b"\n", end), name)
    text = "this line is not UTF-8 text: save the file as UTF-8"
    assert faults(folder) == [f"{name}:{line}: {text}"]


def test_a_folder_where_a_question_should_be_is_a_fault(folder: Path) -> None:
    (folder / "questions" / "stone.md").mkdir()
    (fault,) = faults(folder)
    assert fault.startswith("questions/stone.md:1: the file cannot be read")


@pytest.mark.parametrize(
    ("old", "new", "longest", "what", "line"),
    [
        ("What floats?", "{}", 2400 - len("Ice") - len("A stone"), "stem and options together", 4),
        ("] A stone", "] {}", 600, "an option", 8),
        ("It is heavier.", "{}", 600, "a rationale", 8),
        ("It is lighter than the water it displaces.", "{}", 600, "a rationale", 6),
        ("Ice is a raft.", "{}", 1000, "the short explanation", 11),
    ],
)
def test_a_text_that_is_too_long_is_a_fault_on_the_line_where_it_begins(
    folder: Path, old: str, new: str, longest: int, what: str, line: int
) -> None:
    assert QUESTION.count(old) == 1
    write(folder, QUESTION.replace(old, new.format("a" * longest)))
    assert faults(folder) == []
    write(folder, QUESTION.replace(old, new.format("a" * (longest + 1))))
    (fault,) = faults(folder)
    assert fault.startswith(f"questions/floats.md:{line}: {what} may have ")


# Faults of images


def test_an_exhibit_and_a_date_and_a_waiver_are_read(folder: Path) -> None:
    write(folder, PNG, "images/raft.png")
    front = "exhibit: images/raft.png", "exhibit-alt: A raft", "expires: 2027-06-30"
    write(folder, with_front("\n".join([*front, 'lint: ["cue: the raft is the answer"]'])))
    question = load_deck(folder).questions[0]
    assert question.exhibit == Image(path="images/raft.png", alt="A raft", digest=digest_of(PNG))
    assert question.expires == date(2027, 6, 30)
    assert question.lint == ("cue: the raft is the answer",)


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("exhibit: images/none.png", "the exhibit “images/none.png” does not exist"),
        ("expires: soon", "“expires” is a date such as 2027-06-30; here it is “soon”"),
        ("lint: [cue]", '“cue” gives no reason: write "rule: why it may be so here"'),
    ],
)
def test_an_exhibit_a_date_or_a_waiver_that_cannot_be_used_is_a_fault(
    folder: Path, entry: str, fault: str
) -> None:
    write(folder, with_front(entry))
    assert faults(folder) == [f"questions/floats.md:3: {fault}"]


def test_a_deck_may_waive_a_rule_of_lint_with_a_reason(folder: Path) -> None:
    toml = folder / "deck.toml"
    toml.write_text('lint = ["cue: so is the exam"]\n' + toml.read_text())
    assert load_deck(folder).lint == ("cue: so is the exam",)


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ('lint = ["cue"]', '“cue” gives no reason: write "rule: why it may be so here"'),
        ('lint = "cue: so is the exam"', "“lint” is a list of texts"),
        ("lint = [1]", "“lint” is a list of texts"),
    ],
)
def test_a_waiver_of_a_deck_that_cannot_be_used_is_a_fault(
    folder: Path, entry: str, fault: str
) -> None:
    toml = folder / "deck.toml"
    toml.write_text(f"{entry}\n{toml.read_text()}")
    assert faults(folder) == [f"deck.toml:1: {fault}"]


def test_an_alt_text_without_an_image_is_a_fault(folder: Path) -> None:
    write(folder, with_front("alt: A raft."))
    assert faults(folder) == [
        "questions/floats.md:3: there is an alt text but no image: add “image: …” or remove it"
    ]


@pytest.mark.parametrize("name", ["images/none.png", "images", "images/raft.png/x", "a" * 300])
def test_an_image_that_does_not_exist_is_a_fault(folder: Path, name: str) -> None:
    write(folder, PNG, "images/raft.png")
    write(folder, with_front("tags: [ice]", f"image: {name}", "alt: A raft."))
    assert faults(folder) == [f"questions/floats.md:4: the image “{name}” does not exist"]


def test_an_alt_text_longer_than_discord_takes_is_a_fault(folder: Path) -> None:
    write(folder, PNG, "images/raft.png")
    write(folder, with_front("image: images/raft.png", f"alt: {'a' * 500}"))
    assert faults(folder) == []
    write(folder, with_front("image: images/raft.png", f"alt: {'a' * 501}"))
    text = "an alt text may have 500 characters; here it is 501"
    assert faults(folder) == [f"questions/floats.md:4: {text}"]


def test_a_character_that_nobody_sees_is_a_fault_wherever_it_stands(folder: Path) -> None:
    lines = QUESTION.splitlines()
    for place, line in enumerate(lines):
        if line.strip("- "):
            hidden = [*lines[:place], f"{line}\u202e", *lines[place + 1 :]]
            write(folder, "\n".join(hidden))
            name = "U+202E RIGHT-TO-LEFT OVERRIDE"
            text = f"{name} cannot be seen here and misleads: take it out"
            assert f"questions/floats.md:{place + 1}: {text}" in faults(folder)


@pytest.mark.parametrize("written", ["\u200b", "\\u200B"])
def test_a_character_that_nobody_sees_is_a_fault_in_the_deck_file_too(
    folder: Path, written: str
) -> None:
    assert TOML.count('title = "') > 1
    for place, line in enumerate(TOML.splitlines(), start=1):
        if line.startswith('title = "'):
            write(folder, TOML.replace(line, f'{line[:-1]}{written}"'), "deck.toml")
            (fault,) = faults(folder)
            assert "U+200B ZERO WIDTH SPACE cannot be seen here" in fault
            assert int(fault.split(":")[1]) <= place


def test_an_image_name_that_no_file_can_have_is_a_fault(folder: Path) -> None:
    write(folder, with_front("image: images/a\0.png", "alt: A raft."))
    unseen, fault = faults(folder)
    assert unseen.startswith("questions/floats.md:3: U+0000 CONTROL CHARACTER cannot be seen")
    assert fault.startswith("questions/floats.md:3: the image")


@pytest.mark.parametrize("name", ["../secret.png", "images/../../secret.png", "/etc/hostname"])
def test_an_image_outside_the_folder_is_a_fault_even_where_it_exists(
    folder: Path, name: str
) -> None:
    write(folder.parent, PNG, "secret.png")
    write(folder, with_front(f"image: {name}", "alt: A raft."))
    text = f"the image “{name}” lies outside the deck's folder"
    assert faults(folder) == [f"questions/floats.md:3: {text}"]


def test_a_link_that_leads_out_of_the_folder_is_a_fault(folder: Path) -> None:
    write(folder.parent, PNG, "secret.png")
    (folder / "images" / "raft.png").symlink_to(folder.parent / "secret.png")
    write(folder, with_front("image: images/raft.png", "alt: A raft."))
    (fault,) = faults(folder)
    assert "lies outside the deck's folder" in fault


def test_a_link_that_leads_to_itself_is_a_fault(folder: Path) -> None:
    (folder / "images" / "raft.png").symlink_to(folder / "images" / "raft.png")
    write(folder, with_front("image: images/raft.png", "alt: A raft."))
    (fault,) = faults(folder)
    assert fault.startswith("questions/floats.md:3: the image")


@pytest.mark.parametrize("data", [PNG, b"\xff\xd8\xff\xe0", b"GIF89a", b"RIFF\x08\0\0\0WEBPVP8 "])
def test_pictures_are_known_by_their_content(folder: Path, data: bytes) -> None:
    write(folder, data, "images/raft")
    write(folder, with_front("image: images/raft", "alt: A raft."))
    assert faults(folder) == []


@pytest.mark.parametrize(
    "data", [b"", b"a text", b"<svg/>", b"%PDF-1.7", b"RIFF\x08\0\0\0WAVEfmt ", PNG[:4]]
)
def test_a_file_that_is_no_picture_by_content_is_a_fault(folder: Path, data: bytes) -> None:
    write(folder, data, "images/raft.png")
    write(folder, with_front("image: images/raft.png", "alt: A raft."))
    text = "the image “images/raft.png” is no PNG, JPEG, GIF or WebP picture"
    assert faults(folder) == [f"questions/floats.md:3: {text}"]


def test_an_image_of_more_than_8_mb_is_a_fault(folder: Path) -> None:
    write(folder, with_front("image: images/raft.png", "alt: A raft."))
    write(folder, PNG.ljust(8 * 2**20, b"\0"), "images/raft.png")
    assert faults(folder) == []
    write(folder, PNG.ljust(8 * 2**20 + 1, b"\0"), "images/raft.png")
    text = "the image “images/raft.png” is larger than 8 MB"
    assert faults(folder) == [f"questions/floats.md:3: {text}"]


def test_a_list_where_one_text_is_meant_is_a_fault_and_never_a_lost_image(folder: Path) -> None:
    write(folder, PNG, "images/raft.png")
    write(folder, with_front("image: [images/raft.png]", "alt: [raft]"))
    assert [fault.split(":")[1] for fault in faults(folder)] == ["3", "4"]


# All at once


def test_all_faults_of_all_files_are_reported_at_once_in_order(folder: Path) -> None:
    write(folder, TOML.replace('language = "en"', "language = 1"), "deck.toml")
    write(folder, QUESTION.replace("What floats?", ""), "questions/a-stem.md")
    write(folder, b"---\n\xff", "questions/b-bytes.md")
    write(folder, with_front("alt: A raft.").replace("- [x]", "- [ ]"), "questions/c-two.md")
    write(folder, QUESTION.replace("water\n", "fire\n"), "questions/d-domain.md")
    found = [fault.partition(": ")[0] for fault in faults(folder)]
    assert found == [
        "deck.toml:3",
        "questions/a-stem.md:4",
        "questions/b-bytes.md:2",
        "questions/c-two.md:3",
        "questions/c-two.md:7",
        "questions/d-domain.md:2",
    ]


def test_a_deck_with_faults_is_refused_in_one_sentence_that_says_where_to_read_them(
    folder: Path,
) -> None:
    write(folder, with_options("[ ] Ice", "[ ] Ice"))
    with pytest.raises(DeckFaults) as refusal:
        load_deck(folder)
    assert len(refusal.value.faults) == 2
    assert refusal.value.sentence == (
        "The deck “kitchen” has 2 faults; “quizdrop check” lists them."
    )


def test_a_single_fault_is_counted_as_one(folder: Path) -> None:
    write(folder, with_options("[ ] Ice", "[ ] Cork"))
    with pytest.raises(DeckFaults, match="has 1 fault;"):
        load_deck(folder)


def test_a_question_has_a_new_version_with_each_new_text_and_none_for_a_line_break(
    folder: Path,
) -> None:
    def version() -> str:
        return load_deck(folder).questions[0].version

    first = version()
    write(folder, QUESTION.replace("Ice is a raft.", "Ice is\na raft."))
    assert version() == first
    write(folder, QUESTION.replace("Ice is a raft.", "Ice is a boat."))
    assert version() != first
