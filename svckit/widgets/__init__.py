"""Explorers and forms for notebooks: live in JupyterLab, and true as static HTML and as text where there is no kernel.

Importing this module imports pandas and ipywidgets.
"""

from typing import TYPE_CHECKING

from svckit.nearest import no_attribute
from svckit.widgets.explorer_panel import ExplorerPanel
from svckit.widgets.files_explorer import FilesExplorer
from svckit.widgets.inbox_explorer import InboxExplorer
from svckit.widgets.notifications_explorer import NotificationsExplorer
from svckit.widgets.paged_table import PagedTable
from svckit.widgets.record_view import RecordView
from svckit.widgets.sign_in_explorer import SignInExplorer
from svckit.widgets.status_form import StatusForm
from svckit.widgets.statuses_explorer import StatusesExplorer
from svckit.widgets.table_model import TableModel
from svckit.widgets.time_explorer import TimeExplorer
from svckit.widgets.traffic_explorer import TrafficExplorer
from svckit.widgets.user_form import UserForm
from svckit.widgets.users_explorer import UsersExplorer

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


if not TYPE_CHECKING:  # else every name would do for a type checker

    def __getattr__(name: str) -> None:
        raise no_attribute(__name__, name, __all__)


def __dir__() -> list[str]:  # what the Tab key offers
    return sorted(__all__)
