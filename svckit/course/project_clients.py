"""The clients of the project: those that keep all rules, and for each clause of the rules one that breaks it."""

import inspect
import tomllib
from functools import cache
from typing import Any, NamedTuple

from svckit.course.exercises import hr_sync_client, hr_sync_other_client
from svckit.jupyter.bundled import own_notebooks

__all__ = ["CLIENT", "CORRECT", "REWORDED", "BrokenClient", "Client", "load_client", "read_broken"]


class Client:
    """A client whose traffic an exercise can grade."""

    def __init__(self, sync: Any, receive: Any) -> None:
        self.sync, self.receive = sync, receive
        self.begin = getattr(receive, "begin", None)  # of a function in another process

    def __call__(self) -> None:
        """Do nothing: an exercise takes what can be called."""


class BrokenClient(NamedTuple):
    """A client that breaks one clause of a rule: the first correct one, with some of its source replaced.

    Attributes:
        name: a short name.
        rule: the number of the rule.
        about: what the clause is about.
        does: what the client does.
        source: its source.
    """

    name: str
    rule: int
    about: str
    does: str
    source: str


CLIENT = "hr_sync.py"
"""The name of the file of a client."""
CORRECT = (inspect.getsource(hr_sync_client), inspect.getsource(hr_sync_other_client))
"""The sources of the clients that keep all rules."""
REWORDED = CORRECT[0].replace("= str(error)", "= f'{user_id} was left as it is'")
"""The source of the first one with other messages for its problems."""


@cache
def read_broken() -> tuple[BrokenClient, ...]:
    """Return the broken clients, in the order of the rules, from ``broken.toml`` of the project."""
    clients = []
    path = own_notebooks() / "course" / "project" / "broken.toml"
    for name, (rule, about, does, *replacements) in tomllib.loads(path.read_text("utf-8")).items():
        source = CORRECT[0]
        for before, after in replacements:
            source = source.replace(before, after)
        clients.append(BrokenClient(name, rule, about, does, source))
    return tuple(clients)


def load_client(source: str) -> Client:
    """Run the source of a client."""
    names: dict[str, Any] = {"__name__": "hr_sync"}
    exec(compile(source, CLIENT, "exec"), names)  # noqa: S102 - svckit's own
    return Client(names["sync"], names["receive"])
