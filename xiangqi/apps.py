from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class XiangqiConfig(AppConfig):
    name = "xiangqi"
    verbose_name = _("Xiangqi")

    def ready(self) -> None:
        from common import problems
        from xiangqi.refusals import TEXTS

        problems.register(TEXTS)
