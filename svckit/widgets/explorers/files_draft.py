"""The draft of the files explorer, and the calls that do the same as its buttons."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from svckit.display.python_code import add_imports, write_call
from svckit.http.python_calls import write_place
from svckit.local_files import clean_file_name
from svckit.places import Place
from svckit.widgets.explorers.file_places import describe_place, make_place

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

    def write_uploads(self, names: Iterable[tuple[str, str]]) -> str:
        """Return the calls that upload the files with these own and new names, and the one at the path, to the place.

        Examples:
            >>> print(FilesDraft(ids={"userId": "u-001"}, overwrite=True).write_uploads([("a.txt", "b.txt")]))
            from svckit import places
            <BLANKLINE>
            svc.files.upload("a.txt", to=places.drive("u-001"), name="b.txt", overwrite=True)
        """
        if not describe_place(self.store, self.ids)["accepts"]:
            return ""
        place = write_place(make_place(self.store, self.ids))
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
