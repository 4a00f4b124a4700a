"""The sans-I/O engine: a door opens a cycle with the request head, feeds it body chunks, and gets the response."""

from collections.abc import Mapping
from datetime import datetime
from threading import RLock
from typing import Any, Self

from fakes.clock import Clock
from fakes.engine.request_cycle import UNMATCHED, RequestCycle
from fakes.faults.injection import Faults
from fakes.handlers.routes import ROUTES
from fakes.http.addresses import BaseURLs
from fakes.http.messages import RequestHead
from fakes.http.unpicklable import Unpicklable
from fakes.parts import snapshot as snapshots
from fakes.parts.sample import make_sample_state
from fakes.parts.sample_arguments import check_sample_arguments
from fakes.parts.snapshot import Snapshot
from fakes.parts.state import State
from fakes.rulebook.rules import Policy, Rules

__all__ = ["Engine"]


class Engine(Unpicklable):
    """State, clock, rules and routing of one fake; thread-safe, independent of sockets, httpx and event loops.

    Args:
        users: how many sample users the domain has.
        seed: determines the IDs, secrets and sample data.
        now: the instant at which the clock stands; if omitted, it runs with the system clock.
        assume: alternatives for assumptions, by rule ID.
        assumptions: ``"refuse"`` raises `AssumptionRefused` where a response would rest on an assumption.

    Raises:
        TypeError: an argument is of the wrong type.
    """

    def __init__(
        self,
        users: int = 20,
        seed: int = 0,
        now: str | datetime | None = None,
        *,
        assume: Mapping[str, str] | None = None,
        assumptions: Policy = "allow",
    ) -> None:
        check_sample_arguments({"users": users, "seed": seed, "now": now, "assume": assume})
        self._beginning: dict[str, Any] = {
            "users": users,
            "seed": seed,
            "now": now,
            "assume": dict(assume or {}),
            "assumptions": assumptions,
        }
        self.lock = RLock()
        self.in_progress: dict[str, list[RequestCycle]] = {}
        self.base_urls = BaseURLs()
        faults = Faults([*(route.operation for route in ROUTES if route.area != "admin"), UNMATCHED])
        self.state: State = make_sample_state(
            users, seed, Clock(now), Rules(assume, assumptions), faults, self.lock
        )

    def snapshot(self) -> Snapshot:
        """Return everything a client can observe of this fake as plain, versioned JSON data, including all files.

        The snapshot holds the fake's secrets in the clear: tokens, codes, webhook IDs, and passwords, which follow
        from the seed. It leaves out the journal and the use counts of rules, which record the past and are not state;
        the admin key; and anything that is code: the receivers of bots, and reports that you added.
        """
        with self.lock:
            saved = snapshots.copy_collections(snapshots.dump(self.state))
        return snapshots.to_data(saved)

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Restore the state from a snapshot; ``fake.clock``, ``fake.files`` and so on stay the same objects.

        The journal is kept. Bots that exist before and after stay connected to their receivers.

        Raises:
            ValueError: the snapshot is damaged, incomplete, or of a newer version; nothing is changed then.
        """
        saved = snapshots.read(snapshot)
        with self.lock:
            snapshots.load(saved, self.state)
            self.in_progress.clear()

    def fork(self) -> Self:
        """Return an independent copy with an empty journal and no receivers; file content is shared."""
        forked = self._create_fresh()
        with self.lock:
            snapshots.load(snapshots.dump(self.state), forked.state)
            forked.state.admin_key = self.state.admin_key
        return forked

    def reset(self) -> None:
        """Restore the sample this fake started from: its clock and choices, no faults, an empty journal."""
        beginning = snapshots.dump(self._create_fresh().state)
        with self.lock:
            snapshots.load(beginning, self.state)
            self.in_progress.clear()
            self.state.callbacks.disconnect()
            self.state.rules.forget()
            self.state.journal.restart()

    def _create_fresh(self) -> Self:
        return type(self)(**self._beginning)

    def openapi(self, base_urls: BaseURLs | None = None) -> dict[str, Any]:
        """Describe the responses of this fake as an OpenAPI 3.1 document; see `fakes.openapi.openapi`.

        Args:
            base_urls: the base URLs of the service, if not those in process.
        """
        from fakes.openapi import openapi  # builds the schemas of all models, which is rarely needed

        return openapi(self.state.rules, base_urls or self.base_urls)

    def asyncapi(self) -> dict[str, Any]:
        """Describe the events sent to bots as an AsyncAPI 3 document; see `fakes.openapi.asyncapi`."""
        from fakes.openapi import asyncapi

        return asyncapi(self.state.rules)

    def admin_openapi(self, base_urls: BaseURLs | None = None) -> dict[str, Any]:
        """Describe the admin calls as an OpenAPI 3.1 document; see `fakes.openapi.admin_openapi`.

        Args:
            base_urls: the base URLs of the fake, if not those in process.
        """
        from fakes.openapi import admin_openapi

        return admin_openapi(base_urls or self.base_urls)

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
