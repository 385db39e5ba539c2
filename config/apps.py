"""The site as an app: its commands. And Django admin with our own site class in it."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class SiteConfig(AppConfig):
    name = "config"


class BanzukeAdminConfig(AdminConfig):
    default_site = "config.admin.BanzukeAdmin"
