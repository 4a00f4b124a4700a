"""Lesson 10: rely on what is known about a service, and not on what is assumed."""

from typing import Any

import httpx

__all__ = ["SOLUTIONS"]

NO_ACCESS = "no access"
PHOTO = {"fileName": "photo.png", "fileSize": 1000}


def rename(http: httpx.Client, user: str, nickname: str) -> httpx.Response:
    """Set the nickname of a user."""
    return http.patch(f"/users/{user}", json={"nickName": nickname})


def ask(http: httpx.Client, user: str) -> httpx.Response:
    """Ask for the upload URL of a user's photo."""
    return http.post(f"/users/{user}/photo", json=PHOTO)


def solution_asks_for_success(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    """Look at the family of each status."""
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        response = rename(http, user, nickname)
        if response.status_code in (401, 403):
            return NO_ACCESS
        if response.is_success:
            response = ask(http, user)
        result[user] = response.json()["uploadUrl"] if response.is_success else None
    return result


def solution_catches_refusals(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    """Let httpx raise, and catch what is about one newcomer."""
    result: dict[str, Any] = dict.fromkeys(newcomers)
    for user, nickname in newcomers.items():
        try:
            rename(http, user, nickname).raise_for_status()
            result[user] = ask(http, user).raise_for_status().json()["uploadUrl"]
        except httpx.HTTPStatusError as error:
            if error.response.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
                return NO_ACCESS
    return result


SOLUTIONS = (solution_asks_for_success, solution_catches_refusals)
