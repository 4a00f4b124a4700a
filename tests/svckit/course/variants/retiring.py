"""Correct ways to write the exercise of lesson 11."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps

import httpx

PATH = "/boards/b-1/posts/p-1/comments/c-1/attachments"
REPORT = {"fileName": "moved.txt", "fileSize": 1000}
ON_C = {"MSGR_C", "MSGR_C_OLD"}


def ask(http):
    return http.post(PATH, json=REPORT).raise_for_status().json()["uploadUrl"]


def read(http, user):
    return http.patch(f"/users/{user}", json={}).json()["messenger"]


def plain(http, team):
    url = ask(http)
    moved = []
    for user in team:
        messenger = read(http, user)
        if messenger["protocol"] in ("MSGR_C", "MSGR_C_OLD"):
            continue
        body = {"messenger": {"protocol": "MSGR_C", "messengerId": messenger["messengerId"]}}
        http.patch(f"/users/{user}", json=body).raise_for_status()
        moved.append(user)
    return url, moved


def functional(http, team):
    read_all = {user: read(http, user) for user in team}
    moving = list(filter(lambda user: read_all[user]["protocol"] not in ON_C, team))
    for user in moving:
        http.patch(f"/users/{user}", json={"messenger": read_all[user] | {"protocol": "MSGR_C"}})
    return [ask(http), moving]


class Mover:
    def __call__(self, http, team):
        return ask(http), [user for user in team if self.move(http, user)]

    def move(self, http, user):
        messenger = read(http, user)
        if messenger["protocol"].split("_OLD")[0] == "MSGR_C":
            return False
        messenger.update(protocol="MSGR_C")
        return http.patch(f"/users/{user}", json={"messenger": messenger}).is_success


def in_pool(http, team):
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(partial(Mover().move, http), team))
    return ask(http), tuple(user for user, moved in zip(team, done) if moved)


async def coroutine(http, team):
    return await asyncio.to_thread(plain, http, team)


async def async_client(http, team):
    async with httpx.AsyncClient(
        transport=http._transport, base_url=http.base_url, headers=http.headers
    ) as client:
        moved = []
        for user in team:
            messenger = (await client.patch(f"/users/{user}", json={})).json()["messenger"]
            if messenger["protocol"] not in ON_C:
                await client.patch(f"/users/{user}", json={"messenger": messenger | {"protocol": "MSGR_C"}})
                moved.append(user)
        return (await client.post(PATH, json=REPORT)).json()["uploadUrl"], moved


def reporting(function):
    @wraps(function)
    def wrapper(http, team):
        return ask(http), function(http, team)

    return wrapper


@reporting
def decorated(http, team):
    return {user for user in team if Mover().move(http, user)}


def raw(http, team):
    request = http.build_request("POST", PATH, json=REPORT)
    url, moved = http.send(request).json()["uploadUrl"], []
    for user in team:
        response = http.send(
            http.build_request(
                "PATCH", f"/users/{user}", content=b"{}", headers={"Content-Type": "application/json"}
            )
        )
        messenger = response.json()["messenger"]
        if messenger["protocol"] not in ON_C:
            messenger["protocol"] = "MSGR_C"
            http.send(http.build_request("PATCH", f"/users/{user}", json={"messenger": messenger}))
            moved.append(user)
    return url, moved


VARIANTS = {
    "plain": plain,
    "functional": functional,
    "object": Mover(),
    "pool": in_pool,
    "coroutine": coroutine,
    "async client": async_client,
    "decorated": decorated,
    "raw": raw,
    "lambda": lambda http, team: functional(http, sorted(team)),
}
