"""One machine, one command: SQLite and the embedded Redis-protocol server. Also safe to run a small club with."""

from config.env import new_vapid_key, own_secret
from config.settings.base import *  # noqa: F403
from config.settings.base import STORAGES, VAPID_PRIVATE_KEY, VAR_DIR

VAPID_PRIVATE_KEY = VAPID_PRIVATE_KEY or own_secret(VAR_DIR, "vapid_key", new_vapid_key)

# Static files straight from their folders: no collectstatic step, changes show at once.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True  # http://localhost; browsers offer passkeys on no other plain http
