"""The architecture as a test: imports point down only, never in a circle, and no file grows out of hand."""

import re
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from .imports import PACKAGES, Import, cycles, imports, modules

ROOT = Path(__file__).parents[2]

# From top to bottom. A name is a folder, or a module at the root of its package. A folder imports from those below it.
LAYERS = {
    "svckit": [
        {"__main__"},
        {"cli"},
        {"course"},
        {"jupyter", "pytest_plugin", "widgets"},
        {"widgets.explorers"},
        {"widgets.form", "widgets.record", "widgets.table"},
        {"widgets.base"},
        {"session"},
        {"edits", "events", "sign_in"},
        {"plots"},
        {"frames"},
        {"lifecycle", "operations"},
        {"retirements"},
        {"http"},
        {"places", "profiles"},
        {"models", "tracebacks"},
        {"errors"},
        {"addresses", "display", "extras", "local_files"},
    ],
    "fakes": [
        {"pytest_plugin"},
        {"testing"},
        {"lessons", "observing", "serving", "sweeping"},
        {"worlds"},
        {"service"},
        {"doors"},
        {"store"},
        {"engine"},
        {"openapi"},
        {"handlers"},
        {"parts"},
        {"data", "faults", "stubs"},
        {"clock", "rulebook"},
        {"persistence"},
        {"http"},
    ],
}
FAKES_MAY_IMPORT = ("svckit.display", "svckit.extras", "svckit.models")
MAY_IMPORT_FAKES = {  # module and function
    ("svckit.session.connect", "_new_fake"),
    ("svckit.cli.serve", "serve"),  # what it serves is the fake
    ("svckit.cli.serve_host", "check_layout"),  # where it can be served
    ("svckit.cli.serve", "read_data"),
    ("svckit.cli.serve", "complete_assumption"),  # and what it can be asked to assume
    ("svckit.cli.serve", "complete_deviation"),  # or to depart from
    ("svckit.cli.observe", "observe"),  # what it compares traffic with is the fake
    ("svckit.cli.openapi", "openapi"),  # what it writes down is the fake
}
MAY_IMPORT_UPWARDS = {  # module, function and what it imports
    # Widgets show sessions, and ``svc.explore()`` is where people look for them.
    ("svckit.session.session", "explore", "svckit.widgets"),
    # ``df.svc`` edits frames, and is there wherever frames are.
    ("svckit.frames", None, "svckit.edits.accessor"),
}
NOT_WITH_SVCKIT = re.compile(r"pandas|ipywidgets|anywidget|jupyter|IPython")
WITHOUT_PANDAS = """
import sys, svckit
from svckit import widgets
svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
opened = [widgets.UserForm(svc, "u-001"), widgets.StatusForm(svc, "u-001"), widgets.RecordView()]
opened += [
    getattr(widgets, f"{name}Explorer")(svc)
    for name in ("Fake", "Files", "Inbox", "Notifications", "SignIn", "Time", "Traffic")
]
shown = [svc.users.read("u-001")._repr_html_(), *(each.to_html() for each in opened)]
print("pandas" in sys.modules, widgets.PagedTable.__name__, "pandas" in sys.modules)
"""
MEANINGLESS_NAMES = {"util", "utils", "helper", "helpers", "misc", "manager", "common"}
LONGEST_FILE = 400  # lines
CODE = {".css", ".html", ".js", ".py"}
MOST_FILES = 40

MODULES = modules(ROOT)
IMPORTS = imports(MODULES)


def is_within(module: str, name: str) -> bool:
    return module == name or module.startswith(f"{name}.")


def folder(module: str) -> str:
    """Return the name that a module has in LAYERS: its folder's, or its own at the root of its package."""
    package, _, rest = module.partition(".")
    names = [name for names in LAYERS[package] for name in names if is_within(rest, name)]
    if not names:
        pytest.fail(f"{module} is in no layer: put it into a folder, or a new folder into LAYERS")
    return max(names, key=len)


