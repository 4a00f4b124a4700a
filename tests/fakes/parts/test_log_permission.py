"""The logs of the domain, where it is assumed that users may do things for themselves only."""

import pytest

from ..caller import calling, make

LOGS = ("/audits/logs/download", "/monitoring/message-contents/download")


@pytest.mark.parametrize("path", LOGS)
def test_logs_are_for_administrators(path):
    fake = make(assume={"api.permission": "self-or-administrator"})
    with calling(fake, "u-002") as me:
        refused = me.api("GET", path)
        assert (refused.status_code, refused.json()["code"]) == (403, "FORBIDDEN")
        assert "for the domain" in refused.json()["description"]
        assert "api.permission" in refused.headers["X-Fake-Assumed"]
    with calling(fake, "u-001") as me:
        response = me.api("GET", path)
        assert response.status_code == 302
        assert "api.permission" not in response.headers.get("X-Fake-Assumed", "")


@pytest.mark.parametrize("path", LOGS)
def test_that_anybody_reads_logs_is_an_assumption(path):
    with calling(make(), "u-002") as me:
        assert "api.permission" in me.api("GET", path).headers["X-Fake-Assumed"]
