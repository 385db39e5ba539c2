"""What the schema says of every call beside its own serializers: scope, Idempotency-Key, problems, rate headers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import SAFE_METHODS

from common.problems import CONTENT_TYPE

if TYPE_CHECKING:
    from accounts.api.base import ApiView

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="1 to 255 characters of your choice. The same call with the same key gets the same answer for a day.",
)
PROBLEM = {
    "type": "object",
    "description": "RFC 9457. `docs/errors.md` lists every `code`. Facts such as `state` are further members.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri", "example": "urn:banzuke:error:not_found"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "A sentence in the reader's language."},
        "code": {"type": "string"},
        "request_id": {"type": "string", "description": "As in the header `X-Request-ID`; our log knows it."},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "code", "detail"],
                "properties": {
                    "field": {"type": "string", "nullable": True},
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                },
            },
        },
    },
    "additionalProperties": True,
}
RATE_HEADERS = {
    "RateLimit-Limit": "Calls allowed in a window.",
    "RateLimit-Remaining": "Calls left in this window.",
    "RateLimit-Reset": "Seconds until the next window.",
}


class ApiSchema(AutoSchema):
    """drf-spectacular's schema of a view, with the scope and the idempotency key that `ApiView` adds."""

    view: ApiView  # type: ignore[override]  # set before any of this runs

    def get_override_parameters(self) -> list[Any]:
        return [] if self.method in SAFE_METHODS else [IDEMPOTENCY_KEY]

    def get_auth(self) -> list[dict[str, Any]]:
        return [{}] if self._public else super().get_auth()

    def get_description(self) -> str:  # type: ignore[override]  # drf-spectacular's own signature
        text = super().get_description()
        scope = self.view.read_scope if self.method in SAFE_METHODS else self.view.write_scope
        return text if self._public else f"{text}\n\nScope: `{scope}`."

    @property
    def _public(self) -> bool:
        return self.view.public and self.method in SAFE_METHODS


def add_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A hook of drf-spectacular: every call may answer with a problem, and every answer has the rate headers."""
    result["components"]["schemas"]["Problem"] = PROBLEM
    result["components"]["headers"] = {
        name: {"schema": {"type": "integer"}, "description": text} for name, text in RATE_HEADERS.items()
    }
    for path in result["paths"].values():
        for operation in path.values():
            problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
            operation["responses"]["default"] = {"description": "A problem.", "content": {CONTENT_TYPE: problem}}
            for answer in operation["responses"].values():
                own = answer.setdefault("headers", {})
                own.update({name: {"$ref": f"#/components/headers/{name}"} for name in RATE_HEADERS})
    return result
