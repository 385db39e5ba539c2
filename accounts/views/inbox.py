"""The inbox."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Notice
from accounts.services import notices
from accounts.views import SignedIn

NOTICES_A_PAGE = 30


@require_GET
@login_required
def inbox(request: SignedIn) -> HttpResponse:
    """What happened, the newest first."""
    pages = Paginator(Notice.objects.filter(user=request.user), NOTICES_A_PAGE)
    return render(request, "accounts/inbox.html", {"page": pages.get_page(request.GET.get("page"))})


@require_GET
def inbox_count(request: HttpRequest) -> HttpResponse:
    """The bell of the app bar, fetched again when a notice has come."""
    return render(request, "includes/inbox_tool.html")


@require_GET
@login_required
def open_notice(request: SignedIn, pk: int) -> HttpResponse:
    """Mark a notice as read and go where it points."""
    notice = get_object_or_404(Notice, pk=pk, user=request.user)
    notices.mark_read(actor=request.user, notice_id=notice.pk, now=timezone.now())
    return redirect(notice.url or "inbox")


@require_POST
@login_required
def read_all(request: SignedIn) -> HttpResponse:
    """Mark every notice as read."""
    notices.mark_all_read(actor=request.user, now=timezone.now())
    return redirect("inbox")
