"""The text typed into a files explorer, and the calls that do what it says."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from svckit.display.python_code import write_call
from svckit.errors import InvalidInput
from svckit.http.python_calls import write_place
from svckit.local_files import clean_file_name
from svckit.places import Place
from svckit.widgets.explorers.file_places import make_upload_place, parse_path

__all__ = ["FilesDraft"]


@dataclass(frozen=True, slots=True)
class FilesDraft:
    """The text typed so far."""

    store: str = "drive"
    ids: Mapping[str, str] = field(default_factory=dict)
    path: str = ""
    folder: str = "."
    file_id: str = ""
    words: str = ""
    overwrite: bool = False
    replace: bool = False
    tree: bool = False

    def make_target(self, name: str) -> Path:
        """Return the path that a file with this name is saved to on the kernel's machine.

        Raises:
            InvalidInput: there is no such home directory.
        """
        return parse_path(self.folder or ".") / clean_file_name(name)

    def write_uploads(self, names: Iterable[str]) -> str:
        """Return the calls that upload files, and the one at the path; empty if the place accepts none.

        Examples:
            >>> print(FilesDraft(ids={"userId": "u-001"}, path="a.txt").write_uploads([]))
            svc.files.upload("a.txt", to=places.drive("u-001"))
        """
        try:
            place = write_place(make_upload_place(self.store, self.ids))
            paths = [*names, *([str(parse_path(self.path))] if self.path.strip() else [])]
        except InvalidInput:
            return ""
        options = {"overwrite": True} if self.overwrite else {}
        return "\n".join(write_call("svc.files.upload", path, to=place, **options) for path in paths if path)

    def write_download(self, place: Place, name: str) -> str:
        """Return the call that saves a file on the kernel's machine; empty if the folder is not a valid path.

        Examples:
            >>> from svckit import places
            >>> print(FilesDraft(replace=True).write_download(places.drive("u-001").file("file-1"), "a.txt"))
            svc.files.download(places.drive("u-001").file("file-1"), to="a.txt", overwrite=True)
        """
        try:
            target = str(self.make_target(name))
        except InvalidInput:
            return ""
        options = {"overwrite": True} if self.replace else {}
        return write_call("svc.files.download", write_place(place), to=target, **options)
