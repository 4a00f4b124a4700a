"""Addresses: one spelling, and no way around the comparison of origins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svckit.addresses import locate, quote_segment

OWN = "https://storage.work.test/"


@pytest.mark.parametrize(
    "address",
    [
        "https://storage.work.test/x",
        "HTTPS://STORAGE.work.test/x",
        "https://storage.work.test:443/x",
        "https://storage.work.test:0443/x",
        "https://storage.work.test:",
        "https://storage.work.test?x",
        "https://storage.work.test#x",
        "https://storage。work。test/x",
    ],
)
def test_spellings_of_the_same_origin(address: str) -> None:
    origin, rest = locate(address)
    assert origin == locate(OWN)[0]
    assert f"{origin}{rest}".startswith(OWN)


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("http://[::1]:8000/a", "http://[::1]:8000"),
        ("http://127.0.0.1:80/a", "http://127.0.0.1"),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("http://my_service:8080/x", "http://my_service:8080"),
    ],
)
def test_origins_are_written_in_one_way(address: str, origin: str) -> None:
    assert str(locate(address)[0]) == origin


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("", "not an absolute"),
        ("/uploads/1", "not an absolute"),
        ("//storage.work.test/", "not an absolute"),
        ("ftp://storage.work.test/", "not an absolute"),
        ("javascript:alert(1)", "not an absolute"),
        (" https://storage.work.test/", "not an absolute"),
        ("https:storage.work.test/", "not an absolute"),
        ("https://storage.work.test@evil.test/", "user information"),
        ("https://evil.test\\@storage.work.test/", "user information"),
        ("https://user:pw@storage.work.test/", "user information"),
        ("https://storage.work.test\\.evil.test/", "host"),
        ("https://storage.work.test%2eevil.test/", "host"),
        ("https://storage.work.test .evil.test/", "host"),
        ("https://storage..work.test/", "host"),
        ("https:///x", "host"),
        ("https://[::1/", "host"),
        ("https://storage.work.test:port/", "host"),
        ("https://storage.work.test:99999/", "port"),
        ("https://storage.work.test:0/", "port"),
        ("https://storage.work.test/\r\nX: y", "control characters"),
        ("https://storage.work\t.test/", "control characters"),
        ("https://storage.work.test/\ud800", "half of a character"),
    ],
)
def test_what_is_no_plain_address_is_refused(address: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        locate(address)


@given(st.text())
def test_a_quoted_segment_stays_one_segment(value: str) -> None:
    try:
        segment = quote_segment(value.encode("utf-8", "replace").decode())
    except ValueError:
        assert value in ("", ".", "..")
    else:
        assert not set("/?#\\ ") & set(segment)
