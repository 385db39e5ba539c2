from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatematchConfig(AppConfig):
    name = "ratematch"
    verbose_name = _("Rated matches")

    def ready(self) -> None:
        from accounts.services import webhooks
        from common import problems
        from ratematch.refusals import TEXTS
        from ratematch.services.hooks import KINDS

        problems.register(TEXTS)
        webhooks.register(KINDS)
