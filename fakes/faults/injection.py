"""Fault injection: the list of faults that still apply."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Lock
from typing import Annotated, Any, TypeVar

from pydantic import Field, ValidationError

from fakes.faults.index import FaultIndex
from fakes.faults.kinds import (
    AnyFault,
    ConnectError,
    Delay,
    DropCallback,
    ReadTimeout,
    Reset,
    Slow,
    Status,
    Truncate,
)
from fakes.faults.request_faults import Injection
from fakes.faults.targets import check_bot, check_operation
from fakes.persistence import Saved
from svckit.display.card import quantity, render_table
from svckit.display.tab import PublicNames

__all__ = ["Faults", "FaultsData", "make_fault"]

Kind = TypeVar("Kind", bound=AnyFault)

OPTIONS = {
    "target": "the name of an operation, a path, or *",
    "status": "an error status, from 400 to 599",
    "times": "a whole number from 1, or None for always",
    "skip": "a whole number from 0",
    "retry_after": "a whole number of seconds, from 0",
    "seconds": "a number of seconds above 0, such as seconds=3",
    "after_bytes": "a whole number of bytes, from 0",
    "chunk": "a whole number of bytes, from 1",
    "applied": "True or False",
}
"""The allowed values of a fault's options, in words."""


class FaultsData(Saved):
    """Faults in a snapshot."""

    pending: list[Annotated[AnyFault, Field(discriminator="kind")]]


