"""Custom ids of buttons and menus, pure. They carry a drop, or a question, and a place in it.

discord.py builds an item with `match` but fires it with `fullmatch`, and fires every template that
matches, so each template is anchored by its own prefix and a test takes each id round. Digits are
written [0-9]: the usual class also takes those of other scripts, which we never write.
"""

from __future__ import annotations

import re

ANSWER = r"qd:a:(?P<drop>[0-9]{1,18}):(?P<position>[0-7])"
OPEN_MENU = r"qd:m:(?P<drop>[0-9]{1,18})"
# It stands on a message of its own, so it says on which one the drop does.
CHOOSE = r"qd:c:(?P<drop>[0-9]{1,18}):(?P<message>[0-9]{1,20})"
OPEN_FULL = r"qd:f:(?P<drop>[0-9]{1,18})"
TURN_FULL = r"qd:p:(?P<drop>[0-9]{1,18}):(?P<page>[0-9]{1,2})"
OPEN_QUESTION = r"qd:q:(?P<question>[a-z0-9/-]{3,81})"
TURN_QUESTION = r"qd:t:(?P<page>[0-9]{1,2}):(?P<question>[a-z0-9/-]{3,81})"
SHOW_TO_ALL = r"qd:s:(?P<question>[a-z0-9/-]{3,81})"
# The form that such a button opens has the button's id: what is sent from it says what it is about.
REPORT_DROP = r"qd:r:(?P<drop>[0-9]{1,18})"
REPORT_QUESTION = r"qd:w:(?P<question>[a-z0-9/-]{3,81})"
# Every other id. A button of an earlier version, or of a later one that was taken back, fails with
# a sentence.
_KNOWN = (
    ANSWER,
    OPEN_MENU,
    CHOOSE,
    OPEN_FULL,
    TURN_FULL,
    OPEN_QUESTION,
    TURN_QUESTION,
    SHOW_TO_ALL,
    REPORT_DROP,
    REPORT_QUESTION,
)
_ONE_OF_THEM = re.sub(r"\?P<\w+>", "?:", "|".join(_KNOWN))
UNKNOWN = rf"(?!(?:{_ONE_OF_THEM})\Z)(?s:.)*"


def answer(drop: int, position: int) -> str:
    return f"qd:a:{drop}:{position}"


def open_menu(drop: int) -> str:
    return f"qd:m:{drop}"


def choose(drop: int, message: str) -> str:
    return f"qd:c:{drop}:{message}"


def open_full(drop: int) -> str:
    return f"qd:f:{drop}"


def turn_full(drop: int, page: int) -> str:
    return f"qd:p:{drop}:{page}"


def open_question(question: str) -> str:
    return f"qd:q:{question}"


def turn_question(question: str, page: int) -> str:
    return f"qd:t:{page}:{question}"


def show_to_all(question: str) -> str:
    return f"qd:s:{question}"


def report_drop(drop: int) -> str:
    return f"qd:r:{drop}"


def report_question(question: str) -> str:
    return f"qd:w:{question}"
