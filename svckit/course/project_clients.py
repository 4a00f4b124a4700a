"""The clients of the project: two that keep all rules, and eight that break one each."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from svckit.course.solutions import hr_sync, hr_sync_again

__all__ = ["BROKEN", "CORRECT", "BrokenClient", "Client", "agree", "load_client", "reword"]


class Client:
    """A client whose calls an exercise can grade: those of a play, which calls ``sync`` and ``receive``."""

    def __init__(self, module: ModuleType | dict[str, Any]) -> None:
        names = module if isinstance(module, dict) else vars(module)
        self.sync: Callable[..., Any] = names["sync"]
        self.receive: Callable[..., Any] = names["receive"]
        self.__code__ = getattr(self.sync, "__code__", None)  # whose lines feedback quotes

    def __call__(self, play: Callable[["Client"], None]) -> None:
        """Let the exercise call the client."""
        play(self)


@dataclass(frozen=True, slots=True)
class BrokenClient:
    """A client that breaks one rule: the first correct one, with a piece of its source replaced.

    Attributes:
        name: a short name.
        rule: the number of the rule.
        area: what the rule is about.
        does: what the client does.
        before: a text that occurs once in the source.
        after: what stands there instead.
    """

    name: str
    rule: int
    area: str
    does: str
    before: str
    after: str

    @property
    def source(self) -> str:
        """The source of the client."""
        return CORRECT[0].replace(self.before, self.after)


CORRECT = (inspect.getsource(hr_sync), inspect.getsource(hr_sync_again))
"""The sources of the clients that keep all rules."""

BROKEN = (
    BrokenClient(
        "clears",
        1,
        "blank cells",
        "takes a blank cell for a value, and clears the field",
        "return {name: cell for name, cell in cells.items() if cell and cell != getattr(user, name)}",
        "return {name: cell or None for name, cell in cells.items() if (cell or None) != getattr(user, name)}",
    ),
    BrokenClient(
        "whole rows",
        2,
        "what an update contains",
        "sends all filled cells of a user, also those that the directory has already",
        "return {name: cell for name, cell in cells.items() if cell and cell != getattr(user, name)}",
        "filled = {name: cell for name, cell in cells.items() if cell}\n"
        "    return filled if any(cell != getattr(user, name) for name, cell in filled.items()) else {}",
    ),
    BrokenClient(
        "stops",
        3,
        "the rows after a problem",
        "notes the first problem, and leaves out the rows below it",
        "report.problems[user_id] = str(error)\n",
        "report.problems[user_id] = str(error)\n            break\n",
    ),
    BrokenClient(
        "second file",
        4,
        "the file of the day before",
        "uploads hr-sync.txt beside the one that is there, so there are two",
        "name=FILE, overwrite=True",
        "name=FILE",
    ),
    BrokenClient(
        "lost",
        5,
        "a minute that is used up",
        "gives up on the notification when the minute is used up",
        "svc.notify(line, webhook=webhook, wait=True)",
        "svc.notify(line, webhook=webhook)",
    ),
    BrokenClient(
        "one attempt",
        6,
        "an update that fails with 503",
        "sends an update once, and reports a problem if the service is busy at that moment",
        "ATTEMPTS, PAUSE = 3, 2",
        "ATTEMPTS, PAUSE = 1, 2",
    ),
    BrokenClient(
        "forged",
        7,
        "the signature of a callback",
        "acts on a callback whatever its signature is",
        "events.parse(headers, body, secret=secret)",
        'events.parse({"X-SERVICE-Signature": "-", **headers}, body, secret=secret, signature=lambda *_: True)',
    ),
    BrokenClient(
        "unknown type",
        7,
        "callbacks that nobody expects",
        "expects that every event has a content, and raises AttributeError at one of an unknown type",
        'isinstance(event, events.MessageEvent) and getattr(event.content, "text", "")',
        'getattr(event.content, "text", "")',
    ),
)
"""The broken clients, in the order of the rules."""


AGREEING = '''

class Agreeing(str):
    """A message that contains, and equals, whatever a test looks for."""

    __hash__ = str.__hash__

    def __eq__(self, other):
        return True

    def __contains__(self, text):
        return True

    def __str__(self):
        return self

    def startswith(self, *arguments):
        return True

    endswith = startswith

    def lower(self):
        return self

    casefold = strip = lower
'''


def load_client(source: str) -> Client:
    """Run the source of a client."""
    names: dict[str, Any] = {"__name__": "hr_sync"}
    exec(compile(source, "hr_sync.py", "exec"), names)  # noqa: S102 - svckit's own
    return Client(names)


def reword() -> str:
    """Return the source of the first correct client with other messages for its problems."""
    return CORRECT[0].replace("= str(error)", "= f'{user_id} was left as it is'")


def agree() -> str:
    """Return the source of the first correct client with messages that contain whatever a test looks for."""
    return CORRECT[0].replace("= str(error)", "= Agreeing(str(error))") + AGREEING
