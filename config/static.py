"""Static files of a real site."""

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

MODULE_IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns[1]  # type: ignore[attr-defined]


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Every file under a name that changes with its content, also where one of our own scripts imports another.

    Django's switch for that takes all scripts in, and packages ship some whose imports point nowhere.
    """

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", MODULE_IMPORTS))
