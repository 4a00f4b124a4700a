"""`svckit notify` against a served fake."""

import os
from functools import partial

import pytest

from ..command import run_command


@pytest.fixture
def notify(fake, monkeypatch):
    """Return a function that runs the command with the fake's webhook as `alerts`."""
    with fake.serve() as served:
        monkeypatch.setenv("SVCKIT_WEBHOOK_ALERTS", served.facts["webhooks"][0])
        yield partial(run_command, "notify")


def texts(fake):
    return [message.text for message in fake.webhooks.messages(fake.facts["channel_id"])]


def test_a_text_is_posted(notify, fake):
    result = notify("Build is green", "--title", "CI", "--button", "Open=https://example.com?a=b")
    assert (result.exit_code, result.output) == (0, "")
    (message,) = fake.webhooks.messages(fake.facts["channel_id"])
    assert message.title == "CI"
    assert message.button == {"label": "Open", "url": "https://example.com?a=b"}


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_the_text_can_come_from_the_standard_input(notify, fake, arguments):
    assert notify(*arguments, "--webhook", "alerts", stdin="two\nlines\n").exit_code == 0
    assert texts(fake) == ["two\nlines"]


def test_bytes_that_are_not_text_are_replaced(notify, fake):
    assert notify(stdin=b"caf\xe9 \xe5\x8f\x97").exit_code == 0
    assert texts(fake) == ["caf\ufffd \u53d7"]


@pytest.mark.parametrize(
    ("arguments", "stdin", "words"),
    [
        (["a", "--webhook", "https://hooks.example.com/message/1"], "", "takes a name, not a URL"),
        ([], "", "the standard input was empty; nothing was sent"),
        ([], " \n", "the standard input was empty; nothing was sent"),
        (["a", "--button", "Open"], "", "takes a label and a URL"),
        (["a", "--button", "=https://example.com"], "", "takes a label and a URL"),
        (["a", "--button", "Open=example.com"], "", "takes a label and a URL"),
        (["a", "--button", "Open=ftp://a.example"], "", "takes a label and a URL"),
    ],
)
def test_what_makes_no_message_ends_with_2(notify, fake, arguments, stdin, words):
    result = notify(*arguments, stdin=stdin)
    assert (result.exit_code, texts(fake)) == (2, [])
    assert words in result.output


def test_a_minute_that_is_used_up_has_its_own_exit_code(notify, svc):
    for _ in range(120):
        svc.notify("a")
    result = notify("one too many")
    assert result.exit_code == 4
    assert "too many request" in result.output
    assert "wait=True" not in result.output


def test_a_refusal_has_its_own_exit_code(notify, monkeypatch, fake):
    monkeypatch.setenv("SVCKIT_WEBHOOK_ALERTS", os.environ["SVCKIT_WEBHOOK_ALERTS"] + "0")
    result = notify("a")
    assert result.exit_code == 3
    assert "invalid webhook URL" in result.output
    assert texts(fake) == []


def test_no_connection_is_a_failure(notify, monkeypatch):
    monkeypatch.setenv("SVCKIT_WEBHOOK_ALERTS", "http://127.0.0.1:9/message/1")
    result = notify("a")
    assert result.exit_code == 1
    assert "nothing was sent" in result.output


def test_a_name_that_is_not_set_is_a_failure(notify):
    result = notify("a", "--webhook", "ops")
    assert result.exit_code == 1
    assert "SVCKIT_WEBHOOK_OPS" in result.output


def test_a_url_that_was_copied_badly_is_not_shown(notify, fake, monkeypatch):
    url = os.environ["SVCKIT_WEBHOOK_ALERTS"]
    monkeypatch.setenv("SVCKIT_WEBHOOK_ALERTS", f" {url}\n")
    assert notify("a").exit_code == 0
    monkeypatch.setenv("SVCKIT_WEBHOOK_ALERTS", f"{url} canary")
    result = notify("b")
    assert result.exit_code == 1
    assert "has no white space within" in result.output
    assert "canary" not in result.output
    assert texts(fake) == ["a"]
