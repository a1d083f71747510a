"""Item-writing rules: an author is told what is wrong before a hundred people meet it.

A deck is only looked at, never changed, and no rule keeps it from being loaded.
"""

from bank.lint.findings import Finding, Part, Rule, Severity
from bank.lint.linting import lint
from bank.lint.placing import Placed, placed
from bank.lint.rules import GUIDES, RULES

__all__ = ["GUIDES", "RULES", "Finding", "Part", "Placed", "Rule", "Severity", "lint", "placed"]
