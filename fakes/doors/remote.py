"""A fake elsewhere, such as a world or a served fake, as an object: its parts make admin calls."""

import ssl
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, cast

import httpx

from fakes.doors.remote_calls import FUNCTION, AdminCaller, Elsewhere
from fakes.doors.remote_parts import RemoteBots, RemoteClock, RemoteDirectory, RemoteFiles, RemoteRules
from fakes.doors.remote_records import RemoteFaults, RemoteJournal, RemoteStub, RemoteStubs
from fakes.parts.facts import Facts
from fakes.parts.state import ALL_SCOPES
from fakes.parts.tokens import IssuedTokens
from fakes.stubs.records import StubRecord
from fakes.stubs.stub import ABSENT, read_arguments
from svckit.models.token import TokenSet

__all__ = ["RemoteFake"]


class RemoteFake(Elsewhere):
    """A fake outside this process: ``svc.fake`` of a profile with an ``admin_url``, and its admin key.

    The clock, the faults, the journal, the rules, the stubs and the users are used as those of a `FakeService`. Each
    use makes an admin call, which blocks, also in a session for ``await``. The key opens this fake, or world, alone.

    Args:
        url: the ``admin_url`` of its facts.
        key: the ``admin_key`` of its facts.
        trust: the certificates to trust; if omitted, those of the usual authorities.
        transport: the transport for httpx; by default the network.
        missing: names of settings without which nothing can be sent, for the error that says so.

    Examples:
        >>> from fakes import FakeService
        >>> here = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> fake = RemoteFake(here.facts["admin_url"], here.facts["admin_key"], transport=here.transport())
        >>> fake.clock.advance(hours=1).isoformat(), here.clock.now().isoformat()
        ('2026-06-01T10:00:00+09:00', '2026-06-01T10:00:00+09:00')
        >>> fake.faults.status("users.update", 503)
        <status 503 for users.update, 1 more time>
        >>> here.faults
        <Faults: 1>
          status 503 for users.update, 1 more time
        >>> fake.fork()
        Traceback (most recent call last):
        ...
        AttributeError: fork does not work with a fake outside this process: a fork lives in ...
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        trust: ssl.SSLContext | None = None,
        transport: httpx.BaseTransport | None = None,
        missing: Collection[str] = (),
    ) -> None:
        self._url = url
        self._call = call = AdminCaller(url, key, trust=trust, transport=transport, missing=missing)
        self.clock = RemoteClock(call)
        self.faults = RemoteFaults(call)
        self.journal = RemoteJournal(call)
        self.rules = RemoteRules(call)
        self.stubs = RemoteStubs(call)
        self.bots = RemoteBots(call)
        self.directory = RemoteDirectory(call)
        self.files = RemoteFiles(call)

    @property
    def facts(self) -> Facts:
        """The facts: URLs, credentials and IDs; the repr masks secrets."""
        return Facts(self._call("GET", "/facts"))

    def access_token(self, user_id: str | None = None, scope: str = ALL_SCOPES) -> str:
        """Return an access token without signing in; see `FakeService.access_token`."""
        return self.tokens(user_id, scope).access_token.reveal()

    def tokens(self, user_id: str | None = None, scope: str = ALL_SCOPES) -> TokenSet:
        """Issue both tokens without a sign-in; see `FakeService.tokens`."""
        issued = self._call(
            "POST", "/tokens", {"scope": scope} | ({} if user_id is None else {"userId": user_id})
        )
        both = issued["accessToken"], issued["refreshToken"]
        return TokenSet.from_wire(IssuedTokens(*both, scope, issued["expiresIn"], user_id or "").to_wire())

    def stub(self, method: str, path: str, *, json: Any = ABSENT, **options: Any) -> "RemoteStub":
        """Set the response to calls that the description does not have; see `FakeService.stub`.

        Raises:
            TypeError: ``json`` is a function, which cannot be sent.
            ValueError: an argument is not valid.
            Refusal: the description has this operation, or it has retired.
        """
        if callable(json):
            raise TypeError(FUNCTION)
        record, _ = read_arguments(StubRecord, {"method": method, "path": path, **options}, json)
        return RemoteStub(self._call, self._call("POST", "/stubs", record.to_wire()))

    def records(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """Iterate over plain records for a frame, such as ``svckit.frames.users(svc.fake)``.

        Args:
            kind: ``users``, ``files``, ``journal`` or ``rules``; no admin call lists all of another.

        Raises:
            ValueError: it is another kind.
        """
        sources: dict[str, Callable[[], Iterable[Mapping[str, Any]]]] = {
            "users": self.directory.records,
            "files": self.files.records,
            "journal": lambda: (entry.record() for entry in self.journal),
            "rules": lambda: chain(
                self.rules.records(),
                (deviation.record_as_rule() for deviation in self.rules.deviations if deviation.chosen),
            ),
        }
        if kind not in sources:
            raise ValueError(f"no admin call lists all {kind}; a fake elsewhere has {', '.join(sources)}")
        return iter(sources[kind]())

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state, for `restore` here or of a `FakeService`."""
        return cast("dict[str, Any]", self._call("GET", "/snapshot"))

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Replace the whole state with a snapshot."""
        self._call("PUT", "/snapshot", dict(snapshot))

    def reset(self) -> None:
        """Start again with the initial state."""
        self._call("POST", "/reset")

    def __repr__(self) -> str:
        return f"<RemoteFake at {self._url or 'an address that is not set'}>"
