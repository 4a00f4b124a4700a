"""Explorers and forms for notebooks: live in JupyterLab, and accurate static HTML and text without a kernel.

Importing this module imports pandas and ipywidgets.
"""

from typing import TYPE_CHECKING

from svckit.display.suggestions import no_attribute
from svckit.widgets.explorers.explorer_panel import ExplorerPanel
from svckit.widgets.explorers.files_explorer import FilesExplorer
from svckit.widgets.explorers.inbox_explorer import InboxExplorer
from svckit.widgets.explorers.notifications_explorer import NotificationsExplorer
from svckit.widgets.explorers.sign_in_explorer import SignInExplorer
from svckit.widgets.explorers.status_form import StatusForm
from svckit.widgets.explorers.statuses_explorer import StatusesExplorer
from svckit.widgets.explorers.time_explorer import TimeExplorer
from svckit.widgets.explorers.traffic_explorer import TrafficExplorer
from svckit.widgets.explorers.user_form import UserForm
from svckit.widgets.explorers.users_explorer import UsersExplorer
from svckit.widgets.record.record_view import RecordView
from svckit.widgets.table.model import TableModel
from svckit.widgets.table.paged_table import PagedTable

__all__ = [
    "ExplorerPanel",
    "FilesExplorer",
    "InboxExplorer",
    "NotificationsExplorer",
    "PagedTable",
    "RecordView",
    "SignInExplorer",
    "StatusForm",
    "StatusesExplorer",
    "TableModel",
    "TimeExplorer",
    "TrafficExplorer",
    "UserForm",
    "UsersExplorer",
]


if not TYPE_CHECKING:  # otherwise type checkers would accept any name

    def __getattr__(name: str) -> None:
        raise no_attribute(__name__, name, __all__)


def __dir__() -> list[str]:  # for Tab completion
    return sorted(__all__)
