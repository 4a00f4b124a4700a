"""Files from and to the person's own computer: in pieces, several at once, renamed, cancelled, and never by mistake."""

from pathlib import Path
from typing import Any

import pytest

from svckit import places
from svckit.session.session import Session
from svckit.widgets import FilesExplorer
from svckit.widgets.explorers import file_downloads
from svckit.widgets.explorers.file_uploads import LARGEST, MOST, PIECE, FileUpload, FileUploads

from .conftest import as_real, ask

DRIVE = places.drive("u-001")


class Browser:
    """A browser with files of a person's computer, which gives and keeps what the explorer asks it to."""

    def __init__(self, explorer: FilesExplorer, monkeypatch: pytest.MonkeyPatch) -> None:
        self.explorer = explorer
        self.files: dict[str, bytes] = {}
        self.needs: list[dict[str, Any]] = []
        self.saved = b""
        self.head: dict[str, Any] = {}
        monkeypatch.setattr(explorer._uploads, "_ask", lambda content: self.needs.append(content["need"]))
        monkeypatch.setattr(explorer._downloads, "_send", self._keep)

    def choose(self, **files: bytes) -> None:
        self.files |= files
        offered = [{"key": key, "name": f"{key}.txt", "size": len(each)} for key, each in files.items()]
        ask(self.explorer, do="offer", files=offered)

    def upload(self) -> None:
        ask(self.explorer, do="upload_chosen")
        self.give_all()

    def give(self) -> None:
        need = self.needs.pop(0)
        piece = self.files[need["key"]][need["offset"] :][: need["size"]]
        ask(self.explorer, piece, do="give", key=need["key"], offset=need["offset"])
        self.explorer.wait()

    def give_all(self) -> None:
        while self.needs:
            self.give()

    def _keep(self, content: dict[str, Any], buffers: list[bytes]) -> None:
        self.head = content["piece"]
        assert self.head["offset"] == len(self.saved)
        self.saved += buffers[0]

    def acknowledge(self) -> None:
        ask(self.explorer, do="saved", number=self.head["number"], received=len(self.saved))


@pytest.fixture
def explorer(svc: Session) -> FilesExplorer:
    explorer = FilesExplorer(svc)
    explorer.write(store="drive", userId="u-001")
    return explorer


@pytest.fixture
def browser(explorer: FilesExplorer, monkeypatch: pytest.MonkeyPatch) -> Browser:
    return Browser(explorer, monkeypatch)