class Faults(PublicNames, internal="dump load number on on_callback pending set_bots"):
    """The faults that still apply, in the order they were added; true if there are any.

    The target of a fault is the name of an operation (``"users.update"``, ``"upload.*"``), a path below the URL of
    its area (``"/users/*"``), or ``"*"`` for all; ``*`` and ``?`` match as in file names. Calls of the admin
    interface are never affected. ``times`` is the number of requests that a fault applies to, None for all; it
    counts down only when the fault applies. ``skip`` is the number of matching requests that get through first, so
    ``skip=2`` fails the third. Of several matching faults, the first one added applies, so "503 twice, then a reset"
    is two faults; one delay may apply as well.

    Examples:
        >>> faults = Faults(["users.update", "auth.token"])
        >>> faults.status("users.update", 503, times=2, retry_after=30)
        <status 503 for users.update, 2 more times>
        >>> faults.read_timeout("/oauth2/*", applied=True)
        <read timeout after it took effect for /oauth2/*, 1 more time>
        >>> [fault.left for fault in faults]
        [2, 1]
        >>> faults.delay("user.update", seconds=3)
        Traceback (most recent call last):
        ...
        ValueError: no operation matches 'user.update'; did you mean users.update? A path starts with a slash, ...
        >>> len(faults), faults.operations
        (2, ('users.update', 'auth.token'))
        >>> faults.remove(next(iter(faults)))
        >>> faults.clear()
        >>> faults.add(Delay(target="*", seconds=3, times=1))
        >>> faults
        <Faults: 1>
          delay of 3 s for *, 1 more time
    """

    def __init__(self, operations: Iterable[str] = ()) -> None:
        self._index = FaultIndex()
        # True if there are any, which each call looks at.
        self.pending: dict[int, tuple[int, AnyFault]] = self._index.faults
        self._operations = tuple(dict.fromkeys(operations))
        self._bots: Callable[[], Iterable[str]] | None = None  # returns their IDs; None: any may be a target
        self._changing = Lock()  # a fault may be added while a request looks for its own

    @property
    def operations(self) -> tuple[str, ...]:
        """The names of the operations that can be targets."""
        return self._operations

    def set_bots(self, bots: Callable[[], Iterable[str]]) -> None:
        """Check the targets of callback faults against existing bots; ``bots`` returns their IDs."""
        self._bots = bots

    def status(
        self,
        target: str = "*",
        status: int = 503,
        *,
        times: int | None = 1,
        skip: int = 0,
        retry_after: int | None = None,
    ) -> Status:
        """Respond with an error status in the wording of that area of the service; nothing takes effect.

        Args:
            target: operation, path, or ``"*"``.
            status: 400 to 599.
            times, skip: as in the class.
            retry_after: seconds for a ``Retry-After`` header.

        Returns:
            The fault; its ``left`` counts down.

        Raises:
            ValueError: an option is out of range, or no operation matches.

        Examples:
            >>> Faults().status("/users/*", 503, retry_after=30)
            <status 503 for /users/*, 1 more time>
        """
        __tracebackhide__ = True
        return self._inject(Status, target, times, skip, status=status, retry_after=retry_after)

    def delay(
        self, target: str = "*", seconds: float | None = None, *, times: int | None = 1, skip: int = 0
    ) -> Delay:
        """Delay the response: a standing clock moves; with a running clock, the client really waits.

        A client with a shorter read timeout gives up, as it would with the service. Under a standing clock nobody
        waits, so nobody gives up, whatever the timeout: the response comes at once, that much later by the clock.
        To make a client give up there, use `read_timeout`.

        Args:
            target, times, skip: as in the class.
            seconds: the delay, above 0; it has to be given.

        Returns:
            The fault; its ``left`` counts down.

        Raises:
            ValueError: an option is out of range, or no operation matches.

        Examples:
            >>> Faults().delay("*", seconds=3)
            <delay of 3 s for *, 1 more time>
        """
        __tracebackhide__ = True
        return self._inject(Delay, target, times, skip, seconds=seconds)

    def connect_error(self, target: str = "*", *, times: int | None = 1, skip: int = 0) -> ConnectError:
        """Refuse the connection; nothing of the request is read.

        Args:
            target, times, skip: as in the class.

        Returns:
            The fault; its ``left`` counts down.

        Raises:
            ValueError: an option is out of range, or no operation matches.

        Examples:
            >>> Faults().connect_error("/users/*")
            <connect error for /users/*, 1 more time>
        """
        __tracebackhide__ = True
        return self._inject(ConnectError, target, times, skip)

    def read_timeout(
        self, target: str = "*", *, times: int | None = 1, skip: int = 0, applied: bool = False
    ) -> ReadTimeout:
        """Make the client time out, before or (``applied``) after the request took effect.

        Args:
            target, times, skip: as in the class.
            applied: whether the request takes effect first.

        Returns:
            The fault; its ``left`` counts down.

        Raises:
            ValueError: an option is out of range, or no operation matches.

        Examples:
            >>> Faults().read_timeout("/users/*", applied=True)
            <read timeout after it took effect for /users/*, 1 more time>
        """
        __tracebackhide__ = True
        return self._inject(ReadTimeout, target, times, skip, applied=applied)

    def reset(
        self, target: str = "*", *, times: int | None = 1, skip: int = 0, applied: bool = False
    ) -> Reset:
        """Reset the connection, before or (``applied``) after the request took effect.

        Args:
            target, times, skip: as in the class.
            applied: whether the request takes effect first.

        Returns:
            The fault; its ``left`` counts down.

        Raises:
            ValueError: an option is out of range, or no operation matches.

        Examples:
            >>> Faults().reset("/users/*")
            <connection reset before it took effect for /users/*, 1 more time>
        """
        __tracebackhide__ = True
        return self._inject(Reset, target, times, skip, applied=applied)

    def truncate(
        self, target: str = "*", *, after: int = 0, times: int | None = 1, skip: int = 0
    ) -> Truncate:
        """Close the connection after some bytes of the response's body; a shorter body is not affected.

        Args:
            target, times, skip: as in the class.
            after: how many bytes arrive, from 0.

        Returns:
            The fault; its ``left`` counts down.

        Raises:
            ValueError: an option is out of range, or no operation matches.

        Examples:
            >>> Faults().truncate("/users/*", after=10)
            <body truncated after 10 bytes for /users/*, 1 more time>
        """
        __tracebackhide__ = True
        return self._inject(Truncate, target, times, skip, after_bytes=after)

    def slow(
        self,
        target: str = "*",
        *,
        chunk: int = 1024,
        seconds: float = 0.1,
        times: int | None = 1,
        skip: int = 0,
    ) -> Slow:
        """Send the response's body in pieces of ``chunk`` bytes, each after a delay (see `delay`).

        Args:
            target, times, skip: as in the class.
            chunk: bytes of each piece, from 1.
            seconds: the delay before each, above 0.

        Returns:
            The fault; its ``left`` counts down.

        Raises:
            ValueError: an option is out of range, or no operation matches.

        Examples:
            >>> Faults().slow("/users/*", chunk=500, seconds=2)
            <slow body, 500 bytes each 2 s for /users/*, 1 more time>
        """
        __tracebackhide__ = True
        return self._inject(Slow, target, times, skip, chunk=chunk, seconds=seconds)

    def drop_callback(self, bot_id: str = "*", *, times: int | None = 1, skip: int = 0) -> DropCallback:
        """Make the receiver of a bot unreachable; the event is not sent again.

        Args:
            bot_id: the bot, or ``*`` for all.
            times, skip: as in the class.

        Returns:
            The fault; its ``left`` counts down.

        Raises:
            ValueError: an option is out of range, or no bot matches.

        Examples:
            >>> Faults().drop_callback("bot-1")
            <callback dropped for bot-1, 1 more time>
        """
        __tracebackhide__ = True
        return self._inject(DropCallback, bot_id, times, skip)

    def add(self, fault: AnyFault) -> None:
        """Add a fault that was made elsewhere.

        Args:
            fault: a fault, such as one of another fake.

        Raises:
            ValueError: no operation, or for a callback no bot, matches its target.
        """
        __tracebackhide__ = True
        if fault.about == "request":
            check_operation(fault.target, self._operations)
        elif self._bots is not None:
            check_bot(fault.target, list(self._bots()))
        with self._changing:
            self._index.add(fault)

    def remove(self, fault: AnyFault) -> None:
        """Remove this very fault, not an equal one; nothing happens if it no longer applies.

        Args:
            fault: what a method of this class returned.
        """
        with self._changing:
            self._index.remove(fault)

    def number(self, fault: AnyFault) -> int:
        """Return the number by which admin calls name a fault; 0 if it no longer applies."""
        with self._changing:
            return self._index.number(fault)

    def clear(self) -> None:
        """Remove all faults."""
        with self._changing:
            self._index.clear()

    def on(self, operation: str, path: str) -> Injection:
        """Return the faults of a request, which count when they take effect."""
        with self._changing:
            covering = self._index.find("request", operation, path)
        ready = [fault for fault in covering if not fault.skip]
        delay = next((found for found in ready if isinstance(found, Delay)), None)
        other = next((found for found in ready if not isinstance(found, Delay)), None)
        return Injection(other, delay, [fault for fault in covering if fault.skip])

    def on_callback(self, bot_id: str) -> DropCallback | None:
        """Return the fault that drops a bot's next callback, and count it; None if it gets through."""
        with self._changing:
            covering = self._index.find("callback", bot_id, bot_id)
        ready = (fault for fault in covering if isinstance(fault, DropCallback) and not fault.skip)
        dropping = next(ready, None)  # before the next lines change what is skipped
        for fault in covering:
            fault.skip = max(0, fault.skip - 1)
        if dropping is not None:
            dropping.used += 1
        return dropping

    def dump(self) -> FaultsData:
        """Return the faults that still apply, for a snapshot."""
        return FaultsData.model_construct(pending=[fault.model_copy() for fault in self])

    def load(self, data: FaultsData) -> None:
        """Replace the faults with saved ones."""
        with self._changing:
            self._index.clear()
            for fault in data.pending:
                self._index.add(fault)

    def __iter__(self) -> Iterator[AnyFault]:
        return iter(self._list())

    def __len__(self) -> int:
        return len(self._list())

    def __repr__(self) -> str:
        faults = self._list()
        return "\n".join([f"<Faults: {len(faults) or 'none'}>", *(f"  {fault}" for fault in faults)])

    def _repr_html_(self) -> str:
        rows = [(fault.label, fault.target, fault.remaining, str(fault.used)) for fault in self._list()]
        title = f"Faults: {quantity(len(rows), 'fault')}"
        return render_table(title, ("fault", "target", "remaining", "applied"), rows)[0]

    def _list(self) -> list[AnyFault]:
        with self._changing:
            return self._index.list_all()

    def _inject(self, kind: type[Kind], target: str, times: int | None, skip: int, **options: Any) -> Kind:
        __tracebackhide__ = True
        fault = make_fault(kind, options | {"target": target, "times": times, "skip": skip})
        self.add(fault)
        return fault


def make_fault(kind: type[Kind], options: Mapping[str, Any]) -> Kind:
    """Make a fault, or raise a `ValueError` that names the options that are not valid."""
    __tracebackhide__ = True
    try:
        return kind(**options)
    except ValidationError as invalid:
        raise ValueError(f"invalid fault: {_describe_errors(invalid, options)}") from None


def _describe_errors(invalid: ValidationError, options: Mapping[str, object]) -> str:
    """Describe the invalid options of a fault, by the names of the arguments."""
    wrong = dict.fromkeys(str(error["loc"][0]) for error in invalid.errors())
    return "; ".join(
        f"{name.removesuffix('_bytes')} must be {OPTIONS[name]}; given {options[name]!r}" for name in wrong
    )
