"""A script whose hosts are written into it: in process it is given a client, served it is led to a fake's ports."""

import ssl
from urllib.parse import urlsplit

import httpx
import pytest
import trustme

from fakes import FakeService

from .clients import hard_coded_hosts
from .leading import LeadingProxy
from .running import sign_in

AUTH, API = "https://auth.example.com", "https://www.example.com"
ADDRESSES = {"auth_url": AUTH, "base_url": f"{API}/v1.0"}


def run(http, facts):
    """Let the script sign in the person of the facts."""
    application = facts["client_id"], facts["client_secret"], facts["redirect_uri"]
    return hard_coded_hosts.run(
        http, *application, facts["user_id"], open_browser=lambda url: sign_in(url, facts, http)
    )


def test_script_with_mounts():
    fake = FakeService.sample(addresses=ADDRESSES)
    with httpx.Client(mounts={AUTH: fake.transport(), API: fake.transport()}) as http:
        assert run(http, fake.facts) == ("Mina", "Minnie")
    assert next(fake.records("users"))["nickName"] == "Minnie"


def test_script_with_its_own_client():
    fake = FakeService.sample(addresses=ADDRESSES)
    with fake.httpx():
        assert run(httpx, fake.facts) == ("Mina", "Minnie")


def test_script_is_told_the_hosts():
    fake = FakeService.sample()
    with (
        httpx.Client(mounts={AUTH: fake.transport(), API: fake.transport()}) as http,
        pytest.raises(httpx.ConnectError, match=r"https://auth\.fake\.test") as refused,
    ):
        run(http, fake.facts)
    assert "addresses=" in str(refused.value)


def test_script_whose_hosts_lead_there(tmp_path):
    authority, trusting = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(trusting)
    certificate = authority.issue_cert("127.0.0.1", "*.example.com")
    files = tmp_path / "certificate.pem", tmp_path / "key.pem"
    certificate.cert_chain_pems[0].write_to_path(files[0])
    certificate.private_key_pem.write_to_path(files[1])
    fake = FakeService.sample()
    with fake.serve(origins=True, base_path="/v1.0", tls=files) as served:
        facts = served.facts
        keys = {"auth.example.com": "auth_url", "www.example.com": "base_url"}
        ports = {host: urlsplit(facts[key]).port for host, key in keys.items()}
        with (
            LeadingProxy(ports) as proxy,
            httpx.Client(proxy=proxy.url, verify=trusting, trust_env=False, timeout=60) as http,
        ):
            assert run(http, facts) == ("Mina", "Minnie")
