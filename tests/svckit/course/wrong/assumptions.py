"""Lesson 10: what learners write, by the sentence that each of them gets."""

from collections.abc import Callable
from typing import Any

import httpx

from svckit.course.exercises.assumptions import NO_ACCESS, solution_asks_for_success


def rename(http: httpx.Client, user: str, nickname: str) -> httpx.Response:
    """Set the nickname of a user."""
    return http.patch(f"/users/{user}", json={"nickName": nickname})


def ask(http: httpx.Client, user: str) -> httpx.Response:
    """Ask for the upload URL of a user's photo."""
    return http.post(f"/users/{user}/photo", json={"fileName": "photo.png", "fileSize": 1000})


def read_url(response: httpx.Response) -> Any:
    """Return the upload URL, if there is one."""
    return response.json()["uploadUrl"] if response.is_success else None


def ask_if_renamed(http: httpx.Client, user: str, response: httpx.Response) -> Any:
    """Return the upload URL of a user who was renamed, and None for others."""
    return read_url(ask(http, user) if response.is_success else response)


def make(
    denies: Callable[[httpx.Response], bool] = lambda response: response.status_code in (401, 403),
    rename: Callable[[httpx.Client, str, str], httpx.Response] = rename,
    find_url: Callable[[httpx.Client, str, httpx.Response], Any] = ask_if_renamed,
) -> Callable[[httpx.Client, dict[str, str]], Any]:
    """Return a `welcome` that differs from a solution in one part."""

    def welcome(http: httpx.Client, newcomers: dict[str, str]) -> Any:
        result: dict[str, Any] = {}
        for user, nickname in newcomers.items():
            response = rename(http, user, nickname)
            if denies(response):
                return NO_ACCESS
            result[user] = find_url(http, user, response)
        return result

    return welcome


needs_401 = make(denies=lambda response: response.status_code == 401)


ignores_the_token = make(denies=lambda response: False)


takes_any_refusal_for_no_access = make(denies=lambda response: response.is_client_error)


def rename_twice(http: httpx.Client, user: str, nickname: str) -> httpx.Response:
    response = rename(http, user, nickname)
    return rename(http, user, nickname) if response.status_code in (400, 404) else response


tries_again = make(rename=rename_twice)


looks_at_the_second_response = make(find_url=lambda http, user, response: read_url(ask(http, user)))


def need_200(http: httpx.Client, user: str, response: httpx.Response) -> Any:
    if response.status_code == 200:
        response = ask(http, user)
    return response.json()["uploadUrl"] if response.status_code == 200 else None


needs_200 = make(find_url=need_200)


def read_code(http: httpx.Client, user: str, response: httpx.Response) -> Any:
    refused = response.json().get("code") in ("NOT_FOUND", "INVALID_PARAMETER")
    return None if refused else ask(http, user).json()["uploadUrl"]


reads_the_code = make(find_url=read_code)


def read_description(http: httpx.Client, user: str, response: httpx.Response) -> Any:
    refused = response.is_client_error and response.json()["description"]
    return None if refused else ask(http, user).json()["uploadUrl"]


reads_the_description = make(find_url=read_description)


def know_404_and_400(http: httpx.Client, user: str, response: httpx.Response) -> Any:
    if response.status_code in (400, 404):
        return None
    return ask_if_renamed(http, user, response.raise_for_status())


knows_404_and_400 = make(find_url=know_404_and_400)


def tells_them_apart(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    def tell_apart(http: httpx.Client, user: str, response: httpx.Response) -> Any:
        if response.status_code == 404 or len(newcomers[user]) > 100:
            return None
        return ask(http, user).raise_for_status().json()["uploadUrl"]

    return make(find_url=tell_apart)(http, newcomers)


stops_at_a_refusal = make(
    find_url=lambda http, user, response: ask_if_renamed(http, user, response.raise_for_status())
)


def shouts(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result = solution_asks_for_success(http, newcomers)
    return result.upper() if isinstance(result, str) else result


def has_no_dictionary(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result = solution_asks_for_success(http, newcomers)
    return list(result.items()) if isinstance(result, dict) else result


def says_refused(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result = solution_asks_for_success(http, newcomers)
    return {user: url or "refused" for user, url in result.items()} if isinstance(result, dict) else result


def leaves_out(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result = solution_asks_for_success(http, newcomers)
    return {user: url for user, url in result.items() if url} if isinstance(result, dict) else result


def cuts_nicknames(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    return solution_asks_for_success(http, {user: nickname[:100] for user, nickname in newcomers.items()})


def notices_late(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    responses = {user: rename(http, user, nickname) for user, nickname in newcomers.items()}
    if any(response.status_code in (401, 403) for response in responses.values()):
        return NO_ACCESS
    return {user: ask(http, user).json()["uploadUrl"] for user in newcomers if responses[user].is_success}


WRONG = {
    "needless no access": (takes_any_refusal_for_no_access,),
    "other words": (shouts,),
    "token": (needs_401, ignores_the_token),
    "again": (tries_again,),
    "overlooked": (looks_at_the_second_response,),
    "upload status": (needs_200,),
    "error text": (reads_the_code, reads_the_description),
    "exact status": (knows_404_and_400, tells_them_apart),
    "stops": (stops_at_a_refusal,),
    "left out": (leaves_out, notices_late, has_no_dictionary),
    "other value": (says_refused,),
    "other nickname": (cuts_nicknames,),
}
