"""A file of 2 GB is broken twice, resumed by a new process each time, and stored once, in little memory."""

import signal
import sys

import pytest

from fakes import FakeService

from .conftest import describe
from .pages import copy_program

SIZE = 2 * 10**9
MOST = 64  # MiB of memory, above the interpreter's own after `import svckit`
MEASURED = """
import re, runpy, sys
from pathlib import Path
import svckit, svckit.session.connect

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024

before = peak()
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    Path("memory.txt").write_text(str(peak() - before))
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the peak memory of a process is read from /proc")
def test_a_big_file_survives_two_breaks(installed, tmp_path):
    program, measured = tmp_path / "upload_big.py", tmp_path / "measured.py"
    program.write_text(copy_program("transfer-big-files", "upload_big.py"), "utf-8")
    measured.write_text(MEASURED, "utf-8")
    source, journal = tmp_path / "video.mp4", tmp_path / "video.mp4.upload"
    with source.open("wb") as file:
        file.write(b"first")
        file.truncate(SIZE)  # sparse
    fake = FakeService.sample()
    try:
        with fake.serve() as served:
            person = {key: served.facts[key] for key in ("login_id", "password")}
            environment = describe(served.facts, scopes="user,file", fake="true", **person)
            command = [measured, program, source, fake.facts["user_id"]]

            def run_until(text):
                """Run it until it writes a line with this text; return it and what it wrote last."""
                running = installed.start(*command, cwd=tmp_path, **environment)
                return running, next((line for line in running.stderr if text in line), "")

            killed, line = run_until(" 30%")
            killed.send_signal(signal.SIGKILL)
            killed.communicate()
            assert "2000000000 bytes" in line
            assert journal.stat().st_mode & 0o777 == 0o600

            fake.faults.reset("storage.receive", skip=60, times=3)
            broken, line = run_until("Unreachable")
            broken.communicate()
            assert (broken.returncode, "resumes from there" in line) == (1, True)
            assert int((tmp_path / "memory.txt").read_text()) <= MOST

            done, line = run_until("100%")
            assert done.communicate()[0].startswith("file-")
            assert done.returncode == 0
            assert int((tmp_path / "memory.txt").read_text()) <= MOST
        (stored,) = [each for each in fake.records("files") if each["fileName"] == source.name]
        assert stored["fileSize"] == SIZE
        assert not journal.exists()
    finally:
        source.unlink()
