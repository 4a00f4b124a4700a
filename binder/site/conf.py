"""Sphinx's settings for the site; its source is the repository itself, so links between files work on both."""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import svckit  # noqa: E402 - found by the path above
from binder.site import pages  # noqa: E402 - the same

# A speech bubble. Sphinx takes it for a URL, so there is no file.
FAVICON = (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>"
    "<path fill='%231f5fbf' d='M2 2h12v9H8l-4 4v-4H2z'/></svg>"
)

project = "svckit"
release = version = svckit.__version__
copyright = "the svckit contributors"  # noqa: A001 - Sphinx's name
language = "en"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

root_doc = "README"
include_patterns = ["*.md", "notebooks/**", "binder/site/api/*.rst"]
exclude_patterns = ["**.ipynb_checkpoints"]
highlight_language = "default"  # nothing is said of a block that is not Python
default_role = "py:obj"
nitpicky = True
nitpick_ignore_regex = pages.NOT_LINKED

nb_execution_mode = "off"  # the outputs are those that are stored, and tested
nb_ipywidgets_js = {}  # the static rendering of a widget needs no scripts
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", -1)]
suppress_warnings = ["mystnb.unknown_mime_type"]  # a diagram is also shown as text
myst_heading_anchors = 4
myst_enable_extensions = []

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
python_use_unqualified_type_names = True
napoleon_use_ivar = True
napoleon_numpy_docstring = False
napoleon_custom_sections = [("Columns", "params_style")]

html_theme = "furo"
text_sectionchars = "=-~^"  # a program reads the first two as headings of Markdown
html_title = "svckit"
html_favicon = FAVICON
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_context = {
    "repository": tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["svckit"]["repository"],
    "browser": "",  # the URL of the build for the browser: `--browser`
}
html_sourcelink_suffix = ""
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": [], "footer_icons": []}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

setup = pages.setup
