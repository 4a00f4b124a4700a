"""Lesson 04: what learners write, by the sentence that each of them gets."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from svckit.course.exercises.changes import Row


def make_body(row: dict[str, str]) -> dict[str, Any]:
    return {name: None if cell == "-" else cell for name, cell in row.items() if name != "user_id" and cell}


def make(
    make_body: Callable[[dict[str, str]], dict[str, Any]],
) -> Callable[[httpx.Client, list[Row]], list[str]]:
    """Return a `move_people` that differs from a solution in what it sends of a row."""

    def move_people(http: httpx.Client, rows: list[Row]) -> list[str]:
        sent = [(row["user_id"], http.patch(f"/users/{row['user_id']}", json=make_body(row))) for row in rows]
        return [user for user, response in sent if response.is_error]

    return move_people


sends_rows = make(lambda row: row)


renames = make(lambda row: {f"{name}Number": value for name, value in make_body(row).items()})


sends_null = make(
    lambda row: {name: None if cell in ("", "-") else cell for name, cell in row.items() if name != "user_id"}
)


sends_empty = make(
    lambda row: {name: None if cell == "-" else cell for name, cell in row.items() if name != "user_id"}
)


sends_hyphen = make(lambda row: {name: cell for name, cell in row.items() if name != "user_id" and cell})


clears_with_empty = make(lambda row: {name: value or "" for name, value in make_body(row).items()})


skips_hyphen = make(lambda row: {name: value for name, value in make_body(row).items() if value})


writes_none = make(lambda row: {name: str(value) for name, value in make_body(row).items()})


knows_three_columns = make(
    lambda row: {
        name: value
        for name, value in make_body(row).items()
        if name in ("location", "telephone", "task", "nickName")
    }
)


def replaces(http: httpx.Client, rows: list[Row]) -> None:
    for row in rows:
        http.put(f"/users/{row['user_id']}", json=make_body(row))


def reads_with_get(http: httpx.Client, rows: list[Row]) -> None:
    for row in rows:
        http.get(f"/users/{row['user_id']}").raise_for_status()
        http.patch(f"/users/{row['user_id']}", json=make_body(row))


def forgets_to_format(http: httpx.Client, rows: list[Row]) -> None:
    for row in rows:
        http.patch("/users/{row['user_id']}", json=make_body(row))


def returns_in_the_loop(http: httpx.Client, rows: list[Row]) -> list[str]:
    refused = []
    for row in rows:
        if http.patch(f"/users/{row['user_id']}", json=make_body(row)).is_error:
            refused.append(row["user_id"])
        return refused
    return refused


def sends_records(http: httpx.Client, rows: list[Row]) -> list[str]:
    refused = []
    for row in rows:
        record = http.patch(f"/users/{row['user_id']}", json={}).json()
        if http.patch(f"/users/{row['user_id']}", json=record | make_body(row)).is_error:
            refused.append(row["user_id"])
    return refused


def fills_in(http: httpx.Client, rows: list[Row]) -> None:
    for row in rows:
        record = http.patch(f"/users/{row['user_id']}", json={}).json()
        kept = {name: record[name] for name, cell in row.items() if not cell}
        http.patch(f"/users/{row['user_id']}", json=make_body(row) | kept)


def overlaps(http: httpx.Client, rows: list[Row]) -> None:
    with ThreadPoolExecutor(4) as pool:
        for row in rows:
            pool.submit(http.patch, f"/users/{row['user_id']}", json=make_body(row))


def raises(http: httpx.Client, rows: list[Row]) -> list[str]:
    for row in rows:
        http.patch(f"/users/{row['user_id']}", json=make_body(row)).raise_for_status()
    return []


def returns_early(http: httpx.Client, rows: list[Row]) -> list[str]:
    for row in rows:
        if http.patch(f"/users/{row['user_id']}", json=make_body(row)).is_error:
            return [row["user_id"]]
    return []


def returns_nothing(http: httpx.Client, rows: list[Row]) -> None:
    for row in rows:
        http.patch(f"/users/{row['user_id']}", json=make_body(row))


def returns_responses(http: httpx.Client, rows: list[Row]) -> list[httpx.Response]:
    responses = [http.patch(f"/users/{row['user_id']}", json=make_body(row)) for row in rows]
    return [response for response in responses if response.is_error]


WRONG = {
    "refused": (replaces, reads_with_get, forgets_to_format),
    "unknown field": (sends_rows, renames),
    "stopping": (returns_in_the_loop,),
    "whole record": (sends_records,),
    "null for absent": (sends_null,),
    "other value": (writes_none, sends_hyphen, sends_empty, clears_with_empty),
    "resent": (fills_in,),
    "overlapping": (overlaps,),
    "giving up": (raises, returns_early),
    "missed": (knows_three_columns, skips_hyphen),
    "not reported": (returns_nothing, returns_responses),
}
