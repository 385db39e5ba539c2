"""The schema, and the page to browse it."""

import pytest
import schemathesis
import yaml
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from accounts.tests.factories import UserFactory, api_client


@pytest.mark.django_db
def test_the_schema_is_served_as_it_is_generated():
    answer = api_client().get("/api/v1/schema/")
    served = yaml.safe_load(answer.content)
    assert served["paths"].keys() == SchemaGenerator().get_schema(request=None, public=True)["paths"].keys()
    again = api_client(UserFactory(language="ja")).get("/api/v1/schema/", headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304


def test_every_call_says_what_it_needs():
    schema = SchemaGenerator().get_schema(request=None, public=True)
    for address, calls in schema["paths"].items():
        for method, call in calls.items():
            named = {parameter["name"] for parameter in call.get("parameters", ())}
            assert ("Idempotency-Key" in named) == (method != "get"), address
            assert call["security"] == [{}] or "Scope: `" in call["description"], address
            assert "application/problem+json" in call["responses"]["default"]["content"], address


MADE_UP = settings(
    max_examples=25, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@pytest.mark.once
def test_made_up_calls_get_answers_that_the_schema_knows(live_site):
    """Wrong ones are turned down, right ones answered as described or refused: one can't block oneself, say."""
    schema = schemathesis.openapi.from_url(f"{live_site}/api/v1/schema/")
    token = api_client(UserFactory())._credentials["HTTP_AUTHORIZATION"]
    for operation in (found.ok() for found in schema.get_all_operations()):

        @MADE_UP
        @given(case=operation.as_strategy())
        def call(case):
            case.call_and_validate(headers={"Authorization": token}, excluded_checks=[positive_data_acceptance])

        if not operation.path.endswith("/events"):  # never ends
            call()


@pytest.mark.browser
def test_the_page_works_under_the_sites_policy(live_site, browser):
    page = browser.new_page()
    complaints = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    answer = page.goto(f"{live_site}/api/v1/docs/")
    assert "unsafe" not in answer.headers["content-security-policy"]
    page.locator("[id$='me_retrieve']").first.click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    page.get_by_text("not_authenticated").first.wait_for()
    assert [text for text in complaints if "401" not in text] == []  # the call itself was to be refused
    page.close()
