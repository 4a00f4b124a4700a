"""Waiting for the redirect of a sign-in, where it leads to this machine, while the person may also paste it."""

from collections.abc import Callable
from concurrent.futures import Future

from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.sign_in.listener import Endpoint, RedirectListener

__all__ = ["RedirectWatch"]

PASTE = "Log in at the page of the link. Then paste the address that the browser ends at"


class RedirectWatch:
    """Listens for one redirect at a time, on this machine only, until it has come or is not waited for any more.

    Args:
        landed: called with what has come, the code or why there is none; in a thread of the listener.

    Attributes:
        words: what a person is to do; empty while nothing is waited for.

    Examples:
        >>> from dataclasses import replace
        >>> import svckit
        >>> profile = replace(svckit.connect().profile, redirect_uri="https://app.example.com/callback")
        >>> watch = RedirectWatch(print)
        >>> watch.start(SignInRequest.begin(profile))
        >>> watch.words
        'Log in at the page of the link. Then paste the address ...: nothing can listen at https://app.example.com/...'
        >>> watch.stop()
    """

    def __init__(self, landed: Callable[["Future[Secret]"], None]) -> None:
        self._landed = landed
        self._listener: RedirectListener | None = None
        self.words = ""

    def start(self, request: SignInRequest) -> None:
        """Wait for the redirect of a request; where nothing can listen, the words say why."""
        self.stop()
        address = request.profile.redirect_uri
        endpoint = Endpoint.of(address)
        if endpoint is None:
            self.words = f"{PASTE}: nothing can listen at {address} here."
            return
        try:
            self._listener = RedirectListener(request, endpoint).__enter__()
        except SignInStopped as taken:
            self.words = f"{PASTE}: {taken.why}."
            return
        self._listener.landed.add_done_callback(self._take)
        self.words = f"Log in at the page of the link. Listening at {address}, on this machine only."

    def stop(self) -> None:
        """Wait no more."""
        listener, self._listener, self.words = self._listener, None, ""
        if listener is not None:
            listener.__exit__(None, None, None)

    def _take(self, landing: "Future[Secret]") -> None:
        if self._listener is not None and self._listener.landed is landing:  # else another one is waited for
            self.stop()
            self._landed(landing)
