"""Correct ways to write the exercise of lesson 03."""

import asyncio
from datetime import timedelta
from functools import partial
from threading import Thread

import httpx


def form_of(app, refresh_token):
    client = {name: app[name] for name in ("client_id", "client_secret")}
    return {"grant_type": "refresh_token", "refresh_token": refresh_token, **client}


def plain(http, app, sign_in, jobs):
    tokens = None
    for _, user, task in jobs:
        if tokens is None:
            tokens = sign_in()
        for _ in range(2):
            headers = {"Authorization": "Bearer " + tokens["access_token"]}
            if http.patch("/users/" + user, headers=headers, json={"task": task}).status_code != 401:
                break
            response = http.post(app["token_url"], data=form_of(app, tokens["refresh_token"]))
            tokens = {**tokens, **response.json()} if response.is_success else sign_in()


class Renewing(httpx.Auth):
    requires_response_body = True

    def __init__(self, app, sign_in):
        self.app, self.sign_in, self.tokens = app, sign_in, None

    def auth_flow(self, request):
        self.tokens = self.tokens or self.sign_in()
        request.headers["Authorization"] = f"Bearer {self.tokens['access_token']}"
        response = yield request
        if response.status_code == 401:
            form = form_of(self.app, self.tokens["refresh_token"])
            renewed = yield httpx.Request("POST", self.app["token_url"], data=form)
            self.tokens = self.sign_in() if renewed.is_error else self.tokens | renewed.json()
            request.headers["Authorization"] = f"Bearer {self.tokens['access_token']}"
            yield request


def with_auth(http, app, sign_in, jobs):
    auth = Renewing(app, sign_in)
    for _, user, task in jobs:
        http.patch(f"/users/{user}", json={"task": task}, auth=auth).raise_for_status()


class Worker:
    def __init__(self, http, app, sign_in):
        self.http, self.app, self.sign_in = http, app, sign_in
        self.access = self.refresh = self.until = None

    def renew(self, now):
        response = self.refresh and self.http.post(
            self.app["token_url"], data=form_of(self.app, self.refresh)
        )
        tokens = response.json() if response and response.is_success else self.sign_in()
        self.access, self.refresh = tokens["access_token"], tokens.get("refresh_token", self.refresh)
        self.until = now + timedelta(seconds=int(tokens["expires_in"]) - 30)

    def work(self, now, user, task):
        if self.until is None or now >= self.until:
            self.renew(now)
        headers = {"Authorization": f"Bearer {self.access}"}
        self.http.patch(f"/users/{user}", json={"task": task}, headers=headers).raise_for_status()


class KeepsWorking:
    def __init__(self, http, app, sign_in, jobs):
        worker = Worker(http, app, sign_in)
        for job in jobs:
            worker.work(*job)


class Callable:
    def __call__(self, *given):
        KeepsWorking(*given)


async def coroutine(http, app, sign_in, jobs):
    worker = Worker(http, app, sign_in)
    for job in jobs:
        await asyncio.to_thread(worker.work, *job)


def in_thread(*given):
    thread = Thread(target=plain, args=given)
    thread.start()
    thread.join()


def with_margin(margin, http, app, sign_in, jobs):
    worker = Worker(http, app, sign_in)
    for now, user, task in jobs:
        if worker.until and now + margin >= worker.until:
            worker.renew(now)
        worker.work(now, user, task)


VARIANTS = {
    "plain": plain,
    "auth": with_auth,
    "class": KeepsWorking,
    "object": Callable(),
    "coroutine": coroutine,
    "thread": in_thread,
    "partial": partial(with_margin, timedelta(minutes=5)),
    "lambda": lambda http, app, sign_in, jobs: [
        worker.work(*job) for worker in [Worker(http, app, sign_in)] for job in jobs
    ],
}
