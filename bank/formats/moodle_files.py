"""The texts of Moodle XML with the files that stand in them: pictures as bytes, the rest by name.

Nothing is fetched: a picture that is not in the file, nor beside it, is told.
"""

from __future__ import annotations

import binascii
import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from bank.errors import quoted
from bank.formats.html import ImageTag, media_in, pictures_in
from bank.formats.moodle_text import OURS, Form
from bank.formats.reading import Attachment

PLUGIN_FILE = "@@PLUGINFILE@@/"
IMAGE, EXHIBIT = "quizdrop-image", "quizdrop-exhibit"  # classes of the pictures that we write

_FORMS = {
    "html": Form.HTML,
    "markdown": Form.MARKDOWN,
    "moodle_auto_format": Form.MOODLE,
    "plain_text": Form.PLAIN,
}
_OURS = rf'<img class="(?:{IMAGE}|{EXHIBIT})" src="(?P<src>[^"]*+)" alt="(?P<alt>[^"]*+)">'
_OUR_IMAGE = re.compile(rf"\s*+{re.escape(OURS)}\s*+(?P<tag>{_OURS})")
_OUR_EXHIBIT = re.compile(rf"\s*+(?P<tag>{_OURS})\s*+\Z")
_MARKDOWN_PICTURE = re.compile(
    r"!\[([^\[\]\n]*+)\]\(\s*+<?(@@PLUGINFILE@@/[^\s()<>]++)>?[^()\n]*+\)"
)
_HTML_PICTURE = re.compile(r"<img\b[^<>]*+>", re.IGNORECASE)
_DATA = re.compile(r"data:image/([a-z0-9]+)[^,]{0,80},", re.IGNORECASE)
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")
_LINK = re.compile(r"@@PLUGINFILE@@/([^\s\"'<>()?]++)")
_UNRESERVED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of a question, its pictures taken out of it.

    `lost` says of each picture that could not be had why; `others` names files that are no picture.
    """

    text: str = ""
    form: Form = Form.HTML
    pictures: tuple[Attachment, ...] = ()
    lost: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def passage(
    element: Element | None, form: Form, beside: Mapping[str, bytes], ours: bool = False
) -> Passage:
    """The text in `element`, in `form` where it names no other.

    `beside` holds what came with the file, by its name without folders. In a question that is
    `ours`, only the picture that we have put there is one.
    """
    if element is None:
        return Passage(form=form)
    if (named := element.get("format")) is not None:
        form = _FORMS.get(named.strip(), Form.MOODLE)  # as Moodle does
    text = element.findtext("text") or ""
    if "@@" not in text and "<" not in text and element.find("file") is None:
        return Passage(text, form)
    files = _Files(element, beside)
    if ours:
        text, tags = _our_picture(text, files)
    else:
        text, tags = _taken_out(text, form)
    for tag in tags:
        files.take(tag)
    if ours:
        return Passage(text, form, tuple(files.pictures), tuple(files.lost))
    linked = [unquoted(name) for name in _LINK.findall(text)]
    media = (
        [src.removeprefix(PLUGIN_FILE) for src in media_in(text)] if form is not Form.PLAIN else []
    )
    others = dict.fromkeys([*files.unused(), *linked, *media])
    shown = {tag.src.removeprefix(PLUGIN_FILE) for tag in tags}
    return Passage(
        text,
        form,
        tuple(files.pictures),
        tuple(files.lost),
        tuple(name for name in others if name not in files.seen and name not in shown),
    )


def picture_tag(kind: str, name: str, alt: str) -> str:
    """The tag of a picture that we write, where `passage` finds it again."""
    return f'<img class="{kind}" src="{PLUGIN_FILE}{_percent(name)}" alt="{html.escape(alt)}">'


def unbased(text: str) -> bytes | None:
    """The bytes that base64 stands for, white space in it left aside; None for what is none."""
    try:
        return binascii.a2b_base64("".join(text.split()), strict_mode=True) or None
    except (binascii.Error, ValueError):
        return None


def based(data: bytes) -> str:
    """Bytes as base64 on one line."""
    return binascii.b2a_base64(data, newline=False).decode()


def unquoted(address: str) -> str:
    """A file's name as an address writes it, without what follows “?”."""
    plain = address.partition("?")[0].encode()
    return _PERCENT.sub(lambda code: bytes([int(code[1], 16)]), plain).decode("utf-8", "replace")


class _Files:
    """The files in an element, and the pictures that were found among them."""

    def __init__(self, element: Element, beside: Mapping[str, bytes]) -> None:
        self.attached: dict[str, str] = {}
        for file in element.findall("file"):
            path = f"{file.get('path', '/')}/{file.get('name', '')}".strip("/")
            self.attached[re.sub("/{2,}", "/", path)] = file.text or ""
        self.beside = beside
        self.seen: set[str] = set()
        self.pictures: list[Attachment] = []
        self.lost: list[str] = []

    def unused(self) -> Iterator[str]:
        return (name for name in self.attached if name not in self.seen)

    def take(self, tag: ImageTag) -> None:
        if embedded := _DATA.match(tag.src):
            self._add(f"picture.{embedded[1].lower()}", tag, unbased(tag.src[embedded.end() :]))
            return
        path = unquoted(tag.src.removeprefix(PLUGIN_FILE))
        name = path.rpartition("/")[2]
        attached = next((each for each in (path, name) if each in self.attached), None)
        if attached is not None:
            self.seen.add(attached)
            self._add(name, tag, unbased(self.attached[attached]))
        elif name and name in self.beside:
            self._add(name, tag, self.beside[name])
        else:
            self.lost.append(f"its picture {quoted(tag.src)} is not in the file")

    def _add(self, name: str, tag: ImageTag, data: bytes | None) -> None:
        if data is None:
            self.lost.append(f"its picture {quoted(name)} is damaged: its base64 cannot be read")
        else:
            self.pictures.append(Attachment(name, data, tag.alt))


def _our_picture(text: str, files: _Files) -> tuple[str, list[ImageTag]]:
    found = _OUR_IMAGE.match(text) or _OUR_EXHIBIT.search(text, max(0, text.rfind("\n\n<img ")))
    if not found or unquoted(found["src"].removeprefix(PLUGIN_FILE)) not in files.attached:
        return text, []
    rest = text[: found.start("tag")] + text[found.end("tag") :]
    return rest, [ImageTag(found["src"], html.unescape(found["alt"]))]


def _taken_out(text: str, form: Form) -> tuple[str, list[ImageTag]]:
    """A text without its pictures, and these. In HTML they stay: markdown_of leaves them out."""
    if form is Form.PLAIN:
        return text, []
    if form is not Form.MARKDOWN:
        return text, pictures_in(text)
    tags = [ImageTag(src, alt) for alt, src in _MARKDOWN_PICTURE.findall(text)]
    text = _MARKDOWN_PICTURE.sub("", text)
    found = _HTML_PICTURE.findall(text)
    return _HTML_PICTURE.sub("", text), [*tags, *pictures_in("".join(found))]


def _percent(name: str) -> str:
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in name.encode())
