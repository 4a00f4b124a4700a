"""For each assumption about files, a call whose observable outcome depends on it."""

from .caller import BOUNDARY, DRIVE, Caller, raw_form
from .scenario import scenario

MULTIPART = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
FIELD = b'Content-Disposition: form-data; name="FileData"'


@scenario("file.upload-status")
def first_step(me: Caller):
    return me.ask().status_code


@scenario("file.upload-lifetime")
def a_day_later(me: Caller):
    url = me.url()
    me.fake.clock.advance(hours=24, seconds=1)
    me.bearer = {"Authorization": f"Bearer {me.fake.access_token()}"}
    return me.send(url).status_code


@scenario("file.upload-reuse")
def same_address_twice(me: Caller):
    url = me.url()
    me.send(url)
    return me.send(url).status_code


@scenario("file.upload-user")
def address_of_another_user(me: Caller):
    url = me.url()
    me.bearer = {"Authorization": f"Bearer {me.fake.access_token('u-002')}"}
    return me.send(url).status_code


@scenario("file.part-name")
def part_of_another_name(me: Caller):
    return me.send(me.url(), field="file").status_code


@scenario("file.content-field")
def content_in_a_field_alone(me: Caller):
    form = raw_form((FIELD, b"hello"))
    return me.http.post(me.url(), content=form, headers=me.bearer | MULTIPART).status_code


@scenario("file.form-limit")
def many_parts(me: Caller):
    form = raw_form(*[(FIELD, b"hello")] * 17)
    return me.http.post(me.url(), content=form, headers=me.bearer | MULTIPART).status_code


@scenario("file.size-limit")
def large_file(me: Caller):
    return me.ask(size=10 * 1024 * 1024 + 1).status_code


@scenario("file.raw")
def raw_content(me: Caller):
    return me.http.put(me.url(), content=b"hello", headers=me.bearer).status_code


@scenario("file.incomplete")
def first_piece(me: Caller):
    return me.send(me.url(), b"he", **{"Content-Range": "0-1/5"}).status_code


@scenario("file.wrong-range")
def piece_that_does_not_follow(me: Caller):
    ranges = ("3-4/5", "all")
    return [me.send(me.url(), b"lo", **{"Content-Range": each}).status_code for each in ranges]


@scenario("file.resume-offset")
def offset_in_the_refusal_of_a_range(me: Caller):
    url = me.url()
    me.send(url, b"he", **{"Content-Range": "0-1/5"})
    return [me.send(url, b"lo", **{"Content-Range": each}).json().get("offset") for each in ("3-4/5", "all")]


@scenario("file.range-unit")
def range_with_a_unit(me: Caller):
    return me.send(me.url(), **{"Content-Range": "bytes 0-4/5"}).status_code


@scenario("file.size")
def more_than_announced(me: Caller):
    return me.send(me.url(), b"hello!").status_code


@scenario("file.not-found")
def no_such_file(me: Caller):
    return me.locate("nothing").status_code


@scenario("file.same-name")
def second_of_a_name(me: Caller):
    me.upload()
    return me.send(me.url()).status_code


@scenario("file.photo")
def second_photo(me: Caller):
    place = "/users/u-001/photo"
    me.upload(place, b"first", name="a.png")
    response = me.send(me.url(place, name="b.png", size=6), b"second")
    return response.status_code, me.fetch(me.api("GET", place).headers["Location"]).text


@scenario("file.overwrite")
def first_revision_of_two(me: Caller):
    file_id = me.upload(content=b"old")["fileId"]
    me.upload(content=b"new!", overwrite=True)
    location = me.api("GET", f"{DRIVE}/{file_id}/revisions/1/download").headers["Location"]
    return me.fetch(location).text


@scenario("file.overwrite-target")
def overwrite_of_one_of_two_and_outside_drives(me: Caller):
    first, second = me.upload()["fileId"], me.upload()["fileId"]
    names = {first: "first", second: "second"}
    bot = "/bots/bot-1/attachments"
    stored = me.upload(bot)["fileId"]
    return names[me.upload(overwrite=True)["fileId"]], me.upload(bot, overwrite=True)["fileId"] == stored


@scenario("file.drive-fields")
def result_of_a_group_folder(me: Caller):
    return set(me.upload("/groups/g-1/folder/files"))


@scenario("file.logs")
def first_bytes_of_a_log(me: Caller):
    return me.fetch(me.api("GET", "/audits/logs/download").headers["Location"]).content[:4]


@scenario("file.containers")
def any_board(me: Caller):
    return me.ask("/boards/b-1/posts/p-1/attachments").status_code


@scenario("file.place")
def file_of_another_place(me: Caller):
    file_id = me.upload()["fileId"]
    return me.locate(file_id, "/users/u-002/drive/files").status_code


@scenario("file.parent")
def below_an_unknown_folder(me: Caller):
    return me.ask(f"{DRIVE}/folder-1").status_code


@scenario("file.revision-name")
def revision_of_another_name(me: Caller):
    file_id = me.upload()["fileId"]
    return me.upload(f"{DRIVE}/{file_id}", name="b.txt")["fileName"]


@scenario("file.revision-ids")
def name_of_the_first_revision(me: Caller):
    file_id = me.upload()["fileId"]
    return [me.api("GET", f"{DRIVE}/{file_id}/revisions/{n}/download").status_code for n in (0, 1)]


@scenario("file.query")
def download_with_a_query(me: Caller):
    return me.locate(me.upload()["fileId"], params={"size": "small"}).status_code


@scenario("file.name")
def other_name_with_the_content(me: Caller):
    return me.send(me.url(), name="b.txt").json()["fileName"]


@scenario("file.default-type")
def content_without_a_type(me: Caller):
    headers = me.bearer | {"Content-Type": "multipart/form-data; boundary=b"}
    head = b'--b\r\nContent-Disposition: form-data; name="Filedata"; filename="a.txt"\r\n\r\n'
    sent = me.http.post(me.url(), content=head + b"hello\r\n--b--\r\n", headers=headers)
    return me.download(sent.json()["fileId"]).headers["Content-Type"]


@scenario("file.modified-time")
def yesterday(me: Caller):
    return me.ask(modifiedTime="yesterday").status_code


@scenario("file.download-reuse")
def download_twice(me: Caller):
    location = me.locate(me.upload()["fileId"]).headers["Location"]
    me.fetch(location)
    return me.fetch(location).status_code


def result_of_a_drive_file(field):
    return lambda me: me.upload(f"{DRIVE}/folder-1")[field]


scenario("drive.root")(result_of_a_drive_file("permissionRootFileId"))
scenario("drive.path")(result_of_a_drive_file("filePath"))
scenario("drive.permission")(result_of_a_drive_file("hasPermission"))
scenario("drive.location")(result_of_a_drive_file("resourceLocation"))
scenario("drive.statuses")(result_of_a_drive_file("statuses"))
scenario("drive.type")(result_of_a_drive_file("fileType"))
scenario("drive.times")(result_of_a_drive_file("createdTime"))


@scenario("file.empty-name")
def file_without_a_name(me: Caller):
    return me.ask(name="").status_code


@scenario("file.download-validity")
def download_by_another_user_and_a_day_later(me: Caller):
    location = me.locate(me.upload()["fileId"]).headers["Location"]
    own, me.bearer = me.bearer, {"Authorization": f"Bearer {me.fake.access_token('u-002')}"}
    by_another, me.bearer = me.fetch(location).status_code, own
    me.fake.clock.advance(hours=24, seconds=1)
    me.bearer = {"Authorization": f"Bearer {me.fake.access_token()}"}
    return by_another, me.fetch(location).status_code
