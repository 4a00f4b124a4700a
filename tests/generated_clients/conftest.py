"""Clients that are generated from the OpenAPI document, and the served fake they are run against."""

import shutil
import sys

import pytest

from ..svckit.cli.serving import serving
from .environment import HERE, ROOT, Environment, run
from .service import Service

collect_ignore = ["program.py", "others"]  # which import what is generated

NOW = "2026-06-01T09:00:00+09:00"


@pytest.fixture(scope="session")
def environment(request):
    """The generators; they stay in pytest's cache."""
    return Environment(request.config.cache.mkdir("generated-clients"))


@pytest.fixture(scope="session")
def document(tmp_path_factory):
    """The path of what `svckit openapi` writes."""
    path = tmp_path_factory.mktemp("document") / "api.json"
    run([sys.executable, "-m", "svckit", "openapi", "--out", path], cwd=ROOT)
    return path


@pytest.fixture(scope="session")
def python_client(environment, document, tmp_path_factory):
    """A folder with the package `service_client`, and the program that uses it."""
    folder = tmp_path_factory.mktemp("python")
    options = ["--fail-on-warning", "--meta", "none", "--output-path", folder / "service_client"]
    environment.python("-m", "openapi_python_client", "generate", "--path", document, *options, cwd=folder)
    shutil.copy(HERE / "program.py", folder)
    return folder


@pytest.fixture(scope="session")
def typescript_client(environment, document):
    """The environment, with `service.ts` and the program that uses it in Node's folder."""
    generator = "node_modules/openapi-typescript/bin/cli.js"
    environment.node(generator, document, "--output", "service.ts")
    for name in ("program.ts", "tsconfig.json"):
        shutil.copy(HERE / name, environment.node_folder)
    return environment


@pytest.fixture
def service():
    """A served fake, and what a program is told of it."""
    with serving("--now", NOW) as running:
        yield Service(running)
