"""Lesson 01: make the journal show three given lines."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx

__all__ = ["SOLUTIONS"]

Facts = Mapping[str, Any]
AWAY = {"profileStatusId": "AWAY"}
MESSAGE = {"body": {"text": "I am away until Monday."}}


def solution_calls(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    """Send one call after the other."""
    headers = {"Authorization": f"Bearer {token}"}
    url = f"{facts['base_url']}/users/{quote(user, safe='')}"
    http.patch(url, headers=headers, json={"task": "On leave"})
    http.post(f"{url}/user-profile-statuses", headers=headers, json=AWAY)
    http.post(facts["webhooks"][0], json=MESSAGE)


def solution_builds(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    """Build three requests as values, then send them."""
    api, bearer = facts["base_url"], {"Authorization": f"bearer {token}"}
    user = quote(user, safe=":")
    requests = [
        http.build_request("PATCH", f"{api}/users/{user}", headers=bearer, json={}),
        http.build_request("POST", f"{api}/users/{user}/user-profile-statuses", headers=bearer, json=AWAY),
        httpx.Request("POST", facts["webhooks"][0], json={"title": "Leave", **MESSAGE}),
    ]
    for request in requests:
        http.send(request).raise_for_status()


SOLUTIONS = (solution_calls, solution_builds)
