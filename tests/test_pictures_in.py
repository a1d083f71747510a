"""Pictures that strangers bring: known by content, bounded, and bare of all that is not drawn."""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

from bank.errors import BadFile
from bank.formats import pictures
from bank.formats.pictures import LONGEST_SIDE, MOST_BYTES, checked
from bank.formats.reading import Attachment
from bot.settings import shipped_decks


def drawn(mode: str = "RGB", size: tuple[int, int] = (40, 20)) -> Image.Image:
    """A picture whose upper left corner is red, on another ground."""
    image = Image.new("RGB", size, "navy")
    image.paste("red", (0, 0, size[0] // 2, size[1] // 2))
    return image.convert(mode)


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def taken(data: bytes, name: str = "x") -> tuple[str, Image.Image, bytes]:
    """What became of a picture: its name, its pixels, its bytes."""
    attachment = checked(Attachment(name, data, "what it shows"))
    assert attachment.alt == "what it shows"
    image = Image.open(io.BytesIO(attachment.data))
    image.load()
    return attachment.name, image, attachment.data


def refusal(data: bytes, name: str = "x.png") -> str:
    with pytest.raises(BadFile) as refused:
        checked(Attachment(name, data))
    return refused.value.sentence


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data))


def png_of_size(width: int, height: int) -> bytes:
    """The head of a PNG that claims a size; its pixels are missing."""
    head = chunk(b"IHDR", struct.pack(">2L5B", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(10)))


def is_red(image: Image.Image, x: int, y: int) -> bool:
    red, green, blue = image.convert("RGB").getpixel((x, y))  # type: ignore[misc]
    return bool(red > 200 and green < 60 and blue < 60)


@pytest.mark.parametrize(
    ("kind", "suffix"), [("PNG", ".png"), ("JPEG", ".jpg"), ("GIF", ".png"), ("WEBP", ".jpg")]
)
def test_a_picture_is_known_by_its_content_and_named_after_it(kind: str, suffix: str) -> None:
    for name in ("x.svg", "folder/x", "x.tar.gif"):
        named, image, _ = taken(saved(drawn(), kind), name)
        assert named == name.replace(".svg", "").replace(".gif", "") + suffix
        assert image.size == (40, 20)
        assert is_red(image, 3, 3)
        assert not is_red(image, 30, 15)


def test_a_suffix_that_fits_is_kept() -> None:
    assert taken(saved(drawn(), "JPEG"), "a.JPEG")[0] == "a.JPEG"
    assert taken(saved(drawn(), "PNG"), "a.Png")[0] == "a.Png"


def test_what_is_no_picture_is_told_by_its_name() -> None:
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    assert refusal(svg, "x.svg").startswith("The picture “x.svg” is no PNG, JPEG, GIF or WebP.")
    for kind in ("BMP", "TIFF", "ICO", "PPM", "TGA"):
        assert "is no PNG, JPEG, GIF or WebP" in refusal(saved(drawn(), kind), "x.png")
    assert "is no PNG" in refusal(b"")


# What never passes


def test_nothing_passes_but_the_picture() -> None:
    exif = Image.Exif()
    exif[0x010E] = "SECRET"  # a description
    gps = exif.get_ifd(0x8825)
    gps[1], gps[2] = "N", (52.0, 31.0, 12.0)
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Author", "SECRET")
    texts.add_itxt("Comment", "SECRET")
    full = [
        saved(drawn(), "PNG", pnginfo=texts, exif=exif),
        saved(drawn(), "JPEG", exif=exif, comment=b"SECRET", icc_profile=b"SECRET" * 30),
        saved(drawn(), "WEBP", exif=exif, xmp=b"SECRET"),
        saved(drawn(), "WEBP", exif=exif, xmp=b"SECRET", lossless=True),
        saved(drawn(), "GIF", comment=b"SECRET"),
        saved(drawn(), "PNG", icc_profile=b"SECRET" * 30),
    ]
    for data in full:
        _, image, bare = taken(data)
        assert b"SECRET" not in bare
        assert len(bare) < 1000
        assert not image.getexif()
        assert not {"comment", "exif", "xmp", "icc_profile", "Author"} & image.info.keys()
        assert taken(bare)[2] == bare


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda png, jpeg: png + b"SECRET",
        lambda png, jpeg: png[:-12] + chunk(b"prVt", b"SECRET") + png[-12:],
        lambda png, jpeg: png[:-12] + chunk(b"pHYs", b"SECRET" * 10) + png[-12:],
        lambda png, jpeg: jpeg + b"SECRET",
        lambda png, jpeg: jpeg[:2] + b"\xff\xfe\x00\x08SECRET" + jpeg[2:],
        lambda png, jpeg: jpeg[:2] + b"\xff\xe0\x00\x10" + b"SECRET" * 2 + b"12" + jpeg[2:],
    ],
    ids=["after a PNG", "odd chunk", "large chunk", "after a JPEG", "comment", "second head"],
)
def test_a_picture_with_a_passenger_is_drawn_anew(spoilt: Callable[..., bytes]) -> None:
    png, jpeg = saved(drawn(), "PNG"), saved(drawn(), "JPEG")
    _, image, data = taken(spoilt(png, jpeg))
    assert is_red(image, 3, 3)
    assert b"SECRET" not in data


