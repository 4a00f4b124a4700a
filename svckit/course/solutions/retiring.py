"""Lesson 11: a program that works before and after features retire."""

import httpx

__all__ = ["SOLUTIONS"]

COMMENT = "/boards/b-1/posts/p-1/comments/c-1"
REPORT = {"fileName": "moved.txt", "fileSize": 1000}
Result = tuple[str, list[str]]


def ask(http: httpx.Client, path: str = f"{COMMENT}/attachments") -> str:
    """Ask for the upload URL of the report."""
    response = http.post(path, json=REPORT).raise_for_status()
    return str(response.json()["uploadUrl"])


def read(http: httpx.Client, user: str) -> dict[str, str]:
    """Return the messenger of a user."""
    messenger: dict[str, str] = http.patch(f"/users/{user}", json={}).raise_for_status().json()["messenger"]
    return messenger


def solution_knows_both_names(http: httpx.Client, team: list[str]) -> Result:
    """Send the new name, and read either."""
    upload_url, moved = ask(http), []
    for user in team:
        messenger = read(http, user)
        if messenger["protocol"] not in ("MSGR_C", "MSGR_C_OLD"):
            messenger["protocol"] = "MSGR_C"
            http.patch(f"/users/{user}", json={"messenger": messenger}).raise_for_status()
            moved.append(user)
    return upload_url, moved


def solution_makes_one_name_of_both(http: httpx.Client, team: list[str]) -> Result:
    """Turn the old name into the new one, wherever it comes from."""
    messengers = {user: read(http, user) for user in team}
    moved = [user for user in team if messengers[user]["protocol"].removesuffix("_OLD") != "MSGR_C"]
    for user in moved:
        changes = {"messenger": {"protocol": "MSGR_C", "messengerId": messengers[user]["messengerId"]}}
        http.patch(f"/users/{user}", json=changes).raise_for_status()
    return ask(http), moved


SOLUTIONS = (solution_knows_both_names, solution_makes_one_name_of_both)
