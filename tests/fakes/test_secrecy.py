"""What a fake hands out shows no secret in a repr, and puts none into a pickle."""

import pickle

import httpx
import pytest

from fakes.http.messages import FakeResponse, RequestHead
from fakes.parts.facts import Facts
from fakes.parts.snapshot import list_parts

from .caller import calling, make


def holders():
    """Everything of a fake that holds a secret, by name, with the secret it holds."""
    fake = make()
    state, facts = fake.state, fake.facts
    with calling(fake) as me:
        me.notify()
        stored = me.upload()
        me.send(me.url(), b"he", **{"Content-Range": "0-1/5"})
    (*_, upload) = fake.files.uploads.dump().uploads.values()
    place = ("drive", "u-001")
    report = fake.files.find(("audit_logs",), None)
    (file,) = (each for each in fake.files.list_files() if each.file_id == stored["fileId"])
    webhook, issued = fake.webhooks.all()[0], state.tokens.issue("u-001", facts["client_id"], "user")
    (message,) = fake.webhooks.messages(facts["channel_id"])
    bearer = (b"Authorization", f"Bearer {issued.access_token}".encode())
    return {
        "fake": (fake, facts["client_secret"]),
        "facts": (facts, facts["client_secret"]),
        "application": (fake.auth.application, facts["client_secret"]),
        "bot": (fake.callbacks.bot("bot-1"), facts["bot_secret"]),
        "webhook": (webhook, webhook.webhook_id),
        "message": (message, webhook.webhook_id),
        "issued": (issued, issued.access_token),
        "token": (state.tokens.authenticate(issued.access_token), issued.refresh_token),
        "upload": (upload, upload.address),
        "revision": (fake.files.find(place, stored["fileId"]), file.latest.address),
        "stored file": (file, file.latest.address),
        "report": (report, report.address),
        "head": (RequestHead("PATCH", "https://api.fake.test/users/u-001", [bearer]), issued.access_token),
        "address": (RequestHead("POST", facts["webhooks"][0]), webhook.webhook_id),
        "body": (FakeResponse(200, body=issued.access_token.encode()), issued.access_token),
        "redirect": (FakeResponse(302, [("Location", "https://a.test/?code=canary-code")]), "canary-code"),
    }


@pytest.mark.parametrize("name", holders())
def test_repr_shows_no_secret(name):
    holder, secret = holders()[name]
    assert secret not in repr(holder)
    assert secret not in f"{[holder]}"


@pytest.mark.parametrize("name", holders())
def test_holders_of_secrets_are_not_pickled(name):
    holder, _ = holders()[name]
    with pytest.raises(TypeError, match=f"{type(holder).__name__} holds secrets in the clear"):
        pickle.dumps(holder)


@pytest.mark.parametrize("part", ["auth", "callbacks", "files", "tokens", "webhooks"])
def test_saved_parts_show_nothing(part):
    saved = list_parts(make().state)[part].dump()
    assert repr(saved) == f"{type(saved).__name__}()"


def test_a_secret_at_the_wrong_path_is_not_told(fake, me):
    """Neither the response and its hint nor the journal repeat it, whatever it was typed into."""
    secret = fake.facts["webhooks"][0].rpartition("/")[2]
    responses = [
        me.http.post(f"{fake.facts['webhook_url']}/mesage/{secret}", json={}),
        me.http.post(f"{fake.facts['webhook_url']}/{secret}", json={}),
        me.api("GET", f"/users/{secret}/foto"),
        me.patch(secret, nickName="x"),
        me.ask(f"/bots/{secret}/attachments"),
        me.authorize(client_id=secret),
        me.authorize(redirect_uri=f"https://mina:{secret}@elsewhere.test/"),
        me.token(grant_type=secret),
    ]
    for response in responses:
        assert response.status_code in (400, 404)
        assert secret not in response.text
        assert secret not in response.headers["X-Fake-Reason"]
    assert "***" in responses[0].headers["X-Fake-Reason"]
    for entry in fake.journal:
        shown = [repr(entry), entry.record(), entry.request_headers, entry.request_body]
        assert secret not in str([*shown, entry.response_headers, entry.response_body])


def test_unserved_address_is_shown_without_password():
    with calling(make()) as me, pytest.raises(httpx.ConnectError) as raised:
        me.http.get("https://mina:canary@elsewhere.test/")
    assert "https://***@elsewhere.test is not served by this fake" in str(raised.value)


@pytest.mark.parametrize("name", ["admin_key", "client_secret", "password", "bot_secret"])
def test_facts_do_not_show_a_secret_that_looks_like_none(name):
    facts = Facts({name: "a-word-of-our-own", "user_id": "u-001"})
    assert repr(facts) == f"Facts({name}=***, user_id=u-001)"
    assert facts[name] == "a-word-of-our-own"
