"""Evidence from the phone: a QR code on the desktop's page, and the page that it opens."""

from __future__ import annotations

import qrcode
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from common.errors import Missing, Refusal
from common.problems import text_for
from ratematch.services import deadlines, evidence, upload_links
from ratematch.views.base import Signed, check_pace


@login_required
@require_safe
@never_cache
def code(request: Signed, pk: int) -> HttpResponse:
    """The QR code of a link for this match, and the link itself."""
    view = deadlines.current(pk, request.user, timezone.now())
    if view is None or view.seat is None:
        raise Http404
    if not view.can_attach:
        return redirect("ratematch:match", pk=pk)
    token = upload_links.make_token(view.match, request.user)
    link = request.build_absolute_uri(reverse("ratematch:phone_upload", args=[token]))
    drawing, size = _drawing(link)
    facts = {
        "view": view,
        "link": link,
        "path": drawing,
        "size": size,
        "seconds": settings.RATEMATCH["UPLOAD_LINK_S"],
    }
    return render(request, "ratematch/phone_code.html", facts)


def _drawing(text: str) -> tuple[str, int]:
    """A QR code as the path of an SVG, one unit a square, and how many units wide it is."""
    made = qrcode.QRCode(border=4, error_correction=qrcode.constants.ERROR_CORRECT_L)
    made.add_data(text)
    rows = made.get_matrix()
    squares = [f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark]
    return "".join(squares), len(rows)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def upload(request: HttpRequest, token: str) -> HttpResponse:
    """What the code opens: attach screenshots to this match, and nothing else. The link stands for the player."""
    try:
        match_id, user = upload_links.read_token(token)
    except Missing as no:
        return render(request, "ratematch/phone_over.html", {"error": text_for(no)}, status=404)
    refusal: Refusal | None = None
    if request.method == "POST":
        try:
            check_pace(user)
            evidence.attach_pictures(
                match_id=match_id, actor=user, uploads=request.FILES.getlist("picture"), now=timezone.now()
            )
        except Refusal as no:
            refusal = no
        else:
            return redirect("ratematch:phone_upload", token=token)
    view = deadlines.current(match_id, user, timezone.now())
    if view is None or view.seat is None:
        raise Http404
    facts = {
        "view": view,
        "token": token,
        "kept": len(view.kept_pictures),
        "picture_limit": settings.RATEMATCH["PICTURES_MAX"],
        "picture_mb": settings.RATEMATCH["PICTURE_MAX_BYTES"] // 1024 // 1024,
        "error": text_for(refusal) if refusal else "",
        "error_field": "picture" if refusal else "",
        "error_file": refusal.facts.get("file", "") if refusal else "",
    }
    return render(request, "ratematch/phone_upload.html", facts, status=refusal.status if refusal else 200)
