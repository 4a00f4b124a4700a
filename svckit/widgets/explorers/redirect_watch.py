"""Listening for the redirect of a sign-in on this machine; the person can also paste it."""

from collections.abc import Callable
from concurrent.futures import Future

from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.sign_in.listener import Endpoint, RedirectListener

__all__ = ["RedirectWatch"]

PASTE = "Log in on the linked page. Then paste the URL that the browser is redirected to"


class RedirectWatch:
    """A listener for one redirect at a time, on this machine only, until the redirect arrives or is cancelled.

    Args:
        on_redirect: called with the outcome, the code or the reason why it is missing, in a thread of the listener.

    Attributes:
        words: instructions for the person; empty while not listening.

    Examples:
        >>> from dataclasses import replace
        >>> import svckit
        >>> profile = replace(svckit.connect().profile, redirect_uri="https://app.example.com/callback")
        >>> watch = RedirectWatch(print)
        >>> watch.start(SignInRequest.begin(profile))
        >>> watch.words
        'Log in on the linked page. Then paste the URL ...: nothing can listen at https://app.example.com/... here.'
        >>> watch.stop()
    """

    def __init__(self, on_redirect: Callable[["Future[Secret]"], None]) -> None:
        self._on_redirect = on_redirect
        self._listener: RedirectListener | None = None
        self.words: str = ""

    def start(self, request: SignInRequest) -> None:
        """Listen for the redirect of a request; if that is not possible, the words say why."""
        self.stop()
        uri = request.profile.redirect_uri
        endpoint = Endpoint.of(uri)
        if endpoint is None:
            self.words = f"{PASTE}: nothing can listen at {uri} here."
            return
        try:
            self._listener = RedirectListener(request, endpoint).__enter__()
        except SignInStopped as taken:
            self.words = f"{PASTE}: {taken.why}."
            return
        self._listener.landed.add_done_callback(self._take)
        self.words = f"Log in on the linked page. Listening at {uri}, on this machine only."

    def stop(self) -> None:
        """Stop listening."""
        listener, self._listener, self.words = self._listener, None, ""
        if listener is not None:
            listener.__exit__(None, None, None)

    def _take(self, landing: "Future[Secret]") -> None:
        # Otherwise a newer one is listening.
        if self._listener is not None and self._listener.landed is landing:
            self.stop()
            self._on_redirect(landing)
