"""In the panel of a fake a request leads to a fault like it, and a call that is not described to its stub."""

import json

import pytest

from svckit.errors import InvalidInput, NotFound, RateLimited, Unreachable
from svckit.session.session import Session
from svckit.widgets import TrafficExplorer

from .conftest import ask


def test_in_a_panel_a_request_leads_to_a_fault_like_it(svc: Session) -> None:
    panel = svc.explore("traffic")
    svc.retries = 0
    svc.fake.faults.status("users.update", 429, retry_after=7)
    with pytest.raises(RateLimited):
        svc.users.read("u-001")
    svc.fake.faults.reset("notifications.post")
    with pytest.raises(Unreachable):
        svc.notify("done")
    svc.users.read("u-001")
    traffic = panel.current
    traffic.refresh()
    last = len(svc.fake.journal)
    for number, code in (
        (last - 2, 'svc.fake.faults.status("users.update", times=1, status=429, retry_after=7)'),
        (last - 1, 'svc.fake.faults.reset("notifications.post", times=1)'),
        (last, 'svc.fake.faults.status("users.update", times=1, status=503)'),
    ):
        panel.show("traffic")
        traffic.select(number)
        ask(traffic, do="inject")
        assert panel.head.chosen == "time"
        assert panel.current.code == code
        assert "data-arrives" in panel.current.html


def test_in_a_panel_a_call_that_is_not_described_leads_to_its_stub(svc: Session) -> None:
    panel = svc.explore("traffic")
    with pytest.raises(NotFound):
        svc.request("GET", "/groups/group-1?limit=3")
    traffic = panel.current
    traffic.refresh()
    traffic.select(len(svc.fake.journal))
    assert 'data-do="inject"' not in traffic.html
    ask(traffic, do="stub")
    draft = panel.current.draft
    assert (draft.part, draft.method, draft.path) == ("Stubs", "GET", "/groups/group-1")
    assert "data-arrives" in panel.current.html
    panel.current.add_stub(path="/groups/{groupId}", json='{"groupId": "{groupId}"}')
    assert svc.request("GET", "/groups/group-1").json() == {"groupId": "group-1"}
    panel.show("traffic")
    traffic.refresh()
    traffic.select(len(svc.fake.journal))
    ask(traffic, do="stub")
    draft = panel.current.draft
    assert (draft.editing, draft.path) == ("GET /groups/{groupId}", "/groups/{groupId}")
    assert json.loads(draft.json) == {"groupId": "{groupId}"}
    svc.fake.stub("GET", "/groups/{groupId}", json=lambda call: {})
    panel.show("traffic")
    ask(traffic, do="stub")
    assert panel.current.draft.part == "Stubs"


def test_alone_a_request_leads_nowhere(svc: Session) -> None:
    explorer = TrafficExplorer(svc)
    svc.users.read("u-001")
    explorer.refresh()
    explorer.select(len(svc.fake.journal))
    for part in ("Response", "Rules"):
        ask(explorer, do="part", name=part)
        assert [each for each in ("inject", "stub", "rule") if f'data-do="{each}"' in explorer.html] == []
    with pytest.raises(InvalidInput, match=r"only the panel of a fake in this process, svc.explore\(\)"):
        ask(explorer, do="inject")
