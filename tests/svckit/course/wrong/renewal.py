"""Lesson 03: what learners write, by the sentence that each of them gets."""

import time
from collections.abc import Callable
from datetime import timedelta
from itertools import islice
from typing import Any

import httpx

from svckit.course.exercises.renewal import Jobs, solution_waits_for_401

Application = dict[str, str]
Tokens = dict[str, Any]
SignIn = Callable[[], Tokens]


def make_form(tokens: Tokens) -> dict[str, str]:
    return {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}


def renew(http: httpx.Client, app: Application, tokens: Tokens) -> httpx.Response:
    client = {name: app[name] for name in ("client_id", "client_secret")}
    return http.post(app["token_url"], data=make_form(tokens) | client)


def renew_or_sign_in(http: httpx.Client, app: Application, sign_in: SignIn, tokens: Tokens) -> Tokens:
    renewed = renew(http, app, tokens)
    return sign_in() if renewed.is_error else tokens | renewed.json()


def send(http: httpx.Client, tokens: Tokens, user_id: str, task: str) -> httpx.Response:
    header = {"Authorization": f"Bearer {tokens['access_token']}"}
    return http.patch(f"/users/{user_id}", json={"task": task}, headers=header)


def make(
    ask_for_tokens: Callable[[httpx.Client, Application, Tokens], Tokens],
) -> Callable[[httpx.Client, Application, SignIn, Jobs], None]:
    """Return a `keep_working` that differs from a solution in how it renews the tokens."""

    def keep_working(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
        tokens = sign_in()
        for _, user_id, task in jobs:
            if send(http, tokens, user_id, task).status_code == 401:
                tokens = ask_for_tokens(http, app, tokens)
                send(http, tokens, user_id, task)

    return keep_working


goes_on_with_an_error = make(lambda http, app, tokens: tokens | renew(http, app, tokens).json())


gives_up = make(lambda http, app, tokens: tokens | renew(http, app, tokens).raise_for_status().json())


expects_refresh_token = make(lambda http, app, tokens: renew(http, app, tokens).json())


renews_at_the_api = make(
    lambda http, app, tokens: tokens | renew(http, app | {"token_url": "/oauth2/v2.0/token"}, tokens).json()
)


sends_the_access_token = make(
    lambda http, app, tokens: tokens | renew(http, app, {"refresh_token": tokens["access_token"]}).json()
)


forgets_the_client = make(
    lambda http, app, tokens: tokens | http.post(app["token_url"], data=make_form(tokens)).json()
)


sends_json = make(
    lambda http, app, tokens: tokens | http.post(app["token_url"], json=app | make_form(tokens)).json()
)


puts_into_url = make(
    lambda http, app, tokens: tokens | http.post(app["token_url"], params=app | make_form(tokens)).json()
)


def collects_jobs(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens = sign_in()
    for _, user_id, task in list(jobs):
        if send(http, tokens, user_id, task).status_code == 401:
            tokens |= renew(http, app, tokens).json()


def collects_before_signing_in(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    solution_waits_for_401(http, app, sign_in, list(jobs))


def collects_ten(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens, left = sign_in(), iter(jobs)
    while waiting := list(islice(left, 10)):
        for _, user_id, task in waiting:
            if send(http, tokens, user_id, task).status_code == 401:
                tokens = renew_or_sign_in(http, app, sign_in, tokens)
                send(http, tokens, user_id, task)


def puts_off(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens, refused = sign_in(), []
    for now, user_id, task in jobs:
        if send(http, tokens, user_id, task).status_code == 401:
            refused.append((now, user_id, task))
            tokens = renew_or_sign_in(http, app, sign_in, tokens)
    for _, user_id, task in refused:
        send(http, tokens, user_id, task)


def sends_no_token(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    for _, user_id, task in jobs:
        http.patch(f"/users/{user_id}", json={"task": task})


def forgets_bearer(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    http.headers["Authorization"] = sign_in()["access_token"]
    for _, user_id, task in jobs:
        http.patch(f"/users/{user_id}", json={"task": task})


def sets_another_field(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens = sign_in()
    header = {"Authorization": f"Bearer {tokens['access_token']}"}
    for _, user_id, task in jobs:
        http.patch(f"/users/{user_id}", json={"job": task}, headers=header)


def does_one(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> httpx.Response | None:
    tokens = sign_in()
    for _, user_id, task in jobs:
        return send(http, tokens, user_id, task)
    return None


def adds_text(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens, expires = sign_in(), None
    for now, user_id, task in jobs:
        if expires is None or now >= expires:
            expires = now + timedelta(seconds=tokens["expires_in"])
        send(http, tokens, user_id, task)


def sends_no_refresh_token(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens = sign_in()
    for _, user_id, task in jobs:
        if send(http, tokens, user_id, task).status_code == 401:
            tokens = renew(http, app, {"refresh_token": None, **tokens}).json()
            if "access_token" not in tokens:
                return
            send(http, tokens, user_id, task)


def signs_in_each_day(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens = sign_in()
    for _, user_id, task in jobs:
        if send(http, tokens, user_id, task).status_code == 401:
            tokens = sign_in()
            send(http, tokens, user_id, task)


def signs_in_each_time(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    for _, user_id, task in jobs:
        send(http, sign_in(), user_id, task)


def renews_each_time(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens = sign_in()
    for _, user_id, task in jobs:
        tokens = renew_or_sign_in(http, app, sign_in, tokens)
        send(http, tokens, user_id, task)


def keeps_the_header(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens = sign_in()
    header = {"Authorization": f"Bearer {tokens['access_token']}"}
    for _, user_id, task in jobs:
        response = http.patch(f"/users/{user_id}", json={"task": task}, headers=header)
        if response.status_code == 401:
            tokens |= renew(http, app, tokens).json()
            http.patch(f"/users/{user_id}", json={"task": task}, headers=header)


def waits_for_better_times(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens = sign_in()
    for _, user_id, task in jobs:
        while send(http, tokens, user_id, task).status_code == 401:
            time.sleep(60)


def renews_until_it_works(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens = sign_in()
    for _, user_id, task in jobs:
        while send(http, tokens, user_id, task).status_code == 401:
            tokens |= renew(http, app, tokens).json()


def loses_jobs(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens = sign_in()
    for _, user_id, task in jobs:
        if send(http, tokens, user_id, task).status_code == 401:
            tokens = renew_or_sign_in(http, app, sign_in, tokens)


def raises(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens = sign_in()
    for _, user_id, task in jobs:
        send(http, tokens, user_id, task).raise_for_status()


def does_twice(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    tokens = sign_in()
    for _, user_id, task in jobs:
        if send(http, tokens, user_id, task).status_code == 401:
            tokens = renew_or_sign_in(http, app, sign_in, tokens)
        send(http, tokens, user_id, task)


WRONG = {
    "collecting jobs": (
        collects_jobs,
        collects_before_signing_in,
        collects_ten,
        puts_off,
        waits_for_better_times,
    ),
    "stopping": (does_one, sets_another_field),
    "url": (puts_into_url,),
    "text": (adds_text,),
    "new refresh token": (expects_refresh_token,),
    "parameters": (forgets_the_client, sends_no_refresh_token, sends_the_access_token, sends_json),
    "signing in again": (signs_in_each_day, signs_in_each_time),
    "renewing too often": (renews_each_time,),
    "old token": (keeps_the_header, forgets_bearer),
    "giving up": (gives_up, goes_on_with_an_error, renews_until_it_works),
    "losing a job": (loses_jobs, raises, sends_no_token, renews_at_the_api),
    "twice": (does_twice,),
}
