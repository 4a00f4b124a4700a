"""What a notebook's file holds of widgets: what they showed, as a reader without their kernel can see it.

JupyterLab prefers the live view of a widget to its HTML, and shows an error where the kernel that made it is gone.
So a file that is saved holds the HTML or the text only; on the page that was saved, the view stays live.

This is an extension of the Jupyter server. `svckit lab` loads it; any other JupyterLab does with
``c.ServerApp.jpserver_extensions = {"svckit.jupyter.static_outputs": True}`` in its ``jupyter_server_config.py``.
"""

from typing import Any

from svckit.jupyter.rules import WIDGET_VIEW

__all__ = ["keep_static_renderings"]

STATIC = ("text/html", "text/plain")


def keep_static_renderings(notebook: Any) -> None:
    """Take out of a notebook the live views of widgets that have a static face beside them, and widgets' state.

    Args:
        notebook: in the format nbformat 4, as JSON or as ``nbformat.read`` gives it; it is changed.

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
            if any(face in data for face in STATIC):
                data.pop(WIDGET_VIEW, None)


def _before_saving(model: dict[str, Any], **_: Any) -> None:
    """What the contents manager calls with all that is about to be saved."""
    if model.get("type") == "notebook" and model.get("content"):
        keep_static_renderings(model["content"])


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.contents_manager.register_pre_save_hook(_before_saving)
