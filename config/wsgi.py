"""Pages, admin and API. Every process that serves them also says each few seconds that the site can be reached."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.development")

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

from config.outage import keep_beating  # noqa: E402

keep_beating()
