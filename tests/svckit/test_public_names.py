"""The names users type; a change here is a change for them."""

import inspect
import subprocess
import sys
from importlib.metadata import version
from typing import get_type_hints

import pytest

import svckit
from svckit.operations.methods import Group
from svckit.session.users import AsyncUsers, Users

from .command import run_command


@pytest.mark.parametrize("name", svckit.__all__)
def test_each_name_leads_somewhere(name: str) -> None:
    found = getattr(svckit, name)
    assert inspect.ismodule(found) or found.__name__ == name


def test_other_names_do_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'conect'"):
        svckit.conect  # type: ignore[attr-defined]  # noqa: B018


STATEMENTS = {
    "import svckit": "httpx pydantic pandas ipywidgets IPython fakes",
    "import svckit.cli": "httpx pydantic jinja2 pandas fakes tomllib importlib.metadata",
    "import svckit.events": "httpx pandas uvicorn",
    "svckit.connect": "pandas ipywidgets IPython fakes",
    "svckit.connect()": "pandas ipywidgets IPython rich.progress",
}
"""What each statement does not load, one after the other."""


def test_what_is_not_needed_is_not_loaded() -> None:
    program = f"import sys\nfor statement, absent in {STATEMENTS}.items():\n    exec(statement)\n"
    program += "    print([name for name in absent.split() if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]"] * len(STATEMENTS)


@pytest.mark.parametrize("port", ["0", "70000", "99999999"])
def test_a_port_that_cannot_be(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svckit.jupyter.lab.open_lab", lambda *_, **__: None)
    done = run_command("lab", "--no-browser", "--port", port)
    assert done.exit_code == 2
    assert "--port" in done.output


def test_the_signatures_are_whole() -> None:
    with svckit.connect() as svc:
        keywords = inspect.signature(svc.users.update).parameters
        assert next(iter(keywords)) == "user_id"
        assert {"nick_name", "task", "custom_properties"} <= set(keywords)
        assert inspect.signature(svc.users.update).return_annotation is svckit.models.User
        upload = inspect.signature(svckit.operations.files.upload)
        assert list(inspect.signature(svc.files.upload).parameters) == list(upload.parameters)


@pytest.mark.parametrize("kind", [Users, AsyncUsers])
def test_signatures_show_the_types_of_a_ring_without_loading_it(kind: type[Group]) -> None:
    shown = [str(inspect.signature(getattr(kind(None), name))) for name in kind.methods]
    assert "(edited: Edited, *, against: Against = 'known', workers: int | None = None) -> Changes" in shown
    assert all(get_type_hints(getattr(kind, name)) for name in ("update", "diff", "apply"))


FAKE = "from fakes import FakeService; fake = FakeService.sample(users=1); "
FRAMES = "from svckit import frames; from io import BytesIO; "


MISSING = {
    "svckit.widgets": "svckit.widgets needs ipywidgets, of the extra lab",
    "svckit.connect().explore()": "svc.explore() needs anywidget, of the extra lab",
    f"{FAKE}fake.responses()": "fake.responses() needs responses, of the extra requests",
    f"{FAKE}fake.serve()": "fake.serve() needs uvicorn, of the extra serve",
    "svckit.frames": "svckit.frames needs pandas, of the extra lab",
    "svckit.plots": "svckit.plots needs pandas, of the extra lab",
    "from svckit.operations.batch import Outcomes; Outcomes('', []).frame()": "frame() needs pandas, of the extra lab",
    "from svckit.edits import Changes; Changes().frame()": "frame() needs pandas, of the extra lab",
    "from svckit.http.trace import Trace; Trace().frame()": "svckit.frames needs pandas, of the extra lab",
    "svckit.events.receive('s').__enter__()": "svckit.events.receive needs uvicorn, of the extra serve",
    "svckit.events.Receiver('s').frame()": "svckit.frames needs pandas, of the extra lab",
    "svckit.widgets.UsersExplorer": "svckit.widgets.UsersExplorer needs pandas, of the extra lab",
    f"{FRAMES}frames.write_users([], BytesIO(), format='xlsx')": "An Excel file needs openpyxl, of the extra lab",
    f"{FRAMES}frames.read_users(BytesIO(), format='xlsx')": "An Excel file needs openpyxl, of the extra lab",
}
"""What needs which package, in an order in which nothing has loaded it before."""


def test_missing_package_is_named_with_its_extra() -> None:
    program = """
import sys, svckit
for code, words in eval(sys.stdin.read()).items():
    needed = words.partition(" needs ")[2].partition(",")[0]
    assert needed not in sys.modules, needed
    sys.modules[needed] = None
    try: exec(code)
    except ModuleNotFoundError as error: print(error)
    del sys.modules[needed]
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, input=repr(MISSING), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        f"{words}: pip install 'path/to/clone[{words.rpartition(' ')[2]}]'" for words in MISSING.values()
    ]


@pytest.mark.parametrize("module", ["frames", "lifecycle", "plots", "widgets"])
def test_tab_shows_the_names_that_are_meant(module: str) -> None:
    found = getattr(svckit, module)
    assert dir(found) == sorted(found.__all__)


def test_the_command_tells_its_version() -> None:
    done = run_command("--version")
    assert (done.exit_code, done.stdout) == (0, f"svckit {version('svckit-toolkit')}\n")
