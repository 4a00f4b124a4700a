"""Words to and from the person: in a terminal, or in a notebook."""

import getpass
import sys

from svckit.display.terminal import escape_controls
from svckit.errors import SignInStopped
from svckit.models.secret import Secret

__all__ = ["ask", "in_kernel", "is_somebody_there", "say"]


def in_kernel() -> bool:
    """Whether this is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def say(text: str) -> None:
    """Tell the person something: below the cell, or on stderr, where it is in nobody's way."""
    print(escape_controls(text), file=sys.stdout if in_kernel() else sys.stderr, flush=True)


def is_somebody_there() -> bool:
    """Whether a person can be asked: in a terminal; of a notebook it shows only when it asks."""
    return in_kernel() or bool(sys.stdin and sys.stdin.isatty())


def ask(question: str) -> Secret:
    """Ask for something that must not show: not in the terminal, nor in the notebook's file.

    It blocks, which in a notebook is what makes it work: the kernel waits for this one answer and nothing else.

    Raises:
        SignInStopped: nobody is there to answer, or nothing was answered.
    """
    if not is_somebody_there():
        raise SignInStopped("nobody", "there is nobody to ask", advice=NOBODY)
    try:
        given = getpass.getpass(escape_controls(question)).strip()
    except NotImplementedError:  # a kernel that runs a notebook without a person
        raise SignInStopped("nobody", "there is nobody to ask", advice=NOBODY) from None
    except (EOFError, KeyboardInterrupt):
        given = ""
    if not given:
        raise SignInStopped("cancelled", "it was cancelled")
    return Secret(given)


NOBODY = "Run `svckit login` in a terminal first, or set the secrets as environment variables."
