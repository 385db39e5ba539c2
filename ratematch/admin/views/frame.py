"""What the moderators' pages share: who may enter, who asks, and the frame around a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.models import User
from common.errors import Refusal
from common.problems import text_for
from ratematch.admin import keys, queue
from ratematch.models import Case
from ratematch.policies import can_moderate

if TYPE_CHECKING:
    from ratematch.policies import Viewer

View = Callable[..., HttpResponse]


def only(may: Callable[[Viewer], bool]) -> Callable[[View], View]:
    """A view for those staff of whom the policy says yes; `admin_view` around it has sent strangers to sign in."""

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            if not may(request.user):
                raise PermissionDenied
            return view(request, **kwargs)

        return guarded

    return guard


moderators_only = only(can_moderate)


def me(request: HttpRequest) -> User:
    """The moderator who asks."""
    assert isinstance(request.user, User)
    return request.user


def page(request: HttpRequest, name: str, facts: dict[str, Any], status: int = 200) -> HttpResponse:
    """A page of the desk. `facts` may say `keys`: the shortcuts that its help lists beside those of every page."""
    frame = {"here": request.path, "common_keys": keys.EVERYWHERE}
    context = {**admin.site.each_context(request), **frame, **facts}
    return render(request, f"admin/ratematch/{name}.html", context, status=status)


def next_url(request: HttpRequest, *, after: Case | None = None) -> str:
    """Where the case is that comes after this one; nothing when there is none."""
    following = queue.next_case(me(request), timezone.now(), after=after)
    return queue.case_url(following) if following else ""


def go_on(request: HttpRequest, *, after: Case | None = None) -> HttpResponse:
    """To the next case, or to the queue when there is none."""
    return redirect(next_url(request, after=after) or "admin:ratematch_review")


def act(request: HttpRequest, command: Callable[[], object], done: str, *, back: str) -> HttpResponse:
    """Do what a button of a page says, and come back to that page; a refusal is said there.

    Args:
        done: what the page then says.
        back: the page, unless the form names another of this site in `next`.
    """
    try:
        command()
    except Refusal as no:
        messages.error(request, text_for(no))
    else:
        messages.success(request, done)
    wanted = request.POST.get("next", "")
    return redirect(wanted if url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()}) else back)
