"""Lesson 06: what learners write, by the sentence that each of them gets."""

from pathlib import Path
from typing import Any

import httpx


def announce(http: httpx.Client, place: str, token: str, name: str, size: int) -> str:
    """Take the first step, and return the upload URL."""
    headers = {"Authorization": f"Bearer {token}"}
    response = http.post(place, json={"fileName": name, "fileSize": size}, headers=headers)
    url: str = response.raise_for_status().json()["uploadUrl"]
    return url


def send(http: httpx.Client, url: str, token: str, path: Path, part: str = "Filedata") -> httpx.Response:
    """Take the second step with an open file."""
    with path.open("rb") as content:
        return http.post(
            url, files={part: (path.name, content)}, headers={"Authorization": f"Bearer {token}"}
        )


def sends_no_token(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        http.post(place, json={"fileName": path.name, "fileSize": path.stat().st_size})


def sends_token_once(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        url = announce(http, place, token, path.name, path.stat().st_size)
        with path.open("rb") as content:
            http.post(url, files={"Filedata": (path.name, content)}).raise_for_status()


def sends_to_place(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        send(http, place, token, path)


def sends_bytes_to_place(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        http.post(place, content=path.read_bytes(), headers={"Authorization": f"Bearer {token}"})


def counts_letters(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        url = announce(http, place, token, path.name, len(path.read_text("utf-8")))
        send(http, url, token, path).raise_for_status()


def announces_text(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        size: Any = str(path.stat().st_size)
        announce(http, place, token, path.name, size)


def names_path(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        send(http, announce(http, place, token, str(path), path.stat().st_size), token, path)


def names_stem(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        send(http, announce(http, place, token, path.stem, path.stat().st_size), token, path)


def stops_halfway(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        announce(http, place, token, path.name, path.stat().st_size)


def reuses_url(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    paths = sorted(folder.iterdir())
    url = announce(http, place, token, paths[0].name, paths[0].stat().st_size)
    for path in paths:
        send(http, url, token, path)


def mixes_up(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    paths = sorted(folder.iterdir())
    urls = [announce(http, place, token, path.name, path.stat().st_size) for path in paths]
    for path, url in zip(reversed(paths), urls, strict=True):
        send(http, url, token, path)


def sends_content(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        url = announce(http, place, token, path.name, path.stat().st_size)
        http.post(url, content=path.read_bytes(), headers={"Authorization": f"Bearer {token}"})


def puts_content(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        url = announce(http, place, token, path.name, path.stat().st_size)
        http.put(url, content=path.read_bytes(), headers={"Authorization": f"Bearer {token}"})


def sets_content_type(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    for path in folder.iterdir():
        url = announce(http, place, token, path.name, path.stat().st_size)
        with path.open("rb") as content:
            http.post(url, files={"Filedata": (path.name, content)}, headers=headers)


def sets_multipart(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "multipart/form-data"}
    for path in folder.iterdir():
        url = announce(http, place, token, path.name, path.stat().st_size)
        with path.open("rb") as content:
            http.post(url, files={"Filedata": (path.name, content)}, headers=headers).raise_for_status()


def sends_field(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        url = announce(http, place, token, path.name, path.stat().st_size)
        with path.open("rb") as content:
            fields = {"Filedata": (None, content)}
            http.post(url, files=fields, headers={"Authorization": f"Bearer {token}"})


def splits_file(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        url = announce(http, place, token, path.name, path.stat().st_size)
        with path.open("rb") as content:
            while piece := content.read(50_000):
                part = {"Filedata": (path.name, piece)}
                http.post(url, files=part, headers={"Authorization": f"Bearer {token}"})


def splits_into_lines(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        url = announce(http, place, token, path.name, path.stat().st_size)
        with path.open("rb") as content:
            for line in content:
                part = {"Filedata": (path.name, line)}
                headers = {"Authorization": f"Bearer {token}"}
                http.post(url, files=part, headers=headers).raise_for_status()


def leaves_out(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.glob("*.txt"):
        send(http, announce(http, place, token, path.name, path.stat().st_size), token, path)


def stores_twice(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        for _ in range(2):
            send(http, announce(http, place, token, path.name, path.stat().st_size), token, path)


def names_part(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        url = announce(http, place, token, path.name, path.stat().st_size)
        send(http, url, token, path, part="file").raise_for_status()


def holds_file(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        content = path.read_bytes()
        url = announce(http, place, token, path.name, len(content))
        part = {"Filedata": (path.name, content)}
        http.post(url, files=part, headers={"Authorization": f"Bearer {token}"}).raise_for_status()


WRONG = {
    "no token": (sends_no_token, sends_token_once),
    "one step": (sends_to_place, sends_bytes_to_place),
    "other size": (counts_letters,),
    "refused": (announces_text,),
    "path as name": (names_path, names_stem),
    "no second step": (stops_halfway,),
    "reused URL": (reuses_url,),
    "no form": (sets_content_type, sets_multipart, sends_content, puts_content),
    "field": (sends_field,),
    "other content": (mixes_up, splits_file, splits_into_lines),
    "left out": (leaves_out,),
    "twice": (stores_twice,),
    "part name": (names_part,),
    "in memory": (holds_file,),
}
