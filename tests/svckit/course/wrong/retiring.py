"""Lesson 11: what learners write, by the sentence that each of them gets."""

from collections.abc import Callable
from typing import Any

import httpx

from svckit.course.exercises.retiring import solution_knows_both_names

Result = tuple[str, list[str]]

COMMENT = "/boards/b-1/posts/p-1/comments/c-1"
REPORT = {"fileName": "moved.txt", "fileSize": 1000}


def ask(http: httpx.Client, path: str = f"{COMMENT}/attachments") -> str:
    """Ask for the upload URL of the report."""
    response = http.post(path, json=REPORT).raise_for_status()
    return str(response.json()["uploadUrl"])


def read(http: httpx.Client, user: str) -> dict[str, str]:
    """Return the messenger of a user."""
    messenger: dict[str, str] = http.patch(f"/users/{user}", json={}).raise_for_status().json()["messenger"]
    return messenger


def make(
    names: tuple[str, ...] = ("MSGR_C", "MSGR_C_OLD"),
    new: str = "MSGR_C",
    path: str = f"{COMMENT}/attachments",
    change_id: Callable[[str], str] = str,
    after: Callable[[httpx.Client, str, httpx.Response], object] = lambda http, user, response: None,
) -> Callable[[httpx.Client, list[str]], Result]:
    """Return a `move_team` that differs from a solution in one part."""

    def move_team(http: httpx.Client, team: list[str]) -> Result:
        upload_url, moved = ask(http, path), []
        for user in team:
            messenger = read(http, user)
            if messenger["protocol"] not in names:
                changes = {"protocol": new, "messengerId": change_id(messenger["messengerId"])}
                response = http.patch(f"/users/{user}", json={"messenger": changes}).raise_for_status()
                after(http, user, response)
                moved.append(user)
        return upload_url, moved

    return move_team


def expect_new(http: httpx.Client, user: str, response: httpx.Response) -> None:
    """Fail unless the response has the name that was sent."""
    if response.json()["messenger"]["protocol"] != "MSGR_C":
        raise RuntimeError(f"{user} is not on network C")


def insist(http: httpx.Client, user: str, response: httpx.Response) -> None:
    """Send the change again unless the response has the name that was sent."""
    while response.json()["messenger"]["protocol"] != "MSGR_C":
        changes = {"messenger": response.json()["messenger"] | {"protocol": "MSGR_C"}}
        response = http.patch(f"/users/{user}", json=changes)


uses_the_old_path = make(path=f"{COMMENT}/attachment")


sends_the_old_name = make(new="MSGR_C_OLD")


reads_the_old_name = make(names=("MSGR_C_OLD",))


reads_the_new_name = make(names=("MSGR_C",))


expects_what_it_sent = make(after=expect_new)


insists = make(after=insist)


leaves_everybody = make(names=("MSGR_A", "MSGR_B", "MSGR_C", "MSGR_C_OLD"))


types_the_id_in = make(change_id=lambda given: "mina")


def asks_for_custom_fields(http: httpx.Client, team: list[str]) -> Result:
    http.get("/directory/custom-fields")
    return solution_knows_both_names(http, team)


def changes_everybody(http: httpx.Client, team: list[str]) -> Result:
    for user in team:
        messenger = read(http, user) | {"protocol": "MSGR_C"}
        http.patch(f"/users/{user}", json={"messenger": messenger}).raise_for_status()
    return ask(http), team


def forgets_the_report(http: httpx.Client, team: list[str]) -> Any:
    moved = []
    for user in team:
        messenger = read(http, user)
        if messenger["protocol"] not in ("MSGR_C", "MSGR_C_OLD"):
            http.patch(f"/users/{user}", json={"messenger": messenger | {"protocol": "MSGR_C"}})
            moved.append(user)
    return None, moved


def turns_it_round(http: httpx.Client, team: list[str]) -> Any:
    return solution_knows_both_names(http, team)[::-1]


def sends_an_unknown_field(http: httpx.Client, team: list[str]) -> Result:
    upload_url, moved = ask(http), []
    for user in team:
        if read(http, user)["protocol"] not in ("MSGR_C", "MSGR_C_OLD"):
            http.patch(f"/users/{user}", json={"protocol": "MSGR_C"}).raise_for_status()
            moved.append(user)
    return upload_url, moved


def names_the_team(http: httpx.Client, team: list[str]) -> Result:
    upload_url, _ = solution_knows_both_names(http, team)
    return upload_url, team


WRONG = {
    "retired operation": (uses_the_old_path, asks_for_custom_fields),
    "old value": (sends_the_old_name,),
    "one name": (reads_the_old_name, reads_the_new_name, changes_everybody),
    "again": (insists,),
    "doubts": (expects_what_it_sent,),
    "unknown field": (sends_an_unknown_field,),
    "left behind": (leaves_everybody,),
    "another ID": (types_the_id_in,),
    "no upload URL": (forgets_the_report,),
    "other result": (names_the_team, turns_it_round),
}
