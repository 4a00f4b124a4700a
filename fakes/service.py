"""The fake service: the engine with its doors."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from inspect import signature
from itertools import chain
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, Self, TypeVar, overload

from fakes.doors.asgi import AsgiDoor
from fakes.engine.alternatives import SweepOutcome, sweep_steps
from fakes.engine.engine import Engine
from fakes.parts.user_batches import UserRecords
from svckit.display.card import quantity, render_table
from svckit.display.tab import PublicNames
from svckit.extras import needing

if TYPE_CHECKING:
    from fakes.doors import httpx2
    from fakes.doors.browser import FakeBrowser
    from fakes.doors.httpx import FakeTransport, Transport
    from fakes.doors.httpx_patch import FakeHttpx
    from fakes.doors.requests import FakeResponses
    from fakes.doors.served import Path, Served

__all__ = ["FakeService"]

P = ParamSpec("P")
Returned = TypeVar("Returned")


def _takes_arguments_of(
    init: Callable[Concatenate[Any, P], None],
) -> Callable[[Callable[..., Returned]], Callable[Concatenate[Any, P], Returned]]:
    """Return a decorator that gives a class method the signature of a constructor, for type checkers and people."""

    def decorate(method: Callable[..., Returned]) -> Callable[Concatenate[Any, P], Returned]:
        method.__signature__ = signature(init).replace(return_annotation=Self)  # type: ignore[attr-defined]
        return method

    return decorate


class FakeService(
    Engine,
    PublicNames,
    internal="base_urls beginning content_folder first_settings in_progress lock open own_data respond served_at "
    "settle state turn_away",
):
    """The complete service in process: authorization, tokens, files, directory, notifications, callbacks.

    Examples:
        >>> import httpx
        >>> fake = FakeService.sample(users=20, seed=0, now="2026-06-01T09:00:00+09:00")
        >>> fake
        <FakeService: 20 users, clock standing at 2026-06-01T09:00:00+09:00>
        >>> with httpx.Client(transport=fake.transport()) as http:
        ...     response = http.patch(
        ...         fake.facts["base_url"] + "/users/u-003",
        ...         headers={"Authorization": "Bearer " + fake.access_token()},
        ...         json={"nickName": "Mina"},
        ...     )
        >>> response.json()["nickName"]
        'Mina'

        Its parts:

        >>> fake.clock.advance(hours=1).isoformat()
        '2026-06-01T10:00:00+09:00'
        >>> fake.journal[-1].operation
        'users.update'
        >>> len(fake.directory), fake.settings.domain_id, len(fake.files.list_files())
        (20, 10000001, 1)
        >>> fake.faults, fake.webhooks.rooms(), fake.callbacks, list(fake.statuses.records())
        (<Faults: none>, ['channel-1'], <Callbacks: 1 bot, 0 deliveries>, [])
        >>> fake.auth.application.client_id, fake.rules["api.not-found"].chosen, fake.stubs
        ('client-1', '404', <Stubs: none>)
    """

    @classmethod
    @_takes_arguments_of(Engine.__init__)
    def sample(cls, *args: Any, **options: Any) -> Self:
        """Create a domain with sample users, one application, one bot, and one room with a webhook.

        Args:
            users: the number of users, ``u-001`` first; up to a million, which take no memory until they are used.
                By default 20, or none if ``data`` has users.
            seed: determines the users, IDs and secrets.
            now: the instant at which the clock stands until moved; if omitted, it runs with the system clock.
            assume: alternatives for assumptions, where the service's description is silent, by rule ID (see ``rules``).
            assume_from: the file ``assumptions.toml`` that ``svckit observe`` writes, or its data: what was measured of
                a real service. These rules count as observed, not as assumed, except where ``assume`` has them.
            assumptions: ``"refuse"`` raises `AssumptionRefused` where a response would rest on an assumption,
                ``"refuse-unobserved"`` where it would rest on one that was not measured. Three assumptions that are
                each enough for the same error are not found, so it passes.
            header_word: the word that stands for the product in the header names of callback events, such as
                ``ACME`` in ``X-ACME-Signature``.
            addresses: the base URLs in process, by their keys in ``facts``: any of ``base_url``, ``auth_url``,
                ``upload_url``, ``webhook_url`` and ``admin_url``, such as
                ``{"base_url": "https://www.example.com/v1.0"}``, for programs with hosts of their own. If two areas
                share a host, the longest URL that fits a request is meant. A served fake has those of its server.
            deviations: departures from documented rules for clients that need them, such as ``{"file.stored": "200"}``
                (see ``rules.deviations``); impossible with ``assumptions="refuse"``.
            data: data of your own, instead of the sample's: the path of a JSON or CSV file; a list of user records with
                the service's fields; a mapping with ``users``, ``files``, ``rooms``, and ``customProperties``, the
                definitions that the users' custom properties follow, and with ``applications``, ``bots`` and
                ``webhooks``, which have the keys of the admin calls that add them; or a frame of users.
            stubs: responses to calls that are not described (see `stub`): a JSON file of them, or the ready file
                ``"common"``, which responds to what many clients call first with what the fake has; or a list of
                stubs, as in such a file.

        Returns:
            The fake.

        Raises:
            ValueError: an option is out of range, names an unknown rule, alternative, deviation or value, or
                contradicts another; or the data or stubs are not valid: all problems are reported together.
            TypeError: an option is of the wrong type.
            OSError: the file of the data or the stubs cannot be read.

        Examples:
            >>> FakeService.sample(users=3, now="2026-06-01T09:00:00+09:00")
            <FakeService: 3 users, clock standing at 2026-06-01T09:00:00+09:00>
            >>> FakeService.sample(addresses={"base_url": "https://www.example.com/v1.0"}).facts["base_url"]
            'https://www.example.com/v1.0'
            >>> mina = {"userId": "mina", "email": "mina@example.com", "userName": {"lastName": "Sato"}}
            >>> FakeService.sample(data=[mina]).facts["login_id"]
            'mina@example.com'
        """
        # Its error names the argument, and no class behind this one.
        signature(cls.sample).bind(*args, **options)
        return cls(*args, **options)

    @overload
    def transport(
        self, pass_through: "Transport | None" = None, *, client: Literal["httpx"] = "httpx"
    ) -> "FakeTransport": ...
    @overload
    def transport(
        self, pass_through: "httpx2.Transport | None" = None, *, client: Literal["httpx2"]
    ) -> "httpx2.FakeTransport": ...
    def transport(
        self,
        pass_through: "Transport | httpx2.Transport | None" = None,
        *,
        client: Literal["httpx", "httpx2"] = "httpx",
    ) -> "FakeTransport | httpx2.FakeTransport":
        """Return the door for httpx: ``httpx.Client(transport=fake.transport())``, or ``AsyncClient``.

        Args:
            pass_through: the transport for other hosts; without one they cannot be reached. It is closed with the
                client.
            client: the library of the client: ``httpx``, or its fork ``httpx2`` if installed.

        Raises:
            ModuleNotFoundError: httpx2 is not installed.
            TypeError: ``pass_through`` is not a transport of that library.
            ValueError: ``client`` is another library.
        """
        if client == "httpx":
            from fakes.doors.httpx import FakeTransport  # a served fake needs no httpx

            return FakeTransport(self, pass_through)
        if client != "httpx2":
            raise ValueError(
                f"client must be 'httpx' or 'httpx2'; given {client!r}. For requests, use responses()"
            )
        from fakes.doors import httpx2  # not in any extra: its users install it

        return httpx2.FakeTransport(self, pass_through)

    def httpx(self, *, pass_through: bool | Collection[str] = False) -> "FakeHttpx":
        """Return the door for every client of httpx and httpx2: ``with fake.httpx(): httpx.get(…)``; see `FakeHttpx`.

        It is for code that makes its own clients; give one of yours a `transport` instead.

        Args:
            pass_through: the names of other hosts that are really called, such as ``["example.com"]``, or True for
                all; otherwise they can be reached only if a mock around the block has them.

        Returns:
            A context within which the libraries httpx and, if it is installed, httpx2 reach the fake, sync and async.

        Raises:
            ValueError: ``pass_through`` is something else.

        Examples:
            >>> import httpx
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> with fake.httpx():
            ...     httpx.post(fake.facts["webhooks"][0], json={"body": {"text": "hello"}}).json()
            {'code': 200, 'description': 'success'}
        """
        from fakes.doors.httpx_patch import FakeHttpx  # few use it

        return FakeHttpx(self, pass_through)

    def responses(self, *, pass_through: bool | Collection[str] = False) -> "FakeResponses":
        """Return the door for requests: ``with fake.responses(): requests.get(…)``; see `FakeResponses`.

        Args:
            pass_through: the names of other hosts that are really called, such as ``["example.com"]``, or True for
                all; otherwise they can be reached only if a mock around the block has them.

        Returns:
            A context within which the library `requests` reaches the fake.

        Raises:
            ModuleNotFoundError: the library `responses` is not installed; it comes with the extra ``requests``.
            ValueError: ``pass_through`` is something else.

        Examples:
            >>> import requests
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> with fake.responses():
            ...     requests.post(fake.facts["webhooks"][0], json={"body": {"text": "hello"}}).json()
            {'code': 200, 'description': 'success'}
        """
        with needing("fake.responses()"):
            from fakes.doors.requests import FakeResponses

        return FakeResponses(self, pass_through)

    def browser(
        self, *, forge_state: bool = False, cancel: bool = False, mistype: bool = False
    ) -> "FakeBrowser":
        """Return a browser with a person who signs in at the login screen; see `FakeBrowser`.

        Args:
            forge_state: whether the redirect has another state than the application sent, as if it were forged.
            cancel: whether the person closes the login screen instead.
            mistype: whether the person mistypes the password.

        Returns:
            The browser, without a page.

        Examples:
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> browser = fake.browser()
            >>> browser.open(fake.facts["auth_url"] + "/oauth2/v2.0/authorize").text.splitlines()[1]
            'the authorization request lacks client_id, redirect_uri, scope, response_type, state'
        """
        from fakes.doors.browser import FakeBrowser  # few use it

        return FakeBrowser(self, forge_state=forge_state, cancel=cancel, mistype=mistype)

    @property
    def asgi(self) -> AsgiDoor:
        """The fake as an ASGI app, to mount into another: ``Mount("/fake", app=fake.asgi)``; see `AsgiDoor`.

        Examples:
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> callable(fake.asgi)
            True
        """
        return AsgiDoor(self)

    def serve(
        self,
        port: int = 0,
        host: str = "127.0.0.1",
        *,
        tls: "tuple[Path, Path] | None" = None,
        origins: bool = False,
        base_path: str | None = None,
        forwarded: bool = False,
        cors: Collection[str] = (),
    ) -> "Served[Self]":
        """Serve over TCP, for any program: ``with fake.serve() as served: print(served.url)``; see `Served`.

        Args:
            port: the port to listen on; 0 for any free port.
            host: the host name or IP address to listen on; the default is reachable from this machine only.
            tls: the paths of a certificate and of its key, both PEM, to serve ``https``.
            origins: whether each area has an origin of its own, as in process and as real services do: ``port`` to
                ``port + 4``. Recommended, because a single origin hides a bug: a client that follows the redirect of
                a download itself keeps its bearer token there, and loses it between hosts.
            base_path: the path of the resource API, such as ``/v1.0``; it replaces ``/api``.
            forwarded: whether ``X-Forwarded-Proto``, ``-Host`` and ``-Prefix`` decide the URLs in responses.
            cors: the origins of the web pages that may call it, such as ``http://localhost:3000``; ``*`` for any.

        Returns:
            A context that serves the fake and yields its ``url`` and ``facts``.

        Raises:
            ModuleNotFoundError: uvicorn is not installed; it comes with the extra ``serve``.
            ValueError: ``base_path`` is not a path, ``cors`` has a text that is not an origin, or the port is too high.
            OSError: the port is in use, or a file of ``tls`` cannot be read; raised on entering.

        Examples:
            >>> import httpx
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> with fake.serve() as served:
            ...     httpx.post(served.facts["webhooks"][0], json={"body": {"text": "hello"}}).json()
            {'code': 200, 'description': 'success'}
            >>> [message.text for message in fake.webhooks.messages("channel-1")]
            ['hello']
        """
        with needing("fake.serve()"):
            from fakes.doors.served import Served

        return Served(
            self, port, host, tls, origins=origins, base_path=base_path, forwarded=forwarded, cors=cors
        )

    def records(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """Iterate over plain records for a frame.

        Args:
            kind: ``users``, ``statuses``, ``files``, ``revisions``, ``messages``, ``events``, ``deliveries``,
                ``journal``, ``credentials``, ``rules`` or ``lifecycle``.

        Returns:
            The records, with the service's own field names, in a stable order.

        Raises:
            ValueError: the kind is unknown.

        Examples:
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> next(fake.records("users"))["userId"]
            'u-001'
        """
        sources: dict[str, Callable[[], Iterable[Mapping[str, Any]]]] = {
            "users": lambda: UserRecords(self.state.users.records(), self.state.users.batches),
            "statuses": self.statuses.records,
            "files": lambda: (stored.record() for stored in self.files.list_files()),
            "revisions": self.files.revisions,
            "messages": self.state.webhooks.records,
            "events": self.callbacks.deliveries.events,
            "deliveries": lambda: (delivery.record() for delivery in self.callbacks.deliveries),
            "journal": lambda: (entry.record() for entry in self.journal),
            "credentials": lambda: chain(self.auth.records(), self.state.tokens.records()),
            "rules": lambda: chain(self.rules.records(), self.rules.deviations.records_as_rules()),
            "lifecycle": lambda: (status.record() for status in self.state.lifecycle.list_statuses()),
        }
        if kind not in sources:
            raise ValueError(f"there are no records of the kind {kind!r}; choose from: {', '.join(sources)}")
        return iter(sources[kind]())

    def sweep_steps(self, test: Callable[[Self], object]) -> Iterator[SweepOutcome]:
        """Try a test on copies of this fake: as it is now, then under each alternative that the test relied on.

        `fakes.sweep` reports on all of them; this is for a program that shows each outcome as it comes, such as the
        rules explorer.

        Args:
            test: takes a fake and raises if it fails; it must pass with the fake as it is.

        Returns:
            The outcomes, one at a time: ``rule_id``, ``alternative``, and ``broke_with``, None if the test passed.

        Examples:
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> def test(fake):
            ...     assert fake.state.users.resolve(fake.facts["login_id"]) == "u-001"
            >>> [(outcome.alternative, outcome.broke_with is None) for outcome in fake.sweep_steps(test)]
            [('id-only', False), ('me', True)]
        """
        return sweep_steps(test, self.fork)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {quantity(len(self.directory), 'user')}, clock {self._describe_clock()}>"

    def _repr_html_(self) -> str:
        users = self.facts["users"]
        rows = [
            ("clock", self._describe_clock()),
            ("directory", f"{quantity(len(users), 'user')}, {users[0]} to {users[-1]}"),
            ("files", quantity(len(self.files.list_files()), "file")),
            ("webhooks", quantity(len(self.webhooks.all()), "entry", "entries")),
            ("callbacks", quantity(len(self.callbacks.bots), "bot")),
            ("faults", quantity(len(self.faults), "fault")),
            ("journal", quantity(len(self.journal), "request")),
            ("rules", repr(self.rules).strip("<>").partition(": ")[2]),
            ("serve", ", ".join(sorted(self.served_at)) or "not served; in process only"),
        ]
        return render_table("The fake service", ("part", "holds"), list(rows))[0]

    def _describe_clock(self) -> str:
        return f"standing at {self.clock.now().isoformat()}" if self.clock.standing else "running"
