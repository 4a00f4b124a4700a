"""The reference pages are those that the product would write now."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from binder.reference import FOLDER, PAGES
from binder.reference.markdown import COMMAND, link_terms
from binder.reference.statuses import STATUSES
from binder.site.menu import KEYWORDS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_product_says(name: str) -> None:
    stored = (FOLDER / name).read_text(encoding="utf-8")
    assert stored == PAGES[name](), f"notebooks/reference/{name} is stale; run {COMMAND}"


@pytest.mark.parametrize("name", sorted(set(PAGES) - {"command-line.md"}))  # which begins with no such term
def test_page_links_to_the_glossary(name: str) -> None:
    introduction = (FOLDER / name).read_text(encoding="utf-8").partition("\n## ")[0]
    links = re.findall(r"\.\./glossary\.md#[\w-]+", introduction)
    assert links
    assert sorted(links) == sorted(set(links)), "only its first use"


def test_only_words_are_linked() -> None:
    text = "`fake.clock` and [a fake](x.md): two fakes, one served\nfake, a snapshot-like clock."
    assert link_terms(text) == (
        "`fake.clock` and [a fake](x.md): two [fakes](../glossary.md#fake), one [served\nfake]"
        "(../glossary.md#served-fake), a snapshot-like [clock](../glossary.md#clock)."
    )


def test_the_search_finds_each_status() -> None:
    assert {*map(str, STATUSES)} <= {*KEYWORDS["notebooks/reference/statuses"]}


def test_there_are_no_other_pages() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)


def test_the_command_is_documented() -> None:
    assert COMMAND in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_pages_are_the_same_elsewhere(tmp_path: Path) -> None:
    """With another folder, time zone, language, terminal, home and hash seed, and a profile of its own."""
    code = "from binder.reference import PAGES; print(*(write() for write in PAGES.values()), sep='')"
    variables = {
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "PYTHONHASHSEED": "7",
        "TZ": "America/Caracas",
        "LC_ALL": "C",
        "COLUMNS": "40",
        "HOME": str(tmp_path),
        "SVCKIT_PROFILE": "work",
        "SVCKIT_WORK_BASE_URL": "https://api.example.com",
    }
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, **variables}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    stored = (FOLDER.joinpath(name).read_text(encoding="utf-8") for name in PAGES)
    assert done.stdout.decode("utf-8").rstrip("\n") == "".join(stored).rstrip("\n")
