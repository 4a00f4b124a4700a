"""For each assumption about files, a call whose observable outcome depends on it."""

from .caller import BOUNDARY, DRIVE, Caller, raw_form
from .scenario import scenario

MULTIPART = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
FIELD = b'Content-Disposition: form-data; name="FileData"'
FILE_FIELDS = {"fileId", "fileName", "fileSize"}
OF_A_DRIVE = (
    "parentFileId resourceLocation filePath fileType statuses permissionRootFileId hasPermission "
    "createdTime modifiedTime accessedTime"
)
DRIVE_FIELDS = FILE_FIELDS | {*OF_A_DRIVE.split()}


@scenario("file.upload-status", {"200": 200, "201": 201})
def first_step(me: Caller):
    return me.ask()


@scenario("file.upload-lifetime", {"24h": 404, "unlimited": 201})
def a_day_later(me: Caller):
    url = me.url()
    me.fake.clock.advance(hours=24, seconds=1)
    me.become()
    return me.send(url)


@scenario("file.upload-reuse", {"single-use": 404, "reusable": 201})
def same_address_twice(me: Caller):
    url = me.url()
    me.send(url)
    return me.send(url)


@scenario("file.upload-user", {"bound": 404, "any-token": 201})
def address_of_another_user(me: Caller):
    url = me.url()
    me.become("u-002")
    return me.send(url)


@scenario("file.part-name", {"any": 201, "Filedata-only": 400})
def part_of_another_name(me: Caller):
    return me.send(me.url(), field="file")


@scenario("file.content-field", {"described": 400, "any": 201})
def content_in_a_field_alone(me: Caller):
    form = raw_form((FIELD, b"hello"))
    return me.http.post(me.url(), content=form, headers=me.bearer | MULTIPART)


@scenario("file.form-limit", {"400": 400, "413": 413})
def many_parts(me: Caller):
    form = raw_form(*[(FIELD, b"hello")] * 17)
    return me.http.post(me.url(), content=form, headers=me.bearer | MULTIPART)


@scenario("file.size-limit", {"unlimited": 200, "413": 413, "400": 400})
def large_file(me: Caller):
    return me.ask(size=10 * 1024 * 1024 + 1)


@scenario("file.raw", {"refused": 400, "accepted": 201})
def raw_content(me: Caller):
    return me.http.put(me.url(), content=b"hello", headers=me.bearer)


@scenario("file.incomplete", {"200": 200, "308": 308})
def first_piece(me: Caller):
    return me.send(me.url(), b"he", **{"Content-Range": "0-1/5"})


@scenario("file.wrong-range", {"400": [400, 400], "416": [416, 416]})
def piece_that_does_not_follow(me: Caller):
    ranges = ("3-4/5", "all")
    return [me.send(me.url(), b"lo", **{"Content-Range": each}) for each in ranges]


@scenario("file.resume-offset", {"absent": [None, None], "sent": [2, 2]})
def offset_in_the_refusal_of_a_range(me: Caller):
    url = me.url()
    me.send(url, b"he", **{"Content-Range": "0-1/5"})
    return [me.send(url, b"lo", **{"Content-Range": each}).json().get("offset") for each in ("3-4/5", "all")]


@scenario("file.range-unit", {"accepted": 201, "refused": 400})
def range_with_a_unit(me: Caller):
    return me.send(me.url(), **{"Content-Range": "bytes 0-4/5"})


@scenario("file.size", {"checked": 400, "not-checked": 201})
def more_than_announced(me: Caller):
    return me.send(me.url(), b"hello!")


@scenario("file.not-found", {"404": 404, "410": 410})
def no_such_file(me: Caller):
    return me.locate("nothing")


@scenario("file.same-name", {"beside": 201, "refused": 409})
def second_of_a_name(me: Caller):
    me.upload()
    return me.send(me.url())


@scenario("file.photo", {"newest": (201, "second"), "refused": (409, "first")})
def second_photo(me: Caller):
    place = "/users/u-001/photo"
    me.upload(place, b"first", name="a.png")
    response = me.send(me.url(place, name="b.png", size=6), b"second")
    return response, me.fetch(me.api("GET", place).headers["Location"]).text


@scenario("file.overwrite", {"revision": "old", "replace": "new!"})
def first_revision_of_two(me: Caller):
    file_id = me.upload(content=b"old")["fileId"]
    me.upload(content=b"new!", overwrite=True)
    location = me.api("GET", f"{DRIVE}/{file_id}/revisions/1/download").headers["Location"]
    return me.fetch(location).text


