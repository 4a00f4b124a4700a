"""What the service sends is the same on every host, whatever its zone, locale, hash seed and time zone database."""

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_no_response_depends_on_the_host(tmp_path):
    """One host has no time zone database of its own, the other has a zone that nobody else knows."""
    zone = tmp_path / "zones" / "Mars" / "Phobos"
    zone.parent.mkdir(parents=True)
    zone.write_bytes((files("tzdata.zoneinfo") / "UTC").read_bytes())
    hosts = [
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONTZPATH": ""},
        {
            "PYTHONHASHSEED": "2",
            "TZ": "America/St_Johns",
            "LC_ALL": "C.UTF-8",
            "PYTHONUTF8": "1",
            "PYTHONTZPATH": str(tmp_path / "zones"),
        },
    ]
    command = [sys.executable, "-m", "tests.fakes.all_that_is_sent"]
    running = [
        subprocess.Popen(command, cwd=ROOT, env=os.environ | host, stdout=subprocess.PIPE) for host in hosts
    ]
    sent = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    first, second = (each.splitlines() for each in sent)
    assert len(first) > 200
    assert [(one, two) for one, two in zip(first, second, strict=True) if one != two] == []
