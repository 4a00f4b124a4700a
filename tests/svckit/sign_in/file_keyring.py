"""A keyring in a file, so that processes share it; for tests only, since it hides nothing."""

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.compat.properties import classproperty


class FileKeyring(KeyringBackend):
    name = "a file"

    @classproperty
    def priority(self) -> float:
        """Only there where a test says in which file."""
        if "FILE_KEYRING" not in os.environ:
            raise RuntimeError("no file")
        return 1

    @property
    def _path(self) -> Path:
        return Path(os.environ["FILE_KEYRING"])

    def get_password(self, service: str, username: str) -> str | None:
        return self._entries().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._write({**self._entries(), f"{service} {username}": password})

    def delete_password(self, service: str, username: str) -> None:
        entries = self._entries()
        del entries[f"{service} {username}"]
        self._write(entries)

    def _entries(self) -> dict[str, str]:
        return json.loads(self._path.read_text()) if self._path.exists() else {}

    def _write(self, entries: dict[str, str]) -> None:
        self._path.write_text(json.dumps(entries))
