"""All addresses of the site. `/live/` is not here: config/asgi.py serves it."""

from django.contrib import admin
from django.urls import include, path

from config import views

urlpatterns = [
    path("", views.home, name="home"),
    path("", include("accounts.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("matches/", include("ratematch.urls")),
    path("tables/", include("certification.urls")),
    path("xiangqi/", include("xiangqi.urls")),
    path("poker/", include("poker.urls")),
    path("fair-play/", views.fair_play, name="fair_play"),
    path("privacy/", views.privacy, name="privacy"),
    path("status/", views.status, name="status"),
    path("api/v1/", include("config.api")),
    path("admin/", admin.site.urls),
]

handler400 = views.bad_request
handler403 = views.forbidden
handler404 = views.not_found
handler500 = views.server_error
