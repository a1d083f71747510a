"""What became of an import or an export, for whoever asked for it."""

from __future__ import annotations

from bank.formats.writing import Export
from bank.importing.report import Report
from bot.cards.layout import NEUTRAL, QUIET, Card, card
from bot.cards.text import count, literal
from bot.documents import Document

_MOST_LISTED = 8
_LONGEST_ENTRY = 160


def report_card(report: Report) -> Card:
    """The report of an import; what is too long for a message stands in a file below it."""
    files = [f"-# {literal(name)}: {title}" for name, title in report.formats.items()]
    blocks = [
        f"**{report.headline()}**",
        "\n".join([*report.counts(), *files[:_MOST_LISTED]]),
        *(_section(title, entries) for title, entries in report.sections()),
    ]
    whole = "\n".join(report.lines())
    cut = any(
        len(entries) > _MOST_LISTED or any(len(entry) > _LONGEST_ENTRY for entry in entries)
        for _, entries in report.sections()
    )
    return card(
        *filter(None, blocks),
        colour=NEUTRAL if report.done else QUIET,
        document=Document("report.txt", whole.encode()) if cut else None,
    )


def _section(title: str, entries: tuple[str, ...]) -> str:
    shown = [f"- {literal(_clipped(entry))}" for entry in entries[:_MOST_LISTED]]
    more = len(entries) - _MOST_LISTED
    if more > 0:
        shown.append(f"- and {more} more, in the file below")
    return "\n".join([f"**{title}**", *shown])


def _clipped(entry: str) -> str:
    return entry if len(entry) <= _LONGEST_ENTRY else f"{entry[: _LONGEST_ENTRY - 1]}…"


def export_card(exported: Export) -> Card:
    """The file of an export, with what it does not hold."""
    said = f"{count(exported.questions, 'question')}, in the file below."
    return card(
        " ".join([said, *exported.notes]),
        document=Document(exported.name, exported.data),
    )
