"""A real JupyterLab in a real Chromium: nothing leaves the machine, and nothing goes wrong unseen."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import nbformat
import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, ViewportSize, expect, sync_playwright

import svckit
from svckit.session.session import Session

from ..loopback import PATIENCE, free_port
from .slow_kernel import Slow, show

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    # All cells are in the page, also those out of sight.
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}
FOLDERS = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime"}

# The toolbar's idle mark shows before there is a kernel, so the application itself is asked.
KERNEL_IS_READY = """() => {
    const kernel = window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel;
    return Boolean(kernel) && kernel.info.then(() => kernel.status === "idle");
}"""
# In the page and the kernel of the notebook before, which was closed.
OPEN_BESIDE = """([path, id]) => window.jupyterapp.commands
    .execute("docmanager:open", { path, factory: "Notebook", kernel: { id, name: "python3" } })
    .then(() => null)"""
# Closed without a question; the kernel has no widgets and no names left. It responds with its ID.
CLOSE_AND_CLEAR = """async code => {
    const { currentWidget } = window.jupyterapp.shell;
    const kernel = currentWidget.sessionContext.session.kernel;
    const { content } = await kernel.requestExecute({ code }).done;
    const { id } = kernel;
    currentWidget.dispose();
    return content.status === "ok" ? id : null;
}"""
CLEAR = """
import ipywidgets
ipywidgets.Widget.close_all()
get_ipython().reset(new_session=True, aggressive=False)
"""
RUN_ALL = "() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }"
HAS_NOTEBOOK = "() => Boolean(window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel)"
SHUT_DOWN = "() => window.jupyterapp?.shell.currentWidget?.sessionContext?.shutdown()"
EXECUTE = """code => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel
    .requestExecute({ code }).done.then(({ content }) => content.status)"""
SET_THEME = "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
# anywidget gives up a widget whose script has not loaded within two seconds, which a busy machine may not keep.
PATIENT = """(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (milliseconds) => timeout(30 * milliseconds);
})()"""

CONNECT = """
import svckit

svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
"""
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
HIDDEN = {"jupyter": {"source_hidden": True}}  # the pictures are of what cells show

VIEWPORT: ViewportSize = {"width": 1400, "height": 1000}
MILLISECONDS = PATIENCE * 1000
expect.set_options(timeout=MILLISECONDS)

OpenNotebook = Callable[..., Page]
ShowSlow = Callable[[Any], Slow]


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab."""

    address: str
    token: str
    notebooks: Path
    log: Path


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[BrowserContext, AbstractEventLoop]]:
    """Start the system's browser, and Playwright's event loop. Without a browser, skip; where CI=true, fail instead."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        reason = f"browser tests need one of {', '.join(CHROMIUM)}, and none is installed"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        # One context for all tests, so that JupyterLab is loaded from the cache; each has a workspace of its own. Only
        # a context with a profile on disk keeps scripts compiled.
        context = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=path,
            args=["--no-sandbox", "--disable-dev-shm-usage"],
            timeout=MILLISECONDS,
            viewport=VIEWPORT,
            locale="en-US",
        )
        context.add_init_script(PATIENT)
        context.set_default_timeout(MILLISECONDS)
        loop = asyncio.get_running_loop()
        yield context, loop
        asyncio._set_running_loop(loop)
        context.close()


@pytest.fixture(scope="module")
def chromium(browser: tuple[BrowserContext, AbstractEventLoop]) -> Iterator[BrowserContext]:
    """Return the browser. Its event loop counts as running only meanwhile, or no other test could run one."""
    context, loop = browser
    asyncio._set_running_loop(loop)
    yield context
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab with folders, a port and a token of its own."""
    home = tmp_path_factory.mktemp("lab")
    notebooks, settings = home / "notebooks", home / "settings"
    notebooks.mkdir()
    settings.mkdir()
    (settings / "overrides.json").write_text(json.dumps(SETTINGS), "utf-8")
    port = free_port()
    lab = Lab(f"http://127.0.0.1:{port}", token_hex(16), notebooks, home / "lab.log")
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.root_dir": notebooks,
        "ServerApp.terminals_enabled": False,
        "IdentityProvider.token": lab.token,
        "MappingKernelManager.kernel_info_timeout": PATIENCE,
        "ServerApp.jpserver_extensions": {"svckit.jupyter.static_outputs": True},
        "LabApp.expose_app_in_browser": True,
        "LabApp.news_url": None,
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        "LabApp.extension_manager": "readonly",
        "LabApp.app_settings_dir": settings,
        "LabApp.user_settings_dir": home / "user-settings",
        "LabApp.workspaces_dir": home / "workspaces",
    }
    arguments = [f"--{name}={value}" for name, value in options.items()]
    with started(["jupyterlab", "--no-browser", "--allow-root", *arguments], home, lab.log, "is running at"):
        yield lab


