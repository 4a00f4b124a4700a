"""Applications, bots and webhooks of one's own, with which a fake begins, and what names them when they are missing."""

import json

import httpx
import jwt
import pytest

from fakes import FakeService
from fakes.serving import open_sample, register_redirects

from .admin import Admin
from .caller import NOW, calling
from .keys import JWT_BEARER, ask_for_token, assert_for, private_key, public_pem

MINE = {
    "applications": [
        {
            "clientId": "my-app",
            "clientSecret": "my-secret",
            "redirectUri": "https://app.example/callback",
            "redirectUris": ["http://localhost:3000/callback"],
        },
        {},
    ],
    "bots": [{"botId": 2000001, "botSecret": "bs", "callbackUrl": "http://127.0.0.1:9/events"}, {}],
    "webhooks": [{"title": "CI", "channelId": "team", "url": "https://hooks.example/message/wh_fixed"}],
}
ISSUED = {"token.jwt-bearer": "issued"}


def make(data=MINE, **options):
    return FakeService.sample(now=NOW, data=data, **options)


def authorize(fake, redirect_uri, client_id="my-app"):
    query = {
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "scope": "user",
        "response_type": "code",
        "state": "s",
    }
    fake.auth.auto_login = fake.facts["user_id"]
    with httpx.Client(transport=fake.transport()) as http:
        return http.get(fake.facts["auth_url"] + "/oauth2/v2.0/authorize", params=query)


def test_the_facts_have_the_first():
    facts = make().facts
    assert (facts["client_id"], str(facts["client_secret"])) == ("my-app", "my-secret")
    assert facts["redirect_uri"] == "https://app.example/callback"
    assert (facts["bot_id"], str(facts["bot_secret"])) == ("2000001", "bs")
    assert facts["channel_id"] == "team"
    assert [*map(str, facts["webhooks"])] == ["https://hooks.fake.test/message/wh_fixed"]
    assert facts["users"][0] == "u-001"


@pytest.mark.parametrize("uri", ["https://app.example/callback", "http://localhost:3000/callback"])
def test_each_redirect_url_is_registered(uri):
    assert authorize(make(), uri).headers["Location"].startswith(f"{uri}?code=")


def test_an_application_may_have_a_key():
    app = {"clientId": "robot", "clientSecret": "s", "publicKey": public_pem(private_key())}
    fake = make({"applications": [{}, app]}, assume=ISSUED)
    with calling(fake) as me:
        assertion = assert_for(fake, iss="robot")
        got = ask_for_token(me, assertion, client_id="robot", client_secret="s")
    assert got.status_code == 200


def test_reset_connects_bots_again_and_a_fork_does_not():
    fake = make()
    assert fake.fork().callbacks.bots["2000001"].receiver is None
    fake.callbacks.disconnect()
    fake.callbacks.connect("bot-2", print)
    fake.reset()
    assert repr(fake.callbacks.bots["2000001"].receiver) == "<HttpReceiver: http://127.0.0.1:9/events>"
    assert fake.callbacks.bots["bot-2"].receiver is None


def test_a_state_file_resumes_from_them(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(MINE))
    seen = []
    for data in (path, None):
        with open_sample("key", now=NOW, data=data, state=tmp_path / "fake.db") as fake:
            seen.append(fake.snapshot())
            assert fake.callbacks.bots["2000001"].receiver is not None
    assert seen[0] == seen[1]


def test_admin_calls_take_the_same_keys():
    fake = FakeService.sample(now=NOW)
    admin = Admin(fake)
    for kind in ("applications", "bots"):
        for item in MINE[kind]:
            given = {"redirectUri": "https://b.example/"} | item if kind == "applications" else item
            assert admin("POST", f"/{kind}", given).status_code == 201
        assert "already exists" in admin.refused("POST", f"/{kind}", MINE[kind][0], status=409)
    assert fake.callbacks.bot("2000001").secret == "bs"
    assert authorize(fake, "http://localhost:3000/callback").status_code == 302


def test_redirect_urls_of_the_command():
    urls = ["https://a.example/callback", "http://localhost:1/cb"]
    fake = make(register_redirects(None, urls))
    assert (fake.facts["client_id"], fake.facts["redirect_uri"]) == ("client-1", urls[0])
    for url in urls:
        assert authorize(fake, url, "client-1").status_code == 302
    assert register_redirects(None, []) is None
    with pytest.raises(ValueError, match="has applications, with their redirect URLs; omit --redirect-uri"):
        register_redirects(fake.own_data, urls)


@pytest.mark.parametrize("seed", [0, 7])
def test_the_facts_have_a_ready_service_account(seed):
    fake = FakeService.sample(now=NOW, seed=seed, assume=ISSUED)
    account = fake.facts.to_wire()["service_account"]
    second = int(fake.clock.now().timestamp())
    claims = {"iss": account["client_id"], "sub": account["login_id"], "iat": second, "exp": second + 60}
    form = {
        "grant_type": JWT_BEARER,
        "assertion": jwt.encode(claims, account["private_key"], algorithm="RS256"),
        "scope": "user",
        "client_id": account["client_id"],
        "client_secret": account["client_secret"],
    }
    with httpx.Client(transport=fake.transport()) as http:
        got = http.post(fake.facts["auth_url"] + "/oauth2/v2.0/token", data=form)
    assert got.status_code == 200, got.text
    shown = repr(fake.facts)
    assert account["client_secret"] not in shown
    assert "PRIVATE KEY" not in shown


def test_there_is_none_where_it_would_be_of_no_use():
    assert "service_account" not in make().facts
    fake = FakeService.sample(now=NOW, assume=ISSUED)
    fake.auth.register_key(public_pem(private_key()), "service-account-1")
    assert "service_account" not in fake.facts


def test_refusals_name_the_setting():
    fake = FakeService.sample(now=NOW)
    refused = authorize(fake, "https://elsewhere.example/", "client-1").headers["X-Fake-Reason"]
    assert '--redirect-uri, or data={"applications": [{"redirectUri": ' in refused
    assert 'data={"bots": [{"botId": ' in Admin(fake).refused(
        "PUT", "/bots/2000001/callback", {"url": None}, status=404
    )
    fake = FakeService.sample(now=NOW, assume=ISSUED)
    fake.auth.register_key(public_pem(private_key()))
    with calling(fake) as me:
        told = ask_for_token(me, assert_for(fake, sub="admin@my.example")).headers["X-Fake-Reason"]
    assert 'by --data, or data={"users": [{"userId": ' in told
