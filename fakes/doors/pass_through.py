"""The other hosts that the doors for whole libraries let their clients reach."""

import re
from collections.abc import Callable, Collection
from inspect import unwrap
from typing import Any, cast
from urllib.parse import urlsplit

from fakes.http.addresses import BaseURLs, UnknownURL
from svckit.display.masking import mask

__all__ = ["PassThrough", "bind", "is_let_through", "is_own", "make_refusal", "serves"]

HOST = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|[0-9a-f:.]*:[0-9a-f:.]*")

_open: list["PassThrough"] = []
"""What the open doors let through: a request leaves the machine if one of them names its host."""


class PassThrough:
    """The hosts that may really be called while a door is open.

    Args:
        hosts: True for all, False for none, or their names.

    Raises:
        ValueError: it is something else.

    Examples:
        >>> passed = PassThrough(["example.com"])
        >>> passed.names("https://Example.com:8443/x"), passed.names("https://www.example.com/")
        (True, False)
    """

    def __init__(self, hosts: bool | Collection[str]) -> None:
        if not isinstance(hosts, (bool, list, tuple, set, frozenset)):
            raise ValueError(
                f'pass_through must be True, False, or a list of host names, such as ["example.com"]; given {hosts!r}'
            )
        names = () if isinstance(hosts, bool) else hosts
        wrong = [name for name in names if not isinstance(name, str) or not HOST.fullmatch(name.lower())]
        if wrong:
            raise ValueError(
                "pass_through takes names of hosts without a scheme, a port or a path, such as example.com; given "
                f"{', '.join(mask(repr(name)) for name in wrong)}"
            )
        self._all = hosts is True
        self._names = frozenset(name.lower() for name in names)

    def names(self, url: str) -> bool:
        """Return whether the host of a URL may be called."""
        return self._all or urlsplit(url).hostname in self._names

    def open(self) -> None:
        """Let these hosts through until `close`."""
        _open.append(self)

    def close(self) -> None:
        """Let these hosts through no longer."""
        _open[:] = (other for other in _open if other is not self)


def is_let_through(url: str) -> bool:
    """Return whether one of the open doors lets a request to a URL through to the network."""
    return any(door.names(url) for door in tuple(_open))


def serves(
    base_urls: BaseURLs,
    url: str,
    is_last: Callable[[], bool],
    lets_through: Callable[[str], bool] = is_let_through,
) -> bool:
    """Return whether a request of a library is for the fake, or else for what is around the door.

    Args:
        base_urls: the base URLs of the fake.
        url: the URL of the request.
        is_last: returns whether the network comes next, and no mock and no other door.
        lets_through: returns whether the network may be reached at a URL.

    Raises:
        UnknownURL: it is for another host, which it must not reach.
    """
    try:
        base_urls.locate(url)
    except UnknownURL as unknown:
        if not is_last():
            return False
        if not unknown.is_own_origin and not lets_through(url):
            raise
        return unknown.is_own_origin
    return True


def is_own(method: Callable[..., object], owner: type) -> bool:
    """Return whether a method is the library's own, perhaps recorded or measured, and not a mock.

    What records or measures calls, such as a cassette of vcrpy, names the method in its ``__wrapped__``.

    Examples:
        >>> import httpx
        >>> is_own(httpx.HTTPTransport.handle_request, httpx.HTTPTransport), is_own(print, httpx.HTTPTransport)
        (True, False)
    """
    written_in = getattr(unwrap(method), "__globals__", {}).get(
        "__name__", ""
    )  # mocks may copy ``__module__``
    return str(written_in).partition(".")[0] == owner.__module__.partition(".")[0]


def bind(method: Callable[..., Any], instance: object) -> Callable[..., Any]:
    """Bind what stands in the place of a method to an instance, as attribute access does; mocks stay as they are."""
    get = getattr(type(method), "__get__", None)
    return method if get is None else cast("Callable[..., Any]", get(method, instance, type(instance)))


def make_refusal(unknown: UnknownURL, url: str, mocked: Collection[str] = ()) -> str:
    """Explain that a request to another host is refused, and how it would not be.

    Args:
        unknown: what the fake says.
        url: the URL.
        mocked: the requests that are mocked in the same block.
    """
    host = urlsplit(url).hostname
    mocks = f"; mocked are {', '.join(mocked)}" if mocked else ""
    return f"{unknown}{mocks}; pass_through=[{host!r}] would let requests to this host through to the network"
