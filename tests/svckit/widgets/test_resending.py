"""Which request was sent again, and which came from elsewhere meanwhile."""

import pytest

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
    explorer.close()
