"""The system's keyring, where there is one: the one module that knows the package ``keyring`` (extra ``keyring``)."""

from types import ModuleType
from typing import Any

from svckit.models.extras import how_to_get
from svckit.models.secret import Secret

__all__ = ["SERVICE", "KeyringStore"]

SERVICE = "svckit"
NO_BACKEND = (
    "this system has no keyring that the package keyring knows. On Linux without a desktop, one runs after "
    "`dbus-run-session -- bash` and, in it, `gnome-keyring-daemon --unlock`. Without any, "
    'svckit.connect(…, sign_in="paste") signs in for one session'
)


class KeyringStore:
    """Secrets by name, in the system's keyring under the service ``svckit``.

    Where there is no keyring it holds nothing, and `absence` says why. A keyring that is locked, or that refuses,
    is treated likewise from then on. It is looked for on first use, since that can take a while.
    """

    def __init__(self) -> None:
        self._found: tuple[ModuleType | None, str] | None = None

    @property
    def absence(self) -> str:
        """Why nothing can be kept; empty where it can."""
        return self._opened()[1]

    @property
    def title(self) -> str:
        """What keeps the secrets, in words for people."""
        keyring, _ = self._opened()
        if keyring is None:
            return "no keyring"
        backend = keyring.get_keyring()
        return f"the keyring ({getattr(backend, 'name', type(backend).__name__)})"

    def read(self, name: str) -> Secret | None:
        """The secret of a name, if there is one."""
        text = self._asked("get_password", name)
        return Secret(text) if isinstance(text, str) and text else None

    def write(self, name: str, secret: Secret) -> bool:
        """Keep a secret; says whether that was done."""
        self._asked("set_password", name, secret)
        return not self.absence

    def forget(self, name: str) -> bool:
        """Have no secret of that name any more; says whether there was one."""
        there = self.read(name) is not None
        if there:
            self._asked("delete_password", name)
        return there and not self.absence

    def _asked(self, verb: str, name: str, secret: Secret | None = None) -> Any:
        keyring, _ = self._opened()
        if keyring is None:
            return None
        try:
            if secret is not None:
                return getattr(keyring, verb)(SERVICE, name, secret.reveal())
            return getattr(keyring, verb)(SERVICE, name)
        except Exception as refused:  # noqa: BLE001 - backends raise what their platforms raise
            self._found = None, f"the system's keyring refuses: {type(refused).__name__}"
            return None

    def _opened(self) -> tuple[ModuleType | None, str]:
        if self._found is None:
            self._found = _usable()
        return self._found


def _usable() -> tuple[ModuleType | None, str]:
    try:
        import keyring
        from keyring.backends import fail, null
    except ModuleNotFoundError:
        return None, f"the package keyring is not installed: {how_to_get('keyring')}"
    backend = keyring.get_keyring()
    if isinstance(backend, null.Keyring):
        return None, "the keyring is switched off"
    if isinstance(backend, fail.Keyring):
        return None, NO_BACKEND
    return keyring, ""
