"""A deck -> an Anki package whose cards ask as a drop does: options in front, reasons behind.

The same deck always gives the same bytes: ids and dates are made of names, since there is no clock
here. For Anki a note stays the same note while its question keeps its id. One that it has already,
it updates only when its import is told to update notes “Always”: it goes by dates.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Callable
from pathlib import PurePosixPath

import genanki
from markdown_it import MarkdownIt

from bank.formats.anki_copy import FIELD, NOTE_TYPE, copy_of
from bank.formats.anki_package import packed
from bank.formats.writing import Picture, Written
from bank.letters import LETTERS, lettered
from bank.models import Deck, Image, Option, Question

# What no question has: its text is what Anki's own marks would be taken for in a field.
_ANKIS_MARKS = ("[sound:", "[anki:", "[latex]", "[$]", "[$$]")
_SHOWN = ("Question", "Exhibit", "Options", "Key", "Reasons", "Short", "Full", "Picture", "Sources")
_MODEL_ID = 1_739_204_817  # of the note type, the same for every deck
_FIRST_DATE = 1_500_000_000  # seconds; the names add up to two years, so that ids differ

# Raw HTML is text here as in Discord, and a card fetches no picture from the web.
_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).disable("image")
_markdown.enable("strikethrough")

_FRONT = """\
<div class="stem">{{Question}}</div>
{{#Exhibit}}<div class="picture">{{Exhibit}}</div>{{/Exhibit}}
<div class="options">{{Options}}</div>
"""
_BACK = """\
{{FrontSide}}
<hr id="answer">
<div class="key">{{Key}}</div>
{{#Short}}<div class="short">{{Short}}</div>{{/Short}}
{{#Picture}}<div class="picture">{{Picture}}</div>{{/Picture}}
{{#Reasons}}<div class="reasons">{{Reasons}}</div>{{/Reasons}}
{{#Full}}<div class="full">{{Full}}</div>{{/Full}}
{{#Sources}}<div class="sources">{{Sources}}</div>{{/Sources}}
"""
_CSS = """\
.card {
  --ground: #ffffff; --text: #1f2328; --soft: #f3f4f6; --line: #d0d7de;
  --right: #1a7f37; --wrong: #b42318; --quiet: #59636e;
  max-width: 44rem; margin: 0 auto; padding: 1rem; text-align: left;
  font: 18px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  color: var(--text); background: var(--ground);
}
.card.nightMode, .nightMode .card, .card.night_mode {
  --ground: #1e1f22; --text: #dbdee1; --soft: #2b2d31; --line: #3f4147;
  --right: #57d38c; --wrong: #ff8a80; --quiet: #a3a9b2;
}
.stem { font-weight: 600; }
.options ol { padding-left: 2rem; }
.options li { margin: .4rem 0; padding: .1rem .4rem; background: var(--soft); border-radius: 6px; }
.options p, .reasons p { margin: .2rem 0; }
hr { border: 0; border-top: 1px solid var(--line); }
.key { font-size: 1.2em; font-weight: 700; color: var(--right); }
.short { margin: .6rem 0; padding: .1rem .8rem; border-left: 4px solid var(--right); }
.reasons ul { padding-left: 0; list-style: none; }
.reasons li { margin: .5rem 0; padding-left: .7rem; border-left: 3px solid var(--wrong); }
.reasons li.right { border-color: var(--right); }
.misconception, .sources { color: var(--quiet); }
.misconception { font-style: italic; }
.sources { font-size: .8em; overflow-wrap: anywhere; }
.picture { text-align: center; }
.picture img { max-width: 100%; height: auto; background: #ffffff; border-radius: 6px; }
pre, code { font-family: ui-monospace, Consolas, monospace; background: var(--soft); }
pre { padding: .6rem; overflow-x: auto; border-radius: 6px; }
"""


def write(deck: Deck, picture: Picture) -> Written:
    """The deck as one .apkg. `picture` gives the bytes of a path that one of its images has."""
    media: dict[str, bytes] = {}
    cards = genanki.Deck(1 << 30 | _number(deck.name, 30), _title(deck), html.escape(deck.title))
    model = _note_type()
    for place, question in enumerate(deck.questions):
        names = {
            image.path: _media_name(question, image, picture(image.path), media)
            for image in (question.exhibit, question.image)
            if image is not None
        }
        cards.add_note(_note(model, question, names, place))

    date = _FIRST_DATE + _number(deck.name, 26)

    def fill(cursor: object) -> None:
        ids = iter(range(date * 1000, date * 1000 + 10 * len(deck.questions)))
        genanki.Package(cards).write_to_db(cursor, date, ids)

    notes = []
    if any(question.expires or question.lint for question in deck.questions):
        notes.append("An Anki package holds no expiry dates and no exceptions from lint rules.")
    return Written({f"{deck.name}.apkg": packed(fill, media)}, tuple(notes))


def _note_type() -> genanki.Model:
    return genanki.Model(
        _MODEL_ID,
        NOTE_TYPE,
        fields=[{"name": name} for name in (*_SHOWN, FIELD)],
        templates=[{"name": "Question", "qfmt": _FRONT, "afmt": _BACK}],
        css=_CSS,
    )


def _note(
    model: genanki.Model, question: Question, names: dict[str, str], place: int
) -> genanki.Note:
    order = range(len(question.options))

    def shown(text: str) -> str:
        return _html(lettered(text, order))

    keys = [LETTERS[at] for at, option in enumerate(question.options) if option.correct]
    fields = {
        "Question": shown(question.stem),
        "Exhibit": _img(question.exhibit, names),
        "Options": _options(question.options, shown),
        "Key": ", ".join(keys),
        "Reasons": _reasons(question.options, shown),
        "Short": shown(question.short),
        "Full": shown(question.full),
        "Picture": _img(question.image, names),
        "Sources": "<br>".join(_without_marks(html.escape(source)) for source in question.sources),
        FIELD: copy_of(question, lambda image: names[image.path]),
    }
    return genanki.Note(
        model,
        [fields[name] for name in (*_SHOWN, FIELD)],
        tags=[_tag(f"domain::{question.domain}"), *map(_tag, question.tags)],
        guid=genanki.guid_for("quizdrop", question.id),
        due=place,
    )


def _options(options: tuple[Option, ...], shown: Callable[[str], str]) -> str:
    items = "".join(f"<li>{shown(option.text)}</li>" for option in options)
    return f'<ol type="A">{items}</ol>'


def _reasons(options: tuple[Option, ...], shown: Callable[[str], str]) -> str:
    """Why each option is right or wrong; "" when no option says so."""
    items: list[str] = []
    for letter, option in zip(LETTERS, options, strict=False):
        if not (option.rationale or option.misconception):
            continue
        misconception = ""
        if option.misconception:
            named = _without_marks(html.escape(option.misconception))
            misconception = f'<span class="misconception">{named}.</span>'
        kind = "right" if option.correct else "wrong"
        why = shown(option.rationale)
        items.append(f'<li class="{kind}"><b>{letter}</b> {misconception}{why}</li>')
    return f"<ul>{''.join(items)}</ul>" if items else ""


def _html(markdown: str) -> str:
    return _without_marks(_markdown.render(markdown).strip())


def _without_marks(shown: str) -> str:
    """HTML that shows the same, and in which Anki finds no sound to play and no LaTeX to set."""
    for mark in _ANKIS_MARKS:
        shown = shown.replace(mark, f"&#91;{mark[1:]}")
    return shown


def _img(image: Image | None, names: dict[str, str]) -> str:
    if image is None:
        return ""
    alt = html.escape(" ".join(image.alt.split()))
    return f'<img src="{names[image.path]}" alt="{alt}">'


def _media_name(question: Question, image: Image, data: bytes, media: dict[str, bytes]) -> str:
    """Put a picture among the media; its name is its own, as Anki has one folder for all decks."""
    suffix = PurePosixPath(image.path).suffix.lower()
    name = f"{question.deck}-{question.slug}-{hashlib.sha256(data).hexdigest()[:12]}{suffix}"
    media[name] = data
    return name


def _title(deck: Deck) -> str:
    """Anki takes “::” for a deck inside a deck."""
    return " ".join(deck.title.replace("::", ": ").split())


def _tag(text: str) -> str:
    """Anki separates tags by spaces."""
    return "_".join(text.split())


def _number(name: str, bits: int) -> int:
    """A number that belongs to a name, always the same."""
    digest = hashlib.sha256(f"quizdrop {name}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - bits)
