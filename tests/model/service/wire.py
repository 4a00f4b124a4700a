"""Operations as literal HTTP."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

BOUNDARY = "boundary-of-the-model"
UPLOADS = {
    "drive": "/users/{}/drive/files",
    "shared_drive": "/sharedrives/{}/files",
    "shared_folder": "/users/{}/drive/sharedfolders/sf-1/files",
    "group_folder": "/groups/{}/folder/files",
    "photo": "/users/{}/photo",
    "contact_photo": "/contacts/{}/photo",
    "post": "/boards/{}/posts/p-1/attachments",
    "comment": "/boards/{}/posts/p-1/comments/c-1/attachments",
    "note": "/groups/{}/note/posts/p-1/attachments",
    "bot": "/bots/{}/attachments",
}
DOWNLOADED = ("drive", "shared_drive", "shared_folder", "group_folder")
"""The places whose files are downloaded with a further segment, and have revisions."""
ADMIN = {
    "issue": ("POST", "/tokens"),
    "read_user": ("GET", "/users/{user}"),
    "webhook": ("POST", "/webhooks"),
    "read_room": ("GET", "/rooms/channel-1/messages"),
    "fault": ("POST", "/faults"),
    "read_faults": ("GET", "/faults"),
    "clear_faults": ("DELETE", "/faults"),
    "stub": ("POST", "/stubs"),
    "clear_stubs": ("DELETE", "/stubs"),
    "clock": ("POST", "/clock"),
    "settings": ("PATCH", "/domain"),
    "snapshot": ("GET", "/snapshot"),
    "restore": ("PUT", "/snapshot"),
    "reset": ("POST", "/reset"),
}


@dataclass
class Request:
    """A request to an area of the service, at a path below its URL."""

    method: str
    area: str
    path: str
    headers: dict[str, str]
    body: bytes = b""
    query: str = ""


def make_request(op: dict[str, Any], saved: dict[str, bytes]) -> Request:
    """Return the request of an operation; ``saved`` has the snapshots."""
    if op["do"] in ADMIN:
        return make_admin_request(op, saved)
    bearer = {} if op.get("token") is None else {"Authorization": f"Bearer {op['token']}"}
    return MAKE[op["do"]](op, bearer)


def as_json(
    method: str, path: str, op: dict[str, Any], headers: dict[str, str], area: str = "api"
) -> Request:
    body = op["body"] if isinstance(op["body"], str) else json.dumps(op["body"], ensure_ascii=False)
    return Request(
        method, area, path, headers | {"Content-Type": op.get("type", "application/json")}, body.encode()
    )


def locate_place(place: list[str]) -> str:
    return UPLOADS[place[0]].format(quote(place[1], safe=""))


def make_download_path(op: dict[str, Any]) -> str:
    kind, path = op["place"][0], locate_place(op["place"])
    if op.get("file") is None:  # of a photo
        return path
    path += "/" + quote(op["file"], safe="")
    if kind not in DOWNLOADED:
        return path
    return path + ("" if op.get("revision") is None else f"/revisions/{op['revision']}") + "/download"


def make_upload(op: dict[str, Any], headers: dict[str, str]) -> Request:
    form, content = op["form"], op["content"]
    if op.get("range") is not None:
        headers = headers | {"Content-Range": op["range"]}
    path = f"/uploads/{op['upload']}"
    if form == "raw":
        return Request("PUT", "storage", path, headers | {"Content-Type": "text/plain"}, content)
    headers = headers | {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    parts = []
    if form == "FileData":
        parts.append(b'Content-Disposition: form-data; name="resourceName"\r\n\r\nsent.txt')
    if form == "none":
        parts.append(b'Content-Disposition: form-data; name="comment"\r\n\r\nhello')
    else:
        kind = "" if op["type"] is None else f"Content-Type: {op['type']}\r\n"
        head = f'Content-Disposition: form-data; name="{form}"; filename="sent.txt"\r\n{kind}\r\n'
        parts.append(head.encode() + content)
    between = b"\r\n--" + BOUNDARY.encode()
    body = b"".join([between[2:] + b"\r\n" + parts[0], *(between + b"\r\n" + part for part in parts[1:])])
    return Request("POST", "storage", path, headers, body + between + b"--\r\n")


def announce(op: dict[str, Any], bearer: dict[str, str]) -> Request:
    target = "" if op.get("target") is None else "/" + quote(op["target"], safe="")
    return as_json("POST", locate_place(op["place"]) + target, op, bearer)


def make_form(op: dict[str, Any], _: dict[str, str]) -> Request:
    path = "/oauth2/v2.0/authorize" if op["do"] == "log_in" else "/oauth2/v2.0/token"
    names = {"login_ticket": "ticket", "login_id": "login_id", "password": "password"}
    form = op.get("form") or {name: op[of] for name, of in names.items()}
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return Request("POST", "auth", path, headers, urlencode(leave_out(form)).encode())


def leave_out(parameters: dict[str, str | None]) -> dict[str, str]:
    """Return the parameters that are sent: those that are not None."""
    return {name: value for name, value in parameters.items() if value is not None}


def locate_user(op: dict[str, Any]) -> str:
    return "/users/" + quote(op["user"], safe="")


MAKE: dict[str, Callable[[dict[str, Any], dict[str, str]], Request]] = {
    "update": lambda op, bearer: as_json("PATCH", locate_user(op), op, bearer),
    "status": lambda op, bearer: as_json("POST", locate_user(op) + "/user-profile-statuses", op, bearer),
    "announce": announce,
    "send": make_upload,
    "locate": lambda op, bearer: Request("GET", "api", make_download_path(op), bearer),
    "fetch": lambda op, bearer: Request("GET", "storage", f"/downloads/{op['download']}", bearer),
    "notify": lambda op, _: as_json("POST", f"/message/{op['webhook']}", op, {}, "hooks"),
    "call": lambda op, bearer: Request(op["method"], "api", op["path"], bearer),
    "authorize": lambda op, _: Request(
        "GET", "auth", "/oauth2/v2.0/authorize", {}, query=urlencode(leave_out(op["query"]))
    ),
    "log_in": make_form,
    "exchange": make_form,
    "refresh": make_form,
}


def make_admin_request(op: dict[str, Any], saved: dict[str, bytes]) -> Request:
    does = op["do"]
    method, path = ADMIN[does]
    body: Any = {
        "issue": lambda: {"userId": op["user"]},
        "webhook": lambda: {"title": op["title"], "channelId": "channel-1"},
        "fault": lambda: op["fault"],
        "stub": lambda: op["stub"],
        "clock": lambda: {"advance": op["advance"]},
        "settings": lambda: op["change"],
    }.get(does, lambda: None)()
    sent = saved[op["snapshot"]] if does == "restore" else b"" if body is None else json.dumps(body).encode()
    return Request(method, "admin", path.format(user=op.get("user")), {}, sent)
