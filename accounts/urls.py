"""Addresses of the account, the inbox and profiles."""

from django.urls import path, re_path

from accounts import views

urlpatterns = [
    path("accounts/signup/", views.SignupView.as_view(), name="account_signup"),
    path("accounts/settings/", views.settings, name="settings"),
    path("accounts/sound/", views.set_sound, name="set_sound"),
    path("accounts/tokens/", views.token_list, name="tokens"),
    re_path(r"^accounts/tokens/(?P<pk>[0-9a-f]{128})/revoke/$", views.revoke_token, name="revoke_token"),
    path("inbox/", views.inbox, name="inbox"),
    path("inbox/count/", views.inbox_count, name="inbox_count"),
    path("inbox/read/", views.read_all, name="read_all"),
    path("inbox/<int:pk>/", views.open_notice, name="open_notice"),
    path("players/<int:pk>/", views.show_profile, name="profile"),
    path("players/<int:pk>/block/", views.block, name="block"),
    path("players/<int:pk>/unblock/", views.unblock, name="unblock"),
    path("presence/", views.touch, name="presence"),
    path("i18n/language/", views.set_language, name="set_language"),
]
