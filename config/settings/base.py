"""What all ways of running share. Each value that may differ comes from the environment; README.md has the table."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from csp.constants import NONCE, NONE, SELF

from config import logs
from config.env import Env, own_secret, stop

BASE_DIR = Path(__file__).resolve().parent.parent.parent
env = Env()

# --- what a running site keeps: database, uploads, the embedded server's data, its own secret -------------------------

VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var"))).resolve()
try:
    SECRET_KEY = env.str("SECRET_KEY", default="") or own_secret(VAR_DIR)
except OSError as error:
    stop("VAR_DIR", f"can't be used: {error}")
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.origins("CSRF_TRUSTED_ORIGINS")
SITE_URL = env.site_url("SITE_URL", default="http://127.0.0.1:8000")  # for links in mails; make run sets it
WEB_THREADS = env.at_least_one("WEB_THREADS", default=8)

# --- apps -------------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "config.apps.SiteConfig",
    "config.apps.BanzukeAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "csp",
    "accounts",
    "ratematch",
    "certification",
    "xiangqi",
    "poker",
]

MIDDLEWARE = [
    "config.tracing.TracingMiddleware",
    "config.probes.ProbeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.guard.GuardMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.SessionNoteMiddleware",
    "accounts.middleware.ReaderMiddleware",
    "accounts.middleware.StaffProofMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.page",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# --- database: SQLite as it was measured to hold, or PostgreSQL with a pool -------------------------------------------

DATABASES = {"default": env.database("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'banzuke.sqlite3'}")}
DATABASE_POOL_SIZE = env.at_least_one("DATABASE_POOL_SIZE", default=8)
_db = DATABASES["default"]
if _db["ENGINE"].endswith("sqlite3"):
    # Deferred transactions lose to "database is locked" under load; immediate ones queue up (docs/decisions/0002).
    _db["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    }
else:
    _db["OPTIONS"] = _db.get("OPTIONS", {}) | {"pool": {"min_size": 1, "max_size": DATABASE_POOL_SIZE, "timeout": 20}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Redis: live updates, rate limits, the cache, Celery's broker -----------------------------------------------------

REDIS_URL = env.str("REDIS_URL", default="redis://127.0.0.1:6379/0")
if urlsplit(REDIS_URL).scheme not in ("redis", "rediss", "unix"):
    stop("REDIS_URL", "must start with redis://, rediss:// or unix://")

CACHES = {
    "default": {
        "BACKEND": "config.cache.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "cache",
        "OPTIONS": {"socket_timeout": 2, "socket_connect_timeout": 1, "health_check_interval": 30},
    },
    # Parts of pages never change while a process lives: fetching them would cost more than it saves.
    "template_fragments": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,
    "socket_timeout": 15,
    "socket_connect_timeout": 5,
    # A request must not wait for a broker that is away: whoever sends gives up at once, and the sweep does the work.
    "max_retries": 1,
    "interval_start": 0,
    "interval_max": 0.1,
}
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "celerybeat-schedule")
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "ratematch.sweep", "schedule": 1.0, "options": {"expires": 1}},
    "count_ladder": {"task": "ratematch.count_ladder", "schedule": 60.0, "options": {"expires": 60}},
    "tidy_matches": {"task": "ratematch.tidy", "schedule": timedelta(hours=1), "options": {"expires": 600}},
    "send_webhooks": {"task": "accounts.send_webhooks", "schedule": 5.0, "options": {"expires": 5}},
    "deliver_notices": {"task": "accounts.deliver_notices", "schedule": 15.0, "options": {"expires": 15}},
    "sweep_accounts": {"task": "accounts.sweep", "schedule": 30.0, "options": {"expires": 30}},
    "tidy": {"task": "accounts.tidy", "schedule": timedelta(hours=1), "options": {"expires": 600}},
}

# --- users ------------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_USER_MODEL_EMAIL_FIELD = "email"
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION = env.one_of("EMAIL_VERIFICATION", ("mandatory", "optional", "none"), "optional")
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignupForm",
    "login": "accounts.forms.LoginForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "add_email": "accounts.forms.AddEmailForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_EMAIL_NOTIFICATIONS = True  # of what changes sign-in
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]
ACCOUNT_USER_DISPLAY = "accounts.models.display_name"
MFA_ADAPTER = "accounts.adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Banzuke"
MFA_TOTP_TOLERANCE = 1  # periods of 30 s that a clock may be wrong by
MFA_FORMS = {
    "authenticate": "accounts.forms.SecondFactorForm",
    "reauthenticate": "accounts.forms.SecondFactorAgainForm",
    "activate_totp": "accounts.forms.ActivateTotpForm",
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "edit_webauthn": "accounts.forms.RenamePasskeyForm",
}

# --- mail -------------------------------------------------------------------------------------------------------------

vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Banzuke <banzuke@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
EMAIL_TIMEOUT = 10

# --- browser push: without a key it isn't offered ---------------------------------------------------------------------

VAPID_PRIVATE_KEY = env.vapid_key("VAPID_PRIVATE_KEY")
PUSH_SERVICES = [  # whatever else a "browser" names isn't sent to: it could be a server inside
    "https://fcm.googleapis.com",
    "https://*.push.services.mozilla.com",
    "https://*.notify.windows.com",
    "https://*.push.apple.com",
]

# --- language and time ------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("ja", "日本語"), ("zh-hans", "简体中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.one_of("TIME_ZONE", available_timezones(), "UTC")

# --- static files and uploads -----------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = VAR_DIR / "static"
PRIVATE_MEDIA_ROOT = VAR_DIR / "private"  # evidence: never under a public address
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": VAR_DIR / "media"}},
    "private": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": PRIVATE_MEDIA_ROOT, "base_url": None, "file_permissions_mode": 0o600},
    },
    "staticfiles": {"BACKEND": "config.static.HashedFiles"},
}
FILE_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
BODY_MAX_BYTES = 40 * 1024 * 1024  # of a whole request; deploy/nginx.conf says the same

# --- headers ----------------------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:", "blob:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "media-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "config.views.csrf_failure"
# Behind a proxy of one's own: take the visitor's address and scheme from its headers. Off by default, since anybody
# can send these headers.
BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = 1

# --- API --------------------------------------------------------------------------------------------------------------

KNOX_TOKEN_MODEL = "accounts.ApiToken"  # noqa: S105  # a model's name
MIGRATION_MODULES = {"knox": None}  # its own table, which ours replaces, isn't made
REST_KNOX = {"AUTH_HEADER_PREFIX": "Bearer", "TOKEN_PREFIX": "bz_", "TOKEN_TTL": timedelta(days=90)}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.api.auth.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.api.auth.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["accounts.api.throttle.Throttle"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["accounts.api.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "common.problems.exception_handler",
    "DATETIME_FORMAT": "iso-8601",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
WEBHOOKS_TO_LOOPBACK = env.bool("WEBHOOKS_TO_LOOPBACK", default=False)  # also by plain http: to try things out
PAGE_RATE = (60, 60)  # what one user may do on pages: presses, seconds
API_RATE = {"user": (300, 60), "anon": (60, 60)}  # requests, seconds
SPECTACULAR_SETTINGS = {
    "TITLE": "Banzuke",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "RatedMatchState": "ratematch.api.serializers.words.STATES",
        "FreeRoomState": "ratematch.api.serializers.free.ROOM_STATES",
        "FreeRoomVerb": "ratematch.api.serializers.free.ROOM_VERBS",
        "RatedMatchClaim": "ratematch.api.serializers.words.CLAIMS",
        "RatedMatchOutcome": "ratematch.api.serializers.words.OUTCOMES",
        "RatedMatchEnding": "ratematch.api.serializers.words.ENDINGS",
        "RatedMatchCause": "ratematch.api.serializers.words.CAUSES",
        "RatedMatchVerb": "ratematch.api.serializers.words.VERBS",
        "RatedMatchMove": "ratematch.api.serializers.words.MOVES",
        "RatedMatchSeat": "ratematch.api.serializers.words.SEATS",
        "RatedMatchResult": "ratematch.api.serializers.words.RESULTS",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "accounts.api.schema.add_problems",
    ],
}

# --- rated matches: every number that is ours (docs/ratematch.md); seconds --------------------------------------------

RATEMATCH: dict[str, Any] = {
    "QUEUE_GONE_S": 45,
    "QUEUE_MAX_S": 30 * 60,
    "REMATCH_WAIT_S": 60,
    "WARN_BEFORE_S": 90,
    "DURATIONS_S": {},  # overrides of ratematch.rules.lifecycle.Durations, by name
    "PICTURES_MAX": 3,
    "PICTURES_TRIED_MAX": 20,  # with those that were refused
    "PICTURE_MAX_BYTES": 10 * 1024 * 1024,
    "PICTURE_MAX_PIXELS": 25_000_000,
    "PICTURE_SIDE_PX": 2560,
    "REPORT_DAYS": 14,
    "CONTEST_HOURS": 24,  # to contest a loss by silence, and again for the other to answer
    "UPLOAD_LINK_S": 5 * 60,
    "WATCH_HOURS": 12,
    "CHAT_HOURS": 24,  # after a match has ended its chat stays open for so long
    "CHAT_RATE": (10, 30),  # lines that one player may say, seconds
    "FREE_DURATIONS_S": {},  # overrides of ratematch.rules.free.Durations, by name
    "FREE_GONE_S": 5 * 60,  # an open room whose host's page is gone closes
    "PICTURES_KEPT_DAYS": 90,
    "LADDER_DAYS": 90,
    "LADDER_LONG": 50_000,  # players; from here on places come from a count that is made once a minute
}

# --- presence and downtime (docs/architecture.md); seconds ------------------------------------------------------------

HEARTBEAT_EVERY_S = 2
OUTAGE_AFTER_S = 8
PRESENCE_ONLINE_S = 45
PRESENCE_IDLE_AFTER_S = 300
LIVE_PING_S = 15
LIVE_MAX_S = 15 * 60
LIVE_RATE = (120, 60)  # streams that one user may open, seconds; each page opens one. So many strangers' tries, too

# --- what monitors see (docs/operations.md) ---------------------------------------------------------------------------

HEALTH_LATE_S = 30  # a clock that is overdue, or a worker that is silent, for so long is a failing part
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
LOG_LEVEL = env.one_of("LOG_LEVEL", logs.LEVELS, "INFO")
LOGGING = logs.settings_for(LOG_LEVEL, env.one_of("LOG_FORMAT", logs.FORMATS, "text"))
