"""A caller of the admin interface."""

import httpx

from fakes.parts.domain import Domain


class Admin:
    """Calls the admin interface of a fake, through the door for httpx."""

    def __init__(self, fake, key=None):
        self.fake = fake
        headers = {"Authorization": f"Bearer {key or fake.facts['admin_key']}"}
        self.http = httpx.Client(
            transport=fake.transport(), base_url=fake.facts["admin_url"], headers=headers
        )

    def __call__(self, method, path, body=None, **options):
        options |= {} if body is None else {"json": body}
        return self.http.request(method, path, **options)

    def refused(self, *request, status=400, **options):
        """The description of a refusal that changed nothing."""
        before = Domain.snapshot(self.fake)  # a fake with worlds refuses to take one itself
        response = self(*request, **options)
        assert response.status_code == status, response.text
        assert Domain.snapshot(self.fake) == before
        assert response.json().keys() == {"code", "description"}
        return response.json()["description"]
