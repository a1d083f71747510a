"""HTML -> tags and texts in one pass, whatever it holds. It knows no tree and never fails.

Python's own html.parser takes quadratic time for unclosed comments and tags up to 3.11.13
(200 kB of “<!--” keep it busy for 17 seconds), and BeautifulSoup stands on it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

# Text in angle brackets that is no HTML, such as “List<int>”, is shown and not taken for a tag;
# “<o:p>” and “<my-element>” are somebody's own tags.
_NAMES = (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big "
    "blink blockquote body br button canvas caption center cite code col colgroup data datalist dd "
    "del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form "
    "frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label "
    "legend li link main map mark marquee math menu meta meter nav nobr nolink noembed noframes "
    "noscript object ol optgroup option output p param picture pre progress q rb rp rt rtc ruby s "
    "samp script search section select slot small source span strike strong style sub summary sup "
    "svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr "
    # of MathML and SVG, which stand inside
    "annotation circle defs ellipse g line maction menclose merror mfenced mfrac mi mn mo mover "
    "mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr "
    "munder munderover path polygon polyline rect semantics text tspan use"
)
_ELEMENTS = frozenset(_NAMES.split())
_UNSEEN = frozenset(
    ("annotation", "head", "iframe", "noembed", "noframes", "script", "style", "template", "title")
)

_TOKEN = re.compile(
    r"(?P<text>(?:[^<]++|<(?![A-Za-z!?]|/[A-Za-z]))++)"
    r"|(?P<comment><!--)"
    r"|<(?P<close>/?)(?P<name>[A-Za-z][^\s/><]*+)(?P<end>>?)"
    r"|(?P<bogus><[!?][^>]*+>)"
)
# When it finds no end there is none, so the rest is text and no tag is tried twice: linear time.
_REST_OF_TAG = re.compile(r"((?:[^\"'>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+')?+|[\"'])*+)>")
_ATTRIBUTE = re.compile(
    r"([^\s\"'>/=][^\s\"'>/=]*+)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>]*+)))?+"
)
_LONG_NUMBER = re.compile(r"&#0*+[0-9]{8,}+;?+")  # int() refuses 4,300 digits


class Token(NamedTuple):
    """A tag by its name in lower case, with its attributes as written; or, without a name, text."""

    name: str = ""
    text: str = ""  # decoded
    closing: bool = False
    attributes: str = ""

    def attribute(self, name: str) -> str:
        """The decoded value of an attribute, "" where there is none."""
        for found in _ATTRIBUTE.finditer(self.attributes):
            if found[1].lower() == name:
                return decoded(found[2] or found[3] or found[4] or "").strip()
        return ""


# Most tags are of these, and looking them up is the quickest that Python can do.
_BARE = {
    f"<{slash}{name}>": Token(name, "", slash == "/")
    for name in _ELEMENTS - _UNSEEN
    for slash in ("", "/")
}


def tokens(source: str) -> Iterator[Token]:
    """The tags and texts of `source`, in order, without comments and what nobody sees."""
    said: list[str] = []  # the text since the last tag
    for found in _pieces(source):
        if isinstance(found, str):
            said.append(found)
        else:
            if said:
                yield Token("", decoded("".join(said)))
                said.clear()
            yield found
    if said:
        yield Token("", decoded("".join(said)))


def _pieces(source: str) -> Iterator[Token | str]:
    """The tags, and between them pieces of text as they are written."""
    at, end = 0, len(source)
    while at < end:
        found = _TOKEN.match(source, at)
        kind = found.lastgroup if found else None
        if found is None:  # “<!”, and nowhere a “>”
            yield source[at:]
            return
        at = found.end()
        if kind == "text":
            yield found[0]
        elif kind == "end":
            if tag := _BARE.get(found[0]):
                yield tag
            else:
                piece, at = _tag(source, found)
                yield piece
        elif kind == "comment":
            close = source.find("-->", found.start() + 2)
            at = end if close < 0 else close + 3


def _tag(source: str, found: re.Match[str]) -> tuple[Token | str, int]:
    """What a tag stands for, and where to go on."""
    name = found["name"].lower()
    at = found.end()
    ours = name in _ELEMENTS
    if not ours and ":" not in name and "-" not in name:
        at = found.end("name")
        return source[found.start() : at], at
    attributes = ""
    if not found["end"]:
        rest = _REST_OF_TAG.match(source, at)
        if rest is None:
            return source[found.start() :], len(source)
        attributes, at = rest[1], rest.end()
    closing = found["close"] == "/"
    if name in _UNSEEN and not closing:
        return "", _behind(source, name, at)
    return (Token(name, "", closing, attributes) if ours else ""), at


def decoded(text: str) -> str:
    """`text` with its entities decoded."""
    if "&" not in text:
        return text
    return html.unescape(_LONG_NUMBER.sub("\ufffd", text))


def _behind(source: str, name: str, at: int) -> int:
    """Where the content of an element that nobody sees has ended."""
    close = re.compile(rf"</{name}(?=[\s/>])[^>]*+>?+", re.IGNORECASE).search(source, at)
    return close.end() if close else len(source)
