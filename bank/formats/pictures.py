"""Pictures as strangers bring them -> pictures that may be shown: known by content, bounded, bare.

What is not needed to draw a picture never passes: where a photo was taken, texts, thumbnails.
"""

from __future__ import annotations

import re
import struct
import warnings
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import PurePosixPath

from PIL import Image, UnidentifiedImageError

from bank.errors import BadFile, quoted
from bank.formats.reading import Attachment

MOST_PIXELS = 25_000_000
MOST_BYTES = 8 * 2**20  # of a picture as it is kept: Discord takes 10 MB in a group without boosts
LONGEST_SIDE = 2048

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
_SUFFIXES = {"PNG": (".png",), "JPEG": (".jpg", ".jpeg")}
_QUALITIES = (90, 75)  # of a JPEG; the second only where the first is too large
_TRANSPARENT = ("RGBA", "LA", "PA", "RGBa", "La")

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PNG_DRAWN = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS"}
_PNG_COLOURS = {b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"bKGD", b"pHYs"}  # of fixed, small size

_JPEG_SCAN = b"\xff\xda"
_JPEG_END = 0xD9
# Each scan of a progressive JPEG goes over the whole picture again; encoders write about ten.
_MOST_SCANS = 32
_JPEG_DRAWN = {*range(0xC0, 0xD0), 0xDA, 0xDB, 0xDC, 0xDD}  # frames, tables, scans, intervals
# How the colours and the density are meant; 14 and 12 bytes leave no room for a thumbnail.
_JPEG_KINDS = {0xE0: (b"JFIF\0", 14), 0xEE: (b"Adobe", 12)}
_JPEG_NEXT = re.compile(rb"\xff+([^\x00\xd0-\xd7\xff])")

_ORIENTATION = 0x0112  # the EXIF tag, whose values turn and mirror as follows
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

# What Pillow raises over bytes that are no sound picture.
_DAMAGE = (
    OSError,
    RuntimeError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    EOFError,
    MemoryError,
    struct.error,
    zlib.error,
)


def checked(attachment: Attachment) -> Attachment:
    """The picture as a PNG or JPEG that holds nothing but the picture, the way up it is meant.

    A PNG or JPEG comes back as the very same bytes when it is whole, within the bounds, and holds
    nothing beside the picture. Everything else is encoded anew: a JPEG, and a WebP photo, as JPEG,
    the rest as PNG; of what moves, the first frame; at most LONGEST_SIDE pixels long and MOST_BYTES
    large, for which a huge PNG becomes a JPEG on white. Colours are taken as sRGB.

    Raises BadFile for what is no PNG, JPEG, GIF or WebP, has too many pixels, or is damaged.
    """
    with warnings.catch_warnings():
        # What Pillow warns of is either refused here or, such as odd metadata, dropped.
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        return _checked(attachment)


def _checked(attachment: Attachment) -> Attachment:
    found, image = _opened(attachment)
    try:
        image.load()
        if _is_clean(attachment.data, found) and _is_small(image, attachment.data):
            data, kept = attachment.data, found
        else:
            data, kept = _encoded(attachment, image, found)
    except _DAMAGE as error:
        raise _damaged(attachment) from error
    return Attachment(_named(attachment.name, kept), data, attachment.alt)


