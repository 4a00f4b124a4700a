"""A token that the service refuses with 403 is renewed if the profile says so, the same with and without ``await``."""

from dataclasses import replace

import httpx
import pytest

from svckit.errors import Refused, ServiceError
from svckit.profiles.profiles import Profile

from ..conftest import Face, Scripted

USER_URL = "https://api.work.test/v1/users/u-001"


def forbid(request: httpx.Request) -> httpx.Response:
    return httpx.Response(403, json={"code": "FORBIDDEN", "description": "administrators only"})


def read_what_is_forbidden(on_script: Face) -> None:
    with pytest.raises(Refused, match="administrators only"):
        on_script(lambda svc: svc.users.read("u-001"))


@pytest.fixture
def profile(profile: Profile) -> Profile:
    return replace(profile, renew_on=(401, 403))


@pytest.fixture
def scripted(scripted: Scripted) -> Scripted:
    scripted.refusal = 403
    return scripted


def test_a_call_is_sent_again_with_a_new_token(on_script: Face, scripted: Scripted) -> None:
    scripted.valid = "another"
    assert on_script(lambda svc: svc.users.update("u-001", nick_name="Mina")).user_id == "u-001"
    assert scripted.renewals == 1


def test_a_request_of_the_client_is_sent_again_with_a_new_token(on_script: Face, scripted: Scripted) -> None:
    scripted.valid = "another"
    assert on_script(lambda svc: svc.http.get(USER_URL)).status_code == 200
    assert scripted.renewals == 1


def test_what_is_forbidden_renews_once(on_script: Face, scripted: Scripted) -> None:
    scripted.on("PATCH", USER_URL, forbid)
    scripted.on("GET", USER_URL, forbid)
    for _ in range(3):
        read_what_is_forbidden(on_script)
        assert on_script(lambda svc: svc.http.get(USER_URL)).status_code == 403
    assert scripted.renewals == 1


def test_working_token_is_renewed_once_a_minute(on_script: Face, scripted: Scripted) -> None:
    scripted.on("PATCH", USER_URL, forbid)
    for seconds, renewals in ((0, 1), (59, 1), (1, 2)):
        scripted.clock.advance(seconds=seconds)
        for _ in range(3):
            read_what_is_forbidden(on_script)
            on_script(lambda svc: svc.users.read("u-002"))
        assert scripted.renewals == renewals


def test_a_token_that_ended_meanwhile_is_renewed_again(on_script: Face, scripted: Scripted) -> None:
    for renewals in (1, 2):
        scripted.valid = "another"
        on_script(lambda svc: svc.users.read("u-002"))
        assert scripted.renewals == renewals
        scripted.clock.advance(seconds=60)


@pytest.mark.parametrize("status", [404, 500])
def test_a_failure_does_not_mean_that_the_token_works(
    status: int, on_script: Face, scripted: Scripted
) -> None:
    failure = httpx.Response(status, json={"code": "FAILED", "description": "failed"})
    scripted.on("PATCH", USER_URL, forbid)
    scripted.on("PATCH", USER_URL.replace("u-001", "u-002"), failure)
    for _ in range(3):
        read_what_is_forbidden(on_script)
        with pytest.raises(ServiceError, match="failed"):
            on_script(lambda svc: svc.users.read("u-002"))
        scripted.clock.advance(seconds=60)
    assert scripted.renewals == 1


@pytest.mark.parametrize("statuses", [(401,), (403,)])
def test_other_statuses_renew_nothing(statuses: tuple[int, ...], on_script: Face, scripted: Scripted) -> None:
    driver = on_script.session._driver
    driver.profile = replace(driver.profile, renew_on=statuses)
    scripted.refusal = 403 if statuses == (401,) else 401
    scripted.valid = "another"
    with pytest.raises(Refused if scripted.refusal == 403 else Exception, match="the token has expired"):
        on_script(lambda svc: svc.users.read("u-001"))
    assert scripted.renewals == 0


def test_a_token_that_is_refused_with_403_names_the_key_that_renews_it(
    on_script: Face, scripted: Scripted
) -> None:
    driver, notes = on_script.session._driver, []
    scripted.on("PATCH", USER_URL.replace("u-001", "u-002"), forbid)
    for statuses in ((401,), (401, 403)):
        driver.profile = replace(driver.profile, renew_on=statuses)
        for user_id in ("u-001", "u-002"):
            scripted.valid = "another" if user_id == "u-001" else driver.tokens.current.access.reveal()
            scripted.renew = lambda: httpx.Response(503)
            with pytest.raises(Refused, match="403") as caught:
                on_script(lambda svc, user_id=user_id: svc.users.read(user_id))
            notes.append("".join(getattr(caught.value, "__notes__", [])))
    assert "set renew_on = [401, 403] in its profile" in notes[0]
    assert notes[1:] == [""] * 3


def test_a_profile_takes_statuses_of_refusals_only(profile: Profile) -> None:
    with pytest.raises(ValueError, match=r"renew_on of profile 'work' takes one or more .*; given 503"):
        replace(profile, renew_on=(401, 503))


@pytest.mark.parametrize("status", [400, 401, 503])
def test_what_is_forbidden_stays_so_where_no_token_can_be_renewed(
    on_script: Face, scripted: Scripted, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    scripted.on("PATCH", USER_URL, forbid)
    tried = []
    refusal = httpx.Response(status, json={"error": "invalid_grant"})
    monkeypatch.setattr(scripted, "renew", lambda: tried.append(status) or refusal)
    for _ in range(3):
        read_what_is_forbidden(on_script)
        on_script(lambda svc: svc.users.read("u-002"))
    assert len(tried) <= 3  # 503 is tried again, but one renewal is enough
