"""Screenshots of a game that doesn't exist, drawn so that a moderator has something to judge by."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime

from PIL import Image, ImageDraw, ImageFont

SIZE = (1280, 800)
BACK, PANEL, LINE, TEXT, DIM, GOLD = "#16202e", "#22314a", "#d9a441", "#f2f5fa", "#93a4bd", "#ffd479"
ROW = 128


def history(rows: Sequence[tuple[str, str, str]], at: datetime) -> bytes:
    """The game's list of past matches as PNG. Each row is a name, the opponent's name and how it went; newest first."""
    image, draw = _sheet(f"HISTORY   {at:%m/%d %H:%M}")
    for number, row in enumerate(rows):
        _row(draw, number, row, marked=number == 0)
    return _encoded(image, "PNG")


def result(winner: str, loser: str, *, score: str, took: str, room: str) -> bytes:
    """The screen right after a match as JPEG. It shows no time of day, as such screens often don't."""
    image, draw = _sheet("RESULT")
    own, other = score.split("-")
    for number, row in enumerate(
        [(winner, own, "WINNER"), (loser, other, ""), ("TIME", took, ""), ("ROOM", room, "")],
    ):
        _row(draw, number, row, marked=number == 0)
    return _encoded(image, "JPEG")


def _sheet(title: str) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", SIZE, BACK)
    draw = ImageDraw.Draw(image)
    draw.text((56, 48), title, fill=TEXT, font=_font(52))
    return image, draw


def _row(draw: ImageDraw.ImageDraw, number: int, words: tuple[str, str, str], *, marked: bool) -> None:
    top = 160 + number * (ROW + 20)
    draw.rectangle((48, top, 1232, top + ROW), fill=PANEL)
    if marked:
        draw.rectangle((48, top, 58, top + ROW), fill=LINE)
    left, middle, right = words
    draw.text((88, top + 40), left, fill=GOLD if marked else TEXT, font=_font(44))
    draw.text((600, top + 40), middle, fill=DIM, font=_font(44))
    draw.text((1192, top + 40), right, fill=GOLD if marked else TEXT, font=_font(44), anchor="ra")


def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)


def _encoded(image: Image.Image, kind: str) -> bytes:
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()
