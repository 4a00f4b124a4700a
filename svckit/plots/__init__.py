"""Pictures where people would rather look: the notification rate, deliveries, credentials, retirements, and frames.

Each function gives a `Figure`, which a notebook shows: SVG that takes the colours of the page, light or dark, and can
be read without them, with a table of the same facts below; its text is that table. The SVG is written by templates
of our own, some kilobytes, the same bytes for the same facts. A plotting library would be a heavy thing to need for
four small pictures, and what it draws changes from release to release.

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
from svckit.plots.credential_plot import credentials
from svckit.plots.delivery_plot import deliveries
from svckit.plots.figure import Figure
from svckit.plots.rate import rate_window
from svckit.plots.retirement_plot import retirements
from svckit.plots.timeline_plot import timeline

__all__ = ["Figure", "credentials", "deliveries", "rate_window", "retirements", "timeline"]


if not TYPE_CHECKING:  # else every name would do for a type checker

    def __getattr__(name: str) -> None:
        raise no_attribute(__name__, name, __all__)


def __dir__() -> list[str]:  # what the Tab key offers
    return sorted(__all__)
