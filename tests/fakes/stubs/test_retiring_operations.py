"""Operations that the description only lists as retiring can be stubbed, until the day on which they retire."""

from datetime import date

import pytest

from fakes import FakeService

from ..admin import Admin
from ..caller import Caller, calling

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
        me.bearer = {"Authorization": f"Bearer {me.fake.access_token()}"}
        assert state(me) == (200, "stubbed")
        me.fake.clock.advance(seconds=1)
        ended = me.api("GET", FIELDS)
        assert (ended.status_code, ended.json()["code"]) == (404, "ENDED")
        assert "X-Fake-Stubbed" not in ended.headers
        assert me.fake.journal[-1].operation == "retired.custom-fields"


@pytest.mark.parametrize(("reading", "status"), [("usual-day", 200), ("first-day", 404)])
def test_between_the_possible_days_the_response_rests_on_how_they_are_read(reading, status):
    with calling(
        FakeService.sample(now="2026-12-03T09:00:00+09:00", assume={"lifecycle.dates": reading})
    ) as me:
        in_python(me.fake)
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


def test_a_stub_of_an_operation_that_has_ended_is_kept_but_not_used():
    fake = FakeService.sample(now="2026-12-05T09:00:00+09:00", stubs=[STUB])
    with calling(fake) as me:
        assert state(me) == (404, "retired.custom-fields")
        assert [(stub.name, stub.used) for stub in fake.stubs] == [(f"GET {FIELDS}", 0)]


def test_a_copy_has_the_stub_too():
    fake = FakeService.sample(now="2026-06-01T09:00:00+09:00", stubs=[STUB])
    restored = FakeService.sample(now="2026-06-01T09:00:00+09:00")
    restored.restore(fake.snapshot())
    for copy in (fake.fork(), restored):
        with calling(copy) as me:
            assert state(me) == (200, "stubbed")


def test_other_operations_of_the_feature_stay_unavailable():
    with calling(FakeService.sample(now="2026-06-01T09:00:00+09:00", stubs=[STUB])) as me:
        response = me.api("POST", FIELDS, json={})
        assert (response.status_code, response.json()["code"]) == (501, "NOT_DESCRIBED")
        assert "fake.stub" in response.json()["description"]


def test_a_stub_needs_a_token_although_the_refusal_does_not():
    with calling(FakeService.sample(now="2026-06-01T09:00:00+09:00", stubs=[STUB])) as me:
        assert me.api("GET", FIELDS, headers={"Authorization": ""}).status_code == 401
        assert me.api("POST", FIELDS, headers={"Authorization": ""}).status_code == 501
