"""Operations that the description only lists as retiring can be stubbed, until the day on which they retire."""

from contextlib import suppress
from datetime import date

import pytest

from fakes import FakeService
from fakes.stubs.registry import CannotBeStubbed

from ..admin import Admin
from ..caller import Caller, calling, make

FIELDS = "/directory/custom-fields"
TYPE = "/directory/employment-types/{employmentTypeId}"
ENABLE = "/sharedrives/{sharedriveId}/permissions/enable"
STUB = {"method": "GET", "path": FIELDS, "json": {"customFields": []}}


def in_python(fake: FakeService) -> None:
    fake.stub("GET", FIELDS, json={"customFields": []})


def by_an_admin_call(fake: FakeService) -> None:
    assert Admin(fake)("POST", "/stubs", STUB).status_code == 201


def from_a_file(fake: FakeService) -> None:
    fake.stubs.add_file([STUB])


def state(me: Caller) -> tuple[int, str]:
    """Return the status and the name of the operation in the journal."""
    response = me.api("GET", FIELDS)
    return response.status_code, me.fake.journal[-1].operation


@pytest.mark.parametrize("add", [in_python, by_an_admin_call, from_a_file])
def test_a_migration_works_until_the_day_and_fails_from_then_on(add):
    with calling(FakeService.sample(now="2026-11-30T23:59:59+09:00")) as me:
        assert state(me) == (501, "retired.custom-fields")
        add(me.fake)
        response = me.api("GET", FIELDS)
        assert (response.status_code, response.json()) == (200, {"customFields": []})
        assert response.headers["X-Fake-Stubbed"] == f"GET {FIELDS}"
        assert "X-Fake-Assumed" not in response.headers
        me.fake.clock.to("2026-12-04T23:59:59+09:00")
        me.become()
        assert state(me) == (200, "stubbed")
        me.fake.clock.advance(seconds=1)
        ended = me.api("GET", FIELDS)
        assert (ended.status_code, ended.json()["code"]) == (404, "ENDED")
        assert "X-Fake-Stubbed" not in ended.headers
        assert me.fake.journal[-1].operation == "retired.custom-fields"


@pytest.mark.parametrize(("reading", "status"), [("usual-day", 200), ("first-day", 404)])
def test_response_between_days_rests_on_the_reading(reading, status):
    chosen = {"lifecycle.dates": reading}
    with calling(FakeService.sample(now="2026-12-03T09:00:00+09:00", assume=chosen, stubs=[STUB])) as me:
        response = me.api("GET", FIELDS)
        assert response.status_code == status
        assert "lifecycle.dates" in response.headers["X-Fake-Assumed"]


@pytest.mark.parametrize(
    ("method", "path", "called"),
    [
        ("GET", TYPE, "/directory/employment-types/et-1"),
        ("POST", ENABLE, "/sharedrives/sd-1/permissions/enable"),
    ],
)
def test_an_operation_without_a_date_retires_on_the_day_that_is_set(method, path, called):
    with calling(FakeService.sample(now="2030-01-01T09:00:00+09:00")) as me:
        me.fake.stub(method, path, json={"path": called})
        assert me.api(method, called).json() == {"path": called}
        me.fake.settings.retirement_dates = dict.fromkeys(
            ("employment-types", "shared-drive-permissions"), date(2030, 1, 1)
        )
        assert me.api(method, called).json()["code"] == "ENDED"


def test_stub_of_a_retired_operation_is_unused():
    fake = FakeService.sample(now="2026-12-05T09:00:00+09:00", stubs=[STUB])
    with calling(fake) as me:
        assert state(me) == (404, "retired.custom-fields")
        assert [(stub.name, stub.used) for stub in fake.stubs] == [(f"GET {FIELDS}", 0)]
        expected = f"; the stub GET {FIELDS} responds only before that day"
        assert me.api("GET", FIELDS).json()["description"].endswith(expected)
        assert "stub" not in me.api("POST", FIELDS, json={}).json()["description"]


@pytest.mark.parametrize(
    ("method", "path", "retired"),
    [
        ("DELETE", "/users/{userId}/mail", "2023-02-16"),
        ("GET", "/users/{userId}/mail/vipmailfolders", "2023-11-21"),
        ("GET", FIELDS, "2026-12-05"),
    ],
)
def test_new_stub_of_a_retired_operation_is_refused(method, path, retired):
    fake = FakeService.sample(now="2026-12-05T00:00:00+09:00")
    with pytest.raises(CannotBeStubbed) as caught:
        fake.stub(method, path, status=204)
    reason = str(caught.value)
    assert reason.startswith(f"{method} {path} cannot be stubbed: ")
    assert f"retired on {retired}" in reason
    assert "it is 2026-12-05" in reason
    assert "settings.retirement_dates" in reason
    refused = Admin(fake)("POST", "/stubs", {"method": method, "path": path})
    assert (refused.status_code, refused.json()["description"]) == (409, reason)
    assert len(fake.stubs) == 0


@pytest.mark.parametrize(("reading", "accepted"), [("usual-day", 1), ("first-day", 0)])
def test_whether_a_new_stub_is_accepted_follows_how_the_days_are_read(reading, accepted):
    fake = FakeService.sample(
        now="2026-12-03T09:00:00+09:00", assume={"lifecycle.dates": reading}, assumptions="refuse"
    )
    with suppress(CannotBeStubbed):
        in_python(fake)
    assert len(fake.stubs) == accepted


@pytest.mark.parametrize("now", ["2026-06-01T09:00:00+09:00", "2026-12-03T09:00:00+09:00"])
def test_a_stub_passes_where_assumptions_are_refused(now):
    with calling(FakeService.sample(now=now, assumptions="refuse")) as me:
        in_python(me.fake)
        assert state(me) == (200, "stubbed")


def test_other_operations_of_the_feature_stay_unavailable():
    with calling(make(stubs=[STUB])) as me:
        response = me.api("POST", FIELDS, json={})
        assert (response.status_code, response.json()["code"]) == (501, "NOT_DESCRIBED")
        assert "fake.stub, or with the admin call POST /stubs" in response.json()["description"]


def test_a_stub_needs_a_token_although_the_refusal_does_not():
    with calling(make(stubs=[STUB])) as me:
        assert me.api("GET", FIELDS, headers={"Authorization": ""}).status_code == 401
        assert me.api("POST", FIELDS, headers={"Authorization": ""}).status_code == 501
