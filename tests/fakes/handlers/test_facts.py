"""The facts and the health of a fake, for programs that do not hold it."""

from fakes import FakeService

from ..admin import Admin
from ..caller import NOW


def test_facts_are_those_of_the_ready_line():
    admin = Admin(FakeService.sample(now=NOW))
    assert admin("GET", "/facts").json() == dict(admin.fake.facts)
    assert admin.refused("GET", "/facts", headers={"Authorization": ""}, status=401)


def test_health_needs_no_key():
    response = Admin(FakeService.sample(now=NOW), "wrong")("GET", "/health")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
