"""Lesson 01: what learners write, by the sentence that each of them gets."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx

from svckit.course.exercises.wire import solution_calls

Facts = Mapping[str, Any]
AWAY = {"profileStatusId": "AWAY"}

MESSAGE = {"body": {"text": "I am away until Monday."}}


def send(http: httpx.Client, url: str, headers: dict[str, str], webhook: str, extra: Any = None) -> None:
    """Send the three calls for a user at a URL."""
    http.patch(url, headers=headers, json={"task": "On leave"})
    http.post(f"{url}/user-profile-statuses", headers=headers, json=AWAY)
    http.post(webhook, json=MESSAGE, headers=extra)


def reveals_token(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    url = f"{facts['base_url']}/users/{quote(user, safe='')}"
    send(http, url, headers, facts["webhooks"][0], extra=headers)


def shares_headers(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    http.headers["Authorization"] = f"Bearer {token}"
    send(http, f"{facts['base_url']}/users/{quote(user, safe='')}", {}, facts["webhooks"][0])


def appends_token(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    webhook = f"{facts['webhooks'][0]}?access_token={token}"
    send(http, f"{facts['base_url']}/users/{quote(user, safe='')}", headers, webhook)


def leaves_unquoted(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    send(http, f"{facts['base_url']}/users/{user}", headers, facts["webhooks"][0])


def quotes_half(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    send(http, f"{facts['base_url']}/users/{quote(user)}", headers, facts["webhooks"][0])


def asks_authorization_server(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    send(http, f"{facts['auth_url']}/users/{quote(user, safe='')}", headers, facts["webhooks"][0])


def asks_hooks(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    send(http, f"{facts['webhook_url']}/users/{quote(user, safe='')}", headers, facts["webhooks"][0])


def misses_webhook(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    send(http, f"{facts['base_url']}/users/{quote(user, safe='')}", headers, facts["webhook_url"])


def posts_to_api(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    api = facts["base_url"]
    send(http, f"{api}/users/{quote(user, safe='')}", headers, f"{api}/message")


def gets(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    url = f"{facts['base_url']}/users/{quote(user, safe='')}"
    http.get(url, headers=headers)
    http.post(f"{url}/user-profile-statuses", headers=headers, json=AWAY)
    http.post(facts["webhooks"][0], json=MESSAGE)


def puts_status(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    url = f"{facts['base_url']}/users/{quote(user, safe='')}"
    http.patch(url, headers=headers, json={})
    http.put(f"{url}/user-profile-statuses", headers=headers, json=AWAY)
    http.post(facts["webhooks"][0], json=MESSAGE)


def patches_webhook(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    url = f"{facts['base_url']}/users/{quote(user, safe='')}"
    http.patch(url, headers=headers, json={})
    http.post(f"{url}/user-profile-statuses", headers=headers, json=AWAY)
    http.get(facts["webhooks"][0])


def lacks_token(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    send(http, f"{facts['base_url']}/users/{quote(user, safe='')}", {}, facts["webhooks"][0])


def lacks_word(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": token}
    send(http, f"{facts['base_url']}/users/{quote(user, safe='')}", headers, facts["webhooks"][0])


def misspells_path(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    send(http, f"{facts['base_url']}/user/{quote(user, safe='')}", headers, facts["webhooks"][0])


def sends_form(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    url = f"{facts['base_url']}/users/{quote(user, safe='')}"
    http.patch(url, headers=headers, data={"task": "On leave"})


def sends_text(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    url = f"{facts['base_url']}/users/{quote(user, safe='')}"
    http.patch(url, headers=headers, content=json.dumps({"task": "On leave"}))


def fixes_user(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    send(http, f"{facts['base_url']}/users/u-003", headers, facts["webhooks"][0])


def sets_busy(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    url = f"{facts['base_url']}/users/{quote(user, safe='')}"
    http.patch(url, headers=headers, json={"task": "On leave"})
    http.post(f"{url}/user-profile-statuses", headers=headers, json={"profileStatusId": "BUSY"})
    http.post(facts["webhooks"][0], json=MESSAGE)


def posts_first(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    url = f"{facts['base_url']}/users/{quote(user, safe='')}"
    http.post(facts["webhooks"][0], json=MESSAGE)
    http.patch(url, headers=headers, json={"task": "On leave"})
    http.post(f"{url}/user-profile-statuses", headers=headers, json=AWAY)


def posts_twice(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    solution_calls(http, facts, token, user)
    http.post(facts["webhooks"][0], json=MESSAGE)


def stops_early(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    http.patch(
        f"{facts['base_url']}/users/{quote(user, safe='')}", headers=headers, json={"task": "On leave"}
    )


WRONG = {
    "token": (reveals_token, shares_headers, appends_token),
    "unquoted": (leaves_unquoted, quotes_half),
    "host": (asks_authorization_server, asks_hooks),
    "webhook URL": (misses_webhook, posts_to_api),
    "method": (gets, puts_status, patches_webhook),
    "bearer": (lacks_token, lacks_word),
    "refused": (misspells_path,),
    "form": (sends_form, sends_text),
    "status": (sets_busy,),
    "user": (fixes_user,),
    "lines": (posts_first, posts_twice, stops_early),
}
