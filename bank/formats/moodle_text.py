"""Texts as Moodle holds them <-> Markdown as a question holds it, for GIFT and Moodle XML alike.

Moodle shuffles options and knows no references. So what is written names an option by its own
text, in a <span> whose class says which one it is: it reads well there and is read back exactly.
Nothing is lost on the way: where a text of a deck looks like one of our marks, a space is added
to it, and taken away again.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from markdown_it import MarkdownIt

from bank.formats.html import markdown_of
from bank.formats.plain_text import as_plain_text
from bank.letters import literal, replaced
from bank.models import Option, Question
from bank.prose import reasons, with_references

OURS = "<!-- quizdrop -->"
"""Opens each explanation that we write: the texts of that question name no option by a letter."""

SHORT, FULL, SOURCES = "Short explanation", "Full explanation", "Sources"

_HEADING = re.compile(rf"^## ({SHORT}|{FULL}|{SOURCES})[ \t]*$", re.MULTILINE)
_LIKE_HEADING = re.compile(rf"^## (?= *(?:{SHORT}|{FULL}|{SOURCES})[ \t]*$)", re.MULTILINE)
_STUFFED_HEADING = re.compile(rf"^##  (?= *(?:{SHORT}|{FULL}|{SOURCES})[ \t]*$)", re.MULTILINE)
_SPAN = re.compile(r'<span class="quizdrop-([a-h])">[^<]*</span>')
_LIKE_SPAN = re.compile(r'<span (?= *class="quizdrop-)')
_STUFFED_SPAN = re.compile(r'<span  (?= *class="quizdrop-)')
_LEAD = re.compile(r"\*(?![\s*])([^*\n]+)\.\*(?!\*)[ \t\n]*")
_SAID = re.compile(r'<span class="quizdrop-misconception">([^<]*)</span> ?')
_LETTER = re.compile(r"(?<!\w)[A-H](?!\w)")
_JOINT = re.compile(
    r"(?:both|neither|either|all|none|only|options?|answers?|choices?)\b.{0,20}?\b[A-H]"
    r"\W{1,4}(?:(?:and|or|nor)\W{1,4})?[A-H]\b",
    re.IGNORECASE,
)
_WEB = re.compile(r"https?://[^\s<>]+")
_BULLET = re.compile(r"[-*+][ \t]+")
_CATEGORY = re.compile(r"(?<!/)/(?!/)")
_CONTEXT = re.compile(r"\$[a-z]+\$")
_BETWEEN_TAGS = re.compile(r">\s+(?=<)")

_SPACE = " \t\n\r\0\x0b"  # what Moodle trims
_LONGEST_NAME = 80  # of an option's text where another text points at it
_LONGEST_PROSE = 100_000  # no message holds as much, so letters in it need no references
# Half of a surrogate pair stands for a reference meanwhile: no text that was decoded has one.
_MARKS = {0xDC61 + option: "{" + name + "}" for option, name in enumerate("abcdefgh")}
_ENTITIES = {ord(sign): f"&#{ord(sign)};" for sign in "\\`*_[]<>&~|{}$\n"}

_markdown = MarkdownIt("commonmark")


class Form(StrEnum):
    """Moodle's text formats. `MOODLE` is HTML whose line ends count."""

    HTML = "html"
    MARKDOWN = "markdown"
    MOODLE = "moodle"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Explained:
    """A general feedback taken apart; all of it is `full` where it has no headings of ours."""

    short: str = ""
    full: str = ""
    sources: tuple[str, ...] = ()


# Reading


def is_ours(feedback: str) -> bool:
    """True for a general feedback that we have written: its question names options by spans."""
    return feedback.lstrip(_SPACE).startswith(OURS)


def markdown(text: str, form: Form, options: int = 0) -> str:
    """A text as Markdown. Letters that name one of `options` options become references.

    Spans that we have written become references in any case, and braces that are none are escaped.
    """
    return _referenced(_marked(text, form), options)


def option_text(text: str, form: Form, options: int) -> str:
    """An option's text. Letters in it become references in such as “Both A and B” only.

    Elsewhere they may be what the option is about: a blood group, a grade.
    """
    marked = _marked(text, form)
    return _referenced(marked, options if _JOINT.match(marked) else 0)


def own_reason(text: str, form: Form, correct: bool) -> tuple[str | None, str]:
    """An answer's feedback as we write it: its misconception and its rationale."""
    return _reason_parts(_marked(text, form), correct)


def explained(text: str, form: Form, options: int) -> Explained:
    """A general feedback as explanations and sources; letters in it become references.

    In one of ours no letter names an option, so none is changed.
    """
    letters = 0 if is_ours(text) else options
    before, *pieces = _HEADING.split(_marked(text, form))
    before = before.strip(_SPACE).removeprefix(OURS).strip(_SPACE)
    found: dict[str, list[str]] = {SHORT: [], FULL: [before] if before else [], SOURCES: []}
    for title, body in zip(pieces[::2], pieces[1::2], strict=True):
        if body := body.strip(_SPACE):
            found[title].append(_STUFFED_HEADING.sub("## ", body))
    return Explained(
        short=_referenced("\n\n".join(found[SHORT]), letters),
        full=_referenced("\n\n".join(found[FULL]), letters),
        sources=_sources("\n".join(found[SOURCES])),
    )


