"""The law of imports: a core, rings around it, and entry points that put them together.

The contracts in `pyproject.toml` say which module may import which. What they cannot say is here: that the core imports
a ring only inside certain functions, what a start loads, and that each ring can be deleted.
"""

import ast
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from grimp import ImportGraph, build_graph
from importlinter.api import read_configuration

ROOT = Path(__file__).parents[2]
PACKAGES = ("svckit", "fakes")
CONTRACTS = read_configuration(str(ROOT / "pyproject.toml"))["contracts_options"]
ENTRY_POINTS = {"svckit.__main__", "svckit.pytest_plugin", "svckit.fakes_plugin", "fakes.serving"}
RINGS = {name for each in CONTRACTS for name in each.get("protected_modules", ())} - ENTRY_POINTS
OUTSIDE = {
    f"{package}.{name}"
    for each in CONTRACTS
    for package in each.get("containers", ())
    for name in each.get("exhaustive_ignores", ())
}
IMPORTING_RINGS = {  # the core, module by module: the functions that import a ring
    "svckit.events.inbox": {"frame"},
    "svckit.http.trace": {"frame"},
    "svckit.session.session": {"explore"},  # where people look for the widgets
    "svckit.session.users": {"apply", "diff"},
    "fakes.engine.engine": {"admin_openapi", "openapi"},
}
START = """
import sys, svckit
print(*filter(sys.modules.get, sys.modules))
svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
svc.users.update("u-001", nick_name="Mina")
print(*filter(sys.modules.get, sys.modules))
"""
WITHOUT_PANDAS = """
import sys, svckit
from svckit import widgets
svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
opened = [widgets.UserForm(svc, "u-001"), widgets.StatusForm(svc, "u-001"), widgets.RecordView()]
opened += [
    getattr(widgets, f"{name}Explorer")(svc)
    for name in ("Fake", "Files", "Inbox", "Notifications", "SignIn", "Time", "Traffic")  # the others have tables
]
shown = [svc.users.read("u-001")._repr_html_(), *(each.to_html() for each in opened)]
print("pandas" in sys.modules, widgets.PagedTable.__name__, "pandas" in sys.modules)
"""
LATE = {  # what a call through the fake does without; each takes a start a hundredth or more
    "asyncio",
    "fakes.handlers.admin_routes",
    "jinja2",
    "rich",
    "svckit.http.python_calls",
    "svckit.session.aio",
    "tomllib",
}
OF_THE_DOCUMENTS = (  # tests of the core that read the OpenAPI documents, which are a ring
    "handlers/test_notifications.py::test_openapi_has_the_headers_of_refusals",
    "http/test_base_urls.py::test_facts_sessions_and_documents_follow",
    "http/test_hosts.py::test_no_response_depends_on_the_host",  # the documents are among the responses it compares
    "parts/test_header_word.py::test_the_documents_name_the_headers_with_the_word",
    "rulebook/test_choosing_deviations.py::test_the_openapi_document_names_the_chosen_ones",
)
NOTEBOOK = ("IPython", "anywidget", "ipywidgets", "jupyter", "pandas")
LINT = "import importlinter.cli as linter; raise SystemExit(linter.lint_imports(no_cache=True, no_logo=True))"
IMPORT_ALL = "import sys; [*map(__import__, sys.stdin.read().split())]"

Imports = list[tuple[str, str | None, str]]
"""Imports of ours: the module, the outermost function it happens in, if any, and what is imported."""


