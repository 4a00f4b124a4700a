"""Lesson 07: what learners write, by the sentence that each of them gets."""

from collections.abc import Iterable
from contextlib import suppress

import httpx

from svckit.course.exercises.resuming import PIECE


def fetch(http: httpx.Client, token: str, source: str) -> bytes:
    """Download a file, wherever the redirect leads."""
    headers = {"Authorization": f"Bearer {token}"}
    location = http.get(source, headers=headers).headers["Location"]
    return http.get(location, headers=headers).content


def fetch_safely(http: httpx.Client, token: str, storage: str, source: str) -> bytes:
    """Download a file from the storage; from elsewhere, return nothing."""
    headers = {"Authorization": f"Bearer {token}"}
    location = http.get(source, headers=headers).headers["Location"]
    if not location.startswith(storage + "/"):
        return b""
    return http.get(location, headers=headers).content


def send(
    http: httpx.Client, token: str, target: str, content: bytes, start: int, size: int = PIECE
) -> httpx.Response:
    """Send one piece."""
    piece = content[start : start + size]
    covers = f"{start}-{start + len(piece) - 1}/{len(content)}"
    headers = {"Authorization": f"Bearer {token}", "Content-Range": covers}
    return http.post(target, files={"Filedata": ("film.mp4", piece)}, headers=headers)


def send_until_accepted(
    http: httpx.Client, token: str, target: str, content: bytes, starts: Iterable[int]
) -> None:
    """Send pieces, each until there is a response that does not refuse it, or refuses it after an interruption."""
    for start in starts:
        while True:
            try:
                send(http, token, target, content, start)
                break
            except httpx.TransportError:
                continue


def goes_elsewhere(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch(http, token, source)
    send_until_accepted(http, token, target, content, range(0, len(content), PIECE))


def trusts_beginning(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    location = http.get(source, headers=headers).headers["Location"]
    if location.startswith(storage):
        content = http.get(location, headers=headers).content
        send_until_accepted(http, token, target, content, range(0, len(content), PIECE))


def leaves_out_token(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    location = http.get(source, headers=headers).headers["Location"]
    if location.startswith(storage + "/"):
        http.get(location).raise_for_status()


def tries_bare_token(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    http.get(source, headers={"Authorization": token})
    content = fetch_safely(http, token, storage, source)
    send_until_accepted(http, token, target, content, range(0, len(content), PIECE))


def follows_redirect(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    content = http.get(source, headers=headers, follow_redirects=True).content
    send_until_accepted(http, token, target, content, range(0, len(content), PIECE))


def raises(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    if not content:
        raise ValueError("the redirect leads elsewhere")
    send_until_accepted(http, token, target, content, range(0, len(content), PIECE))


def takes_redirect_for_error(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    http.get(source, headers={"Authorization": f"Bearer {token}"}).raise_for_status()


def takes_redirect_for_file(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = http.get(source, headers={"Authorization": f"Bearer {token}"}).content
    http.post(
        target,
        files={"Filedata": ("film.mp4", content)},
        headers={"Authorization": f"Bearer {token}"},
    )


def keeps_file(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    fetch_safely(http, token, storage, source)


def leaves_total_open(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    for start in range(0, len(content), PIECE):
        piece = content[start : start + PIECE]
        covers = f"{start}-{start + len(piece) - 1}/*"
        headers = {"Authorization": f"Bearer {token}", "Content-Range": covers}
        http.post(target, files={"Filedata": ("film.mp4", piece)}, headers=headers)


def counts_from_one(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    for start in range(0, len(content), PIECE):
        piece = content[start : start + PIECE]
        covers = f"{start + 1}-{start + len(piece)}/{len(content)}"
        headers = {"Authorization": f"Bearer {token}", "Content-Range": covers}
        http.post(target, files={"Filedata": ("film.mp4", piece)}, headers=headers)


def sends_no_form(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    for start in range(0, len(content), PIECE):
        piece = content[start : start + PIECE]
        covers = f"{start}-{start + len(piece) - 1}/{len(content)}"
        http.post(
            target, content=piece, headers={"Authorization": f"Bearer {token}", "Content-Range": covers}
        )


def sends_whole(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    headers = {"Authorization": f"Bearer {token}"}
    http.post(target, files={"Filedata": ("film.mp4", content)}, headers=headers)


def sends_much(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    for start in range(0, len(content), 50_000):
        send(http, token, target, content, start, size=50_000)


def gives_piece_as_total(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    for start in range(0, len(content), PIECE):
        send(http, token, target, content[start : start + PIECE], 0)


def downloads_text(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    location = http.get(source, headers=headers).headers["Location"]
    if location.startswith(storage + "/"):
        content = http.get(location, headers=headers).text.encode()
        send_until_accepted(http, token, target, content, range(0, len(content), PIECE))


def ends_one_later(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    for start in range(0, len(content), PIECE):
        piece = content[start : start + PIECE]
        covers = f"{start}-{start + len(piece)}/{len(content)}"
        headers = {"Authorization": f"Bearer {token}", "Content-Range": covers}
        http.post(target, files={"Filedata": ("film.mp4", piece)}, headers=headers)


def gives_up(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    for start in range(0, len(content), PIECE):
        send(http, token, target, content, start)


def starts_over(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    for _ in range(3):
        try:
            for start in range(0, len(content), PIECE):
                send(http, token, target, content, start)
            return
        except httpx.TransportError:
            continue


def skips(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    for start in range(0, len(content), PIECE):
        with suppress(httpx.TransportError):
            send(http, token, target, content, start)


def insists(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    start = 0
    while start < len(content):
        try:
            if send(http, token, target, content, start).is_success:
                start += PIECE
        except httpx.TransportError:
            pass


def raises_at_refusal(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    start = 0
    while start < len(content):
        try:
            send(http, token, target, content, start).raise_for_status()
            start += PIECE
        except httpx.TransportError:
            pass


def ends_early(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    send_until_accepted(http, token, target, content, range(0, len(content) // PIECE * PIECE, PIECE))


def sends_twice(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch_safely(http, token, storage, source)
    for start in range(0, len(content), PIECE):
        send_until_accepted(http, token, target, content, (start, start))


WRONG = {
    "elsewhere": (goes_elsewhere, trusts_beginning),
    "raises": (raises,),
    "no token": (leaves_out_token, tries_bare_token, follows_redirect),
    "redirect ignored": (takes_redirect_for_error, takes_redirect_for_file),
    "not sent on": (keeps_file,),
    "no form": (sends_no_form,),
    "no range": (sends_whole,),
    "large pieces": (sends_much,),
    "total": (gives_piece_as_total, downloads_text, leaves_total_open),
    "end": (ends_one_later,),
    "giving up": (gives_up,),
    "early end": (ends_early,),
    "offset": (starts_over, skips, counts_from_one, insists, raises_at_refusal, sends_twice),
}
