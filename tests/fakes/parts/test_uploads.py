"""Uploads under alternatives: a refusal changes nothing, and names, sizes and contents follow what is chosen."""

import pytest

from ..caller import BOUNDARY, DRIVE, calling, make, raw_form, stored

MIB = 1 << 20
LIMIT = 10 * MIB
FORM = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
RESOURCE_NAME = b'Content-Disposition: form-data; name="resourceName"'


def field(name, filename=None):
    written = f'Content-Disposition: form-data; name="{name}"'
    return (written + (f'; filename="{filename}"' if filename else "")).encode()


def send(me, url, *parts):
    return me.http.post(url, content=raw_form(*parts), headers=me.bearer | FORM)


def send_range(me, url, first, last, content):
    return me.send(url, content, **{"Content-Range": f"{first}-{last}/5"})


def test_a_last_range_that_is_refused_is_not_kept():
    with calling(make(assume={"file.same-name": "refused"})) as me:
        url = me.url()
        assert send_range(me, url, 0, 1, b"he").json() == {"offset": 2}
        other = me.upload(content=b"first")["fileId"]
        before = me.fake.snapshot()
        for _ in range(2):
            assert send_range(me, url, 2, 4, b"llo").status_code == 409
            assert me.fake.snapshot() == before
        me.upload(f"{DRIVE}/{other}", b"moved", name="b.txt")
        response = send_range(me, url, 2, 4, b"llo")
        assert response.status_code == 201
        assert me.download(response.json()["fileId"]).content == b"hello"


def test_a_whole_content_that_is_refused_leaves_the_upload_good():
    with calling(make(assume={"file.same-name": "refused"})) as me:
        url, first = me.url(), me.upload(content=b"first")["fileId"]
        before = me.fake.snapshot()
        assert me.send(url).status_code == 409
        assert me.fake.snapshot() == before
        me.upload(f"{DRIVE}/{first}", b"moved", name="b.txt")
        assert me.send(url).status_code == 201


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_file_cannot_be_renamed_to_a_name_that_is_taken(overwrite):
    with calling(make(assume={"file.same-name": "refused"})) as me:
        first = me.upload()["fileId"]
        me.upload(name="b.txt")
        url = me.url(f"{DRIVE}/{first}", name="b.txt", overwrite=overwrite)
        before = me.fake.snapshot()
        response = me.send(url)
        assert (response.status_code, me.fake.snapshot()) == (409, before)
        assert "'a.txt' cannot be renamed" in response.json()["description"]


@pytest.mark.parametrize("choice", ["taken", "kept"])
def test_overwriting_finds_a_file_by_the_name_it_has_now(choice):
    with calling(make(assume={"file.revision-name": choice})) as me:
        first = me.upload()["fileId"]
        me.upload(f"{DRIVE}/{first}", name="b.txt")
        found = {name: me.upload(name=name, overwrite=True)["fileId"] == first for name in ("a.txt", "b.txt")}
    assert found == {"a.txt": choice == "kept", "b.txt": choice == "taken"}


def test_restored_fake_finds_the_newest_of_a_name(me):
    older, newer = me.upload()["fileId"], me.upload()["fileId"]
    me.upload(f"{DRIVE}/{older}")
    me.fake.restore(me.fake.snapshot())
    me.upload(f"{DRIVE}/{older}", name="b.txt")
    assert me.upload(overwrite=True)["fileId"] == newer


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ([(field("Filedata", "sent.txt"), b"hello")], "sent.txt"),
        ([(RESOURCE_NAME, b"other.txt"), (field("Filedata", "sent.txt"), b"hello")], "sent.txt"),
        ([(RESOURCE_NAME, b"other.txt"), (field("FileData", "sent.txt"), b"hello")], "other.txt"),
        ([(field("FileData"), b"hello"), (RESOURCE_NAME, '数 "q".txt'.encode())], '数 "q".txt'),
    ],
)
def test_a_file_may_be_named_as_it_is_sent(parts, name):
    with calling(make(assume={"file.name": "sent"})) as me:
        assert send(me, me.url(), *parts).json()["fileName"] == name


