"""The page that says what will be here."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """What the game will be, and that it can't be played yet."""
    return render(request, "certification/index.html")
