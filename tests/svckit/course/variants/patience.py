"""Correct ways to write the exercise of lesson 08."""

import asyncio
import datetime
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime as moment
from datetime import timedelta
from functools import partial, wraps
from time import monotonic, sleep
from time import sleep as pause

import httpx


def post(http, webhook, text):
    return http.post(webhook, json={"body": {"text": text}})


def with_wait(wait, http, webhook, messages):
    for text in messages:
        response = post(http, webhook, text)
        while response.status_code == 429:
            wait(60)
            response = post(http, webhook, text)
        if response.headers["RateLimit-Remaining"] == "0" and text is not messages[-1]:
            wait(int(response.headers["RateLimit-Reset"]))


def sleeps_by_name(http, webhook, messages):
    left, reset = 1, 0
    for text in messages:
        if left == 0:
            sleep(reset)
        response = post(http, webhook, text)
        left, reset = (int(response.headers[f"RateLimit-{name}"]) for name in ("Remaining", "Reset"))


def sleeps_inside(http, webhook, messages):
    from time import sleep as wait_here

    with_wait(wait_here, http, webhook, messages)


def waits_for_event(http, webhook, messages):
    with_wait(threading.Event().wait, http, webhook, messages)


def spins(http, webhook, messages):
    def wait(seconds):
        end = monotonic() + seconds
        while monotonic() < end:
            pass

    with_wait(wait, http, webhook, messages)


def watches_time(http, webhook, messages):
    until = 0
    for text in messages:
        while time.time() < until:
            time.sleep(0.5)
        response = post(http, webhook, text)
        if response.headers["RateLimit-Remaining"] == "0":
            until = time.time() + float(response.headers["RateLimit-Reset"])


def watches_dates(http, webhook, messages):
    ready = moment.now()
    for text in messages:
        if moment.now() < ready:
            time.sleep((ready - moment.now()).total_seconds())
        response = post(http, webhook, text)
        if response.headers["RateLimit-Remaining"] == "0":
            ready = moment.now() + timedelta(seconds=int(response.headers["RateLimit-Reset"]))


def watches_module(http, webhook, messages):
    begin, used = datetime.datetime.now(datetime.UTC), 0
    for text in messages:
        response = post(http, webhook, text)
        while not response.is_success:
            while (datetime.datetime.now(datetime.UTC) - begin).seconds < 60:
                pause(1)
            response = post(http, webhook, text)
        if response.headers["RateLimit-Remaining"] == "0" and (used := used + 1):
            pause(int(response.headers["RateLimit-Reset"]))


def sleeps_by_default(http, webhook, messages, *, wait=time.sleep):
    with_wait(wait, http, webhook, messages)


def imports_inside(http, webhook, messages):
    from datetime import datetime, timedelta

    for text in messages:
        response = post(http, webhook, text)
        if response.status_code != 429:
            ready = datetime.now() + timedelta(seconds=int(response.headers["RateLimit-Reset"]))
        else:
            while datetime.now() < ready:
                pass
            post(http, webhook, text)


class Poster:
    def __init__(self, http, webhook, messages=()):
        self.http, self.webhook = http, webhook
        for text in messages:
            self.post(text)

    def post(self, text, attempts=3):
        response = self.http.post(self.webhook, json={"body": {"text": text}})
        if response.status_code == 429 and attempts:
            time.sleep(self.reset)
            return self.post(text, attempts - 1)
        self.reset = int(response.headers["RateLimit-Reset"])
        return response.raise_for_status()


class CallablePoster:
    wait = staticmethod(time.sleep)

    def __call__(self, http, webhook, messages):
        with_wait(self.sleep, http, webhook, messages)

    def sleep(self, seconds):
        time.sleep(seconds)


async def coroutine(http, webhook, messages):
    for text in messages:
        response = post(http, webhook, text)
        if response.headers["RateLimit-Remaining"] == "0":
            await asyncio.sleep(int(response.headers["RateLimit-Reset"]))


async def async_client(http, webhook, messages):
    async with httpx.AsyncClient(transport=http._transport) as client:
        for number, text in enumerate(messages, 1):
            response = await client.post(webhook, json={"body": {"text": text}})
            if int(response.headers["RateLimit-Remaining"]) == 0 and number < len(messages):
                await asyncio.sleep(int(response.headers["RateLimit-Reset"]))


class Patient(httpx.Auth):
    reset = 60

    def auth_flow(self, request):
        response = yield request
        while response.status_code == 429:
            sleep(self.reset)
            response = yield request
        self.reset = int(response.headers["RateLimit-Reset"])


def with_auth(http, webhook, messages):
    http.auth = Patient()
    for text in messages:
        post(http, webhook, text).raise_for_status()


def one_worker(http, webhook, messages):
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(sleeps_by_name, http, webhook, messages).result()


def raw(http, webhook, messages):
    for text in messages:
        content = json.dumps({"body": {"text": text}}, ensure_ascii=False).encode("utf-8")
        request = httpx.Request(
            "POST", webhook, content=content, headers={"Content-Type": "application/json"}
        )
        response = http.send(request)
        if response.headers["ratelimit-remaining"] == "0" and text != messages[-1]:
            time.sleep(int(response.headers["ratelimit-reset"]))


def limited(function):
    def wrapper(*given):
        response = function(*given)
        if response.headers["RateLimit-Remaining"] == "0":
            time.sleep(int(response.headers["RateLimit-Reset"]))
        return response

    return wrapper


def waited(function):
    @wraps(function)
    def wrapper(http, webhook, messages):
        return [limited(function)(http, webhook, text) for text in messages]

    return wrapper


VARIANTS = {
    "by name": sleeps_by_name,
    "inside": sleeps_inside,
    "as given": partial(with_wait, time.sleep),
    "by default": sleeps_by_default,
    "imported inside": imports_inside,
    "event": waits_for_event,
    "spinning": spins,
    "time": watches_time,
    "dates": watches_dates,
    "module": watches_module,
    "class": Poster,
    "object": CallablePoster(),
    "coroutine": coroutine,
    "async client": async_client,
    "auth": with_auth,
    "one worker": one_worker,
    "raw": raw,
    "decorated": waited(post),
    "lambda": lambda http, webhook, messages: with_wait(pause, http, webhook, messages),
}
