"""The redirect that ends a sign-in: what is taken from it, and what stops the sign-in."""

from dataclasses import replace

import pytest

from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.profiles.profiles import Profile

CALLBACK = "http://127.0.0.1:8731/callback"


@pytest.fixture
def request_(profile: Profile) -> SignInRequest:
    return SignInRequest(profile, Secret("s-1"))


def test_the_address_that_a_browser_opens(request_: SignInRequest) -> None:
    assert request_.url.reveal() == (
        "https://auth.work.test/oauth2/v2.0/authorize?client_id=client-1"
        "&redirect_uri=http%3A%2F%2F127.0.0.1%3A8731%2Fcallback&scope=user%2Cfile&response_type=code&state=s-1"
    )
    assert "s-1" not in repr(request_)


@pytest.mark.parametrize(
    "address",
    [
        f"{CALLBACK}?code=c-1&state=s-1",
        f"{CALLBACK}?state=s-1&code=c-1&session_state=x",
        f"{CALLBACK}?code=c-1&state=s-1#_=_",
        "HTTP://127.0.0.1:08731/callback?code=c-1&state=s-1",
    ],
)
def test_the_code_is_taken_from_the_redirect(address: str, request_: SignInRequest) -> None:
    assert request_.extract_code(Secret(address)) == Secret("c-1")


def test_a_redirect_address_may_have_a_query_of_its_own(profile: Profile) -> None:
    request = SignInRequest(replace(profile, redirect_uri=f"{CALLBACK}?app=1"), Secret("s-1"))
    assert request.extract_code(Secret(f"{CALLBACK}?app=1&code=c-1&state=s-1")) == Secret("c-1")


def test_a_redirect_address_may_have_a_scheme_of_its_own(profile: Profile) -> None:
    request = SignInRequest(replace(profile, redirect_uri="my-app:/signed-in"), Secret("s-1"))
    assert request.extract_code(Secret("my-app:/signed-in?code=c-1&state=s-1")) == Secret("c-1")
    with pytest.raises(SignInStopped, match="does not go to"):
        request.extract_code(Secret("other-app:/signed-in?code=c-1&state=s-1"))


@pytest.mark.parametrize(
    ("address", "reason", "words"),
    [
        (f"{CALLBACK}?error=access_denied&state=s-1", "refused", "the service refused it: access_denied"),
        (
            f"{CALLBACK}?error=access_denied&error_description=not+for%0Ayou&state=s-1",
            "refused",
            "access_denied: not for you",
        ),
        (f"{CALLBACK}?error=access_denied&code=c-1&state=s-1", "refused", "access_denied"),
        (f"{CALLBACK}?error=access_denied", "state", "may be forged"),
        (f"{CALLBACK}?code=c-1&state=s-2", "state", "may be forged"),
        (f"{CALLBACK}?code=c-1&state=%C3%A9", "state", "may be forged"),
        (f"{CALLBACK}?error=%20", "state", "may be forged"),
        (f"{CALLBACK}?code=c-1", "state", "may be forged"),
        (CALLBACK, "redirect", "no authorization code"),
        (f"{CALLBACK}?app=1&state=#code=c-1&state=s-2", "redirect", "no authorization code"),
        (f"{CALLBACK}?state=s-1", "redirect", "no authorization code"),
        (f"{CALLBACK}?code=c-1&code=c-2&state=s-1", "redirect", "no authorization code"),
        ("http://127.0.0.1:8732/callback?code=c-1&state=s-1", "redirect", "does not go to"),
        ("http://127.0.0.1:8731@evil.test/callback?code=c-1&state=s-1", "redirect", "does not go to"),
        ("", "redirect", "does not go to"),
    ],
)
def test_a_redirect_that_ends_badly(address: str, reason: str, words: str, request_: SignInRequest) -> None:
    with pytest.raises(SignInStopped, match=words) as caught:
        request_.extract_code(Secret(address))
    assert caught.value.reason == reason
    assert "c-1" not in str(caught.value)
