"""axe-core, run in a page that playwright has open."""

from functools import cache
from pathlib import Path
from typing import Any

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@cache
def _axe() -> str:
    return (Path(__file__).parent / "axe" / "axe.min.js").read_text()


def violations(page: Any) -> list[str]:
    """What axe finds wrong with `page` (WCAG 2.0 to 2.2, A and AA, and best practice), a line for each."""
    page.evaluate(_axe())
    found = page.evaluate("rules => axe.run({runOnly: rules})", RULES)["violations"]
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]


def sideways(page: Any) -> int:
    """How many pixels `page` is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


def small_targets(page: Any) -> list[str]:
    """Controls standing alone that are smaller than 44 by 44 px. Links in running text and in tables are exempt."""
    return page.evaluate(
        """selector => [...document.querySelectorAll(selector)]
            .filter((element) => element.checkVisibility())
            .map((element) => [element.outerHTML, (element.closest(".pick") ?? element).getBoundingClientRect()])
            .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
            .map(([html, box]) => `${Math.round(box.width)} by ${Math.round(box.height)}: ${html.slice(0, 100)}`)""",
        "button, summary, .btn, input:not([type=hidden]), select, textarea, .games a, .subnav a, .pager a, .tool",
    )
