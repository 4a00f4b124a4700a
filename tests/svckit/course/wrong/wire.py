"""Lesson 01: what learners write, by the sentence that each of them gets."""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import httpx

from svckit.course.exercises.wire import solution_calls

Facts = Mapping[str, Any]
AWAY = {"profileStatusId": "AWAY"}

MESSAGE = {"body": {"text": "I am away until Monday."}}


def find_user(facts: Facts, user: str) -> str:
    """Return the URL of a user."""
    return f"{facts['base_url']}/users/{quote(user, safe='')}"


def send(
    http: httpx.Client,
    url: str,
    headers: dict[str, str],
    webhook: str,
    status: dict[str, str] = AWAY,
    extra: Any = None,
) -> None:
    """Send the three calls for a user at a URL."""
    http.patch(url, headers=headers, json={"task": "On leave"})
    http.post(f"{url}/user-profile-statuses", headers=headers, json=status)
    http.post(webhook, json=MESSAGE, headers=extra)


def make(
    find_user: Callable[[Facts, str], str] = find_user,
    find_webhook: Callable[[Facts, str], str] = lambda facts, token: facts["webhooks"][0],
    authorize: Callable[[str], dict[str, str]] = lambda token: {"Authorization": f"Bearer {token}"},
    send: Callable[[httpx.Client, str, dict[str, str], str], object] = send,
) -> Callable[[httpx.Client, Facts, str, str], None]:
    """Return a `send_three` that differs from a solution in one part."""

    def send_three(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
        send(http, find_user(facts, user), authorize(token), find_webhook(facts, token))

    return send_three


leaves_unquoted = make(find_user=lambda facts, user: f"{facts['base_url']}/users/{user}")


quotes_half = make(find_user=lambda facts, user: f"{facts['base_url']}/users/{quote(user)}")


asks_authorization_server = make(
    find_user=lambda facts, user: f"{facts['auth_url']}/users/{quote(user, safe='')}"
)


asks_hooks = make(find_user=lambda facts, user: f"{facts['webhook_url']}/users/{quote(user, safe='')}")


misspells_path = make(find_user=lambda facts, user: f"{facts['base_url']}/user/{quote(user, safe='')}")


fixes_user = make(find_user=lambda facts, user: f"{facts['base_url']}/users/u-003")


misses_webhook = make(find_webhook=lambda facts, token: facts["webhook_url"])


posts_to_api = make(find_webhook=lambda facts, token: f"{facts['base_url']}/message")


appends_token = make(find_webhook=lambda facts, token: f"{facts['webhooks'][0]}?access_token={token}")


lacks_token = make(authorize=lambda token: {})


lacks_word = make(authorize=lambda token: {"Authorization": token})


reveals_token = make(
    send=lambda http, url, headers, webhook: send(http, url, headers, webhook, extra=headers)
)


sets_busy = make(
    send=lambda http, url, headers, webhook: send(
        http, url, headers, webhook, status={"profileStatusId": "BUSY"}
    )
)


sends_form = make(
    send=lambda http, url, headers, webhook: http.patch(url, headers=headers, data={"task": "On leave"})
)


sends_text = make(
    send=lambda http, url, headers, webhook: http.patch(
        url, headers=headers, content=json.dumps({"task": "On leave"})
    )
)


def get_user(http: httpx.Client, url: str, headers: dict[str, str], webhook: str) -> None:
    http.get(url, headers=headers)
    http.post(f"{url}/user-profile-statuses", headers=headers, json=AWAY)
    http.post(webhook, json=MESSAGE)


gets = make(send=get_user)


def put_status(http: httpx.Client, url: str, headers: dict[str, str], webhook: str) -> None:
    http.patch(url, headers=headers, json={})
    http.put(f"{url}/user-profile-statuses", headers=headers, json=AWAY)
    http.post(webhook, json=MESSAGE)


puts_status = make(send=put_status)


def get_webhook(http: httpx.Client, url: str, headers: dict[str, str], webhook: str) -> None:
    http.patch(url, headers=headers, json={})
    http.post(f"{url}/user-profile-statuses", headers=headers, json=AWAY)
    http.get(webhook)


gets_webhook = make(send=get_webhook)


def post_first(http: httpx.Client, url: str, headers: dict[str, str], webhook: str) -> None:
    http.post(webhook, json=MESSAGE)
    http.patch(url, headers=headers, json={"task": "On leave"})
    http.post(f"{url}/user-profile-statuses", headers=headers, json=AWAY)


posts_first = make(send=post_first)


def shares_headers(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    http.headers["Authorization"] = f"Bearer {token}"
    send(http, find_user(facts, user), {}, facts["webhooks"][0])


def posts_twice(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    solution_calls(http, facts, token, user)
    http.post(facts["webhooks"][0], json=MESSAGE)


def stops_early(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    http.patch(find_user(facts, user), headers=headers, json={"task": "On leave"})


WRONG = {
    "token": (reveals_token, shares_headers, appends_token),
    "unquoted": (leaves_unquoted, quotes_half),
    "host": (asks_authorization_server, asks_hooks),
    "webhook URL": (misses_webhook, posts_to_api),
    "method": (gets, puts_status, gets_webhook),
    "bearer": (lacks_token, lacks_word),
    "refused": (misspells_path,),
    "form": (sends_form, sends_text),
    "status": (sets_busy,),
    "user": (fixes_user,),
    "lines": (posts_first, posts_twice, stops_early),
}
