"""The parts of what builds the site for the browser that need no network: the lock, the mirror, and the notebooks."""

import hashlib
import json
import re
import zipfile
from pathlib import Path
from urllib.parse import unquote

import pytest

from binder.lite import __main__ as lite
from binder.lite.index import write_index
from binder.lite.packages import LOCK, add_mirrored, drop_compiled, sort_pins
from binder.lite.start import NEED_FRAMES, NEED_MORE, write_start

PYODIDE = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.2"}


def make_wheel(
    folder: Path, name: str, *metadata: str, files: tuple[str, ...] = ("__init__.py",), tag="py3-none-any"
):
    path = folder / f"{name}-1.0-{tag}.whl"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0", *metadata]
    with zipfile.ZipFile(path, "w") as wheel:
        for file in files:
            wheel.writestr(
                file if "." not in file.partition("/")[0] and "/" in file else f"{name}/{file}", ""
            )
        wheel.writestr(f"{name}-1.0.dist-info/METADATA", "\n".join(lines) + "\n\n")
    return path


def read_index(folder: Path) -> dict:
    write_index(folder, PYODIDE)
    return json.loads((folder / "pyodide-lock.json").read_text("utf-8"))


def test_the_lock_describes_each_wheel(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, "two_parts", files=("__init__.py", "other/__init__.py"))
    (package,) = read_index(tmp_path)["packages"].values()
    assert (package["name"], package["version"]) == ("two-parts", "1.0")
    assert package["imports"] == ["other", "two_parts"]
    assert package["file_name"] == wheel.name
    assert package["sha256"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert read_index(tmp_path)["info"] == PYODIDE


def test_dependencies_in_a_browser(tmp_path: Path) -> None:
    make_wheel(
        tmp_path,
        "first",
        "Requires-Dist: second>=1",
        "Requires-Dist: third; sys_platform == 'emscripten'",
        "Requires-Dist: fourth; sys_platform == 'win32'",
        "Requires-Dist: fifth; python_version < '3.14'",
        "Requires-Dist: absent",
    )
    # A circle by way of an extra would make Pyodide wait for ever.
    make_wheel(tmp_path, "second", "Provides-Extra: all", "Requires-Dist: first; extra == 'all'")
    for name in ("third", "fourth", "fifth"):
        make_wheel(tmp_path, name)
    packages = read_index(tmp_path)["packages"]
    assert packages["first"]["depends"] == ["second", "third"]
    assert packages["second"]["depends"] == []


def test_extras_are_dependencies(tmp_path: Path) -> None:
    make_wheel(
        tmp_path,
        "svckit-toolkit",
        "Provides-Extra: lab",
        "Provides-Extra: all",
        "Requires-Dist: httpx",
        "Requires-Dist: pandas; extra == 'lab'",
        "Requires-Dist: svckit-toolkit[lab]; extra == 'all'",
    )
    for name in ("httpx", "pandas"):
        make_wheel(tmp_path, name)
    assert read_index(tmp_path)["packages"]["svckit-toolkit"]["depends"] == ["httpx", "pandas"]


def test_wheel_without_compiled_modules(tmp_path: Path) -> None:
    compiled = make_wheel(
        tmp_path, "safe", files=("__init__.py", "_native.py", "_speedups.so"), tag="cp314-cp314-linux_x86_64"
    )
    drop_compiled(compiled)
    (pure,) = tmp_path.glob("*.whl")
    assert pure.name == "safe-1.0-py3-none-any.whl"
    with zipfile.ZipFile(pure) as wheel:
        assert {"safe/__init__.py", "safe/_native.py"} < set(wheel.namelist())
        assert not any(name.endswith(".so") for name in wheel.namelist())
        assert b"Tag: py3-none-any" in wheel.read("safe-1.0.dist-info/WHEEL")


def test_pins_are_fetched_with_hashes() -> None:
    pins = dict(sort_pins())
    assert [pin.partition("==")[0] for pin in pins.pop("manylinux2014_x86_64")] == ["markupsafe"]
    (others,) = pins.values()
    assert len(others) + 1 == LOCK.read_text("utf-8").count("==")
    assert all(" --hash=sha256:" in pin for pin in others)


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    folder = tmp_path / "mirror"
    folder.mkdir()
    (folder / "pandas.whl").write_bytes(b"pandas")
    (folder / "numpy.whl").write_bytes(b"numpy")
    return folder


def describe(name: str, *depends: str) -> dict:
    return {
        "file_name": f"{name}.whl",
        "sha256": hashlib.sha256(name.encode()).hexdigest(),
        "depends": list(depends),
    }


MIRRORED = {"packages": {"pandas": describe("pandas", "numpy"), "numpy": describe("numpy", "numpy")}}


@pytest.mark.parametrize("form", [str, Path.as_uri])
def test_mirror_adds_pandas(tmp_path: Path, mirror: Path, form) -> None:
    target = tmp_path / "target"
    target.mkdir()
    add_mirrored(target, form(mirror), MIRRORED)
    assert sorted(path.name for path in target.iterdir()) == ["numpy.whl", "pandas.whl"]


@pytest.mark.parametrize("form", [str, Path.as_uri])
def test_incomplete_mirror_is_named(tmp_path: Path, mirror: Path, form) -> None:
    (mirror / "numpy.whl").unlink()
    with pytest.raises(SystemExit, match=r"mirror .*mirror does not have numpy\.whl"):
        add_mirrored(tmp_path, form(mirror), MIRRORED)


def test_mirror_of_another_file_is_refused(tmp_path: Path, mirror: Path) -> None:
    (mirror / "numpy.whl").write_bytes(b"other")
    with pytest.raises(SystemExit, match=r"numpy\.whl .* is not the one that pyodide@"):
        add_mirrored(tmp_path, str(mirror), MIRRORED)
    assert not (tmp_path / "numpy.whl").exists()


@pytest.mark.parametrize(("has_frames", "more"), [(False, set()), (True, set(NEED_FRAMES))])
def test_pages_to_leave_out(has_frames: bool, more: set[str], tmp_path: Path) -> None:
    lite.copy_notebooks(site := tmp_path / "site", has_frames=has_frames)
    every = {path.name for path in lite.NOTEBOOKS.rglob("*")}
    assert {*NEED_MORE, *NEED_FRAMES} <= every
    copied = {path.name for path in site.rglob("*")}
    assert copied & {*NEED_MORE, *NEED_FRAMES} == more
    lessons = sorted(path.name for path in (site / "course").glob("*.ipynb"))
    assert [name[:2] for name in lessons if name[:1] == "1"] == (["10", "11", "12"] if more else ["10", "11"])
    kernels = [
        json.loads(path.read_text("utf-8"))["metadata"]["kernelspec"] for path in site.rglob("*.ipynb")
    ]
    assert {kernel["name"] for kernel in kernels} == {"python"}


def test_every_link_leads_to_a_page(tmp_path: Path) -> None:
    lite.copy_notebooks(site := tmp_path / "site", has_frames=False)
    write_start(site, site)
    broken = [
        (file.name, target)
        for file in site.rglob("*")
        if file.suffix in {".md", ".ipynb"}
        for target in re.findall(r"\]\((?!\w+:|#)([^)#\s]+)", file.read_text("utf-8"))
        if not (file.parent / target).exists()
    ]
    assert broken == []
    start = (site / "index.html").read_text("utf-8")
    paths = [unquote(path) for path in re.findall(r'href="lab/index\.html\?path=([^"]+)"', start)]
    assert [path for path in paths if not (site / path).exists()] == []
    assert {site / path for path in paths} == set(site.rglob("*.ipynb"))
    assert paths[0] == "course/00-look-around.ipynb"
    assert "00 Look around</a> <small>15 minutes</small>" in start
    assert "://" not in start  # nothing comes from elsewhere


def test_foreign_folder_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "thesis.txt").touch()
    monkeypatch.setattr("sys.argv", ["lite", str(tmp_path)])
    with pytest.raises(SystemExit, match="holds other files"):
        lite.main()
    assert (tmp_path / "thesis.txt").exists()
