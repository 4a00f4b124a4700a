"""Build the site into a folder, `build/site` unless another is named; any warning of Sphinx is an error."""

import argparse
import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import main

from binder.site.markdown import write_markdown
from binder.site.menu import list_groups

SITE = Path(__file__).resolve().parent
ROOT = SITE.parents[1]

parser = argparse.ArgumentParser(prog="python -m binder.site", description=__doc__)
parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "site")
parser.add_argument(
    "--browser", default="", help="the URL of the build for the browser (binder.lite), to link to"
)
given = parser.parse_args()
folder = given.folder.resolve()
if folder.is_dir() and not (folder / ".buildinfo").exists() and any(folder.iterdir()):
    sys.exit(f"{folder} holds other files; name a folder that is empty or has an earlier site.")
shutil.rmtree(folder, ignore_errors=True)  # a page that is gone leaves no file
doctrees, text = folder.with_name(f"{folder.name}.doctrees"), folder.with_name(f"{folder.name}.text")
options = ["-q", "-W", "--keep-going", "-c", str(SITE), "-d", str(doctrees)]
browser = f"html_context.browser={given.browser.rstrip('/')}"
failed = main([*options, "-E", "-D", browser, str(ROOT), str(folder)])
if not failed:  # what the docstrings say, as text; all else is written as Markdown already
    names = [str(page) for page in (SITE / "api").glob("*.rst")]
    failed = main([*options, "-b", "text", "-D", browser, str(ROOT), str(text), *names])
if not failed:
    write_markdown(folder, text, list_groups())
shutil.rmtree(doctrees, ignore_errors=True)
shutil.rmtree(text, ignore_errors=True)
print(
    "The site was not built; see above."
    if failed
    else f"The site is in {folder}: open {folder / 'index.html'}"
)
sys.exit(failed)
