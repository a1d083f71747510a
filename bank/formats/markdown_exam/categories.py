"""Headings above questions -> their category, such as “Networks/Fabric”."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bank.formats.markdown_exam.questions import RawQuestion

_COUNT = re.compile(
    r"\s{0,3}[(\[](?:\d{1,4}\s(?:questions?|items?)|questions?\s[\d\s–—-]{1,20}|q?\d{1,4}\s?[–—-]\s?q?\d{1,4}"
    r"|\d{1,3}\s?%|[\d\s–-]{1,12}%)[)\]]$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"(?:section|domain|part|module|chapter|topic|unit|lesson)\s{1,3}(?:\d{1,3}(?:\.\d{1,3})?|[IVX]{1,4}|[A-Z])"
    r"\s{0,3}(?:[:.)–—|-])\s{0,3}(?=\S)",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"(?:(?:practice|mock|sample|exam|test|quiz|self|example|multiple|choice|the|all|original|my|free|"
    r"review|full|with|and|answers?|questions?|exams?|tests?|\d{1,4}|#|-)\W{0,3}){1,12}",
    re.IGNORECASE,
)
_SLASH = re.compile(r"\s{0,3}/\s{0,3}")


def categories(questions: Sequence[RawQuestion]) -> None:
    """Turn each question's headings into its path; a title above all of them is no category."""
    tops = {question.path[0] for question in questions if question.path}
    title = next(iter(tops)) if len(tops) == 1 and all(each.path for each in questions) else None
    deeper = any(len(question.path) > 1 for question in questions)
    names: dict[str, str] = {}
    for question in questions:
        path = question.path
        if title is not None and (deeper or question.top == 1):
            path = path[1:]
        for text in path:
            if text not in names:
                names[text] = _name(text)
        question.path = tuple(name for name in map(names.__getitem__, path) if name)


def _name(heading: str) -> str:
    """A heading as a category: without emphasis, emoji, its number and its count of questions."""
    text = re.sub(r"[*_`]{1,3}", "", heading)
    text = re.sub(r"^[^\w\s(\"“]+\s*", "", text).strip()
    text = _COUNT.sub("", text)
    text = _ORDINAL.sub("", text, count=1) if _ORDINAL.match(text) else text
    text = text.strip(" :–—-.")
    if _GENERIC.fullmatch(text):
        return ""
    return _SLASH.sub(lambda slash: " and " if slash[0] != "/" else "-", text)
