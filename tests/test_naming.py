"""Names made of text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from bank.formats.naming import slug_of
from bank.models import Name

NAME = TypeAdapter(Name)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Grant's Tomb", "grants-tomb"),
        ("  Jesus’ hometown (Short answer ex.) ", "jesus-hometown-short-answer-ex"),
        ("2-08 TSL", "2-08-tsl"),
        ("Équipe nº 5: où?", "equipe-no-5-ou"),
        ("training-vs-serving-fabric", "training-vs-serving-fabric"),
        ("Ⅳ ﬁne", "iv-fine"),
        ("漢字", None),
        ("?!", None),
        ("", None),
    ],
)
def test_a_name_is_lower_case_ascii_with_hyphens(text: str, slug: str | None) -> None:
    assert slug_of(text) == slug


def test_a_long_name_is_cut_between_two_words() -> None:
    slug = slug_of("Which of these storage systems feeds a thousand accelerators without stalling")
    assert slug == "which-of-these-storage-systems-feeds-a"


def test_a_long_word_is_cut_where_it_must_be() -> None:
    assert slug_of("x" * 10_000_000) == "x" * 40


@given(st.text())
def test_what_comes_out_is_a_name_and_stays_itself(text: str) -> None:
    slug = slug_of(text)
    if slug is not None:
        assert NAME.validate_python(slug) == slug
        assert slug_of(slug) == slug
