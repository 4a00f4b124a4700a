"""Export of notebooks to pages that need no kernel and no network: ``svckit-html`` in nbconvert.

nbconvert's own HTML loads scripts from other servers, and shows nothing of a widget without them.
"""

from pathlib import Path

from nbconvert.exporters import HTMLExporter
from traitlets.config import Config

__all__ = ["StaticPage"]

TEMPLATES = Path(__file__).parent / "nbconvert" / "templates"
MEDIA_TYPES = ("text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/plain")
"""The media types to show, the best first: no live views of widgets, and nothing that needs a script."""


class StaticPage(HTMLExporter):
    """A page with everything that a notebook shows: tables, plots, pictures and static renderings of widgets.

    A browser needs no server and no script to show it. Formulas and Mermaid diagrams stay as source text. In a
    shell::

        jupyter nbconvert --execute --to svckit-html notebook.ipynb

    Without ``--execute`` it shows the stored outputs. In JupyterLab it is under "Save and Export Notebook As".

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
        """nbconvert's own configuration, with our template and other media types to show."""
        config: Config = super().default_config.copy()
        own = {"template_name": "svckit", "extra_template_basedirs": [str(TEMPLATES)], "embed_images": True}
        media = {"display_data_priority": list(MEDIA_TYPES)}
        config.merge(Config({"StaticPage": own, "NbConvertBase": media}))
        return config
