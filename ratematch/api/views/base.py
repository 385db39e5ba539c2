"""What the views of rated matches share: who looks, and the match that they look at."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import prefetch_related_objects
from rest_framework.permissions import SAFE_METHODS

from accounts.api.base import ApiView
from accounts.models import ApiToken
from common.errors import Missing
from ratematch.api.serializers.matches import RatedMatchDetailSerializer
from ratematch.selectors import MatchView
from ratematch.services import deadlines

if TYPE_CHECKING:
    from ratematch.policies import Viewer


class RatematchView(ApiView):
    """A view whose public reads tell more to those whom it concerns."""

    read_scope, write_scope = ApiToken.READ, ApiToken.PLAY

    @property
    def viewer(self) -> Viewer:
        """Who looks. A token without the scope for it sees what everybody sees."""
        scope = self.read_scope if self.request.method in SAFE_METHODS else self.write_scope
        token = self.request.auth
        if isinstance(token, ApiToken) and scope in token.scopes:
            return self.user
        return AnonymousUser()

    def sent(self) -> dict[str, Any]:
        """What was sent, checked by the view's serializer."""
        form = self.get_serializer(data=self.request.data)
        form.is_valid(raise_exception=True)
        return form.validated_data

    def seen(self, match_id: int, now: datetime) -> MatchView:
        """The match as the viewer sees it, after its clock, if that has run out.

        Raises:
            Missing: there is no such match.
        """
        view = deadlines.current(match_id, self.viewer, now)
        if view is None:
            raise Missing("no_such_match")
        return view

    def shown(self, match_id: int, now: datetime) -> Any:
        """The match in JSON, as the viewer may see it."""
        view = self.seen(match_id, now)
        if view.match.outcome:
            prefetch_related_objects([view.match], "rating_changes")
        return RatedMatchDetailSerializer(view.match, context={"view": view}).data
