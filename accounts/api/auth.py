"""Who calls the API, and whether the token that was shown may do this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from knox.crypto import hash_token
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.models import ApiToken, User
from common.errors import Forbidden

if TYPE_CHECKING:
    from accounts.api.base import ApiView


class TokenAuthentication(KnoxTokenAuthentication):
    """`Authorization: Bearer bz_…`. Found by its whole hash, in one query; the hourly tidying deletes expired ones."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        digest = hash_token(token.decode("latin-1"))
        found = ApiToken.objects.select_related("user").filter(digest=digest).first()
        if found is None:
            raise AuthenticationFailed(_("Invalid token."))
        if found.expiry is not None and found.expiry <= timezone.now():
            raise AuthenticationFailed(_("This token has expired. Make another one."), code="token_expired")
        return self.validate_user(found)


class HasScope(BasePermission):
    """Lets a call through when its token has the scope that the view names for reading or for writing.

    A view that names none is closed, unless it says `public = True` for its reads.
    """

    def has_permission(self, request: Request, view: ApiView) -> bool:  # type: ignore[override]
        reads = request.method in SAFE_METHODS
        if (view.public and reads) or view.handler_of(request) is None:  # 405 is a better answer than 403
            return True
        if not request.user.is_authenticated:
            return False
        scope = view.read_scope if reads else view.write_scope
        if scope is None:
            return False
        if not isinstance(request.auth, ApiToken) or scope not in request.auth.scopes:
            raise Forbidden("scope_missing", scope=scope)
        return True


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema shows tokens."""

    target_class = "accounts.api.auth.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token from your settings, `bz_…`."}
