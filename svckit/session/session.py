"""A signed-in session: the operations of the service as plain method calls, grouped by topic.

The methods of the groups are the operations of `svckit.operations`, run to their result; `AsyncSession` has the
same ones for ``await``. `svckit.session.base` has what the two share.
"""

import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, Self, TypeVar

from svckit.display.arguments import explaining_arguments
from svckit.extras import needing
from svckit.http.messages import Operation, Response, Wait
from svckit.http.transport import (
    Client,
    Transport,
    open_client,
    perform,
)
from svckit.models.notification import Button
from svckit.models.secret import Secret
from svckit.operations import custom, notifications
from svckit.operations.methods import method
from svckit.operations.notifications import Notified
from svckit.session.base import SessionBase
from svckit.session.files import Files
from svckit.session.http_client import make_client
from svckit.session.steps import Step, Steps, Turn, Visit, pass_by
from svckit.session.users import Users
from svckit.tracebacks import forgetting_locals, hiding_inner_frames

if TYPE_CHECKING:
    from svckit.widgets import ExplorerPanel

__all__ = ["Session"]

T = TypeVar("T")


class Session(SessionBase[Transport, Client]):
    """A signed-in session, from `svckit.connect`. Threads may share it, and so may forked processes.

    Attributes:
        users: users and their profile statuses.
        files: uploads and downloads.

    Examples:
        >>> import svckit
        >>> with svckit.connect(now="2026-06-01T09:00:00+09:00") as svc:
        ...     svc.users.update("u-001", nick_name="Mina").nick_name
        'Mina'
        >>> svc
        Session [FAKE]
          profile         fake, https://api.fake.test
          signed in       hana.nakamura.001@example.com
          access token    until 2026-06-02T09:00:00+09:00; renewed automatically
          svc.users       update, read, set_status, diff, apply, list_known
          svc.files       upload, resume, download, copy, upload_many, download_many
          svc.notify      posts a message to a chat room
          svc.explore()   opens users, files, notifications and more in a notebook
          svc.trace()     records the requests of a with block
          svckit.explain  shows what a call would send, and what comes back
          svckit.frames   makes pandas frames: users, statuses, files, journal, …
          svckit.plots    draws rate_window, deliveries, credentials, timeline, …
          guide           notebooks/00-start.ipynb; svckit lab opens it
        >>> svc.is_fake, svc.clock.now().isoformat()
        (True, '2026-06-01T09:00:00+09:00')
        >>> svc.credentials.login_id, svc.bot_secret
        ('hana.nakamura.001@example.com', Secret('***'))
    """

    users: Users
    files: Files
    _connector = "svckit.connect"
    _groups = (Users, Files)
    _make_lock = staticmethod(threading.RLock)
    _open_client = staticmethod(open_client)

    def run(self, operation: Operation[T]) -> T:
        """Run an operation of `svckit.operations` to its result.

        Args:
            operation: such as ``svckit.operations.users.read("u-001")``; it can be run once.

        Returns:
            The result of the operation.

        Raises:
            InvalidInput: an argument breaks a limit. Nothing was sent.
            ServiceError: a request failed.
            RuntimeError: the session is closed.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> svc.run(svckit.operations.users.read("u-001")).user_id
            'u-001'
        """
        with hiding_inner_frames:
            return self._perform(self._driver.steps(operation))

    def _perform(self, taken: Steps[T]) -> T:
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
                    advance = partial(steps.send, self._do(step))
                except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the steps may know what to do
                    advance = partial(steps.throw, error)

    def _do(self, step: Step) -> Response | None:
        """Carry out a step; of a request, return the response. The steps themselves release the lock of a turn."""
        match step:
            case Turn():
                step.lock.acquire()
            case Wait():
                time.sleep(pass_by(self._driver.clock, step.seconds))
            case Visit():
                with forgetting_locals:
                    step.code = step.visitor.visit(step.request)
            case _:
                if self._http.is_closed:
                    raise self._explain_closed()
                return perform(self._http, step)
        return None

    def sign_in(self) -> Self:
        """Sign in, or sign in again, through the authorization-code flow.

        Returns:
            The session itself.

        Raises:
            SignInStopped: the person refused, cancelled or took too long.
            ServiceError: the sign-in failed.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> svc.sign_in() is svc
            True
        """
        with hiding_inner_frames:
            self._perform(self._driver.sign_in())
        return self

    def choose_workers(self, workers: int | None) -> int:
        """Return how many calls run at a time, and sign in first: other threads cannot ask a person."""
        with hiding_inner_frames:
            self._perform(self._driver.get_tokens())
        return super().choose_workers(workers)

    def resume(self) -> bool:
        """Resume with stored tokens, without signing in; return whether there were any.

        Returns:
            Whether there were stored tokens.

        Raises:
            Unauthorized: the stored tokens have expired.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> svc.resume()
            True
        """
        with hiding_inner_frames:
            return self._perform(self._driver.resume())

    @explaining_arguments(to="webhook=", url="webhook=", message="text=", body="text=")
    def notify(
        self,
        text: str,
        *,
        title: str | None = None,
        button: tuple[str, str] | Button | None = None,
        webhook: str | Secret | None = None,
        wait: bool = False,
    ) -> Notified:
        """Post a message to a chat room; see `svckit.operations.notifications.notify`.

        Args:
            text: the text of the message; `svckit.models.mention` writes the markup that mentions a user.
            title: its title; by default the one in the webhook list.
            button: label and URL of a link below the text.
            webhook: the webhook URL, or its name in the profile; by default the profile's first.
            wait: whether to wait up to two minutes for the reset if the rate limit is reached.

        Returns:
            The response, with the rate limit as it is then.

        Raises:
            InvalidInput: a text breaks a limit, or the webhook is not known. Nothing was sent.
            RateLimited: the limit is reached, and `wait` is not set or was not enough.
            ServiceError: the service refused it.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> svc.notify("Build is green", title="CI").description
            'success'
        """
        webhook = Secret(webhook) if isinstance(webhook, str) else webhook  # also in tracebacks
        webhook = notifications.choose_webhook(webhook, self._driver.credentials.webhooks)
        return self.run(notifications.notify(webhook, text, title=title, button=button, wait=wait))

    request: Final = method(
        custom.request,
        """\
>>> svc.request("PATCH", "/users/u-001", json={"nickName": "Mina"}).json()["nickName"]
'Mina'
""",
    )

    @cached_property
    def http(self) -> Client:
        """An ``httpx.Client`` that carries the session's bearer, to this profile's API and file storage only.

        Relative URLs are below the API's base URL. The bearer is renewed as usual; errors are httpx's own. The client
        keeps no cookies.

        Raises:
            RuntimeError: the session is closed.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> svc.http.patch("/users/u-001", json={"nickName": "Mina"}).json()["nickName"]
            'Mina'
        """
        if self._http.is_closed:
            raise self._explain_closed()
        return make_client(self._driver, self._perform, self._transport, self._trust)

    def explore(self, show: str | None = None) -> "ExplorerPanel":
        """Show the explorers of this session in one panel, with a badge FAKE or REAL.

        Each session has one panel: running the cell again shows the same one, with its input.

        Args:
            show: the explorer to show, such as ``"users"`` or ``"notifications"``; by default the current one.

        Returns:
            The panel, a `svckit.widgets.ExplorerPanel`.

        Raises:
            ModuleNotFoundError: the widgets come with the extra ``lab``.
            ValueError: no such explorer; the message suggests the nearest name.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> panel = svc.explore("users")
            >>> type(panel).__name__
            'ExplorerPanel'
        """
        with needing("svc.explore()"):
            from svckit.widgets import ExplorerPanel  # a higher layer; it loads ipywidgets

            return ExplorerPanel.of(self, show)  # tables load pandas

    def close(self) -> None:
        """Close the connections. The records of the session stay readable.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> svc.close()
            >>> svc.users.read("u-001")
            Traceback (most recent call last):
            ...
            RuntimeError: the session is closed (svc.close() was called, ...), so nothing was sent; ...
        """
        self._http.close()
        if "http" in vars(self):  # it was made, as somebody has used it
            self.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
