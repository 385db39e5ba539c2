"""Static files as a real site serves them."""

import re

from django.conf import settings
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.storage import FileSystemStorage

from config.static import HashedFiles


def test_own_scripts_import_each_other_by_names_that_change_with_their_content(tmp_path):
    source = FileSystemStorage(location=settings.BASE_DIR / "static")
    hashed = HashedFiles(location=tmp_path, base_url="/static/")
    scripts = [f"js/{name}" for name in source.listdir("js")[1]]
    for name in scripts:
        with source.open(name) as script:
            StaticFilesStorage.save(hashed, name, script)
    assert all(
        done is not False for _name, _new, done in hashed.post_process({name: (source, name) for name in scripts})
    )
    with hashed.open(hashed.stored_name("js/site.js")) as script:
        imported = re.findall(r'from\s*"\./([^"]+)"', script.read().decode())
    assert imported
    assert all(re.fullmatch(r"[a-z]+\.[0-9a-f]{12}\.js", name) for name in imported)
