"""The paths of the places that hold files."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote

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


@cache
def list_templates() -> dict[tuple[str, ...], str]:
    """Return the kinds of places by the segments of their paths: those of uploads, and that of form responses."""
    templates = {tuple(place.template.strip("/").split("/")): place.store for place in UPLOAD_PLACES}
    form = next(place for place in DOWNLOAD_PLACES if place.store == "form_response")
    return templates | {tuple(form.template.strip("/").split("/"))[:-1]: form.store}


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
    given = path.strip("/").split("/")
    for template, store in list_templates().items():
        parameters = dict(_match(template, given))
        if len(template) == len(given) and all(
            parameters.get(name, name) == value for name, value in zip(template, given, strict=True)
        ):
            named = {name[1:-1]: unquote(value) for name, value in parameters.items()}
            parent_id = named.pop("fileId", None)
            if all(named.values()) and parent_id != "":
                return FilePlace((store, *named.values()), named, parent_id)
    known = ", ".join(f"/{'/'.join(template)}" for template in list_templates())
    raise ValueError(f"there is no place {path!r}; the places are {known}")


def _match(template: tuple[str, ...], given: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the parameters of a template with the segments in their places."""
    for name, value in zip(template, given, strict=False):
        if name.startswith("{"):
            yield name, value
