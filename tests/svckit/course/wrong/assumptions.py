"""Lesson 10: what learners write, by the sentence that each of them gets."""

from typing import Any

import httpx

from svckit.course.exercises.assumptions import NO_ACCESS, solution_asks_for_success


def rename(http: httpx.Client, user: str, nickname: str) -> httpx.Response:
    """Set the nickname of a user."""
    return http.patch(f"/users/{user}", json={"nickName": nickname})


def ask(http: httpx.Client, user: str) -> httpx.Response:
    """Ask for the upload URL of a user's photo."""
    return http.post(f"/users/{user}/photo", json={"fileName": "photo.png", "fileSize": 1000})


def needs_401(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        response = rename(http, user, nickname)
        if response.status_code == 401:
            return NO_ACCESS
        if response.is_success:
            response = ask(http, user)
        result[user] = response.json()["uploadUrl"] if response.is_success else None
    return result


def ignores_the_token(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        response = rename(http, user, nickname)
        if response.is_success:
            response = ask(http, user)
        result[user] = response.json()["uploadUrl"] if response.is_success else None
    return result


def shouts(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result = solution_asks_for_success(http, newcomers)
    return result.upper() if isinstance(result, str) else result


def has_no_dictionary(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result = solution_asks_for_success(http, newcomers)
    return list(result.items()) if isinstance(result, dict) else result


def says_refused(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result = solution_asks_for_success(http, newcomers)
    return {user: url or "refused" for user, url in result.items()} if isinstance(result, dict) else result


def cuts_nicknames(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    return solution_asks_for_success(http, {user: nickname[:100] for user, nickname in newcomers.items()})


def notices_late(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    responses = {user: rename(http, user, nickname) for user, nickname in newcomers.items()}
    if any(response.status_code in (401, 403) for response in responses.values()):
        return NO_ACCESS
    return {user: ask(http, user).json()["uploadUrl"] for user in newcomers if responses[user].is_success}


def takes_any_refusal_for_no_access(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        response = rename(http, user, nickname)
        if response.is_client_error:
            return NO_ACCESS
        result[user] = ask(http, user).json()["uploadUrl"]
    return result


def tries_again(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        for _ in range(2):
            response = rename(http, user, nickname)
            if response.status_code in (401, 403):
                return NO_ACCESS
            if response.is_success:
                break
        result[user] = ask(http, user).json()["uploadUrl"] if response.is_success else None
    return result


def looks_at_the_second_response(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        if rename(http, user, nickname).status_code in (401, 403):
            return NO_ACCESS
        response = ask(http, user)
        result[user] = response.json()["uploadUrl"] if response.is_success else None
    return result


def needs_200(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        response = rename(http, user, nickname)
        if response.status_code in (401, 403):
            return NO_ACCESS
        if response.status_code == 200:
            response = ask(http, user)
        result[user] = response.json()["uploadUrl"] if response.status_code == 200 else None
    return result


def reads_the_code(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        response = rename(http, user, nickname)
        if response.status_code in (401, 403):
            return NO_ACCESS
        refused = response.json().get("code") in ("NOT_FOUND", "INVALID_PARAMETER")
        result[user] = None if refused else ask(http, user).json()["uploadUrl"]
    return result


def reads_the_description(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        response = rename(http, user, nickname)
        if response.status_code in (401, 403):
            return NO_ACCESS
        if response.is_client_error and response.json()["description"]:
            result[user] = None
        else:
            result[user] = ask(http, user).json()["uploadUrl"]
    return result


def knows_404_and_400(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        response = rename(http, user, nickname)
        if response.status_code in (401, 403):
            return NO_ACCESS
        if response.status_code not in (400, 404):
            response.raise_for_status()
            response = ask(http, user)
        result[user] = response.json()["uploadUrl"] if response.is_success else None
    return result


def tells_them_apart(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        response = rename(http, user, nickname)
        if response.status_code in (401, 403):
            return NO_ACCESS
        if response.status_code == 404 or len(nickname) > 100:
            result[user] = None
        else:
            result[user] = ask(http, user).raise_for_status().json()["uploadUrl"]
    return result


def stops_at_a_refusal(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        response = rename(http, user, nickname)
        if response.status_code in (401, 403):
            return NO_ACCESS
        response.raise_for_status()
        result[user] = ask(http, user).raise_for_status().json()["uploadUrl"]
    return result


def leaves_out(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        response = rename(http, user, nickname)
        if response.status_code in (401, 403):
            return NO_ACCESS
        if response.is_success:
            result[user] = ask(http, user).json()["uploadUrl"]
    return result


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
