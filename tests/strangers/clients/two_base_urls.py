"""A client that is configured with two base URLs, and joins absolute paths to them."""

from urllib.parse import urljoin

import requests


class Client:
    def __init__(self, api_url, auth_url, client_id, client_secret, refresh_token):
        self.api_url = api_url
        self.auth_url = auth_url
        self.client = {"client_id": client_id, "client_secret": client_secret}
        self.refresh_token = refresh_token
        self.session = requests.Session()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.session.close()

    def refresh(self):
        form = {"grant_type": "refresh_token", "refresh_token": self.refresh_token} | self.client
        response = self.session.post(urljoin(self.auth_url, "/oauth2/v2.0/token"), data=form)
        response.raise_for_status()
        self.session.headers["Authorization"] = f"Bearer {response.json()['access_token']}"

    def update_user(self, user_id, **changes):
        response = self.session.patch(urljoin(self.api_url, f"/users/{user_id}"), json=changes)
        response.raise_for_status()
        return response.json()
