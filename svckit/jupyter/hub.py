"""A JupyterHub, on which a learner's server runs already: what it shows, and links to it."""

import os
from pathlib import Path
from urllib.parse import quote

__all__ = ["find_folder", "make_link"]

PREFIX = "JUPYTERHUB_SERVICE_PREFIX"


def find_folder() -> Path | None:
    """Return the folder that the learner's server shows; None outside a hub."""
    if not os.environ.get(PREFIX):
        return None
    return Path(os.environ.get("JUPYTERHUB_ROOT_DIR") or Path.home()).expanduser().resolve()


def make_link(file: Path, page: str = "lab/tree") -> str:
    """Return the link to a file, under the hub's prefix; the whole URL if the hub knows it.

    Args:
        file: the file.
        page: what opens it, such as ``voila/render``.

    Raises:
        ValueError: this is not a hub, or the file is outside the folder that the server shows.

    Examples:
        >>> os.environ |= {"JUPYTERHUB_SERVICE_PREFIX": "/user/mina/", "JUPYTERHUB_ROOT_DIR": "/home/mina"}
        >>> make_link(Path("/home/mina/a report.ipynb"))
        '/user/mina/lab/tree/a%20report.ipynb'
        >>> del os.environ["JUPYTERHUB_SERVICE_PREFIX"], os.environ["JUPYTERHUB_ROOT_DIR"]
    """
    folder = find_folder()
    if folder is None or not file.resolve().is_relative_to(folder):
        raise ValueError(
            f"{file} is not in {folder or 'a hub'}, the folder that your server on the hub shows"
        )
    base = os.environ.get("JUPYTERHUB_PUBLIC_URL") or os.environ[PREFIX]
    return f"{base.rstrip('/')}/{page}/{quote(file.resolve().relative_to(folder).as_posix())}"
