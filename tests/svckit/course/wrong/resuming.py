"""Lesson 07: what learners write, by the sentence that each of them gets."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import httpx

from svckit.course.exercises.resuming import PIECE


def locate(http: httpx.Client, token: str, source: str) -> str:
    """Return where the redirect leads."""
    return http.get(source, headers={"Authorization": f"Bearer {token}"}).headers["Location"]


def fetch(http: httpx.Client, token: str, storage: str, source: str) -> bytes:
    """Download a file from the storage; from elsewhere, return nothing."""
    location = locate(http, token, source)
    if not location.startswith(storage + "/"):
        return b""
    return http.get(location, headers={"Authorization": f"Bearer {token}"}).content


def send(
    http: httpx.Client,
    token: str,
    target: str,
    content: bytes,
    start: int,
    size: int = PIECE,
    cover: Callable[[int, int, int], str] = lambda start, end, total: f"{start}-{end}/{total}",
) -> httpx.Response:
    """Send one piece."""
    piece = content[start : start + size]
    span = cover(start, start + len(piece) - 1, len(content))
    headers = {"Authorization": f"Bearer {token}", "Content-Range": span}
    return http.post(target, files={"Filedata": ("film.mp4", piece)}, headers=headers)


def send_until_accepted(http: httpx.Client, token: str, target: str, content: bytes, start: int) -> None:
    """Send a piece until there is a response, which may refuse it as it had arrived."""
    while True:
        try:
            send(http, token, target, content, start)
            break
        except httpx.TransportError:
            continue


def make(
    fetch: Callable[[httpx.Client, str, str, str], bytes] = fetch,
    send: Callable[[httpx.Client, str, str, bytes, int], object] = send_until_accepted,
) -> Callable[[httpx.Client, str, str, str, str], None]:
    """Return a `carry_file` that differs from a solution in how it downloads the file, or sends each piece."""

    def carry_file(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
        content = fetch(http, token, storage, source)
        for start in range(0, len(content), PIECE):
            send(http, token, target, content, start)

    return carry_file


def go_elsewhere(http: httpx.Client, token: str, storage: str, source: str) -> bytes:
    return http.get(locate(http, token, source), headers={"Authorization": f"Bearer {token}"}).content


goes_elsewhere = make(go_elsewhere)


def trust_beginning(http: httpx.Client, token: str, storage: str, source: str) -> bytes:
    location = locate(http, token, source)
    if not location.startswith(storage):
        return b""
    return http.get(location, headers={"Authorization": f"Bearer {token}"}).content


trusts_beginning = make(trust_beginning)


def leaves_out_token(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    location = locate(http, token, source)
    if location.startswith(storage + "/"):
        http.get(location).raise_for_status()


def try_bare_token(http: httpx.Client, token: str, storage: str, source: str) -> bytes:
    http.get(source, headers={"Authorization": token})
    return fetch(http, token, storage, source)


tries_bare_token = make(try_bare_token)


def follow_redirect(http: httpx.Client, token: str, storage: str, source: str) -> bytes:
    return http.get(source, headers={"Authorization": f"Bearer {token}"}, follow_redirects=True).content


follows_redirect = make(follow_redirect)


def raise_for_redirect(http: httpx.Client, token: str, storage: str, source: str) -> bytes:
    content = fetch(http, token, storage, source)
    if not content:
        raise ValueError("the redirect leads elsewhere")
    return content


raises = make(raise_for_redirect)


def download_text(http: httpx.Client, token: str, storage: str, source: str) -> bytes:
    return fetch(http, token, storage, source).decode(errors="replace").encode()


downloads_text = make(download_text)


def takes_redirect_for_error(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    http.get(source, headers={"Authorization": f"Bearer {token}"}).raise_for_status()


def takes_redirect_for_file(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    content = http.get(source, headers=headers).content
    http.post(target, files={"Filedata": ("film.mp4", content)}, headers=headers)


def keeps_file(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    fetch(http, token, storage, source)


def sends_whole(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch(http, token, storage, source)
    headers = {"Authorization": f"Bearer {token}"}
    http.post(target, files={"Filedata": ("film.mp4", content)}, headers=headers)


def sends_much(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    content = fetch(http, token, storage, source)
    for start in range(0, len(content), 50_000):
        send(http, token, target, content, start, size=50_000)


gives_up = make(send=send)


leaves_total_open = make(send=partial(send, cover=lambda start, end, total: f"{start}-{end}/*"))


counts_from_one = make(send=partial(send, cover=lambda start, end, total: f"{start + 1}-{end + 1}/{total}"))


ends_one_later = make(send=partial(send, cover=lambda start, end, total: f"{start}-{end + 1}/{total}"))


gives_piece_as_total = make(
    send=lambda http, token, target, content, start: send(
        http, token, target, content[start : start + PIECE], 0
    )
)


def send_no_form(http: httpx.Client, token: str, target: str, content: bytes, start: int) -> None:
    piece = content[start : start + PIECE]
    span = f"{start}-{start + len(piece) - 1}/{len(content)}"
    http.post(target, content=piece, headers={"Authorization": f"Bearer {token}", "Content-Range": span})


sends_no_form = make(send=send_no_form)


def skip(http: httpx.Client, token: str, target: str, content: bytes, start: int) -> None:
    with suppress(httpx.TransportError):
        send(http, token, target, content, start)


skips = make(send=skip)


def insist(http: httpx.Client, token: str, target: str, content: bytes, start: int) -> None:
    while True:
        with suppress(httpx.TransportError):
            if send(http, token, target, content, start).is_success:
                break


insists = make(send=insist)


def raise_at_refusal(http: httpx.Client, token: str, target: str, content: bytes, start: int) -> None:
    while True:
        with suppress(httpx.TransportError):
            send(http, token, target, content, start).raise_for_status()
            break


raises_at_refusal = make(send=raise_at_refusal)


def send_twice(http: httpx.Client, token: str, target: str, content: bytes, start: int) -> None:
    for _ in range(2):
        send_until_accepted(http, token, target, content, start)


sends_twice = make(send=send_twice)


def end_early(http: httpx.Client, token: str, target: str, content: bytes, start: int) -> None:
    if start + PIECE <= len(content):
        send_until_accepted(http, token, target, content, start)


ends_early = make(send=end_early)


def starts_over(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    for _ in range(3):
        with suppress(httpx.TransportError):
            gives_up(http, token, storage, source, target)
            return


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
