"""Who may import whom, read from the sources: the core stays pure, and bot/ has one door to it.

A row of a table is a decision. A new import fails here until somebody has written it down.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent
BANK = sorted((REPOSITORY / "bank").rglob("*.py"))
BOT = sorted((REPOSITORY / "bot").rglob("*.py"))

FOUNDATION = {"bank.models", "bank.errors"}
FORMATS = {*FOUNDATION, "bank.invisible", "bank.letters", "bank.prose.*", "bank.formats.*"}

# What each module of the core may import of ours. “.*” stands for a package and all inside it.
MAY_IMPORT: dict[str, set[str]] = {
    "bank": set(),
    "bank.models": set(),
    "bank.errors": set(),
    # pure
    "bank.invisible": set(),
    "bank.letters": FOUNDATION,
    "bank.prose.*": FOUNDATION | {"bank.letters", "bank.prose.*"},
    "bank.slots": FOUNDATION,
    "bank.streaks": FOUNDATION,
    "bank.draw": FOUNDATION,
    "bank.stock": FOUNDATION | {"bank.slots"},
    # files and rows
    "bank.formats.*": FORMATS,
    "bank.lint.*": FORMATS | {"bank.prose.*", "bank.lint.*"},
    "bank.decks": FOUNDATION | FORMATS | {"bank.invisible"},
    "bank.store.*": FOUNDATION | {"bank.store.*"},
    "bank.importing.*": FOUNDATION | FORMATS | {"bank.decks", "bank.importing.*", "bank.lint.*"},
    "bank.exporting": FOUNDATION | FORMATS,
    # what puts it together
    "bank.library": {"bank.*"},
    "bank.tutor.*": {"bank.*"},
}

# The libraries that the core may use, and the parts of Python that it must not: no clock, no
# network, no event loop, no threads or processes, and no randomness but a seeded Random.
CORE_LIBRARIES = {
    "PIL",
    "defusedxml",
    "genanki",
    "markdown_it",
    "openpyxl",
    "pydantic",
    "pydantic_core",
    "rapidfuzz",
    "sqlite_utils",
    "zstandard",
}
NOT_IN_THE_CORE = {
    "asyncio",
    "concurrent",
    "ftplib",
    "http",
    "imaplib",
    "multiprocessing",
    "poplib",
    "sched",
    "secrets",
    "select",
    "selectors",
    "smtplib",
    "socket",
    "socketserver",
    "ssl",
    "subprocess",
    "threading",
    "time",
    "urllib",
    "uuid",
    "xmlrpc",
}
# An Anki package is a database of its own, which has nothing to do with ours.
SQL_OF_OTHERS = {"bank.formats.anki.package"}
CLOCKS = {"now", "utcnow", "today"}

# What each module of bot/ may import of the core; one that is not here imports nothing of it.
DOOR = {"bank.tutor", "bank.models", "bank.errors"}
# A second door is for files: decks on disk and what is wrong with them, questions in and out.
FILES = {
    "bank.decks",
    "bank.exporting",
    "bank.formats.reading",
    "bank.formats.titles",
    "bank.formats.writing",
    "bank.importing.bring",
    "bank.importing.report",
    "bank.lint",
}
CARRIES_FILES = {"bot.cards.decks", "bot.cli.*", "bot.commands.deck", "bot.taking", "bot.uploads"}
BOT_IMPORTS: dict[str, set[str]] = {
    "bot.admins": {"bank.models"},
    "bot.buttons": {"bank.models"},
    "bot.cards.answer": {"bank.models", "bank.tutor"},
    "bot.cards.boards": {"bank.models"},
    "bot.cards.decks": {"bank.formats.writing", "bank.importing.report"},
    "bot.cards.drop": {"bank.models", "bank.tutor"},
    "bot.cards.explain": {"bank.models", "bank.tutor"},
    "bot.cards.layout": {"bank.tutor"},
    "bot.cards.reports": {"bank.models", "bank.tutor"},
    "bot.cards.text": {"bank.models", "bank.tutor"},
    "bot.cards.why": {"bank.models"},
    "bot.cli.bringing": {
        "bank.decks",
        "bank.errors",
        "bank.exporting",
        "bank.formats.titles",
        "bank.importing.bring",
        "bank.importing.report",
    },
    "bot.cli.checking": {"bank.decks", "bank.lint", "bank.models"},
    "bot.cli.database": {"bank.errors", "bank.models", "bank.tutor"},
    "bot.cli.files": {"bank.errors", "bank.formats.reading", "bank.formats.writing"},
    "bot.cli.shared": {"bank.decks", "bank.errors", "bank.models"},
    "bot.clock": {"bank.errors", "bank.models", "bank.tutor"},
    "bot.commands.deck": {"bank.formats.titles", "bank.importing.report"},
    "bot.commands.drop": {"bank.models"},
    "bot.commands.options": {"bank.models", "bank.tutor"},
    "bot.commands.question": {"bank.models", "bank.tutor"},
    "bot.commands.schedule": {"bank.models"},
    "bot.core": {"bank.tutor"},
    "bot.demo": {"bank.models"},
    "bot.faults": {"bank.models"},
    "bot.forms": {"bank.models", "bank.tutor"},
    "bot.pictures": {"bank.models", "bank.tutor"},
    "bot.poster": {"bank.models"},
    "bot.reveals": {"bank.models"},
    "bot.rooms": {"bank.models"},
    "bot.steps": {"bank.models"},
    "bot.replies": {"bank.errors"},
    "bot.run": {"bank.errors", "bank.models", "bank.tutor"},
    "bot.taking": {
        "bank.errors",
        "bank.formats.reading",
        "bank.importing.bring",
        "bank.importing.report",
    },
    "bot.uploads": {
        "bank.decks",
        "bank.errors",
        "bank.exporting",
        "bank.formats.writing",
        "bank.importing.report",
        "bank.models",
        "bank.tutor",
    },
}


def module_of(path: Path) -> str:
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


OURS = {module_of(path) for path in BANK + BOT}


def imports_of(source: str) -> set[str]:
    """Every module that a source imports, wherever it stands: of `from a import b`, a.b or a."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            # A relative import keeps its dots, so that it stands in no table.
            package = "." * node.level + (node.module or "")
            for alias in node.names:
                inner = f"{package}.{alias.name}"
                found.add(inner if inner in OURS else package)
    return found