def verdicts(text: str, form: Form, options: int) -> tuple[set[int], set[int]]:
    """Which options a general feedback calls right, and which wrong. One of ours names none."""
    marked = "" if is_ours(text) else _marked(text, form)
    if not _may_name(marked):
        return set(), set()
    said = reasons(marked, options)
    return said.said_right, said.said_wrong


def category_of(path: str) -> str | None:
    """A category's path as Moodle writes it, without its context: “Networks/Fabric”."""
    names = [name.replace("//", "∕").strip() for name in _CATEGORY.split(path)]
    if names and _CONTEXT.fullmatch(names[0]):
        names.pop(0)
    if names and names[0] == "top":
        names.pop(0)
    return "/".join(name for name in names if name) or None


def _marked(text: str, form: Form) -> str:
    """A text as Markdown, each span of ours as one character that stands for its reference."""
    text = _SPAN.sub(lambda span: chr(0xDC00 + ord(span[1])), text)
    if form is Form.MOODLE and "<" not in text and "&" not in text:
        form = Form.PLAIN
    if form is Form.MOODLE:
        # As Moodle shows it: each line end is a break, unless it stands between two tags.
        text = _BETWEEN_TAGS.sub(">", text.strip(_SPACE)).replace("\n", "<br>")
    if form in (Form.HTML, Form.MOODLE):
        text = markdown_of(text)
    elif form is Form.PLAIN:
        text = as_plain_text(text)
    return text.strip(_SPACE)


def _referenced(marked: str, options: int) -> str:
    text = _STUFFED_SPAN.sub("<span ", marked)
    text = with_references(text, options) if options and _may_name(text) else literal(text)
    return text.translate(_MARKS)


def _may_name(text: str) -> bool:
    """False for most texts, and fast: no letter stands alone in them."""
    return len(text) <= _LONGEST_PROSE and bool(_LETTER.search(text))


def _reason_parts(marked: str, correct: bool) -> tuple[str | None, str]:
    if said := _SAID.match(marked):
        misconception = html.unescape(said[1]) or None
        return misconception, _referenced(marked[said.end() :], 0)
    if not correct and (lead := _LEAD.match(marked)):
        return _referenced(lead[1], 0), _referenced(marked[lead.end() :], 0)
    return None, _referenced(marked, 0)


def _sources(body: str) -> tuple[str, ...]:
    found: list[str] = []
    for line in body.split("\n"):
        text = _BULLET.sub("", line.strip(_SPACE), count=1)
        if text.startswith("<") and _WEB.fullmatch(text[1:-1]):
            found.append(text[1:-1])
        elif text:
            found.append(html.unescape(_referenced(text, 0)))
    return tuple(found)


# Writing


def shown(text: str, options: Sequence[Option]) -> str:
    """Markdown for Moodle: each reference to one of `options` as a span with that option's text."""
    return replaced(_LIKE_SPAN.sub("<span  ", text), lambda option: _span(option, options))


def reason_shown(option: Option, options: Sequence[Option]) -> str:
    """An answer's feedback: its misconception as a leading sentence, and its rationale."""
    rationale = shown(option.rationale, options)
    text = rationale
    if option.misconception:
        text = f"*{shown(option.misconception, options)}.* {rationale}".strip()
    wanted = (option.misconception or None, option.rationale)
    if own_reason(text, Form.MARKDOWN, option.correct) == wanted:
        return text
    # Words that would be read otherwise, such as an emphasised sentence that is no misconception.
    said = (option.misconception or "").translate(_ENTITIES)
    return f'<span class="quizdrop-misconception">{said}</span> {rationale}'


def explanation_shown(question: Question) -> str:
    """A question's general feedback: its explanations and sources under headings."""
    parts = [OURS]
    for title, text in ((SHORT, question.short), (FULL, question.full)):
        if text:
            body = _LIKE_HEADING.sub("##  ", shown(text, question.options))
            parts += [f"## {title}", body]
    if question.sources:
        parts += [f"## {SOURCES}", "\n".join(map(_source_shown, question.sources))]
    return "\n\n".join(parts)


def category_path(question: Question) -> str:
    """Where a question stands in Moodle: its deck, and its domain in it."""
    return f"{question.deck}/{question.domain}"


def _span(option: int, options: Sequence[Option]) -> str:
    name = "abcdefgh"[option]
    text = _plain(options[option].text, options) if option < len(options) else ""
    return f'<span class="quizdrop-{name}">“{(text or "…").translate(_ENTITIES)}”</span>'


def _plain(text: str, options: Sequence[Option]) -> str:
    """An option's text on one line, without marks. What it points at itself is left open."""
    words: list[str] = []
    for block in _markdown.parse(replaced(text, lambda _: "…")):
        for token in block.children or [block]:
            words.append(" " if token.type in ("softbreak", "hardbreak") else token.content)
        words.append(" ")
    line = " ".join("".join(words).split())
    if len(line) <= _LONGEST_NAME:
        return line
    between = line.rfind(" ", _LONGEST_NAME // 2, _LONGEST_NAME - 1)
    return f"{line[: between if between > 0 else _LONGEST_NAME - 1]}…"


def _source_shown(source: str) -> str:
    if _WEB.fullmatch(source):
        return f"- <{source}>"
    text = source.translate(_ENTITIES)
    if text.startswith(("-", "*", "+", " ", "\t")):
        text = f"&#{ord(text[0])};{text[1:]}"
    if text.endswith((" ", "\t")):
        text = f"{text[:-1]}&#{ord(text[-1])};"
    return f"- {text}"
