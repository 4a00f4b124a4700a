"""Save widgets in notebooks as static renderings, which readers see without a kernel.

JupyterLab prefers the live view of a widget to its HTML, and shows an error if the kernel that made it is gone.
So a saved file holds only the HTML or the text; on the open page, the view stays live.

This is an extension of the Jupyter server. `svckit lab` loads it; any other JupyterLab loads it with
``c.ServerApp.jpserver_extensions = {"svckit.jupyter.static_outputs": True}`` in its ``jupyter_server_config.py``.
"""

from typing import Any

from svckit.jupyter.rules import WIDGET_VIEW

__all__ = ["keep_static_renderings"]

STATIC = ("text/html", "text/plain")


def keep_static_renderings(notebook: Any) -> None:
    """Remove the state of widgets, and their live views if there is a static rendering, from a notebook.

    Args:
        notebook: the notebook, in nbformat 4, as JSON or from ``nbformat.read``; it is changed in place.

    Examples:
        >>> data = {WIDGET_VIEW: {"model_id": "1"}, "text/html": "<p>Users</p>", "text/plain": "Users"}
        >>> cell = {"cell_type": "code", "outputs": [{"output_type": "display_data", "data": data}]}
        >>> keep_static_renderings({"cells": [cell], "metadata": {"widgets": {}}})
        >>> data
        {'text/html': '<p>Users</p>', 'text/plain': 'Users'}
    """
    notebook.get("metadata", {}).pop("widgets", None)
    for cell in notebook.get("cells", ()):
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if any(kind in data for kind in STATIC):
                data.pop(WIDGET_VIEW, None)


def _before_saving(model: dict[str, Any], **_: Any) -> None:
    """Clean a notebook that the contents manager is about to save."""
    if model.get("type") == "notebook" and model.get("content"):
        keep_static_renderings(model["content"])


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.contents_manager.register_pre_save_hook(_before_saving)