def ours_in(path: Path, package: str) -> set[str]:
    return {name for name in imports_of(path.read_text()) if in_package(name, package)}


def in_package(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def is_covered(module: str, patterns: Iterable[str]) -> bool:
    return any(
        in_package(module, pattern[:-2]) if pattern.endswith(".*") else module == pattern
        for pattern in patterns
    )


def rule_for(module: str) -> set[str]:
    rules = [allowed for pattern, allowed in MAY_IMPORT.items() if is_covered(module, [pattern])]
    assert len(rules) == 1, f"{module} needs one row in MAY_IMPORT"
    return rules[0]


def breaches(source: str) -> set[str]:
    """What in a source of the core asks for the time, or draws without a seed."""
    return {
        f"line {node.lineno}: {fault}"
        for node in ast.walk(ast.parse(source))
        for fault in _faults_of(node)
        if isinstance(node, ast.expr | ast.stmt)
    }


def _faults_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute) and node.attr in CLOCKS:
        yield f"asks a clock: .{node.attr}"
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value.casefold()
        if "current_time" in text or "current_date" in text or "'now'" in text:
            yield "asks SQLite's clock"
    if isinstance(node, ast.Import) and any(alias.name == "random" for alias in node.names):
        yield "imports random as a whole"
    if isinstance(node, ast.ImportFrom) and node.module == "random":
        names = {alias.name for alias in node.names} - {"Random"}
        yield from (f"draws without a seed: {name}" for name in sorted(names))
    if isinstance(node, ast.Call) and not (node.args or node.keywords):
        if isinstance(node.func, ast.Name) and node.func.id == "Random":
            yield "a Random without a seed"
        if isinstance(node.func, ast.Attribute) and node.func.attr == "astimezone":
            yield "takes the machine's own zone"


