"""The architecture as a test: imports point down only, never in a circle, and no file grows out of hand."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .imports import PACKAGES, Import, cycles, imports, modules

ROOT = Path(__file__).parents[2]

# From top to bottom. A name stands for the module and, if it is a package, for all that is in it and has no
# name of its own here. A module
# imports from layers below its own, and from its own layer as long as there is no circle.
LAYERS = {
    "svckit": [
        ("svckit.__main__",),
        ("svckit.cli", "svckit.pytest_plugin"),
        ("svckit.notebook_check",),
        ("svckit.notebook_storing",),
        ("svckit.lab", "svckit.static_page"),
        ("svckit.notebook_bar", "svckit.notebook_replay", "svckit.notebook_saving"),
        ("svckit.jupyter",),
        ("svckit.notebook_shortfall", "svckit.secret_scanning"),
        ("svckit.widgets",),
        ("svckit.connection",),
        ("svckit.account", "svckit.profile_report"),
        ("svckit.session", "svckit.async_session"),
        ("svckit.session_base", "svckit.files", "svckit.users", "svckit.client_httpx"),
        ("svckit.driver", "svckit.driver_httpx", "svckit.retrying"),
        ("svckit.trace", "svckit.explanation"),
        ("svckit.shown",),
        ("svckit.sending",),
        ("svckit.sign_in",),
        ("svckit.events",),
        ("svckit.frames",),  # the facade, and df.svc; what they are made of stands below
        ("svckit.operations", "svckit.edits"),
        ("svckit.plots",),
        (
            "svckit.frames.arrow",
            "svckit.frames.cells",
            "svckit.frames.columns",
            "svckit.frames.exchanges",
            "svckit.frames.lifecycle",
            "svckit.frames.origin",
            "svckit.frames.rules",
            "svckit.frames.source",
            "svckit.frames.spreadsheets",
            "svckit.frames.statuses",
            "svckit.frames.user_lists",
            "svckit.frames.users",
        ),
        ("svckit.places", "svckit.lifecycle", "svckit.lifecycle_scan", "svckit.batch"),
        ("svckit.source_texts",),
        ("svckit.code_strings", "svckit.shell_commands"),
        ("svckit.constant_folding",),
        ("svckit.secret_sources",),
        ("svckit.kept_tokens",),
        ("svckit.keyring_store", "svckit.configuration"),
        ("svckit.profiles", "svckit.credentials"),
        ("svckit.rate_gauge", "svckit.refusals", "svckit.http"),
        ("svckit.models",),
        ("svckit.wire", "svckit.records", "svckit.inner_frames"),
        (
            "svckit.errors",
            "svckit.card",
            "svckit.clock",
            "svckit.nearest",
            "svckit.sequence_diagram",
            "svckit.progress",
            "svckit.carried_notebooks",
            "svckit.file_names",
            "svckit.whole_file",
        ),
        ("svckit.models.terminal",),
    ],
    "fakes": [
        ("fakes.pytest_plugin",),
        ("fakes.testing",),
        ("fakes.sweeping",),
        ("fakes.serving",),
        ("fakes.service",),
        ("fakes.doors",),
        ("fakes.state_file",),
        ("fakes.state_rows",),
        ("fakes.store",),
        ("fakes.engine",),
        ("fakes.dispatch",),
        ("fakes.openapi",),
        ("fakes.routes",),
        ("fakes.admin_routes",),
        ("fakes.handlers",),
        ("fakes.diagnostics",),
        ("fakes.routing",),
        ("fakes.call",),
        ("fakes.facts",),
        ("fakes.snapshot",),
        ("fakes.sample",),
        ("fakes.state",),
        ("fakes.logs",),
        ("fakes.parts",),
        (
            "fakes.addresses",
            "fakes.cards",
            "fakes.clock",
            "fakes.content",
            "fakes.dialects",
            "fakes.exchange",
            "fakes.faults",
            "fakes.group_commit",
            "fakes.ids",
            "fakes.injection",
            "fakes.journal",
            "fakes.json_text",
            "fakes.multipart",
            "fakes.nearest",
            "fakes.population",
            "fakes.receivers",
            "fakes.refusals",
            "fakes.rulebook",
            "fakes.rules",
            "fakes.saved",
            "fakes.screens",
            "fakes.settings",
            "fakes.unpicklable",
        ),
    ],
}
FAKES_MAY_IMPORT = "svckit.models"
MAY_IMPORT_FAKES = {  # module and function
    ("svckit.connection", "_new_fake"),
    ("svckit.cli.serve", "serve"),  # what it serves is the fake
    ("svckit.cli.serve", "assumable"),  # and what it can be asked to assume
    ("svckit.cli.openapi", "openapi"),  # what it writes down is the fake
}
MAY_IMPORT_UPWARDS = {  # module, function and what it imports
    # Widgets show sessions, and ``svc.explore()`` is where people look for them.
    ("svckit.session", "explore", "svckit.widgets"),
}
NOT_WITH_SVCKIT = re.compile(r"pandas|ipywidgets|anywidget|jupyter|IPython")
MEANINGLESS_NAMES = {"util", "utils", "helper", "helpers", "misc", "manager", "common"}
LONGEST_FILE = 400

MODULES = modules(ROOT)
IMPORTS = imports(MODULES)


def is_within(module: str, name: str) -> bool:
    return module == name or module.startswith(f"{name}.")


def layer(module: str) -> int:
    """The number of a module's layer, from the top; a package's facade stands above them all."""
    if module in PACKAGES:
        return -1
    found = [
        (len(name), number)
        for number, names in enumerate(LAYERS[module.partition(".")[0]])
        for name in names
        if is_within(module, name)
    ]
    if not found:
        pytest.fail(f"{module} has no layer yet: add it to LAYERS in {Path(__file__).name}")
    return max(found)[1]


def crosses(found: Import) -> bool:
    return found.importer.partition(".")[0] != found.imported.partition(".")[0]


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_a_layer(module: str) -> None:
    layer(module)


def test_imports_point_down_only() -> None:
    upwards = [
        str(found)
        for found in IMPORTS
        if not crosses(found)
        and layer(found.importer) > layer(found.imported)
        and (found.importer, found.function, found.imported) not in MAY_IMPORT_UPWARDS
    ]
    assert upwards == []


def test_fakes_know_only_the_vocabulary_of_svckit() -> None:
    assert [
        str(found)
        for found in IMPORTS
        if found.importer.startswith("fakes")
        and crosses(found)
        and not is_within(found.imported, FAKES_MAY_IMPORT)
    ] == []


def test_svckit_meets_fakes_in_connect_and_serve_only() -> None:
    assert [
        str(found)
        for found in IMPORTS
        if found.importer.startswith("svckit")
        and crosses(found)
        and (found.importer, found.function) not in MAY_IMPORT_FAKES
    ] == []


def test_no_module_imports_in_a_circle() -> None:
    assert cycles((found.importer, found.imported) for found in IMPORTS if not found.function) == []


@pytest.mark.parametrize("module", MODULES)
def test_every_file_is_short_and_named_for_what_it_is(module: str) -> None:
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
    assert not MEANINGLESS_NAMES.intersection(module.split("."))


@pytest.mark.parametrize("package", PACKAGES)
def test_types_are_shipped(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


def test_importing_svckit_is_light() -> None:
    command = [sys.executable, "-X", "importtime", "-c", "import svckit"]
    timed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stderr
    names = [line.rpartition("|")[2].strip() for line in timed.splitlines()]
    assert "svckit" in names
    assert [name for name in names if NOT_WITH_SVCKIT.match(name)] == []
