"""HTML inside a line of Markdown -> Markdown: tags, line breaks, entities; code is left alone."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

_TAGS = frozenset(
    {
        "a", "abbr", "article", "aside", "b", "big", "blockquote", "body", "br", "center",
        "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn", "div", "dl", "dt",
        "em", "figcaption", "figure", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
        "head", "header", "hr", "html", "i", "img", "ins", "kbd", "label", "li", "link",
        "main", "mark", "meta", "nav", "ol", "p", "picture", "pre", "q", "s", "samp",
        "script", "section", "small", "source", "span", "strike", "strong", "style", "sub",
        "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr",
        "tt", "u", "ul", "var", "wbr",
    }
)  # fmt: skip
_INSTEAD = {
    **dict.fromkeys(("b", "strong"), "**"),
    **dict.fromkeys(("i", "em"), "*"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "`"),
    **dict.fromkeys(("s", "del", "strike"), "~~"),
    "u": "__",
}
TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,11})(?=[\s/>])([^<>]*)>")
_ATTRIBUTE = re.compile(
    r"\b([a-zA-Z-]{1,20})\s{0,3}=\s{0,3}(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))"
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
# A run of up to three backticks with its like on the same line: code inside a line.
CODE_SPAN = re.compile(r"(?<!`)(`{1,3})(?!`)[^\n]*?(?<!`)\1(?!`)")


def clean(text: str) -> str:
    """Text without HTML: tags as their Markdown, <br> as a line's end, entities decoded."""
    links: list[str] = []

    def tag(found: re.Match[str]) -> str:
        closes, name = bool(found[1]), found[2].lower()
        if name not in _TAGS:
            return found[0]
        if name == "br":
            return "\n"
        if name == "li" and not closes:
            return "- "
        if name == "img":
            values = _attributes(found[3])
            return f"![{values.get('alt', '')}]({values.get('src', '')})"
        if name == "a":
            return _link(links, closes, found[3])
        return _INSTEAD.get(name, "")

    def change(piece: str) -> str:
        if "<" in piece:
            piece = TAG.sub(tag, piece)
        return _ENTITY.sub(lambda entity: html.unescape(entity[0]), piece)

    return _apart_from_code(text, change)


def _link(links: list[str], closes: bool, attributes: str) -> str:
    """An anchor as Markdown; one that only names a place, or leads to one in the page, goes."""
    if closes:
        href = links.pop() if links else ""
        return f"]({href})" if href else ""
    href = _attributes(attributes).get("href", "")
    links.append("" if href.startswith("#") else href)
    return "[" if links[-1] else ""


def _attributes(text: str) -> dict[str, str]:
    found = _ATTRIBUTE.finditer(text)
    return {each[1].lower(): each[2] or each[3] or each[4] or "" for each in found}


def _apart_from_code(text: str, change: Callable[[str], str]) -> str:
    if "`" not in text:
        return change(text)
    pieces: list[str] = []
    at = 0
    for span in CODE_SPAN.finditer(text):
        pieces += (change(text[at : span.start()]), span[0])
        at = span.end()
    return "".join([*pieces, change(text[at:])])
