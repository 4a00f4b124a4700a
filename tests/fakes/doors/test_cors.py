"""Web pages of other origins call a served fake if they may."""

import pytest

from ...loopback import local_client

PAGE = "http://localhost:3000"
PREFLIGHT = {
    "Access-Control-Request-Method": "PATCH",
    "Access-Control-Request-Headers": "authorization,content-type",
}


@pytest.fixture(params=[[PAGE, "https://App.example"], ["*"]], ids=["named", "any"])
def http(fake, request):
    with fake.serve(cors=request.param) as served, local_client(base_url=served.facts["base_url"]) as client:
        client.allowed = "*" if request.param == ["*"] else PAGE
        yield client


def test_a_preflight_request_is_allowed_and_is_no_call_of_the_service(fake, http):
    response = http.options("/users/u-001", headers=PREFLIGHT | {"Origin": PAGE})
    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["Access-Control-Allow-Origin"] == http.allowed
    methods = {"DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"}
    assert set(response.headers["Access-Control-Allow-Methods"].split(", ")) == methods
    assert response.headers["Access-Control-Allow-Headers"] == "authorization,content-type"
    assert len(fake.journal) == 0


def test_a_page_may_read_all_headers_of_a_response(fake, http):
    response = http.patch("/users/u-001", json={}, headers={"Origin": PAGE})
    assert response.status_code == 401
    assert response.headers["Access-Control-Allow-Origin"] == http.allowed
    exposed = response.headers["Access-Control-Expose-Headers"].split(", ")
    assert {"x-fake-assumed", "x-fake-reason"} <= set(exposed)
    post = http.post(fake.facts["webhooks"][0].replace("https://hooks.fake.test", "../hooks"), json={})
    assert "access-control-allow-origin" not in post.headers  # no page sent it


def test_pages_of_other_origins_are_told_so(fake):
    with fake.serve(cors=[PAGE]) as served, local_client(base_url=served.url) as http:
        elsewhere = {"Origin": "https://evil.example"}
        response = http.options("/api/users/u-001", headers=PREFLIGHT | elsewhere)
        assert response.status_code == 403
        assert response.headers["Vary"] == "Origin"
        assert "pages of 'https://evil.example' may not call this fake" in response.json()["description"]
        assert f"allows those of {PAGE}: serve it with --cors" in response.headers["X-Fake-Reason"]
        response = http.get("/admin/health", headers=elsewhere)
        assert response.status_code == 200
        assert "access-control-allow-origin" not in response.headers
        assert "access-control-expose-headers" not in response.headers
        assert response.headers["Vary"] == "Origin"
        assert http.get("/admin/health", headers={"Origin": PAGE}).headers["Vary"] == "Origin"


def test_no_cors_without_preflight_or_setting(fake, http):
    assert http.options("/users/u-001", headers={"Origin": PAGE}).status_code == 401
    with fake.serve() as served, local_client() as plain:
        response = plain.options(served.facts["base_url"] + "/users", headers=PREFLIGHT | {"Origin": PAGE})
    assert response.status_code == 401
    assert "access-control-allow-origin" not in response.headers
    reason = fake.journal[-1].reason
    assert "a browser asks whether a page of 'http://localhost:3000' may call this fake" in reason
    assert "--cors http://localhost:3000" in reason
    assert "stub" not in reason
