"""A real site: PostgreSQL, Redis, TLS in front. What has no safe default must be set."""

from config import logs
from config.env import stop
from config.settings.base import *  # noqa: F403
from config.settings.base import ALLOWED_HOSTS, DATABASES, LOG_LEVEL, env

for _name in ("SECRET_KEY", "DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS"):
    if not env.str(_name, default=""):
        stop(_name, "must be set in production")
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    stop("DATABASE_URL", "must be PostgreSQL in production")

DEBUG = False
SITE_URL = env.site_url("SITE_URL", default=f"https://{ALLOWED_HOSTS[0].lstrip('.*')}")
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
LOGGING = logs.settings_for(LOG_LEVEL, env.one_of("LOG_FORMAT", logs.FORMATS, "json"))
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000)
