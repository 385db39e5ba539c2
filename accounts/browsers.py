"""Which browser on which system a User-Agent header names: enough to recognise one's own, and no more."""

BROWSERS = (  # the first that fits: most of them also claim to be Chrome and Safari
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("YaBrowser/", "Yandex"),
    ("MicroMessenger/", "WeChat"),
    ("Line/", "LINE"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
)


def describe(user_agent: str) -> tuple[str, str]:
    """Browser and system, such as ("Firefox", "Windows"); an empty word where the header doesn't say."""
    return _first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)


def _first(names: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for mark, name in names if mark in text), "")
