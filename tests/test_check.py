"""`quizdrop check` names every fault of every deck; its exit code says whether all is well."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bank.lint import RULES
from bot.cli import main

TOML = """\
title = "Kitchen physics"
description = "Water, heat and air."
language = "en"
licence = "MIT"
blueprint = "2"

[[domains]]
id = "water"
title = "Water"
weight = 100
"""

QUESTION = """\
---
domain: water
---
What floats?

- [x] Ice
  > It is lighter.
- [ ] A stone
  > *Takes wet for light.* It is heavier.

## Short explanation

Ice is a raft.

## Full explanation

{a} floats and {b} sinks.
"""

NO_KEY = QUESTION.replace("- [x]", "- [ ]")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run in, so that no settings file of a developer is read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("QUIZDROP_DECKS", raising=False)
    return tmp_path


def add_deck(root: Path, name: str, **questions: str) -> Path:
    folder = root / name
    (folder / "questions").mkdir(parents=True)
    (folder / "deck.toml").write_text(TOML, encoding="utf-8")
    for slug, text in questions.items():
        (folder / "questions" / f"{slug}.md").write_text(text, encoding="utf-8")
    return folder


def check(*arguments: object, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, arguments)], env=env)


def test_a_deck_without_faults_is_one_line_and_exit_code_0(here: Path) -> None:
    picture = QUESTION.replace("---\nWhat", "image: raft.png\nalt: A raft.\n---\nWhat")
    folder = add_deck(here, "kitchen", ice=QUESTION, cork=picture)
    (folder / "raft.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    result = check(folder)
    assert result.stdout == "✓ kitchen: 2 questions, 1 with a picture\n"
    assert result.stderr == ""
    assert result.exit_code == 0


def test_every_fault_is_a_line_with_file_and_line_and_the_exit_code_is_1(here: Path) -> None:
    folder = add_deck(here, "kitchen", cork=NO_KEY, ice=NO_KEY.replace("water", "fire"))
    result = check(folder)
    assert result.stderr.splitlines() == [
        f"{folder}/questions/cork.md:6: no option is marked “[x]”",
        f"{folder}/questions/ice.md:2: the deck has no domain “fire”; it has water",
        f"{folder}/questions/ice.md:6: no option is marked “[x]”",
    ]
    assert result.stdout == "✗ kitchen: 3 faults\n"
    assert result.exit_code == 1


def test_a_single_fault_is_counted_as_one(here: Path) -> None:
    result = check(add_deck(here, "kitchen", ice=NO_KEY))
    assert result.stdout == "✗ kitchen: 1 fault\n"


def test_a_single_question_is_counted_as_one(here: Path) -> None:
    result = check(add_deck(here, "kitchen", ice=QUESTION))
    assert result.stdout == "✓ kitchen: 1 question, 0 with a picture\n"


def test_one_broken_deck_of_several_is_named_and_the_others_are_checked_too(here: Path) -> None:
    folders = [
        add_deck(here, "attic", ice=QUESTION),
        add_deck(here, "kitchen", ice=NO_KEY),
        add_deck(here, "shed", ice=QUESTION),
    ]
    result = check(*folders)
    assert [line.split(":")[0] for line in result.stdout.splitlines()] == [
        "✓ attic",
        "✗ kitchen",
        "✓ shed",
    ]
    assert len(result.stderr.splitlines()) == 1
    assert result.exit_code == 1


def test_a_folder_of_decks_stands_for_all_of_them(here: Path) -> None:
    add_deck(here / "decks", "shed", ice=QUESTION)
    add_deck(here / "decks", "attic", ice=QUESTION)
    (here / "decks" / "notes").mkdir()
    result = check(here / "decks")
    assert [line.split(":")[0] for line in result.stdout.splitlines()] == ["✓ attic", "✓ shed"]
    assert result.exit_code == 0


@pytest.mark.parametrize("name", ["empty", "nowhere", "file"])
def test_a_path_that_is_no_deck_is_told_in_one_sentence(here: Path, name: str) -> None:
    (here / "empty").mkdir()
    (here / "file").write_text("a file")
    result = check(here / name)
    assert result.stderr == (
        f"There is no deck in {here / name}: a deck is a folder with a deck.toml.\n"
    )
    assert result.stdout == ""
    assert result.exit_code == 1


@pytest.mark.parametrize(("inside", "path"), [("", "."), ("questions", "..")])
def test_the_folder_that_one_stands_in_is_checked_by_its_name(
    here: Path, monkeypatch: pytest.MonkeyPatch, inside: str, path: str
) -> None:
    folder = add_deck(here, "kitchen", ice=QUESTION)
    monkeypatch.chdir(folder / inside)
    result = check(path)
    assert result.stderr == ""
    assert result.stdout.startswith("✓ kitchen: ")


def decks_in(told: str) -> list[str]:
    """Each deck that was checked, with the sign that says how."""
    return [line.partition(":")[0] for line in told.splitlines() if line[0] in "✓✗"]


def test_without_a_path_the_shipped_decks_and_ones_own_are_checked(here: Path) -> None:
    add_deck(here / "own", "kitchen", ice=NO_KEY)
    result = check(env={"QUIZDROP_DECKS": str(here / "own")})
    assert decks_in(result.stdout) == ["✓ nca-aiio", "✓ python-basics", "✗ kitchen"]
    assert result.exit_code == 1


def test_a_deck_of_ones_own_is_checked_instead_of_a_shipped_one_of_its_name(here: Path) -> None:
    add_deck(here / "own", "nca-aiio", ice=QUESTION)
    result = check(env={"QUIZDROP_DECKS": str(here / "own")})
    assert decks_in(result.stdout) == ["✓ nca-aiio", "✓ python-basics"]
    assert result.stdout.startswith("✓ nca-aiio: 1 question")


def test_a_setting_that_cannot_be_used_is_told_in_one_sentence() -> None:
    result = check(env={"QUIZDROP_GRACE_MINUTES": "soon"})
    assert result.stderr.startswith("The setting QUIZDROP_GRACE_MINUTES cannot be used: ")
    assert len(result.stderr.splitlines()) == 1
    assert result.exit_code == 1


def test_it_runs_as_a_program_with_its_exit_code(here: Path) -> None:
    fine = add_deck(here, "attic", ice=QUESTION)
    broken = add_deck(here, "kitchen", ice=NO_KEY)
    command = [sys.executable, "-m", "bot", "check"]
    repository = Path(__file__).parents[1]

    def run(*folders: Path) -> subprocess.CompletedProcess[str]:
        arguments = [*command, *map(str, folders)]
        return subprocess.run(
            arguments, cwd=repository, capture_output=True, encoding="utf-8", check=False
        )

    first, second = run(fine), run(fine, broken)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.startswith("✓ attic: ")
    assert second.returncode == 1
    assert second.stdout.splitlines()[1:] == ["✗ kitchen: 1 fault"]
    assert second.stderr.startswith(f"{broken}/questions/ice.md:6: ")


def test_a_loaded_deck_is_checked_by_its_name_from_anywhere() -> None:
    result = check("nca-aiio")
    assert result.stdout.startswith("✓ nca-aiio: ")
    assert result.exit_code == 0


# --lint and --rules

GOOD = """\
---
domain: water
sources: ["https://example.org/ice"]
---
What floats on water?

