"""No section of the service's description, no assumption and no documented rule is without a case, and no case is
without one of them."""

import subprocess
import sys
from pathlib import Path


def test_every_section_assumption_and_documented_rule_has_cases():
    listing = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("coverage.py"))],
        capture_output=True,
        text=True,
        check=False,
    )
    missing = [line for line in listing.stdout.splitlines() if line.startswith(("EMPTY", "UNPLACED", "NO "))]
    assert (listing.returncode, missing) == (0, []), listing.stderr
