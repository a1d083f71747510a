"""Open Trivia DB's JSON -> drafts, in each of the encodings that its API offers.

The right answer comes first, as in the file: a drop shuffles the options anyway.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bank.errors import BadFile, quoted
from bank.formats.plain_text import as_plain_text
from bank.formats.reading import Draft, DraftOption, Kind, Problem, Reading, Source, Where, text_of
from bank.letters import LETTERS

MOST_ITEMS = 20_000

_HEAD = 2**16
_TEXTS = ("type", "difficulty", "category", "question", "correct_answer")
_KINDS = {"multiple": Kind.CHOICE, "boolean": Kind.TRUE_FALSE}

_ENCODED_TYPES = {base64.b64encode(kind.encode()).decode() for kind in _KINDS}
_PERCENT = re.compile(r"(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})*")  # RFC 3986
_LEGACY = re.compile(r"(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})*")  # a space is a plus
_BYTES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")

# Of the API's own documentation, https://opentdb.com/api_config.php
_CODES = {
    1: "there are not as many questions as were asked for",
    2: "one of the parameters is not valid",
    3: "the session token does not exist",
    4: "the session token has given all its questions",
    5: "too many requests came at a time",
}


def looks_like(source: Source) -> bool:
    """True for JSON with the keys of the API's answer, or of one of its questions."""
    start = source.data[:_HEAD].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if start[:1] not in (b"{", b"["):
        return False
    answer = b'"response_code"' in start and b'"results"' in start
    return answer or (b'"correct_answer"' in start and b'"incorrect_answers"' in start)


def read(sources: Sequence[Source], beside: Sequence[Source]) -> Reading:
    """Every question of the files. Raises BadFile for what is no answer of Open Trivia DB."""
    drafts: list[Draft] = []
    problems: list[Problem] = []
    for source in sources:
        items = _items(source)
        if len(items) > MOST_ITEMS:
            text = f"only the first {MOST_ITEMS:,} items are read; split the file for the rest"
            problems.append(Problem(Where(source.name), text))
            items = items[:MOST_ITEMS]
        decode = _decoder(items)
        for number, item in enumerate(items, start=1):
            found = _question(Where(source.name, item=number), item, decode)
            if isinstance(found, Draft):
                drafts.append(found)
            else:
                problems.append(found)
    return Reading(tuple(drafts), tuple(problems))


def _items(source: Source) -> list[Any]:
    """The list of questions, still encoded."""
    try:
        whole = json.loads(text_of(source))
    except (ValueError, RecursionError) as error:
        line = f" on line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise BadFile(
            f"{quoted(source.name)} is no valid JSON{line}. Download it again from Open Trivia DB."
        ) from error
    items = whole.get("results") if isinstance(whole, dict) else whole
    if not isinstance(items, list):
        raise BadFile(f"{quoted(source.name)} has no list of questions under “results”.")
    if not items:
        code = whole.get("response_code") if isinstance(whole, dict) else None
        why = _CODES.get(code) if isinstance(code, int) else None
        because = f": Open Trivia DB answered that {why}" if why else ""
        raise BadFile(f"{quoted(source.name)} holds no questions{because}.")
    return items


def _decoder(items: Sequence[Any]) -> Callable[[str], str]:
    """How the texts of a file are encoded, told by all of them together."""
    types = [item["type"] for item in items if isinstance(item, dict) and "type" in item]
    if types and all(isinstance(kind, str) and kind in _ENCODED_TYPES for kind in types):
        return _from_base64
    texts = [text for item in items for text in _texts(item)]
    if any("%" in text for text in texts):
        if all(_PERCENT.fullmatch(text) for text in texts):
            return _from_percent
        if all(_LEGACY.fullmatch(text) for text in texts):
            return _from_legacy
    return html.unescape


def _texts(item: Any) -> Iterable[str]:
    if isinstance(item, dict):
        wrong = item.get("incorrect_answers")
        values = [item.get(key) for key in _TEXTS] + (wrong if isinstance(wrong, list) else [])
        yield from (value for value in values if isinstance(value, str))


def _from_base64(text: str) -> str:
    """Raises ValueError for what is no base64 or no UTF-8 in it."""
    return base64.b64decode(text, validate=True).decode("utf-8")


def _from_percent(text: str) -> str:
    """Raises ValueError where the bytes are no UTF-8. (`urllib` is network, so it is not here.)"""
    return _BYTES.sub(
        lambda found: binascii.unhexlify(found[0].replace("%", "")).decode("utf-8"), text
    )


def _from_legacy(text: str) -> str:
    return _from_percent(text.replace("+", " "))


def _question(where: Where, item: Any, decode: Callable[[str], str]) -> Draft | Problem:
    if not isinstance(item, dict):
        return Problem(where, "the item is no question")
    wrong = item.get("incorrect_answers")
    for key in ("question", "correct_answer"):
        if not isinstance(item.get(key), str):
            return Problem(where, f"“{key}” is missing or no text")
    if not isinstance(wrong, list) or not all(isinstance(text, str) for text in wrong):
        return Problem(where, "“incorrect_answers” is missing or no list of texts")
    try:
        said = {key: decode(item[key]).strip() for key in _TEXTS if isinstance(item.get(key), str)}
        answers = [said["correct_answer"], *(decode(text).strip() for text in wrong)]
        "".join((*said.values(), *answers)).encode()  # JSON can hold half of a character
    except ValueError:
        return Problem(where, "a text cannot be decoded as the others are")
    return _draft(where, said, answers)


def _draft(where: Where, texts: dict[str, str], answers: list[str]) -> Draft | Problem:
    said = texts.get("type", "multiple")
    kind = _KINDS.get(said)
    if kind is None:
        return Problem(where, f"{said[:40]} questions are not supported", kind=said[:40])
    if not texts["question"]:
        return Problem(where, "the item has no question")
    if len(answers) > len(LETTERS):
        return Problem(where, f"{len(answers)} options; a question has {len(LETTERS)} at most")
    keys = [True] + [False] * (len(answers) - 1)
    if kind is Kind.TRUE_FALSE:
        if sorted(answers) != ["False", "True"]:
            return Problem(where, "the answers of a true/false question are not True and False")
        keys = [answers[0] == "True", answers[0] == "False"]
        answers = ["True", "False"]
    difficulty = texts.get("difficulty")
    return Draft(
        where=where,
        kind=kind,
        stem=_markdown(texts["question"]),
        options=tuple(
            DraftOption(text=_markdown(text), correct=key)
            for text, key in zip(answers, keys, strict=True)
        ),
        category=re.sub(r":\s+", "/", texts.get("category", "")) or None,
        tags=(difficulty,) if difficulty else (),
        missing=tuple(_missing(answers)),
    )


def _missing(answers: Sequence[str]) -> Iterable[str]:
    if len(answers) < 2:
        yield "the question has one option only"
    for place, text in enumerate(answers):
        if not text:
            yield f"option {LETTERS[place]} is empty"
        elif text in answers[:place]:
            first = LETTERS[answers.index(text)]
            yield f"options {first} and {LETTERS[place]} say the same"


def _markdown(text: str) -> str:
    """A text that names no letters, as Markdown: {a} in it is no reference."""
    return re.sub(r"\{(?=[a-h]\})", r"\\{", as_plain_text(text))
