"""Screenshots are hostile until proven harmless: decode, check, and write a clean copy.

Nothing of the file that was handed in survives but its pixels.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

from common.errors import Invalid

FORMATS = ("JPEG", "PNG", "WEBP")
MAGIC = (
    (b"\xff\xd8\xff", "JPEG"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"RIFF", "WEBP"),
)
HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif")


@dataclass(frozen=True, slots=True)
class Clean:
    """A picture that may be shown: re-encoded `data`, its size in pixels, and what finds copies of it."""

    data: bytes
    suffix: str
    width: int
    height: int
    sha256: str
    likeness: str


def glance(head: bytes, size: int, *, max_bytes: int) -> None:
    """Refuse at the door what needs no decoding to refuse. `head` is the file's first 32 bytes.

    Raises:
        Invalid: too large, empty, HEIC, or none of the three formats.
    """
    if size > max_bytes:
        raise Invalid("picture_too_large", field="picture", limit_mb=max_bytes // 1024 // 1024)
    if size == 0:
        raise Invalid("picture_empty", field="picture")
    if head[4:8] == b"ftyp" and head[8:12] in HEIC_BRANDS:
        raise Invalid("picture_heic", field="picture")
    if not any(head.startswith(magic) for magic, _name in MAGIC) or (head[:4] == b"RIFF" and head[8:12] != b"WEBP"):
        raise Invalid("picture_not_image", field="picture")


def clean(data: bytes, *, max_pixels: int, max_side: int) -> Clean:
    """Decode, check and re-encode a picture.

    Args:
        max_pixels: more is refused before a pixel is decoded.
        max_side: larger pictures are shrunk to this many pixels on the longer side.

    Raises:
        Invalid: not one of the formats, damaged, animated, or too many pixels.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMATS) as probe:
                if probe.width * probe.height > max_pixels:
                    raise Invalid("picture_too_many_pixels", field="picture", limit_mp=max_pixels // 1_000_000)
                # A JPEG of a phone may carry a second picture (depth, HDR): only the first is ever decoded.
                if probe.format not in ("JPEG", "MPO") and getattr(probe, "n_frames", 1) != 1:
                    raise Invalid("picture_animated", field="picture")
                probe.verify()
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                upright = ImageOps.exif_transpose(image)
                pixels = upright.convert("RGB")
    except Invalid:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Invalid("picture_too_many_pixels", field="picture", limit_mp=max_pixels // 1_000_000) from None
    except UnidentifiedImageError:
        raise Invalid("picture_not_image", field="picture") from None
    except Exception:  # a decoder fed with nonsense may raise anything; whatever it is, the file is damaged
        raise Invalid("picture_damaged", field="picture") from None
    pixels.thumbnail((max_side, max_side))
    out = io.BytesIO()
    kind, suffix = ("PNG", ".png") if data.startswith(b"\x89PNG") else ("JPEG", ".jpg")
    pixels.save(out, kind, **({"optimize": False} if kind == "PNG" else {"quality": 90}))
    return Clean(
        data=out.getvalue(),
        suffix=suffix,
        width=pixels.width,
        height=pixels.height,
        sha256=hashlib.sha256(data).hexdigest(),
        likeness=difference_hash(pixels),
    )


HASH_SIDE = 32
"""The hash compares neighbours in a picture shrunk to this many rows. With 8, as is usual, two screens of one game
looked as alike as two copies of one screen."""

HASH_BITS = HASH_SIDE * HASH_SIDE


def difference_hash(image: Image.Image) -> str:
    """1,024 bits that stay nearly the same when a picture is resized or compressed again, as 256 hex digits."""
    small = image.convert("L").resize((HASH_SIDE + 1, HASH_SIDE), Image.Resampling.BILINEAR)
    levels = small.tobytes()
    width = HASH_SIDE + 1
    bits = [
        levels[row * width + column] > levels[row * width + column + 1]
        for row in range(HASH_SIDE)
        for column in range(HASH_SIDE)
    ]
    return f"{int(''.join('1' if bit else '0' for bit in bits), 2):0{HASH_BITS // 4}x}"


def differing_bits(one: str, two: str) -> int:
    """In how many bits two difference hashes differ."""
    return (int(one, 16) ^ int(two, 16)).bit_count()
