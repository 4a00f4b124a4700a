"""The places for files as choices: the stores that hold files, and the IDs that name them."""

from collections.abc import Mapping, Sequence
from typing import Any

from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES
from svckit.places import Place
from svckit.widgets.base.labels import in_words

__all__ = ["STORES", "missing_ids", "place_at", "place_of", "place_view"]

STORES: Mapping[str, Sequence[str]] = {
    each.store: each.container for each in (*UPLOAD_PLACES, *DOWNLOAD_PLACES)
}
"""The stores that hold files, and the path parameters that name them."""


def place_of(store: str, ids: Mapping[str, str]) -> Place:
    """Return the place with these IDs.

    Raises:
        InvalidInput: an ID is missing.

    Examples:
        >>> place_of("drive", {"userId": "u-001", "groupId": "not of a drive"})
        places.drive('u-001'): upload to /users/u-001/drive/files; name a file with .file(…)
    """
    return Place(store, tuple((name, ids.get(name, "").strip()) for name in STORES[store]))


def missing_ids(store: str, ids: Mapping[str, str]) -> list[str]:
    """Return the labels of the IDs that the place needs and that are still empty.

    Examples:
        >>> missing_ids("drive", {"userId": " "})
        ['User ID']
    """
    return [in_words(name) for name in STORES[store] if not ids.get(name, "").strip()]


def place_at(container: str) -> Place | None:
    """Return the place that a file record names, such as ``drive/u-001``, or None if it is not a place.

    Examples:
        >>> print(place_at("drive/u-001"), place_at("elsewhere"))
        places.drive('u-001') None
    """
    store, *ids = container.split("/")
    if store not in STORES or len(STORES[store]) != len(ids) or not all(ids):
        return None
    return Place(store, tuple(zip(STORES[store], ids, strict=True)))


def place_view(store: str, ids: Mapping[str, str]) -> dict[str, Any]:
    """Return the choices for the browser."""
    return {
        "stores": [{"store": name, "words": in_words(name)} for name in STORES],
        "ids": [
            {"name": name, "label": in_words(name), "value": ids.get(name, "")} for name in STORES[store]
        ],
    }
