"""Correct ways to write the exercise of lesson 01."""

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.parse import quote, quote_plus

import httpx

AWAY = {"profileStatusId": "AWAY"}
TEXT = {"body": {"text": "Away"}}


def plain(http, facts, token, user):
    bearer = {"Authorization": "Bearer " + token}
    path = facts["base_url"] + "/users/" + quote(user, safe="")
    http.patch(path, headers=bearer, json={"task": "x"})
    http.post(path + "/user-profile-statuses", headers=bearer, json=AWAY)
    http.post(facts["webhooks"][0], json=TEXT)


def as_data(http, facts, token, user):
    path, bearer = f"{facts['base_url']}/users/{quote(user, safe='')}", {"authorization": f"Bearer {token}"}
    calls = [
        ("PATCH", path, bearer, {}),
        ("POST", f"{path}/user-profile-statuses", bearer, AWAY),
        ("POST", facts["webhooks"][-1], {}, TEXT),
    ]
    return [http.request(method, url, headers=headers, json=body) for method, url, headers, body in calls]


class Bearer(httpx.Auth):
    def __init__(self, token):
        self.token = token

    def auth_flow(self, request):
        request.headers["Authorization"] = f"Bearer {self.token}"
        yield request


def with_auth(http, facts, token, user):
    path = f"{facts['base_url']}/users/{quote(user, safe=':')}"
    http.patch(path, json={"nickName": "Al"}, auth=Bearer(token))
    http.post(f"{path}/user-profile-statuses", json=AWAY, auth=Bearer(token))
    http.post(facts["webhooks"][0], json=TEXT)


def raw(http, facts, token, user):
    headers = {"Authorization": f"bearer {token}", "Content-Type": "application/json; charset=utf-8"}
    path = f"{facts['base_url']}/users/{quote(user, safe='')}"
    for method, url, body in (
        ("PATCH", path, {"task": "Away"}),
        ("POST", f"{path}/user-profile-statuses", AWAY),
    ):
        request = httpx.Request(method, url, headers=headers, content=json.dumps(body).encode())
        http.send(request, stream=True).read()
    headers.pop("Authorization")
    http.post(facts["webhooks"][0], headers=headers, content=json.dumps(TEXT))


class Caller:
    def __call__(self, http, facts, token, user):
        self.http, self.token = http, token
        path = f"{facts['base_url']}/users/{quote(user, safe='')}"
        self.send("PATCH", path, task="y")
        self.send("POST", f"{path}/user-profile-statuses", profileStatusId="AWAY")
        self.http.post(facts["webhooks"][0], json=TEXT)

    def send(self, method, url, **body):
        self.http.request(method, url, json=body, headers={"Authorization": f"Bearer {self.token}"})


async def async_client(http, facts, token, user):
    bearer = {"Authorization": f"Bearer {token}"}
    path = f"{facts['base_url']}/users/{quote(user, safe='')}"
    async with httpx.AsyncClient(transport=http._transport) as client:
        await client.patch(path, headers=bearer, json={})
        await client.post(f"{path}/user-profile-statuses", headers=bearer, json=AWAY)
        await client.post(facts["webhooks"][0], json=TEXT)


def one_thread(http, facts, token, user):
    with ThreadPoolExecutor(1) as pool:
        pool.submit(plain, http, facts, token, user).result()


def unwrapped(function):
    def wrapper(*given, **named):
        return function(*given, **named)

    return wrapper


@unwrapped
def decorated(http, facts, token, user):
    api = partial(http.request, headers={"Authorization": f"Bearer {token}"})
    path = f"{facts['base_url']}/users/{quote_plus(user)}".replace("+", "%20")
    api("PATCH", path, json={})
    api("POST", f"{path}/user-profile-statuses", json={**AWAY})
    http.request("POST", facts["webhooks"][0], json=TEXT)


def listed(text, http, facts, token, user):
    base = f"{facts['base_url']}/users/{quote(user, safe='')}"
    for suffix, body in {"": {}, "/user-profile-statuses": AWAY}.items():
        method = "POST" if suffix else "PATCH"
        http.request(method, base + suffix, json=body, headers={"Authorization": f"Bearer {token}"})
    http.post(facts["webhooks"][0], json={"body": {"text": text}})


VARIANTS = {
    "plain": plain,
    "data": as_data,
    "auth": with_auth,
    "raw": raw,
    "object": Caller(),
    "async client": async_client,
    "thread": one_thread,
    "decorated": decorated,
    "partial": partial(listed, "I am away."),
}
