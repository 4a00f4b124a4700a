"""Tests of hr_sync. They use sync and receive only, so that they can run with other clients, too."""

from hr_sync import sync

HEAD = "user,nickname,task,workplace\n"


def list_updates(fake):
    """Return the path and the JSON of each update. An update with {} only reads."""
    return [(entry.path, entry.json) for entry in fake.journal.where(operation="users.update") if entry.json]


def test_a_sheet_without_rows_changes_nobody(svc, fake_service):
    report = sync(svc, HEAD, fake_service.facts["webhooks"][0])
    assert (report.changed, report.unchanged, report.problems) == ([], [], {})
    assert list_updates(fake_service) == []
