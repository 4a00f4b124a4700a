"""The sans-I/O engine: a door opens a cycle with the request head, feeds it body chunks, and gets the response."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Literal, Never
from urllib.parse import urlsplit

from fakes.clock import Clock
from fakes.engine.budget import BudgetSpent, CallBudget
from fakes.engine.misdirection import explain_unknown_url
from fakes.engine.request_cycle import EnoughSent, RequestCycle
from fakes.engine.unmatched import UNMATCHED, explain_stub_refusal
from fakes.faults.injection import Faults
from fakes.handlers.error_formats import make_own_error
from fakes.handlers.routes import ROUTES
from fakes.handlers.stubs import STUBBED
from fakes.http.addresses import Area, BaseURLs
from fakes.http.messages import FakeResponse, RequestHead
from fakes.parts.callbacks import Callbacks
from fakes.parts.directory import Directory
from fakes.parts.domain import Domain
from fakes.parts.facts import Facts
from fakes.parts.files import FileStore
from fakes.parts.journal import Journal
from fakes.parts.journal_entry import JournalEntry
from fakes.parts.outbox import Outbox
from fakes.parts.settings import DomainSettings
from fakes.parts.sign_in.auth import AuthorizationServer
from fakes.parts.statuses import Statuses
from fakes.parts.webhooks import Webhooks
from fakes.rulebook.rules import Rules
from fakes.stubs.registry import Stubs
from fakes.stubs.stub import ABSENT, Stub
from svckit.display.arguments import explaining_arguments
from svckit.models.problems import shorten

__all__ = ["Engine"]


class Engine(Domain):
    """A domain that handles requests, with its parts by name; independent of sockets, httpx and event loops.

    It is thread-safe. A door calls `open` with the head of a request.
    """

    _operations = (*(route.operation for route in ROUTES), STUBBED, UNMATCHED)
    _budgets: tuple[CallBudget, ...] = ()
    """Those in force. Replaced and never mutated, so that calls read it without the lock."""
    _cycle = RequestCycle
    """The class of the cycles that `open` starts; that of a world limits the bytes."""

    @property
    def clock(self) -> Clock:
        """The clock of the fake."""
        return self.state.clock

    @property
    def journal(self) -> Journal:
        """The latest requests and their responses."""
        return self.state.journal

    @property
    def faults(self) -> Faults:
        """The injected faults: ``fake.faults.status("users.update", 503, times=2)``."""
        return self.state.faults

    @property
    def settings(self) -> DomainSettings:
        """The settings of the domain; assign to change one."""
        return self.state.settings

    @property
    def rules(self) -> Rules:
        """The documented rules, the assumptions, and which of them were used."""
        return self.state.rules

    @property
    def auth(self) -> AuthorizationServer:
        """The authorization server."""
        return self.state.auth

    @property
    def files(self) -> FileStore:
        """The file store."""
        return self.state.files

    @property
    def directory(self) -> Directory:
        """The user directory."""
        return self.state.directory

    @property
    def statuses(self) -> Statuses:
        """The profile statuses."""
        return self.state.statuses

    @property
    def webhooks(self) -> Webhooks:
        """The notification endpoint and the rooms it posts into."""
        return self.state.webhooks

    @property
    def callbacks(self) -> Callbacks:
        """The bots and their callback events."""
        return self.state.callbacks

    @property
    def bots(self) -> Outbox:
        """The messages that bots have sent: ``fake.bots.sent("bot-1")``.

        Examples:
            >>> from fakes import FakeService
            >>> FakeService.sample(now="2026-06-01T09:00:00+09:00").bots
            <Outbox: 0 messages>
        """
        return self.state.outbox

    @property
    def stubs(self) -> Stubs:
        """The stubs: responses to calls that the service's description does not have; see `stub`."""
        return self.state.stubs

    @property
    def facts(self) -> Facts:
        """URLs, credentials and IDs to configure a client; the keys of a served fake's ready line."""
        return Facts.of(self.state, self.base_urls)

    def _explain_stub_refusal(self, area: Area, method: str, path: str, is_new: bool) -> str:
        return explain_stub_refusal(area, method, path, self.state.lifecycle if is_new else None)

    def openapi(self, base_urls: BaseURLs | None = None) -> dict[str, Any]:
        """Describe the responses and events of this fake as an OpenAPI 3.1 document; see `fakes.openapi.openapi`.

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

        return openapi(self.state.rules, base_urls or self.base_urls, self.state.settings.header_word)

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

        return admin_openapi(base_urls or self.base_urls)

    @explaining_arguments(
        body="json=", text="json=", content="json=", response="json=", status_code="status="
    )
    def stub(
        self,
        method: str,
        path: str,
        *positional: Never,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        json: Any = ABSENT,
        bearer: bool = True,
        area: Literal["api", "auth"] = "api",
    ) -> Stub:
        """Set the response to calls that the service's description does not have.

        The journal records such calls as the operation ``stubbed``, and their responses have the header
        ``X-Fake-Stubbed``. They rest on no assumption: a stub is your own word, unlike a ready one. Snapshots, state
        files and forks have the stubs without functions. To respond several times in different ways, add responses with
        `Stub.then`.

        Operations that the description only lists as retiring, such as those for custom fields, can be stubbed too. The
        stub responds until the day on which they retire; from then on it is kept, but not used: the response is a 404,
        which says so. A new stub is refused from that day on; one of a file or a snapshot is kept for the 404. Where an
        assumption decides whether the day has come, the header ``X-Fake-Assumed`` names it, and the stub responds also
        where assumptions are refused.

        What a function raises reaches the caller in process; a served fake responds with a 500 that names the stub and
        the exception. The journal has the call as that 500 either way. A function runs while the fake is locked: it may
        use the fake in process, but must not call it over TCP, where it would wait for itself forever.

        Args:
            method: the method, such as ``GET``.
            path: the path below ``base_url``, in which ``{groupId}`` is a parameter; percent-encoded, without a query.
            positional: nothing; the response is given by keywords.
            status: the status, from 200 to 599.
            headers: the headers; the media type is that of JSON unless they have another.
            json: a JSON value, in whose texts ``{groupId}`` is replaced by that parameter; or a function, which gets
                a `StubCall` and returns a JSON value or a `StubResponse`. Without it, the response has no body.
            bearer: whether a call without a valid access token is refused, as those of the service are.
            area: ``"auth"`` for a path below ``auth_url``, which needs no token.

        Returns:
            The stub, which replaces an earlier one for the same calls. ``fake.stubs`` has all, and removes them.

        Raises:
            CannotBeStubbed: a `ValueError`: the description has this operation, or it has retired.
            ValueError: an argument is not valid; all problems are reported together.
            TypeError: the response was not given by keywords.

        Examples:
            >>> import httpx
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> stub = fake.stub("GET", "/groups/{groupId}", json={"groupId": "{groupId}", "members": []})
            >>> bearer = {"Authorization": "Bearer " + fake.access_token()}
            >>> with httpx.Client(transport=fake.transport(), headers=bearer) as http:
            ...     response = http.get(fake.facts["base_url"] + "/groups/group-1")
            >>> response.json(), response.headers["X-Fake-Stubbed"], stub.used
            ({'groupId': 'group-1', 'members': []}, 'GET /groups/{groupId}', 1)
            >>> fake.journal[-1].operation
            'stubbed'
            >>> fake.stub("PATCH", "/users/{userId}", json={})
            Traceback (most recent call last):
            ...
            fakes.stubs.registry.CannotBeStubbed: PATCH /users/{userId} cannot be stubbed: ...
        """
        if positional:
            raise TypeError(
                f'give the response by keywords, such as fake.stub("{method}", "{path}", json=...); given '
                f"{shorten(repr(positional[0]))} without one"
            )
        prefix = urlsplit(self.base_urls.auth if area == "auth" else self.base_urls.api).path
        if prefix and str(path).startswith(f"{prefix}/"):
            raise ValueError(
                f"path is below the base URL, which ends with {prefix}: leave that out; given {path!r}"
            )
        given = {
            "method": method,
            "path": path,
            "status": status,
            "headers": headers,
            "bearer": bearer,
            "area": area,
        }
        return self.state.stubs.add(given, json)

    @contextmanager
    def budget(self, calls: int = 1500) -> Iterator[CallBudget]:
        """Allow only so many calls within a ``with`` block, which ends loops that would go on forever.

        Calls of all clients count, through all doors, but not those of the admin interface. A call that is one too many
        changes nothing, and the journal does not record it. In process, it raises `BudgetSpent`; served, it gets a 503
        with the code ``BUDGET_SPENT``, and the block raises at its end, unless it ends with another error. In nested
        blocks each call counts for all of them.

        Args:
            calls: how many calls to allow, from 0.

        Returns:
            A context, which yields the budget with the number of calls ``used`` and ``left``.

        Raises:
            BudgetSpent: a call was one too many. It is not an `Exception`, so ``except Exception`` does not catch it.
            ValueError: ``calls`` is not a whole number from 0.

        Examples:
            >>> import httpx
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> http = httpx.Client(transport=fake.transport())
            >>> def post_until_accepted():
            ...     while http.post(fake.facts["webhooks"][0], json={"body": {}}).status_code != 200:
            ...         pass
            >>> with fake.budget(calls=50):
            ...     post_until_accepted()
            Traceback (most recent call last):
            ...
            fakes.engine.budget.BudgetSpent: the budget of 50 calls was spent before POST https://hooks.fake.test/...
        """
        if not isinstance(calls, int) or isinstance(calls, bool) or calls < 0:
            raise ValueError(f"calls must be a whole number from 0; given {calls!r}")
        budget = CallBudget(calls)
        with self.lock:
            self._budgets = (*self._budgets, budget)
        try:
            yield budget
        finally:
            with self.lock:
                self._budgets = tuple(other for other in self._budgets if other is not budget)
        budget.check()

    def _spend(self, cycle: RequestCycle, head: RequestHead) -> None:
        """Count a call for all budgets, and give it up if it is one too many for one of them.

        Raises:
            BudgetSpent: it is.
        """
        budgets = self._budgets
        for budget in budgets:
            budget.count(head)
        try:
            for budget in reversed(budgets):
                budget.check()
        except BudgetSpent:
            cycle.abandon()
            raise

    def turn_away(self, head: RequestHead, base_urls: BaseURLs | None = None) -> FakeResponse:
        """Return the response to a request that is not below any base URL, and record it in the journal.

        A door that gets all requests of its origins, such as a server, calls it where `open` raises `UnknownURL`. In
        process, only requests to an origin of the fake are turned away; other hosts are not the fake's.

        Args:
            head: method, absolute URL and headers.
            base_urls: the base URLs of the door, if not those in process.
        """
        known, in_process = base_urls or self.base_urls, base_urls is None
        reason = explain_unknown_url(head.method, head.url, known, in_process=in_process)
        response = make_own_error(404, "NOT_FOUND", reason)
        with self.lock:
            now = self.state.clock.now()
            entry = JournalEntry(at=now, operation=UNMATCHED, used=(), _head=head, _response=response)
            self.state.journal.append(entry)
        return response.head_only() if head.method == "HEAD" else response

    def open(self, head: RequestHead, base_urls: BaseURLs | None = None) -> RequestCycle:
        """Start the cycle of one request.

        Args:
            head: method, absolute URL and headers.
            base_urls: the base URLs of the door, if not those in process.

        Raises:
            UnknownURL: the URL is not below one of these base URLs.
            BrokenConnection: a fault refuses the connection.
            BudgetSpent: the call is one too many.
        """
        cycle = self._cycle(self, head, base_urls or self.base_urls)
        if self._budgets and not cycle.may_wait:  # admin calls may, and do not count
            self._spend(cycle, head)
        if self.state.faults.pending and not cycle.may_wait:  # nor do they meet faults, which they remove
            cycle.connect()
        return cycle

    def respond(self, head: RequestHead, chunks: Iterable[bytes]) -> FakeResponse:
        """Return the response to a request of which the body is at hand; for doors that let no time pass meanwhile.

        Args:
            head: method, absolute URL and headers.
            chunks: the body, of which no more is read than is needed.

        Raises:
            UnknownURL, BrokenConnection, BudgetSpent: as in `open`.
        """
        with self.open(head) as cycle:
            with suppress(EnoughSent):
                for chunk in chunks:
                    cycle.feed(chunk)
            return cycle.finish()
