"""A service that differs from its description in small ways, and fails now and then: everything still works."""

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx
import pytest

from fakes import FakeService

from ..loopback import PATIENCE
from .conftest import describe

pytestmark = pytest.mark.long

JOB = """
import svckit

with svckit.connect("work") as svc:
    assert svc.users.read("u-003").user_id == "u-003"
    assert svc.users.update("u-001", nick_name="Mina").nick_name == "Mina"
    assert svc.users.set_status("u-001", "BUSY")
    drive = svckit.places.drive("u-001")
    stored = svc.files.upload("report.txt", to=drive)
    svc.files.download(drive.file(stored.file_id), to="copy.txt")
    svc.notify("hello")
    for each in svc.notices:
        print(each)
"""


class Deviating(BaseHTTPRequestHandler):
    """Hands requests on to a fake, and makes of its responses those of a service that is not quite as described."""

    def handle_any(self):
        server, body = self.server, self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if server.failures and self.command == "PATCH":
            self.respond(*server.failures.pop(0))
            return
        headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        headers["X-Forwarded-Host"] = self.headers["Host"]  # so that the URLs in responses lead here too
        response = server.http.request(self.command, server.behind + self.path, headers=headers, content=body)
        content = response.content
        if self.path.endswith("/token") and response.is_success:
            content = json.dumps(response.json() | {"token_type": "bearer"}).encode()
        kept = {
            name: value
            for name, value in response.headers.items()
            if not name.startswith(("x-fake-", "content-length", "date", "server", "transfer-", "connection"))
        }
        self.respond(response.status_code, kept, content)

    do_GET = do_PATCH = do_POST = do_PUT = handle_any  # noqa: N815 - as http.server calls them

    def respond(self, status, headers, content):
        self.send_response(status)
        for name, value in (headers | {"Content-Length": str(len(content))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextmanager
def deviating():
    """Serve it; yield the fake and the variables of a profile."""
    fake = FakeService.sample(deviations={"token.expires-in": "number", "file.stored": "200"})
    with (
        fake.serve(forwarded=True) as served,
        httpx.Client(trust_env=False, timeout=PATIENCE) as http,
        ThreadingHTTPServer(("127.0.0.1", 0), Deviating) as server,
    ):
        origin = f"http://127.0.0.1:{server.server_port}"
        server.http, server.behind = http, served.url
        server.failures = [
            (502, {"Content-Type": "text/html"}, b"<html><h1>Bad Gateway</h1></html>"),
            (429, {"Content-Type": "application/json", "Retry-After": "1"}, b"{}"),
        ]
        Thread(target=server.serve_forever, daemon=True).start()
        user, client = fake.state.users.resolve("u-001"), fake.auth.application
        refresh_token = fake.state.tokens.issue(user, client.client_id, "user,file").refresh_token
        webhooks = {"webhooks": "alerts", "webhook_alerts": served.facts["webhooks"][0]}
        variables = describe(served.facts, scopes="user,file", refresh_token=refresh_token, **webhooks)
        yield fake, server, {name: value.replace(served.url, origin) for name, value in variables.items()}
        server.shutdown()


def test_all_works_and_is_noted(installed, tmp_path):
    (tmp_path / "job.py").write_text(JOB, encoding="utf-8")
    (tmp_path / "report.txt").write_text("all green", encoding="utf-8")
    with deviating() as (fake, server, variables):
        printed = installed.run("job.py", cwd=tmp_path, **variables)
        assert server.failures == []  # both were met, and waited out
        assert [message.text for message in fake.webhooks.messages(fake.facts["channel_id"])] == ["hello"]
    assert (tmp_path / "copy.txt").read_text(encoding="utf-8") == "all green"
    for difference in ("expires_in must be", "token_type", "the status is 200, not 201"):
        assert difference in printed


def test_conformance_measures_acceptance(installed, tmp_path):
    with deviating() as (_, server, variables):
        server.failures.clear()
        running = installed.start(
            "svckit", "conformance", "work", "--user", "u-001", cwd=tmp_path, **variables
        )
        printed, said = running.communicate("")
    assert running.returncode == 0, printed + said
    assert "the saved refresh token might work only once. --own-sign-in runs them too" in printed
    assert len(printed.splitlines()) < 20, printed
    assert variables["SVCKIT_WORK_CLIENT_SECRET"] not in printed + said
    fake = FakeService.sample(assume_from=tmp_path / "assumptions.toml")
    assert fake.rules["api.unauthorized"].provenance == "observed"
