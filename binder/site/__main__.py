"""Build the site into a folder, `build/site` unless another is named; any warning of Sphinx is an error."""

import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import main

SITE = Path(__file__).resolve().parent
ROOT = SITE.parents[1]

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "site").resolve()
if folder.is_dir() and not (folder / ".buildinfo").exists() and any(folder.iterdir()):
    sys.exit(f"{folder} holds other files; name a folder that is empty or has an earlier site.")
shutil.rmtree(folder, ignore_errors=True)  # a page that is gone leaves no file
doctrees = folder.with_name(f"{folder.name}.doctrees")
options = ["-q", "-E", "-W", "--keep-going", "-c", str(SITE), "-d", str(doctrees)]
failed = main([*options, str(ROOT), str(folder)])
shutil.rmtree(doctrees, ignore_errors=True)
print(
    "The site was not built; see above."
    if failed
    else f"The site is in {folder}: open {folder / 'index.html'}"
)
sys.exit(failed)
