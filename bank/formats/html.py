"""HTML as question banks have it -> Markdown as Discord shows it. It never fails, fetches nothing.

It is written here because markdownify, on BeautifulSoup, cannot keep this project's bounds: it
recurses (3,000 nested <div> are too many), and takes 39 seconds for 10 MB.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bank.formats.html_tokens import Token, tokens
from bank.formats.markdown_runs import BOLD, CODE, EMPHASIS, STRUCK, UNDERLINED, Run, rendered
from bank.formats.plain_text import as_plain_text

_SPACE = re.compile(r"[ \t\n\r\f\xa0]+")
_LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?-|brush:\s*)([A-Za-z0-9_+#.-]+)")
_WEB = re.compile(r"https?://\S", re.IGNORECASE)
_IN_ADDRESS = str.maketrans({" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E"})
_PICTURE = re.compile(r"<img", re.IGNORECASE)
_MEDIA = re.compile(r"<(?:audio|video|source|embed|object)", re.IGNORECASE)
_TICKS = re.compile(r"^[ \t]*+(`{3,})", re.MULTILINE)

_MARKS = {
    **dict.fromkeys(("b", "strong", "th", "dt", "h4", "h5", "h6"), BOLD),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), EMPHASIS),
    **dict.fromkeys(("u", "ins"), UNDERLINED),
    **dict.fromkeys(("s", "strike", "del"), STRUCK),
    **dict.fromkeys(("code", "tt", "kbd", "samp"), CODE),
}
_BLOCK_NAMES = (
    "address article aside body caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form h4 h5 h6 header hgroup hr html legend main nav optgroup option p search "
    "section summary"
)
_SPACE_RUN = (" ", 0, "")
_HEADINGS = {"h1": "# ", "h2": "## ", "h3": "### "}
_DEEPEST = 6  # lists in lists; deeper items stand with these

_LONGEST_SCRIPT = 4
_RAISED = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyz",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ",
        strict=True,
    )
)
_LOWERED = dict(
    zip("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)
)


@dataclass(frozen=True, slots=True)
class ImageTag:
    """A picture that HTML shows: its address as written there, decoded, and its alt text."""

    src: str
    alt: str


def markdown_of(html: str) -> str:
    """HTML as Markdown, pictures left out; text that looks like Markdown shows as it is.

    Tables become lines “a | b”. What nobody sees (comments, scripts, styles) is gone. Takes time
    and memory in proportion to the length, however deeply it is nested.
    """
    if "<" not in html and "&" not in html:
        return as_plain_text(_SPACE.sub(" ", html).strip())
    page = _Page()
    for token in tokens(html):
        page.take(token)
    return page.markdown()


def pictures_in(html: str) -> list[ImageTag]:
    """Every picture in `html`, in order, whatever its address is."""
    if not _PICTURE.search(html):
        return []
    return [
        ImageTag(token.attribute("src"), _SPACE.sub(" ", token.attribute("alt")).strip())
        for token in tokens(html)
        if token.name == "img" and not token.closing
    ]


def media_in(html: str) -> list[str]:
    """The addresses of what cannot be shown here: sounds, films and embedded pages."""
    if not _MEDIA.search(html):
        return []
    kinds = {"audio": "src", "video": "src", "source": "src", "embed": "src", "object": "data"}
    found = [
        token.attribute(kinds[token.name])
        for token in tokens(html)
        if token.name in kinds and not token.closing
    ]
    return [address for address in found if address]


@dataclass(slots=True)
class _List:
    """A list that is open: its next number, or None where it has bullets."""

    number: int | None
    mark: str = ""  # of an item that has not begun to be written
    width: int = 0  # of the open item's mark; 0 between items
    begun: bool = False  # it has had an item


class _Page:
    """Takes tokens, keeps the open paragraph as runs, and writes each block when it ends."""

    def __init__(self) -> None:
        self.blocks: list[str] = []  # with the line ends between them
        self.runs: list[Run] = []  # of the open paragraph
        self.depths = dict.fromkeys((BOLD, EMPHASIS, UNDERLINED, STRUCK, CODE), 0)
        self.marks = 0
        self.link = ""
        self.lists: list[_List] = []
        self.too_deep = 0  # lists that are open beyond the deepest
        self.quotes = 0
        self.tables = 0
        self.heading = ""
        self.script: tuple[str, int] | None = None  # sub or sup, and the run that it starts at
        self.pre: list[str] | None = None
        self.language = ""
        self.tight = False  # the next block stands right under the last one

    def take(self, token: Token) -> None:
        name = token.name
        if self.pre is not None:
            self._in_pre(token)
        elif not name:
            self.runs.append((_SPACE.sub(" ", token.text), self.marks, self.link))
        elif own := _OWN.get(name):
            own(self, token)
            if name in _MARKS:
                self._mark(_MARKS[name], token.closing)
        elif mark := _MARKS.get(name):
            self._mark(mark, token.closing)

    def markdown(self) -> str:
        if self.pre is not None:
            self._end_pre()
        self._flush()
        return "".join(self.blocks)

    # Inside a paragraph

    def _mark(self, mark: int, closing: bool) -> None:
        self.depths[mark] = max(0, self.depths[mark] + (-1 if closing else 1))
        self.marks = self.marks | mark if self.depths[mark] else self.marks & ~mark

    def _break(self, token: Token) -> None:
        if token.closing:
            return
        self.runs.append(_SPACE_RUN if self.tables or self.heading else ("\n", 0, ""))

    def _anchor(self, token: Token) -> None:
        address = "" if token.closing else token.attribute("href")
        self.link = address.translate(_IN_ADDRESS) if _WEB.match(address) else ""

    def _quotation(self, token: Token) -> None:
        self.runs.append(("”" if token.closing else "“", self.marks, self.link))

    def _script(self, token: Token) -> None:
        """H<sub>2</sub>O: with Unicode's small letters, or 2^(a.b) where it has none."""
        if not token.closing:
            self.script = self.script or (token.name, len(self.runs))
        elif self.script and self.script[0] == token.name:
            name, start = self.script
            self.script = None
            text = "".join(run[0] for run in self.runs[start:])
            if shown := _scripted(text.strip(), raised=name == "sup"):
                self.runs[start:] = [(shown, *self.runs[start][1:])]

    # Blocks

    def _block(self, token: Token) -> None:
        if self.tables:
            self.runs.append(_SPACE_RUN)
        else:
            self._flush()

    def _heading(self, token: Token) -> None:
        self._flush()
        self.heading = "" if token.closing else _HEADINGS[token.name]

    def _quote(self, token: Token) -> None:
        self._flush()
        self.quotes = max(0, self.quotes + (-1 if token.closing else 1))

    def _list(self, token: Token) -> None:
        self._flush()
        if token.closing:
            if self.too_deep:
                self.too_deep -= 1
            elif self.lists:
                self.lists.pop()
                self.tight = bool(self.lists)
            return
        if len(self.lists) >= _DEEPEST:
            self.too_deep += 1
            return
        start = token.attribute("start") if token.name == "ol" else ""
        number = int(start) if start.isascii() and start.isdigit() and len(start) < 9 else 1
        self.tight = bool(self.lists)
        self.lists.append(_List(number if token.name == "ol" else None))

    def _item(self, token: Token) -> None:
        self._flush()
        if not self.lists:
            self.lists.append(_List(None))
        open_list = self.lists[-1]
        open_list.mark, open_list.width = "", 0
        self.tight = token.closing or open_list.begun or len(self.lists) > 1
        if token.closing:
            return
        open_list.begun = True
        if open_list.number is None:
            open_list.mark = "- "
        else:
            open_list.mark = f"{open_list.number}. "
            open_list.number += 1

    def _table(self, token: Token) -> None:
        self._flush()
        self.tables = max(0, self.tables + (-1 if token.closing else 1))
        self.tight = False

    def _row(self, token: Token) -> None:
        self._flush()
        self.tight = self.tables > 0 and (self.tight or token.closing)

    def _cell(self, token: Token) -> None:
        if not token.closing and any(run[0].strip() for run in self.runs):
            self.runs.append((" | ", 0, ""))

    def _begin_pre(self, token: Token) -> None:
        if token.closing:
            return
        self._flush()
        self.pre = []
        self.language = _language(token)

    def _in_pre(self, token: Token) -> None:
        assert self.pre is not None
        if token.name == "pre" and token.closing:
            self._end_pre()
        elif token.name == "br" and not token.closing:
            self.pre.append("\n")
        elif token.name == "code" and not token.closing:
            self.language = self.language or _language(token)
        else:
            self.pre.append(token.text)

    def _end_pre(self) -> None:
        code = "".join(self.pre or []).replace("\r\n", "\n").replace("\r", "\n")
        self.pre = None
        # HTML takes no notice of a line end right behind <pre>.
        code = code.removeprefix("\n").rstrip("\n")
        if code.strip():
            fence = "`" * max(3, *(len(ticks) + 1 for ticks in _TICKS.findall(code)), 3)
            self._write(f"{fence}{self.language}\n{code}\n{fence}")

    # Writing

    def _flush(self) -> None:
        """End the open paragraph."""
        self.script = None
        if not self.runs:
            return
        runs, self.runs = self.runs, []
        if text := rendered(runs):
            self._write(f"{self.heading}{text}")

    def _write(self, block: str) -> None:
        first, rest = self._prefixes()
        if self.blocks:
            blank = rest.rstrip()
            self.blocks.append("\n" if self.tight else f"\n{blank}\n" if blank else "\n\n")
        lines = block.split("\n")
        others = ((rest + line if line else rest.rstrip()) for line in lines[1:])
        self.blocks.append("\n".join([first + lines[0], *others]))
        self.tight = False

    def _prefixes(self) -> tuple[str, str]:
        """What stands before a block's first line, and before its others."""
        first = rest = "> " if self.quotes else ""
        if not self.lists:
            return first, rest
        for open_list in self.lists:
            if open_list.mark:
                open_list.width = len(open_list.mark)
                first += open_list.mark
                open_list.mark = ""
            else:
                first += " " * open_list.width
            rest += " " * open_list.width
        return first, rest


