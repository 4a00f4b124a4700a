"""The site in a browser: it is accessible, complete, small, and nobody else's."""

import http.server
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page

import fakes
import svckit
from binder.site.menu import SECTIONS, list_pages

from .axe import RULES

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PAGES = ["index", *(page for where in SECTIONS.values() for page in list_pages(where)), "search", "genindex"]
LARGEST = 10 * 1024 * 1024
THEMES = {"landmark-unique", "page-has-heading-one"}
"""What the theme could do better, by the IDs of axe; WCAG does not require it."""
OUTPUTS = {"empty-table-header"}
"""What the tables of pandas could do better."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as the command builds it."""
    folder = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, "binder/run.py", "--docs", "python", "-m", "binder.site", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files that reports nothing."""

    def log_message(self, *_: Any) -> None:
        """Report nothing."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="module")
def url(site: Path) -> Iterator[str]:
    with serving(site) as base:
        yield base


@pytest.fixture(scope="module", params=["light", "dark"])
def page(request: pytest.FixtureRequest, chromium: BrowserContext, url: str) -> Iterator[Page]:
    """A page in one mode; a request that would leave the site fails the test."""
    assert chromium.browser is not None
    context = chromium.browser.new_context(color_scheme=request.param)
    elsewhere: list[str] = []
    context.on("request", lambda sent: None if sent.url.startswith(url) else elsewhere.append(sent.url))
    yield context.new_page()
    context.close()
    assert [sent for sent in elsewhere if not sent.startswith("data:")] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible(page: Page, url: str, name: str) -> None:
    response = page.goto(f"{url}/{name}.html")
    assert response is not None
    assert response.ok
    options = {"runOnly": [*RULES["runOnly"], "best-practice"]}
    found = Axe().run(page, options=options).response["violations"]
    wrong = {each["id"]: [node["html"] for node in each["nodes"]] for each in found}
    assert {rule: nodes for rule, nodes in wrong.items() if rule not in THEMES | OUTPUTS} == {}


def test_the_search_finds_a_word(page: Page, url: str) -> None:
    page.goto(f"{url}/index.html")
    page.get_by_role("textbox", name="Search").first.fill("average_per_url")
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
    assert any("svckit.models" in text for text in page.locator("#search-results li").all_inner_texts())


@pytest.mark.parametrize("name", ["notebooks/00-start", "notebooks/reference/rules"])
def test_a_page_can_be_downloaded_as_it_is_in_the_repository(page: Page, url: str, name: str) -> None:
    page.goto(f"{url}/{name}.html")
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("^Download this (notebook|page)$")).click()
    (source,) = ROOT.glob(f"{name}.*")
    assert download.value.suggested_filename == source.name
    assert download.value.path().read_bytes() == source.read_bytes()


def test_it_is_small(site: Path) -> None:
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) <= LARGEST


def public_names(module: ModuleType) -> Iterator[str]:
    for name in module.__all__:
        found = getattr(module, name)
        if isinstance(found, ModuleType):
            yield from public_names(found)
        else:
            yield name


def test_every_public_name_is_there(site: Path) -> None:
    compressed = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    entries = zlib.decompress(compressed).decode().splitlines()
    there = {entry.split(" py:")[0].rpartition(".")[2] for entry in entries if " py:" in entry}
    assert {*public_names(svckit), *public_names(fakes)} - there == set()
