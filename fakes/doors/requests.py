"""The door for requests: while it is open, every `requests` session reaches the fake.

The library `responses` replaces the sending of requests. Those for the fake go through an adapter of `requests`.
"""

import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import zip_longest
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from responses import RequestsMock
from responses._recorder import Recorder

from fakes.doors.pass_through import PassThrough, bind, is_let_through, is_own, make_refusal, serves
from fakes.doors.requests_adapter import FakeAdapter
from fakes.engine.engine import Engine
from fakes.http.addresses import UnknownURL, normalize_url

__all__ = ["FakeResponses"]

Send = Callable[..., requests.Response]

EVERYWHERE = ("http://", "https://")


class FakeResponses(RequestsMock):
    """A `responses` mock that serves a fake; other hosts go to the mocks around it, or are refused.

    Use it as a context manager. Redirects are left to `requests`, which follows them by default and drops the bearer
    on the way to another host. Mock other hosts as usual with `responses`:
    ``with fake.responses() as mock: mock.get("https://example.com", …)``, or around the block, such as with
    ``@responses.activate``: what neither the fake nor a mock on this object has goes to the mocks around it, and they
    respond or refuse. Without any, other hosts are refused unless ``pass_through`` names them. The recorder of
    `responses` is not a mock: around the block, it gets the requests that are passed through.

    A mock for a URL of the fake takes precedence if it is registered on this object; such calls never reach the fake.
    Calls to the fake are recorded in ``fake.journal``, not in ``mock.calls``, which would keep their bodies. A door
    entered several times stays open until it is left as often.

    Args:
        engine: the fake.
        pass_through: the names of other hosts that are really called, such as ``["example.com"]``, or True for all.
            An origin of the fake is never called: below it, what no base URL has gets a 404 with an explanation.

    Raises:
        ValueError: ``pass_through`` is something else.
        requests.ConnectionError: on a call to another host; it names the base URLs of the fake.

    Examples:
        >>> import requests
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> with fake.responses():
        ...     requests.post(fake.facts["webhooks"][0], json={"body": {"text": "hello"}}).json()
        {'code': 200, 'description': 'success'}
        >>> with fake.responses():
        ...     requests.get("https://example.com")
        Traceback (most recent call last):
        ...
        requests.exceptions.ConnectionError: https://example.com is not served by this fake, ...
    """

    def __init__(self, engine: Engine, pass_through: bool | Collection[str] = False) -> None:
        self._passed = PassThrough(pass_through)
        self._engine = engine
        self._opened = 0
        super().__init__(assert_all_requests_are_fired=False, passthru_prefixes=EVERYWHERE)
        self._send_really, self._real_send = self._real_send, self._send_on
        self._around: Send = self._send_really

    def start(self) -> None:
        """Open the door, or count one more entry if it is open."""
        self._opened += 1
        if self._opened == 1:
            self._around = HTTPAdapter.send
            self._passed.open()
        super().start()

    def stop(self, allow_assert: bool = True) -> None:
        """Close the door if this call matches the first opening."""
        self._opened = max(0, self._opened - 1)
        if not self._opened:
            self._passed.close()
            super().stop(allow_assert)

    def __exit__(self, *failure: object) -> None:
        """Close the door, and remove the registered mocks once it is closed."""
        self.stop()
        if not self._opened:
            self.reset()

    def reset(self) -> None:
        """Remove the registered mocks."""
        super().reset()
        self.passthru_prefixes = EVERYWHERE

    def __repr__(self) -> str:
        return f"<FakeResponses for {self._engine!r}>"

    def unbound_on_send(self) -> Send:
        """Return the replacement of `requests.adapters.HTTPAdapter.send`."""
        match_registered: Send = super().unbound_on_send()  # without a match, it calls `_send_on`

        def send(
            adapter: HTTPAdapter, request: requests.PreparedRequest, *args: Any, **options: Any
        ) -> requests.Response:
            url = str(request.url)
            target = (
                match_registered
                if any(matches(mock.url, url) for mock in self.registered())
                else self._send_on
            )
            return target(adapter, request, *args, **options)

        return send

    def _send_on(
        self, adapter: HTTPAdapter, request: requests.PreparedRequest, *args: Any, **options: Any
    ) -> requests.Response:
        """Send a request that no mock on this object has to the fake, or to what is around this block.

        Raises:
            requests.ConnectionError: it is for another host, which it must not reach.
        """
        url = str(request.url)
        is_last = partial(reaches_network, self._around)
        try:
            is_ours = serves(self._engine.base_urls, url, is_last, self._lets_through)
        except UnknownURL as unknown:
            refusal = make_refusal(unknown, url, list(self._describe_mocks(request)))
            raise requests.ConnectionError(refusal, request=request) from None
        if is_ours:
            return self._send_really(FakeAdapter(self._engine, adapter), request, *args, **options)
        response: requests.Response = bind(self._around, adapter)(request, *args, **options)
        return response

    def _describe_mocks(self, request: requests.PreparedRequest) -> Iterator[str]:
        """Describe the mocks on this object, and why they don't match if one has the URL."""
        mocks, reasons = self.registered(), list[str]()
        if any(matches(mock.url, str(request.url)) for mock in mocks):
            reasons = self.get_registry().find(request)[1]
        for mock, reason in zip_longest(mocks, reasons):
            yield f"{mock.method} {describe_url(mock.url)}" + (f" ({reason})" if reason else "")

    def _lets_through(self, url: str) -> bool:
        """Return whether the network may be reached: by ``pass_through``, or as one tells a mock of `responses`."""
        return is_let_through(url) or any(self._find_passed(url))

    def _find_passed(self, url: str) -> Iterator[bool]:
        for prefix in self.passthru_prefixes[len(EVERYWHERE) :]:
            yield bool(prefix.match(url)) if isinstance(prefix, re.Pattern) else url.startswith(prefix)
        for mock in self.registered():
            yield mock.passthrough and matches(mock.url, url)


def reaches_network(send: Send) -> bool:
    """Return whether nothing but the network comes next: no mock, though perhaps a recorder."""
    enclosed = getattr(send, "__closure__", None) or ()  # a mock of `responses` encloses its method
    return is_own(send, HTTPAdapter) or any(isinstance(cell.cell_contents, Recorder) for cell in enclosed)


def describe_url(registered: str | re.Pattern[str]) -> str:
    """Return the URL or the pattern of a mock."""
    return registered.pattern if isinstance(registered, re.Pattern) else registered


def matches(registered: str | re.Pattern[str], url: str) -> bool:
    """Return whether a mock for a URL or a pattern may match a call; the query is ignored.

    Examples:
        >>> matches("https://api.fake.test:443/users", "https://api.fake.test/users?x=1")
        True
    """
    if isinstance(registered, re.Pattern):
        return registered.match(url) is not None
    return normalize_url(registered.partition("?")[0]) == normalize_url(url.partition("?")[0])
