"""Tokens in a file: for its owner only, whole or not at all, and for the URLs they were issued for."""

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from svckit.errors import UnusableProfile
from svckit.models.secret import Secret
from svckit.profiles.credentials import Tokens
from svckit.profiles.file_store import FileStore, ProcessLock
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.profiles import Profile
from svckit.profiles.token_cache import StoredTokens, choose_store
from svckit.profiles.toml_file import user_file

from .settings import WORK, load, write

TOKENS = Tokens(Secret("canary-access"), Secret("canary-refresh"), datetime(2026, 6, 2, tzinfo=UTC))


@pytest.fixture
def stored(profile: Profile) -> StoredTokens:
    cache = StoredTokens(profile, FileStore())
    cache.save(TOKENS)
    return cache


def list_files() -> list[Path]:
    return sorted(path for path in Path(os.environ["HOME"]).rglob("*") if path.is_file())


def test_tokens_are_kept_and_found_again(stored: StoredTokens, profile: Profile) -> None:
    assert StoredTokens(profile, FileStore()).load() == TOKENS
    assert stored.forget()
    assert not stored.forget()
    assert (stored.load(), list_files()) == (None, [])


@pytest.mark.skipif(os.name == "nt", reason="modes mean nothing there")
def test_only_the_owner_can_read_them(stored: StoredTokens) -> None:
    stored.save(TOKENS)
    (path,) = list_files()
    assert [oct(each.stat().st_mode & 0o777) for each in (path, path.parent)] == ["0o600", "0o700"]


@pytest.mark.skipif(os.name == "nt", reason="modes mean nothing there")
def test_reading_takes_the_file_from_others(stored: StoredTokens) -> None:
    (path,) = list_files()
    path.chmod(0o644)
    assert stored.load() == TOKENS
    assert oct(path.stat().st_mode & 0o777) == "0o600"


ON_POSIX = pytest.mark.skipif(os.name == "nt", reason="modes mean nothing there")


@ON_POSIX
def test_a_link_is_neither_followed_nor_changed(stored: StoredTokens, tmp_path: Path) -> None:
    (path,) = list_files()
    other = tmp_path / "other"
    other.write_bytes(path.read_bytes())
    other.chmod(0o644)
    path.unlink()
    path.symlink_to(other)
    with pytest.raises(
        UnusableProfile, match=r"\.json is a link, so .* not read\. Delete it, and sign in again"
    ):
        stored.load()
    assert oct(other.stat().st_mode & 0o777) == "0o644"
    stored.save(TOKENS)  # takes the place of the link
    assert (stored.load(), path.is_symlink()) == (TOKENS, False)


@ON_POSIX
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o702])
def test_a_folder_that_others_can_write_in_is_not_trusted(stored: StoredTokens, mode: int) -> None:
    (path,) = list_files()
    path.parent.chmod(mode)
    with pytest.raises(UnusableProfile, match=rf"\(mode {mode:04o}\).*chmod 700 "):
        stored.load()
    path.parent.chmod(0o700)
    assert stored.load() == TOKENS


@ON_POSIX
def test_a_file_of_another_user_is_not_trusted(stored: StoredTokens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    with pytest.raises(UnusableProfile, match="belongs to another user"):
        stored.load()


@ON_POSIX
def test_a_pipe_is_not_waited_for(stored: StoredTokens) -> None:
    (path,) = list_files()
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(UnusableProfile, match="is not a file"):
        stored.load()


@pytest.mark.parametrize("text", ["[" * 100_000, '{"access":' * 100_000, "", "\0", "null", '{"access": {}}'])
def test_a_damaged_file_holds_no_tokens(stored: StoredTokens, text: str) -> None:
    (path,) = list_files()
    path.write_text(text, encoding="utf-8")
    assert stored.load() is None
    assert stored.exist  # so that `svckit profiles` says that they are damaged


@pytest.mark.parametrize("url", ["base_url", "auth_url", "upload_url"])
@pytest.mark.parametrize("kind", [FileStore, KeyringStore])
def test_they_are_for_the_urls_they_were_issued_for(
    kind: type[FileStore | KeyringStore], url: str, profile: Profile
) -> None:
    """A file in a project that one has been given cannot have the tokens of `work` sent to its own server."""
    StoredTokens(profile, kind()).save(TOKENS)
    other = replace(profile, **{url: "https://evil.test"})
    assert StoredTokens(other, kind()).load() is None


def test_a_write_that_fails_leaves_the_old_tokens(
    stored: StoredTokens, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device"))
    )
    store = FileStore()
    StoredTokens(profile, store).save(replace(TOKENS, access=Secret("other")))
    assert store.absence.endswith("cannot be written: No space left on device")
    assert stored.load() == TOKENS
    assert len(list_files()) == 1


def test_a_folder_that_is_read_only_is_named(monkeypatch: pytest.MonkeyPatch, profile: Profile) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert FileStore().absence.endswith(" is read-only")
    assert StoredTokens(profile, FileStore()).make_lock() is None


def test_a_lock_is_for_one_at_a_time_and_never_in_the_way(tmp_path: Path) -> None:
    one, other = ProcessLock(tmp_path / "work.lock"), ProcessLock(tmp_path / "work.lock")
    assert one.acquire()
    assert not other.acquire()
    one.release()
    assert other.acquire()
    (tmp_path / "file").touch()
    assert ProcessLock(tmp_path / "file" / "work.lock").acquire()


def test_the_profile_says_where_tokens_are_kept(profile: Profile) -> None:
    write(f'{WORK}tokens = "file"\n')
    assert isinstance(choose_store(load().profile("work").tokens, KeyringStore()), FileStore)
    assert isinstance(choose_store(profile.tokens, KeyringStore()), KeyringStore)
    (problem,) = load(SVCKIT_WORK_TOKENS="disk").problems("work")
    assert problem.endswith("SVCKIT_WORK_TOKENS: tokens takes keyring or file; given 'disk'")
    with pytest.raises(ValueError, match="tokens of profile 'work' takes keyring or file; given 'disk'"):
        replace(profile, tokens="disk")


def test_a_repository_does_not_move_tokens_out_of_the_keyring() -> None:
    write(WORK, user_file())
    write('[work]\ntokens = "file"\n')
    (problem,) = load().problems("work")
    assert "this file cannot say where tokens are saved" in problem


@pytest.mark.skipif(os.name == "nt", reason="a profile folder is always there")
def test_without_a_home_folder_nothing_is_saved_and_the_file_is_named(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)

    def fail(*_: object) -> None:
        raise KeyError("no such user")  # as in a container that runs as any number

    monkeypatch.setattr("pwd.getpwuid", fail)
    tokens = StoredTokens(profile, FileStore())
    assert tokens.load() is None
    assert str(tokens.path).startswith(f"{os.sep}.local{os.sep}state{os.sep}svckit{os.sep}")
    assert load(SVCKIT_BASE_URL="https://api.example.com").names == []
    monkeypatch.setattr("keyring.get_keyring", Path.home)  # which it asks for its configuration
    assert KeyringStore().absence == "there is no home folder: set HOME"
