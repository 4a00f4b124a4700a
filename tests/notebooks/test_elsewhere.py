"""The pages that control the fake behind a session do so wherever it is: in process, served, or a world of a server."""

import json
import shutil
from pathlib import Path

import pytest

from .store import NOTEBOOKS
from .test_in_a_browser import read_code, run

pytestmark = pytest.mark.long

TRANSPORT = "transport does not work with a fake outside this process"
PAGES = {
    "00-start.ipynb": {},
    "explain/time.ipynb": {},
    "explain/secrets.ipynb": {},
    "how-to/find-retired-features.ipynb": {"3": TRANSPORT},
    "how-to/inject-faults-and-retry.ipynb": {
        "2": "the request may or may not have taken effect",
        "4": TRANSPORT,
    },
    "how-to/look-at-the-wire.ipynb": {"3": "the next URL is at https://storage.fake.test"},
    "how-to/move-the-clock.ipynb": {},
    "how-to/report-on-people.ipynb": {},
    "how-to/sign-in-to-a-real-service.ipynb": {},
    "how-to/stay-within-the-notification-limit.ipynb": {
        "2": "Move the clock, svc.fake.clock.advance(seconds=60), and call again",
        "3": TRANSPORT,
    },
    "how-to/transfer-big-files.ipynb": {},
}
"""The pages, and the words of the errors that cells have where the fake is elsewhere, by the number of the cell."""


@pytest.mark.parametrize("kind", ["served", "world"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs_wherever_its_fake_is(page: str, kind: str, tmp_path: Path) -> None:
    copies = shutil.copytree(NOTEBOOKS, tmp_path / "notebooks")
    shown = run(read_code(copies / page), (copies / page).parent, "elsewhere.py", kind)
    failed = json.loads(shown.splitlines()[-1])
    expected = PAGES[page]
    assert failed.keys() == expected.keys(), failed
    assert all(words in failed[number] for number, words in expected.items()), failed
