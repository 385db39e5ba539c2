"""How log lines look: one JSON object a line for machines, or one readable line for people. With the request's id, and
without addresses of people or keys."""

from __future__ import annotations

import re
from typing import Any

import structlog
from structlog.typing import EventDict, WrappedLogger

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
FORMATS = ("text", "json")

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
KEY = re.compile(r"\b(bz|whsec)_[\w+/=]{8,}")
SHOWN = ("event", "level", "logger", "timestamp", "exception", "stack")


def settings_for(level: str, form: str) -> dict[str, Any]:
    """`LOGGING` for Django.

    Args:
        level: the lowest that is written, one of LEVELS.
        form: one of FORMATS.
    """
    before: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(["request_id", "method", "route", "status", "ms"]),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    after: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, without_secrets]
    after.append(structlog.processors.JSONRenderer(ensure_ascii=False) if form == "json" else as_text)
    line = {"()": structlog.stdlib.ProcessorFormatter, "foreign_pre_chain": before, "processors": after}
    ours: dict[str, Any] = {"handlers": [], "propagate": True}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": line},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.server": ours,
            "django.request": {"level": "ERROR"},  # a refusal is an answer: 404 and 409 are nobody's trouble
            "celery": ours | {"level": "WARNING"},
            "uvicorn": ours | {"level": "WARNING"},
            "uvicorn.error": ours | {"level": "WARNING"},
        },
    }


def without_secrets(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Mask what exceptions and libraries may put into a line: e-mail addresses, tokens, webhooks' secrets."""
    for field, value in event.items():
        if isinstance(value, str):
            event[field] = KEY.sub(r"\1_…", EMAIL.sub("…@…", value))
    return event


def as_text(logger: WrappedLogger, name: str, event: EventDict) -> str:
    """`2026-03-01 12:00:00,123 WARNING common.hub words request_id=…`; what the supervisor looks for comes first."""
    day, _, time = str(event["timestamp"]).partition("T")
    facts = "".join(f" {field}={value}" for field, value in event.items() if field not in SHOWN)
    trouble = "".join(f"\n{event[field]}" for field in ("exception", "stack") if event.get(field))
    clock = time[:12].replace(".", ",")
    return f"{day} {clock} {str(event['level']).upper()} {event['logger']} {event['event']}{facts}{trouble}"
