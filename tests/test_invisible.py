"""Characters that nobody sees: found where they mislead, kept where a language needs them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bank.invisible import name_of, unseen, visible

MISLEADING = {
    "a turn of the direction": "key\u202egnp",
    "an isolate": "\u2066key\u2069",
    "a mark of direction": "key\u200f!",
    "an Arabic letter mark": "key\u061c!",
    "a bell": "key\x07",
    "a carriage return": "key\ryek",
    "a control of the second set": "key\x85",
    "a zero-width space": "k\u200bey",
    "a word joiner": "k\u2060ey",
    "a soft hyphen": "k\xadey",
    "a byte order mark": "k\ufeffey",
    "a joiner between ASCII letters": "k\u200dey",
    "a joiner at the start": "\u200ckey",
    "joiners in a row": "क\u200d\u200d",
    "tags that no flag carries": "key\U000e0041\U000e0042",
    "a line separator": "key\u2028",
    "half of a character": "key\ud83d",
}
NEEDED = {
    "Persian": "می\u200cشود",
    "a Persian ending of a Latin word": "CD\u200cها",
    "Hindi": "क्\u200dष",
    "a family": "👨\u200d👩\u200d👧",
    "a flag of many colours": "🏳\ufe0f\u200d🌈",
    "the flag of Wales": "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    "Hebrew beside Latin": "המפתח הוא B",
    "accents": "e\u0301 ñ ß",
    "tabs and lines": "one\ttwo\nthree",
    "a mention that is none": "<\u200b@1> @\u200beveryone",
}


@pytest.mark.parametrize("text", MISLEADING.values(), ids=MISLEADING)
def test_what_misleads_is_found_and_taken_out(text: str) -> None:
    assert unseen(text)
    assert unseen(visible(text)) == []
    assert visible(text).startswith(("k", "क"))


@pytest.mark.parametrize("text", NEEDED.values(), ids=NEEDED)
def test_what_a_language_or_an_emoji_needs_stays(text: str) -> None:
    assert unseen(text) == []
    assert visible(text) == text


@given(st.text(st.characters() | st.sampled_from("\u200b\u200c\u200d\u202e\U000e0041 a<@")))
def test_visible_text_holds_nothing_unseen_and_stays_as_it_is(text: str) -> None:
    once = visible(text)
    assert unseen(once) == []
    assert visible(once) == once
    once.encode()  # no half of a character is left


def test_a_character_is_named_so_that_it_can_be_found() -> None:
    assert name_of("\u202e") == "U+202E RIGHT-TO-LEFT OVERRIDE"
    assert name_of("\x07") == "U+0007 CONTROL CHARACTER"
