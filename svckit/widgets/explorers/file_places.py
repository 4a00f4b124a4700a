"""The places for files: the stores that hold them, and the names of places in records."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from svckit.errors import InvalidInput
from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES
from svckit.places import Place

__all__ = ["STORES", "format_container", "parse_path", "parse_place"]

STORES: Mapping[str, Sequence[str]] = {
    kind.store: kind.container for kind in (*UPLOAD_PLACES, *DOWNLOAD_PLACES)
}
"""The stores that hold files, and the path parameters that name them."""


def parse_place(container: str) -> Place | None:
    """Return the place that a file record names, such as ``drive/u-001``, or None if it is not a place.

    Examples:
        >>> print(parse_place("drive/u-001"), parse_place("elsewhere"))
        places.drive('u-001') None
    """
    store, *ids = container.split("/")
    if store not in STORES or len(STORES[store]) != len(ids) or not all(ids):
        return None
    return Place(store, tuple(zip(STORES[store], ids, strict=True)))


def format_container(place: Place) -> str:
    """Return the name of a place in records, which `parse_place` takes.

    Examples:
        >>> format_container(Place("drive", (("userId", "u-001"),)))
        'drive/u-001'
    """
    return "/".join([place.store, *(value for _, value in place.names)])


def parse_path(typed: str) -> Path:
    """Return a path on the kernel's machine; ``~`` is expanded to a home directory.

    Raises:
        InvalidInput: no such home directory.
    """
    try:
        return Path(typed.strip()).expanduser()
    except RuntimeError as error:
        raise InvalidInput(f"{typed.strip()!r}: no such home directory on the kernel's machine") from error
