"""Explorers and forms for notebooks: live in JupyterLab, and accurate static HTML and text without a kernel.

Importing this module imports ipywidgets; tables, and the explorer of users, import pandas.
"""

from typing import TYPE_CHECKING, Any

from svckit.display.lazy_names import load_name
from svckit.display.suggestions import no_attribute
from svckit.widgets.explorers.explorer_panel import ExplorerPanel
from svckit.widgets.explorers.fake.fake_explorer import FakeExplorer
from svckit.widgets.explorers.fake.rules_explorer import RulesExplorer
from svckit.widgets.explorers.files_explorer import FilesExplorer
from svckit.widgets.explorers.inbox_explorer import InboxExplorer
from svckit.widgets.explorers.notifications_explorer import NotificationsExplorer
from svckit.widgets.explorers.sign_in_explorer import SignInExplorer
from svckit.widgets.explorers.statuses_explorer import StatusesExplorer
from svckit.widgets.explorers.time_explorer import TimeExplorer
from svckit.widgets.explorers.traffic.traffic_explorer import TrafficExplorer
from svckit.widgets.form.status_form import StatusForm
from svckit.widgets.form.user_form import UserForm
from svckit.widgets.record.record_view import RecordView

if TYPE_CHECKING:
    from svckit.widgets.explorers.bulk_edit import BulkEdit
    from svckit.widgets.explorers.users_explorer import UsersExplorer
    from svckit.widgets.table.paged_table import PagedTable

__all__ = [
    "BulkEdit",
    "ExplorerPanel",
    "FakeExplorer",
    "FilesExplorer",
    "InboxExplorer",
    "NotificationsExplorer",
    "PagedTable",
    "RecordView",
    "RulesExplorer",
    "SignInExplorer",
    "StatusForm",
    "StatusesExplorer",
    "TimeExplorer",
    "TrafficExplorer",
    "UserForm",
    "UsersExplorer",
]

_WITH_PANDAS = {
    "BulkEdit": "svckit.widgets.explorers.bulk_edit",
    "PagedTable": "svckit.widgets.table.paged_table",
    "UsersExplorer": "svckit.widgets.explorers.users_explorer",
}

if not TYPE_CHECKING:  # otherwise type checkers would accept any name

    def __getattr__(name: str) -> Any:
        if name not in _WITH_PANDAS:
            raise no_attribute(__name__, name, __all__)
        return load_name(__name__, name, _WITH_PANDAS)


def __dir__() -> list[str]:  # for Tab completion
    return sorted(__all__)
