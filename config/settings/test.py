"""The suite: a cheap password hasher, mail in memory, and nothing mocked."""

import os
import tempfile

os.environ.setdefault("VAR_DIR", tempfile.mkdtemp(prefix="banzuke-test-"))
os.environ.setdefault("SECRET_KEY", "only for tests")

from config.settings.base import *  # noqa: E402, F403
from config.settings.base import REST_FRAMEWORK, STORAGES  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
ACCOUNT_RATE_LIMITS = False
API_RATE = {"user": (100_000, 60), "anon": (100_000, 60)}
REST_FRAMEWORK["TEST_REQUEST_DEFAULT_FORMAT"] = "json"
