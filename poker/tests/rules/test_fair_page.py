"""docs/fair-dealing.md: its lines of Python verify a deal without our code."""

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from poker.rules import Deal
from poker.rules.cards import CARDS
from poker.rules.fair import WORDS_LIMIT
from poker.tests.rules.test_fair import dealt

PAGE = Path(__file__).parents[3].joinpath("docs", "fair-dealing.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
PRINTED = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def lines():
    """The functions of the page."""
    names = {}
    exec(BLOCKS[0], names)  # noqa: S102
    return names


def test_the_lines_print_what_the_page_says() -> None:
    command = [sys.executable, "-I", "-X", "utf8", "-c", "".join(BLOCKS)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)  # noqa: S603
    assert [done.stdout] == PRINTED


@pytest.mark.parametrize("number", range(20))
def test_the_lines_check_a_game(lines, number) -> None:
    random = Random(number)  # noqa: S311
    seed = random.randbytes(32)
    words = "".join(random.choice("ab ☃é\n:0") for _ in range(random.randint(0, WORDS_LIMIT)))
    deal, game, kept = dealt(seed, words)
    assert lines["commitment"](seed.hex()) == kept["commitment"]
    assert tuple(lines["deck"](seed.hex(), words)) == deal.deck
    for result, promised in zip(game.history, kept["promises"], strict=True):
        cards = " ".join(sorted(result.shown[1], key=CARDS.index))
        assert lines["promise"](seed.hex(), words, result.round, cards) == promised


def test_the_recipe_s_seed_for_the_computer_is_ours(lines) -> None:
    deal = Deal(bytes(32), "words")
    assert lines["block"]("00" * 32, "words", "computer").hex() == deal.computer_seed


def test_the_limits_are_named() -> None:
    assert f"up to {WORDS_LIMIT} characters" in PAGE
