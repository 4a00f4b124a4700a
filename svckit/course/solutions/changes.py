"""Lesson 04: change what a list says, and nothing else."""

import httpx

__all__ = ["SOLUTIONS"]

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


SOLUTIONS = (solution_row_by_row, solution_person_by_person)