@scenario(
    "file.overwrite-target",
    {"newest": ("second", True), "oldest": ("first", True), "file-resources": ("second", False)},
)
def overwrite_of_one_of_two_and_outside_drives(me: Caller):
    first, second = me.upload()["fileId"], me.upload()["fileId"]
    names = {first: "first", second: "second"}
    bot = "/bots/bot-1/attachments"
    stored = me.upload(bot)["fileId"]
    return names[me.upload(overwrite=True)["fileId"]], me.upload(bot, overwrite=True)["fileId"] == stored


@scenario("file.drive-fields", {"file-resources": DRIVE_FIELDS, "personal-drive": FILE_FIELDS})
def result_of_a_group_folder(me: Caller):
    return set(me.upload("/groups/g-1/folder/files"))


@scenario("file.logs", {"utf-8": b"time", "utf-8-bom": b"\xef\xbb\xbft"})
def first_bytes_of_a_log(me: Caller):
    return me.fetch(me.api("GET", "/audits/logs/download").headers["Location"]).content[:4]


@scenario("file.containers", {"any-id": 200, "refused": 404})
def any_board(me: Caller):
    return me.ask("/boards/b-1/posts/p-1/attachments")


@scenario("file.place", {"own-place": 404, "anywhere": 302})
def file_of_another_place(me: Caller):
    file_id = me.upload()["fileId"]
    return me.locate(file_id, "/users/u-002/drive/files")


@scenario("file.parent", {"folder": 200, "refused": 404})
def below_an_unknown_folder(me: Caller):
    return me.ask(f"{DRIVE}/folder-1")


@scenario("file.revision-name", {"taken": "b.txt", "kept": "a.txt"})
def revision_of_another_name(me: Caller):
    file_id = me.upload()["fileId"]
    return me.upload(f"{DRIVE}/{file_id}", name="b.txt")["fileName"]


@scenario("file.revision-ids", {"from-1": [404, 302], "from-0": [302, 404]})
def name_of_the_first_revision(me: Caller):
    file_id = me.upload()["fileId"]
    return [me.api("GET", f"{DRIVE}/{file_id}/revisions/{n}/download") for n in (0, 1)]


@scenario("file.query", {"ignored": 302, "refused": 400})
def download_with_a_query(me: Caller):
    return me.locate(me.upload()["fileId"], params={"size": "small"})


@scenario("file.name", {"announced": "a.txt", "sent": "b.txt"})
def other_name_with_the_content(me: Caller):
    return me.send(me.url(), name="b.txt").json()["fileName"]


@scenario(
    "file.default-type", {"application/octet-stream": "application/octet-stream", "text/plain": "text/plain"}
)
def content_without_a_type(me: Caller):
    headers = me.bearer | {"Content-Type": "multipart/form-data; boundary=b"}
    head = b'--b\r\nContent-Disposition: form-data; name="Filedata"; filename="a.txt"\r\n\r\n'
    sent = me.http.post(me.url(), content=head + b"hello\r\n--b--\r\n", headers=headers)
    return me.download(sent.json()["fileId"]).headers["Content-Type"]


@scenario("file.modified-time", {"any-text": 200, "date-time": 400})
def yesterday(me: Caller):
    return me.ask(modifiedTime="yesterday")


@scenario("file.download-reuse", {"reusable": 200, "single-use": 404})
def download_twice(me: Caller):
    location = me.locate(me.upload()["fileId"]).headers["Location"]
    me.fetch(location)
    return me.fetch(location)


def result_of_a_drive_file(rule_id, field, outcomes):
    scenario(rule_id, outcomes)(lambda me: me.upload(f"{DRIVE}/folder-1")[field])


result_of_a_drive_file("drive.root", "permissionRootFileId", {"root": "root", "container": "u-001"})
result_of_a_drive_file("drive.path", "filePath", {"below-folder": "/folder-1/a.txt", "name-only": "/a.txt"})
result_of_a_drive_file("drive.permission", "hasPermission", {"true": True, "false": False})
result_of_a_drive_file("drive.location", "resourceLocation", {"1": 1, "0": 0})
result_of_a_drive_file("drive.statuses", "statuses", {"none": [], "normal": ["NORMAL"]})
result_of_a_drive_file("drive.type", "fileType", {"media-type": "text/plain", "extension": "txt"})
result_of_a_drive_file(
    "drive.times", "createdTime", {"clock": "2026-06-01T09:00:00+09:00", "utc": "2026-06-01T00:00:00Z"}
)


@scenario("file.empty-name", {"accepted": 200, "refused": 400})
def file_without_a_name(me: Caller):
    return me.ask(name="")


@scenario("file.download-validity", {"unlimited": (200, 200), "same-user": (404, 200), "24h": (200, 404)})
def download_by_another_user_and_a_day_later(me: Caller):
    location = me.locate(me.upload()["fileId"]).headers["Location"]
    me.become("u-002")
    by_another = me.fetch(location)
    me.fake.clock.advance(hours=24, seconds=1)
    me.become()
    return by_another, me.fetch(location)
