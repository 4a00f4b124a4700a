"""The benchmark of uploads compares like with like: both sides send the same. How fast, it is not for a test to say."""

import asyncio

import httpx
import pytest

from svckit.session.connect import connect

from . import upload_ratio


@pytest.fixture
def fake():
    return upload_ratio.make()


def exchanges(fake):
    """What was asked of the fake, but for the sign-in: operation, status and what the first step said."""
    return [
        (entry.operation, entry.status, entry.request_body if entry.operation == "upload.drive" else None)
        for entry in fake.journal
        if not entry.operation.startswith("auth.")
    ]


def test_both_sides_send_the_same(fake):
    with connect(fake) as ours, upload_ratio.bare(fake, httpx.Client) as theirs:
        ours.files.upload(upload_ratio.CONTENT, upload_ratio.TO, name=upload_ratio.NAME)
        mine = exchanges(fake)
        fake.journal.clear()
        file_id = upload_ratio.by_hand(theirs, fake)
        assert exchanges(fake) == mine
        assert [operation for operation, *_ in mine] == ["upload.drive", "storage.receive"]
        assert ours.files.download(upload_ratio.TO.file(file_id)) == upload_ratio.CONTENT


def test_as_many_times_as_uploads(fake, monkeypatch):
    monkeypatch.setattr(upload_ratio, "UPLOADS", 3)
    with connect(fake) as ours, upload_ratio.bare(fake, httpx.Client) as theirs:
        assert list(map(len, upload_ratio.sync_times(ours, theirs, fake))) == [3, 3]
        assert list(map(len, upload_ratio.whole_times(ours, theirs, fake))) == [1, 1]
    assert list(map(len, asyncio.run(upload_ratio.run_async()))) == [3, 3]


def test_report_leaves_the_warm_up_out(capsys):
    assert upload_ratio.report("upload", ([9.0, 0.5], [9.0, 0.25]), 1) == 2
    assert capsys.readouterr().out == "upload: 2.00 times bare httpx, 2 a second\n"
