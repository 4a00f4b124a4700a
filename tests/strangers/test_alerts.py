"""A client of the notification endpoint that posts more than it may."""

import pytest

from .runs import post_too_many

NOW = "2026-06-01T09:00:00+09:00"


def test_program_waits_as_told(start):
    running = start(now=NOW, assume={"notification.refused-headers": "sent"})
    assert post_too_many(running) == [60]
    posted = [entry.status for entry in running.fake.journal if entry.operation == "notifications.post"]
    assert posted[-2:] == [429, 200]
    assert running.fake.webhooks.messages("channel-1")[-1].text == "one too many"


def test_program_is_not_told_how_long(start):
    running = start(now=NOW)
    with pytest.raises(KeyError, match="RateLimit-Reset"):
        post_too_many(running)
    assert running.fake.journal[-1].status == 429
