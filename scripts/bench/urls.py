"""The site's addresses, and the bare view that everything is compared to."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.urls import handler400, handler403, handler404, handler500
from config.urls import urlpatterns as site

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


def bare(request: HttpRequest) -> HttpResponse:
    """A view that does nothing. All middleware runs, so its reader is looked up like that of any page."""
    return HttpResponse("ok")


urlpatterns = [path("bare/", bare), *site]