@pytest.fixture(scope="session")
def app_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the panel is as an app, as the command prints it."""
    home = tmp_path_factory.mktemp("app")
    log = home / "app.log"
    command = ["svckit", "lab", "--app", "--no-browser", "--port", str(free_port())]
    with started(command, home, log, "The app is at"):
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\w+", log.read_text("utf-8"))
        assert found is not None
        yield found[0]


@contextmanager
def started(module: list[str], home: Path, log: Path, running: str) -> Iterator[None]:
    """A Jupyter server with folders of its own, from where it logs that it is running until it has ended."""
    own_folders = {name: str(home / folder) for name, folder in FOLDERS.items()}
    variables = os.environ | own_folders | {"IPYTHONDIR": str(home / "ipython")}
    with log.open("wb") as output:
        command = [sys.executable, "-m", *module]
        server = subprocess.Popen(command, env=variables, stdout=output, stderr=subprocess.STDOUT)
    try:
        patient_until = monotonic() + PATIENCE
        while running not in log.read_text("utf-8"):
            assert monotonic() < patient_until, f"it did not start:\n{log.read_text('utf-8')}"
            sleep(0.1)
        yield
    finally:
        server.terminate()
        server.wait(PATIENCE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[Any]:
    """Let the page's fixture know whether its test failed."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


FAILED = pytest.StashKey[bool]()


class Tab:
    """A page that tests use one after the other, with the kernel of the last notebook: each takes seconds to start.

    A test that fails, or leaves the page elsewhere than in JupyterLab, ends both.
    """

    def __init__(self) -> None:
        self._page: Page | None = None
        self.kernel: str | None = None
        """The ID of the kernel that is left, without names of a test, or None."""
        self.wrong: list[str] = []
        """What went wrong during the current test without failing it."""

    def take(self, context: BrowserContext) -> Page:
        """Return the page as a test finds it: of the usual size, and blank or in a JupyterLab without a notebook."""
        page = self._page
        self.wrong.clear()
        if page is None:
            self._page = page = context.new_page()
            wrong = self.wrong.append
            page.on("console", lambda said: wrong(f"console: {said.text}") if is_error(said) else None)
            page.on("pageerror", lambda error: wrong(f"uncaught: {error}"))
            page.on("request", lambda asked: None if is_local(asked.url) else wrong(f"left: {asked.url}"))
        page.set_viewport_size(VIEWPORT)
        return page

    def leave(self, *, keep: bool) -> None:
        """Close the notebook, and keep page and kernel if they are as good as new."""
        assert self._page is not None
        self.kernel = None
        if keep and self._page.evaluate(HAS_NOTEBOOK):
            self.kernel = self._page.evaluate(CLOSE_AND_CLEAR, CLEAR)
        if self.kernel is None:
            self._page.evaluate(SHUT_DOWN)
            self._page.close()
            self._page = None


@pytest.fixture(scope="session")
def tab() -> Tab:
    """What all tests of this process share in the browser."""
    return Tab()


@pytest.fixture
def page(
    chromium: BrowserContext, tab: Tab, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Page]:
    """An empty page. Errors on its console and requests to elsewhere fail the test; failures leave a picture."""
    page = tab.take(chromium)
    yield page
    failed = request.node.stash.get(FAILED, True)
    if tab.wrong or failed:
        picture = tmp_path / "failure.png"
        page.screenshot(path=picture)
        print(f"picture: {picture}")  # pytest shows it with the failure
    tab.leave(keep=not tab.wrong and not failed)
    assert not tab.wrong, "\n".join(tab.wrong)


def execute(page: Page, code: str) -> None:
    """Run code in the kernel of the notebook that is open, beside its cells."""
    assert page.evaluate(EXECUTE, code) == "ok"


def is_error(said: ConsoleMessage) -> bool:
    """Whether it is an error; not that JupyterLab's debugger was still asking the kernel when the notebook closed."""
    return said.type == "error" and not said.text.startswith("Could not restore the debugger state: Canceled")


def is_local(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in {"data", "blob", "about"} or parts.hostname in {"127.0.0.1", "localhost"}


@pytest.fixture
def open_notebook(page: Page, lab: Lab, tab: Tab) -> OpenNotebook:
    """Open a new notebook with these cells, run them, and give the page."""

    def open_(*cells: str, theme: str = "JupyterLab Light") -> Page:
        print(f"log: {lab.log}")  # pytest shows it with a failure
        unique = token_hex(4)
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell, metadata=HIDDEN) for cell in cells], metadata=KERNEL
        )
        nbformat.write(notebook, lab.notebooks / f"{unique}.ipynb")
        if tab.kernel is None:
            page.goto(f"{lab.address}/lab/workspaces/{unique}/tree/{unique}.ipynb?reset&token={lab.token}")
        else:
            page.evaluate(OPEN_BESIDE, [f"{unique}.ipynb", tab.kernel])
        page.wait_for_function(KERNEL_IS_READY)
        page.evaluate(SET_THEME, theme)
        page.evaluate(RUN_ALL)
        return page

    return open_


@pytest.fixture
def slow(chromium: BrowserContext) -> Iterator[ShowSlow]:
    """Show a widget in a page without Jupyter, with what is under way between the two held up."""
    page = chromium.new_page()
    yield lambda widget: show(page, widget)
    page.close()


@pytest.fixture
def svc() -> Iterator[Session]:
    """A session in the process of the tests."""
    with svckit.connect(now="2026-06-01T09:00:00+09:00") as svc:
        yield svc
