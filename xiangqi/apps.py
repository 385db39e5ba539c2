from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class XiangqiConfig(AppConfig):
    name = "xiangqi"
    verbose_name = _("Xiangqi")
