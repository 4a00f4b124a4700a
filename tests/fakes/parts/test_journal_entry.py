"""An entry of the journal: what was sent, why it was refused, and where the description says so."""

import pytest

from ..caller import DRIVE, raw_form


def test_json_is_the_body_without_secrets(fake, me):
    me.patch(nickName="Mina", task=None)
    me.api("PATCH", "/users/u-001", json={"password": me.facts["password"], "tags": [1.5, {"code": "c-1"}]})
    me.api("PATCH", "/users/u-001", content=b'{"authorization": 12345678, "x": 1}')
    plain, masked, whole = fake.journal
    assert plain.json == {"nickName": "Mina", "task": None}
    assert masked.json == {"password": "***", "tags": [1.5, {"code": "***"}]}
    assert whole.json == "***"


@pytest.mark.parametrize("content", [b"", b"nickName=Mina", b'{"a": NaN}', b'"' + b"x" * 70_000 + b'"'])
def test_json_of_other_bodies(fake, me, content):
    me.api("PATCH", "/users/u-001", content=content)
    assert fake.journal[-1].json is None


def test_refusal_has_its_reason_and_section(fake, me):
    fake.faults.status("users.update", 503)
    me.patch()
    me.patch(nickName="x" * 500)
    me.patch("nobody")
    me.http.patch(me.facts["base_url"] + "/users/u-001", json={})
    me.http.post(me.facts["webhooks"][0], json={})
    me.exchange("code-1")
    me.authorize(scope="")
    me.api("GET", "/nothing")
    me.api("GET", "/nothing", headers={"Authorization": "Bearer at_wrong"})
    me.patch(nickName="Mina")
    found = [(entry.status, entry.section) for entry in fake.journal]
    assert found == [
        (503, None),
        (400, "Resources and their fields › User"),
        (404, "Endpoints › Directory"),
        (401, "Authentication"),
        (400, "Errors › Notification endpoint"),
        (400, "Limits"),
        (400, "Endpoints › Token endpoints"),
        (404, "Endpoints"),
        (401, "Authentication"),
        (200, None),
    ]
    injected, limit, *_, success = fake.journal
    assert "injected" in injected.reason
    assert limit.reason.startswith("nickName must have at most 100 characters; given 500 characters")
    assert success.reason is None
    assert (limit.record()["reason"], limit.record()["section"]) == (limit.reason, limit.section)


def test_every_refusal_names_a_section(fake, me):
    sections = {rule.section for rule in fake.rules}
    url = me.url()
    me.send(url, field="other", content_type=None)
    me.send(url + "x")
    me.locate("nothing")
    me.api("GET", "/groups")
    me.http.get(me.facts["webhooks"][0])
    for _ in range(121):
        me.notify()
    refused = [entry for entry in fake.journal if entry.reason]
    assert len(refused) > 4
    assert {entry.section for entry in refused} <= sections | {"Endpoints › File transfer"}


def test_parts_of_an_upload_are_noted_while_it_goes_by(fake, me):
    note = (b'Content-Disposition: form-data; name="note"', b"hi")
    file = (
        'Content-Disposition: form-data; name="Filedata"; filename="café.txt"\r\nContent-Type: text/plain'.encode(),
        b"x" * 200_000,
    )
    headers = me.bearer | {"Content-Type": "multipart/form-data; boundary=boundary-7"}
    me.http.post(me.url(size=200_000, name="café.txt"), content=raw_form(note, file), headers=headers)
    entry = fake.journal[-1]
    assert entry.status == 201
    assert [tuple(part) for part in entry.parts] == [
        ("note", None, None),
        ("Filedata", "café.txt", "text/plain"),
    ]
    assert entry.record()["parts"][1] == {
        "name": "Filedata",
        "fileName": "café.txt",
        "contentType": "text/plain",
    }
    assert entry.request_body == "", "only the heads of the parts are kept"
    assert entry.kept_bytes < 2000


def test_parts_of_a_refused_form_are_noted_too(fake, me):
    me.send(me.url(), field="attachment", name="code=s3cr3t.txt")
    refused = fake.journal[-1]
    me.api("POST", DRIVE, files={"Filedata": ("a.txt", b"hello", "text/plain")})
    misplaced = fake.journal[-1]
    me.patch(nickName="Mina")
    assert [tuple(part) for part in refused.parts] == [("attachment", "code=***", "text/plain")]
    assert (misplaced.status, misplaced.parts[0].name, misplaced.parts[0].file_name) == (
        400,
        "Filedata",
        "a.txt",
    )
    assert fake.journal[-1].parts == ()


def test_webhook_is_the_same_for_the_same_url_and_no_secret(fake, me):
    fake.webhooks.add("Second", "channel-1")
    first, second = fake.facts["webhooks"]
    for url in (first, second, first + "?x=1", first.replace("wh_", "wh%5F")):
        me.http.post(url, json={"body": {"text": "hi"}})
    me.patch()
    fingerprints = [entry.webhook for entry in fake.journal]
    assert fingerprints[0] == fingerprints[2] == fingerprints[3] != fingerprints[1]
    assert fingerprints[-1] is None
    assert all(fingerprint not in first + second for fingerprint in fingerprints[:2])
    for kind in ("messages", "journal"):
        assert [each["webhook"] for each in fake.records(kind)][:2] == fingerprints[:2]
        assert not any(url.rpartition("/")[2] in str([*fake.records(kind)]) for url in (first, second))
