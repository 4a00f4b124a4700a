"""The listener on the redirect address: one redirect ends it, nothing else does."""

import logging
import socket
from contextlib import ExitStack, suppress
from dataclasses import replace

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.profiles.profiles import Profile
from svckit.sign_in.listener import Endpoint, RedirectListener

from ...loopback import PATIENCE, free_port
from ..work_profile import PROFILE
from .conftest import get

GOOD = "code=canary-code&state=state-1"


def listening(request: SignInRequest) -> RedirectListener:
    endpoint = Endpoint.of(request.profile.redirect_uri)
    assert endpoint is not None
    return RedirectListener(request, endpoint)


def lands(listener: RedirectListener, address: str) -> bool:
    """Whether a browser at an address brings the code."""
    return get(address).status_code == 200 and listener.landed.result(PATIENCE) == Secret("canary-code")


def test_the_redirect_brings_the_code(sign_in_request: SignInRequest, profile: Profile) -> None:
    with listening(sign_in_request) as listener:
        page = get(f"{profile.redirect_uri}?{GOOD}")
        assert listener.landed.result(PATIENCE) == Secret("canary-code")
    assert page.status_code == 200
    assert "Sign-in received" in page.text
    assert "canary-code" not in page.text
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["server"] == "svckit"


@pytest.mark.parametrize(
    ("query", "reason", "shown"),
    [
        ("error=access_denied&state=state-1", "refused", "access_denied"),
        ("state=state-1", "redirect", "no authorization code"),
        (
            "error=%3Cscript%3Ealert(1)%3C/script%3E&state=state-1",
            "refused",
            "&lt;script&gt;alert(1)&lt;/script&gt;",
        ),
    ],
)
def test_a_redirect_that_ends_badly_is_told_here_and_there(
    query: str, reason: str, shown: str, sign_in_request: SignInRequest, profile: Profile
) -> None:
    with listening(sign_in_request) as listener:
        page = get(f"{profile.redirect_uri}?{query}")
        with pytest.raises(SignInStopped) as caught:
            listener.landed.result(PATIENCE)
    assert caught.value.reason == reason
    assert page.status_code == 400
    assert shown in page.text
    assert "<script" not in page.text


@pytest.mark.parametrize(
    "query",
    [
        "code=c-1&state=state-2",
        "code=c-1",
        "error=x",
        "error=%20",
        "error=access_denied&error_description=x&state=state-2",
        "state=",
        "code=c-1&state=state-2&state=state-1",
    ],
)
def test_redirect_without_the_state_is_ignored(
    query: str, sign_in_request: SignInRequest, profile: Profile
) -> None:
    with listening(sign_in_request) as listener:
        page = get(f"{profile.redirect_uri}?{query}")
        assert (page.status_code, listener.landed.done()) == (400, False)
        assert lands(listener, f"{profile.redirect_uri}?{GOOD}")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.test", 400),
        ("evil.test:{port}", 400),
        ("127.0.0.1.evil.test:{port}", 400),
        ("127.0.0.1:1", 400),
        ("127.0.0.1", 400),
        ("127.0.0.1:{port}/x", 400),
        ("a@127.0.0.1:{port}", 400),
        ("", 400),
        ("LOCALHOST:{port}", 200),
        ("[::1]:{port}", 200),
    ],
)
def test_a_page_whose_host_was_made_to_lead_here_is_refused(
    host: str, status: int, sign_in_request: SignInRequest, profile: Profile
) -> None:
    port = Endpoint.of(profile.redirect_uri).port
    with listening(sign_in_request) as listener:
        headers = {"Host": host.format(port=port)}
        address = f"{profile.redirect_uri}?{GOOD}"
        response = httpx.get(address, headers=headers, timeout=PATIENCE, trust_env=False)
        assert response.status_code == status
        if status == 200:
            assert listener.landed.result(PATIENCE) == Secret("canary-code")
        else:
            assert not listener.landed.done()


def test_two_hosts_are_refused(sign_in_request: SignInRequest, profile: Profile) -> None:
    port = Endpoint.of(profile.redirect_uri).port
    with listening(sign_in_request) as listener, socket.create_connection(("127.0.0.1", port)) as twice:
        hosts = f"Host: 127.0.0.1:{port}\r\nHost: evil.test"
        twice.sendall(f"GET /callback?{GOOD} HTTP/1.1\r\n{hosts}\r\n\r\n".encode())
        assert twice.recv(1000).startswith(b"HTTP/1.0 400")
        assert not listener.landed.done()


def test_bad_connections_do_not_delay_the_redirect(sign_in_request: SignInRequest, profile: Profile) -> None:
    port = Endpoint.of(profile.redirect_uri).port
    with ExitStack() as opened, listening(sign_in_request) as listener:
        slow = [
            opened.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE)) for _ in range(100)
        ]
        for connection in slow:
            connection.sendall(b"GET /callback?")
        huge = opened.enter_context(socket.create_connection(("127.0.0.1", port)))
        with suppress(OSError):  # it is not read to its end
            for _ in range(1000):
                huge.sendall(b"X-Header: " + b"x" * 65_000 + b"\r\n")
        assert lands(listener, f"{profile.redirect_uri}?{GOOD}")


