from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CertificationConfig(AppConfig):
    name = "certification"
    verbose_name = _("Dan tables")

    def ready(self) -> None:
        from certification.refusals import TEXTS
        from common import problems

        problems.register(TEXTS)
