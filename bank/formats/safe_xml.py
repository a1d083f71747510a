"""XML that somebody brought -> elements, each with its line. It expands and fetches nothing.

On defusedxml: no entity is declared, no document type brings rules of its own (their attribute
defaults multiply as entities do), nothing outside the file is opened, and depth and number of
elements are bounded.
"""

from __future__ import annotations

import codecs
import re
from typing import Any
from xml.etree import ElementTree
from xml.parsers.expat import errors

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from bank.errors import BadFile, quoted
from bank.formats.reading import MOST_BYTES, Source

DEEPEST = 200  # elements in elements
MOST_ELEMENTS = 500_000  # a question has about 30

_ROOT = re.compile(r"<([A-Za-z_:][\w:.-]*+)")
_BEFORE_ROOT = re.compile(r"\s++|<\?[^>]*+>|<![A-Za-z][^>\[]*+>")


class Element(ElementTree.Element):
    """An element that knows the line where it begins."""

    line = 0


def line_of(element: ElementTree.Element) -> int:
    """The line, from 1, where an element of `parsed` begins."""
    return element.line if isinstance(element, Element) else 0


def parsed(source: Source) -> Element:
    """The root element. Raises BadFile, with the line where there is one."""
    name = quoted(source.name)
    if len(source.data) > MOST_BYTES:
        raise BadFile(
            f"{name} is larger than {MOST_BYTES // 2**20} MB. Split it into smaller files."
        )
    builder = _Builder()
    parser = _Parser(target=builder, forbid_dtd=True)
    builder.expat = parser.parser
    try:
        parser.feed(source.data)
        root = parser.close()
    except _Refused as refusal:
        raise BadFile(f"{name}, line {parser.parser.CurrentLineNumber}: {refusal}.") from None
    except DefusedXmlException as error:
        raise BadFile(
            f"{name}, line {parser.parser.CurrentLineNumber}: it declares entities or document "
            "type rules of its own, which I do not follow. Remove its “<!DOCTYPE …>”."
        ) from error
    except ParseError as error:
        said = str(error).split(": ")[0]
        if error.code == errors.codes[errors.XML_ERROR_INVALID_TOKEN] and not _is_utf8(source.data):
            said = "a character is not in the encoding that the file names"
        raise BadFile(
            f"{name}, line {error.position[0]}: this is not well-formed XML ({said}). "
            "Export the file again, or save it as UTF-8."
        ) from error
    except (ValueError, LookupError) as error:  # of the encoding that it names
        raise BadFile(f"{name} names an encoding that I cannot read. Save it as UTF-8.") from error
    if not isinstance(root, Element):
        raise BadFile(f"{name} holds no XML element.")
    return root


def root_name(source: Source) -> str:
    """The name of the root element as it is written, "" for what is no XML. It reads the start."""
    text = _start(source.data)
    at = 0
    while at < len(text):
        if text.startswith("<!--", at):
            at = text.find("-->", at) + 3
            if at < 3:
                return ""
        elif found := _BEFORE_ROOT.match(text, at):
            at = found.end()
        else:
            root = _ROOT.match(text, at)
            return root[1] if root else ""
    return ""


def _start(data: bytes) -> str:
    """The first part of a file as text, good enough to see what it is."""
    data = data[: 2**16]
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.removeprefix(codecs.BOM_UTF8).decode("latin-1")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class _Refused(Exception):
    """More or deeper than any question file is."""


class _Parser(DefusedXMLParser):
    """Takes a document type that only says its name: old exports of QTI have one."""

    def defused_start_doctype_decl(
        self, name: str, sysid: str | None, pubid: str | None, has_internal_subset: bool
    ) -> None:
        if has_internal_subset:
            super().defused_start_doctype_decl(name, sysid, pubid, has_internal_subset)


class _Builder(ElementTree.TreeBuilder):
    """Notes each element's line, and counts."""

    def __init__(self) -> None:
        super().__init__(element_factory=Element)
        self.expat: Any = None
        self.depth = 0
        self.elements = 0

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        self.depth += 1
        self.elements += 1
        if self.depth > DEEPEST:
            raise _Refused(f"elements stand in each other more than {DEEPEST} deep")
        if self.elements > MOST_ELEMENTS:
            raise _Refused(f"there are more than {MOST_ELEMENTS:,} elements up to here")
        element = super().start(tag, attrs)
        assert isinstance(element, Element)
        element.line = self.expat.CurrentLineNumber
        return element

    def end(self, tag: str) -> ElementTree.Element:
        self.depth -= 1
        return super().end(tag)
