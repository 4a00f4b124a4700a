"""A caller of the admin interface."""

import re
from functools import cache
from importlib.util import find_spec

import httpx

from fakes import FakeService
from fakes.parts.domain import Domain


@cache
def describe():
    """The document of the admin calls; an empty one in a copy without the ring that writes it."""
    return FakeService.sample().admin_openapi() if find_spec("fakes.openapi") else {"paths": {}}


def find_operation(method, path):
    """The operation of the document that a request is for; None if there is none."""
    path = path.partition("?")[0]
    for template, item in describe()["paths"].items():
        if re.fullmatch(re.sub(r"{\w+}", "[^/]+", template).replace(".", r"\."), path):
            return item.get(method.lower())
    return None


class Admin:
    """Calls the admin interface of a fake, through the door for httpx; no response is another than the document has."""

    def __init__(self, fake, key=None):
        self.fake = fake
        headers = {"Authorization": f"Bearer {key or fake.facts['admin_key']}"}
        self.http = httpx.Client(
            transport=fake.transport(), base_url=fake.facts["admin_url"], headers=headers
        )

    def __call__(self, method, path, body=None, **options):
        options |= {} if body is None else {"json": body}
        response = self.http.request(method, path, **options)
        if operation := find_operation(method, path):
            assert str(response.status_code) in operation["responses"], (method, path, response.text)
        return response

    def refused(self, *request, status=400, **options):
        """The description of a refusal that changed nothing."""
        before = Domain.snapshot(self.fake)  # a fake with worlds refuses to take one itself
        response = self(*request, **options)
        assert response.status_code == status, response.text
        assert Domain.snapshot(self.fake) == before
        assert response.json().keys() == {"code", "description"}
        return response.json()["description"]