def _opened(attachment: Attachment) -> tuple[str, Image.Image]:
    """The picture, its pixels not yet read, and its format by its content."""
    try:
        image = Image.open(BytesIO(attachment.data), formats=_FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_large(attachment) from error
    except UnidentifiedImageError as error:
        raise BadFile(
            f"The picture {quoted(attachment.name)} is no PNG, JPEG, GIF or WebP. "
            "Please save it as one of these."
        ) from error
    except _DAMAGE as error:
        raise _damaged(attachment) from error
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise _too_large(attachment)
    found = "JPEG" if image.format == "MPO" else image.format or ""
    if found == "JPEG" and attachment.data.count(_JPEG_SCAN) > _MOST_SCANS:
        raise _damaged(attachment)
    return found, image


def _is_small(image: Image.Image, data: bytes) -> bool:
    return max(image.size) <= LONGEST_SIDE and len(data) <= MOST_BYTES


def _encoded(attachment: Attachment, image: Image.Image, found: str) -> tuple[bytes, str]:
    """The picture's pixels encoded anew, and in which format."""
    turn = _TURNS.get(image.getexif().get(_ORIENTATION, 1))
    bare = _bare(image)
    bare.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    if turn is not None:
        bare = bare.transpose(turn)
    is_photo = found == "JPEG" or (found == "WEBP" and b"VP8L" not in attachment.data)
    if not is_photo or bare.mode == "RGBA":
        data = _saved(bare, "PNG")
        if len(data) <= MOST_BYTES:
            return data, "PNG"
    for quality in _QUALITIES:
        data = _saved(_on_white(bare), "JPEG", quality=quality)
        if len(data) <= MOST_BYTES:
            return data, "JPEG"
    raise _too_large(attachment)


def _bare(image: Image.Image) -> Image.Image:
    """The pixels alone, as grey, colour, or colour with transparency."""
    if image.mode in _TRANSPARENT or image.has_transparency_data:
        mode = "RGBA"
    elif image.mode.startswith("I"):
        # Grey of 16 bits, which `convert` would cut off at 255.
        image = image.convert("I").point(lambda value: value / 256)
        mode = "L"
    else:
        mode = "L" if image.mode in ("1", "L") else "RGB"
    bare = image if image.mode == mode else image.convert(mode)
    bare.info = {}  # what Pillow would write again: comments, a colour profile
    return bare


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode != "RGBA":
        return image
    white = Image.new("RGBA", image.size, "white")
    white.alpha_composite(image)
    return white.convert("RGB")


def _saved(image: Image.Image, kept: str, **options: int) -> bytes:
    out = BytesIO()
    image.save(out, kept, **options)
    return out.getvalue()


def _named(name: str, kept: str) -> str:
    """The name with a suffix that matches the format."""
    path = PurePosixPath(name)
    if path.suffix.lower() in _SUFFIXES[kept]:
        return name
    stem = name.removesuffix(path.suffix) if path.suffix else name
    return f"{stem}{_SUFFIXES[kept][0]}"


def _is_clean(data: bytes, found: str) -> bool:
    """True when a PNG or a JPEG is whole and holds what draws it and nothing else."""
    return (found == "PNG" and _is_clean_png(data)) or (found == "JPEG" and _is_clean_jpeg(data))


def _is_clean_png(data: bytes) -> bool:
    kinds: list[bytes] = []
    at = len(_PNG_SIGNATURE)
    while at < len(data):
        if at + 12 > len(data):
            return False
        length, kind = struct.unpack_from(">L4s", data, at)
        end = at + 12 + length
        if kind not in _PNG_DRAWN | _PNG_COLOURS or end > len(data):
            return False
        if kind in _PNG_COLOURS and (kind in kinds or length > 32):
            return False
        (check,) = struct.unpack_from(">L", data, end - 4)
        if zlib.crc32(memoryview(data)[at + 4 : end - 4]) != check:
            return False
        kinds.append(kind)
        at = end
    return kinds[-1:] == [b"IEND"] and kinds.count(b"IEND") == 1


def _is_clean_jpeg(data: bytes) -> bool:
    markers = list(_jpeg_markers(data))
    kinds = [marker for marker in markers if marker in _JPEG_KINDS]
    return markers[-1] == _JPEG_END and None not in markers and len(kinds) == len(set(kinds))


def _jpeg_markers(data: bytes) -> Iterator[int | None]:
    """The markers of a JPEG up to its end; None where something stands that is not needed."""
    at = 2
    while (found := _JPEG_NEXT.match(data, at)) is not None:
        marker, at = found[1][0], found.end()
        if marker == _JPEG_END:
            yield marker if at == len(data) else None
            return
        if not _is_needed(marker, data[at : at + 16]):
            break
        yield marker
        at += int.from_bytes(data[at : at + 2], "big")
        if marker == _JPEG_SCAN[1]:
            # Behind its head a scan has no length: it ends at the next marker.
            following = _JPEG_NEXT.search(data, at)
            at = following.start() if following else len(data)
    yield None


def _is_needed(marker: int, begins: bytes) -> bool:
    """Whether a segment is there to draw the picture; `begins` are its length and first bytes."""
    name, size = _JPEG_KINDS.get(marker, (b"", 0))
    if not name:
        return marker in _JPEG_DRAWN
    return begins[2:].startswith(name) and int.from_bytes(begins[:2], "big") == size + 2


def _too_large(attachment: Attachment) -> BadFile:
    return BadFile(
        f"The picture {quoted(attachment.name)} is larger than {MOST_PIXELS // 10**6} million "
        "pixels. Please scale it down."
    )


def _damaged(attachment: Attachment) -> BadFile:
    return BadFile(
        f"The picture {quoted(attachment.name)} is damaged, so I cannot take it. "
        "Please save it anew."
    )
