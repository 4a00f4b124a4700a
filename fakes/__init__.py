"""The workplace-chat service, whole, in process."""

from fakes.rules import AssumptionRefused
from fakes.service import FakeService

__all__ = ["AssumptionRefused", "FakeService"]
