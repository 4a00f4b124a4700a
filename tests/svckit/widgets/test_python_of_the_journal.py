"""The requests of the traffic explorer as Python: run, they send the same again."""

import httpx
import pytest

from fakes import FakeService
from svckit.http.python_calls import write_python
from svckit.session.session import Session
from svckit.widgets.explorers.traffic.messages import JournalSource

from ..http.test_python_calls import run, session

__all__ = ["session"]


def test_requests_of_other_clients_come_from_the_journal(
    session: Session, fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = fake.access_token()
    form = {"grant_type": "refresh_token", "refresh_token": "rt", "client_id": "c", "client_secret": "s"}
    source = JournalSource(session)
    monkeypatch.setenv("REFRESH_TOKEN", "rt")
    monkeypatch.setenv("CLIENT_SECRET", "s")
    with httpx.Client(transport=fake.transport(), headers={"Authorization": f"Bearer {token}"}) as client:
        sent = [
            client.patch(f"{fake.facts['base_url']}/users/u-001", json={"nickName": "Mina"}),
            client.get(f"{fake.facts['base_url']}/groups", params={"q": "a b"}, headers={"X-Trace": "1"}),
            client.post(
                f"{fake.facts['auth_url']}/oauth2/v2.0/token", data=form, headers={"Authorization": ""}
            ),
            client.post(
                fake.facts["webhooks"][0], content=b"{", headers={"Content-Type": "application/json"}
            ),
        ]
    messages = source.read_messages()[-len(sent) :]
    assert [write_python(each.request).splitlines()[-1] for each in messages[:2]] == [
        'svc.users.update("u-001", nick_name="Mina")',
        'svc.http.get("/groups?q=a+b", headers={"X-Trace": "1"})',
    ]
    for message in messages:
        run(write_python(message.request), session)
    again = source.read_messages()[-len(sent) :]
    assert [(each.method, each.url, each.request.body) for each in again] == [
        (each.method, each.url, each.request.body) for each in messages
    ]


def test_a_sign_in_of_the_journal_is_one_call(session: Session) -> None:
    messages = JournalSource(session).read_messages()
    assert write_python(*(each.request for each in messages[:3])) == "svc.sign_in()"
    login = write_python(messages[1].request)
    assert 'data={"login_ticket": os.environ["LOGIN_TICKET"], "login_id": ' in login
    assert '"password": os.environ["PASSWORD"]}' in login


def test_without_the_bearer_of_a_session_the_code_uses_httpx(session: Session, fake: FakeService) -> None:
    source = JournalSource(session)
    with httpx.Client(transport=fake.transport()) as client:
        client.patch(f"{fake.facts['base_url']}/users/u-001", json={"task": None})
    code = write_python(source.read_messages()[-1].request)
    assert code == 'import httpx\n\nhttpx.patch("https://api.fake.test/users/u-001", json={"task": None})'
