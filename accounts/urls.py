"""Addresses of the account, the inbox and profiles."""

from allauth.mfa.webauthn.views import EditWebAuthnView, RemoveWebAuthnView
from django.urls import path, re_path, reverse_lazy
from django.views.generic import RedirectView

from accounts.views import data, entry, inbox, notifications, own, people, security, webhooks

SECURITY = reverse_lazy("mfa_index")
KEY = "accounts/2fa/webauthn/keys/<int:pk>/"

urlpatterns = [
    path("accounts/signup/", entry.SignupView.as_view(), name="account_signup"),
    path("accounts/settings/", own.settings, name="settings"),
    path("accounts/sound/", own.set_sound, name="set_sound"),
    path("accounts/tokens/", own.token_list, name="tokens"),
    re_path(r"^accounts/tokens/(?P<pk>[0-9a-f]{128})/revoke/$", own.revoke_token, name="revoke_token"),
    path("accounts/password/change/", security.ChangePassword.as_view(), name="account_change_password"),
    path("accounts/sessions/", security.session_list, name="sessions"),
    path("accounts/sessions/end-others/", security.end_other_sessions, name="end_other_sessions"),
    path("accounts/sessions/<int:pk>/end/", security.end_session, name="end_session"),
    path("accounts/2fa/totp/activate/", security.ActivateTotp.as_view(), name="mfa_activate_totp"),
    path("accounts/2fa/webauthn/", RedirectView.as_view(url=SECURITY), name="mfa_list_webauthn"),
    path("accounts/2fa/webauthn/add/", security.AddPasskey.as_view(), name="mfa_add_webauthn"),
    path(f"{KEY}edit/", EditWebAuthnView.as_view(success_url=SECURITY), name="mfa_edit_webauthn"),
    path(f"{KEY}remove/", RemoveWebAuthnView.as_view(success_url=SECURITY), name="mfa_remove_webauthn"),
    path("accounts/notifications/", notifications.settings, name="notification_settings"),
    path("accounts/notifications/browser/", notifications.subscribe, name="subscribe_push"),
    path("accounts/notifications/browser/<int:pk>/remove/", notifications.unsubscribe, name="unsubscribe_push"),
    path("accounts/notifications/stop/<str:token>/", notifications.stop_mail, name="stop_mail"),
    path("push-worker.js", notifications.push_worker, name="push_worker"),
    path("accounts/webhooks/", webhooks.webhook_list, name="webhooks"),
    path("accounts/webhooks/<int:pk>/", webhooks.webhook, name="webhook"),
    path("accounts/webhooks/<int:pk>/ping/", webhooks.ping, name="webhook_ping"),
    path("accounts/webhooks/<int:pk>/switch/", webhooks.switch, name="webhook_switch"),
    path("accounts/webhooks/<int:pk>/secret/", webhooks.rotate, name="webhook_rotate"),
    path("accounts/webhooks/<int:pk>/delete/", webhooks.remove, name="webhook_remove"),
    path("accounts/webhooks/<int:pk>/deliveries/<int:delivery>/again/", webhooks.resend, name="webhook_resend"),
    path("accounts/blocked/", people.blocked, name="blocked"),
    path("accounts/data/", data.overview, name="your_data"),
    path("accounts/data/export/", data.ask_export, name="ask_export"),
    path("accounts/data/export/<int:pk>/", data.fetch_export, name="fetch_export"),
    path("accounts/data/delete/", data.delete_account, name="delete_account"),
    path("accounts/data/keep/", data.keep_account, name="keep_account"),
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
