"""Query parameters of operations that have none."""

import pytest

from ..caller import calling, make

CALLS = {
    "update": lambda me: me.api("PATCH", "/users/u-001?x=1", json={}),
    "status": lambda me: me.api(
        "POST", "/users/u-001/user-profile-statuses?x=1", json={"profileStatusId": "BUSY"}
    ),
    "upload": lambda me: me.ask("/users/u-001/drive/files?x=1"),
    "content": lambda me: me.send(me.url() + "?x=1"),
    "fetch": lambda me: me.fetch(me.locate(me.upload()["fileId"]).headers["Location"] + "?x=1"),
    "notification": lambda me: me.http.post(me.facts["webhooks"][0] + "?x=1", json={"body": {"text": "a"}}),
    "token": lambda me: me.http.post(
        me.facts["auth_url"] + "/oauth2/v2.0/token?x=1", data={"grant_type": "authorization_code"}
    ),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_they_are_ignored_or_refused(call):
    with calling(make()) as me:
        response = call(me)
        assert "api.query" in response.headers["X-Fake-Assumed"].split(", ")
        assert "query" not in response.headers.get("X-Fake-Reason", "")
    with calling(make(assume={"api.query": "refused"})) as me:
        response = call(me)
        assert response.status_code == 400
        assert "no query parameters" in response.headers["X-Fake-Reason"]
