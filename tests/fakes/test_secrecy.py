"""What a fake hands out shows no secret in a repr, and puts none into a pickle."""

import pickle

import pytest

from fakes.exchange import RequestHead, Response

from .caller import calling, make


def holders():
    """Everything of a fake that holds a secret, by name, with the secret it holds."""
    fake = make()
    state, facts = fake.state, fake.facts
    with calling(fake) as me:
        me.notify()
        stored = me.upload()
        me.send(me.url(), b"he", **{"Content-Range": "0-1/5"})
    (*_, upload) = fake.files.uploads.dump().uploads
    place = ("drive", "u-001")
    report = fake.files.find(("audit_logs",), None)
    (file,) = (each for each in fake.files.stored() if each.file_id == stored["fileId"])
    webhook, issued = fake.webhooks.all()[0], state.tokens.issue("u-001", facts["client_id"], "user")
    (message,) = fake.webhooks.messages(facts["channel_id"])
    bearer = (b"Authorization", f"Bearer {issued.access_token}".encode())
    return {
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
        "body": (Response(200, body=issued.access_token.encode()), issued.access_token),
        "redirect": (Response(302, [("Location", "https://a.test/?code=canary-code")]), "canary-code"),
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
    saved = getattr(make().state, part).dump()
    assert repr(saved) == f"{type(saved).__name__}()"
