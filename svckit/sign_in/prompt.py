"""Messages to a person and prompts, in a terminal or a notebook."""

import getpass
import sys
import threading
from typing import Any

from svckit.display.terminal import escape_controls
from svckit.errors import SignInStopped
from svckit.models.secret import Secret

__all__ = ["ask", "is_in_foreground", "is_somebody_there", "say"]


def is_in_foreground() -> bool:
    """Return whether this code runs in the main thread, and not in a widget's callback."""
    if threading.current_thread() is not threading.main_thread():
        return False
    parent: dict[str, Any] = getattr(_find_kernel(), "get_parent", dict)() or {}
    return not str(parent.get("header", {}).get("msg_type", "")).startswith("comm_")


def _find_kernel() -> Any:
    ipython = sys.modules.get("IPython")
    return getattr(ipython.get_ipython() if ipython else None, "kernel", None)


def say(text: str) -> None:
    """Show a message to the person: below the cell, or else on stderr."""
    print(escape_controls(text), file=sys.stdout if _find_kernel() is not None else sys.stderr, flush=True)


def is_somebody_there() -> bool:
    """Return whether a person can be asked: in a terminal, or in a notebook that takes input."""
    kernel = _find_kernel()
    if kernel is not None:  # papermill and nbclient run notebooks whose frontend takes no input
        return bool(getattr(kernel, "_allow_stdin", True))
    return bool(sys.stdin and sys.stdin.isatty())


def ask(question: str) -> Secret:
    """Ask for a secret without showing it in the terminal or the notebook's file.

    The call blocks. A notebook needs that: the kernel waits for this one input and nothing else.

    Raises:
        SignInStopped: there is nobody to ask, or nothing was typed.
    """
    if not is_somebody_there():
        raise SignInStopped("nobody", "there is nobody to ask", advice=NOBODY)
    try:
        typed: str | None = getpass.getpass(escape_controls(question))
    except NotImplementedError:  # a kernel that runs a notebook without a person
        raise SignInStopped("nobody", "there is nobody to ask", advice=NOBODY) from None
    except (EOFError, KeyboardInterrupt):
        typed = ""
    if typed is None:  # what Pyodide returns where it cannot ask
        raise SignInStopped("nobody", "the browser shows no prompt here", advice=NO_PROMPT)
    if not typed.strip():
        raise SignInStopped("cancelled", "it was cancelled")
    return Secret(typed.strip())


NO_PROMPT = "Sign in from JupyterLab or a terminal on a computer; here, `svckit.connect()` uses the fake."
NOBODY = "Run `svckit login` in a terminal first, or set the secrets as environment variables."
