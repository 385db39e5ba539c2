"""The root of the API, `/api/v1/`: every app's addresses, the schema, and a page to browse it."""

from functools import cache
from typing import Any

from django.http import Http404
from django.urls import include, path, re_path
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ApiView


class SchemaView(ApiView):
    """The schema as YAML, or as JSON if asked for."""

    public = True
    schema = None  # type: ignore[assignment]  # DRF's way to leave a view out of the schema
    renderer_classes = [OpenApiYamlRenderer, OpenApiJsonRenderer]

    def get(self, request: Request) -> Response:
        return Response(_schema())


@cache
def _schema() -> Any:
    """Made once a process, in the language it is written in: it takes most of a second."""
    with translation.override("en"):
        return SchemaGenerator().get_schema(request=None, public=True)


class DocsView(SpectacularSwaggerSplitView):
    """The page to browse the schema; its own template has no inline style or script."""

    http_method_names = ["get", "head"]
    authentication_classes: list[Any] = []
    permission_classes: list[type[BasePermission]] = []
    throttle_classes: list[Any] = []
    template_name = "api/docs.html"
    url_name = "api_schema"


class NothingHere(ApiView):
    """Any other address below the API, so that programs get a problem and no page."""

    schema = None  # type: ignore[assignment]
    permission_classes: list[type[BasePermission]] = []

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise Http404


urlpatterns = [
    path("", include("accounts.api.urls")),
    path("ratematch/", include("ratematch.api.urls")),
    path("schema/", SchemaView.as_view(), name="api_schema"),
    path("docs/", DocsView.as_view(), name="api_docs"),
    re_path(r"", NothingHere.as_view()),
]
