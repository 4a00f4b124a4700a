"""Tests of hr_sync. They use sync and receive only, so that they can run with other clients, too."""

import pytest
from hr_sync import sync

HEAD = "user,nickname,task,workplace\n"


@pytest.fixture
def webhook(svc):
    """Return the webhook URL of the room, also that of a served fake."""
    return svc.credentials.webhooks["webhook-1"].reveal()


def list_calls(fake):
    """Return the user and the JSON of each call for a user. A call with {} only reads."""
    return [(entry.path.split("/")[-1], entry.json) for entry in fake.journal.where(operation="users.update")]


def test_a_sheet_without_rows_changes_nobody(svc, fake_service, webhook):
    report = sync(svc, HEAD, webhook)
    assert (report.changed, report.unchanged, report.problems) == ([], [], {})
    assert list_calls(fake_service) == []
