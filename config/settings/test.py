"""The suite: a cheap password hasher, mail in memory, and nothing mocked."""

import os
import tempfile

if "VAR_DIR" not in os.environ:
    os.environ["VAR_DIR"] = tempfile.mkdtemp(prefix="banzuke-test-")
os.environ.setdefault("SECRET_KEY", "only for tests")

# Never the database and the Redis of a site that runs here: conftest.py starts others and says where.
os.environ.pop("REDIS_URL", None)
os.environ.pop("DATABASE_URL", None)
if os.environ.get("BANZUKE_TEST_DB") == "postgres":
    os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL") or "postgres://postgres@127.0.0.1/postgres"

from config.env import new_vapid_key
from config.settings.base import *  # noqa: F403
from config.settings.base import DATABASES, REST_FRAMEWORK, STORAGES, VAR_DIR

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}  # a file: other threads have to see it

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
VAPID_PRIVATE_KEY = new_vapid_key()
ACCOUNT_RATE_LIMITS = False
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True
WEBHOOKS_TO_LOOPBACK = True
PAGE_RATE = (100_000, 60)
API_RATE = {"user": (100_000, 60), "anon": (100_000, 60)}
REST_FRAMEWORK["TEST_REQUEST_DEFAULT_FORMAT"] = "json"
