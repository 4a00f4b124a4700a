"""Sign-in with a browser on any machine: show the link, then ask for the URL it ends at."""

from collections.abc import Callable

from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.profiles.file_store import FileStore
from svckit.profiles.keys import variable_word
from svckit.profiles.profiles import Profile
from svckit.profiles.token_cache import StoredTokens
from svckit.sign_in.prompt import ask, is_in_foreground, is_somebody_there, say

__all__ = ["PasteVisitor", "check_foreground"]


class PasteVisitor:
    """A visitor that shows the link and asks for the final URL until it fits or the person gives up.

    Args:
        prompt: asks the person without showing what they paste, as it contains the code. Left out, in the terminal or
            the notebook, if there is one.
    """

    def __init__(self, *, prompt: Callable[[str], Secret] | None = None) -> None:
        self._prompt = prompt or ask
        self._is_somebody_there = is_somebody_there if prompt is None else lambda: True

    def visit(self, request: SignInRequest) -> Secret:
        """Ask for the final URL and return the code in it.

        Raises:
            SignInStopped: the URL contains an error, nothing was pasted, or there is nobody to ask.
        """
        if not self._is_somebody_there():  # then do not print a link that nobody can use
            raise make_nobody_error(request.profile)
        say(
            f"Sign in to {request.profile.name!r} in any browser, at this URL:\n{request.url.reveal()}\n"
            f"The browser is then redirected to {request.profile.redirect_uri} and may not be able to show that page. "
            "That does not matter: copy the whole URL from the address bar and paste it here."
        )
        while True:
            try:
                url = self._prompt("URL (not shown; leave empty to cancel): ")
            except SignInStopped as stopped:
                if stopped.reason != "nobody":
                    raise
                raise make_nobody_error(request.profile) from None
            try:
                return request.extract_code(url)
            except SignInStopped as stopped:
                if stopped.reason != "redirect":
                    raise
                say(f"That is not the right URL: {stopped.why}. Paste the URL that the browser ended at.")

    async def visit_async(self, request: SignInRequest) -> Secret:
        """Do the same for ``await``. It blocks the event loop, since a kernel reads input in no other way."""
        return self.visit(request)


def check_foreground(profile: Profile) -> None:
    """Check that a person may be asked here without having started the sign-in.

    Raises:
        SignInStopped: there is nobody to ask, or this is a widget's callback or a background thread.
    """
    if is_in_foreground():
        return
    if not is_somebody_there():
        raise make_nobody_error(profile)
    raise SignInStopped(
        "nobody",
        f"nobody is signed in to {profile.name!r}, and a widget's callback or a background thread cannot ask you to",
        advice="Call svc.sign_in() in a cell, or in the main thread.",
    )


def make_nobody_error(profile: Profile) -> SignInStopped:
    """Return the error for a sign-in that needs a person when there is nobody to ask."""
    name, variable = profile.name, f"SVCKIT_{variable_word(profile.name)}_REFRESH_TOKEN"
    file = "" if profile.tokens == "file" else '; without a keyring, set tokens = "file" in the profile first'
    return SignInStopped(
        "nobody",
        f"there are no usable tokens for {name!r}{_name_file(profile)}, and there is nobody to ask to sign in",
        advice=f"Run `svckit login {name}` in a terminal, or `svckit login {name} --browser` if a browser can open here"
        f"{file}. Or set the environment variable {variable} to what `svckit login {name} --store print` prints in a "
        f"terminal on any machine. `svckit profiles {name}` lists what is missing. pytest can ask you with -s.",
    )


def _name_file(profile: Profile) -> str:
    """Name the token file, which depends on the home folder: that of another user, or of none, has other tokens."""
    return f" in {StoredTokens(profile, FileStore()).path}" if profile.tokens == "file" else ""
