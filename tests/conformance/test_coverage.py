"""No section of the service's description and no assumption is without a case."""

import subprocess
import sys
from pathlib import Path


def test_every_section_and_assumption_has_cases():
    listing = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("coverage.py"))],
        capture_output=True,
        text=True,
        check=False,
    )
    missing = [line for line in listing.stdout.splitlines() if line.startswith(("EMPTY", "UNPLACED"))]
    assert (listing.returncode, missing) == (0, []), listing.stderr