def named(path: Path) -> str:
    return module_of(path)


# The core


@pytest.mark.parametrize("path", BANK, ids=named)
def test_a_module_of_the_core_imports_what_its_row_allows(path: Path) -> None:
    allowed = rule_for(module_of(path))
    assert {name for name in ours_in(path, "bank") if not is_covered(name, allowed)} == set()


@pytest.mark.parametrize("path", BANK, ids=named)
def test_the_core_knows_no_discord_no_clock_and_no_network(path: Path) -> None:
    roots = {name.partition(".")[0] for name in imports_of(path.read_text())}
    assert roots & NOT_IN_THE_CORE == set()
    assert roots - CORE_LIBRARIES - {"bank"} - sys.stdlib_module_names == set()


@pytest.mark.parametrize("path", BANK, ids=named)
def test_the_core_is_given_every_instant_and_every_seed(path: Path) -> None:
    assert breaches(path.read_text()) == set()


def test_every_row_is_about_a_module_that_exists() -> None:
    modules = {module_of(path) for path in BANK}
    assert [row for row in MAY_IMPORT if not any(is_covered(each, [row]) for each in modules)] == []


@pytest.mark.parametrize("path", BANK + BOT, ids=named)
def test_only_the_store_knows_sql(path: Path) -> None:
    if in_package(module_of(path), "bank.store") or module_of(path) in SQL_OF_OTHERS:
        return
    assert "sqlite3" not in imports_of(path.read_text())
    statements = ("SELECT ", "INSERT ", "UPDATE ", "DELETE ", "CREATE ", "PRAGMA ")
    texts = [
        node.value
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert [text for text in texts if text.lstrip().startswith(statements)] == []


# The shell


@pytest.mark.parametrize("path", BOT, ids=named)
def test_a_module_of_the_shell_imports_of_the_core_what_its_row_allows(path: Path) -> None:
    assert ours_in(path, "bank") - BOT_IMPORTS.get(module_of(path), set()) == set()


def test_the_shell_goes_through_one_door() -> None:
    beyond = {
        module: imported - DOOR - (FILES if is_covered(module, CARRIES_FILES) else set())
        for module, imported in BOT_IMPORTS.items()
    }
    assert {module: names for module, names in beyond.items() if names} == {}
    assert BOT_IMPORTS.keys() <= OURS


# The reading itself


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import bank.slots", {"bank.slots"}),
        ("from bank import streaks", {"bank.streaks"}),
        ("from bank.store import Store, drops", {"bank.store", "bank.store.drops"}),
        ("from bank.models import Deck as D", {"bank.models"}),
        ("def late():\n    import discord.ui as ui", {"discord.ui"}),
        ("if TYPE_CHECKING:\n    from bot.client import Client", {"bot.client"}),
        ("from . import slots", {"."}),
        ("from .store import drops", {".store"}),
    ],
)
def test_imports_are_found_wherever_they_stand(source: str, expected: set[str]) -> None:
    assert imports_of(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "datetime.now(UTC)",
        "datetime.datetime.utcnow()",
        "clock = date.today",
        "db.execute('SELECT current_timestamp')",
        "db.execute(\"SELECT datetime('now')\")",
        "db.execute(\"SELECT strftime('%s', 'now')\")",
        "import random",
        "from random import choice",
        "Random()",
        "instant.astimezone()",
    ],
)
def test_a_breach_is_found(source: str) -> None:
    assert breaches(source)


def test_a_seed_and_an_instant_that_are_given_are_no_breach() -> None:
    assert not breaches("from random import Random\nRandom(seed).choice(now.astimezone(UTC))")
