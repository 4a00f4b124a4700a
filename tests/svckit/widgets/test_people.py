"""Whoever chooses a user may write any ID; the first users are offered."""

import pytest

from fakes import FakeService
from fakes.http.errors import Refusal
from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets import InboxExplorer, NotificationsExplorer, SignInExplorer, StatusesExplorer

LATER = "u-250"


@pytest.fixture
def svc() -> Session:
    return connect(FakeService.sample(users=300, seed=0, now="2026-06-01T09:00:00+09:00"))


@pytest.mark.parametrize("explorer", [InboxExplorer, NotificationsExplorer, SignInExplorer, StatusesExplorer])
def test_the_first_users_are_offered(svc: Session, explorer: type) -> None:
    made = explorer(svc)
    people = getattr(made, "head", made).view["people"]
    assert (len(people), people[1]) == (200, ("u-002", "Lopez Petra"))


def test_statuses_of_any_user_are_shown(svc: Session) -> None:
    svc.users.set_status(LATER, "BUSY")
    explorer = StatusesExplorer(svc)
    explorer.toggle_form()
    head = explorer.head
    head._receive(head, {"do": "write", "field": "pasted", "text": LATER}, [])
    assert (head.draft.user, head.draft.pasted) == ("u-001", LATER)
    head._receive(head, {"do": "choose"}, [])
    assert (head.draft.user, head.draft.pasted, explorer.form.user_id) == (LATER, "", LATER)
    assert ["Status", "Busy (BUSY)"] in [list(line) for line in head.view["slots"][0]["lines"]]


@pytest.mark.parametrize("name", ["id", "email"])
def test_anybody_can_sign_in(svc: Session, name: str) -> None:
    written = LATER if name == "id" else svc.fake.directory[LATER]["email"]
    explorer = SignInExplorer(svc)
    explorer.request()
    explorer.write(user=f" {written} ")
    explorer.log_in()
    assert explorer.flow.steps["login"].state == "done"
    explorer.write(user="u-999")
    with pytest.raises(Refusal, match="this domain has the users u-001 to u-300"):
        explorer.log_in()


def test_any_member_writes_and_is_mentioned(svc: Session) -> None:
    inbox = InboxExplorer(svc)
    inbox.write(user=LATER, text="hello")
    inbox.receive_here()
    inbox.send()
    inbox.wait()
    assert [(row["cells"][4], row["cells"][1]) for row in inbox.view["rows"]] == [(LATER, "delivered (200)")]
    note = NotificationsExplorer(svc)
    note.mention(LATER)
    assert note.draft.text == f'<m userId="{LATER}">'