def layer(module: str) -> int:
    """Return the number of a module's layer, from the top; a package's facade stands above them all."""
    package = module.partition(".")[0]
    if module in PACKAGES:
        return -1
    return next(number for number, names in enumerate(LAYERS[package]) if folder(module) in names)


def crosses(found: Import) -> bool:
    return found.importer.partition(".")[0] != found.imported.partition(".")[0]


def test_every_module_has_a_layer() -> None:
    assert {-1} <= {layer(module) for module in MODULES}


def test_imports_point_down_only() -> None:
    assert [
        str(found)
        for found in IMPORTS
        if not crosses(found)
        and layer(found.importer) >= layer(found.imported)
        and not (found.importer not in PACKAGES and folder(found.importer) == folder(found.imported))
        and (found.importer, found.function, found.imported) not in MAY_IMPORT_UPWARDS
    ] == []


def test_nothing_new_at_the_root_of_a_package() -> None:
    for package, most in (("svckit", 10), ("fakes", 8)):
        at_root = {path.stem for path in (ROOT / package).glob("*.py")} - {"__init__"}
        assert len(at_root) < most
        assert at_root <= set().union(*LAYERS[package])


def test_no_folder_has_more_files_than_one_can_look_through() -> None:
    counts = Counter(path.parent for path in MODULES.values())
    assert {str(path): count for path, count in counts.items() if count > MOST_FILES} == {}


def test_no_module_has_a_public_name_of_its_package() -> None:
    for module, path in MODULES.items():
        if path.name == "__init__.py":
            package = import_module(module)
            inside = {each.stem for each in path.parent.iterdir()}
            taken = inside.intersection(getattr(package, "__all__", ()))
            assert [name for name in taken if not isinstance(getattr(package, name), ModuleType)] == [], (
                module
            )


def test_fakes_know_only_the_vocabulary_of_svckit() -> None:
    assert [
        str(found)
        for found in IMPORTS
        if found.importer.startswith("fakes")
        and crosses(found)
        and not any(is_within(found.imported, name) for name in FAKES_MAY_IMPORT)
    ] == []


def test_svckit_meets_fakes_in_connect_and_serve_only() -> None:
    assert [
        str(found)
        for found in IMPORTS
        if found.importer.startswith("svckit")
        and crosses(found)
        and (found.importer, found.function) not in MAY_IMPORT_FAKES
        and not is_within(found.importer, "svckit.course")  # exercises are about the fake
    ] == []


def test_no_module_imports_in_a_circle() -> None:
    assert cycles((found.importer, found.imported) for found in IMPORTS if not found.function) == []


def test_every_file_is_short_and_named_for_what_it_is() -> None:
    files = [
        path for root in (*PACKAGES, "tests") for path in (ROOT / root).rglob("*") if path.suffix in CODE
    ]
    lines = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in files
    }
    assert {name: count for name, count in lines.items() if count > LONGEST_FILE} == {}
    for module in MODULES:
        assert not MEANINGLESS_NAMES.intersection(module.split(".")), module


@pytest.mark.parametrize("package", PACKAGES)
def test_types_are_shipped(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


def test_importing_svckit_is_light() -> None:
    command = [sys.executable, "-X", "importtime", "-c", "import svckit"]
    timed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stderr
    names = [line.rpartition("|")[2].strip() for line in timed.splitlines()]
    assert "svckit" in names
    assert [name for name in names if NOT_WITH_SVCKIT.match(name)] == []


def test_only_tables_load_pandas() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PANDAS], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout == "False PagedTable True\n"


@pytest.mark.long
def test_each_module_can_be_imported_first() -> None:
    """Also where what it imports imports it in turn, as frames and their accessor do."""
    failed = []
    for module in MODULES:
        command = [sys.executable, "-c", f"import {module}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        if done.returncode and not module.endswith("__main__"):
            failed.append(f"{module}: {done.stderr.splitlines()[-1]}")
    assert failed == []
