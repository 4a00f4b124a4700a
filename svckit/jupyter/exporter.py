"""Notebooks as pages that are read without a kernel and without a network: what nbconvert calls ``svckit-html``.

nbconvert's own HTML takes scripts from servers elsewhere, and shows nothing of a widget without them.
"""

from pathlib import Path

from nbconvert.exporters import HTMLExporter
from traitlets import default
from traitlets.config import Config

__all__ = ["StaticPage"]

TEMPLATES = Path(__file__).parent / "nbconvert" / "templates"
SHOWN = ("text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/plain")
"""What an output is shown as, the best first: no live views of widgets, and nothing that takes a script."""


class StaticPage(HTMLExporter):
    """One file with all that a notebook shows: tables, plots and pictures, and of widgets their static faces.

    A browser that shows it asks no server for anything and runs no script. Formulas and Mermaid diagrams stay as they
    are written. In a shell::

        jupyter nbconvert --execute --to svckit-html notebook.ipynb

    Without ``--execute`` it shows what is stored. In JupyterLab it is among "Save and Export Notebook As".

    Examples:
        >>> from nbformat import v4
        >>> cell = v4.new_code_cell(outputs=[v4.new_output("display_data", {"text/html": "<table></table>"})])
        >>> html, _ = StaticPage().from_notebook_node(v4.new_notebook(cells=[cell]))
        >>> "<table></table>" in html, "<script" in html
        (True, False)
    """

    export_from_notebook = "Static page"

    @property
    def default_config(self) -> Config:
        """As nbconvert's own, but for what outputs are shown as."""
        config: Config = super().default_config.copy()
        config.merge(Config({"NbConvertBase": {"display_data_priority": list(SHOWN)}}))
        return config

    @default("template_name")
    def _template_name_default(self) -> str:
        return "svckit"

    @default("extra_template_basedirs")
    def _default_extra_template_basedirs(self) -> list[str]:
        return [str(TEMPLATES)]

    @default("embed_images")
    def _embed_images_default(self) -> bool:
        return True
