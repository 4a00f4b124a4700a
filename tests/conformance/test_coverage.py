"""No documented rule is without a case, no case without a rule, and no endpoint without a case through every door."""

import subprocess
import sys
from pathlib import Path


def test_every_documented_rule_has_cases():
    listing = subprocess.run(
        [sys.executable, "-m", "tests.conformance.coverage"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    missing = [line for line in listing.stdout.splitlines() if line.startswith("NO ")]
    assert (listing.returncode, missing) == (0, []), listing.stderr
