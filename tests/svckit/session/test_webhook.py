"""A webhook by itself: its URL is a secret, from wherever it comes."""

import traceback

import pytest

import svckit


def test_a_message_is_posted_without_any_token(fake):
    with svckit.Webhook(fake.facts["webhooks"][0], fake=fake) as webhook:
        webhook.post("Build is green", title="CI", button=("Open", "https://example.com"))
    (entry,) = fake.journal
    assert entry.operation == "notifications.post"
    assert "authorization" not in dict(entry.request_headers)
    (message,) = fake.webhooks.messages(fake.facts["channel_id"])
    assert (message.title, message.text) == ("CI", "Build is green")


def test_waiting_passes_the_time_of_a_standing_clock(fake):
    with svckit.Webhook(fake.facts["webhooks"][0], fake=fake) as webhook:
        for number in range(121):
            webhook.post(f"{number}", wait=True)
    assert fake.clock.now().isoformat() == "2026-06-01T09:01:00+09:00"


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.com/s3cr3t",
        "hooks.example.com/message/s3cr3t",
        "http://hooks.example.com/message/s3cr3t",
        "https://hooks.example.com/message/",
    ],
)
def test_what_is_not_a_webhook_url_is_named_but_not_shown(url):
    with pytest.raises(svckit.InvalidInput) as wrong:
        svckit.Webhook(url)
    told = "".join(traceback.format_exception(wrong.value))
    assert "nothing was sent" in told
    assert "s3cr3t" not in told


def test_the_secret_is_not_in_the_repr_nor_in_errors(fake):
    url = fake.facts["webhooks"][0]
    with svckit.Webhook(url + "x", fake=fake) as webhook:
        with pytest.raises(svckit.Refused) as refused:
            webhook.post("a")
        assert url.rpartition("/")[2] not in f"{webhook!r} {vars(webhook)} {refused.value}"


def test_a_variable_names_a_webhook(monkeypatch):
    monkeypatch.setenv("SVCKIT_WEBHOOK_ON_CALL", "https://hooks.example.com/message/1")
    assert repr(svckit.Webhook.named("on-call")) == "Webhook at https://hooks.example.com"
    assert repr(svckit.Webhook.named()) == "Webhook at https://hooks.example.com"


def test_one_of_several_has_to_be_named(monkeypatch):
    monkeypatch.setenv("SVCKIT_WEBHOOK_ALERTS", "https://hooks.example.com/message/1")
    monkeypatch.setenv("SVCKIT_WEBHOOK_CI", "https://hooks.example.com/message/2")
    with pytest.raises(svckit.UnusableProfile, match="name one of them: alerts, ci"):
        svckit.Webhook.named()
    with pytest.raises(svckit.UnusableProfile, match="set SVCKIT_WEBHOOK_OPS to its URL"):
        svckit.Webhook.named("ops")


def test_without_any_webhook_the_variable_to_set_is_named():
    with pytest.raises(svckit.UnusableProfile, match="set SVCKIT_WEBHOOK_ALERTS to its URL"):
        svckit.Webhook.named()


def test_a_profile_lists_webhooks(monkeypatch, tmp_path):
    urls = {f"SVCKIT_WORK_{key}_URL": "https://example.com" for key in ("BASE", "AUTH", "UPLOAD", "WEBHOOK")}
    settings = urls | {
        "SVCKIT_WORK_CLIENT_ID": "client",
        "SVCKIT_WORK_REDIRECT_URI": "http://127.0.0.1:8000/callback",
        "SVCKIT_WORK_SCOPES": "user",
        "SVCKIT_WORK_WEBHOOKS": "ci, alerts",
        "SVCKIT_WORK_WEBHOOK_CI": "https://example.com/message/1",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    assert repr(svckit.Webhook.named(profile="work")) == "Webhook at https://example.com"
    with pytest.raises(svckit.UnusableProfile, match="no webhook 'ops'; its key webhooks lists ci, alerts"):
        svckit.Webhook.named("ops", profile="work")
    with pytest.raises(svckit.UnusableProfile, match="SVCKIT_WORK_WEBHOOK_ALERTS"):
        svckit.Webhook.named("alerts", profile="work")
