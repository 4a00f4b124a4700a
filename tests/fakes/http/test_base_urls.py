"""The base URLs of a fake in process are settings: programs with hosts of their own reach it unchanged."""

import httpx
import pytest

import svckit
from fakes import FakeService
from fakes.http.addresses import BaseURLs, UnknownURL
from svckit import places

from ..caller import make

ADDRESSES = {
    "base_url": "https://www.example.com/v1.0",
    "auth_url": "https://auth.example.com",
    "upload_url": "https://files.example.com",
    "webhook_url": "https://hooks.example.com",
}


@pytest.fixture
def fake():
    return make(addresses=ADDRESSES)


def authorize_url(fake):
    query = {"client_id": fake.facts["client_id"], "redirect_uri": "http://127.0.0.1:8731/callback"}
    query |= {"scope": "user,file", "response_type": "code", "state": "x"}
    return f"https://auth.example.com/oauth2/v2.0/authorize?{httpx.QueryParams(query)}"


def test_facts_sessions_and_documents_follow(fake):
    facts = fake.facts
    assert {key: facts[key] for key in ADDRESSES} == ADDRESSES
    assert facts["admin_url"] == "https://admin.fake.test"
    assert facts["webhooks"][0].startswith("https://hooks.example.com/message/")
    document = fake.openapi()
    own = [item["servers"] for item in document["paths"].values() if "servers" in item]
    found = {server["url"] for servers in [document["servers"], *own] for server in servers}
    assert found == set(ADDRESSES.values())
    assert fake.admin_openapi()["servers"][0]["url"] == "https://admin.fake.test"
    with svckit.connect(fake) as svc:
        assert svc.users.read("u-001").user_id == "u-001"
        svc.notify("hello", webhook=facts["webhooks"][0])
        svc.files.upload(b"hello", places.drive("u-001"), name="a.txt")
    assert fake.journal[-1].url.startswith("https://files.example.com/uploads/")
    assert [entry.url for entry in fake.journal.where(operation="users.update")] == [
        "https://www.example.com/v1.0/users/u-001"
    ]


def test_the_login_screen_leads_back_to_the_same_host(fake):
    browser = fake.browser()
    browser.open(authorize_url(fake))
    assert browser.sign_in().startswith(fake.facts["redirect_uri"])


def test_forks_and_resets_keep_them(fake):
    fake.reset()
    assert fake.facts["base_url"] == fake.fork().facts["base_url"] == ADDRESSES["base_url"]


@pytest.mark.parametrize(
    ("url", "area", "path"),
    [
        ("https://one.example.com/users/u-001", "api", "/users/u-001"),
        ("https://one.example.com/auth/oauth2", "auth", "/oauth2"),
        ("https://one.example.com/authors", "api", "/authors"),
        ("https://one.example.com/auth/files/uploads/1", "storage", "/uploads/1"),
        ("HTTPS://One.Example.com:443/auth", "auth", "/"),
    ],
)
def test_of_urls_on_one_host_the_longest_that_fits_is_meant(url, area, path):
    base = "https://one.example.com"
    urls = BaseURLs.from_facts(
        {"base_url": base, "auth_url": f"{base}/auth/", "upload_url": f"{base}/auth/files"}
    )
    assert urls.locate(url)[:2] == (area, path)


def test_a_path_outside_the_prefix_is_named(fake):
    with pytest.raises(
        UnknownURL, match=r"^https://www\.example\.com/users/u-001 is not served by"
    ) as raised:
        fake.base_urls.locate("https://www.example.com/users/u-001?x=1")
    assert "FakeService.sample(addresses=…) sets others" in str(raised.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "www.example.com",
        "ftp://example.com",
        "https://",
        "https://example.com?x=1",
        "https://example.com/#top",
        "https://user:canary@example.com",
        "https://exämple.com",
        "https://example.com/a b",
        "https://example.com/../v1",
        "https://example.com//v1",
        "https://example.com:65536",
        None,
        7,
    ],
)
def test_what_is_no_base_url_is_refused(url):
    with pytest.raises(
        ValueError, match=r"^addresses cannot be used: base_url must be an absolute"
    ) as refused:
        FakeService.sample(addresses={"base_url": url})
    assert "canary" not in str(refused.value)


def test_problems_are_reported_together():
    addresses = {
        "base_ulr": "https://example.com",
        "upload_url": "example.com",
        "auth_url": "https://Example.com/",
        "webhook_url": "https://example.com:443",
    }
    with pytest.raises(ValueError, match="addresses cannot be used") as refused:
        FakeService.sample(addresses=addresses)
    told = str(refused.value).removeprefix("addresses cannot be used: ").split("; ")
    assert told[:2] == ["'base_ulr' is not the URL of an area", "did you mean base_url?"]
    assert told[2].startswith("upload_url must be an absolute http or https URL")
    assert told[3] == "given 'example.com'"
    assert told[4] == "auth_url and webhook_url are both https://example.com"


def test_default_url_of_another_area_is_refused():
    with pytest.raises(ValueError, match=r"base_url and auth_url are both https://auth\.fake\.test"):
        FakeService.sample(addresses={"base_url": "https://auth.fake.test"})


def test_what_is_no_mapping_is_refused():
    with pytest.raises(TypeError, match="addresses must be a mapping of keys of the facts to URLs, such as"):
        FakeService.sample(addresses="https://example.com")
