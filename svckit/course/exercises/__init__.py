"""The exercises of the course, a module each; their words are beside the notebooks."""

import httpx

from fakes import FakeService

__all__ = ["open_client"]


def open_client(fake: FakeService) -> httpx.Client:
    """Return a client of a fake's API with an access token."""
    headers = {"Authorization": f"Bearer {fake.access_token()}"}
    return httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"], headers=headers)
