"""Lesson 06: what learners write, by the sentence that each of them gets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx


def announce(http: httpx.Client, place: str, token: str, name: str, size: int) -> str:
    """Take the first step, and return the upload URL."""
    headers = {"Authorization": f"Bearer {token}"}
    response = http.post(place, json={"fileName": name, "fileSize": size}, headers=headers)
    url: str = response.raise_for_status().json()["uploadUrl"]
    return url


def send(
    http: httpx.Client, url: str, token: str, path: Path, part: str = "Filedata", **headers: str
) -> httpx.Response:
    """Take the second step with an open file."""
    headers = {"Authorization": f"Bearer {token}"} | headers
    with path.open("rb") as content:
        return http.post(url, files={part: (path.name, content)}, headers=headers)


def make(
    name: Callable[[Path], str] = lambda path: path.name,
    size: Callable[[Path], Any] = lambda path: path.stat().st_size,
    send: Callable[[httpx.Client, str, str, Path], object] = send,
) -> Callable[[httpx.Client, str, str, Path], None]:
    """Return an `upload_folder` that differs from a solution in one part."""

    def upload_folder(http: httpx.Client, place: str, token: str, folder: Path) -> None:
        for path in folder.iterdir():
            send(http, announce(http, place, token, name(path), size(path)), token, path)

    return upload_folder


names_path = make(name=str)


names_stem = make(name=lambda path: path.stem)


counts_letters = make(size=lambda path: len(path.read_text("utf-8")))


announces_text = make(size=lambda path: str(path.stat().st_size))


stops_halfway = make(send=lambda http, url, token, path: None)


names_part = make(send=lambda http, url, token, path: send(http, url, token, path, part="file"))


sets_content_type = make(
    send=lambda http, url, token, path: send(http, url, token, path, **{"Content-Type": "application/json"})
)


sets_multipart = make(
    send=lambda http, url, token, path: send(
        http, url, token, path, **{"Content-Type": "multipart/form-data"}
    )
)


sends_content = make(
    send=lambda http, url, token, path: http.post(
        url, content=path.read_bytes(), headers={"Authorization": f"Bearer {token}"}
    )
)


puts_content = make(
    send=lambda http, url, token, path: http.put(
        url, content=path.read_bytes(), headers={"Authorization": f"Bearer {token}"}
    )
)


def send_part(http: httpx.Client, url: str, token: str, part: tuple[str | None, Any]) -> httpx.Response:
    """Take the second step with something else than an open file."""
    return http.post(url, files={"Filedata": part}, headers={"Authorization": f"Bearer {token}"})


holds_file = make(
    send=lambda http, url, token, path: send_part(http, url, token, (path.name, path.read_bytes()))
)


def send_field(http: httpx.Client, url: str, token: str, path: Path) -> None:
    with path.open("rb") as content:
        send_part(http, url, token, (None, content))


sends_field = make(send=send_field)


def split_file(http: httpx.Client, url: str, token: str, path: Path) -> None:
    with path.open("rb") as content:
        while piece := content.read(50_000):
            send_part(http, url, token, (path.name, piece))


splits_file = make(send=split_file)


def split_into_lines(http: httpx.Client, url: str, token: str, path: Path) -> None:
    with path.open("rb") as content:
        for line in content:
            send_part(http, url, token, (path.name, line)).raise_for_status()


splits_into_lines = make(send=split_into_lines)


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


def leaves_out(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.glob("*.txt"):
        send(http, announce(http, place, token, path.name, path.stat().st_size), token, path)


def stores_twice(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    for path in folder.iterdir():
        for _ in range(2):
            send(http, announce(http, place, token, path.name, path.stat().st_size), token, path)


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
