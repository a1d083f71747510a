"""Decks that hypothesis makes, with texts that are hard to write down and to read back."""

from __future__ import annotations

from hypothesis import strategies as st

from bank.formats.reading import Attachment, Draft, DraftOption
from bank.formats.writing import Picture
from bank.models import Deck, Domain, Image, Option, Question

PIECES = [
    "plain words",
    '"quoted", with a comma; and more\tthen',
    "=1+1",
    "-5",
    "+x",
    "@all",
    "'=a",
    "''quoted''",
    "{a} and {b}",
    r"\{a}",
    "A. a letter",
    "`code, {a}`",
    "```python\nprint('x')\n\n- [ ] no option\n---\n```",
    "- one\n- two",
    "1. one\n2. two",
    "> a quote",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "---",
    "two\n\nparagraphs",
    "ends in a backslash\\",
    "*starred.* then plain",
    "**bold** __under__ ~~gone~~",
    "é 题目 🦉",
    "<b>tag</b> &amp;",
    "C:\\new\\table",
    "    four spaces",
    "# no heading",
]
LETTERS = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))


def texts(pieces: list[str] = PIECES) -> st.SearchStrategy[str]:
    """Texts as a model holds them: some signs, or a few nasty pieces in a row, without an edge."""
    joined = st.lists(st.sampled_from(pieces), min_size=1, max_size=3).flatmap(
        lambda parts: st.sampled_from([" ", "\n", "\n\n"]).map(lambda sign: sign.join(parts))
    )
    any_signs = st.text(LETTERS, min_size=1, max_size=20)
    return (joined | any_signs).map(str.strip).filter(bool)


def lines() -> st.SearchStrategy[str]:
    """Texts of one line."""
    return texts().map(_one_line)


def _one_line(text: str) -> str:
    return " ".join(text.split())


@st.composite
def questions(draw: st.DrawFn, slug: str, any_text: st.SearchStrategy[str]) -> Question:
    count = draw(st.integers(2, 8))
    key = draw(st.integers(0, count - 1))
    options = [
        Option(
            text=f"{draw(any_text)}\n\nthe option {place}",  # no two say the same
            correct=place == key,
            rationale=draw(st.just("") | any_text),
            misconception=None if place == key else draw(st.none() | any_text.map(_one_line)),
        )
        for place in range(count)
    ]
    return Question(
        deck="made",
        slug=slug,
        domain="basics",
        stem=draw(any_text),
        options=tuple(options),
        short=draw(st.just("") | any_text),
        full=draw(st.just("") | any_text),
        tags=tuple(draw(st.lists(lines(), max_size=3, unique=True))),
        sources=tuple(draw(st.lists(lines(), max_size=2, unique=True))),
        image=draw(st.none() | images(f"images/{slug}.png")),
        exhibit=draw(st.none() | images(f"images/{slug}-exhibit.png")),
    )


def images(path: str) -> st.SearchStrategy[Image]:
    return (st.just("") | lines()).map(lambda alt: Image(path=path, alt=alt))


@st.composite
def decks(draw: st.DrawFn, any_text: st.SearchStrategy[str] | None = None) -> Deck:
    slugs = [f"q{number}" for number in range(draw(st.integers(1, 3)))]
    return deck_of(*(draw(questions(slug, any_text or texts())) for slug in slugs))


def deck_of(*made: Question) -> Deck:
    return Deck(
        name="made",
        title="Made",
        description="Made by a test.",
        language="en",
        licence="MIT",
        blueprint="1",
        domains=(Domain(id="basics", title="Basics", weight=100),),
        questions=made,
    )


def picture(path: str) -> bytes:
    """Bytes for any path, and others for another."""
    return b"\x89PNG\r\n\x1a\n" + path.encode()


def as_draft(question: Question, like: Draft, picture: Picture = picture) -> Draft:
    """The draft that a question is to be read back as; its place and kind are those of `like`."""
    return Draft(
        where=like.where,
        kind=like.kind,
        stem=question.stem,
        options=tuple(
            DraftOption(each.text, each.correct, each.rationale, each.misconception)
            for each in question.options
        ),
        short=question.short,
        full=question.full,
        slug=question.slug,
        category=question.domain,
        tags=question.tags,
        sources=question.sources,
        exhibit=_attached(question.exhibit, picture),
        image=_attached(question.image, picture),
    )


def _attached(image: Image | None, picture: Picture) -> Attachment | None:
    return Attachment(image.path, picture(image.path), image.alt) if image else None
