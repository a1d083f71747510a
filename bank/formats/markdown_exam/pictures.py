"""Pictures that a text shows, taken out of it and looked up among the files that came along."""

from __future__ import annotations

import base64
import binascii
import posixpath
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from bank.errors import quoted
from bank.formats.reading import Attachment, Source

_PICTURE = re.compile(
    r"!\[(?P<alt>[^\[\]\n]{0,500})\]\(\s{0,4}<?(?P<path>[^()\n<>\"]{1,2000}"
    r"(?:\([^()\n<>\"]{0,200}\)[^()\n<>\"]{0,500})?)>?\s{0,4}(?:\"[^\"\n]{0,500}\")?\s{0,4}\)"
)
_DATA = re.compile(
    r"!\[(?P<alt>[^\[\]\n]{0,500})\]\(data:image/(?P<kind>[a-z]{3,4});base64,(?P<data>[A-Za-z0-9+/=]+)\)"
)
_WEB = re.compile(r"(?:[a-z][a-z0-9+.-]{1,20}:)?//", re.IGNORECASE)
_PER_CENT = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_CODE = re.compile(
    r"(?<!`)(`{3,8})(?!`)[\s\S]*?(?<!`)\1(?!`)|(?<!`)(`{1,2})(?!`)[^\n]*?(?<!`)\2(?!`)"
)


@dataclass(slots=True)
class Shown:
    """A text without its pictures, the pictures, and what is wrong with any."""

    text: str
    pictures: list[Attachment] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    found: int = 0


class Album:
    """The files beside the pages, by path and by base name."""

    def __init__(self, beside: Sequence[Source]) -> None:
        self.by_path = {_tidy(source.name): source for source in beside}
        self.by_name: dict[str, list[Source]] = defaultdict(list)
        for source in beside:
            self.by_name[posixpath.basename(_tidy(source.name)).casefold()].append(source)

    def take(self, text: str, page: str) -> Shown:
        """Take the pictures out of a text of the page whose name is `page`. Code is left alone."""
        if "![" not in text:
            return Shown(text)
        shown = Shown("")
        pieces: list[str] = []
        at = 0
        for code in _CODE.finditer(text):
            pieces += (self._taken(text[at : code.start()], page, shown), code[0])
            at = code.end()
        pieces.append(self._taken(text[at:], page, shown))
        shown.text = re.sub(r"\n{3,}", "\n\n", "".join(pieces)).strip()
        return shown

    def _taken(self, text: str, page: str, shown: Shown) -> str:
        def embedded(found: re.Match[str]) -> str:
            shown.found += 1
            try:
                data = base64.b64decode(found["data"], validate=True)
            except binascii.Error:
                shown.missing.append("a picture inside the text is damaged")
                return ""
            name = f"picture-{shown.found}.{found['kind']}"
            shown.pictures.append(Attachment(name, data, found["alt"].strip()))
            return ""

        def linked(found: re.Match[str]) -> str:
            shown.found += 1
            path, alt = found["path"].strip(), found["alt"].strip()
            if _WEB.match(path):
                shown.missing.append(
                    f"the picture {quoted(path)} is on the web and did not come along"
                )
                return f"[{alt or 'picture'}]({path})"
            taken = self._look_up(path, page)
            if isinstance(taken, Source):
                name = posixpath.basename(_tidy(taken.name))
                shown.pictures.append(Attachment(name, taken.data, alt))
            else:
                shown.missing.append(taken)
            return ""

        return _PICTURE.sub(linked, _DATA.sub(embedded, text))

    def _look_up(self, path: str, page: str) -> Source | str:
        """The file that a picture's path means, or why there is none."""
        path = _PER_CENT.sub(_decoded, path).split("?")[0].split("#")[0]
        folder = posixpath.dirname(_tidy(page))
        for candidate in (posixpath.join(folder, path), path.lstrip("/")):
            if (exact := self.by_path.get(_tidy(candidate))) is not None:
                return exact
        name = posixpath.basename(_tidy(path))
        alike = self.by_name.get(name.casefold(), [])
        if len({source.data for source in alike}) > 1:
            return f"several pictures that came with the file are called {quoted(name)}"
        return alike[0] if alike else f"the picture {quoted(name)} did not come with the file"


def _tidy(path: str) -> str:
    return posixpath.normpath(path.replace("\\", "/")).lstrip("/")


def _decoded(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace")
