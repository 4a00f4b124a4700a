"""Calls at random that transfer files, such that many meet an assumption, and several meet two at once."""

from hypothesis import strategies as st

from .caller import BOUNDARY, DRIVE, raw_form
from .player import some, step

PLACES = [
    DRIVE,
    DRIVE,
    "/users/u-002/drive/files",
    "/bots/bot-1/attachments",
    "/groups/g-1/folder/files",
    "/groups/root/folder/files",
    "/users/u-001/photo",
]


def ask(me, place, below, request):
    target = {"folder": "/folder-1", "stored": f"/{me.files[-1][1]}" if me.files else ""}.get(below, "")
    body = {"fileName": "a.txt", "fileSize": 5} | request
    response = me.api(
        "POST", (me.files[-1][0] if below == "stored" and me.files else place) + target, json=body
    )
    me.uploads.append((place, response.json()["uploadUrl"]))


def send(me, which, content, request):
    place, url = me.uploads[which % len(me.uploads)]
    response = me.send(url, content, **request)
    if response.status_code == 201:
        me.files.append((place, response.json()["fileId"]))


def send_form(me, parts, content_range):
    fields = {
        "field": (b'Content-Disposition: form-data; name="FileData"', b"hello"),
        "name": (b'Content-Disposition: form-data; name="resourceName"', b"b.bin"),
        "file": (b'Content-Disposition: form-data; name="Filedata"; filename="a.txt"', b"hello"),
        "other": (b'Content-Disposition: form-data; name="x"; filename="c.txt"', b"hello"),
    }
    form = raw_form(*(fields[part] for part in parts))
    headers = me.bearer | {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"} | content_range
    place, url = me.uploads[-1]
    response = me.http.post(url, content=form, headers=headers)
    if response.status_code == 201:
        me.files.append((place, response.json()["fileId"]))


def put(me, content, content_range):
    me.http.put(me.uploads[-1][1], content=content, headers=me.bearer | content_range)


def locate(me, which, rest, query):
    place, file_id = me.files[which % len(me.files)] if me.files else (DRIVE, "nothing")
    download = "" if "/bots/" in place else "/download"
    path = f"{place}/{file_id}{rest}{download}" if "photo" not in place else place
    response = me.api("GET", path + query)
    if response.status_code == 302:
        me.downloads.append(response.headers["Location"])


def locate_log(me, path):
    me.downloads.append(me.api("GET", path).headers["Location"])


def fetch(me, which):
    me.fetch(me.downloads[which % len(me.downloads)])


CONTENT = st.sampled_from([b"hello", b"he", b"hello!"])
RANGES = some(**{"Content-Range": ["0-1/5", "2-4/5", "bytes 0-4/5", "0-4/5", "3-4/5", "all"]})
FILES = st.one_of(
    step(
        ask,
        place=st.sampled_from(PLACES),
        below=st.sampled_from(["", "", "folder", "stored"]),
        request=some(
            fileName=["", "b.bin", "text", None],
            overwrite=[True, None],
            modifiedTime=["yesterday", None, "2026-06-01T09:00:00+09:00"],
            more=[1],
            fileSize=[11 * 1024 * 1024, 2],
        ),
    ),
    step(ask, place=st.just(DRIVE), below=st.just(""), request=some(overwrite=[True])),
    step(
        send,
        which=st.integers(-1, 1),
        content=CONTENT,
        request=st.builds(
            lambda one, two: one | two,
            some(field=["file", "FileData"], name=["b.bin"], content_type=[None, "txt", "text"]),
            RANGES,
        ),
    ),
    step(send, which=st.just(-1), content=st.just(b"hello"), request=st.just({})),
    step(
        send_form,
        parts=st.lists(st.sampled_from(["field", "name", "file", "other"]), max_size=3),
        content_range=RANGES,
    ),
    step(put, content=CONTENT, content_range=RANGES),
    step(
        locate,
        which=st.integers(-2, 1),
        rest=st.sampled_from(["", "", "/revisions/0", "/revisions/1", "/revisions/2", "/revisions/9"]),
        query=st.sampled_from(["", "", "?size=small"]),
    ),
    step(
        locate_log, path=st.sampled_from(["/audits/logs/download", "/monitoring/message-contents/download"])
    ),
    step(fetch, which=st.integers(-2, 1)),
)
