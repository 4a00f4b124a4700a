"""Results of functions, as feedback shows them."""

import re

from fakes.lessons import Run
from svckit.display.masking import mask

__all__ = ["describe_ending", "shorten_result"]

SHOWN = 80
SHOWN_AT_THE_END = 200


def shorten_result(run: Run) -> str:
    """Return the result of a run, without secrets; an ellipsis marks what was left out.

    Examples:
        >>> from types import SimpleNamespace
        >>> shorten_result(SimpleNamespace(result=["u-003"] * 3))
        "['u-003', 'u-003', 'u-003']"
        >>> shorten_result(SimpleNamespace(result=["u-003"] * 20))[-20:]
        " 'u-003', 'u-003', …"
    """
    shown = mask(repr(run.result))
    if len(shown) <= SHOWN:
        return shown
    return f"{shown[:SHOWN].rpartition(' ')[0] or shown[:SHOWN]} …"


def describe_ending(run: Run) -> str:
    """Return what a function returned, its URLs cut short, or what it raised and where.

    Examples:
        >>> from types import SimpleNamespace
        >>> describe_ending(SimpleNamespace(result=["https://storage.fake.test/uploads/1"], error=None))
        "['https://…']"
        >>> describe_ending(SimpleNamespace(error=KeyError("id"), line="line 3: ``"))
        'KeyError (line 3: ``)'
    """
    if run.error is None:
        shown = mask(re.sub(r"https://[^'\"]+", "https://…", repr(run.result)))
        return shown[:SHOWN_AT_THE_END]
    return f"{type(run.error).__name__} ({run.line})" if run.line else type(run.error).__name__
