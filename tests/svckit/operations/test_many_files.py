"""Many files at once: side by side, each failure reported, what failed done again and nothing else."""

import threading
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeService
from svckit import places
from svckit.errors import Cancelled, InvalidInput, NotFound
from svckit.operations.transfer_plans import download_many
from svckit.session.connect import connect

from ..conftest import Face
from .ranges import DRIVE, Cancelling

FILES = {f"file {number}.txt": f"content {number}".encode() for number in range(12)}


def stored(fake: FakeService) -> dict[str, int]:
    """The number of times that a file of each name was stored."""
    names = [record["fileName"] for record in fake.records("files") if record["place"].startswith("drive/")]
    return {name: names.count(name) for name in sorted(names)}


ONCE = dict.fromkeys(sorted(FILES), 1)


@pytest.mark.parametrize("workers", [1, 4])
def test_many_go_up_and_come_down(workers: int, on_fake: Face, fake: FakeService, tmp_path: Path) -> None:
    up = on_fake(lambda svc: svc.files.upload_many(FILES, to=DRIVE, workers=workers))
    assert [outcome.label for outcome in up] == list(FILES)
    assert repr(up) == "upload: 12 of 12 done"
    assert stored(fake) == ONCE
    which = [DRIVE.file(outcome.value.file_id) for outcome in up]
    down = on_fake(lambda svc: svc.files.download_many(which, workers=workers))
    assert [outcome.value for outcome in down] == list(FILES.values())
    saved = on_fake(lambda svc: svc.files.download_many(which, tmp_path / "new", workers=workers))
    assert [outcome.value.read_bytes() for outcome in saved] == list(FILES.values())
    assert {path.suffix for path in (tmp_path / "new").iterdir()} == {".txt"}


def test_ids_are_the_same_in_every_run() -> None:
    def ids() -> list[str]:
        with connect(now="2026-06-01T09:00:00+09:00") as svc:
            return [each.value.file_id for each in svc.files.upload_many(FILES, to=DRIVE) if each.value]

    assert ids() == sorted(ids(), key=len) == ids()
    assert len(ids()) == len(FILES)


def test_how_many_run_at_a_time() -> None:
    with connect(now="2026-06-01T09:00:00+09:00") as standing, connect() as running:
        assert (standing.choose_workers(None), standing.choose_workers(3), running.choose_workers(None)) == (
            1,
            3,
            4,
        )


def test_paths_and_open_files_have_names(on_fake: Face, fake: FakeService, tmp_path: Path) -> None:
    path, other = tmp_path / "a.txt", tmp_path / "b.txt"
    path.write_bytes(b"A")
    other.write_bytes(b"B")
    with other.open("rb") as file:
        on_fake(lambda svc: svc.files.upload_many([path, file, str(path)], to=DRIVE))
    assert stored(fake) == {"a.txt": 2, "b.txt": 1}


def test_names_of_files_are_composed_unless_they_are_given(
    on_fake: Face, fake: FakeService, tmp_path: Path
) -> None:
    composed, decomposed = "報告\u304c.pdf", "報告\u304b\u3099.pdf"
    path = tmp_path / decomposed
    path.write_bytes(b"A")
    on_fake(lambda svc: svc.files.upload(path, to=DRIVE))
    on_fake(lambda svc: svc.files.upload_many([path], to=DRIVE))
    assert stored(fake) == {composed: 2}
    on_fake(lambda svc: svc.files.upload(path, to=DRIVE, name=decomposed))
    assert stored(fake) == {composed: 2, decomposed: 1}


def test_each_may_have_a_place_of_its_own(on_fake: Face, fake: FakeService) -> None:
    photos = {"u-001.png": b"1", "u-002.png": b"2"}
    on_fake(lambda svc: svc.files.upload_many(photos, to=lambda name: places.photo(name.partition(".")[0])))
    assert {"photo/u-001", "photo/u-002"} <= {record["place"] for record in fake.records("files")}


def test_what_failed_is_done_again_and_nothing_else(on_fake: Face, fake: FakeService) -> None:
    fake.faults.status("upload.drive", 409, times=3)
    first = on_fake(lambda svc: svc.files.upload_many(FILES, to=DRIVE))
    assert (len(first.ok), len(first.failed)) == (9, 3)
    assert {type(outcome.error).__name__ for outcome in first.failed} == {"Conflict"}
    assert "409" in repr(first)
    second = on_fake(lambda svc: svc.files.upload_many(first))
    assert (len(second.ok), len(second.failed)) == (12, 0)
    assert stored(fake) == ONCE
    assert [outcome.label for outcome in second] == list(FILES)
    assert on_fake(lambda svc: svc.files.upload_many(second)).failed == []
    assert stored(fake) == ONCE


