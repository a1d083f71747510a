"""Zips are unpacked in memory and within bounds, whatever they say about themselves."""

from __future__ import annotations

import io
import random
import struct
import sys
import zipfile

import pytest

from bank.errors import BadFile
from bank.formats import safe_zip
from bank.formats.reading import Source
from bank.formats.safe_zip import files_of, is_zip, names_in, some_of


def zipped(
    *files: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return packed.getvalue()


def source(*files: tuple[str | zipfile.ZipInfo, bytes]) -> Source:
    return Source("pack.zip", zipped(*files))


def refusal(packed: Source) -> str:
    with pytest.raises(BadFile) as refused:
        files_of(packed)
    return refused.value.sentence


def test_files_come_in_their_order_with_plain_relative_names() -> None:
    packed = source(("b/./two.txt", b"2"), ("a.txt", b"1"), ("b//three.txt", b"3"), ("empty/", b""))
    assert files_of(packed) == [
        Source("b/two.txt", b"2"),
        Source("a.txt", b"1"),
        Source("b/three.txt", b"3"),
    ]
    assert names_in(packed) == ["b/two.txt", "a.txt", "b/three.txt"]


def test_one_name_has_one_spelling_however_its_accents_were_written() -> None:
    assert names_in(source(("u\u0308bung.png", b""))) == ["übung.png"]


def test_only_what_is_wanted_is_unpacked() -> None:
    packed = source(("a", b"1"), ("big", bytes(2**20)), ("c", b"3"))
    assert some_of(packed, {"a", "c", "not there"}, most_bytes=2) == [
        Source("a", b"1"),
        Source("c", b"3"),
    ]


def test_what_systems_leave_behind_is_left_out() -> None:
    left = ["__MACOSX/._a.txt", "x/.DS_Store", "Thumbs.db", "x/desktop.ini", "x/._a.txt"]
    assert files_of(source(("a.txt", b"1"), *((name, b"") for name in left))) == [
        Source("a.txt", b"1")
    ]


def test_a_zip_is_known_by_its_content() -> None:
    assert is_zip(Source("notes.txt", zipped(("a", b""))))
    assert is_zip(Source("empty.zip", zipped()))
    assert files_of(Source("empty.zip", zipped())) == []
    assert not is_zip(Source("pack.zip", b"PK is what a zip begins with"))
    assert not is_zip(Source("pack.zip", b""))


@pytest.mark.parametrize(
    "name",
    ["../evil", "a/../../evil", "/etc/passwd", "C:/evil", "c:evil", "..\\evil", "a\\b", "a\nb"],
)
def test_a_name_that_leads_outside_is_refused(name: str) -> None:
    sentence = refusal(source(("fine.txt", b""), (name, b"")))
    assert "is not a plain path inside the zip" in sentence
    assert "\n" not in sentence


def test_a_name_that_ends_early_is_judged_as_a_whole() -> None:
    packed = zipped(("fine.txtX/../evil", b"")).replace(b"fine.txtX", b"fine.txt\0")
    assert "is not a plain path" in refusal(Source("pack.zip", packed))


def test_a_name_that_stands_twice_is_told() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        packed = zipped(("a.txt", b"1"), ("a.txt", b"2"))
    assert "holds “a.txt” twice" in refusal(Source("pack.zip", packed))
    assert "holds “a/b” twice" in refusal(source(("a/b", b""), ("a/./b", b"")))


def test_a_link_is_refused() -> None:
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    assert "is a link or a device" in refusal(source((link, b"/etc/passwd")))


def test_a_password_is_told() -> None:
    packed = bytearray(zipped(("a.txt", b"secret")))
    packed[6] |= 1
    packed[packed.find(b"PK\x01\x02") + 8] |= 1
    assert "is locked with a password" in refusal(Source("pack.zip", bytes(packed)))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_method_that_takes_as_much_memory_as_it_asks_for_is_refused(method: int) -> None:
    packed = Source("pack.zip", zipped(("a.txt", b"text"), method=method))
    assert "packed in a way that I cannot unpack" in refusal(packed)


# Bombs


def test_a_bomb_ends_at_the_bound() -> None:
    bomb = zipped(("zeros", bytes(safe_zip.MOST_UNPACKED + 1)))
    assert len(bomb) < 2**17
    assert "holds more than 50 MB unpacked" in refusal(Source("pack.zip", bomb))


def test_the_bound_is_one_for_all_files_together() -> None:
    packed = source(("a", bytes(600)), ("b", bytes(600)))
    assert len(files_of(packed, most_bytes=1200)) == 2
    with pytest.raises(BadFile, match="too much"):
        files_of(packed, most_bytes=1199)


def test_a_size_that_a_zip_states_is_not_believed() -> None:
    bomb = zipped(("zeros", bytes(10**6)))
    told = struct.pack("<L", 10**6)
    assert bomb.count(told) == 2
    for stated in (10, 2**31):
        lying = Source("pack.zip", bomb.replace(told, struct.pack("<L", stated)))
        with pytest.raises(BadFile, match=r"too much|damaged"):
            files_of(lying, most_bytes=1000)


def test_members_that_share_their_bytes_are_refused() -> None:
    inner = zipped(("a", bytes(10**6)))
    start = inner.find(b"PK\x01\x02")
    entry = inner[start : inner.find(b"PK\x05\x06")]
    entries = b"".join(entry[:46] + name + entry[47:] for name in (b"a", b"b", b"c"))
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 3, 3, len(entries), start, 0)
    assert "overlap" in refusal(Source("pack.zip", inner[:start] + entries + end))


def test_a_zip_inside_stays_packed() -> None:
    bomb = zipped(("zeros", bytes(10**7)))
    nested = source(*((f"{number}.zip", bomb) for number in range(50)))
    assert [len(file.data) for file in files_of(nested)] == [len(bomb)] * 50


def test_too_many_members_are_told_before_the_directory_is_read() -> None:
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", *[0] * 16)
    packed = b"PK\x03\x04" + entry * (10 * 2**20 // len(entry))
    assert "holds more than 5,000 files" in refusal(Source("pack.zip", packed))


def test_nothing_is_written_to_disk() -> None:
    opened: list[str] = []
    watching = True

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if watching and event == "open":
            opened.append(str(arguments[0]))

    packed = source(("a.txt", b"1"))
    sys.addaudithook(watch)
    files_of(packed)
    watching = False
    assert opened == []


# Damage


def sentence_of(packed: Source) -> str:
    """The refusal, or "" where the files came out, each under a plain name."""
    try:
        files = files_of(packed)
    except BadFile as refused:
        return refused.sentence
    assert not [file for file in files if file.name.startswith("/") or "\\" in file.name]
    return ""


def test_a_damaged_zip_ends_in_a_sentence() -> None:
    rng = random.Random(7)
    whole = zipped(*((f"folder/{n}.xml", rng.randbytes(50) + bytes(200)) for n in range(8)))
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 6)):
            data[rng.randrange(4, len(data))] = rng.randrange(256)
        cut = rng.choice([len(data), rng.randrange(4, len(data))])
        packed = Source("pack.zip", bytes(data[:cut]))
        if sentence := sentence_of(packed):
            assert sentence.startswith("“")
            assert sentence.endswith(".")
