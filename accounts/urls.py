"""Addresses of the account, the inbox and profiles."""

from django.urls import path, re_path

from accounts.views import entry, inbox, own, people

urlpatterns = [
    path("accounts/signup/", entry.SignupView.as_view(), name="account_signup"),
    path("accounts/settings/", own.settings, name="settings"),
    path("accounts/sound/", own.set_sound, name="set_sound"),
    path("accounts/tokens/", own.token_list, name="tokens"),
    re_path(r"^accounts/tokens/(?P<pk>[0-9a-f]{128})/revoke/$", own.revoke_token, name="revoke_token"),
    path("inbox/", inbox.inbox, name="inbox"),
    path("inbox/count/", inbox.inbox_count, name="inbox_count"),
    path("inbox/read/", inbox.read_all, name="read_all"),
    path("inbox/<int:pk>/", inbox.open_notice, name="open_notice"),
    path("players/<int:pk>/", people.show_profile, name="profile"),
    path("players/<int:pk>/block/", people.block, name="block"),
    path("players/<int:pk>/unblock/", people.unblock, name="unblock"),
    path("presence/", people.touch, name="presence"),
    path("i18n/language/", entry.set_language, name="set_language"),
]
