"""Other machines: encodings without some characters, folders, users and time zones that few developers have."""

import errno
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

from fakes.http.content import SPOOL_LIMIT, StoredContent
from svckit.jupyter.running import choose_sockets

from .command import run_command

ROOT = Path(__file__).parents[2]
ENCODINGS = ["cp1252", "cp932", "cp437", "ascii"]
PEOPLE = "user_id,name\nu-001,José 美奈 😀\n"
COMMANDS = [
    (["openapi"], "cp932"),
    (["serve", "--help"], "cp1252"),
    (["serve", "--help"], "ascii"),
]


def run(*words: object, folder: Path, **variables: str) -> bytes:
    """Return what a command prints whose output is not a terminal; fail with its complaints."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "SVCKIT"))
    }
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=folder,
        env=kept | {"PYTHONPATH": str(ROOT), "HOME": str(folder), "COLUMNS": "80"} | variables,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout


@pytest.mark.parametrize(("words", "encoding"), COMMANDS)
def test_output_is_redirected_in_any_encoding(words: list[str], encoding: str, tmp_path: Path) -> None:
    limited = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LANG": "C"}
    printed = run("-m", "svckit", *words, folder=tmp_path, **limited).decode(encoding)
    if "--help" in words:
        assert "Usage: " in printed
    else:
        assert json.loads(printed) == json.loads(run_command(*words).stdout)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_is_json_whatever_characters_it_has(encoding: str, tmp_path: Path) -> None:
    program = f"from svckit.cli.reporting import show_json; show_json(text={PEOPLE!a})"
    printed = run("-c", program, folder=tmp_path, PYTHONIOENCODING=encoding).decode(encoding)
    assert json.loads(printed) == {"text": PEOPLE}


def test_json_keeps_what_the_encoding_has(tmp_path: Path) -> None:
    program = "from svckit.cli.reporting import show_json; show_json(text='caf\\xe9')"
    assert "café" in run("-c", program, folder=tmp_path, PYTHONIOENCODING="cp1252").decode("cp1252")


WORK = """
import os, sys
import svckit
from fakes import FakeService
from svckit import places
from svckit.models.secret import Secret
from svckit.profiles.file_store import FileStore

def work():
    svc = svckit.connect(FakeService.sample(users=3))
    assert svc.users.update("u-001", nick_name="美奈", time_zone="Asia/Tokyo").nick_name == "美奈"
    stored = svc.files.upload(b"a photo", to=places.drive("u-001"), name="写真 1.txt")
    place = places.drive("u-001").file(stored.file_id)
    assert svc.files.download(place) == b"a photo"
    try:
        saved = svc.files.download(place, to="写真 1.txt", overwrite=True)
        return saved.read_bytes() == b"a photo", FileStore().write("work/tokens", Secret("s"))
    except OSError as error:
        return type(error).__name__, FileStore().write("work/tokens", Secret("s"))

done = work()
if sys.argv[1:]:  # somebody who cannot read where this Python is: all is loaded by now
    os.chdir(sys.argv[1])
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
    done = work()
print(ascii(done))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose name has a space and Japanese."""
    (tmp_path / "人事 2026").mkdir()
    return tmp_path / "人事 2026"


@pytest.mark.parametrize(
    "variables",
    [{"LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONTZPATH": ""}],
    ids=["in the locale C", "without time zones"],
)
def test_work_goes_on(variables: dict[str, str], folder: Path) -> None:
    if "LANG" in variables and sys.platform != "win32":
        folder = folder.parent  # this locale has no names in Japanese
        work = WORK.replace('"写真 1.txt", overwrite', '"photo 1.txt", overwrite')
    else:
        work = WORK
    (folder / "work.py").write_text(work, "utf-8")
    assert run("work.py", folder=folder, **variables).split() == [b"(True,", b"True)"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root becomes somebody else")
@pytest.mark.parametrize(
    ("mode", "expected"), [(0o777, "(True, False)"), (0o555, "('PermissionError', False)")]
)
def test_another_user_works_where_she_may(mode: int, expected: str, folder: Path) -> None:
    (folder / "work.py").write_text(WORK, "utf-8")
    hers = folder / "hers"
    hers.mkdir()
    hers.chmod(mode)
    for above in hers.parents:
        if above.is_relative_to(folder.parents[1]):
            above.chmod(0o755)
    assert run("work.py", hers, folder=folder).decode().strip() == expected


def test_command_without_typer_names_the_extra(tmp_path: Path) -> None:
    missing = "import sys; sys.modules['typer'] = None; sys.argv[1:] = ['--help']; "
    caught = "import traceback\ntry: import svckit.cli\nexcept ImportError as error: print(error)"
    shown = run("-c", f"{missing}\n{caught}", folder=tmp_path).decode()
    assert shown.startswith("The svckit command, and its --help, needs typer.")
    assert "[lab]" in shown
    program = f"{missing}import runpy; runpy.run_module('svckit', run_name='__main__')"
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (ended.returncode, ended.stderr) == (1, shown.replace(os.linesep, "\n"))


@pytest.mark.parametrize("number", [errno.EPIPE, errno.EINVAL])
def test_a_closed_pipe_is_told_as_windows_tells_it_too(
    number: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    serve: Any = import_module("svckit.cli.serve")  # not the function

    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(serve, "print", refuse, raising=False)
    monkeypatch.setattr(serve.os, "dup2", lambda *_: None)
    with pytest.raises(typer.Exit):
        serve.print_ready_line("{}")
    assert "standard output was closed" in capfd.readouterr().err


def test_the_file_of_a_content_is_not_deleted_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = StoredContent(b"x" * (SPOOL_LIMIT + 1), folder=tmp_path)
    lock, held = content._storage.lock, []  # each read holds it
    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", lambda path, missing_ok: held.append(lock.locked()))
        content.discard()
    assert held == [True]


@pytest.mark.parametrize(("folder", "is_file"), [("/tmp/svckit-1", True), ("/tmp/" + "日" * 31, False)])
def test_a_kernel_listens_in_files_whose_path_is_short(folder: str, is_file: bool) -> None:
    assert ("ip" in choose_sockets(folder)) == is_file
