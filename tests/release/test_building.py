"""What is built: a wheel with what runs, and a page for an index whose links lead somewhere."""

import shutil
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

import svckit
from svckit.jupyter.links import links_in_markdown

from ..tools import UV, run, tool

ROOT = Path(__file__).parents[2]
URL = "https://example.com/r"
PARTS = ("svckit", "fakes", "notebooks", "tests/conformance", "binder")
FILES = ("README.md", "LICENSE", "pyproject.toml", ".gitignore")
SOURCES = {"svckit/_notebooks/": "notebooks/", "svckit/_conformance/": "tests/conformance/"}
RUNS = {
    ".cjs",
    ".css",
    ".csv",
    ".html",
    ".ini",
    ".ipynb",
    ".j2",
    ".js",
    ".json",
    ".md",
    ".py",
    ".svg",
    ".toml",
    ".webp",
}

pytestmark = pytest.mark.long


def copy_checkout(folder: Path, repository: str) -> Path:
    """Copy what is built, with a repository in its settings."""
    for name in PARTS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    settings = folder / "pyproject.toml"
    lines = settings.read_text("utf-8").splitlines(keepends=True)
    [at] = [number for number, line in enumerate(lines) if line.startswith("repository = ")]
    lines[at] = f'repository = "{repository}"\n'
    settings.write_text("".join(lines), "utf-8")
    return folder


@pytest.fixture(scope="module", params=["", URL], ids=["no repository", "repository"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The repository, and the folder with the wheel and the source distribution."""
    folder = copy_checkout(tmp_path_factory.mktemp("checkout") / "a folder", request.param)
    run(UV, "build", "-q", folder)
    return request.param, folder / "dist"


def read_metadata(dist: Path) -> Message:
    """The metadata of the wheel in a folder."""
    [wheel] = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return message_from_bytes(archive.read(name))


def test_links_of_the_page_lead_to_files(built: tuple[str, Path]) -> None:
    repository, dist = built
    page = read_metadata(dist).get_payload(decode=True).decode()
    targets = links_in_markdown(page).targets
    if not repository:
        assert targets == []
        assert "](" not in page
        return
    expected = links_in_markdown((ROOT / "README.md").read_text("utf-8")).targets
    for (kind, target), (_, path) in zip(targets, expected, strict=True):
        shown = {"link": "blob", "image": "raw"}[kind]
        assert target == f"{URL}/{shown}/v{svckit.__version__}/{path}"
        assert (ROOT / path).exists()


def test_urls_of_the_project_are_those_of_the_repository(built: tuple[str, Path]) -> None:
    repository, dist = built
    urls = dict(each.split(", ") for each in read_metadata(dist).get_all("Project-URL", []))
    assert urls.keys() == ({"Changelog", "Documentation", "Issues", "Repository"} if repository else set())
    assert all(url.startswith(URL) for url in urls.values())
    for path in ("CHANGELOG.md", "notebooks"):
        assert not repository or [url for url in urls.values() if url.endswith(f"/HEAD/{path}")]


def test_an_index_takes_both_files(built: tuple[str, Path]) -> None:
    files = sorted(built[1].glob("*svckit*"))
    assert [path.suffix for path in files] == [".whl", ".gz"]
    run(*tool("twine==7.0.0", "twine", "check", "--strict", *files))


def test_the_metadata_name_what_people_look_for(built: tuple[str, Path]) -> None:
    metadata = read_metadata(built[1])
    assert (metadata["Name"], metadata["Version"]) == ("svckit-toolkit", svckit.__version__)
    assert metadata["Author"] == "svckit contributors"
    assert {"test", "docs", "all"}.isdisjoint(metadata.get_all("Provides-Extra"))


def test_the_wheel_has_what_runs_and_nothing_else(built: tuple[str, Path]) -> None:
    [wheel] = built[1].glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    sources = {name: name for name in names}
    for folder, source in SOURCES.items():
        sources |= {name: source + name.removeprefix(folder) for name in names if name.startswith(folder)}
    assert [source for source in sources.values() if not (ROOT / source).is_file()] == []
    assert {name.partition("/")[0] for name in names} == {"svckit", "fakes"}
    assert {Path(name).suffix for name in names if Path(name).name != "py.typed"} == RUNS
    tests = [name for name in names if Path(name).name.startswith(("test_", "conftest"))]
    # `svckit conformance` runs the ones, and who takes the course completes the others.
    places = {"/".join(name.split("/")[:-1]) for name in tests}
    assert places == {"svckit/_conformance", "svckit/_notebooks/course/project"}
    packages = {
        path.relative_to(ROOT).as_posix()
        for package in ("svckit", "fakes")
        for path in (ROOT / package).rglob("*")
        if path.suffix in RUNS
    }
    assert packages <= set(names)
