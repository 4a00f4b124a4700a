"""Lesson 06: upload the files of a folder, each in two steps."""

from pathlib import Path

import httpx

__all__ = ["SOLUTIONS"]


def solution_opens_files(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    """Send an open file as the part Filedata."""
    headers = {"Authorization": f"Bearer {token}"}
    for path in folder.iterdir():
        announced = {"fileName": path.name, "fileSize": path.stat().st_size}
        first = http.post(place, json=announced, headers=headers).raise_for_status()
        with path.open("rb") as content:
            second = http.post(
                first.json()["uploadUrl"], files={"Filedata": (path.name, content)}, headers=headers
            )
        second.raise_for_status()


def solution_names_resource(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    """Send the fields resourceName and FileData, the other form that the description shows; all URLs first."""
    http.headers["Authorization"] = f"Bearer {token}"
    urls = {}
    for path in folder.iterdir():
        announced = {"fileName": path.name, "fileSize": path.stat().st_size}
        urls[path] = http.post(place, json=announced).raise_for_status().json()["uploadUrl"]
    for path, url in urls.items():
        with path.open("rb") as content:
            fields = {"FileData": (None, content)}
            http.post(url, data={"resourceName": path.name}, files=fields).raise_for_status()


SOLUTIONS = (solution_opens_files, solution_names_resource)
