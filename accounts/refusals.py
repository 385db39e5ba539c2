"""The words of every refusal that accounts knows, by code. Each code is listed in docs/errors.md."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TEXTS: dict[str, Promise] = {
    "name_taken": _("Somebody has this name already. Choose another one."),
    "bad_token_name": _("Give the token a name of 1 to %(most)s characters."),
    "bad_scopes": _("Choose what the token may do."),
    "bad_days": _("A token can live 1 to %(most)s days."),
    "too_many_tokens": _("You have %(most)s tokens, which is the most that one can have. Revoke one first."),
    "no_such_token": _("There is no such token."),
    "no_such_session": _("This session has ended already."),
    "this_session": _("This is the session that you are in. Sign out to end it."),
    "bad_webhook_url": _(
        "Give an address that begins with https://, with no password in it, on port 443 or from 1024."
    ),
    "private_webhook_url": _("This address isn't on the public network. Nothing is sent into private ones."),
    "bad_webhook_events": _("Choose which events are sent."),
    "too_many_webhooks": _("You have %(most)s webhooks, which is the most that one can have. Delete one first."),
    "webhook_disabled": _("This webhook is switched off. Switch it on first."),
    "ping_on_its_way": _("A ping is on its way already."),
    "delivery_on_its_way": _("This delivery is on its way already."),
    "no_such_webhook": _("There is no such webhook."),
    "no_such_delivery": _("There is no such delivery."),
    "no_such_group": _("There is no such group of notices."),
    "no_such_link": _("This link doesn't work. Perhaps a part of it is missing."),
    "bad_push_subscription": _("Notices can't be shown in this browser: its push service isn't one that we know."),
    "push_not_offered": _("This site offers no browser push."),
    "too_many_browsers": _("%(most)s browsers show your notices already. Remove one first."),
    "export_too_soon": _("You can have your data put together once a day; the next time at %(available_at)s."),
    "no_such_export": _("This file isn't there any more. Have your data put together again."),
    "not_leaving": _("The account isn't being deleted."),
    "no_such_user": _("There is no such user."),
    "no_such_notice": _("There is no such notice."),
    "cant_block_oneself": _("You can't block yourself."),
    "scope_missing": _("This token lacks the scope “%(scope)s”."),
    "bad_idempotency_key": _("An idempotency key has 1 to 255 visible ASCII characters."),
    "idempotency_key_reused": _("This idempotency key was used for another call. Use a new one for each."),
    "idempotency_in_progress": _("The first call with this idempotency key still runs. Ask again in a second."),
    "stream_elsewhere": _("The event stream has a server of its own; the proxy must send this path there."),
}
