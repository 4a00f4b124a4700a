"""The site in a browser: it is accessible, complete, small, and nobody else's."""

import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

import fakes
import svckit
from binder.site.menu import KEYWORDS, list_groups
from binder.site.ways import write_ways
from fakes.rulebook.rule import RULEBOOK

from .axe import RULES
from .static_server import serving

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PAGES = ["index", *(page for pages in list_groups().values() for _, page in pages), "search", "genindex"]
LARGEST = 10 * 1024 * 1024
ASKED = {
    "test my client": "test-your-httpx-client",
    "requests": "test-a-requests-client",
    "fixtures": "test-with-pytest",
    "real service": "sign-in-to-a-real-service",
    "sign in": "sign-in-to-a-real-service",
    "cron": "run-unattended",
    "big file": "transfer-big-files",
    "resume": "transfer-big-files",
    "deviations": "make-the-fake-look-like-your-service",
    "snapshot": "control-a-fake-by-hand",
    "faults": "inject-faults-and-retry",
    "clock": "move-the-clock",
    "401": "statuses",
    "403": "statuses",
    "404": "statuses",
    "409": "statuses",
    "503": "statuses",
    "429": "stay-within-the-notification-limit",
    "revision": "download-revisions",
    "form response": "download-revisions",
    "auto reply": "set-an-auto-reply",
    "restrictions": "test-settings",
    "advanced plan": "test-settings",
    "what can the fake do": "matrix",
    "curl example": "operations",
    "rules": "rules",
    "alternatives": "rules",
    "trace": "look-at-the-wire",
    "openapi": "generate-a-client",
    "signature": "receive-events",
    "service account": "test-a-service-account-and-a-bot",
    "worlds": "share-one-server",
    "pandas": "frames",
    "token expired": "move-the-clock",
    "offline": "00-start",
    "HAR": "measure-a-real-service",
    "teach": "TRAINER",
    "hub": "teach-on-jupyterhub",
    "trainer": "TRAINER",
    "excel": "update-many-users",
    "own data": "make-the-fake-look-like-your-service",
    "stubs": "make-the-fake-look-like-your-service",
    "any language": "use-from-curl-and-node",
    "retired": "find-retired-features",
    "simulate outage": "inject-faults-and-retry",
    "change time": "move-the-clock",
    "token expires": "move-the-clock",
    "own users": "make-the-fake-look-like-your-service",
    "resume upload": "transfer-big-files",
    "two users same email": "statuses",
    "409 webhook": "statuses",
    "no pandas": "frames",
    "without pandas": "frames",
    "how do I test my client against a 429": "inject-faults-and-retry",
    "how do I make a token expire": "move-the-clock",
    "how do I find out who is away": "report-on-people",
    "how do I see the HTTP requests that are sent": "look-at-the-wire",
    "how do I see what was sent": "look-at-the-wire",
    "how do I install it": "README",
    "extras": "README",
    "test a Java client": "use-from-curl-and-node",
    "my download gets 401": "find-the-setting",
    "compare the fake with the real service": "check-a-real-service",
    "send a message to a room": "notify-from-a-script",
    "what does X-Fake-Assumed mean": "known-and-assumed",
    "why did I get 409": "statuses",
    "list of operations": "matrix",
    "how do I list users": "matrix",
}
"""What people search for, and the page that is one of the first two results."""

ALLOWED = {
    "landmark-unique": "index",  # the theme
    "page-has-heading-one": "search",  # the theme
    "empty-table-header": "notebooks/00-start",  # the tables of pandas
}
"""What others could do better and WCAG does not require, by the IDs of axe, each with a page that has it."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as the command builds it."""
    folder = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, "binder/run.py", "--docs", "python", "-m", "binder.site", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


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


def find_violations(page: Page, url: str) -> dict[str, list[str]]:
    """Open a page, and return what axe finds, by ID."""
    response = page.goto(url)
    assert response is not None
    assert response.ok
    options = {"runOnly": [*RULES["runOnly"], "best-practice"]}
    found = Axe().run(page, options=options).response["violations"]
    return {each["id"]: [node["html"] for node in each["nodes"]] for each in found}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible(page: Page, url: str, name: str) -> None:
    wrong = find_violations(page, f"{url}/{name}.html")
    assert {rule: nodes for rule, nodes in wrong.items() if rule not in ALLOWED} == {}


@pytest.mark.parametrize("rule", ALLOWED)
def test_what_is_allowed_is_still_there(page: Page, url: str, rule: str) -> None:
    assert rule in find_violations(page, f"{url}/{ALLOWED[rule]}.html"), "take it out of ALLOWED"


def test_the_search_finds_a_word(page: Page, url: str) -> None:
    page.goto(f"{url}/index.html")
    page.get_by_role("textbox", name="Search").first.fill("average_per_url")
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
    assert any("svckit.models" in text for text in page.locator("#search-results li").all_inner_texts())


def search(page: Page, url: str, query: str) -> list[str]:
    """Return the pages that a search finds, the first one first."""
    page.goto(f"{url}/search.html?q={quote(query)}")
    page.wait_for_function("document.querySelector('.search-summary')?.innerText")
    shown = page.locator("#search-results li > a")
    shown.first.wait_for()
    return [link.get_attribute("href") or "" for link in shown.all()]


