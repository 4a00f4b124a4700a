"""The sans-I/O engine: a door opens an exchange with the head, feeds body chunks, and finishes with the answer."""

from collections.abc import Mapping
from datetime import datetime
from threading import RLock
from typing import Any, Self

from fakes.clock import Clock
from fakes.engine.request_cycle import UNMATCHED, RequestCycle
from fakes.faults.injection import Faults
from fakes.handlers.routes import ROUTES
from fakes.http.addresses import Addresses
from fakes.http.messages import RequestHead
from fakes.http.unpicklable import Unpicklable
from fakes.parts import snapshot as snapshots
from fakes.parts.sample import sample_state
from fakes.parts.snapshot import Snapshot
from fakes.parts.state import State
from fakes.rulebook.rules import Policy, Rules

__all__ = ["Engine"]


class Engine(Unpicklable):
    """State, clock, rules and routing of one fake; thread-safe, and unaware of sockets, httpx and event loops.

    Args:
        users: how many sample users the domain has.
        seed: what ids, secrets and sample data are derived from.
        now: where the clock stands; omitted, it runs with the system.
        assume: alternatives for assumptions, by rule id.
        assumptions: ``"refuse"`` raises where an answer would rest on an assumption.
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
        self._beginning: dict[str, Any] = {
            "users": users,
            "seed": seed,
            "now": now,
            "assume": dict(assume or {}),
            "assumptions": assumptions,
        }
        self.lock = RLock()
        self.under_way: dict[str, list[RequestCycle]] = {}
        self.addresses = Addresses()
        faults = Faults([*(route.operation for route in ROUTES if route.area != "admin"), UNMATCHED])
        self.state: State = sample_state(
            users, seed, Clock(now), Rules(assume, assumptions), faults, self.lock
        )

    def snapshot(self) -> Snapshot:
        """Everything a client can observe of this fake, as plain versioned JSON data, with the content of all files.

        It holds the fake's secrets in the clear: tokens, codes, passwords by way of the seed, webhook ids. Not in it
        are the journal and how often rules were used, which are records of what happened and no part of the state;
        the admin key; and what is code: the receivers of bots, and reports that were offered by you.
        """
        with self.lock:
            saved = snapshots.copy_collections(snapshots.dump(self.state))
        return snapshots.to_data(saved)

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Become what a snapshot holds; ``fake.clock``, ``fake.files`` and so on stay the same objects.

        The journal goes on, and bots that are there before and after stay connected to their receivers.

        Raises:
            ValueError: the snapshot is damaged, incomplete, or of a newer version; then nothing has changed.
        """
        saved = snapshots.read(snapshot)
        with self.lock:
            snapshots.load(saved, self.state)
            self.under_way.clear()

    def fork(self) -> Self:
        """An independent copy, with an empty journal and no receivers connected. The content of files is shared."""
        forked = self._create_fresh()
        with self.lock:
            snapshots.load(snapshots.dump(self.state), forked.state)
            forked.state.admin_key = self.state.admin_key
        return forked

    def reset(self) -> None:
        """Begin again as the sample this fake began with: its clock, its choices, no faults, an empty journal."""
        beginning = snapshots.dump(self._create_fresh().state)
        with self.lock:
            snapshots.load(beginning, self.state)
            self.under_way.clear()
            self.state.callbacks.disconnect()
            self.state.rules.forget()
            self.state.journal.restart()

    def _create_fresh(self) -> Self:
        return type(self)(**self._beginning)

    def openapi(self, addresses: Addresses | None = None) -> dict[str, Any]:
        """What this fake answers, as an OpenAPI 3.1 document; see `fakes.openapi.openapi`.

        Args:
            addresses: where the service is reached, if not at the in-process addresses.
        """
        from fakes.openapi import openapi  # it takes schemas of all models, which is seldom needed

        return openapi(self.state.rules, addresses or self.addresses)

    def asyncapi(self) -> dict[str, Any]:
        """The events that this fake sends to bots, as an AsyncAPI 3 document; see `fakes.openapi.asyncapi`."""
        from fakes.openapi import asyncapi

        return asyncapi(self.state.rules)

    def open(self, head: RequestHead, addresses: Addresses | None = None) -> RequestCycle:
        """Begin an exchange.

        Args:
            head: method, absolute URL and headers.
            addresses: where the door is reached, if not at the in-process origins.

        Raises:
            UnknownURL: the URL is not within these addresses.
            BrokenConnection: a fault refuses the connection.
        """
        exchange = RequestCycle(self, head, addresses or self.addresses)
        if self.state.faults.pending:
            exchange.connect()
        return exchange
