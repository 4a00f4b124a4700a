"""Plots of the notification rate, deliveries, credentials, retirements, and any frame with times.

Each function returns a `Figure` for a notebook: an image as wide as the cell, readable without color, with a table of
the same facts below; its text is that table. `Figure.save` writes it as SVG. The SVG comes from our own templates: a
few kilobytes, the same bytes for the same facts. A plotting library would be a heavy dependency for a few small
pictures, and its output changes from release to release.

Importing this module imports pandas.

Examples:
    >>> import svckit
    >>> from svckit import plots
    >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
    >>> plots.credentials(svc).svg[:4]
    '<svg'
"""

from typing import TYPE_CHECKING

from svckit.display.suggestions import no_attribute
from svckit.plots.figure import Figure
from svckit.plots.rate_plot import rate_window
from svckit.plots.record_plots import credentials, deliveries, retirements, timeline

__all__ = ["Figure", "credentials", "deliveries", "rate_window", "retirements", "timeline"]


if not TYPE_CHECKING:  # else a type checker would accept every name

    def __getattr__(name: str) -> None:
        raise no_attribute(__name__, name, __all__)


def __dir__() -> list[str]:  # for tab completion
    return sorted(__all__)
