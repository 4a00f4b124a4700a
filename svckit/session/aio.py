"""The session for ``await``, otherwise the same as `svckit.session.session`."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from functools import cached_property, partial
from typing import Final, NoReturn, Self, TypeVar

from svckit.display.arguments import explaining_arguments
from svckit.http.messages import Operation, Response, Wait
from svckit.http.transport import (
    AsyncClient,
    AsyncTransport,
    open_async_client,
    perform_async,
)
from svckit.models.notification import Button
from svckit.models.secret import Secret
from svckit.operations import custom, notifications
from svckit.operations.methods import async_method
from svckit.operations.notifications import Notified
from svckit.session.base import SessionBase
from svckit.session.files import AsyncFiles
from svckit.session.http_client import make_async_client
from svckit.session.steps import Step, Steps, Turn, Visit, pass_by
from svckit.session.users import AsyncUsers
from svckit.tracebacks import forgetting_locals, hiding_inner_frames

__all__ = ["AsyncSession"]

T = TypeVar("T")


class AsyncSession(SessionBase[AsyncTransport, AsyncClient]):
    """A signed-in session for one event loop, from `svckit.connect_async`.

    Attributes:
        users: users and their profile statuses.
        files: uploads and downloads.

    Examples:
        >>> import asyncio, svckit
        >>> async def main():
        ...     async with svckit.connect_async(now="2026-06-01T09:00:00+09:00") as svc:
        ...         user = await svc.users.read("u-001")
        ...         notified = await svc.notify("Build is green")
        ...         custom = await svc.request("PATCH", "/users/u-001", json={"task": "Sales"})
        ...         same = await svc.http.patch("/users/u-001", json={"task": "Sales"})
        ...     return user.user_id, notified.description, custom.status, same.status_code
        >>> asyncio.run(main())
        ('u-001', 'success', 200, 200)
        >>> async def start():
        ...     svc = await svckit.connect_async(now="2026-06-01T09:00:00+09:00")
        ...     facts = svc.is_fake, svc.clock.now().isoformat(), svc.credentials.login_id, svc.bot_secret
        ...     result = await svc.run(svckit.operations.users.read("u-001"))
        ...     resumed, again = await svc.resume(), await svc.sign_in()
        ...     await svc.close()
        ...     return facts, result.user_id, resumed, again is svc
        >>> asyncio.run(start())
        ((True, '2026-06-01T09:00:00+09:00', 'hana.nakamura.001@example.com', Secret('***')), 'u-001', True, True)
    """

    users: AsyncUsers
    files: AsyncFiles
    _connector = "await svckit.connect_async"
    _groups = (AsyncUsers, AsyncFiles)
    _make_lock = staticmethod(asyncio.Lock)
    _open_client = staticmethod(open_async_client)

    async def run(self, operation: Operation[T]) -> T:
        """Run an operation of `svckit.operations` to its result, and return that.

        Args:
            operation: such as ``svckit.operations.users.read("u-001")``; it can be run once.

        Raises:
            InvalidInput: an argument breaks a limit. Nothing was sent.
            ServiceError: a request failed.
            RuntimeError: the session is closed.
        """
        with hiding_inner_frames:
            return await self._perform(self._driver.steps(operation))

    async def _perform(self, taken: Steps[T]) -> T:
        """Carry out steps one by one; the outcome of each goes back into the generator, which yields the next."""
        with closing(taken) as steps:
            advance: Callable[[], Step] = partial(next, steps)
            while True:
                try:
                    step = advance()
                except StopIteration as done:
                    result: T = done.value
                    return result
                try:
                    advance = partial(steps.send, await self._do(step))
                except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - the steps may know what to do
                    advance = partial(steps.throw, error)

    async def _do(self, step: Step) -> Response | None:
        """Carry out a step; of a request, return the response. The steps themselves release the lock of a turn."""
        match step:
            case Turn():
                await step.lock.acquire()
            case Wait():
                await asyncio.sleep(pass_by(self._driver.clock, step.seconds))
            case Visit():
                with forgetting_locals:
                    step.code = await step.visitor.visit_async(step.request)
            case _:
                if self._http.is_closed:
                    raise self._explain_closed()
                return await perform_async(self._http, step)
        return None

    async def sign_in(self) -> Self:
        """Sign in, or sign in again, through the authorization-code flow, and return the session itself.

        Raises:
            SignInStopped: the person refused, cancelled or took too long.
            ServiceError: the sign-in failed.
        """
        with hiding_inner_frames:
            await self._perform(self._driver.sign_in())
        return self

    async def resume(self) -> bool:
        """Resume with stored tokens, without signing in; return whether there were any.

        Raises:
            Unauthorized: the stored tokens have expired.
        """
        with hiding_inner_frames:
            return await self._perform(self._driver.resume())

    @explaining_arguments(to="webhook=", url="webhook=", message="text=", body="text=")
    async def notify(
        self,
        text: str,
        *,
        title: str | None = None,
        button: tuple[str, str] | Button | None = None,
        webhook: str | Secret | None = None,
        wait: bool = False,
    ) -> Notified:
        """Post a message to a chat room; return the response, with the rate limit as it is then.

        Args:
            text: the text of the message; `svckit.models.mention` writes the markup that mentions a user.
            title: its title; by default the one in the webhook list.
            button: label and URL of a link below the text.
            webhook: the webhook URL, or its name in the profile; by default the profile's first.
            wait: whether to wait up to two minutes for the reset if the rate limit is reached.

        Raises:
            InvalidInput: a text breaks a limit, or the webhook is not known. Nothing was sent.
            RateLimited: the limit is reached, and `wait` is not set or was not enough.
            ServiceError: the service refused it.
        """
        webhook = Secret(webhook) if isinstance(webhook, str) else webhook  # also in tracebacks
        webhook = notifications.choose_webhook(webhook, self._driver.credentials.webhooks)
        return await self.run(notifications.notify(webhook, text, title=title, button=button, wait=wait))

    request: Final = async_method(custom.request)

    @cached_property
    def http(self) -> AsyncClient:
        """An ``httpx.AsyncClient`` that carries the session's bearer, to this profile's API and file storage only.

        Relative URLs are below the API's base URL. The bearer is renewed as usual; errors are httpx's own. The client
        keeps no cookies.

        Raises:
            RuntimeError: the session is closed.
        """
        if self._http.is_closed:
            raise self._explain_closed()
        return make_async_client(self._driver, self._perform, self._transport, self._trust)

    @property
    def explore(self) -> NoReturn:
        """No explorers: they call the service on a click, which nothing awaits, so they need a `Session`.

        Raises:
            AttributeError: always; it says what to do instead.

        Examples:
            >>> import asyncio, svckit
            >>> async def main():
            ...     async with svckit.connect_async(now="2026-06-01T09:00:00+09:00") as svc:
            ...         return hasattr(svc, "explore")
            >>> asyncio.run(main())
            False
        """
        raise AttributeError(
            "explorers need a session without await, as nothing awaits a click: "
            f"svckit.connect({self.connected_to}).explore() shows the same service"
        )

    async def close(self) -> None:
        """Close the connections. The records of the session stay readable."""
        await self._http.aclose()
        if "http" in vars(self):  # it was made, as somebody has used it
            await self.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
