"""Sign-in with this machine's browser."""

import asyncio
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.sign_in.listener import PASTE, Endpoint, RedirectListener
from svckit.sign_in.prompt import say

__all__ = ["BrowserVisitor", "Open"]

Open = Callable[[str], object]
TIMEOUT = 300.0
NOT_OPENED = f"No browser could be opened. Open this URL in one on this machine, or press Ctrl-C and {PASTE}:"


class BrowserVisitor:
    """A visitor that opens the browser and listens on the redirect URL, on this machine only.

    Args:
        timeout: seconds to wait for the person.
        open_browser: opens a URL; if omitted, in the system's browser (or that of ``BROWSER``).
    """

    def __init__(self, *, timeout: float = TIMEOUT, open_browser: Open | None = None) -> None:
        self._timeout = timeout
        self._open = open_browser or webbrowser.open

    def visit(self, request: SignInRequest) -> Secret:
        """Wait until the person has signed in; return the code.

        Raises:
            SignInStopped: the sign-in was refused, timed out or was cancelled (Ctrl-C, or an interrupt of the
                kernel), or the port of the redirect URL is in use.
        """
        try:
            with self._listen(request) as listener:
                return listener.landed.result(self._timeout)
        except TimeoutError:
            raise self._make_timeout_error() from None
        except KeyboardInterrupt:
            raise SignInStopped("cancelled", "it was cancelled") from None

    async def visit_async(self, request: SignInRequest) -> Secret:
        """Wait without blocking the event loop until the person has signed in; return the code."""
        with self._listen(request) as listener:
            waiting = asyncio.wrap_future(listener.landed)
            try:
                done, _ = await asyncio.wait([waiting], timeout=self._timeout)
                if done:
                    return waiting.result()
            finally:
                waiting.cancel()
        raise self._make_timeout_error()

    @contextmanager
    def _listen(self, request: SignInRequest) -> Iterator[RedirectListener]:
        endpoint = Endpoint.of(request.profile.redirect_uri)
        if endpoint is None:
            raise SignInStopped(
                "redirect",
                f"the redirect URL {request.profile.redirect_uri} is not an http URL of this machine, so "
                "nothing can listen there",
                advice=f"Instead, {PASTE}.",
            )
        with RedirectListener(request, endpoint) as listener:
            url = request.url
            say(
                f"Sign in to {request.profile.name!r} in your browser (waiting {self._timeout:.0f} s). If it does not "
                f"open, open this URL on this machine:\n{url.reveal()}"
            )
            # A browser in the terminal returns only when the person quits it.
            threading.Thread(target=self._open_url, args=(url,), daemon=True).start()
            yield listener

    def _open_url(self, url: Secret) -> None:
        with suppress(webbrowser.Error, OSError):
            if self._open(url.reveal()) is not False:
                return
        say(f"{NOT_OPENED}\n{url.reveal()}")

    def _make_timeout_error(self) -> SignInStopped:
        return SignInStopped("timeout", f"nobody had signed in after {self._timeout:.0f} s")
