"""Files with tokens, for machines without a keyring, and locks between processes.

Each file is readable by its owner only (mode 0600) and is replaced as a whole. What somebody else may have put there is
not read: a link, another user's file, or a file in a folder that others can write in. On Windows modes have no meaning:
there the access list of the user's own folder protects it.
"""

import os
import stat
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from svckit.errors import UnusableProfile
from svckit.local_files import put_in_place
from svckit.models.secret import Secret
from svckit.profiles.keys import variable_word

__all__ = ["FileStore", "ProcessLock", "find_path"]

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class FileStore:
    """Secrets by name, each in a file of the platform's folder for state, such as ``~/.local/state/svckit``.

    It has the members of `svckit.profiles.keyring_store.KeyringStore`; one of the two is a ``SecretStore``.
    """

    is_unsafe = False

    def __init__(self) -> None:
        self._failure = ""

    @property
    def absence(self) -> str:
        """The reason why nothing can be saved; empty if it can."""
        folder = _find_folder()
        existing = next(path for path in (folder, *folder.parents) if path.exists())
        if self._failure or not os.access(existing, os.W_OK):
            return self._failure or f"the folder {existing} is read-only"
        return ""

    @property
    def title(self) -> str:
        """The name of the store, for people."""
        return f"a file in {_find_folder()}"

    def read(self, name: str) -> Secret | None:
        """Return the secret with a name, if there is one.

        Raises:
            UnusableProfile: somebody else may have written it.
        """
        path = find_path(name)
        with suppress(OSError):
            _check_own(path, path.lstat(), path.parent.stat())
            # A link that takes the place of the file only now is not followed, and a pipe not waited for.
            descriptor = os.open(path, os.O_RDONLY | _NO_LINK)
            with open(descriptor, encoding="utf-8", errors="replace") as file:
                if hasattr(os, "fchmod"):
                    # As it was written; a copy or a backup may be open to others.
                    os.fchmod(descriptor, 0o600)
                return Secret(file.read())  # who damaged it is told so
        return None

    def write(self, name: str, secret: Secret) -> bool:
        """Save a secret and return whether that worked."""
        try:
            _replace(find_path(name), secret)
        except OSError as error:
            self._failure = f"{find_path(name)} cannot be written: {error.strerror}"
        return not self._failure

    def forget(self, name: str) -> bool:
        """Delete the secret with a name and return whether there was one."""
        try:
            find_path(name).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            self._failure = f"{find_path(name)} cannot be deleted: {error.strerror}"
        return not self._failure


def _check_own(path: Path, file: os.stat_result, folder: os.stat_result) -> None:
    """Check that only this user can have written a file.

    Raises:
        UnusableProfile: others can, or it is not a file; says what to do.
    """
    user, problem = getattr(os, "geteuid", lambda: file.st_uid)(), ""
    if not stat.S_ISREG(file.st_mode):
        kind = "a link" if stat.S_ISLNK(file.st_mode) else "not a file"
        problem = f"{path} is {kind}, so the tokens in it were not read"
    elif file.st_uid != user:
        problem = f"{path} belongs to another user, so the tokens in it were not read"
    elif os.name == "posix" and (folder.st_mode & OTHERS_WRITE or folder.st_uid not in (user, 0)):
        mode = stat.S_IMODE(folder.st_mode)
        problem = (
            f"others can write in the folder of {path} (mode {mode:04o}), so the tokens in it were not read"
        )
    if problem:
        closing = f"; close it with: chmod 700 {path.parent}" if "folder" in problem else ""
        raise UnusableProfile(f"{problem}. Delete it, and sign in again{closing}")


class ProcessLock:
    """A lock between processes, in a file; it is never waited for.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     one, other = (ProcessLock(Path(folder, "work.lock")) for _ in range(2))
        ...     taken = one.acquire(), other.acquire()
        ...     one.release()
        ...     taken
        (True, False)
    """

    def __init__(self, path: Path) -> None:
        from filelock import FileLock

        self._path = path
        self._lock = FileLock(path, mode=0o600)

    def acquire(self) -> bool:
        """Acquire the lock and return whether that worked; where no file can be written, it always does."""
        from filelock import Timeout

        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock.acquire(blocking=False)
        except Timeout:
            return False
        except (OSError, NotImplementedError):  # a read-only folder: renewing twice does no harm
            pass
        return True

    def release(self) -> None:
        """Release the lock if it is held."""
        self._lock.release()


def _replace(path: Path, secret: Secret) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)  # with mode 0600
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(secret.reveal())
            file.flush()
            os.fsync(descriptor)
        put_in_place(Path(temporary), path)
    except BaseException:
        Path(temporary).unlink()
        raise


def _find_folder() -> Path:
    from platformdirs import user_state_path

    try:
        return user_state_path("svckit", appauthor=False)
    except RuntimeError:  # no home folder, as in a container: then as if it were the root
        return Path(os.sep, ".local", "state", "svckit")


def find_path(name: str, suffix: str = ".json") -> Path:
    """Return the path of a secret's file: its profile, and a hash of the name, which has a URL in it."""
    profile = variable_word(name.partition("/")[0]).lower()
    return _find_folder() / f"{profile}-{sha256(name.encode()).hexdigest()[:16]}{suffix}"
