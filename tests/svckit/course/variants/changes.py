"""Correct ways to write the exercise of lesson 04."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce, wraps
from threading import Lock, Thread
from urllib.parse import quote

import httpx


def body_of(row):
    return {name: None if cell == "-" else cell for name, cell in row.items() if cell and name != "user_id"}


def plain(http, rows):
    refused = []
    for row in rows:
        changes = {}
        for column in row:
            if column == "user_id":
                pass
            elif row[column] == "-":
                changes[column] = None
            elif row[column] != "":
                changes[column] = row[column]
        response = http.patch("/users/" + row["user_id"], json=changes)
        if response.status_code >= 400:
            refused.append(row["user_id"])
    return refused


def comprehension(http, rows):
    return [
        row["user_id"] for row in rows if http.patch(f"/users/{row['user_id']}", json=body_of(row)).is_error
    ]


def popping(http, rows):
    refused = []
    while rows:
        row = rows.pop(0)
        user = row.pop("user_id")
        if not http.patch(f"/users/{quote(user)}", json=body_of(row)).is_success:
            refused.append(user)
    return refused


def functional(http, rows):
    def step(refused, row):
        response = http.patch(f"/users/{row['user_id']}", json=body_of(row))
        return refused | ({row["user_id"]} if response.is_error else set())

    return reduce(step, rows, set())


def generator(http, rows):
    for row in rows:
        try:
            http.patch(f"/users/{row['user_id']}", json=body_of(row)).raise_for_status()
        except httpx.HTTPStatusError:
            yield row["user_id"]


def as_list(function):
    def wrapper(*given):
        return list(function(*given))

    return wrapper


def threads_with_lock(http, rows):
    refused, locks = [], {row["user_id"]: Lock() for row in rows}

    def send(user, own):
        with locks[user]:
            refused.extend(comprehension(http, own))

    people = {row["user_id"]: [each for each in rows if each["user_id"] == row["user_id"]] for row in rows}
    threads = [Thread(target=send, args=item) for item in people.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return refused


def pool(http, rows):
    people = {}
    for row in rows:
        people.setdefault(row["user_id"], []).append(row)
    with ThreadPoolExecutor() as executor:
        return sum(executor.map(partial(comprehension, http), people.values()), [])


class Mover:
    def __init__(self, clear="-"):
        self.clear = clear

    def __call__(self, http, rows):
        self.refused = []
        for row in rows:
            self.send(http, **row)
        return tuple(self.refused)

    def send(self, http, user_id, **cells):
        body = {name: None if cell == self.clear else cell for name, cell in cells.items() if cell}
        if http.patch(f"/users/{user_id}", json=body).is_error:
            self.refused.append(user_id)


async def coroutine(http, rows):
    refused = []
    for row in rows:
        response = await asyncio.to_thread(http.patch, f"/users/{row['user_id']}", json=body_of(row))
        if response.is_error:
            refused.append(row["user_id"])
    return refused


async def async_client(http, rows):
    async with httpx.AsyncClient(
        transport=http._transport, base_url=http.base_url, headers=http.headers
    ) as client:
        return [
            row["user_id"]
            for row in rows
            if (await client.patch(f"/users/{row['user_id']}", json=body_of(row))).is_error
        ]


def raw(http, rows):
    refused = []
    for row in rows:
        content = json.dumps(body_of(row), ensure_ascii=False).encode()
        request = http.build_request(
            "PATCH",
            f"/users/{row['user_id']}",
            content=content,
            headers={"Content-Type": "application/json"},
        )
        if http.send(request).is_error:
            refused.append(row["user_id"])
    return refused


def logged(function):
    @wraps(function)
    def wrapper(http, rows):
        print(len(rows), "rows")
        return function(http, rows)

    return wrapper


VARIANTS = {
    "plain": plain,
    "popping": popping,
    "functional": functional,
    "generator": as_list(generator),
    "yields": generator,
    "pool": pool,
    "threads": threads_with_lock,
    "async client": async_client,
    "object": Mover(),
    "coroutine": coroutine,
    "raw": raw,
    "decorated": logged(comprehension),
}
