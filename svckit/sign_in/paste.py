"""Signing in with a browser somewhere else: show the link, take the address that the browser ends at."""

from collections.abc import Callable

from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.sign_in.prompt import ask, is_somebody_there, say

__all__ = ["PasteVisitor"]


class PasteVisitor:
    """Shows the link and asks for the address, until it is one of this sign-in or nothing is given.

    Args:
        prompt: how the person is asked; the answer holds the code, so it must not show. Left out, in the terminal or
            the notebook, if there is one.
        tell: how the person is told what to do.
    """

    def __init__(
        self, *, prompt: Callable[[str], Secret] | None = None, tell: Callable[[str], None] = say
    ) -> None:
        self._prompt = prompt or ask
        self._is_somebody_there = is_somebody_there if prompt is None else lambda: True
        self._tell = tell

    def visit(self, request: SignInRequest) -> Secret:
        """Wait for the address; return the code in it.

        Raises:
            SignInStopped: the address says so, nothing was given, or there is nobody to ask.
        """
        if not self._is_somebody_there():  # then nobody is to see a link that leads nowhere
            raise make_nobody_error(request)
        self._tell(
            f"Sign in to {request.profile.name!r} in any browser, at this address:\n{request.url.reveal()}\n"
            f"The browser is then led to {request.profile.redirect_uri}, and may not be able to show that page. "
            "That does not matter: copy the whole address from its address bar and paste it here."
        )
        while True:
            try:
                given = self._prompt("Pasted address (not shown; nothing to cancel): ")
            except SignInStopped as stopped:
                if stopped.reason != "nobody":
                    raise
                raise make_nobody_error(request) from None
            try:
                return request.extract_code(given)
            except SignInStopped as stopped:
                if stopped.reason != "redirect":
                    raise
                self._tell(f"That is not it: {stopped.why}. Paste the address that the browser ended at.")

    async def visit_async(self, request: SignInRequest) -> Secret:
        """The same for ``await``. It blocks the event loop: a kernel takes input in no other way."""
        return self.visit(request)


def make_nobody_error(request: SignInRequest) -> SignInStopped:
    """What to raise where a person is needed and none is there."""
    name = request.profile.name
    return SignInStopped(
        "nobody",
        f"there are no tokens of {name!r} that can be used, and there is nobody to ask to sign in",
        advice=f"Run `svckit login {name}` in a terminal first. Without a keyring, which is what keeps tokens, run "
        "this in a terminal that can ask you; pytest can with -s.",
    )
