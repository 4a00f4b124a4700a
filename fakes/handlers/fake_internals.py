"""The fake as a whole, without its own type, which is in a layer above the handlers."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from fakes.http.addresses import BaseURLs

__all__ = ["FakeInternals"]


class FakeInternals(Protocol):
    """The fake as a whole, as the admin interface needs it."""

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """The lock to hold while using the state."""

    def snapshot(self) -> Mapping[str, Any]:
        """Take a snapshot."""

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Replace the state with a snapshot."""

    def reset(self) -> None:
        """Start again with the initial state."""

    def openapi(self, base_urls: BaseURLs) -> Mapping[str, Any]:
        """Describe the service as an OpenAPI document."""

    def asyncapi(self) -> Mapping[str, Any]:
        """Describe the events as an AsyncAPI document."""

    def admin_openapi(self, base_urls: BaseURLs) -> Mapping[str, Any]:
        """Describe the admin calls as an OpenAPI document."""
