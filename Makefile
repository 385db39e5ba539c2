# `make run` starts the site, `make test` runs the whole suite. All they need is Python 3.11 or later, and make.

PY := .venv/bin/python
MANAGE := $(PY) manage.py
PYTEST := $(PY) -m pytest -n auto
NEW_ENOUGH := -c "import sys; sys.exit(sys.version_info < (3, 11))"

.PHONY: run test test-long bench lint messages schema

run: .venv/runtime
	@exec $(PY) -m config.run

test: .venv/dev
	$(PYTEST) -m "not long"
	BANZUKE_TEST_DB=postgres $(PYTEST) -m "not long"

test-long: .venv/dev
	$(PYTEST) -m long
	BANZUKE_TEST_DB=postgres $(PYTEST) -m long

bench: .venv/dev
	@exec $(PY) -m scripts.bench

lint: .venv/dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	.venv/bin/djade --target-version 5.2 --check $$(find templates -name "*.html")
	$(PY) -m mypy .
	.venv/bin/lint-imports
	$(MANAGE) makemigrations --check --dry-run

messages: .venv/dev
	$(MANAGE) makemessages -l ja -l zh_Hans --no-obsolete --no-wrap --add-location file -i .venv -i var -i tests -i testing
	sed -i '/^"POT-Creation-Date/d' locale/*/LC_MESSAGES/django.po
	$(MANAGE) compilemessages --ignore .venv

schema: .venv/dev
	mkdir -p docs/api
	$(MANAGE) spectacular --validate --fail-on-warn --file docs/api/openapi.yaml

# What is installed, as empty files that are younger than the lists they were installed from.
.venv/runtime: requirements.txt
	@$(PY) $(NEW_ENOUGH) 2>/dev/null || { \
		for python in python3.13 python3.12 python3.11 python3 ""; do \
			$$python $(NEW_ENOUGH) 2>/dev/null && break; done; \
		test "$$python" || { echo "banzuke: no Python 3.11 or later was found" >&2; exit 1; }; \
		$$python -m venv --clear .venv || { \
			echo "banzuke: $$python can't make a virtual environment (Debian: apt install python3-venv)" >&2; exit 1; }; }
	@echo "banzuke: installing packages into .venv" >&2
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-input -r requirements.txt
	@touch $@

.venv/dev: requirements-dev.txt .venv/runtime
	@echo "banzuke: installing packages for tests into .venv" >&2
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-input -r requirements-dev.txt
	@touch $@