@pytest.mark.parametrize("name", ["Filedata", "FileData", "file"])
@pytest.mark.parametrize(("choice", "status"), [("described", 400), ("any", 201)])
def test_a_field_alone_is_the_content_where_that_is_chosen(name, choice, status):
    with calling(make(assume={"file.content-field": choice})) as me:
        response = send(me, me.url(), (field(name), b"hel\r\n"))
        assert response.status_code == status
        if status == 201:
            assert me.download(response.json()["fileId"]).content == b"hel\r\n"
        else:
            assert f"without a filename {name}" in response.json()["description"]


def test_alternative_form_rests_on_no_part_name():
    with calling(make(assume={"file.part-name": "Filedata-only"})) as me:
        response = send(me, me.url(), (RESOURCE_NAME, b"a.txt"), (field("FileData"), b"hello"))
    assert response.status_code == 201
    assert not {"file.part-name", "file.content-field"} & set(response.headers["X-Fake-Assumed"].split(", "))


@pytest.mark.parametrize("choice", ["413", "400"])
def test_a_limit_of_the_size_is_told_at_the_first_step(choice):
    with calling(make(assume={"file.size-limit": choice})) as me:
        assert me.ask(size=LIMIT).status_code == 200
        before = stored(me.fake)
        response = me.ask(size=LIMIT + 1)
        assert (response.status_code, stored(me.fake)) == (int(choice), before)
    assert f"up to {LIMIT} bytes, and this one has {LIMIT + 1}" in response.json()["description"]


def test_a_limit_of_the_size_holds_for_what_is_sent_too():
    with calling(make(assume={"file.size-limit": "413", "file.size": "not-checked"})) as me:
        url = me.url()
        assert me.send(url, bytes(LIMIT + 1)).status_code == 413
        assert me.send(url, bytes(LIMIT)).status_code == 201


def test_each_value_of_a_drive_file_rests_on_its_assumption(me):
    names = ("root", "path", "permission", "location", "statuses", "type", "times")
    response = me.send(me.url(f"{DRIVE}/folder-1"))
    photo = me.send(me.url("/users/u-001/photo"))
    assert {f"drive.{name}" for name in names} <= set(response.headers["X-Fake-Assumed"].split(", "))
    assert "drive." not in photo.headers.get("X-Fake-Assumed", "")


OFFSET = "file.resume-offset"


@pytest.mark.parametrize("refused", ["3-4/5", "2-4/6", "2-9/5", "2-3/5", "all", "5-2/5"])
@pytest.mark.parametrize("body", ["code-description", "oauth2"])
def test_a_refused_range_may_say_where_the_upload_continues(refused, body):
    for alternative, offset in (("absent", None), ("sent", 2)):
        with calling(make(assume={OFFSET: alternative, "api.error-body": body})) as me:
            url = me.url()
            send_range(me, url, 0, 1, b"he")
            response = me.send(url, b"llo", **{"Content-Range": refused})
            assert (response.status_code, response.json().get("offset")) == (400, offset)
            assert OFFSET in response.headers["X-Fake-Assumed"].split(", ")
            assert send_range(me, url, 2, 4, b"llo").status_code == 201


def test_other_refusals_of_uploads_name_no_offset():
    with calling(make(assume={OFFSET: "sent"})) as me:
        for response in (me.send(me.url(), b"hello!"), me.send(me.facts["upload_url"] + "/uploads/none")):
            assert "offset" not in response.json()
            assert OFFSET not in response.headers["X-Fake-Assumed"]


def test_an_offset_is_that_of_raw_content_too():
    with calling(make(assume={OFFSET: "sent", "file.raw": "accepted"})) as me:
        response = me.http.put(me.url(), content=b"lo", headers=me.bearer | {"Content-Range": "3-4/5"})
        assert (response.status_code, response.json()["offset"]) == (400, 0)
