"""Coming in, and in which language."""

from typing import Any

from allauth.account import views as allauth
from django.conf import settings as site
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST
from django.views.i18n import set_language as set_language_cookie

from accounts.services import profile


class SignupView(allauth.SignupView):
    """Sign-up, with an answer for two people who take one name, or one address, at the same moment."""

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return super().form_valid(form)
        except IntegrityError:  # the same checks see now what the other one took
            form.full_clean()
            return super().form_valid(form) if form.is_valid() else self.form_invalid(form)


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Change the language: in the cookie, and in the user's setting when somebody is signed in."""
    response = set_language_cookie(request)
    language = request.POST.get("language")
    if request.user.is_authenticated and language in dict(site.LANGUAGES):
        profile.set_language(user_id=request.user.pk, language=language)
    return response
