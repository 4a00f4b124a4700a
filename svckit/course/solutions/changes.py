"""Lesson 04: change what a list says, and nothing else."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

__all__ = ["MISTAKES", "SOLUTIONS"]

Rows = list[dict[str, str]]


def solution_row_by_row(http: httpx.Client, rows: Rows) -> list[str]:
    """Send each row, without its empty cells."""
    refused = []
    for row in rows:
        body: dict[str, str | None] = {}
        for name, cell in row.items():
            if name == "user_id" or not cell:
                continue
            body[name] = None if cell == "-" else cell
        if http.patch(f"/users/{row['user_id']}", json=body).is_error:
            refused.append(row["user_id"])
    return refused


def solution_person_by_person(http: httpx.Client, rows: Rows) -> set[str]:
    """Collect the rows of each person, read the person, and send what differs."""
    wanted: dict[str, dict[str, str | None]] = {}
    for row in rows:
        cells = {name: cell for name, cell in row.items() if name != "user_id" and cell != ""}
        wanted.setdefault(row["user_id"], {}).update({n: None if c == "-" else c for n, c in cells.items()})
    refused = set()
    for user, fields in wanted.items():
        read = http.patch(f"/users/{user}", json={})
        now = read.json()
        changes = {name: value for name, value in fields.items() if read.is_success and now[name] != value}
        if read.is_error or (changes and http.patch(f"/users/{user}", json=changes).is_error):
            refused.add(user)
    return refused


def solution_threads_by_person(http: httpx.Client, rows: Rows) -> list[str]:
    """Change several people at once, and each of them row by row."""
    people = list(dict.fromkeys(row["user_id"] for row in rows))

    def change(user: str) -> list[str]:
        return solution_row_by_row(http, [row for row in rows if row["user_id"] == user])

    with ThreadPoolExecutor(4) as pool:
        return [user for refused in pool.map(change, people) for user in refused]


def make_body(row: dict[str, str]) -> dict[str, Any]:
    return {name: None if cell == "-" else cell for name, cell in row.items() if name != "user_id" and cell}


def replaces(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        http.put(f"/users/{row['user_id']}", json=make_body(row))


def reads_with_get(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        http.get(f"/users/{row['user_id']}").raise_for_status()
        http.patch(f"/users/{row['user_id']}", json=make_body(row))


def forgets_to_format(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        http.patch("/users/{row['user_id']}", json=make_body(row))


def renames(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        body = make_body(row)
        http.patch(f"/users/{row['user_id']}", json={f"{name}Number": value for name, value in body.items()})


def returns_in_the_loop(http: httpx.Client, rows: Rows) -> list[str]:
    refused = []
    for row in rows:
        if http.patch(f"/users/{row['user_id']}", json=make_body(row)).is_error:
            refused.append(row["user_id"])
        return refused
    return refused


def sends_rows(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        http.patch(f"/users/{row['user_id']}", json=row)


def sends_records(http: httpx.Client, rows: Rows) -> list[str]:
    refused = []
    for row in rows:
        record = http.patch(f"/users/{row['user_id']}", json={}).json()
        if http.patch(f"/users/{row['user_id']}", json=record | make_body(row)).is_error:
            refused.append(row["user_id"])
    return refused


def sends_null(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        user = row.pop("user_id")
        http.patch(
            f"/users/{user}",
            json={name: cell if cell not in ("", "-") else None for name, cell in row.items()},
        )


def sends_empty(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        user = row.pop("user_id")
        http.patch(f"/users/{user}", json={name: None if cell == "-" else cell for name, cell in row.items()})


def clears_with_empty(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        body = {name: "" if value is None else value for name, value in make_body(row).items()}
        http.patch(f"/users/{row['user_id']}", json=body)


def sends_hyphen(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        http.patch(
            f"/users/{row['user_id']}",
            json={name: cell for name, cell in row.items() if name != "user_id" and cell},
        )


def skips_hyphen(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        http.patch(
            f"/users/{row['user_id']}",
            json={name: value for name, value in make_body(row).items() if value is not None},
        )


def writes_none(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        http.patch(
            f"/users/{row['user_id']}", json={name: str(value) for name, value in make_body(row).items()}
        )


def fills_in(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        record = http.patch(f"/users/{row['user_id']}", json={}).json()
        kept = {name: record[name] for name, cell in row.items() if not cell}
        http.patch(f"/users/{row['user_id']}", json=make_body(row) | kept)


def overlaps(http: httpx.Client, rows: Rows) -> None:
    with ThreadPoolExecutor(4) as pool:
        for row in rows:
            pool.submit(http.patch, f"/users/{row['user_id']}", json=make_body(row))


def raises(http: httpx.Client, rows: Rows) -> list[str]:
    for row in rows:
        http.patch(f"/users/{row['user_id']}", json=make_body(row)).raise_for_status()
    return []


def returns_early(http: httpx.Client, rows: Rows) -> list[str]:
    for row in rows:
        if http.patch(f"/users/{row['user_id']}", json=make_body(row)).is_error:
            return [row["user_id"]]
    return []


def knows_three_columns(http: httpx.Client, rows: Rows) -> list[str]:
    refused = []
    for row in rows:
        body = {n: v for n, v in make_body(row).items() if n in ("location", "telephone", "task", "nickName")}
        if http.patch(f"/users/{row['user_id']}", json=body).is_error:
            refused.append(row["user_id"])
    return refused


def returns_nothing(http: httpx.Client, rows: Rows) -> None:
    for row in rows:
        http.patch(f"/users/{row['user_id']}", json=make_body(row))


def returns_responses(http: httpx.Client, rows: Rows) -> list[httpx.Response]:
    responses = [http.patch(f"/users/{row['user_id']}", json=make_body(row)) for row in rows]
    return [response for response in responses if response.is_error]


SOLUTIONS = (solution_row_by_row, solution_threads_by_person, solution_person_by_person)
MISTAKES = {
    "other method": (replaces, reads_with_get),
    "somebody else": (forgets_to_format,),
    "unknown field": (sends_rows, renames),
    "stopping": (returns_in_the_loop,),
    "whole record": (sends_records,),
    "null for absent": (sends_null,),
    "empty text": (sends_empty, clears_with_empty),
    "hyphen": (sends_hyphen,),
    "hyphen skipped": (skips_hyphen,),
    "other value": (writes_none,),
    "resent": (fills_in,),
    "overlapping": (overlaps,),
    "giving up": (raises, returns_early),
    "missed": (knows_three_columns,),
    "not reported": (returns_nothing, returns_responses),
}
