"""What lint says of the questions that an import brings: each error, and warnings by rule."""

from __future__ import annotations

from collections import Counter
from datetime import date

from bank.importing.merging import Merged
from bank.lint import Severity, lint
from bank.models import Deck


def advice(deck: Deck, result: Merged, today: date) -> tuple[str, ...]:
    """Lines for the report. What was in the deck before is not judged again."""
    found = [
        finding
        for finding in lint(deck, today)
        if finding.slug is None or finding.slug in result.questions
    ]
    lines = [
        f"{result.origins[finding.slug].where if finding.slug else deck.name}: {finding.text}"
        for finding in found
        if finding.rule.severity is Severity.ERROR
    ]
    warned = [each.rule for each in found if each.rule.severity is Severity.WARNING]
    times = Counter(rule.id for rule in warned)
    sentences = {rule.id: rule.sentence for rule in warned}
    lines += [f"{rule}, {number}×: {sentences[rule]}" for rule, number in times.most_common()]
    return tuple(lines)