def test_a_cancelled_batch_goes_on_later(on_fake: Face, fake: FakeService) -> None:
    with pytest.raises(
        Cancelled, match=r"of 12 files are done. files\.upload_many\(error\.result\)"
    ) as caught:
        on_fake(lambda svc: svc.files.upload_many(FILES, to=DRIVE, workers=1, cancel=Cancelling(after=10)))
    found = caught.value.result
    assert 0 < len(found.ok) < 12
    assert stored(fake) == dict.fromkeys(sorted(outcome.label for outcome in found.ok), 1)
    assert on_fake(lambda svc: svc.files.upload_many(found)).failed == []
    assert stored(fake) == ONCE


def test_downloads_go_on_too(on_fake: Face, fake: FakeService, tmp_path: Path) -> None:
    up = on_fake(lambda svc: svc.files.upload_many(FILES, to=DRIVE))
    which = [DRIVE.file(outcome.value.file_id) for outcome in up]
    which.insert(3, DRIVE.file("file-99"))
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled) as caught:
        on_fake(lambda svc: svc.files.download_many(which, tmp_path, cancel=cancel))
    assert list(tmp_path.iterdir()) == []
    down = on_fake(lambda svc: svc.files.download_many(caught.value.result))
    assert len(down.ok) == len(list(tmp_path.iterdir())) == 12
    (failed,) = down.failed
    assert isinstance(failed.error, NotFound)
    assert failed.label == "places.drive('u-001').file('file-99')"
    again = on_fake(lambda svc: svc.files.download_many(which[:2], tmp_path))
    assert [type(outcome.error) for outcome in again.failed] == [FileExistsError] * 2
    assert not on_fake(lambda svc: svc.files.download_many(which[:2], tmp_path, overwrite=True)).failed


def test_what_came_of_them_as_a_frame(on_fake: Face, fake: FakeService, tmp_path: Path) -> None:
    fake.faults.status("upload.drive", 409)
    up = on_fake(lambda svc: svc.files.upload_many(dict(list(FILES.items())[:2]), to=DRIVE, workers=1))
    frame = up.frame()
    assert frame.columns.tolist() == ["item", "state", "why", "place", "file_id", "file_name", "file_size"]
    assert frame["state"].tolist() == ["failed", "ok"]
    assert frame["place"].tolist() == ["places.drive('u-001')"] * 2
    assert frame["file_size"].tolist()[1] == 9
    down = on_fake(lambda svc: svc.files.download_many([DRIVE.file(up[1].value.file_id)], tmp_path)).frame()
    assert down["path"].tolist() == [str(tmp_path / "file-1.txt")]


def test_none_at_all_is_fine(on_fake: Face) -> None:
    assert repr(on_fake(lambda svc: svc.files.upload_many([], to=DRIVE))) == "upload: 0 of 0 done"
    frame = on_fake(lambda svc: svc.files.download_many([])).frame()
    assert frame.columns.tolist() == ["item", "state", "why", "place", "path"]


@pytest.mark.parametrize(
    ("files", "to", "why"),
    [
        ("a.txt", DRIVE, "files must be a list of paths"),
        (b"x", DRIVE, "files must be a list of paths"),
        (5, DRIVE, "files must be a list of paths"),
        ([b"x"], DRIVE, "give the file a name"),
        (dict.fromkeys("ab", BytesIO(b"x")), DRIVE, "the open file for 'b' is given twice"),
        (FILES, None, "the place is missing"),
        (FILES, "u-001", "a place looks like"),
        (FILES, lambda name: name, "a place looks like"),
    ],
)
def test_uploads_that_cannot_be(files: Any, to: Any, why: str, on_fake: Face, fake: FakeService) -> None:
    before = len(fake.journal)
    with pytest.raises(InvalidInput, match=why):
        on_fake(lambda svc: svc.files.upload_many(files, to=to))
    assert len(fake.journal) == before


@pytest.mark.parametrize(
    ("given", "to", "why"),
    [
        (DRIVE.file("f"), None, "places must be a list of places"),
        (["f"], None, "a place looks like"),
        ([DRIVE], None, "does not name a file"),
        ([DRIVE.file("f")], __file__, "to must be a directory"),
    ],
)
def test_downloads_that_cannot_be(given: Any, to: Any, why: str, on_fake: Face, fake: FakeService) -> None:
    before = len(fake.journal)
    with pytest.raises(InvalidInput, match=why):
        on_fake(lambda svc: svc.files.download_many(given, to))
    assert len(fake.journal) == before


HOSTILE_NAMES = (
    "x" * 256,
    "한" * 86,
    "half \ud800.txt",
    "nul",
    "COM1.txt",
    "C:x",
    "a/b",
    "a\\b",
    "..",
    ".",
    "",
    "x.",
    "\u202egpj.exe",
    "line\nbreak",
    "a\0b",
    None,
    5,
)
ONE_FILE = (
    ("a.txt", "A.TXT"),
    ("\u00e9.txt", "e\u0301.txt"),
    ("\u00c9.txt", "e\u0301.txt"),
    ("a.txt", "a.txt"),
)


