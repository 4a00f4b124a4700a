"""A served fake whose state file cannot be written says so, and goes on where there is room again."""

import os
import resource
import signal

import pytest

from fakes import FakeService
from fakes.doors.served import Served
from fakes.parts.domain import Beginning
from fakes.persistence import NotSaved
from fakes.store.group_commit import GroupCommit
from fakes.store.state_file import StateFile

from ...loopback import local_client
from ...svckit.cli.serving import refused, serving, serving_process

BEGINNING = Beginning(20, 0, "2026-06-01T09:00:00+09:00")
BODY = {"body": {"text": "hello " * 1000}}


def test_a_full_disk_is_a_507_that_says_what_to_do(tmp_path, capfd):
    fake, file = FakeService.sample(*BEGINNING), StateFile(tmp_path / "fake.db")
    file.attach(fake, BEGINNING)
    connection = file._database._file
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    fake.settle = GroupCommit(file.settle, file.has_changes).settle
    with Served(fake) as served, local_client() as http:
        hook = served.facts["webhooks"][0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        failed = [http.post(hook, json=BODY) for _ in range(3)][-1]
        assert (failed.status_code, failed.json()["code"]) == (507, "NOT_SAVED")
        assert "disk of the state file" in failed.json()["description"]
        assert "free some space on it, and the next request saves them too" in failed.json()["description"]
        admin = {"Authorization": f"Bearer {served.facts['admin_key']}"}
        room = served.facts["admin_url"] + "/rooms/channel-1/messages"
        assert [http.get(room, headers=admin).status_code for _ in range(2)] == [200, 200]
        assert http.post(hook, json=BODY).status_code == 507
        connection.execute("PRAGMA max_page_count = 100000")
        assert http.post(hook, json=BODY).status_code == 200
    expected = fake.snapshot()
    file._database.close()  # as a kill would
    again = StateFile(tmp_path / "fake.db")
    again.attach(fake, BEGINNING)
    assert fake.snapshot() == expected
    again.close()
    assert capfd.readouterr().err == ""


def test_what_is_lost_at_the_end_is_said(tmp_path):
    fake, file = FakeService.sample(*BEGINNING), StateFile(tmp_path / "fake.db")
    file.attach(fake, BEGINNING)
    expected = fake.snapshot()
    connection = file._database._file
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    fake.files.seed(("drive", "u-001"), "file-9", "a.txt", "text/plain", b"x" * 200_000)
    with pytest.raises(NotSaved, match="free some space"):
        file.commit()
    with pytest.raises(NotSaved, match=r"disk of the state file .* is full, so the changes .* are lost$"):
        file.close()
    again = StateFile(tmp_path / "fake.db")
    again.attach(fake, BEGINNING)
    assert fake.snapshot() == expected
    again.close()


@pytest.mark.skipif(os.name != "posix", reason="Windows has other permissions")
def test_only_the_owner_may_read_a_state_file_that_was_there_before(tmp_path):
    path = tmp_path / "fake.db"
    path.touch(mode=0o644)
    file = StateFile(path)
    file.attach(FakeService.sample(*BEGINNING), BEGINNING)
    assert {each.stat().st_mode & 0o777 for each in tmp_path.iterdir()} == {0o600}
    file.close()


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits the files of another process")
def test_a_file_that_may_not_grow_is_said_without_a_traceback(tmp_path):
    state = tmp_path / "fake.db"
    with serving_process("--state", state) as running, local_client() as http:
        unlimited = resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE)
        log = state.with_name("fake.db-wal")
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (log.stat().st_size, unlimited[1]))
        failed = http.post(running.facts["webhooks"][0], json=BODY)
        assert failed.status_code == 507
        assert f"the state file {state} could not be written" in failed.json()["description"]
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, unlimited)
        assert http.post(running.facts["webhooks"][0], json=BODY).status_code == 200
        running.process.send_signal(signal.SIGKILL)
        assert running.process.stderr.read().count("\n") == 1  # where it is served
    with serving("--state", state) as running:
        assert len(running.admin("GET", "/rooms/channel-1/messages").json()["messages"]) == 2


def test_a_named_pipe_is_no_state_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    code, said = refused("--state", tmp_path / "pipe")
    assert code == 2
    assert "is a named pipe, and a state file must be a regular file; name another one" in said
    assert "Traceback" not in said
