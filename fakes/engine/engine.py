"""The sans-I/O engine: a door opens a cycle with the request head, feeds it body chunks, and gets the response."""

from typing import Any

from fakes.engine.request_cycle import UNMATCHED, RequestCycle
from fakes.handlers.routes import ROUTES
from fakes.http.addresses import BaseURLs
from fakes.http.messages import RequestHead
from fakes.parts.domain import Domain

__all__ = ["Engine"]


class Engine(Domain):
    """A domain that handles requests; thread-safe, independent of sockets, httpx and event loops."""

    _operations = (*(route.operation for route in ROUTES if route.area != "admin"), UNMATCHED)

    def openapi(self, base_urls: BaseURLs | None = None) -> dict[str, Any]:
        """Describe the responses of this fake as an OpenAPI 3.1 document; see `fakes.openapi.openapi`.

        Args:
            base_urls: the base URLs of the service, if not those in process.

        Returns:
            The document, which follows the chosen alternatives.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> "/users/{userId}" in fake.openapi()["paths"]
            True
        """
        from fakes.openapi import openapi  # builds the schemas of all models, which is rarely needed

        return openapi(self.state.rules, base_urls)

    def asyncapi(self) -> dict[str, Any]:
        """Describe the events sent to bots as an AsyncAPI 3 document; see `fakes.openapi.asyncapi`.

        Returns:
            The document.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> fake.asyncapi()["asyncapi"]
            '3.0.0'
        """
        from fakes.openapi import asyncapi

        return asyncapi(self.state.rules)

    def admin_openapi(self, base_urls: BaseURLs | None = None) -> dict[str, Any]:
        """Describe the admin calls as an OpenAPI 3.1 document; see `fakes.openapi.admin_openapi`.

        Args:
            base_urls: the base URLs of the fake, if not those in process.

        Returns:
            The document.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> fake.admin_openapi()["openapi"]
            '3.1.0'
        """
        from fakes.openapi import admin_openapi

        return admin_openapi(base_urls)

    def open(self, head: RequestHead, base_urls: BaseURLs | None = None) -> RequestCycle:
        """Start the cycle of one request.

        Args:
            head: method, absolute URL and headers.
            base_urls: the base URLs of the door, if not those in process.

        Raises:
            UnknownURL: the URL is not below one of these base URLs.
            BrokenConnection: a fault refuses the connection.
        """
        cycle = RequestCycle(self, head, base_urls or self.base_urls)
        if self.state.faults.pending:
            cycle.connect()
        return cycle
