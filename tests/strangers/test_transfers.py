"""Clients that upload and download in two steps, each in a way of its own."""

import pytest

from fakes import FakeService

from .running import refuse
from .runs import back_up, download, send_picture

RAW = {"file.raw": "accepted"}
FOR_BOTS = {"file.request": "name-only-for-bots", "file.step1-id": "sent"}


# A bot that does not say how long its attachment is


def test_bot_announces_only_the_name(start):
    running = start(deviations=FOR_BOTS)
    running.fake.stub("POST", "/bots/{botId}/users/{userId}/messages", status=201)
    assert send_picture(running) == running.fake.files.list_files()[-1].file_id
    announced, stored, sent = list(running.fake.journal)[-3:]
    assert (announced.status, stored.status, sent.status) == (200, 201, 201)
    assert announced.deviations == tuple(f"{name}={value}" for name, value in FOR_BOTS.items())
    assert sent.operation == "stubbed"


@pytest.mark.parametrize(
    ("deviations", "setting"),
    [
        ({}, 'allowed with deviations={"file.request": "name-only-for-bots"}'),
        (FOR_BOTS, 'fake.stub("POST", "/bots/bot-1/users/u-001/messages"'),
    ],
    ids=["size", "message"],
)
def test_bot_is_told_the_setting(start, deviations, setting):
    assert setting in refuse(send_picture, start(deviations=deviations))


# Uploads with PUT


def test_put_uploads(start):
    running = start(assume=RAW)
    assert back_up(running) == running.fake.files.list_files()[-1].file_id


def test_put_is_told_the_setting(start):
    assert 'allowed with assume={"file.raw": "accepted"}' in refuse(back_up, start())


# The bearer token on a redirect


def test_redirect_loses_the_token(start):
    running = start(assume=RAW)
    told = refuse(download, running)
    assert running.fake.journal[-1].status == 401
    assert "drops the bearer" in told
    assert 'allowed with deviations={"file.storage-bearer": "not-needed"}' in told


def test_one_origin_hides_the_loss(serve):
    assert download(serve(FakeService.sample(assume=RAW), origins=False)) == b"content"


def test_open_storage_hides_the_loss(start):
    running = start(assume=RAW, deviations={"file.storage-bearer": "not-needed"})
    assert download(running) == b"content"
    assert running.fake.journal[-1].deviations == ("file.storage-bearer=not-needed",)
