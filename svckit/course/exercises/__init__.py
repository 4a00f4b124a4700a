"""The exercises of the course, a module each; their words are beside the notebooks."""

import httpx

from fakes import FakeService
from fakes.lessons import Words
from svckit.jupyter.bundled import own_notebooks

__all__ = ["open_client", "read_words"]


def read_words(lesson: str) -> Words:
    """Return the words of a lesson of svckit, by the name of its notebook without the extension."""
    return Words.read(own_notebooks() / "course" / f"{lesson}.toml")


def open_client(fake: FakeService) -> httpx.Client:
    """Return a client of a fake's API with an access token."""
    headers = {"Authorization": f"Bearer {fake.access_token()}"}
    return httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"], headers=headers)