- [x] A lump of ice
  > It is lighter.
- [ ] A lump of salt
  > *Takes wet for light.* It is heavier.

## Short explanation

Ice is a raft.

## Full explanation

{a} floats and {b} sinks.
"""


def test_a_deck_that_passes_lint_is_one_line_and_exit_code_0(here: Path) -> None:
    result = check("--lint", add_deck(here, "kitchen", ice=GOOD))
    assert result.stdout == "✓ kitchen: 1 question, 0 with a picture\n"
    assert (result.stderr, result.exit_code) == ("", 0)


def test_every_finding_is_a_line_with_file_line_severity_and_rule(here: Path) -> None:
    bad = re.sub("sources: .*\n", "", GOOD).replace("{b} sinks.", "{b} is right.")
    folder = add_deck(here, "kitchen", ice=bad)
    result = check("--lint", folder)
    assert result.stderr.splitlines() == [
        f"{folder}/questions/ice.md:1: warning no-source: "
        "no source is named: say where its facts can be read",
        f"{folder}/questions/ice.md:15: error contradicted-key: "
        "the text calls {b} right, but the key is {a}",
    ]
    assert result.stdout == "✗ kitchen: 1 question, 0 with a picture, 1 error, 1 warning\n"
    assert result.exit_code == 1


def test_a_warning_fails_and_a_note_does_not(here: Path) -> None:
    warned = add_deck(here, "attic", ice=GOOD.replace("What floats", "What does not float"))
    noted = add_deck(here, "kitchen", ice=GOOD.replace("*Takes wet for light.* ", ""))
    assert check("--lint", warned).exit_code == 1
    result = check("--lint", noted)
    assert result.stdout == "✓ kitchen: 1 question, 0 with a picture, 1 note\n"
    assert result.stderr.startswith(f"{noted}/questions/ice.md:9: note no-misconception: ")
    assert result.exit_code == 0


def test_without_lint_only_faults_are_told(here: Path) -> None:
    result = check(add_deck(here, "attic", ice=GOOD.replace("What floats", "What does not float")))
    assert (result.stderr, result.exit_code) == ("", 0)


def test_faults_come_before_lint(here: Path) -> None:
    result = check("--lint", add_deck(here, "kitchen", ice=NO_KEY))
    assert result.stdout == "✗ kitchen: 1 fault, to be mended before lint can judge it\n"
    assert result.exit_code == 1


def test_a_waiver_in_deck_toml_is_read(here: Path) -> None:
    folder = add_deck(here, "kitchen", ice=GOOD.replace("What floats", "What does not float"))
    (folder / "deck.toml").write_text('lint = ["negative-stem: so does the exam"]\n' + TOML)
    assert check("--lint", folder).exit_code == 0


def test_what_has_expired_is_judged_by_the_day_of_the_check(here: Path) -> None:
    dated = GOOD.replace("domain: water", "domain: water\nexpires: 2020-01-31")
    result = check("--lint", add_deck(here, "kitchen", ice=dated))
    assert "ice.md:3: warning expired: it expired on 2020-01-31" in result.stderr
    ahead = add_deck(here, "attic", ice=dated.replace("2020", "2999"))
    assert check("--lint", ahead).exit_code == 0


def test_the_shipped_decks_pass_lint() -> None:
    result = check("--lint", Path(__file__).parents[1] / "data")
    assert result.stdout.startswith("✓ nca-aiio: ")
    assert result.exit_code == 0


def test_every_rule_is_listed_in_a_line_with_severity_sentence_and_source() -> None:
    lines = check("--rules").stdout.splitlines()
    listed = lines[: lines.index("")]
    assert [line.split()[:2] for line in listed] == [[rule.id, rule.severity] for rule in RULES]
    ends = [f"{rule.sentence} ({rule.source})" for rule in RULES]
    assert all(line.endswith(end) for line, end in zip(listed, ends, strict=True))
    assert "Haladyna" in lines[-2]
