"""The files explorer from Python: places, uploads, cancelling, previews, revisions, downloads, asking first."""

import base64
from pathlib import Path
from typing import Any

import pytest

from svckit import places
from svckit.errors import InvalidInput
from svckit.session.session import Session
from svckit.widgets import FilesExplorer
from svckit.widgets.explorers.file_places import STORES, parse_place

from .conftest import as_real, ask

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def explorer(svc: Session) -> FilesExplorer:
    explorer = FilesExplorer(svc)
    explorer.write(store="drive", userId="u-001")
    return explorer


def asked(explorer: FilesExplorer, *buffers: bytes, **request: Any) -> None:
    ask(explorer, *buffers, **request)
    explorer.wait()


def names(explorer: FilesExplorer) -> list[str]:
    return [row["cells"][0] for row in explorer.view["rows"]]


def upload(explorer: FilesExplorer, name: str, content: bytes) -> None:
    explorer.upload_bytes(name, content)
    explorer.wait()


def results(explorer: FilesExplorer) -> list[str]:
    return [each["words"] for each in explorer.view["uploads"]]


def test_a_file_is_uploaded_from_its_path_and_downloaded_again(
    explorer: FilesExplorer, tmp_path: Path
) -> None:
    source = tmp_path / "report.txt"
    source.write_bytes(b"x" * 300_000)
    seen: list[int] = []
    explorer.observe(lambda change: seen.extend(each["done"] for each in change["new"]["uploads"]), "view")
    asked(explorer, do="write", field="path", text=str(source))
    asked(explorer, do="upload")
    assert names(explorer) == ["answer.txt", "report.txt"]
    assert results(explorer) == ["Uploaded, ID file-1"]
    assert any(0 < done < 300_000 for done in seen)

    asked(explorer, do="select", container="drive/u-001", file_id="file-1", revision=None)
    asked(explorer, do="write", field="folder", text=str(tmp_path / "out"))
    asked(explorer, do="download")
    assert (tmp_path / "out" / "report.txt").read_bytes() == source.read_bytes()


def test_a_picked_file_is_previewed_and_its_revisions_too(explorer: FilesExplorer) -> None:
    upload(explorer, "a.txt", b"one")
    asked(explorer, do="write", field="overwrite", text=True)
    upload(explorer, "a.txt", b"second")
    asked(explorer, do="select", container="drive/u-001", file_id="file-1", revision=None)
    assert [id_ for id_, _ in explorer.view["chosen"]["revisions"]] == ["1", "2"]
    assert explorer.view["chosen"]["revision"] == ""
    asked(explorer, do="preview")
    assert explorer.view["preview"]["text"] == "second"
    asked(explorer, do="select", container="drive/u-001", file_id="file-1", revision="1")
    assert explorer.view["chosen"]["revision"] == "1"
    assert explorer.view["preview"] == {}
    asked(explorer, do="preview")
    assert explorer.view["preview"]["text"] == "one"
    assert "one" in explorer.to_html()


def test_a_picture_goes_to_the_browser_as_bytes(explorer: FilesExplorer) -> None:
    explorer.write(store="photo", userId="u-002")
    upload(explorer, "me.png", PNG)
    explorer.select("photo/u-002", "file-1")
    asked(explorer, do="preview")
    assert explorer.view["preview"]["kind"] == "image/png"
    assert explorer.picture == PNG
    explorer.select("form_response/form-1/response-1", "attachment-1")
    assert explorer.picture == b""


@pytest.mark.usefixtures("as_in_a_notebook")
def test_what_is_too_large_is_not_previewed(svc: Session, explorer: FilesExplorer) -> None:
    stored = svc.files.upload(bytes(2_000_001), to=places.drive("u-001"), name="large.bin")
    explorer.select("drive/u-001", str(stored.file_id))
    asked(explorer, do="preview")
    assert "more than 2,000,000 bytes" in explorer.error
    assert explorer.view["job"]["words"] == "Failed; see the error above"  # and not a second time


def test_a_pasted_id_is_chosen_in_the_place(explorer: FilesExplorer, svc: Session) -> None:
    svc.files.upload(b"hello", to=places.drive("u-001"), name="a.txt")
    asked(explorer, do="write", field="file_id", text=" file-1 ")
    asked(explorer, do="choose")
    asked(explorer, do="preview")
    assert explorer.view["preview"]["text"] == "hello"


def test_an_upload_that_is_cancelled_leaves_nothing(explorer: FilesExplorer) -> None:
    def stop(change: dict[str, Any]) -> None:
        if any(each["done"] for each in change["new"]["uploads"]):
            explorer.stop()

    explorer.observe(stop, "view")
    upload(explorer, "large.bin", bytes(3_000_000))
    assert results(explorer) == ["Cancelled; nothing was kept"]
    assert names(explorer) == ["answer.txt"]


