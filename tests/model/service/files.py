"""The two steps of a transfer: upload URLs, whole content and ranges, revisions, and downloads."""

import re
from datetime import timedelta
from typing import Any

from .directory import find_user, is_signed_in
from .expecting import NOT_FOUND, UNAUTHORIZED, Expected, Matching, Outcome, invalid
from .fields import ANNOUNCED, wrong_fields

State = dict[str, Any]

LIFETIME = timedelta(hours=24)
DRIVES = ("drive", "shared_drive", "shared_folder", "group_folder")
"""The places whose files have the fields of drive files."""
OF_USERS = ("drive", "shared_folder", "photo")
RANGE = re.compile(r"(?:(?i:bytes) +)?(\d{1,18})-(\d{1,18})/(\d{1,18})", re.ASCII)


def find_place(state: State, place: list[str]) -> tuple[str, ...] | None:
    """A place with the ID of its user, however a path names the user; None if the user or bot is not found."""
    kind, owner = place
    if kind in OF_USERS:
        found = find_user(state, owner)
        return None if found is None else (kind, found)
    return None if kind == "bot" and owner != "bot-1" else (kind, owner)


def announce(state: State, op: dict[str, Any]) -> Outcome:
    """Step 1 of an upload."""
    if not is_signed_in(state, op["token"]):
        return UNAUTHORIZED
    place, body = find_place(state, op["place"]), op["body"]
    if place is None:
        return NOT_FOUND
    wrong = wrong_fields(body, ANNOUNCED, ("fileName", "fileSize"))
    if wrong:
        return invalid(*sorted(wrong))
    upload = {
        "place": place,
        "target": op.get("target"),
        "body": body,
        "user": state["access"][op["token"]]["user"],
        "at": state["now"],
        "received": b"",
        "used": False,
    }

    def learn(learned: dict[str, str], _: Any) -> None:
        assert learned["upload"] not in state["uploads"], "an upload URL is not new"
        state["uploads"][learned["upload"]] = upload

    return Expected(200, {"uploadUrl": Matching(r"\{storage\}/uploads/(?P<upload>[\w-]+)")}, learn=learn)


def send(state: State, op: dict[str, Any]) -> Outcome:
    """Step 2 of an upload: the whole content, or the next range of it."""
    if not is_signed_in(state, op["token"]):
        return UNAUTHORIZED
    upload, user = state["uploads"].get(op["upload"]), state["access"][op["token"]]["user"]
    if upload is None or upload["used"] or state["now"] - upload["at"] > LIFETIME or upload["user"] != user:
        return NOT_FOUND
    if op["form"] in ("raw", "none"):
        return invalid("Filedata")
    content, announced = op["content"], upload["body"]["fileSize"]
    if op.get("range") is not None:
        return send_range(state, op, upload)
    if len(content) != announced:
        return invalid("fileSize")
    return finish(state, upload, content, op["type"])


def send_range(state: State, op: dict[str, Any], upload: dict[str, Any]) -> Outcome:
    content, match = op["content"], RANGE.fullmatch(op["range"])
    if match is None:
        return invalid("Content-Range")
    start, end, total = map(int, match.groups())
    fits = start == len(upload["received"]) and start <= end < total == upload["body"]["fileSize"]
    if not fits or len(content) != end - start + 1:
        return invalid("Content-Range")
    received = upload["received"] + content
    if len(received) < total:
        upload["received"] = received
        return Expected(200, {"offset": len(received)})
    return finish(state, upload, received, op["type"])


def finish(state: State, upload: dict[str, Any], content: bytes, content_type: str | None) -> Outcome:
    """Store content as a new file, or as a revision of one with the ID or, to overwrite, the name."""
    upload["used"] = True
    place, target, body, now = upload["place"], upload["target"], upload["body"], state["now"]
    name = body["fileName"]
    file = state["files"].get(state["file_ids"].get(target))
    if file is not None and file["place"] == place:
        file["name"] = name
    else:
        same = [
            f
            for f in state["files"].values()
            if (f["place"], f["parent"], f["name"]) == (place, target, name)
        ]
        file = max(same, key=lambda each: each["turn"]) if same and body.get("overwrite") else None
    if file is None:
        number = len(state["files"])
        file = state["files"][number] = {
            "number": number, "id": None, "place": place, "parent": target, "name": name, "at": now, "revisions": [],
        }  # fmt: skip
    state["turn"] += 1
    file["turn"] = state["turn"]
    revision = {
        "content": content,
        "type": content_type or "application/octet-stream",
        "at": now,
        "modified": body.get("modifiedTime"),
        "address": None,
    }
    file["revisions"].append(revision)

    def learn(learned: dict[str, str], _: Any) -> None:
        if file["id"] is None:
            assert learned["file"] not in state["file_ids"], "the ID of a file is not new"
            file["id"] = learned["file"]
            state["file_ids"][learned["file"]] = file["number"]

    return Expected(201, describe(file, revision), learn=learn)


def describe(file: dict[str, Any], revision: dict[str, Any]) -> dict[str, Any]:
    """The result of an upload."""
    file_id = Matching(r"(?P<file>.+)" if file["id"] is None else f"(?P<file>{re.escape(file['id'])})")
    result = {"fileId": file_id, "fileName": file["name"], "fileSize": len(revision["content"])}
    if file["place"][0] not in DRIVES:
        return result
    accessed = revision["at"].isoformat(timespec="seconds")
    return result | {
        "parentFileId": file["parent"] or "root",
        "filePath": f"/{file['parent']}/{file['name']}" if file["parent"] else f"/{file['name']}",
        "hasPermission": True,
        "permissionRootFileId": "root",
        "resourceLocation": 1,
        "accessedTime": accessed,
        "createdTime": file["at"].isoformat(timespec="seconds"),
        "modifiedTime": accessed if revision["modified"] is None else revision["modified"],
        "fileType": revision["type"],
        "statuses": [],
    }


def locate(state: State, op: dict[str, Any]) -> Outcome:
    """Step 1 of a download."""
    if not is_signed_in(state, op["token"]):
        return UNAUTHORIZED
    place = find_place(state, op["place"])
    if place is None:
        return NOT_FOUND
    here = [file for file in state["files"].values() if file["place"] == place]
    if op.get("file") is not None:
        here = [file for file in here if file["id"] == op["file"]]
    if not here:
        return NOT_FOUND
    revisions = max(here, key=lambda each: each["turn"])["revisions"]
    numbered = {str(number): each for number, each in enumerate(revisions, 1)} | {None: revisions[-1]}
    revision = numbered.get(op.get("revision"))
    if revision is None:
        return NOT_FOUND

    def learn(learned: dict[str, str], _: Any) -> None:
        if revision["address"] is None:
            assert learned["download"] not in state["downloads"], "a download URL is another file's"
            revision["address"] = learned["download"]
            state["downloads"][learned["download"]] = revision

    address = r"[\w-]+" if revision["address"] is None else re.escape(revision["address"])
    return Expected(
        302, None, {"location": Matching(rf"\{{storage\}}/downloads/(?P<download>{address})")}, learn=learn
    )


def fetch(state: State, op: dict[str, Any]) -> Outcome:
    """Step 2 of a download."""
    if not is_signed_in(state, op["token"]):
        return UNAUTHORIZED
    revision = state["downloads"].get(op["download"])
    if revision is None:
        return NOT_FOUND
    content = revision["content"]
    headers = {"content-length": str(len(content)), "content-type": revision["type"]}
    return Expected(200, content, headers, content_type=None)
