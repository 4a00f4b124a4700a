"""Which request was sent again, which cannot be, and why one was refused."""

import pytest

from svckit.errors import InvalidInput
from svckit.session.session import Session
from svckit.widgets import TrafficExplorer
from svckit.widgets.explorers.traffic.resending import EditedRequest


def test_a_request_sent_meanwhile_is_not_taken_for_the_one_sent_again(
    svc: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = TrafficExplorer(svc)
    svc.users.update("u-001", nick_name="Mina")
    explorer.refresh()
    number = explorer.messages[-1].number
    send = EditedRequest.send

    def send_and_more(self: EditedRequest, given: Session) -> None:
        send(self, given)
        given.users.read("u-002")

    monkeypatch.setattr(EditedRequest, "send", send_and_more)
    explorer.replay(number)
    explorer.wait()
    assert explorer.selected == number + 1


def test_a_body_that_is_not_text_is_not_taken_for_one(svc: Session) -> None:
    svc.http.patch("/users/u-001", content=b"\xff{}", headers={"Content-Type": "application/json"})
    explorer = TrafficExplorer(svc)
    number = explorer.messages[-1].number
    with pytest.raises(InvalidInput, match="its body was not kept whole"):
        explorer.replay(number)
    assert "--data-binary @body" in explorer.messages[-1].request.curl


def test_a_refused_request_is_explained(svc: Session) -> None:
    for _ in range(121):
        response = svc.http.post(svc.fake.facts["webhooks"][0], json={"body": {"text": "hi"}})
    assert response.status_code == 429
    explorer = TrafficExplorer(svc)
    explorer.select(explorer.messages[-1].number)
    assert "120 requests were made in this minute; the rate resets in 60 seconds" in repr(explorer)
