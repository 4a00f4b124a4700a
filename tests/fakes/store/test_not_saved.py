"""A served fake whose state file cannot be written says so, and goes on where there is room again."""

import os
import resource
import signal

import pytest

from fakes import FakeService
from fakes.doors.served import Served
from fakes.persistence import NotSaved
from fakes.store.group_commit import GroupCommit
from fakes.store.state_file import StateFile

from ...loopback import local_client
from ...svckit.cli.serving import serving, serving_process
from .state_files import BEGINNING, kept, opened

BODY = {"body": {"text": "hello " * 1000}}
NO_GROWTH = "PRAGMA max_page_count = 1"
"""As many pages as there are already."""


def test_a_full_disk_is_a_507_that_says_what_to_do(path, capfd):
    fake, file = FakeService.sample(*BEGINNING), StateFile(path)
    file.attach(fake, BEGINNING)
    connection = file._database._file
    fake.settle = GroupCommit(file.settle, file.has_changes).settle
    with Served(fake) as served, local_client() as http:
        hook = served.facts["webhooks"][0]
        connection.execute(NO_GROWTH)
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
    assert opened(path) == expected
    assert capfd.readouterr().err == ""


def test_what_is_lost_at_the_end_is_said(path):
    fake, file = FakeService.sample(*BEGINNING), StateFile(path)
    file.attach(fake, BEGINNING)
    expected = fake.snapshot()
    file._database._file.execute(NO_GROWTH)
    fake.files.seed(("drive", "u-001"), "file-9", "a.txt", "text/plain", b"x" * 200_000)
    with pytest.raises(NotSaved, match="free some space"):
        file.commit()
    with pytest.raises(NotSaved, match=r"disk of the state file .* is full, so the changes .* are lost$"):
        file.close()
    assert opened(path) == expected


@pytest.mark.skipif(os.name != "posix", reason="Windows has other permissions")
def test_only_the_owner_may_read_a_state_file_that_was_there_before(path):
    path.touch(mode=0o644)
    with kept(path):
        assert {each.stat().st_mode & 0o777 for each in path.parent.iterdir()} == {0o600}


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
