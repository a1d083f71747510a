"""Findings -> lines of the files that an author edits, found by reading those files again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bank.formats.deck.question_file import QuestionFile, lines_of, read_question_file
from bank.lint.findings import Finding, Part


@dataclass(frozen=True, slots=True)
class Placed:
    """A finding with its file and line (from 1), written as an editor can follow it."""

    file: Path
    line: int
    finding: Finding

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.finding}"


def placed(findings: Sequence[Finding], folder: Path) -> list[Placed]:
    """The findings of the deck in `folder`, in the order of its files and their lines.

    A file that cannot be read any more gives line 1.
    """
    read: dict[str | None, QuestionFile | None] = {}
    found = []
    for finding in findings:
        file = folder / "deck.toml"
        if finding.slug is not None:
            file = folder / "questions" / f"{finding.slug}.md"
        if finding.slug not in read:
            text = _text(file) if finding.slug else ""
            read[finding.slug] = read_question_file(text) if text else None
        question = read[finding.slug]
        line = _line_in_toml(file, finding.part) if finding.slug is None else 1
        found.append(Placed(file, _line(question, finding.part) if question else line, finding))
    return sorted(found, key=lambda each: (each.file.name == "deck.toml", each.file, each.line))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""


def _line(question: QuestionFile, part: Part) -> int:
    if isinstance(part, int):
        lines = question.option_lines
        return lines[part] if part < len(lines) else question.options_line
    lines_of_parts = {
        "stem": question.stem_line,
        "short": question.short_line,
        "full": question.full_line,
    }
    return lines_of_parts.get(part) or question.line(part)


def _line_in_toml(file: Path, part: Part) -> int:
    key = re.compile(rf"\s*{re.escape(str(part) or 'lint')}\s*=")
    lines = lines_of(_text(file)) if part else []
    return next((number for number, line in enumerate(lines, start=1) if key.match(line)), 1)
