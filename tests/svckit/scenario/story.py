"""A story: the whole service through the toolkit, in small steps, each of which works or is refused by the service.

Anything else that goes wrong in a step is a fault of the toolkit, and is raised.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import svckit
from fakes import FakeService
from svckit.errors import ServiceError, Unauthorized
from svckit.models.secret import Secret
from svckit.profiles.credentials import Credentials
from svckit.session.session import Session

__all__ = ["STEPS", "Skipped", "Step", "Story", "refused", "skipped", "step"]

SCREENS = ("auth.authorize", "auth.login")
NOW = "2026-06-01T09:00:00+09:00"

Step = Callable[["Story"], object]
STEPS: dict[Step, str] = {}
"""How each step ends by default; those of a module are in the order in which they are taken."""


def step(function: Step) -> Step:
    """Enter a function as the next step, which works."""
    STEPS[function] = "works"
    return function


def refused(status: int) -> Callable[[Step], Step]:
    """Enter a function as the next step, which the service refuses with a status."""

    def enter(function: Step) -> Step:
        STEPS[function] = f"refused with {status}"
        return function

    return enter


def skipped(function: Step) -> Step:
    """Enter a function as the next step, which needs an alternative other than the default."""
    STEPS[function] = "skipped"
    return function


class Skipped(Exception):
    """Raised by a step that needs what was refused before."""


@dataclass
class Story:
    """A session on a fake, what the steps have left, and how each ended."""

    fake: FakeService
    svc: Session
    left: dict[str, Any] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)

    @classmethod
    def begin(cls, **options: Any) -> "Story":
        """Sign in to a new fake."""
        fake = FakeService.sample(users=20, now=NOW, **options)
        return cls(fake, svckit.connect(fake))

    def play(self, taken: Step) -> None:
        """Take a step, and note whether it worked or the service refused it.

        Raises:
            AssertionError: what the toolkit raised is not what the service said.
        """
        name, before = taken.__name__, len(self.fake.journal)
        try:
            taken(self)
            self.outcomes[name] = "works"
        except Skipped:
            self.outcomes[name] = "skipped"
        except ServiceError as refusal:
            sent = {entry.status for entry in list(self.fake.journal)[before:]}
            self.outcomes[name] = _refusal(refusal, sent, name)

    def need(self, name: str) -> Any:
        """What an earlier step has left.

        Raises:
            Skipped: that step was refused.
        """
        if name not in self.left:
            raise Skipped
        return self.left[name]

    def session(
        self,
        *,
        login: str = "u-001",
        password: str = "",
        login_id: str = "",
        secret: str = "",
        **profile: Any,
    ) -> Session:
        """Another session on the same fake, not signed in yet: of another user, application or profile."""
        own = Credentials.from_facts(self.fake.facts)
        credentials = replace(
            own,
            login_id=login_id or self.fake.directory[login]["email"],
            password=Secret(password or self.fake.auth.password(login)),
            client_secret=Secret(secret) if secret else own.client_secret,
        )
        wiring = {"transport": self.fake.transport(), "fake": self.fake, "clock": self.fake.clock}
        return Session(replace(self.svc.profile, **profile), credentials, **wiring)

    def raw(self, method: str, path: str, **request: Any) -> None:
        """Call the API through ``svc.http``, with what the operations would not send."""
        status = self.svc.http.request(method, path.lstrip("/"), **request).status_code
        assert status < 500, f"{method} {path}: {status}"


def _refusal(error: ServiceError, sent: set[int | None], step: str) -> str:
    """Check that an error says what the service has said, and return that in words."""
    told = f"{step} raised {type(error).__name__}: {error}"
    is_screen = error.operation in SCREENS
    assert error.status in sent, f"{told}\nIts status was not sent; these were: {sent}"
    assert error.status is not None
    is_error = (
        400 <= error.status < 500 or error.status == 501 or (is_screen and isinstance(error, Unauthorized))
    )
    assert is_error, f"{told}\nIts status refuses nothing"
    assert error.code or is_screen, f"{told}\nThe code of the error body was not read"
    assert error.description, f"{told}\nThe description in the error body was not read"
    assert not error.description.startswith(("{", "<")), f"{told}\nThe error body was not read"
    return f"refused with {error.status}"
