"""docs/xiangqi-referee.md and its pictures say what the kernel does."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from docs.images.xiangqi import draw
from xiangqi.rules import Termination

PAGE = (draw.FOLDER.parents[1] / "xiangqi-referee.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"!\[([^\]]*)\]\(images/xiangqi/([\w-]+)\.svg\)(.*?)\*\*([^*]*)\*\*", PAGE, re.DOTALL)


def test_the_page_shows_every_picture_once_and_no_other():
    names = [diagram.name for diagram in draw.DIAGRAMS]
    assert sorted(name for _, name, _, _ in SHOWN) == sorted(names) == sorted(set(names))
    assert {path.stem for path in Path(draw.FOLDER).glob("*.svg")} == set(names)


@pytest.mark.parametrize("diagram", draw.DIAGRAMS, ids=lambda diagram: diagram.name)
class TestDiagram:
    def test_its_picture_is_what_would_be_drawn_today(self, diagram):
        assert (draw.FOLDER / f"{diagram.name}.svg").read_text(encoding="utf-8") == draw.picture(diagram)

    def test_its_picture_is_well_formed_and_has_a_title(self, diagram):
        root = ElementTree.fromstring(draw.picture(diagram))  # noqa: S314
        assert root[0].text == diagram.title

    def test_the_page_tells_its_end(self, diagram):
        (told,) = [(alt, end) for alt, name, _, end in SHOWN if name == diagram.name]
        assert told == (diagram.title, draw.verdict(diagram))


def test_the_page_names_every_end_of_the_referee_by_its_row():
    rows = {
        termination.value: int(row)
        for row, cell in re.findall(r"^\| (\d) \|.*\| ([^|]*) \|$", PAGE, re.MULTILINE)
        for termination in Termination
        if f"`{termination.value}`" in cell
    }
    assert rows == {end.value: end.rule for end in Termination if end.rule}