def test_download_names_are_checked_first(on_fake: Face, fake: FakeService, tmp_path: Path) -> None:
    before = len(fake.journal)
    for number, names in enumerate([*((name,) for name in HOSTILE_NAMES), *ONE_FILE]):
        wanted = {DRIVE.file(f"f-{number}-{place}"): name for place, name in enumerate(names)}
        with pytest.raises(InvalidInput, match=r"files\.download_many was not sent") as refused:
            on_fake(lambda svc, wanted=wanted: svc.files.download_many(wanted, tmp_path / "new"))
        assert len(str(refused.value)) < 500
        assert str(refused.value).isprintable()
    together = {DRIVE.file(f"f-{number}"): name for number, name in enumerate(HOSTILE_NAMES)}
    with pytest.raises(InvalidInput, match=r"'C:x' \(such as 'C_x'\).*; and 7 more"):
        on_fake(lambda svc: svc.files.download_many(together, tmp_path / "new"))
    assert len(fake.journal) == before
    assert not (tmp_path / "new").exists()


def test_names_that_are_fine_everywhere_are_kept(tmp_path: Path) -> None:
    names = ["a.txt", ".hidden", "보고서.pdf", "資料 2026.xlsx", "x" * 250, "a.tar.gz", "e\u0301.txt"]
    wanted = {DRIVE.file(f"f-{number}"): name for number, name in enumerate(names)}
    with download_many(None, wanted, tmp_path) as plan, pytest.raises(Cancelled) as not_run:
        plan.collect()
    assert [each.name for each in not_run.value.result._transfers] == names


def test_a_check_of_many_names_looks_at_each_once(tmp_path: Path) -> None:
    class Counted(str):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Counted.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    download_many(None, {DRIVE.file(f"f-{n}"): Counted(f"{n}.txt") for n in range(2_000)}, tmp_path)
    assert Counted.compared < 20 * 2_000


def test_upload_names_are_checked_first(on_fake: Face, fake: FakeService) -> None:
    before = len(fake.journal)
    files: Any = {None: b"x", "": b"x", "half \ud800": b"x", 5: b"x", "a.txt": 5, "fine.txt": b"x"}
    with pytest.raises(InvalidInput) as refused:
        on_fake(lambda svc: svc.files.upload_many(files, to=DRIVE))
    assert str(refused.value).count(";") == 5  # one of them before "given"
    assert "half of a character" in str(refused.value)
    assert "fine.txt" not in str(refused.value)
    assert len(fake.journal) == before


def test_results_know_where_they_go(on_fake: Face, tmp_path: Path) -> None:
    up = on_fake(lambda svc: svc.files.upload_many(FILES, to=DRIVE))
    with pytest.raises(InvalidInput, match="leave out to="):
        on_fake(lambda svc: svc.files.upload_many(up, to=DRIVE))
    down = on_fake(lambda svc: svc.files.download_many([DRIVE.file("file-1")]))
    with pytest.raises(InvalidInput, match="leave out to="):
        on_fake(lambda svc: svc.files.download_many(down, tmp_path))


def test_a_bar_counts_files(on_fake: Face, capfd: pytest.CaptureFixture[str]) -> None:
    on_fake(lambda svc: svc.files.upload_many(FILES, to=DRIVE, progress=True))
    out, err = capfd.readouterr()
    assert out == ""
    assert err.splitlines()[-1] == "upload: 100%, 12 of 12 items"
    assert err.count("file 1.txt") == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda svc: svc.files.upload(b"x", to=DRIVE, name="x", cancel=True),
        lambda svc: svc.files.upload_many(FILES, to=DRIVE, cancel=True),
        lambda svc: svc.files.download(DRIVE.file("f"), cancel=True),
        lambda svc: svc.files.download_many([DRIVE.file("f")], cancel=True),
    ],
)
def test_what_can_tell_to_stop(call: Any, on_fake: Face, fake: FakeService) -> None:
    before = len(fake.journal)
    with pytest.raises(InvalidInput, match=r"cancel must be a threading\.Event.*; given True"):
        on_fake(call)
    assert len(fake.journal) == before


def test_a_folder_is_refused_with_the_line_that_uploads_its_files(fake: FakeService, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A")
    with connect(fake) as svc:
        with pytest.raises(InvalidInput) as caught:
            svc.files.upload_many(tmp_path, to=DRIVE)
        assert f"[path for path in Path({str(tmp_path)!r}).iterdir() if path.is_file()]" in str(caught.value)


def test_a_notebook_lists_what_was_transferred(on_fake: Face) -> None:
    up = on_fake(lambda svc: svc.files.upload_many({"a.txt": b"a", "b.txt": b"bb"}, to=DRIVE))
    html = up._repr_html_()
    assert "upload: 2 of 2 done" in html
    assert "<summary>done: 2 rows</summary>" in html
    for text in ("a.txt", up[1].value.file_id, "file_size"):
        assert text in html