def run(*arguments: str, folder: Path = ROOT, given: str = "") -> str:
    """Run Python with the packages of a folder, and return its output."""
    done = subprocess.run(
        [sys.executable, *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
    )
    assert done.returncode == 0, f"{done.stdout[-5000:]}\n{done.stderr[-5000:]}"
    return done.stdout


def is_within(module: str, names: Iterable[str]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in names)


@cache
def functions(module: str) -> list[tuple[range, str]]:
    """Return the lines and the names of a module's functions, outer ones first."""
    path = ROOT.joinpath(*module.split("."))
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return [
        (range(node.lineno, node.end_lineno + 1), node.name)
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def find_function(module: str, line: int) -> str | None:
    return next((name for lines, name in functions(module) if line in lines), None)


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    return build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)


@pytest.fixture(scope="module")
def imports(graph: ImportGraph) -> Imports:
    return [
        (module, find_function(module, each["line_number"]), imported)
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
        for each in graph.get_import_details(importer=module, imported=imported)
    ]


def test_the_contracts_are_kept() -> None:
    """In a process of its own, as the linter configures logging."""
    run("-c", LINT)


def test_the_picture_shows_every_folder_and_entry_point() -> None:
    picture = (ROOT / "notebooks/explain/data/architecture.svg").read_text("utf-8")
    folders = [path.parent for package in PACKAGES for path in ROOT.glob(f"{package}/*/__init__.py")]
    assert folders
    assert [folder for folder in folders if f"{folder.name}/" not in picture] == []
    assert [name for name in ENTRY_POINTS if f">{name.replace('.', '/')}<" not in picture] == []


def test_all_else_is_a_ring_or_entry_point() -> None:
    assert OUTSIDE == RINGS | ENTRY_POINTS


def test_where_the_core_imports_rings(imports: Imports) -> None:
    found = defaultdict(set)
    for module, function, imported in imports:
        if is_within(imported, RINGS) and not is_within(module, OUTSIDE):
            found[module].add(function)
    assert found == IMPORTING_RINGS


def test_where_svckit_imports_fakes(imports: Imports) -> None:
    """But for its course, whose exercises are about the fake."""
    assert [
        f"{module} imports {imported}"
        for module, function, imported in imports
        if is_within(module, ["svckit"]) and is_within(imported, ["fakes"])
        if function is None and not is_within(module, ["svckit.course"])
    ] == []


def test_no_module_imports_in_a_circle(imports: Imports) -> None:
    below = defaultdict(set)
    for module, function, imported in imports:
        if function is None:
            below[module].add(imported)
    TopologicalSorter(below).prepare()  # raises CycleError, which names them


def test_a_start_loads_no_ring() -> None:
    """And the package alone does not load httpx either."""
    bare, started = map(str.split, run("-c", START).splitlines())
    assert [each for each in bare if each.startswith(("httpx", *NOTEBOOK))] == []
    assert [each for each in started if each.startswith(NOTEBOOK) or is_within(each, {*OUTSIDE, *LATE})] == []


def test_only_tables_load_pandas() -> None:
    assert run("-c", WITHOUT_PANDAS) == "False PagedTable True\n"


def find_broken(ring: str, imports: Imports) -> set[str]:
    """Return the modules that cannot be imported without a ring."""
    broken, found = {ring}, True
    while found:
        found = {
            module
            for module, function, imported in imports
            if function is None and is_within(imported, broken) and not is_within(module, broken)
        }
        broken |= found
    return broken


def copy_without(rings: Iterable[str], folder: Path, *names: str) -> None:
    """Copy packages and tests into a folder, with the notebooks where a wheel has them, and delete rings there."""
    for name in (*PACKAGES, *names):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "notebooks", folder / "svckit" / "_notebooks")
    for ring in rings:
        path = folder.joinpath(*ring.split("."))
        shutil.rmtree(path) if path.is_dir() else path.with_suffix(".py").unlink()


@pytest.mark.long
@pytest.mark.parametrize("ring", sorted(RINGS))
def test_each_ring_can_be_deleted(ring: str, graph: ImportGraph, imports: Imports, tmp_path: Path) -> None:
    broken = find_broken(ring, imports)
    assert [each for each in broken if not is_within(each, OUTSIDE)] == []
    copy_without([ring], tmp_path)
    others = [each for each in graph.modules if not is_within(each, {*broken, "svckit.__main__"})]
    run("-c", IMPORT_ALL, folder=tmp_path, given="\n".join(others))


@pytest.mark.long
def test_core_passes_without_any_ring(tmp_path: Path) -> None:
    """Except the tests that read the OpenAPI documents."""
    copy_without(OUTSIDE, tmp_path, "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    tests = [
        f"tests/{package}/{name}"
        for each in CONTRACTS
        if "exhaustive_ignores" in each
        for package in each["containers"]
        for layer in each["layers"]
        for name in layer.split(" | ")
        if (ROOT / "tests" / package / name).is_dir()
    ]
    without = [f"-pno:{plugin}" for plugin in ("nbval", "svckit", "svckit-session", "cacheprovider")]
    options = [
        "--quiet",
        f"--numprocesses={min(4, os.cpu_count() or 1)}",
        *(f"--deselect=tests/fakes/{name}" for name in OF_THE_DOCUMENTS),
    ]
    run("-m", "pytest", *without, *options, *tests, folder=tmp_path)


@pytest.mark.long
def test_each_module_can_come_first(graph: ImportGraph) -> None:
    """Also where what it imports imports it in turn, as frames and their accessor do."""
    failed = []
    for module in sorted(graph.modules):
        command = [sys.executable, "-c", f"import {module}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        if done.returncode and not module.endswith("__main__"):
            failed.append(f"{module}: {done.stderr.splitlines()[-1]}")
    assert failed == []
