"""A class on a real JupyterHub with its proxy: three learners and a trainer, each with one link and a browser.

With SVCKIT_SCREENSHOTS, the folder that it names gets the pictures of the how-to.
"""

import json
import os
import shutil
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect, sync_playwright

from fakes import Worlds

from ..browser.test_pictures import save_as_webp
from ..loopback import PATIENCE, find_five_ports, local_client
from .conftest import ROOT
from .test_hub import FILES, PASSWORD

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
LEARNERS = ("ada", "mina", "noor")
LESSON = "svckit-notebooks/course/{}.ipynb"
READY = """() => {
    const kernel = window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel;
    return Boolean(kernel) && kernel.info.then(() => kernel.status === "idle");
}"""
SHOWS = "path => window.jupyterapp?.shell.currentWidget?.context?.path === path"
ADD = """source => {
    const { content } = window.jupyterapp.shell.currentWidget;
    content.model.sharedModel.addCell({ cell_type: "code", source });
    content.activeCellIndex = content.widgets.length - 1;
    content.scrollToItem(content.activeCellIndex, "end");
    return window.jupyterapp.commands.execute("notebook:run-cell").then(() => null);
}"""
SOLVE = """source => {
    const { content } = window.jupyterapp.shell.currentWidget;
    const cell = content.widgets.find(({ model }) => model.sharedModel.metadata.tags?.includes("exercise"));
    cell.model.sharedModel.setSource(source);
}"""
RUN_FIRST = """() => {
    window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0;
    return window.jupyterapp.commands.execute("notebook:run-cell").then(() => null);
}"""
RUN_ALL = "() => window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => null)"
OUTPUTS = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(({ model }) => model.type === "code").map(({ model }) => JSON.stringify(model.outputs.toJSON()))"""
TRAINERS_CELLS = ["from svckit import course\n\nroom = course.classroom()\nroom"]
FOR_ALL = 'room.faults.status("notifications.post", 503, times=None)\nroom.clock.advance(days=1)'
POST = 'http.post(webhook, json={"body": {"text": "Parcel 2 is for Jun."}}).status_code'
CELL = """
import os, svckit
svc = svckit.connect()
svc.users.update("u-001", nick_name=os.environ["SVCKIT_LEARNER"])
svc.notify("hello from " + os.environ["SVCKIT_LEARNER"])
print(os.environ["SVCKIT_GROUP"], svc.users.read("u-001").nick_name, svc.is_fake, "SVCKIT_ADMIN_KEY" in os.environ)
"""
MENTION = """
from svckit import course
from svckit.models import mention


def mention_somebody(svc, unit):
    for user in svc.users.list_known():
        if user.organizations[0].org_units[0].org_unit_name == unit:
            svc.notify(f"{mention(user.user_id)} Who has the figures for May?")
            return


feedback = course.check(mention_somebody)
feedback
"""
POST_ALL = """
import time


def post_all(http, webhook, messages):
    for text in messages:
        response = http.post(webhook, json={"body": {"text": text}})
        if response.headers["RateLimit-Remaining"] == "0" and text != messages[-1]:
            time.sleep(int(response.headers["RateLimit-Reset"]))


feedback = course.check(post_all)
feedback
"""


KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}


@contextmanager
def hub(installed, folder, **variables):
    """Run the hub of the repository, with other ports; yield its link."""
    first = find_five_ports()
    url = f"http://127.0.0.1:{first}"
    (folder / "hub.py").write_text(
        f"load_subconfig({str(FILES / 'jupyterhub_config.py')!r})\n"
        f"c = get_config()\n"
        f"c.JupyterHub.bind_url = {url!r}\n"
        f"c.JupyterHub.hub_port = {first + 1}\n"
        f"c.ConfigurableHTTPProxy.api_url = 'http://127.0.0.1:{first + 2}'\n"
        f"c.Spawner.args = [*c.Spawner.args, '--LabApp.expose_app_in_browser=True']\n",
        "utf-8",
    )
    variables |= {"SVCKIT_TRAINER_PASSWORD": PASSWORD, "SVCKIT_GROUP": "spring"}
    variables["PATH"] = os.pathsep.join([str(installed.scripts), os.environ["PATH"]])
    with (folder / "log").open("w") as log:
        running = subprocess.Popen(
            [installed.scripts / "jupyterhub", "-f", folder / "hub.py"],
            cwd=folder,
            env={**os.environ, **variables},
            stdout=log,
            stderr=log,
        )
    try:
        with local_client(base_url=url) as http:
            deadline = time.monotonic() + PATIENCE
            while running.poll() is None and time.monotonic() < deadline:
                with suppress(httpx.TransportError):  # not yet listening
                    if http.get("/hub/api/health", timeout=1).status_code == 200:
                        break
            else:
                pytest.fail((folder / "log").read_text())
        yield url
    finally:
        running.terminate()
        running.wait(PATIENCE)


class Window:
    """A browser window of one person, at the hub's one link."""

    def __init__(self, browser, url, name, password):
        self.context = browser.new_context(viewport={"width": 1200, "height": 820}, locale="en-US")
        self.context.set_default_timeout(PATIENCE * 1000)
        self.home = f"{url}/user/{name}"
        self.page = self.context.new_page()
        self.page.goto(url)
        self.sign_in(name, password)

    def sign_in(self, name, password):
        self.page.get_by_label("Username").fill(name)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()

    def open(self, path):
        """Open a notebook in a tab of its own."""
        self.page = self.context.new_page()
        self.page.goto(f"{self.home}/lab/workspaces/{Path(path).stem}/tree/{path}?reset")
        self.wait_for(path)

    def wait_for(self, path):
        """Wait until a notebook is shown, and has its kernel."""
        self.page.wait_for_function(SHOWS, arg=path)
        self.page.wait_for_function(READY)

    def run_all(self):
        self.page.evaluate(RUN_ALL)

    def solve(self, solution):
        self.page.evaluate(SOLVE, solution)
        self.run_all()

    def run(self, source):
        """Run a new cell, and return its output as text."""
        self.page.evaluate(ADD, source)
        (*_, last) = self.page.evaluate(OUTPUTS)
        return last

    def take_picture(self, name):
        if folder := os.environ.get("SVCKIT_SCREENSHOTS"):
            self.page.add_style_tag(content=".Toastify { display: none }")  # JupyterLab asks about its news
            picture = self.page.locator(".jp-NotebookPanel:visible").screenshot()
            blank = self.page.context.new_page()
            save_as_webp(picture, blank, Path(folder) / f"{name}.webp")
            blank.close()


