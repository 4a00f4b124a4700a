"""Tests of hr_sync. They use sync and receive only, so that they can run with other clients, too."""

from itertools import pairwise

import pytest
from hr_sync import receive, sync

import svckit
from svckit import places

HEAD = "user,nickname,task,workplace\n"
MINA = "u-003,Mina,Night desk,Home office\n"
STRANGER = "u-999,Theo,,\n"
LONG = f"u-005,{'x' * 101},Payroll,Seoul\n"


@pytest.fixture
def webhook(svc):
    """Return the webhook URL of the room, also that of a served fake."""
    return svc.credentials.webhooks["webhook-1"].reveal()


@pytest.fixture
def ask(svc, fake_service, webhook):
    """Return a function that lets a member write to the bot, and returns the status of the response."""
    bot = fake_service.callbacks
    bot.connect("bot-1", lambda headers, body: receive(svc, headers, body, svc.bot_secret, webhook))
    return lambda text: bot.send("bot-1", "u-003", {"type": "text", "text": text}).status


def list_calls(fake):
    """Return the user and the JSON of each call for a user. A call with {} only reads."""
    return [(entry.path.split("/")[-1], entry.json) for entry in fake.journal.where(operation="users.update")]


def list_updates(fake):
    return [call for call in list_calls(fake) if call[1]]


def list_texts(fake):
    return [message.text for message in fake.webhooks.messages("channel-1")]


def read_file(svc, fake):
    (file,) = (each for each in fake.files.list_files() if each.name == "hr-sync.txt")
    return svc.files.download(places.drive("u-001").file(file.file_id)).decode().splitlines()


def test_a_sheet_without_rows_changes_nobody(svc, fake_service, webhook):
    report = sync(svc, HEAD, webhook)
    assert (report.changed, report.unchanged, report.problems) == ([], [], {})
    assert list_texts(fake_service) == ["0 changed, 0 problems"]


def test_a_blank_cell_keeps_what_the_directory_has(svc, fake_service, webhook):
    sync(svc, HEAD + "u-001,Nova,,Seoul\n", webhook)
    assert list_updates(fake_service) == [("u-001", {"nickName": "Nova"})]


def test_a_cell_of_spaces_is_blank(svc, fake_service, webhook):
    sync(svc, HEAD + "u-001,Nova,  ,Seoul\n", webhook)
    assert list_updates(fake_service) == [("u-001", {"nickName": "Nova"})]


def test_only_what_differs_is_sent_row_by_row(svc, fake_service, webhook):
    report = sync(svc, HEAD + MINA + "u-002,Petra,Payroll,Osaka\nu-001,Hana,Night desk,Seoul\n", webhook)
    calls = list_calls(fake_service)
    assert calls == [
        ("u-003", {}),
        ("u-003", {"nickName": "Mina"}),
        ("u-002", {}),
        ("u-002", {"task": "Payroll", "location": "Osaka"}),
        ("u-001", {}),
    ]
    assert report.changed == ["u-003", "u-002"]
    assert report.unchanged == ["u-001"]


def test_the_rows_after_a_problem_go_on(svc, fake_service, webhook):
    report = sync(svc, HEAD + STRANGER + MINA, webhook)
    assert list(report.problems) == ["u-999"]
    assert report.problems["u-999"]
    assert report.changed == ["u-003"]


def test_a_value_that_is_too_long_changes_nothing(svc, fake_service, webhook):
    report = sync(svc, HEAD + LONG, webhook)
    assert list(report.problems) == ["u-005"]
    assert list_updates(fake_service) == []


def test_the_file_replaces_that_of_the_day_before(svc, fake_service, webhook):
    sync(svc, HEAD + MINA, webhook)
    sync(svc, HEAD + MINA + STRANGER, webhook)
    assert read_file(svc, fake_service)[0] == "0 changed, 1 problem"


def test_each_sync_posts_one_line(svc, fake_service, webhook):
    sync(svc, HEAD + MINA + STRANGER, webhook)
    text, *more = list_texts(fake_service)
    assert text == "1 changed, 1 problem"
    assert more == []


def test_the_notification_waits_for_the_next_minute(svc, fake_service, webhook):
    for _ in range(120):
        svc.notify("Build is green.", webhook=webhook)
    with fake_service.clock.sleeping():
        sync(svc, HEAD + MINA, webhook)
    assert list_texts(fake_service)[-1] == "1 changed, 0 problems"


def test_the_report_is_returned_if_the_notification_fails(svc, fake_service, webhook):
    fake_service.faults.status("notifications.post", 503)
    assert sync(svc, HEAD + MINA, webhook).changed == ["u-003"]


def test_an_update_is_tried_again_after_a_pause(svc, fake_service, webhook):
    fake_service.faults.status("users.update", 503, skip=1, times=2)
    with fake_service.clock.sleeping():
        report = sync(svc, HEAD + MINA, webhook)
    assert report.changed == ["u-003"]
    times = [entry.at for entry in fake_service.journal.where(operation="users.update") if entry.json]
    assert all((after - before).total_seconds() >= 2 for before, after in pairwise(times))


def test_the_third_attempt_is_the_last(svc, fake_service, webhook):
    fake_service.faults.status("users.update", 503, skip=1, times=9)
    with fake_service.clock.sleeping():
        report = sync(svc, HEAD + MINA, webhook)
    assert len(list_updates(fake_service)) == 3
    assert list(report.problems) == ["u-003"]


def test_the_bot_reports_once(svc, fake_service, webhook, ask):
    sync(svc, HEAD + MINA, webhook)
    assert ask("hr report") == 200
    assert list_texts(fake_service) == ["1 changed, 0 problems"] * 2


def test_the_bot_reports_on_the_last_sync(svc, fake_service, webhook, ask):
    sync(svc, HEAD + MINA, webhook)
    sync(svc, HEAD + "u-002,Petra,Payroll,Osaka\nu-004,Leo,,\n", webhook)
    ask("hr report")
    assert list_texts(fake_service)[-1] == "2 changed, 0 problems"


def test_other_texts_do_nothing(svc, fake_service, webhook, ask):
    sync(svc, HEAD + MINA, webhook)
    assert [ask("HR report"), ask("the hr report, please")] == [200, 200]
    assert list_texts(fake_service) == ["1 changed, 0 problems"]


def test_a_forged_callback_does_nothing(svc, fake_service, webhook):
    sync(svc, HEAD + MINA, webhook)
    body = b'{"type": "message", "source": {"userId": "u-003", "domainId": 1}, "issuedTime": '
    body += b'"2026-06-01T00:00:00.000Z", "content": {"type": "text", "text": "hr report"}}'
    headers = {"X-SERVICE-Signature": svckit.events.signature(body, "forged")}
    assert receive(svc, headers, body, svc.bot_secret, webhook) == 401
    assert list_texts(fake_service) == ["1 changed, 0 problems"]


def test_an_event_of_an_unknown_type_does_nothing(svc, fake_service, webhook):
    body = b'{"type": "postback", "data": "hr report"}'
    headers = {"X-SERVICE-Signature": svckit.events.signature(body, svc.bot_secret)}
    assert receive(svc, headers, body, svc.bot_secret, webhook) == 200
    assert list_texts(fake_service) == []