@pytest.mark.parametrize(
    ("request_", "problem"),
    [
        ({"do": "write", "field": "colour", "text": "x"}, "no such field"),
        ({"do": "write", "field": "store", "text": "cellar"}, "no such place: cellar"),
        ({"do": "upload"}, "on the kernel's machine"),
        ({"do": "write", "field": "userid", "text": "x"}, "did you mean userId?"),
        ({"do": "preview"}, "no file is chosen"),
        ({"do": "select", "container": "cellar/1", "file_id": "f"}, "is not a place"),
    ],
)
def test_what_cannot_be_is_told(explorer: FilesExplorer, request_: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        asked(explorer, **request_)
    assert problem in explorer.error


@pytest.mark.parametrize(("field", "does"), [("path", "upload"), ("folder", "download")])
def test_a_home_of_nobody_is_no_path(svc: Session, explorer: FilesExplorer, field: str, does: str) -> None:
    stored = svc.files.upload(b"hello", to=places.drive("u-001"), name="a.txt")
    explorer.select("drive/u-001", str(stored.file_id))
    explorer.write(**{field: "~nobodyxx/q"})
    with pytest.raises(InvalidInput, match="'~nobodyxx/q': no such home directory"):
        getattr(explorer, does)()


def test_a_place_without_uploads_and_one_without_its_id_say_so(explorer: FilesExplorer) -> None:
    explorer.write(store="audit_logs")
    assert not explorer.view["place"]["accepts"]
    with pytest.raises(InvalidInput, match="does not accept uploads"):
        explorer.upload_bytes("a.txt", b"a")
    explorer.write(store="group_folder")
    assert explorer.view["place"]["words"] == "Required: Group ID"


@pytest.mark.parametrize("store", STORES)
def test_every_place_can_be_chosen_and_is_found_again(explorer: FilesExplorer, store: str) -> None:
    explorer.write(store=store, **{name: f"{name}-1" for name in STORES[store]})
    place = explorer.place
    assert parse_place("/".join([place.store, *(value for _, value in place.names)])) == place
    assert [value for _, _, value in explorer.view["ids"]] == [value for _, value in place.names]


def test_upload_to_a_real_service_is_confirmed_first(svc: Session, explorer: FilesExplorer) -> None:
    as_real(svc)
    upload(explorer, "a.txt", b"hello")
    assert "which is REAL" in explorer.view["asking"]
    assert names(explorer) == ["answer.txt"]
    asked(explorer, do="confirm")
    assert names(explorer) == ["answer.txt", "a.txt"]


def test_what_cannot_be_listed_is_said(svc: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(svc, "fake", None)
    svc.files.upload(b"hello", to=places.drive("u-001"), name="a.txt")
    explorer = FilesExplorer(svc)
    assert names(explorer) == ["a.txt"]
    assert "no list operation" in explorer.to_html()
    assert "no list operation" in repr(explorer)


@pytest.mark.parametrize(
    ("name", "saved"),
    [
        ("..", "file"),
        ("../a.txt", "_a.txt"),
        (".", "file"),
        (" ", "file"),
        (".bashrc", "bashrc"),
        ("a\u202etxt.exe", "a_txt.exe"),
        ("日" * 100 + ".txt", "日" * 83 + ".txt"),
        ("CON", "_CON"),
    ],
)
def test_a_download_is_a_visible_file_of_the_folder_whatever_its_name(
    explorer: FilesExplorer, tmp_path: Path, name: str, saved: str
) -> None:
    folder = tmp_path / "inner"
    upload(explorer, name, b"content")
    explorer.select("drive/u-001", "file-1")
    explorer.write(folder=str(folder))
    asked(explorer, do="download")
    assert [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()] == [
        Path("inner") / saved
    ]
    assert explorer.view["job"]["words"] == f"Saved as {folder / saved}"


@pytest.mark.usefixtures("as_in_a_notebook")
def test_a_download_replaces_a_file_only_where_its_own_choice_says_so(
    explorer: FilesExplorer, tmp_path: Path
) -> None:
    upload(explorer, "a.txt", b"new")
    explorer.select("drive/u-001", "file-1")
    (tmp_path / "a.txt").write_bytes(b"mine")
    explorer.write(folder=str(tmp_path), overwrite=True)
    asked(explorer, do="download")
    assert f"{tmp_path / 'a.txt'} already exists; to replace it, tick “Replace a file with" in explorer.error
    assert "overwrite=" not in explorer.error
    assert (tmp_path / "a.txt").read_bytes() == b"mine"
    asked(explorer, do="write", field="replace", text=True)
    asked(explorer, do="download")
    assert (tmp_path / "a.txt").read_bytes() == b"new"


@pytest.mark.usefixtures("as_in_a_notebook")
def test_a_download_is_not_saved_in_a_folder_of_its_name(explorer: FilesExplorer, tmp_path: Path) -> None:
    upload(explorer, "inner", b"new")
    explorer.select("drive/u-001", "file-1")
    (tmp_path / "inner").mkdir()
    explorer.write(folder=str(tmp_path), replace=True)
    asked(explorer, do="download")
    assert f"{tmp_path / 'inner'} is a folder" in explorer.error
    assert list((tmp_path / "inner").iterdir()) == []


def test_a_preview_does_not_outlive_what_it_shows(explorer: FilesExplorer) -> None:
    explorer.write(overwrite=True)
    upload(explorer, "a.txt", b"old")
    explorer.select("drive/u-001", "file-1")
    asked(explorer, do="preview")
    assert explorer.view["preview"]["text"] == "old"
    upload(explorer, "a.txt", b"new")
    assert explorer.view["preview"] == {}


def test_an_upload_says_what_is_missing(svc: Session) -> None:
    explorer = FilesExplorer(svc)
    with pytest.raises(InvalidInput, match="enter the path of a file"):
        explorer.upload()
    explorer.write(userId="")
    with pytest.raises(InvalidInput, match="User ID is required"):
        explorer.upload_bytes("a.txt", b"a")
