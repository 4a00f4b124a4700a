"""A notebook as a page: all that it showed, widgets too, in one file that asks nobody for anything."""

import re
import tomllib
from tempfile import TemporaryDirectory

import nbformat
import pytest
from nbconvert.exporters import get_exporter
from traitlets.config import Config

from svckit.jupyter.exporter import StaticPage
from svckit.jupyter.running import choose_sockets

from ...notebooks.store import ALL, NOTEBOOKS

ASKS = re.compile(
    r"""<(?:script|link|iframe|object|embed)\b|\bsrc=["'](?!data:)|\burl\((?!["']?(?:data:|#))|@import"""
)
SHOWS = """
import svckit
svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
svc.notify("hi")
display(svc.explore(), svckit.widgets.UserForm(svc, "u-001"), svckit.plots.rate_window(svc))
"""


@pytest.fixture(scope="module")
def executed() -> str:
    """The page of a notebook that is run as it is made, as with ``--execute``."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SHOWS)])
    with TemporaryDirectory() as folder:
        config = Config(ExecutePreprocessor={"enabled": True}, KernelManager=choose_sockets(folder))
        html, _ = StaticPage(config=config).from_notebook_node(notebook)
    return str(html)


def test_of_widgets_it_has_what_they_showed(executed: str) -> None:
    assert "hana.nakamura.001@example.com" in executed
    assert "Change user u-001" in executed
    assert "data:image/svg+xml;base64," in executed
    assert executed.count("<table") >= 2
    assert "jupyter.widget" not in executed


def test_nothing_in_it_is_elsewhere(executed: str) -> None:
    assert ASKS.findall(executed) == []


@pytest.fixture(scope="module")
def exporter() -> StaticPage:
    """An exporter, which compiles its templates once."""
    return StaticPage()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.wide] if "/" in name else []) for name in ALL]
)
def test_a_stored_notebook_is_a_page_too(exporter: StaticPage, name: str) -> None:
    html, _ = exporter.from_filename(str(NOTEBOOKS / name))
    cells = nbformat.read(NOTEBOOKS / name, as_version=4).cells
    outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", ())]
    tables = sum(output.get("text/html", "").count("<table") for output in outputs)
    assert html.count("<table") >= tables
    assert tables or "/" in name, "each tour shows a table"
    assert ASKS.findall(html) == []


def test_outputs_run_and_load_nothing(exporter: StaticPage) -> None:
    html, _ = exporter.from_notebook_node(nbformat.v4.new_notebook())
    policy = re.search(r'<meta content="([^"]*)" http-equiv="Content-Security-Policy"', html)
    assert policy is not None
    assert policy[1].startswith("default-src 'none';")
    assert "script" not in policy[1]
    assert policy.start() < html.index("<style")


def test_nbconvert_knows_it_by_its_name() -> None:
    project = tomllib.loads((NOTEBOOKS.parent / "pyproject.toml").read_text("utf-8"))["project"]
    name = project["entry-points"]["nbconvert.exporters"]["svckit-html"]
    assert get_exporter(name.replace(":", ".")) is StaticPage
