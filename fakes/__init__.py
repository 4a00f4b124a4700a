"""The complete workplace-chat service, in process.

`FakeService` responds as the service's description says. Where the description is silent, it assumes, and says so.
Names load on first use, so the pytest plugin costs nothing where it is not needed.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fakes.doors.browser import NoRedirect
    from fakes.doors.remote import RemoteFake
    from fakes.engine.budget import BudgetSpent
    from fakes.http.errors import Refusal
    from fakes.observing.findings import observe
    from fakes.rulebook.rules import AssumptionRefused
    from fakes.service import FakeService
    from fakes.stubs.records import StubResponse
    from fakes.sweeping import sweep
    from fakes.worlds.hosting import Worlds

__all__ = [
    "AssumptionRefused",
    "BudgetSpent",
    "FakeService",
    "NoRedirect",
    "Refusal",
    "RemoteFake",
    "StubResponse",
    "Worlds",
    "observe",
    "sweep",
]

_HOMES = {
    "AssumptionRefused": "fakes.rulebook.rules",
    "BudgetSpent": "fakes.engine.budget",
    "FakeService": "fakes.service",
    "NoRedirect": "fakes.doors.browser",
    "RemoteFake": "fakes.doors.remote",
    "Refusal": "fakes.http.errors",
    "StubResponse": "fakes.stubs.records",
    "Worlds": "fakes.worlds.hosting",
    "observe": "fakes.observing.findings",
    "sweep": "fakes.sweeping",
}


def __getattr__(name: str) -> Any:
    from svckit.display.lazy_names import load_name

    return load_name(__name__, name, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
