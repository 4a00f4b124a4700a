"""Results of functions, as feedback shows them."""

from fakes.lessons import Run
from svckit.display.masking import mask

__all__ = ["shorten_result"]

SHOWN = 80


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
