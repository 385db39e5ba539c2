"""The words of every refusal that accounts knows, by code. Each code is listed in docs/errors.md."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TEXTS: dict[str, Promise] = {
    "bad_token_name": _("Give the token a name of 1 to 60 characters."),
    "bad_scopes": _("Choose at least one of the scopes that there are."),
    "bad_days": _("A token can live 1 to %(most)d days."),
    "too_many_tokens": _("You have %(most)d tokens, which is the most one can have. Revoke one first."),
    "no_such_token": _("There is no such token."),
    "no_such_user": _("There is no such user."),
    "no_such_notice": _("There is no such notice."),
    "cant_block_oneself": _("You can't block yourself."),
}
