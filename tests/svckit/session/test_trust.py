"""Certificates are checked always; whom to trust can be said."""

import asyncio
import logging
import ssl
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeService
from svckit.errors import Unreachable
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.connect import connect, connect_async

Certified = tuple[tuple[Path, Path], ssl.SSLContext]


def test_a_certificate_of_ones_own_is_trusted_when_told(fake: FakeService, certified: Certified) -> None:
    files, trust = certified

    async def read(profile: Profile, credentials: Credentials) -> Any:
        async with connect_async(profile, credentials=credentials, sign_in="form", trust=trust) as svc:
            return (await svc.users.read("u-001")).user_id, (
                await svc.http.patch("/users/u-001", json={})
            ).status_code

    with fake.serve(tls=files) as served:
        profile, credentials = Profile.from_facts(served.facts), Credentials.from_facts(served.facts)
        with connect(profile, credentials=credentials, sign_in="form", trust=trust) as svc:
            assert svc.users.read("u-001").user_id == "u-001"
            assert svc.http.patch("/users/u-001", json={}).status_code == 200
        assert asyncio.run(read(profile, credentials)) == ("u-001", 200)


def test_no_other_certificate_is_taken(
    fake: FakeService, certified: Certified, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr("time.sleep", lambda _: None)
    with fake.serve(tls=certified[0]) as served:
        profile, credentials = Profile.from_facts(served.facts), Credentials.from_facts(served.facts)
        with pytest.raises(
            Unreachable, match=r"CERTIFICATE_VERIFY_FAILED.*trust=.*SSL_CERT_FILE.*nothing was sent"
        ):
            connect(profile, credentials=credentials, sign_in="form")
    assert len(fake.journal) == 0


def test_a_file_that_is_named_after_a_failure_is_read(
    fake: FakeService, certified: Certified, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    files, trust = certified
    named = tmp_path / "authorities.pem"
    named.write_text("".join(map(ssl.DER_cert_to_PEM_cert, trust.get_ca_certs(binary_form=True))))
    with fake.serve(tls=files) as served:
        profile, credentials = Profile.from_facts(served.facts), Credentials.from_facts(served.facts)
        with pytest.raises(Unreachable):
            connect(profile, credentials=credentials, sign_in="form")
        monkeypatch.setenv("SSL_CERT_FILE", str(named))
        with connect(profile, credentials=credentials, sign_in="form") as svc:
            assert svc.users.read("u-001").user_id == "u-001"


def test_a_fake_in_process_has_no_certificates(fake: FakeService, certified: Certified) -> None:
    with pytest.raises(TypeError, match="trust can be given with a profile only"):
        connect(fake, trust=certified[1])
