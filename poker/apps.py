from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PokerConfig(AppConfig):
    name = "poker"
    verbose_name = _("Battle Poker")

    def ready(self) -> None:
        from common import problems
        from poker.refusals import TEXTS

        problems.register(TEXTS)
