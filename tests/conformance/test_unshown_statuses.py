"""Which statuses of a refusal pass: of the fake exactly its own, of another service any that may mean the same."""

import httpx
import pytest

from .real import Real
from .target import FAILED_LOGIN, Target, Unexpected, Unshown


class Answering:
    """A door to a service that responds to everything with one status."""

    def __init__(self, status):
        self._status = status

    def send(self, method, url, chunks, **options):
        return httpx.Response(self._status)


class Service(Target):
    is_fake = Real.is_fake


def passing(kind, status):
    """The statuses with which a target of a kind passes."""
    found = []
    for each in range(200, 600):
        try:
            kind({}, Answering(each)).refuses("GET", "https://a.test", status)
        except Unexpected:
            continue
        found.append(each)
    return found


@pytest.mark.parametrize("status", [404, Unshown(404), Unshown(404, (403, 404))])
def test_the_fake_is_held_to_its_own_status(status):
    assert passing(Target, status) == [404]


def test_a_service_is_held_to_a_refusal_that_is_about_the_request():
    assert passing(Service, Unshown(404)) == [each for each in range(400, 500) if each not in (401, 403, 429)]


def test_a_service_is_held_to_what_a_case_says():
    assert passing(Service, 400) == [400]
    assert passing(Service, FAILED_LOGIN) == [200, 400, 401, 403]


def test_every_case_says_which_status_it_expects():
    with pytest.raises(TypeError, match="status"):
        Target({}, Answering(400)).refuses("GET", "https://a.test")