@pytest.fixture
def browser():
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip("there is no browser")
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments, timeout=PATIENCE * 1000)
        yield browser
        browser.close()


@pytest.fixture
def served(installed, tmp_path, browser):
    """The hub's link, and the worlds."""
    expect.set_options(timeout=PATIENCE * 1000)
    installed.install("-r", FILES / "requirements.txt", "-c", ROOT / "binder" / "requirements.txt")
    home = tmp_path / "homes" / "trainer"
    home.mkdir(parents=True)
    cells = [
        {
            "cell_type": "code",
            "id": f"c{number}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": code,
        }
        for number, code in enumerate(TRAINERS_CELLS)
    ]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": KERNEL, "cells": cells}
    (home / "class.ipynb").write_text(json.dumps(notebook), "utf-8")
    worlds = Worlds(users=3, now="2026-06-01T09:00:00+09:00")
    with worlds.serve() as server:
        admin = {f"SVCKIT_{key.upper()}": server.facts[key] for key in ("admin_url", "admin_key")}
        with hub(installed, tmp_path, **admin) as link:
            yield link, worlds


@pytest.mark.long
def test_a_trainer_sees_and_reaches_three_learners(served, browser):
    link, worlds = served
    ada, mina, noor = (Window(browser, link, name, f"secret of {name}") for name in LEARNERS)
    for window in (ada, mina, noor):  # the link leads to the first lesson, with the board on top
        window.wait_for(LESSON.format("00-look-around"))
        expect(window.page.get_by_text("Next: lesson 00", exact=False).first).to_be_visible()
    ada.take_picture("class-first-page")
    trainer = Window(browser, link, "trainer", PASSWORD)
    trainer.wait_for(LESSON.format("00-look-around"))
    trainer.open("class.ipynb")
    trainer.run_all()
    view = trainer.page.get_by_role("table", name="Class:")
    noor.page.evaluate(RUN_FIRST)
    expect(view.get_by_role("row", name="noor 00 Look around started")).to_be_visible()

    for window in (ada, mina, noor):
        window.solve(MENTION)
        expect(window.page.get_by_text("Look around: solved")).to_be_visible()
    for name in LEARNERS:
        expect(view.get_by_role("row", name=f"{name} 00 Look around solved")).to_be_visible()

    assert worlds.names() == list(LEARNERS)
    for window, name in zip((ada, mina, noor), LEARNERS, strict=True):
        assert f"spring {name} True False" in window.run(CELL)
        world = worlds.find(name)
        (message,) = world.webhooks.messages(world.facts["channel_id"])
        assert message.text == f"hello from {name}"
        world.faults.status("users.update", 503)
        assert "503" in window.run("svc.users.update('u-001', task='x')")

    ada.open(LESSON.format("08-wait-when-told"))
    ada.run_all()
    expect(ada.page.get_by_text("not yet", exact=False).last).to_be_visible()
    stuck = time.monotonic()
    expect(view.get_by_role("row", name="ada 08").filter(has_text="not yet")).to_be_visible()
    print(f"the trainer saw it after {time.monotonic() - stuck:.1f} seconds")
    trainer.take_picture("class-view")

    trainer.run(FOR_ALL)
    said = ada.run(POST)
    assert "From your trainer, in fake: status 503 for notifications.post, from now on" in said
    assert "From your trainer, in fake: it is now 2026-06-02T" in said
    assert '"503"' in said
    ada.take_picture("class-push")
    assert "it is now 2026-06-02T" in noor.run("fake.clock.now()")

    ada.solve(POST_ALL)  # a check has fakes of its own
    expect(view.get_by_role("row", name="ada 08").filter(has_text="solved")).to_be_visible()

    for command, path in (
        ("course open 08", "/user/ada/lab/tree/svckit-notebooks/course/08-wait-when-told.ipynb"),
        ("lab explorers.ipynb", "/user/ada/lab/tree/svckit-notebooks/explorers.ipynb"),
        ("course start ~/sync", "/user/ada/lab/tree/sync/README.md"),
    ):
        assert path in ada.run(f"!svckit {command}")
    assert "Class: 3 learners, 0 stuck" in trainer.run("print(room)")

    for name in ("mina", "trainer"):
        other = Window(browser, link, name, "secret of ada")
        expect(other.page.get_by_text("Invalid username or password")).to_be_visible()