_OWN = {
    "a": _Page._anchor,
    "blockquote": _Page._quote,
    "br": _Page._break,
    "li": _Page._item,
    "ol": _Page._list,
    "menu": _Page._list,
    "pre": _Page._begin_pre,
    "q": _Page._quotation,
    "sub": _Page._script,
    "sup": _Page._script,
    "table": _Page._table,
    "td": _Page._cell,
    "tr": _Page._row,
    "ul": _Page._list,
    "th": _Page._cell,
    **dict.fromkeys(_HEADINGS, _Page._heading),
    **dict.fromkeys(_BLOCK_NAMES.split(), _Page._block),
}


def _language(token: Token) -> str:
    found = _LANGUAGE.search(token.attribute("class"))
    return found[1] if found else ""


def _scripted(text: str, raised: bool) -> str:
    """Small letters for a subscript or superscript, or a plain way to write it; "" for neither."""
    small = _RAISED if raised else _LOWERED
    if len(text) > _LONGEST_SCRIPT and any(char.isalpha() for char in text):
        return ""  # words set small, such as a remark
    if all(char in small for char in text):
        return "".join([small[char] for char in text])
    if not text.replace(" ", "").isalnum():
        return ""
    return ("^" if raised else "_") + (text if len(text) == 1 else f"({text})")
