"""Build the course as a site for JupyterLite, where a reader needs nothing but a browser.

    python3 binder/run.py --lite python -m binder.lite [--mirror URL_OR_FOLDER] [FOLDER]

The folder is `build/lite` unless another is named. Any web server can show it; it needs none of its own.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from binder.lite.index import write_index
from binder.lite.packages import add_mirrored, copy_kernel_wheels, fetch_pyodide, fetch_wheels
from binder.lite.start import BOARD, NEED_FRAMES, NEED_MORE, make_board, unlink_missing, write_start

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
EXTENSION = "@jupyterlite/pyodide-kernel-extension:kernel"
KERNEL = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
"""The kernel by its name on the site; opening a notebook that names another shows a dialog."""
AT_START = ["micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython", "svckit-toolkit"]
"""What is loaded together with Python: what the kernel itself would fetch one after another, and the project."""
MARK = "jupyter-lite.json"


def build(folder: Path, mirror: str | None) -> None:
    """Build the site in an empty folder of its own, then put it where it is wanted."""
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary)
        pyodide = source / "static" / "pyodide"  # JupyterLite looks there
        pyodide.mkdir(parents=True)
        lock = fetch_pyodide(pyodide)
        fetch_wheels(pyodide)
        copy_kernel_wheels(pyodide)
        if mirror:
            add_mirrored(pyodide, mirror, lock)
        write_index(pyodide, lock["info"])
        copy_notebooks(source / "content", has_frames=bool(mirror))
        configure(source)
        # Nothing is left of an earlier site: JupyterLite would then leave out where Pyodide is.
        shutil.rmtree(folder, ignore_errors=True)
        small = ["--apps=lab", "--no-sourcemaps", "--no-unused-shared-packages", "--no-libarchive"]
        options = ["--contents=content", f"--output-dir={folder}"]
        command = [sys.executable, "-m", "jupyterlite_core", "build", *small, *options]
        done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{done.stdout}{done.stderr}\nThe site was not built: JupyterLite failed; see above.")
        write_start(source / "content", folder)


def copy_notebooks(folder: Path, *, has_frames: bool) -> None:
    """Copy the pages, which link to each other, without those that need what the site lacks."""
    missing = NEED_MORE if has_frames else NEED_MORE + NEED_FRAMES
    shutil.copytree(NOTEBOOKS, folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints", *missing))
    unlink_missing(folder)
    (folder / BOARD).write_text(json.dumps(make_board()), "utf-8")
    for file in folder.rglob("*.ipynb"):
        notebook = json.loads(file.read_text("utf-8"))
        notebook["metadata"]["kernelspec"] = KERNEL
        file.write_text(json.dumps(notebook, ensure_ascii=False, indent=1), "utf-8")


def configure(folder: Path) -> None:
    """Write the settings of the site: nothing is fetched from elsewhere."""
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": {"packages": AT_START}}
    settings = {
        "appName": "svckit",
        "exposeAppInBrowser": True,  # as a test of the site needs it
        "litePluginSettings": {EXTENSION: kernel},
    }
    content = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
    (folder / MARK).write_text(json.dumps(content), "utf-8")


def main() -> None:
    """Read the arguments, and build."""
    parser = argparse.ArgumentParser(prog="python -m binder.lite", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "lite")
    parser.add_argument("--mirror", help="where the wheels of pandas for Pyodide are: a URL or a folder")
    given = parser.parse_args()
    folder = given.folder.resolve()
    if folder.is_dir() and not (folder / MARK).exists() and any(folder.iterdir()):
        sys.exit(f"{folder} holds other files; name a folder that is empty or has an earlier site.")
    build(folder, given.mirror)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(
        f"The site is in {folder}, {size / 2**20:.0f} MB. To look at it: {sys.executable} -m http.server -d {folder}"
    )


if __name__ == "__main__":
    main()
