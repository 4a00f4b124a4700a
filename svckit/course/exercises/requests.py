"""Requests: what sends them to a fake, and how exercises read them in the journal."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import httpx

from fakes import FakeService
from fakes.lessons import JournalEntry, Run, Seen, said

__all__ = ["find_user", "header", "keeps_token", "open_client", "read_fields", "read_text"]


def open_client(fake: FakeService) -> httpx.Client:
    """Return a client of a fake's API with an access token."""
    headers = {"Authorization": f"Bearer {fake.access_token()}"}
    return httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"], headers=headers)


def read_fields(entry: JournalEntry) -> dict[str, Any]:
    """Return the fields of the JSON object that a request sent; empty if it sent none.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect()
        >>> user = svc.users.update("u-003", nick_name="Mina")
        >>> read_fields(svc.fake.journal[-1]), read_fields(svc.fake.journal[0])
        ({'nickName': 'Mina'}, {})
    """
    return entry.json if isinstance(entry.json, dict) else {}


def read_text(entry: JournalEntry) -> str:
    """Return the text of a message; empty without one."""
    body = read_fields(entry).get("body")
    return str(body.get("text", "")) if isinstance(body, dict) else ""


def find_user(entry: JournalEntry) -> str:
    """Return whom a request is about, as its path says; empty if it is about nobody."""
    _, _, rest = entry.path.partition("?")[0].partition("/users/")
    return unquote(rest.partition("/")[0])


def header(entry: JournalEntry, name: str) -> str:
    """Return a header of a request, by its name in lower case; empty if it was not sent."""
    return next((value for key, value in entry.request_headers if key.lower() == name), "")


def keeps_token(run: Run) -> Iterator[Seen]:
    """Look for an access token that was sent to a webhook."""
    for entry in run.sent("notifications.post"):
        has_token = "token=" in entry.url or header(entry, "authorization")
        yield said("token", entry) if has_token else True