@pytest.fixture
def stored(svc: Session, explorer: FilesExplorer) -> bytes:
    """The content of a file of two and a half pieces, which is chosen."""
    content = bytes(range(256)) * (PIECE // 100)
    svc.files.upload(content, to=DRIVE, name="large.bin")
    explorer.select("drive/u-001", "file-1")
    return content


def words(explorer: FilesExplorer) -> list[tuple[str, str]]:
    return [(each["name"], each["words"]) for each in explorer.view["uploads"]]


def test_files_upload_in_pieces_under_new_names(
    svc: Session, explorer: FilesExplorer, browser: Browser
) -> None:
    large = bytes(range(256)) * (PIECE // 128)  # two pieces
    browser.choose(a=large + b"end", b=b"", c=b"third")
    assert browser.needs == []  # nothing is read before it is to be uploaded
    ask(explorer, do="write", field="name of c", text="renamed.txt")
    assert 'svc.files.upload("c.txt", to=places.drive("u-001"), name="renamed.txt")' in explorer.code
    ask(explorer, do="upload_chosen")
    assert browser.needs == [{"key": "a", "offset": 0, "size": PIECE}]
    browser.give()
    [first, *_] = explorer.view["uploads"]
    assert (first["words"], first["done"], first["total"]) == ("Reading", PIECE, 2 * len(large + b"end"))
    browser.give_all()
    assert words(explorer) == [
        ("a.txt", "Uploaded, ID file-1"),
        ("b.txt", "Uploaded, ID file-2"),
        ("renamed.txt", "Uploaded, ID file-3"),
    ]
    assert svc.files.download(DRIVE.file("file-1")) == large + b"end"
    assert svc.files.download(DRIVE.file("file-2")) == b""
    browser.choose(d=b"next")
    assert words(explorer) == [("d.txt", "")]  # those that are done leave the list


def test_progress_is_shown_in_twenty_steps() -> None:
    shown: list[int] = []
    uploads = FileUploads(
        upload=lambda *_: "", ask=lambda _: None, on_change=lambda: shown.append(upload.done)
    )
    upload = FileUpload("a", "a.bin", size=500)
    for sent in range(1, 501):
        uploads.report(upload, sent)
    assert shown == [501, *range(550, 1001, 50)]


def test_what_is_too_large_is_said_and_the_others_are_uploaded(
    explorer: FilesExplorer, browser: Browser
) -> None:
    assert "at most 100 MiB each" in explorer.html
    ask(explorer, do="offer", files=[{"key": "x", "name": "x.bin", "size": LARGEST + 1}])
    browser.choose(a=b"A")
    browser.upload()
    assert words(explorer) == [
        ("x.bin", "Too large for the browser (at most 104,857,600 bytes): enter its path"),
        ("a.txt", "Uploaded, ID file-1"),
    ]


@pytest.mark.parametrize(
    "files",
    [
        [{"key": "b", "name": "b", "size": 1}] * 2,
        [{"key": "a", "name": "b", "size": 1}],
        [{"key": "b", "name": "b", "size": -1}],
        [{"key": "b", "name": "b", "size": "1"}],
        [{"key": "b", "name": "b", "size": 1}, {"key": "c", "name": None, "size": 1}],
        ["b"],
        [{"key": f"{number}", "name": "b", "size": 1} for number in range(MOST + 1)],
    ],
)
def test_what_is_no_choice_of_files_adds_none(
    explorer: FilesExplorer, browser: Browser, files: list[Any]
) -> None:
    browser.choose(a=b"A")
    with pytest.raises(ValueError, match="nothing was chosen"):
        ask(explorer, do="offer", files=files)
    assert "nothing was chosen" in explorer.error
    assert words(explorer) == [("a.txt", "")]


@pytest.mark.parametrize(
    ("key", "offset", "size"),
    [
        ("a", 1, PIECE),
        ("a", 0, PIECE - 1),
        ("a", 0, PIECE + 1),
        ("a", 0, 0),
        ("b", 0, 1),
        ("z", 0, 1),
        ("z", -1, 1),
    ],
)
def test_a_piece_that_was_not_asked_for_changes_nothing(
    svc: Session, explorer: FilesExplorer, browser: Browser, key: str, offset: int, size: int
) -> None:
    browser.choose(a=bytes(PIECE + 1), b=b"B")
    ask(explorer, do="upload_chosen")
    before = explorer.view["uploads"]
    with pytest.raises(ValueError, match=r"was asked for|was not asked for|no such file"):
        ask(explorer, bytes(size), do="give", key=key, offset=offset)
    assert explorer.error
    assert explorer.view["uploads"] == before
    browser.give_all()
    assert svc.files.download(DRIVE.file("file-1")) == bytes(PIECE + 1)
    assert [each[1] for each in words(explorer)] == ["Uploaded, ID file-1", "Uploaded, ID file-2"]


def test_one_is_cancelled_and_the_next_goes_on(explorer: FilesExplorer, browser: Browser) -> None:
    browser.choose(a=bytes(2 * PIECE), b=b"B", c=b"C", d=b"D")
    ask(explorer, do="remove", key="d")
    ask(explorer, do="upload_chosen")
    ask(explorer, do="remove", key="c")
    ask(explorer, do="remove", key="a")
    browser.give_all()  # also the piece that was on its way
    assert explorer.error == ""
    assert words(explorer) == [
        ("a.txt", "Cancelled; nothing was kept"),
        ("b.txt", "Uploaded, ID file-1"),
        ("c.txt", "Cancelled; nothing was kept"),
    ]
    ask(explorer, do="remove", key="a")
    assert len(explorer.view["uploads"]) == 2


def test_what_the_browser_cannot_read_is_said_and_the_next_goes_on(
    explorer: FilesExplorer, browser: Browser
) -> None:
    browser.choose(a=b"A", b=b"B")
    ask(explorer, do="upload_chosen")
    ask(explorer, do="unreadable", key="a", why="NotReadableError: a folder")
    browser.needs.pop(0)
    browser.give_all()
    assert words(explorer)[0] == ("a.txt", "Failed, the file could not be read: NotReadableError: a folder")
    assert words(explorer)[1] == ("b.txt", "Uploaded, ID file-1")
    with pytest.raises(ValueError, match=r"was not asked for b\.txt"):
        ask(explorer, do="unreadable", key="b", why="late")


def test_what_failed_is_uploaded_again(svc: Session, explorer: FilesExplorer, browser: Browser) -> None:
    svc.fake.faults.status("/users/*/drive/files", 403, times=1)
    browser.choose(a=b"A", b=b"B")
    browser.upload()
    [first, second] = words(explorer)
    assert first[1].startswith("Failed: ")
    assert "403" in first[1]
    assert second == ("b.txt", "Uploaded, ID file-1")
    browser.upload()
    assert words(explorer)[0] == ("a.txt", "Uploaded, ID file-2")


def test_new_name_withdraws_the_question(svc: Session, explorer: FilesExplorer, browser: Browser) -> None:
    as_real(svc)
    browser.choose(a=b"A", b=b"BC")
    ask(explorer, do="upload_chosen")
    assert "This uploads 2 files (3 bytes) to places.drive('u-001')" in explorer.view["asking"]
    ask(explorer, do="write", field="name of b", text="c.txt")
    assert explorer.view["asking"] == ""
    ask(explorer, do="upload_chosen")
    assert browser.needs == []
    ask(explorer, do="confirm")
    browser.give_all()
    assert words(explorer) == [("a.txt", "Uploaded, ID file-1"), ("c.txt", "Uploaded, ID file-2")]


def test_files_without_a_name_or_a_place_wait(explorer: FilesExplorer, browser: Browser) -> None:
    browser.choose(a=b"A")
    ask(explorer, do="write", field="name of a", text="")
    with pytest.raises(ValueError, match="each file needs a name"):
        ask(explorer, do="upload_chosen")
    ask(explorer, do="write", field="name of a", text="a")
    explorer.write(userId="")
    with pytest.raises(ValueError, match="User ID is required"):
        ask(explorer, do="upload_chosen")
    assert browser.needs == []


def test_another_explorer_stops_what_is_under_way(
    svc: Session, explorer: FilesExplorer, browser: Browser
) -> None:
    browser.choose(a=bytes(2 * PIECE), b=b"B")
    ask(explorer, do="upload_chosen")
    browser.give()
    [content] = [each.content for each in explorer._uploads._files if each.content]
    FilesExplorer(svc)
    assert content.closed
    assert len(list(svc.records("files"))) == 1


def test_a_file_is_saved_in_pieces_on_the_persons_computer(
    explorer: FilesExplorer, browser: Browser, stored: bytes
) -> None:
    ask(explorer, do="save", view="view-1")
    explorer.wait()
    assert browser.head == {
        "view": "view-1",
        "number": 1,
        "file": "large.bin",
        "size": len(stored),
        "offset": 0,
    }
    assert len(browser.saved) == PIECE
    while explorer.view["job"]["running"]:
        browser.acknowledge()
    assert browser.saved == stored
    assert explorer.view["job"]["words"] == "The browser has saved large.bin"


@pytest.mark.parametrize(("number", "received"), [(1, PIECE - 1), (1, PIECE + 1), (2, PIECE)])
def test_what_the_browser_cannot_have_received_changes_nothing(
    explorer: FilesExplorer, browser: Browser, stored: bytes, number: int, received: int
) -> None:
    ask(explorer, do="save", view="view-1")
    explorer.wait()
    with pytest.raises(ValueError, match=r"bytes of large\.bin were sent"):
        ask(explorer, do="saved", number=number, received=received)
    assert len(browser.saved) == PIECE
    while explorer.view["job"]["running"]:
        browser.acknowledge()
    assert browser.saved == stored


def test_a_file_that_is_being_saved_is_cancelled(
    explorer: FilesExplorer, browser: Browser, stored: bytes
) -> None:
    ask(explorer, do="save", view="view-1")
    explorer.wait()
    ask(explorer, do="stop")
    assert explorer.view["job"]["words"] == "Cancelled; nothing was kept"
    browser.acknowledge()  # was on its way
    assert explorer.error == ""
    assert len(browser.saved) < len(stored)
    with pytest.raises(ValueError, match="no file 2 is being saved"):
        ask(explorer, do="saved", number=2, received=0)


@pytest.mark.usefixtures("as_in_a_notebook")
def test_what_is_too_large_for_the_browser_is_not_saved_there(
    explorer: FilesExplorer, browser: Browser, stored: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_downloads, "LARGEST", len(stored) - 1)
    ask(explorer, do="save", view="view-1")
    explorer.wait()
    assert "the most that goes through the browser; save it to the kernel’s folder" in explorer.error
    assert (browser.saved, explorer.view["job"]["running"]) == (b"", False)


def test_a_row_names_the_folder(svc: Session, explorer: FilesExplorer) -> None:
    svc.files.upload(b"one", to=DRIVE, name="a.txt")
    svc.files.upload(b"x", to=DRIVE.file("folder-1"), name="b.txt")
    explorer.refresh()
    places = [row["cells"][3] for row in explorer.view["rows"]]
    assert places[1:] == ["drive/u-001", "drive/u-001, folder folder-1"]
    ask(explorer, do="write", field="words", text="folder-1")
    assert explorer.view["count"] == "1 of 3 files"


@pytest.mark.usefixtures("as_in_a_notebook")
def test_only_a_new_request_clears_the_error(explorer: FilesExplorer, browser: Browser) -> None:
    browser.choose(a=bytes(2 * PIECE))
    ask(explorer, do="upload_chosen")
    ask(explorer, do="preview")
    browser.give()
    assert "no file is chosen" in explorer.error
    ask(explorer, do="refresh")
    assert explorer.error == ""


def test_the_code_does_the_same(
    svc: Session, explorer: FilesExplorer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a 'quoted'.txt").write_bytes(b"hello")
    explorer.write(path="a 'quoted'.txt", overwrite=True)
    exec(explorer.code, {"svc": svc})
    assert svc.files.download(DRIVE.file("file-1")) == b"hello"
    explorer.write(path="", folder="out")
    explorer.select("drive/u-001", "file-1", "1")
    exec(explorer.code, {"svc": svc})
    assert (tmp_path / "out" / "a 'quoted'.txt").read_bytes() == b"hello"
    explorer.write(userId="")
    assert dict(explorer.view["code"])["Upload"] == ""


def test_a_revision_where_there_are_none_is_not_chosen(svc: Session, explorer: FilesExplorer) -> None:
    svc.files.upload(b"x", to=places.photo("u-001"), name="me.png")
    with pytest.raises(ValueError, match="has no revisions"):
        ask(explorer, do="select", container="photo/u-001", file_id="file-1", revision="1")
    explorer.refresh()
    assert explorer.view["chosen"] is None
