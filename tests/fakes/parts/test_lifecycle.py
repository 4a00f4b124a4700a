"""What is retired answers by the clock, and the days can be set."""

from datetime import date
from typing import Any

import httpx
import pytest

from fakes import FakeService
from fakes.handlers.routes import ROUTES
from svckit.models.lifecycle import RETIREMENTS

FIELDS = "/directory/custom-fields"
SINGULAR = "/boards/b/posts/p/comments/c/attachment"


def make(now: str = "2026-06-01T09:00:00+09:00", **options: Any) -> FakeService:
    return FakeService.sample(now=now, **options)


def call(fake: FakeService, method: str, path: str, **options: Any) -> httpx.Response:
    with httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"]) as http:
        return http.request(method, path, **options)


def test_every_operation_of_the_table_is_routed_and_no_other() -> None:
    routed = [(r.method, r.template) for r in ROUTES if r.operation.startswith("retired.")]
    assert routed == [operation for item in RETIREMENTS for operation in item.operations]


@pytest.mark.parametrize(
    ("now", "status", "code"),
    [("2026-12-04T23:59:59+09:00", 501, "NOT_DESCRIBED"), ("2026-12-05T00:00:00+09:00", 404, "ENDED")],
)
def test_the_last_day_is_the_one_before_the_end(now: str, status: int, code: str) -> None:
    response = call(make(now), "GET", FIELDS)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert "2026-12-05" in response.json()["description"]
    assert response.headers["Sunset"] == "Fri, 04 Dec 2026 15:00:00 GMT"
    assert response.headers["Deprecation"] == "@1796396400"
    assert response.headers["X-Fake-Section"] == "Versioning"


def test_a_planned_end_is_named_as_described() -> None:
    description = call(make(), "PATCH", f"{FIELDS}/f-1").json()["description"]
    assert "retires on 2026-12-05 (early December 2026)" in description
    assert "not described" in description
    response = call(make("2027-01-01T00:00:00Z"), "GET", "/directory/employment-types")
    assert "undecided" in response.json()["description"]
    assert "Sunset" not in response.headers


def test_retirement_ignores_the_offset_of_the_clock() -> None:
    fake = make("2026-12-05T00:30:00+09:00")
    ended = call(fake, "GET", FIELDS)
    fake.clock.to("2026-12-04T16:00:00Z")
    assert (call(fake, "GET", FIELDS).status_code, ended.status_code) == (404, 404)
    assert call(fake, "GET", FIELDS).headers["Sunset"] == ended.headers["Sunset"]


def test_a_day_can_be_set() -> None:
    fake = make()
    fake.settings.retirement_dates = {"custom-fields": date(2026, 6, 2), "employment-types": date(2026, 6, 1)}
    response = call(fake, "GET", FIELDS)
    assert response.status_code == 501
    assert "2026-06-02;" in response.json()["description"]
    assert "lifecycle.dates" not in response.headers["X-Fake-Assumed"]
    assert call(fake, "GET", "/directory/employment-types").status_code == 404
    fake.clock.advance(days=1)
    assert call(fake, "GET", FIELDS).status_code == 404


@pytest.mark.parametrize("dates", [{"custom-field": date(2026, 6, 2)}, {"custom-fields": "soon"}])
def test_days_that_are_set_are_checked(dates: Any) -> None:
    fake = make()
    with pytest.raises(ValueError, match="retirement_dates"):
        fake.settings.retirement_dates = dates
    assert fake.settings.retirement_dates == {}


def test_an_end_that_is_described_to_the_day_needs_no_reading() -> None:
    assumed = call(make(), "GET", SINGULAR).headers["X-Fake-Assumed"]
    assert "lifecycle.dates" not in assumed


@pytest.mark.parametrize(
    ("now", "dates", "answered", "accepted"),
    [
        ("2026-07-10T00:00:00+09:00", {"messenger-response": date(2026, 7, 10)}, "MSGR_C", True),
        ("2026-08-10T00:00:00+09:00", {"messenger-response": date(2026, 8, 11)}, "MSGR_C_OLD", True),
        ("2026-08-10T00:00:00+09:00", {"messenger-old-value": date(2026, 8, 10)}, None, False),
        ("2026-11-15T00:00:00+09:00", {"messenger-old-value": date(2026, 12, 1)}, "MSGR_C", True),
    ],
)
def test_the_messenger_values_follow_the_days(
    now: str, dates: dict[str, date], answered: str | None, accepted: bool
) -> None:
    fake = make(now)
    fake.settings.retirement_dates = dates
    change = {"messenger": {"protocol": "MSGR_C_OLD", "messengerId": "mina"}}
    headers = {"Authorization": f"Bearer {fake.access_token()}"}
    response = call(fake, "PATCH", "/users/u-001", json=change, headers=headers)
    assert response.status_code == (200 if accepted else 400)
    if accepted:
        assert response.json()["messenger"]["protocol"] == answered
    else:
        assert "MSGR_C_OLD retired on" in response.json()["description"]


def test_the_table_as_records() -> None:
    fake = make(assume={"lifecycle.dates": "first-day"})
    fake.settings.retirement_dates = {"shared-drive-permissions": date(2026, 6, 2)}
    status = {record["key"]: record["status"] for record in fake.records("lifecycle")}
    assert len(status) == len(RETIREMENTS) + 2
    assert status["custom-fields"] == "retires in 183 days"
    assert status["shared-drive-permissions"] == "retires in 1 day"
    assert status["employment-types"] == "planned"
    assert status["ip-telephony"] == "retired"
    assert status["messenger-old-value"] == "retires in 163 days"
