"""The course as a site for the browser: lessons run there to their end, and nothing comes from anywhere else."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import BrowserContext, Page

from svckit.course.catalogue import LESSONS, Lesson

from ..notebooks.browser_cells import CELLS
from ..svckit.course.solved_cells import write_solution
from .conftest import KERNEL_IS_READY, MILLISECONDS
from .static_server import serving

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
LARGEST = 50 * 1024 * 1024
KERNEL = {"kernelspec": {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}}

APP_IS_READY = "() => window.jupyterapp?.restored.then(() => true)"
SAVE = """([path, content]) => window.jupyterapp.serviceManager.contents
    .save(path, { type: "notebook", format: "json", content })"""
READ = """path => window.jupyterapp.serviceManager.contents.get(path, { content: true })
    .then(({ content, format }) => (format === "base64" ? atob(content) : content))"""
SET_SOURCE = """([tag, source]) => {
    const cells = window.jupyterapp.shell.currentWidget.content.widgets.map((cell) => cell.model.sharedModel);
    cells.find((cell) => (cell.metadata.tags ?? []).includes(tag)).setSource(source);
}"""
RUN_ALL = """() => {
    window.hasRun = false;
    window.jupyterapp.commands.execute("notebook:run-all-cells").finally(() => { window.hasRun = true; });
}"""
HAS_RUN = "() => window.hasRun"
OUTPUTS = "() => window.jupyterapp.shell.currentWidget.model.toJSON().cells.map((cell) => cell.outputs ?? [])"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as the command builds it. Where its packages cannot be fetched, skip; where CI=true, fail instead."""
    folder = tmp_path_factory.mktemp("lite") / "site"
    command = [sys.executable, "binder/run.py", "--lite", "python", "-m", "binder.lite", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    reasons = ("could not be fetched", "The installation did not finish")
    if any(reason in done.stderr for reason in reasons) and os.environ.get("CI") != "true":
        pytest.skip(f"the site's packages could not be fetched:\n{done.stderr}")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@dataclass(frozen=True)
class Tab:
    """A browser's tab on the site; what it keeps is gone with it."""

    page: Page
    url: str
    sent: list[str]

    def save(self, path: str, *cells: str) -> None:
        """Save a notebook in the browser's own storage."""
        content = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells], metadata=KERNEL
        )
        self.show_files()
        self.page.evaluate(SAVE, [path, content])

    def show_files(self) -> None:
        """Load the page without a notebook."""
        self.page.goto(f"{self.url}/lab/index.html?reset")
        self.page.wait_for_function(APP_IS_READY)

    def open(self, path: str) -> None:
        """Open a notebook, and wait until its kernel is ready."""
        self.page.goto(f"{self.url}/lab/index.html?path={path}")
        self.page.wait_for_function(KERNEL_IS_READY)

    def set_source(self, tag: str, source: str) -> None:
        """Replace the text of the cell that has a tag."""
        self.page.evaluate(SET_SOURCE, [tag, source])

    def run(self) -> list[list[dict[str, Any]]]:
        """Run all cells, and return the outputs of each."""
        self.page.evaluate(RUN_ALL)
        self.page.wait_for_function(HAS_RUN)
        outputs: list[list[dict[str, Any]]] = self.page.evaluate(OUTPUTS)
        failed = [output for cell in outputs for output in cell if output["output_type"] == "error"]
        assert failed == []
        return outputs


@pytest.fixture
def tab(chromium: BrowserContext, site: Path) -> Iterator[Tab]:
    """A tab; a request that would leave the site fails the test."""
    assert chromium.browser is not None
    with serving(site.parent) as server:  # a site may be anywhere on its server
        context = chromium.browser.new_context()
        context.set_default_timeout(MILLISECONDS)
        sent: list[str] = []
        context.on("request", lambda request: sent.append(request.url))
        yield Tab(context.new_page(), f"{server}/{site.name}", sent)
        context.close()
        assert [each for each in sent if not each.startswith((f"{server}/", "data:", "blob:"))] == []


def read_text(outputs: list[dict[str, Any]]) -> str:
    """Return what a cell shows, as text."""
    shown = (each.get("text") or each["data"]["text/plain"] for each in outputs)
    return "".join("".join(text) for text in shown)


def test_what_a_browser_offers_works(tab: Tab) -> None:
    tab.save("everything.ipynb", *CELLS)
    tab.open("everything.ipynb")
    outputs = tab.run()
    assert read_text(outputs[-1]) == "everything works\n"
    assert any(
        url.endswith("/pyodide.asm.wasm") for url in tab.sent
    )  # also what the kernel asks for is noticed


@pytest.mark.parametrize(
    "lesson", [each for each in LESSONS if each.number < "12"], ids=lambda each: each.number
)
def test_a_lesson_goes_from_not_yet_to_solved(tab: Tab, lesson: Lesson) -> None:
    tab.open(f"course/{lesson.notebook.name}")
    assert "not yet" in find_feedback(lesson, tab.run())
    tab.set_source("exercise", write_solution(lesson, lesson.load_solutions()[0]))
    feedback = find_feedback(lesson, tab.run())
    assert "solved" in feedback
    assert "not yet" not in feedback


def find_feedback(lesson: Lesson, outputs: list[list[dict[str, Any]]]) -> str:
    """Return the last output that judges an exercise."""
    return next(text for cell in reversed(outputs) if lesson.title in (text := read_text(cell)))


def test_the_start_page_leads_to_the_first_lesson_and_the_board(tab: Tab) -> None:
    tab.page.goto(f"{tab.url}/index.html")
    assert len(tab.sent) == 1  # it is shown at once
    tab.page.get_by_role("link", name="00 Look around", exact=True).click()
    tab.page.wait_for_function(KERNEL_IS_READY)
    tab.open("course/board.ipynb")
    assert "Look around" in read_text(tab.run()[-1])


def test_files_that_a_notebook_writes_are_kept(tab: Tab) -> None:
    tab.save("writes.ipynb", "from pathlib import Path", "print(Path('kept.txt').write_text('kept'))")
    tab.open("writes.ipynb")
    assert read_text(tab.run()[-1]) == "4\n"
    tab.show_files()
    assert tab.page.evaluate(READ, "kept.txt") == "kept"


def test_it_is_small_and_has_no_source_maps(site: Path) -> None:
    files = [path for path in site.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= LARGEST
    assert [path.name for path in files if path.suffix == ".map"] == []


def test_it_has_the_lessons_that_run_in_it(site: Path) -> None:
    numbers = {path.name[:2] for path in (site / "files" / "course").glob("[01]*.ipynb")}
    assert numbers == {lesson.number for lesson in LESSONS} - {"12", "13"}