def test_stray_requests_change_nothing(sign_in_request: SignInRequest, profile: Profile) -> None:
    root = profile.redirect_uri.removesuffix("/callback")
    port = Endpoint.of(profile.redirect_uri).port
    with listening(sign_in_request) as listener, socket.create_connection(("127.0.0.1", port)) as idle:
        statuses = [
            get(f"{root}/favicon.ico").status_code,
            get(root).status_code,
            get(f"{root}/callback/?{GOOD}").status_code,
            get(f"{root}/callback2?{GOOD}").status_code,
            get(profile.redirect_uri).status_code,
            get(f"{profile.redirect_uri}?utm=1").status_code,
            httpx.post(f"{profile.redirect_uri}?{GOOD}", timeout=PATIENCE, trust_env=False).status_code,
        ]
        assert statuses == [404, 404, 404, 404, 400, 400, 501]
        for noise in (b"\x16\x03\x01 not http\r\n\r\n", b"GET /callback?" + b"x" * 65_530):
            with socket.create_connection(("127.0.0.1", port)) as rude:
                rude.sendall(noise)
                assert rude.recv(1000)
        idle.sendall(b"GET /call")  # and no more
        assert not listener.landed.done()
        assert lands(listener, f"{profile.redirect_uri}?{GOOD}")


def test_a_redirect_counts_once(sign_in_request: SignInRequest, profile: Profile) -> None:
    with listening(sign_in_request) as listener:
        get(f"{profile.redirect_uri}?{GOOD}")
        again = get(f"{profile.redirect_uri}?code=other&state=state-1")
        assert listener.landed.result(PATIENCE) == Secret("canary-code")
    assert again.status_code == 410
    assert "Already done" in again.text


def test_nothing_is_logged(
    sign_in_request: SignInRequest,
    profile: Profile,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    with listening(sign_in_request) as listener:
        port = Endpoint.of(profile.redirect_uri).port
        with socket.create_connection(("127.0.0.1", port)) as gone:
            gone.sendall(f"GET /callback?{GOOD} HTTP/1.0\r\n\r\n".encode())
        listener.landed.result(PATIENCE)
    assert "canary" not in caplog.text
    assert capfd.readouterr() == ("", "")


def test_the_port_is_free_afterwards(sign_in_request: SignInRequest) -> None:
    for _ in range(2):
        with listening(sign_in_request):
            pass


@pytest.mark.parametrize("path", ["/", "/a/b%20c/callback", "", "/callback?app=1"])
def test_any_path_will_do_also_with_a_query(path: str, profile: Profile) -> None:
    address = f"http://127.0.0.1:{free_port()}{path}"
    request = SignInRequest(replace(profile, redirect_uri=address), Secret("state-1"))
    with listening(request) as listener:
        assert lands(listener, f"{address}{'&' if '?' in path else '?'}{GOOD}")


def has_ipv6() -> bool:
    try:
        return bool(free_port("::1"))
    except OSError:
        return False


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6 loopback")
@pytest.mark.parametrize("host", ["[::1]", "localhost"])
def test_ipv6_loopback(host: str, profile: Profile) -> None:
    port = free_port("::1", "127.0.0.1")  # localhost is both
    address = f"http://{host}:{port}/callback"
    request = SignInRequest(replace(profile, redirect_uri=address), Secret("state-1"))
    with listening(request) as listener:
        assert lands(listener, f"http://[::1]:{port}/callback?{GOOD}")


def test_localhost_is_reached_by_ipv4(profile: Profile) -> None:
    port = free_port()
    address = f"http://localhost:{port}/callback"
    request = SignInRequest(replace(profile, redirect_uri=address), Secret("state-1"))
    with listening(request) as listener:
        assert lands(listener, f"http://127.0.0.1:{port}/callback?{GOOD}")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_port_that_is_taken(host: str, profile: Profile) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        address = f"http://{host}:{port}/callback"
        request = SignInRequest(replace(profile, redirect_uri=address), Secret("state-1"))
        with (
            pytest.raises(SignInStopped, match=f"port {port}: .*in use.*--paste") as caught,
            listening(request),
        ):
            pass
    assert caught.value.reason == "port"


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1:8731/callback",
        "http://app.example.com/callback",
        "http://127.0.0.1.example.com/callback",
        "http://192.168.0.1:8731/callback",
        "http://0.0.0.0:8731/callback",
        "http://[::]:8731/callback",
        "http://127.1:8731/callback",
        "http://user@127.0.0.1:8731/callback",
        "my-app:/callback",
    ],
)
def test_only_this_machine_is_listened_on(address: str) -> None:
    assert Endpoint.of(address) is None


@given(st.text(max_size=80).map("/callback?".__add__) | st.text(max_size=80))
def test_any_request_without_the_state_is_refused(target: str) -> None:
    profile = replace(PROFILE, redirect_uri="http://127.0.0.1:8731/callback")
    listener = listening(SignInRequest(profile, Secret("state-1")))
    page, outcome = listener.take(Secret(target))
    assert page.status in (400, 404)
    assert not isinstance(outcome, Secret)
