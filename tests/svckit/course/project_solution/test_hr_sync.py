"""Tests of hr_sync. They use sync and receive only, so that they can run with other clients, too."""

import pytest
from hr_sync import receive, sync

import svckit
from svckit import places

HEAD = "user,nickname,task,workplace\n"
MINA = HEAD + "u-003,Mina,Night desk,Home office\n"


@pytest.fixture
def webhook(fake_service):
    return fake_service.facts["webhooks"][0]


def list_updates(fake):
    """Return the path and the JSON of each update. An update with {} only reads."""
    return [(entry.path, entry.json) for entry in fake.journal.where(operation="users.update") if entry.json]


def list_texts(fake):
    return [message.text for message in fake.webhooks.messages("channel-1")]


def test_a_sheet_without_rows_changes_nobody(svc, fake_service, webhook):
    report = sync(svc, HEAD, webhook)
    assert (report.changed, report.unchanged, report.problems) == ([], [], {})
    assert list_updates(fake_service) == []
    assert list_texts(fake_service) == ["0 changed, 0 problems"]


def test_only_filled_cells_that_differ_are_sent(svc, fake_service, webhook):
    report = sync(svc, f"{HEAD}u-003,Mina,Night desk, \nu-001,Hana,,\n", webhook)
    assert list_updates(fake_service) == [("/users/u-003", {"nickName": "Mina"})]
    assert (report.changed, report.unchanged) == (["u-003"], ["u-001"])


def test_the_rows_after_a_problem_go_on(svc, fake_service, webhook):
    problems = f"{HEAD}u-999,Theo,,\nu-005,{'x' * 101},Payroll,\n"
    report = sync(svc, MINA.replace(HEAD, problems), webhook)
    assert list(report.problems) == ["u-999", "u-005"]
    assert [path for path, _ in list_updates(fake_service)] == ["/users/u-003"]


def test_the_report_replaces_that_of_the_day_before(svc, fake_service, webhook):
    sync(svc, MINA, webhook)
    sync(svc, MINA + "u-999,Theo,,\n", webhook)
    (file,) = (each for each in fake_service.files.list_files() if each.name == "hr-sync.txt")
    content = svc.files.download(places.drive("u-001").file(file.file_id))
    assert content.decode().splitlines()[0] == "0 changed, 1 problem"


def test_the_notification_waits_for_the_next_minute(svc, fake_service, webhook):
    for _ in range(120):
        svc.notify("Build is green.", webhook=webhook)
    with fake_service.clock.sleeping():
        sync(svc, MINA, webhook)
    assert list_texts(fake_service)[-1] == "1 changed, 0 problems"


def test_an_update_is_tried_again(svc, fake_service, webhook):
    fake_service.faults.status("users.update", 503, skip=1, times=2)
    with fake_service.clock.sleeping():
        report = sync(svc, MINA, webhook)
    assert report.changed == ["u-003"]


def test_the_bot_reports(svc, fake_service, webhook):
    sync(svc, MINA, webhook)
    bot = fake_service.callbacks
    bot.connect("bot-1", lambda headers, body: receive(svc, headers, body, svc.bot_secret, webhook))
    assert bot.send("bot-1", "u-003", {"type": "text", "text": "hr report"}).status == 200
    assert bot.send("bot-1", "u-003", {"type": "text", "text": "hello"}).status == 200
    assert list_texts(fake_service) == ["1 changed, 0 problems"] * 2


def test_a_forged_callback_does_nothing(svc, fake_service, webhook):
    sync(svc, HEAD, webhook)
    body = b'{"type": "message", "source": {"userId": "u-003", "domainId": 1}, "issuedTime": '
    body += b'"2026-06-01T00:00:00.000Z", "content": {"type": "text", "text": "hr report"}}'
    headers = {"X-SERVICE-Signature": svckit.events.signature(body, "forged")}
    assert receive(svc, headers, body, svc.bot_secret, webhook) == 401
    assert list_texts(fake_service) == ["0 changed, 0 problems"]


def test_an_event_of_an_unknown_type_does_nothing(svc, fake_service, webhook):
    body = b'{"type": "postback", "data": "hr report"}'
    headers = {"X-SERVICE-Signature": svckit.events.signature(body, svc.bot_secret)}
    assert receive(svc, headers, body, svc.bot_secret, webhook) == 200
    assert list_texts(fake_service) == []
