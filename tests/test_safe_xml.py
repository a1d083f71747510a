"""XML is read with its lines, and what would blow up, reach out or never end is one sentence."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank.errors import BadFile
from bank.formats.reading import Source
from bank.formats.safe_xml import DEEPEST, line_of, parsed, root_name

MEGABYTES = 10_000_000


def refusal(data: bytes) -> str:
    """The sentence that refuses a file of these bytes."""
    with pytest.raises(BadFile) as caught:
        parsed(Source("bank.xml", data))
    return caught.value.sentence


def test_every_element_knows_its_line() -> None:
    root = parsed(
        Source("bank.xml", b"<?xml version='1.0'?>\n<quiz>\n  <a/><b>\n<c\n/></b></quiz>")
    )
    assert {each.tag: line_of(each) for each in root.iter()} == {"quiz": 2, "a": 3, "b": 3, "c": 4}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(end: str) -> None:
    root = parsed(Source("bank.xml", end.join(["<quiz>", "", "<a/>", "</quiz>"]).encode()))
    assert line_of(root[0]) == 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1252", "iso-8859-1"])
def test_the_encoding_that_a_file_names_is_followed(encoding: str) -> None:
    said = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{said}"?><quiz>é “x”</quiz>'
    if encoding == "iso-8859-1":
        text = text.replace("“", "«").replace("”", "»")
    assert parsed(Source("bank.xml", text.encode(encoding))).text == text[text.index("é") : -7]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("<?xml version='1.0'?>\n<quiz>é</quiz>".encode("cp1252"), "line 2"),
        ("<?xml version='1.0' encoding='utf-16'?><quiz>é</quiz>".encode(), "line 1"),
        ("<?xml version='1.0' encoding='utf-8'?><quiz>é</quiz>".encode("utf-16"), "line 1"),
        (b"<?xml version='1.0' encoding='klingon'?><quiz/>", "encoding"),
        (b"<?xml version='1.0' encoding='shift-jis'?><quiz/>", "encoding"),
        (b"<?xml version='1.0' encoding='hex'?><quiz/>", "encoding"),
    ],
)
def test_a_wrong_encoding_is_told(data: bytes, said: str) -> None:
    sentence = refusal(data)
    assert said in sentence
    assert "Save it as UTF-8" in sentence or "save it as UTF-8" in sentence


def test_a_mistake_is_told_by_its_line() -> None:
    assert refusal(b"<quiz>\n<a>\n</b></quiz>") == (
        "“bank.xml”, line 3: this is not well-formed XML (mismatched tag). "
        "Export the file again, or save it as UTF-8."
    )
    assert "line 2" in refusal(b"<quiz>\n&nbsp;</quiz>")
    assert "no element found" in refusal(b"")


LAUGHS = b"<!DOCTYPE q [<!ENTITY a '" + b"ha" * 10 + b"'>" + b"".join(
    b"<!ENTITY %c '%s'>" % (98 + level, b"&%c;" % (97 + level) * 10) for level in range(9)
) + b"]><q>&j;</q>"  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        LAUGHS,
        b"<!DOCTYPE q [<!ENTITY a '" + b"x" * 100_000 + b"'>]><q>" + b"&a;" * 100_000 + b"</q>",
        b'<!DOCTYPE q [<!ENTITY a SYSTEM "file:///etc/hostname">]><q>&a;</q>',
        b'<!DOCTYPE q [<!ENTITY % a SYSTEM "https://example.org/a"> %a;]><q/>',
        b'<!DOCTYPE q [<!NOTATION n SYSTEM "x"><!ENTITY a SYSTEM "b" NDATA n>]><q/>',
        b"<!DOCTYPE q [<!ATTLIST a b CDATA '" + b"x" * 100_000 + b"'>]><q>" + b"<a/>" * 100_000,
        b"<!DOCTYPE q [<!ELEMENT q ANY>]><q/>",
    ],
    ids=["laughs", "quadratic", "external", "parameter", "notation", "defaults", "element"],
)
def test_rules_of_a_files_own_are_refused_before_they_cost_anything(data: bytes) -> None:
    begun = time.process_time()
    assert "<!DOCTYPE" in refusal(data)
    assert time.process_time() - begun < 1


def test_a_document_type_that_only_says_its_name_is_no_harm() -> None:
    data = b'<!DOCTYPE questestinterop SYSTEM "file:///ims_qtiasiv1p2.dtd">\n<q>a</q>'
    assert parsed(Source("bank.xml", data)).text == "a"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<a>" * (MEGABYTES // 3), f"more than {DEEPEST} deep"),
        (b"<q>" + b"<a/>" * (MEGABYTES // 5), "more than 500,000 elements"),
        (b"<q><![CDATA[" + b"x" * MEGABYTES, "unclosed CDATA"),
        (b"<" * MEGABYTES, "not well-formed"),
        (b" " * MEGABYTES, "no element"),
        (b"<q>" + b"x" * (11 * 2**20) + b"</q>", "larger than 10 MB"),
    ],
    ids=["deep", "many", "cdata", "brackets", "spaces", "large"],
)
def test_ten_megabytes_of_nonsense_end_in_a_sentence(data: bytes, said: str) -> None:
    begun = time.process_time()
    assert said in refusal(data)
    assert time.process_time() - begun < 10


def test_as_deep_as_is_allowed_is_read() -> None:
    root = parsed(Source("bank.xml", b"<a>" * DEEPEST + b"</a>" * DEEPEST))
    assert len(list(root.iter())) == DEEPEST


def test_ten_megabytes_of_text_are_read() -> None:
    text = b"x\n]" * (MEGABYTES // 3)
    root = parsed(Source("bank.xml", b"<q><![CDATA[" + text + b"]]></q>"))
    assert root.text == text.decode()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"<quiz>", "quiz"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <a> -->\n<!DOCTYPE b>\n<x:quiz/>", "x:quiz"),
        ("<?xml version='1.0' encoding='utf-16'?><quiz/>".encode("utf-16"), "quiz"),
        (b"quiz <quiz>", ""),
        (b"<!-- <quiz>", ""),
        (b"", ""),
        (b"<1>", ""),
    ],
)
def test_the_root_is_seen_without_reading_the_file(data: bytes, name: str) -> None:
    assert root_name(Source("bank.xml", data)) == name


PIECES = (
    *(b"<a>", b"</a>", b"<a b='c'>", b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<?x", b"?>", b"x:y"),
    *(b"&lt;", b"&x;", b"&#0;", b"<!DOCTYPE a", b"[", b"]>", b"\xff\xfe", b"\0", b"\xef\xbb\xbf"),
    *(b"<?xml version='1.0' encoding='utf-8'?>", b"\n", b"'", b'"', b"<", b">"),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=4), max_size=12).map(b"".join))
def test_any_bytes_are_read_or_refused_in_a_sentence(data: bytes) -> None:
    source = Source("bank.xml", data)
    root_name(source)
    sentence = ""
    try:
        parsed(source)
    except BadFile as refused:
        sentence = refused.sentence
    assert not sentence or sentence.endswith(".")
