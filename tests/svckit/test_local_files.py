"""Whatever a file is called elsewhere, its name here is one that is safe to write."""

import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from svckit import local_files
from svckit.local_files import LONGEST_NAME, clean_file_name, put_in_place

ANY_NAME = st.text() | st.text("./\\ \t\u202e~:aé日", max_size=400)
DEVICES = ["CON", "con.txt", "Prn", "aux.tar.gz", "NUL", "nul .txt", "COM1", "com¹.x", "lpt9.md", "CONIN$"]


@given(ANY_NAME)
@example("..")
@example(".")
@example("")
@example(" ")
@example(".bashrc")
@example("日" * 100 + ".txt")
@example("x" * 300)
@example("CON" + " " * 300 + "x")
@example("a." + "x" * 300)
@example("\ud800")
def test_a_name_is_that_of_a_visible_file_directly_in_its_folder(name: str) -> None:
    made = clean_file_name(name)
    assert (Path("/folder") / made).parent == Path("/folder")
    assert made
    assert not made.startswith(".")
    assert made == made.strip().rstrip(".")
    assert len(made.encode()) <= LONGEST_NAME
    assert not {unicodedata.category(each) for each in made} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert clean_file_name(made) == made


@given(
    st.text().filter(lambda stem: any(each.isalnum() for each in stem)), st.from_regex(r"\A\.[a-z0-9]{1,8}\Z")
)
def test_it_keeps_its_extension(stem: str, extension: str) -> None:
    assert clean_file_name(stem + extension).endswith(extension)


@given(st.text("abc日本 ._-", min_size=1, max_size=60).filter(lambda name: name == name.strip(" .")))
def test_a_name_that_is_safe_stays_as_it_is(name: str) -> None:
    assert clean_file_name(name) == name


class ReadByOthers:
    """A file that is open elsewhere for a number of attempts to replace it, as Windows tells it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, attempts: int) -> None:
        self.waited: list[float] = []
        replace, left = Path.replace, iter(range(attempts))

        def refuse(part: Path, target: Path) -> Path:
            if next(left, None) is not None:
                raise PermissionError(13, "The process cannot access the file because it is being used")
            return replace(part, target)

        monkeypatch.setattr(Path, "replace", refuse)
        monkeypatch.setattr(time, "sleep", self.waited.append)


@pytest.mark.parametrize("attempts", [1, 6])
def test_file_read_by_others_is_replaced_later(
    attempts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = ReadByOthers(monkeypatch, attempts)
    target = tmp_path / "rows.csv"
    target.write_bytes(b"old")
    monkeypatch.setattr(local_files.os, "name", "nt")
    (tmp_path / "part").write_bytes(b"new")
    put_in_place(tmp_path / "part", target)
    monkeypatch.undo()
    assert target.read_bytes() == b"new"
    assert others.waited == list(local_files.PATIENCE[:attempts])


@pytest.mark.parametrize("system", ["nt", "posix"])
def test_a_file_that_stays_open_stays_as_it_was(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = ReadByOthers(monkeypatch, 100)
    target = tmp_path / "rows.csv"
    target.write_bytes(b"old")
    (tmp_path / "part").write_bytes(b"new")
    part = tmp_path / "part"
    monkeypatch.setattr(local_files.os, "name", system)
    with pytest.raises(PermissionError):
        put_in_place(part, target)
    monkeypatch.undo()
    assert target.read_bytes() == b"old"
    assert bool(others.waited) == (system == "nt")


@pytest.mark.parametrize("name", DEVICES)
def test_a_device_of_windows_is_not_written_to(name: str) -> None:
    assert clean_file_name(name) == f"_{name}"