@pytest.mark.parametrize("query", ASKED)
def test_the_search_leads_to_the_page_that_answers(page: Page, url: str, query: str) -> None:
    found = search(page, url, query)
    assert any(re.search(rf"(^|/){ASKED[query]}\.html", link) for link in found[:2]), found[:5]
    assert not any(re.match(r"(CONTRIBUTING|CHANGELOG)\b", link) for link in found)


def test_pages_come_before_names(page: Page, url: str) -> None:
    found = ["binder/site/api" in link for link in search(page, url, "upload")]
    assert found == sorted(found)
    assert any(found)


def test_a_long_table_can_be_filtered(page: Page, url: str) -> None:
    page.goto(f"{url}/notebooks/reference/rules.html#apiunauthorized")
    expect(page.locator("tr:has(a:target)")).to_contain_text("A call without a valid access token gets 401.")
    field = page.get_by_role("searchbox", name="Filter this table")
    field.fill("alias refused")
    rows = page.locator("table").first.locator("tbody tr:visible")
    expect(rows.filter(has_text="user.alias-duplicate")).to_have_count(1)
    assert all("alias" in row.lower() and "refused" in row.lower() for row in rows.all_inner_texts())
    expect(page.locator(".filter output")).to_have_text(f"{rows.count()} of {len(RULEBOOK)}")


def test_a_keyword_is_that_of_a_page() -> None:
    assert KEYWORDS.keys() <= {"README", *PAGES}  # the home page is a copy of it


@pytest.mark.parametrize("name", [page for page in PAGES if page.startswith("notebooks/")])
def test_no_code_is_cut(page: Page, url: str, name: str) -> None:
    page.set_viewport_size({"width": 420, "height": 800})
    page.goto(f"{url}/{name}.html")
    cut = "cells => cells.filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText)"
    assert page.locator("article pre").evaluate_all(cut) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 420


def test_a_program_can_read_every_page(site: Path) -> None:
    listed = (site / "llms.txt").read_text("utf-8")
    for name in PAGES[1:-2]:
        assert f"({name}.md)" in listed
        markdown = (site / f"{name}.md").read_text("utf-8")
        links = re.findall(r"\]\(([\w./-]+\.md)(?:#[^)]*)?\)", markdown)
        assert [link for link in links if not (site / f"{name}.md").parent.joinpath(link).exists()] == []


def test_a_notebook_can_be_opened_elsewhere(page: Page, url: str) -> None:
    page.goto(f"{url}/notebooks/00-start.html")
    assert page.get_by_text("svckit lab 00-start.ipynb").count() == 1
    assert page.get_by_role("link", name="Open in").count() == 0  # neither URL is set


def test_a_lesson_can_be_opened_where_its_notebooks_run() -> None:
    context = {
        "browser": "https://example.com/lite",
        "repository": "https://example.com/a",
        "pathto": lambda *_: "x",
    }
    links = write_ways("notebooks/course/02-sign-in", "notebooks/course/02-sign-in.ipynb", context)
    assert 'href="https://example.com/lite/lab/index.html?path=course/02-sign-in.ipynb"' in links
    assert (
        "/v2/git/https%3A%2F%2Fexample.com%2Fa/HEAD?urlpath=lab/tree/notebooks/course/02-sign-in.ipynb"
        in links
    )
    assert "lite" not in write_ways("notebooks/how-to/use-async", "notebooks/how-to/use-async.ipynb", context)


@pytest.mark.parametrize("name", ["notebooks/00-start"])
def test_a_notebook_can_be_downloaded_as_it_is_in_the_repository(page: Page, url: str, name: str) -> None:
    page.goto(f"{url}/{name}.html")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download this notebook").click()
    (source,) = ROOT.glob(f"{name}.*")
    assert download.value.suggested_filename == source.name
    assert download.value.path().read_bytes() == source.read_bytes()


def test_it_is_small(site: Path) -> None:
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) <= LARGEST


def public_names(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Yield each public name, with what it means; those of packages without a page are on another one."""
    for name in module.__all__:
        found = getattr(module, name)
        if isinstance(found, ModuleType):
            yield from public_names(found)
        else:
            yield f"{module.__name__}.{name}", found


def means(entry: str, found: object) -> bool:
    """Return whether an entry of the site is about this very object."""
    module, _, name = entry.rpartition(".")
    return module in sys.modules and getattr(sys.modules[module], name, None) is found


def test_every_public_name_is_there(site: Path) -> None:
    compressed = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    entries = [
        entry.split(" py:")[0]
        for entry in zlib.decompress(compressed).decode().splitlines()
        if " py:" in entry
    ]
    missing = [
        name
        for name, found in (*public_names(svckit), *public_names(fakes))
        if not any(means(entry, found) for entry in entries if entry.endswith("." + name.rpartition(".")[2]))
    ]
    assert missing == []


def test_the_icon_is_in_the_page(page: Page, url: str) -> None:
    page.goto(f"{url}/notebooks/00-start.html")
    icon = page.locator("link[rel*=icon]")
    assert (icon.get_attribute("href") or "").startswith("data:image/svg+xml,<svg ")
