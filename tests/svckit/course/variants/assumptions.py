"""Correct ways to write the exercise of lesson 10."""

import asyncio
from functools import wraps
from http import HTTPStatus

import httpx

PHOTO = {"fileName": "photo.png", "fileSize": 1000}
DENIED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}


def plain(http, newcomers):
    result = {}
    for user, nickname in newcomers.items():
        response = http.patch(f"/users/{user}", json={"nickName": nickname})
        if response.status_code == 401 or response.status_code == 403:
            return "no access"
        if response.status_code >= 400:
            result[user] = None
            continue
        response = http.post(f"/users/{user}/photo", json=PHOTO)
        if response.is_success:
            result[user] = response.json()["uploadUrl"]
    return result


class NoAccess(Exception):
    pass


def welcome_one(http, user, nickname):
    response = http.patch(f"/users/{user}", json={"nickName": nickname})
    if response.status_code in DENIED:
        raise NoAccess
    if response.is_error:
        return None
    return http.post(f"/users/{user}/photo", json=PHOTO).json()["uploadUrl"]


def comprehension(http, newcomers):
    try:
        return {user: welcome_one(http, user, name) for user, name in newcomers.items()}
    except NoAccess:
        return "no access"


def popping(http, newcomers):
    result = {}
    while newcomers:
        user, nickname = newcomers.popitem()
        try:
            result[user] = welcome_one(http, user, nickname)
        except NoAccess:
            return "no access"
    return result


class Welcome:
    def __init__(self, photo=PHOTO):
        self.photo = photo

    def __call__(self, http, newcomers):
        self.result = dict.fromkeys(newcomers)
        for user in newcomers:
            renamed = http.request("PATCH", f"/users/{user}", json={"nickName": newcomers[user]})
            match renamed.status_code:
                case 401 | 403:
                    return "no access"
                case status if status < 300:
                    asked = http.post(f"/users/{user}/photo", json=self.photo)
                    self.result[user] = asked.json().get("uploadUrl")
        return self.result


async def coroutine(http, newcomers):
    return await asyncio.to_thread(comprehension, http, newcomers)


async def async_client(http, newcomers):
    async with httpx.AsyncClient(
        transport=http._transport, base_url=http.base_url, headers=http.headers
    ) as client:
        result = {}
        for user, name in newcomers.items():
            response = await client.patch(f"/users/{user}", json={"nickName": name})
            if response.status_code in DENIED:
                return "no access"
            result[user] = None
            if response.is_success:
                response = await client.post(f"/users/{user}/photo", json=PHOTO)
                result[user] = response.json()["uploadUrl"]
        return result


def denying(function):
    @wraps(function)
    def wrapper(*given):
        try:
            return function(*given)
        except httpx.HTTPStatusError as error:
            if error.response.status_code in (401, 403):
                return "no access"
            raise

    return wrapper


@denying
def decorated(http, newcomers):
    result = {}
    for user, name in newcomers.items():
        response = http.patch(f"/users/{user}", json={"nickName": name})
        if response.status_code in (401, 403):
            response.raise_for_status()
        result[user] = (
            None if response.is_error else http.post(f"/users/{user}/photo", json=PHOTO).json()["uploadUrl"]
        )
    return result


class Denied(httpx.Auth):
    def auth_flow(self, request):
        response = yield request
        if response.status_code in (401, 403):
            raise NoAccess


def with_auth(http, newcomers):
    http.auth = Denied()
    return comprehension(http, newcomers)


def raw(http, newcomers):
    result = {}
    for user, name in newcomers.items():
        response = http.send(http.build_request("PATCH", f"/users/{user}", json={"nickName": name}))
        if response.status_code in {401, 403}:
            return "no access"
        result[user] = None
        if response.status_code < 400:
            body = http.send(http.build_request("POST", f"/users/{user}/photo", json=PHOTO))
            result[user] = httpx.URL(body.json()["uploadUrl"]).__str__()
    return result


VARIANTS = {
    "plain": plain,
    "popping": popping,
    "object": Welcome(),
    "coroutine": coroutine,
    "async client": async_client,
    "decorated": decorated,
    "auth": with_auth,
    "raw": raw,
    "lambda": lambda http, newcomers: comprehension(http, dict(newcomers)),
}
