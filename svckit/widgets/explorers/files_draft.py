"""The draft of the files explorer: the place it names, and the calls that do the same as its buttons."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from svckit.display.python_code import add_imports, write_call
from svckit.errors import InvalidInput
from svckit.http.python_calls import write_place
from svckit.local_files import clean_file_name
from svckit.places import Place
from svckit.widgets.base.labels import in_words
from svckit.widgets.explorers.file_places import STORES

__all__ = ["FilesDraft"]


@dataclass(frozen=True, slots=True)
class FilesDraft:
    """The text typed so far: the store that holds the files, the IDs that name the place in it, and others."""

    store: str = "drive"
    ids: Mapping[str, str] = field(default_factory=dict)
    path: str = ""
    folder: str = "."
    file_id: str = ""
    words: str = ""
    overwrite: bool = False
    replace: bool = False

    @property
    def place(self) -> Place:
        """The place with these IDs.

        Raises:
            InvalidInput: an ID is missing.

        Examples:
            >>> FilesDraft(ids={"userId": "u-001", "groupId": "not of a drive"}).place
            places.drive('u-001'): upload to /users/u-001/drive/files; name a file with .file(…)
        """
        return Place(self.store, tuple((name, self.ids.get(name, "").strip()) for name in STORES[self.store]))

    @property
    def missing(self) -> list[str]:
        """The labels of the IDs that the place needs and that are still empty.

        Examples:
            >>> FilesDraft(ids={"userId": " "}).missing
            ['User ID']
        """
        return [in_words(name) for name in STORES[self.store] if not self.ids.get(name, "").strip()]

    def require_upload_place(self) -> Place:
        """Return the place, which accepts uploads.

        Raises:
            InvalidInput: an ID is missing, or it does not accept uploads.
        """
        if missing := self.missing:
            be = "is" if len(missing) == 1 else "are"
            raise InvalidInput(f"nothing was sent: {' and '.join(missing)} {be} required")
        if self.place.upload_path is None:
            raise InvalidInput(f"nothing was sent: {self.place} does not accept uploads")
        return self.place

    def describe_place(self) -> dict[str, Any]:
        """Return the place in words, and whether it accepts uploads.

        Examples:
            >>> FilesDraft().describe_place()
            {'words': 'Required: User ID', 'accepts': False}
        """
        if self.missing:
            return {"words": f"Required: {', '.join(self.missing)}", "accepts": False}
        try:
            place = self.place
        except InvalidInput as error:
            return {"words": str(error), "accepts": False}
        return {"words": str(place), "accepts": place.upload_path is not None}

    def write_uploads(self, names: Iterable[tuple[str, str]]) -> str:
        """Return the calls that upload the files with these own and new names, and the one at the path, to the place.

        Examples:
            >>> print(FilesDraft(ids={"userId": "u-001"}, overwrite=True).write_uploads([("a.txt", "b.txt")]))
            from svckit import places
            <BLANKLINE>
            svc.files.upload("a.txt", to=places.drive("u-001"), name="b.txt", overwrite=True)
        """
        if not self.describe_place()["accepts"]:
            return ""
        place = write_place(self.place)
        path = self.path.strip()
        options = {"overwrite": True} if self.overwrite else {}
        calls = [
            write_call(
                "svc.files.upload", own, to=place, **({} if own == name else {"name": name}), **options
            )
            for own, name in [*names, *([(path, path)] if path else [])]
        ]
        return add_imports("\n".join(calls)) if calls else ""

    def write_download(self, place: Place, name: str) -> str:
        """Return the call that downloads a file to the folder.

        Examples:
            >>> from svckit import places
            >>> print(FilesDraft(folder="out").write_download(places.drive("u-001").file("file-1"), "a.txt"))
            from svckit import places
            <BLANKLINE>
            svc.files.download(places.drive("u-001").file("file-1"), to="out/a.txt")
        """
        folder, name = self.folder.strip().rstrip("/"), clean_file_name(name)
        to = name if folder in ("", ".") else f"{folder}/{name}"
        options = {"overwrite": True} if self.replace else {}
        return add_imports(write_call("svc.files.download", write_place(place), to=to, **options))
