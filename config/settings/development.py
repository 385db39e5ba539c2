"""One machine, one command: SQLite and the embedded Redis-protocol server. Also safe to run a small club with."""

from config.settings.base import *  # noqa: F403
from config.settings.base import STORAGES

# Static files straight from their folders: no collectstatic step, changes show at once.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True  # http://localhost; browsers offer passkeys on no other plain http
