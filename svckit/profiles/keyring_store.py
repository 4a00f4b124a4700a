"""The system's keyring, if there is one. Only this module uses the package ``keyring`` (extra ``keyring``).

Only a keyring that protects its secrets is used. Some backends, such as ``PlaintextKeyring`` of the package
``keyrings.alt``, write secrets to a file in plain text, and ``keyring`` falls back to one of them if it finds nothing
better. Such a backend is rejected by name, unless ``PYTHON_KEYRING_BACKEND`` names it: then somebody wants it.
"""

import os
import re
from contextlib import suppress
from typing import Any, NamedTuple

from svckit.extras import install_command
from svckit.models.secret import Secret
from svckit.tracebacks import forgetting_all_locals

__all__ = ["SERVICE", "KeyringStore"]

SERVICE = "svckit"
CHOICE = "PYTHON_KEYRING_BACKEND"
RECOMMENDED = 1
"""The lowest priority that `keyring` recommends; backends below it protect little or nothing."""
NO_BACKEND = (
    "this system has no keyring that the package keyring supports: on Linux without a desktop, start one with "
    "`dbus-run-session -- bash` and, in that shell, `gnome-keyring-daemon --unlock`"
)
_PLAIN = re.compile(r"plain[ _-]?text|unencrypted|insecure", re.IGNORECASE)


class Keyrings(NamedTuple):
    """The keyrings that were found.

    Attributes:
        backends: the keyrings to use.
        absence: why no keyring is available; empty if one is.
        is_unsafe: whether the only keyring was rejected because it does not protect its secrets.
    """

    backends: list[Any]
    absence: str = ""
    is_unsafe: bool = False


class KeyringStore:
    """Secrets by name, in the system's keyring under the service ``svckit``.

    Without a keyring, the store is empty and `absence` says why. The same goes for a keyring once it is locked or
    refuses access. The store looks for the keyring on first use, since that can take a while.
    """

    def __init__(self) -> None:
        self._keyrings: Keyrings | None = None

    @property
    def absence(self) -> str:
        """The reason why nothing can be saved; empty if it can."""
        return self._open().absence

    @property
    def is_unsafe(self) -> bool:
        """True if the only keyring is not used because it does not protect its secrets."""
        return self._open().is_unsafe

    @property
    def title(self) -> str:
        """The name of the keyring, for people."""
        backends = self._open().backends
        return f"the keyring ({_name(backends[0])})" if backends else "no keyring"

    def read(self, name: str) -> Secret | None:
        """Return the secret with a name, if there is one."""
        values = (self._call(backend, "get_password", name) for backend in self._open().backends)
        return next((value for value in values if isinstance(value, Secret)), None)

    def write(self, name: str, secret: Secret) -> bool:
        """Save a secret and return whether that worked."""
        for backend in self._open().backends:
            if self._call(backend, "set_password", name, secret) is not NotImplemented:
                break
        return not self.absence

    def forget(self, name: str) -> bool:
        """Delete the secret with a name and return whether there was one."""
        backends = self._open().backends
        holders = [
            backend for backend in backends if isinstance(self._call(backend, "get_password", name), Secret)
        ]
        for backend in holders:
            self._call(backend, "delete_password", name)
        return bool(holders) and not self.absence

    def _call(self, backend: Any, verb: str, name: str, secret: Secret | None = None) -> Any:
        try:
            with forgetting_all_locals:
                return _call_backend(backend, verb, name, secret)
        except NotImplementedError:  # one of several, which stores other secrets only
            return NotImplemented
        except Exception as error:  # noqa: BLE001 - backends raise what their platforms raise
            self._keyrings = Keyrings([], f"the system's keyring refuses access ({type(error).__name__})")
            return None

    def _open(self) -> Keyrings:
        if self._keyrings is None:
            self._keyrings = _find_backends()
        return self._keyrings


def _call_backend(backend: Any, verb: str, name: str, secret: Secret | None) -> Secret | None:
    if secret is not None:
        getattr(backend, verb)(SERVICE, name, secret.reveal())
        return None
    text = getattr(backend, verb)(SERVICE, name)
    return Secret(text) if isinstance(text, str) and text else None


def _find_backends() -> Keyrings:
    """Look for backends to use."""
    try:
        import keyring
        from keyring.backends import chainer, fail, null
    except ModuleNotFoundError:
        return Keyrings([], f"the package keyring is not installed: {install_command('keyring')}")
    try:
        backend = keyring.get_keyring()
    except RuntimeError:  # it looks for its configuration there
        return Keyrings([], "there is no home folder: set HOME")
    if isinstance(backend, null.Keyring):
        return Keyrings([], "the keyring is turned off")
    if isinstance(backend, fail.Keyring):
        return Keyrings([], NO_BACKEND)
    candidates = list(backend.backends) if isinstance(backend, chainer.ChainerBackend) else [backend]
    unsafe = {
        _path(candidate): reason
        for candidate in candidates
        if (reason := _describe_danger(candidate)) and os.environ.get(CHOICE) != _path(candidate)
    }
    safe = [candidate for candidate in candidates if _path(candidate) not in unsafe]
    if safe or not unsafe:
        return Keyrings(safe, "" if safe else NO_BACKEND)
    path, reason = next(iter(unsafe.items()))
    absence = (
        f"the keyring {path} {reason}: unlock or install the system's keyring, use one that encrypts, or, to use this "
        f"one anyway or to let `svckit logout` clear it, set {CHOICE}={path}"
    )
    return Keyrings([], absence, is_unsafe=True)


def _describe_danger(backend: Any) -> str:
    """Say why a backend is not trusted with secrets; empty if it is."""
    if any(
        _PLAIN.search(name) for name in (_name(backend), *(kind.__name__ for kind in type(backend).__mro__))
    ):
        return "keeps secrets as plain text, where any program of yours can read them"
    with suppress(Exception):  # a backend that cannot run here raises its own errors
        if backend.priority >= RECOMMENDED:
            return ""
    return f"is not recommended by the package keyring (its priority is below {RECOMMENDED})"


def _name(backend: Any) -> str:
    return str(getattr(backend, "name", type(backend).__name__))


def _path(backend: Any) -> str:
    return f"{type(backend).__module__}.{type(backend).__qualname__}"
