"""Django admin with our own site class in it."""

from django.contrib.admin.apps import AdminConfig


class BanzukeAdminConfig(AdminConfig):
    default_site = "config.admin.BanzukeAdmin"
