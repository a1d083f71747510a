"""Decks of texts that look like something else to a format: what is written is to be read back."""

from __future__ import annotations

from hypothesis import strategies as st

from bank.letters import references
from bank.models import Deck, Domain, Option, Question

CODE = "```python\nprint(f'{a}')\n\n# <b> *x*\n```"

# Pieces that something on the way could take for its own; any text may stand between them.
_WORDS = (
    r"{a} {b} \{a} {z} `{a}` `` ` ``` * **b** *Said.* _ \ ~ = # #### { } : :: [ ] // -> $$ "
    r"[html] [markdown] %50% %-100%x <b> </span> ]]> (A) &amp; &#123; é漢😀 0 TRUE T "
    r"\n &&058; [id:x] [tag:x]"
)
_PIECES = [
    *_WORDS.split(),
    *("\n", "\n\n", " ", "    x", "\t", "\u2028", "\x0c", "\n```\n", CODE),
    *("*Said.* why", "option B is wrong", "\n// x", "\n$CATEGORY: x"),
    *("\n## Sources\n", "\n## Full explanation", "\n##  Short explanation\n", "\n## Other\n"),
    *('<span class="quizdrop-a">', '<span class="quizdrop-a">“x”</span>', "<!-- quizdrop -->"),
    *('<span  class="quizdrop-b">“x”</span>', '<span class="quizdrop-misconception">x</span>'),
]
_FREE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=8)
_PRINTED = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=8)
_TEXT = st.lists(st.sampled_from(_PIECES) | _FREE, min_size=1, max_size=6).map("".join)
_SOLID = _TEXT.map(lambda text: f"{text.strip()}x")
_SOURCE = st.sampled_from(
    ["https://example.org/a_b?c={d}&e#f", "A book, p. 5", "- x", "<x>", "`x`"]
)
_TAG = st.text("abc-é漢 ]", min_size=1, max_size=8).map(str.strip).filter(bool)


@st.composite
def questions(draw: st.DrawFn, slug: str = "first", deck: str = "sample") -> Question:
    """A question of a deck, its references pointing at options that are there."""
    count = draw(st.integers(2, 8))
    key = draw(st.integers(0, count - 1))
    text = _TEXT.filter(lambda each: all(place < count for place in references(each)))
    solid = _SOLID.filter(lambda each: all(place < count for place in references(each)))
    options = tuple(
        Option(
            text=draw(solid),
            correct=place == key,
            rationale=draw(text | st.just("")),
            misconception=draw(st.none() | _SOLID) if place != key else None,
        )
        for place in range(count)
    )
    return Question(
        deck=deck,
        slug=slug,
        domain=draw(st.sampled_from(["basics", "more-0"])),
        stem=draw(solid),
        options=options,
        short=draw(text | st.just("")),
        full=draw(text | st.just("")),
        tags=tuple(draw(st.lists(_TAG, max_size=2))),
        sources=tuple(draw(st.lists(_SOURCE | _PRINTED, max_size=3))),
    )


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    """A deck of one to three questions."""
    slugs = ["first", "0", "a-b-2"][: draw(st.integers(1, 3))]
    return Deck(
        name="sample",
        title="Sample deck",
        description="Nasty.",
        language="en",
        licence="MIT",
        blueprint="1",
        domains=(
            Domain(id="basics", title="Basics", weight=60),
            Domain(id="more-0", title="More", weight=40),
        ),
        questions=tuple(draw(questions(slug)) for slug in slugs),
    )