def test_a_png_whose_sums_are_wrong_does_not_keep_its_bytes() -> None:
    spoilt = saved(drawn(), "PNG")[:-4] + bytes(4)
    assert taken(spoilt)[2] == saved(drawn(), "PNG")


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photo_stands_the_way_up_that_its_camera_noted(orientation: int, kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    _, image, _ = taken(saved(drawn(), kind, exif=exif))
    corners = {1: (3, 3), 2: (36, 3), 3: (36, 16), 4: (3, 16)}
    turned = {5: (3, 3), 6: (16, 3), 7: (16, 36), 8: (3, 36)}
    assert image.size == ((40, 20) if orientation < 5 else (20, 40))
    assert is_red(image, *{**corners, **turned}[orientation])


# The very same bytes


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA"])
def test_a_clean_png_comes_back_as_the_very_same_bytes(mode: str) -> None:
    data = saved(drawn(mode), "PNG")
    assert taken(data)[2] == data


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_rows": 1}])
def test_a_clean_jpeg_is_not_encoded_twice(options: dict[str, Any]) -> None:
    for mode in ("L", "RGB", "CMYK"):
        data = saved(drawn(mode, (300, 200)), "JPEG", **options)
        assert taken(data)[2] == data


def test_every_picture_of_the_shipped_deck_comes_back_as_it_is() -> None:
    paths = sorted((shipped_decks() / "nca-aiio" / "images").glob("*.png"))
    assert paths
    assert all(taken(path.read_bytes())[2] == path.read_bytes() for path in paths)


def test_what_is_encoded_anew_is_always_the_same() -> None:
    data = saved(drawn("P"), "GIF", comment=b"x")
    assert taken(data)[2] == taken(data)[2]
    assert taken(taken(data)[2])[2] == taken(data)[2]


# Kinds of pixels


def test_what_is_transparent_stays_so() -> None:
    image = drawn("RGBA")
    image.putpixel((30, 15), (0, 0, 0, 0))
    for data in (
        saved(image, "GIF"),
        saved(image, "WEBP", lossless=True),
        saved(image, "WEBP"),
        saved(image, "PNG") + b"x",
        saved(image.quantize(), "PNG") + b"x",
    ):
        name, kept, _ = taken(data)
        assert name == "x.png"
        assert kept.getpixel((30, 15))[3] == 0  # type: ignore[index]
        assert is_red(kept, 3, 3)


def test_grey_of_sixteen_bits_keeps_its_shades() -> None:
    image = Image.new("I;16", (40, 20), 0x8000)
    _, kept, _ = taken(saved(image, "PNG") + b"x")
    assert kept.mode == "L"
    assert kept.getpixel((0, 0)) == 0x80


def test_what_moves_becomes_its_first_frame() -> None:
    frames = [Image.new("RGB", (40, 20), colour) for colour in ("blue", "lime")]
    for kind in ("GIF", "WEBP", "PNG"):
        data = saved(drawn(), kind, save_all=True, append_images=frames)
        _, image, _ = taken(data)
        assert getattr(image, "n_frames", 1) == 1
        assert is_red(image, 3, 3)


# Bounds


def test_a_large_picture_is_scaled_down_and_keeps_its_shape() -> None:
    _, image, _ = taken(saved(drawn("RGB", (3000, 1000)), "PNG"))
    assert image.size == (LONGEST_SIDE, 683)
    assert is_red(image, 10, 10)


def test_a_picture_that_no_png_could_hold_within_the_bound_becomes_a_jpeg() -> None:
    noise = Image.frombytes("RGB", (2000, 1900), random.Random(1).randbytes(2000 * 1900 * 3))
    name, image, data = taken(saved(noise, "PNG", compress_level=0), "noise.png")
    assert name == "noise.jpg"
    assert image.size == (2000, 1900)
    assert len(data) <= MOST_BYTES


def test_a_bomb_ends_before_its_pixels_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image.Image, "load", lambda self: pytest.fail("drawn"))
    assert pictures.MOST_PIXELS == 25_000_000
    for width, height in [(5001, 5000), (10_000, 10_000), (20_000, 20_000), (10**9, 1)]:
        sentence = refusal(png_of_size(width, height))
        assert "is larger than 25 million pixels" in sentence


def test_a_jpeg_of_endless_scans_ends_at_once() -> None:
    jpeg = saved(drawn("RGB", (3000, 3000)), "JPEG", progressive=True)
    last = jpeg.rfind(b"\xff\xda")
    assert "is damaged" in refusal(jpeg[:-2] + jpeg[last:-2] * 2000 + jpeg[-2:])


# Damage


def test_a_damaged_picture_ends_in_a_picture_or_a_sentence() -> None:
    rng = random.Random(11)
    exif = Image.Exif()
    exif[0x0112] = 6
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Author", "x", zip=True)
    whole = [
        saved(drawn(), "PNG", pnginfo=texts, exif=exif),
        saved(drawn("P"), "PNG"),
        saved(drawn(), "JPEG", exif=exif, progressive=True),
        saved(drawn(), "GIF", comment=b"x"),
        saved(drawn(), "WEBP", exif=exif),
        saved(drawn("RGBA"), "WEBP", lossless=True),
    ]
    for turn in range(1800):
        data = bytearray(whole[turn % len(whole)])
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        cut = len(data) if turn % 3 else rng.randrange(len(data))
        result = outcome(bytes(data[:cut]))
        assert result == "a picture" or result.startswith("The picture “x.png” is")


def outcome(data: bytes) -> str:
    try:
        bare = checked(Attachment("x.png", data)).data
    except BadFile as refused:
        return refused.sentence
    Image.open(io.BytesIO(bare), formats=("PNG", "JPEG")).load()
    return "a picture"
