"""Words to and from the person: in a terminal, or in a notebook."""

import getpass
import sys

from svckit.errors import SignInStopped
from svckit.models.secret import Secret

__all__ = ["ask", "in_kernel", "say"]


def in_kernel() -> bool:
    """Whether this is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def say(text: str) -> None:
    """Tell the person something: below the cell, or on stderr, where it is in nobody's way."""
    print(text, file=sys.stdout if in_kernel() else sys.stderr, flush=True)


def ask(question: str) -> Secret:
    """Ask for something that must not show: not in the terminal, nor in the notebook's file.

    It blocks, which in a notebook is what makes it work: the kernel waits for this one answer and nothing else.

    Raises:
        SignInStopped: nobody is there to answer, or nothing was answered.
    """
    if not in_kernel() and not (sys.stdin and sys.stdin.isatty()):
        raise SignInStopped("nobody", "there is nobody to ask", advice=NOBODY)
    try:
        given = getpass.getpass(question).strip()
    except NotImplementedError:  # a kernel that runs a notebook without a person
        raise SignInStopped("nobody", "there is nobody to ask", advice=NOBODY) from None
    except (EOFError, KeyboardInterrupt):
        given = ""
    if not given:
        raise SignInStopped("cancelled", "it was cancelled")
    return Secret(given)


NOBODY = "Run `svckit login` in a terminal first, or set the secrets as environment variables."
