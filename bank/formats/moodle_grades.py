"""The grades of Moodle's answers, in per cent: which there are, and which Moodle refuses."""

from __future__ import annotations

import math

# As in Moodle 4.5, question/engine/bank.php: 100 % and less, and the same below zero.
_KNOWN = (
    *(100, 90, 80, 75, 70, 60, 50, 40, 30, 25, 20, 12.5, 10, 5, 0),
    *(83.33333, 66.66667, 33.33333, 16.66667, 14.28571, 11.11111),
)
_CLOSE = 0.001  # per cent


def grade_of(written: str | None) -> float | None:
    """A fraction attribute as a number, 0 where there is none; None for what is no number."""
    try:
        grade = float((written or "0").strip() or "0")
    except ValueError:
        return None
    return grade if math.isfinite(grade) else None


def refused_grade(grade: float | None) -> str:
    """Why Moodle refuses a grade, as a clause about an option; "" for one that it knows."""
    if grade is None:
        return "has a grade that is no number"
    if any(abs(abs(grade) - known) < _CLOSE for known in _KNOWN):
        return ""
    return f"is worth {grade:g} %, a grade that Moodle does not know"


def written_grade(share: int, correct: bool) -> str:
    """The fraction of one of `share` answers that are right, or wrong, together."""
    text = f"{100 / share:.7f}".rstrip("0").rstrip(".")
    return text if correct else f"-{text}"
