"""The paths of the places that hold files."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from fakes.http.path_tree import PathTree
from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES

__all__ = ["FilePlace", "parse_place"]


class FilePlace(NamedTuple):
    """A place by its path.

    Attributes:
        place: the kind of the place, and the IDs in its path.
        parameters: the IDs by the names of their parameters.
        parent_id: the folder in the place; None for its top.
    """

    place: tuple[str, ...]
    parameters: dict[str, str]
    parent_id: str | None


FORM_RESPONSE = next(place for place in DOWNLOAD_PLACES if place.store == "form_response")
TEMPLATES: Mapping[str, str] = {
    **{place.template: place.store for place in UPLOAD_PLACES},
    FORM_RESPONSE.template.rpartition("/")[0]: FORM_RESPONSE.store,
}
"""The kinds of places by the templates of their paths: those of uploads, and that of form responses."""


@cache
def _make_tree() -> PathTree[str]:
    tree: PathTree[str] = PathTree()
    for template, store in TEMPLATES.items():
        tree.put(template, store)
    return tree


def parse_place(path: str) -> FilePlace:
    """Return the place with a path, such as that of an upload.

    Raises:
        ValueError: no place has this path.

    Examples:
        >>> parse_place("/users/u-001/drive/files").place
        ('drive', 'u-001')
        >>> parse_place("/users/u-001/files")
        Traceback (most recent call last):
        ...
        ValueError: there is no place '/users/u-001/files'; the places are /bots/{botId}/attachments, ...
    """
    found = _make_tree().find(f"/{path.strip('/')}")
    if found is None:
        raise ValueError(f"there is no place {path!r}; the places are {', '.join(TEMPLATES)}")
    store, parameters = found
    named = dict(parameters)
    parent_id = named.pop("fileId", None)
    return FilePlace((store, *named.values()), named, parent_id)
