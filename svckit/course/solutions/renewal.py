"""Lesson 03: keep a program at work for months, while its tokens expire."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

import httpx

__all__ = ["SOLUTIONS"]

Application = dict[str, str]
Tokens = dict[str, Any]
SignIn = Callable[[], Tokens]
Jobs = Iterable[tuple[datetime, str, str]]


def solution_waits_for_401(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    """Renew the token when a job is refused, and send the job again."""
    tokens: Tokens = {}
    for _, user_id, task in jobs:
        tokens = tokens or sign_in()
        header = {"Authorization": f"Bearer {tokens['access_token']}"}
        response = http.patch(f"/users/{user_id}", json={"task": task}, headers=header)
        if response.status_code == 401:
            form = {
                "grant_type": "refresh_token",
                "refresh_token": tokens["refresh_token"],
                "client_id": app["client_id"],
                "client_secret": app["client_secret"],
            }
            renewed = http.post(app["token_url"], data=form)
            tokens = sign_in() if renewed.is_error else tokens | renewed.json()
            header = {"Authorization": f"Bearer {tokens['access_token']}"}
            response = http.patch(f"/users/{user_id}", json={"task": task}, headers=header)
        response.raise_for_status()


def solution_watches_the_clock(http: httpx.Client, app: Application, sign_in: SignIn, jobs: Jobs) -> None:
    """Note when the token expires, and renew it a minute before."""
    refresh_token, expires = "", None
    for now, user_id, task in jobs:
        if expires is None or now >= expires - timedelta(minutes=1):
            form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
            client = {name: app[name] for name in ("client_id", "client_secret")}
            renewed = http.post(app["token_url"], data=form | client) if refresh_token else None
            tokens = sign_in() if renewed is None or renewed.is_error else renewed.json()
            refresh_token = tokens.get("refresh_token", refresh_token)
            expires = now + timedelta(seconds=int(tokens["expires_in"]))
            http.headers["Authorization"] = f"Bearer {tokens['access_token']}"
        http.patch(f"/users/{user_id}", json={"task": task}).raise_for_status()


SOLUTIONS = (solution_waits_for_401, solution_watches_the_clock)
