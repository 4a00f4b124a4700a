"""Every request as Python and as curl: run, they send the same request again."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

import svckit
from fakes import FakeService
from svckit import places
from svckit.addresses import quote_segment
from svckit.display.masking import MASK, mask
from svckit.errors import ServiceError
from svckit.http.messages import Request
from svckit.http.python_calls import write_python
from svckit.http.trace import Trace
from svckit.operations import auth, custom, notifications, users
from svckit.operations.authorization import SignInRequest
from svckit.session.connect import connect
from svckit.session.session import Session

DRIVE = places.drive("u-001")
NAME = "r.txt"
CONTENT = b"012345678"
AUTO_REPLY = {"internal": {"content": "x"}, "external": {"content": "y", "sent_directly_to_me": True}}
ORGANIZATIONS = [{"domain_id": 1, "primary": True, "org_units": [{"org_unit_id": "o-1", "primary": True}]}]
END = "2026-06-01T10:00:00+09:00"


@pytest.fixture
def session(fake: FakeService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """A session in a folder with a file, and the variables that stand for its secrets."""
    (tmp_path / NAME).write_bytes(CONTENT)
    (tmp_path / "body").write_bytes(b'{"task":null}')
    monkeypatch.chdir(tmp_path)
    with connect(fake) as svc:
        for name, value in find_secrets(svc, fake).items():
            monkeypatch.setenv(name, value)
        yield svc


def find_secrets(svc: Session, fake: FakeService) -> dict[str, str]:
    svc.users.read("u-001")
    tokens = svc._driver.tokens.current  # no public name shows a refresh token
    assert tokens is not None
    assert tokens.refresh is not None
    return {
        "ACCESS_TOKEN": fake.access_token(),
        "REFRESH_TOKEN": tokens.refresh.reveal(),
        "CLIENT_SECRET": fake.facts["client_secret"],
        "WEBHOOK_URL": fake.facts["webhooks"][0],
        "PASSWORD": fake.facts["password"],
        "QUERY": "x=1",
        "CODE": "code-1",
        "STATE": "state-1",
    }


def record(svc: Session, use: Callable[[], object]) -> Trace:
    with svc.trace() as trace, suppress(ServiceError):  # the request was sent
        use()
    return trace


def run(code: str, svc: Session) -> Trace:
    return record(svc, lambda: exec(compile(code, "copied", "exec"), {"svc": svc}))


def describe(trace: Trace) -> list[tuple[str, str, str]]:
    requests = [each.request for each in trace]
    return [(each.method, each.url.replace("?x=1", f"?{MASK}"), each.body) for each in requests]


def send_file(svc: Session, **options: Any) -> str:
    return svc.files.upload(NAME, to=DRIVE, **options).file_id or ""


CALLS: dict[str, tuple[Callable[[Session], object], str]] = {
    "clear": (
        lambda svc: svc.users.update("u-003", nick_name="Mina", task=None),
        'svc.users.update("u-003", nick_name="Mina", task=None)',
    ),
    "nested": (
        lambda svc: svc.users.update("a@b.test", user_name={"last_name": "O'Hara"}),
        'svc.users.update("a@b.test", user_name={"last_name": "O\'Hara"})',
    ),
    "properties": (
        lambda svc: svc.users.update("u-001", custom_properties={"someName": ["a", 1]}, searchable=False),
        "svc.users.update(",
    ),
    "lists": (lambda svc: svc.users.update("u-001", organizations=ORGANIZATIONS), "svc.users.update("),
    "read": (lambda svc: svc.users.read("externalKey:k/1"), 'svc.users.read("externalKey:k/1")'),
    "status": (
        lambda svc: svc.users.set_status("u-001", "BUSY", "in a meeting", start=None, end=END),
        'svc.users.set_status(\n    "u-001",\n    "BUSY",\n    message="in a meeting",\n    start=None,\n',
    ),
    "reply": (
        lambda svc: svc.users.set_status("u-001", "AWAY", auto_reply=AUTO_REPLY),
        "svc.users.set_status(",
    ),
    "upload": (
        send_file,
        'from svckit import places\n\nsvc.files.upload("r.txt", to=places.drive("u-001"))',
    ),
    "overwrite": (
        lambda svc: send_file(svc, overwrite=True, modified=END, content_type="text/x-new"),
        "from svckit import places\n\nsvc.files.upload(",
    ),
    "ranges": (lambda svc: send_file(svc, resumable=4, form="resourceName"), "from svckit import places"),
    "one range": (lambda svc: send_file(svc, resumable=True), "from svckit import places"),
    "download": (
        lambda svc: svc.files.download(DRIVE.file(send_file(svc)).revision("1")),
        "from svckit import places",
    ),
    "notify": (
        lambda svc: svc.notify("*** Build ***", title="CI", button=("Open", "https://a.test")),
        "import os\n\nsvc.notify(",
    ),
    "sign in": (lambda svc: svc.sign_in(), "svc.sign_in()"),
    "authorize": (
        lambda svc: svc.run(auth.authorize(SignInRequest.begin(svc.profile))),
        "svc.sign_in()",
    ),
    "refresh": (
        lambda svc: svc.run(
            auth.refresh(svc.profile, svc.credentials, svckit.Secret(os.environ["REFRESH_TOKEN"]))
        ),
        "import os\nimport svckit\n\nsvc.run(",
    ),
    "exchange": (
        lambda svc: svc.run(auth.exchange(svc.profile, svc.credentials, svckit.Secret("code-1"))),
        "import os\nimport svckit\n\nsvc.run(",
    ),
    "unknown": (
        lambda svc: svc.request("GET", "/groups?limit=1", params={"code": "code-1"}),
        'import os\n\nsvc.request("GET", "/groups", params={"limit": "1", "code": os.environ["CODE"]})',
    ),
    "unknown field": (
        lambda svc: svc.request("PATCH", "/users/u-001", json={"shoeSize": 38}),
        'svc.request("PATCH", "/users/u-001", json={"shoeSize": 38})',
    ),
    "secret field": (
        lambda svc: svc.request("POST", "/login", json={"password": os.environ["PASSWORD"], "keep": [True]}),
        'import os\n\nsvc.request("POST", "/login", json={"password": os.environ["PASSWORD"], "keep": [True]})',
    ),
    "webhook": (
        lambda svc: svc.request("POST", os.environ["WEBHOOK_URL"], json={"text": 1}, area="hooks"),
        'import os\n\nsvc.request("POST", os.environ["WEBHOOK_URL"], json={"text": 1}, area="hooks")',
    ),
    "plain httpx": (
        lambda svc: svc.http.patch("/users/u-001", json={"task": None}),
        "from pathlib import Path\n\nsvc.http.patch(",
    ),
    "query": (
        lambda svc: svc.http.get("/users?x=1"),
        'import os\n\nsvc.request("GET", "/users?" + os.environ["QUERY"])',
    ),
    "admin": (
        lambda svc: svc.http.post(
            f"{svc.fake.facts['admin_url']}/clock", json={"task": None}, headers={"Authorization": "Bearer x"}
        ),
        "import os\nfrom pathlib import Path\n\nsvc.http.post(",
    ),
    "odd method": (
        lambda svc: svc.http.request("DELETE", "/users/u-001", json={"task": None}),
        "from pathlib",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_code_sends_the_same_again(name: str, session: Session) -> None:
    use, start = CALLS[name]
    before = record(session, lambda: use(session))
    code = before.python() or before[0].python
    assert code.startswith(start)
    after = describe(run(code, session))
    assert after[: len(before)] == describe(before)
    assert len(after) == len(before) or name == "authorize"  # a sign-in has more steps


def test_what_sessions_see_to_by_themselves_is_left_out(svc: Session, fake: FakeService) -> None:
    fake.clock.advance(hours=25)
    fake.faults.status("users.update", 503)
    trace = record(svc, lambda: svc.users.read("u-001"))
    assert len(trace) > 2
    assert trace.python() == 'svc.users.read("u-001")'


def test_the_steps_of_a_transfer_can_be_sent_alone(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = record(session, lambda: send_file(session, resumable=4, form="resourceName"))
    assert [each.python.splitlines()[-1][:15] for each in trace] == ["svc.files.uploa", *[")"] * 3]
    ticket = session.request(
        "POST", "/users/u-001/drive/files", json={"fileName": NAME, "fileSize": 9}
    ).json()
    monkeypatch.setenv("UPLOAD_URL", ticket["uploadUrl"])
    for entry in list(trace)[1:]:
        (again,) = run(entry.python, session)
        assert again.request.url == entry.request.url
    stored = session.fake.journal[-1]
    assert stored.status == 201


def test_a_download_url_can_be_fetched_alone(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    file = DRIVE.file(send_file(session))
    trace = record(session, lambda: session.files.download(file))
    found = session.request("GET", file.download_path or "")
    monkeypatch.setenv("DOWNLOAD_URL", found.headers["location"])
    assert trace[1].python == 'import os\n\nsvc.request("GET", os.environ["DOWNLOAD_URL"], area="storage")'
    (again,) = run(trace[1].python, session)
    assert again.request.url == trace[1].request.url
    assert again.response is not None
    assert again.response.status == 200


def test_an_explanation_without_a_profile_leads_to_the_session(session: Session) -> None:
    shown = svckit.explain(custom.request("GET", "/oauth2/v2.0/keys", area="auth"))
    assert shown.python == 'svc.request("GET", "/oauth2/v2.0/keys", area="auth")'
    assert not write_python()


ANY_TEXT = st.text(max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "nickName": st.none() | ANY_TEXT,
        "task": st.none() | ANY_TEXT,
        "searchable": st.booleans(),
        "domainId": st.integers(),
        "hiredDate": st.none() | st.dates().map(str),
        "activationDate": st.just(END),
        "userName": st.fixed_dictionaries(
            {}, optional={"lastName": st.none() | ANY_TEXT, "firstName": ANY_TEXT}
        ),
        "customProperties": st.dictionaries(ANY_TEXT, JSON, max_size=3),
        "customFields": st.lists(
            st.fixed_dictionaries({"customFieldId": ANY_TEXT, "value": ANY_TEXT}), max_size=2
        ),
        "shoeSize": st.integers(),
    },
)
OPERATIONS = SimpleNamespace(users=users, request=custom.request, notify=None)


def call_of(code: str) -> Request:
    """Return the request that some code would send."""
    request: Request = next(eval(code.rpartition("\n\n")[2], {"svc": OPERATIONS, "os": os}))
    return request


@settings(max_examples=50)
@given(st.text(min_size=1, max_size=9), CHANGES | JSON)
def test_any_patch_is_written_as_what_sends_it(user_id: str, body: Any) -> None:
    try:
        path = f"/users/{quote_segment(user_id)}"
        text = to_json(body).decode()
    except ValueError:
        assume(False)
    assume(body is not None and mask(text) == text and mask(path) == path and len(text) < 2000)
    explained = svckit.explain(custom.request("PATCH", path, json=body))
    again = call_of(explained.python)
    assert (again.method, again.target) == ("PATCH", path)
    assert json.dumps(again.json, sort_keys=True) == json.dumps(json.loads(text), sort_keys=True)


@settings(max_examples=50)
@given(ANY_TEXT, st.none() | ANY_TEXT, st.none() | st.tuples(ANY_TEXT, ANY_TEXT))
def test_any_notification_is_written_as_what_sends_it(
    text: str, title: str | None, button: tuple[str, str] | None
) -> None:
    url = "https://hooks.fake.test/message/1"
    try:
        request = next(notifications.notify(url, text, title=title, button=button))
        body = to_json(request.json).decode()
    except ValueError:
        assume(False)
    assume(mask(body) == body)
    (shown,) = svckit.explain(notifications.notify(url, text, title=title, button=button)).requests
    sent: list[Any] = []
    scope = {"svc": SimpleNamespace(notify=lambda *args, **named: sent.append((args, named)))}
    exec(write_python(shown, webhook="alerts"), scope)
    ((given, named),) = sent
    assert named.pop("webhook") == "alerts"
    assert next(notifications.notify(url, *given, **named)).json == request.json


@pytest.mark.skipif(not all(map(shutil.which, ("sh", "curl"))), reason="runs curl in a shell")
def test_curl_sends_the_same_again(fake: FakeService, tmp_path: Path) -> None:
    """With the secrets in variables, in a POSIX shell."""
    with fake.serve() as served:
        facts = served.facts
        with connect(
            svckit.Profile.from_facts(facts), credentials=svckit.Credentials.from_facts(facts)
        ) as svc:
            secrets = find_secrets(svc, fake) | {"WEBHOOK_URL": facts["webhooks"][0]}
            secret = svckit.Secret(secrets["REFRESH_TOKEN"])
            shown = [
                svc.explain(auth.refresh(svc.profile, svc.credentials, secret)),
                svc.explain(notifications.notify(facts["webhooks"][0], 'It\'s "$HOME" *** \\ `x`')),
                svckit.explain(users.set_status("u-001", "BUSY", "$(id) & 'quoted'")),
                svc.explain(custom.request("POST", "/l", json={"clientSecret": secrets["CLIENT_SECRET"]})),
                svc.explain(custom.request("GET", "/groups?code=code-1&state=state-1", params={"q": "a&b"})),
                svc.explain(custom.request("HEAD", "/groups")),
                svc.explain(custom.request("POST", "/groups", json={"text": "Really?***"})),
                svc.explain(custom.request("POST", "/groups", json="@body")),
            ]
            for explanation in shown:
                assert all(secret not in explanation.curl for secret in secrets.values() if len(secret) > 20)
                done = subprocess.run(
                    ["/bin/sh", "-c", explanation.curl],
                    cwd=tmp_path, env={"PATH": os.environ["PATH"], "BASE_URL": facts["base_url"], **secrets},
                    capture_output=True, check=True, timeout=60,
                )  # fmt: skip
                entry, (request,) = fake.journal[-1], explanation.requests
                assert (entry.method, entry.request_body) == (request.method, request.body), done
                assert entry.url.endswith(
                    request.url.partition("{base_url}")[2] or request.url.partition("?")[2]
                )
            assert [entry.status for entry in fake.journal.latest(len(shown))][:3] == [200, 200, 200]
            assert MASK not in shown[0].curl
            assert [mask(each.curl) for each in shown] == [each.curl for each in shown]


def test_only_the_variables_of_commands_are_exempt_from_masking() -> None:
    """A password may begin with a dollar sign."""
    assert mask("password=$PASSWORD&state=$STATE") == "password=$PASSWORD&state=$STATE"
    for secret in ("$ecret-1", "$SECRET1", "$password", "$PASSWORD1", "$CODE-1"):
        assert mask(f"password={secret}&a=1") == "password=***&a=1"
        assert mask(f'{{"password":"{secret}"}}') == '{"password":"***"}'
