"""The places for files as choices: the stores that hold files, and the IDs that name them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from svckit.errors import InvalidInput
from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES
from svckit.places import Place
from svckit.widgets.base.labels import in_words

__all__ = [
    "STORES",
    "build_place_view",
    "describe_place",
    "format_container",
    "list_missing_ids",
    "make_place",
    "make_upload_place",
    "parse_path",
    "parse_place",
]

STORES: Mapping[str, Sequence[str]] = {
    kind.store: kind.container for kind in (*UPLOAD_PLACES, *DOWNLOAD_PLACES)
}
"""The stores that hold files, and the path parameters that name them."""


def make_place(store: str, ids: Mapping[str, str]) -> Place:
    """Return the place with these IDs.

    Raises:
        InvalidInput: an ID is missing.

    Examples:
        >>> make_place("drive", {"userId": "u-001", "groupId": "not of a drive"})
        places.drive('u-001'): upload to /users/u-001/drive/files; name a file with .file(…)
    """
    return Place(store, tuple((name, ids.get(name, "").strip()) for name in STORES[store]))


def make_upload_place(store: str, ids: Mapping[str, str]) -> Place:
    """Return the place with these IDs, which accepts uploads.

    Raises:
        InvalidInput: an ID is missing, or it does not accept uploads.
    """
    if missing := list_missing_ids(store, ids):
        be = "is" if len(missing) == 1 else "are"
        raise InvalidInput(f"nothing was sent: {' and '.join(missing)} {be} required")
    place = make_place(store, ids)
    if place.upload_path is None:
        raise InvalidInput(f"nothing was sent: {place} does not accept uploads")
    return place


def describe_place(store: str, ids: Mapping[str, str]) -> dict[str, Any]:
    """Return the place with these IDs in words, and whether it accepts uploads.

    Examples:
        >>> describe_place("drive", {})
        {'words': 'Required: User ID', 'accepts': False}
    """
    if missing := list_missing_ids(store, ids):
        return {"words": f"Required: {', '.join(missing)}", "accepts": False}
    try:
        place = make_place(store, ids)
    except InvalidInput as error:
        return {"words": str(error), "accepts": False}
    return {"words": str(place), "accepts": place.upload_path is not None}


def list_missing_ids(store: str, ids: Mapping[str, str]) -> list[str]:
    """Return the labels of the IDs that the place needs and that are still empty.

    Examples:
        >>> list_missing_ids("drive", {"userId": " "})
        ['User ID']
    """
    return [in_words(name) for name in STORES[store] if not ids.get(name, "").strip()]


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
        >>> format_container(make_place("drive", {"userId": "u-001"}))
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


def build_place_view(store: str, ids: Mapping[str, str]) -> dict[str, Any]:
    """Return the choices for a view: the stores, and the IDs of the chosen one."""
    return {
        "stores": [(name, in_words(name)) for name in STORES],
        "ids": [(name, in_words(name), ids.get(name, "")) for name in STORES[store]],
    }
